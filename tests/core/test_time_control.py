"""Clocks stop who thinks too long, and every move has its time."""

import math
import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import Random
from ludex.core.choice import Choice
from ludex.core.play import choices, choosers, states
from ludex.core.rules import initial
from ludex.core.termination import BY_RULES, OUT_OF_TIME, TRUNCATED
from ludex.core.time_control import Clocks, read_clocks, write_clocks
from ludex.kernel.jit import ThinkingClock, compiled, compiling
from ludex.match.runner import play_match
from ludex.match.session import Match
from ludex.search.clock import stop_flag
from tests.lines import variant

pytestmark = pytest.mark.plain


class Ticking:
    """Takes the first action, and so many seconds of its own clock for it."""

    policy_known = False

    def __init__(self, *takes: float) -> None:
        self.takes = list(takes)
        self.thought = 0.0
        self.allowed: list[float] = []

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        raise AssertionError("asked without a clock")

    def consider_within(
        self,
        rules: Any,
        state: Any,
        seat: int,
        rng: np.random.Generator,
        seconds: float,
        wall: float,
    ) -> Choice:
        self.allowed.append(seconds)
        self.thought = self.takes.pop(0) if len(self.takes) > 1 else self.takes[0]
        return Choice(choices(rules, state, seat)[0])


def timed(game: str, clocks: Clocks, *takes: float) -> tuple[Match, Ticking]:
    """Return a match of an agent that takes so many seconds, in the first seat."""
    rules, agent = variant(game), Ticking(*takes)
    return play_match(rules, initial(rules), [agent, Ticking(0.25)], 0, clocks=clocks), agent


def test_every_clock_stops_who_is_over_it() -> None:
    for clocks, takes, moves in (
        (Clocks(decision=2.0), (2.0, 2.0, 2.5), 4),
        (Clocks(match=5.0), (2.0, 3.0, 0.5), 4),
        (Clocks(turn=2.0), (2.0, 2.0, 2.5), 4),
        (Clocks(decision=9.0, match=5.0), (6.0,), 0),
    ):
        match, _ = timed("nuts", clocks, *takes)
        assert (match.ending, match.offender, match.returns) == (OUT_OF_TIME, 0, (-1.0, 1.0))
        assert len(match.moves) == moves and match.seconds[0] == sum(takes)
    assert match.words == "the match clock of 5 s ran out"


def test_an_agent_is_told_how_long_it_may_think() -> None:
    _, agent = timed("nuts", Clocks(decision=2.0, match=3.5), 1.0)
    assert agent.allowed == [2.0, 2.0, 1.5, 0.5]


def test_a_step_and_its_throw_are_one_turn() -> None:
    match, agent = timed("trap", Clocks(turn=2.0), 1.0, 1.0, 1.5, 0.75)
    assert agent.allowed == [2.0, 1.0, 2.0, 0.5]
    assert (match.ending, match.words) == (OUT_OF_TIME, "the turn clock of 2 s ran out")
    assert match.times == ((1.0,), (1.0,), (), (0.25,), (0.25,), (), (1.5,))


def test_chance_ends_a_turn() -> None:
    match, agent = timed("aeroplane", Clocks(turn=1.0), 0.75)
    assert match.ending == BY_RULES
    assert set(agent.allowed) == {1.0}


def test_choosing_at_once_is_a_turn_for_each() -> None:
    match, agent = timed("droids", Clocks(turn=1.0, plies=3), 0.75)
    assert (match.ending, match.times) == (TRUNCATED, ((0.75, 0.25),) * 3)
    assert agent.allowed == [1.0] * 3


def test_every_move_has_the_time_that_it_took() -> None:
    rules = variant("aeroplane")
    match = play_match(rules, initial(rules), [Random(), Random()], seed=1)
    line = list(states(rules, initial(rules), list(match.moves)))
    assert [len(took) for took in match.times] == [len(choosers(rules, one)) for one in line[:-1]]
    assert sum(map(sum, match.times)) == pytest.approx(sum(match.seconds))


@dataclass
class Sleepy:
    """Answers late."""

    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        time.sleep(0.02)
        return Choice(0)


def test_one_that_does_not_stop_itself_is_measured() -> None:
    rules = variant("nuts")
    match = play_match(rules, initial(rules), [Sleepy(), Random()], 0, clocks=Clocks(decision=0.01))
    assert (match.ending, match.offender) == (OUT_OF_TIME, 0)
    assert match.words == "the decision clock of 0.01 s ran out"


class Program(Ticking):
    """Asks for usual clocks of its own, as somebody's program does."""

    default_clocks = Clocks(turn=1.0)


@pytest.mark.parametrize(
    ("clocks", "allowed"),
    [
        (Clocks(plies=4), [1.0]),
        (Clocks(decision=9.0, plies=4), [9.0] * 2),
        (Clocks(plies=4, off=True), [math.inf] * 2),
    ],
    ids=["not given", "given", "none"],
)
def test_usual_clocks_count_where_no_others_are_given(clocks: Clocks, allowed: list[float]) -> None:
    rules, agent, other = variant("nuts"), Program(2.0), Ticking(2.0)
    match = play_match(rules, initial(rules), [agent, other], 0, clocks=clocks)
    assert agent.allowed == allowed
    assert match.ending == (OUT_OF_TIME if len(allowed) == 1 else TRUNCATED)


def test_the_usual_clock_of_a_program_does_not_bind_its_opponent() -> None:
    rules, slow = variant("nuts"), Ticking(60.0)
    match = play_match(rules, initial(rules), [slow, Program(0.5)], 0, clocks=Clocks(plies=4))
    assert match.ending == TRUNCATED and slow.allowed == [math.inf] * 2


def test_a_clock_for_programs_alone_binds_no_opponent_of_theirs() -> None:
    rules, slow, program = variant("nuts"), Ticking(60.0), Program(2.0)
    clocks = Clocks(decision=9.0, plies=4, programs=True)
    match = play_match(rules, initial(rules), [slow, program], 0, clocks=clocks)
    assert match.ending == TRUNCATED and len(match.moves) == 4
    assert slow.allowed == [math.inf] * 2 and program.allowed == [9.0] * 2


# Compiling is not thinking. -----------------------------------------------------------------------


@dataclass
class Compiling:
    """Compiles before it answers."""

    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        with compiling():
            time.sleep(0.02)
        return Choice(choices(rules, state, seat)[0])


def test_compiling_is_not_thinking() -> None:
    rules, clocks = variant("nuts"), Clocks(decision=0.01, plies=1)
    match = play_match(rules, initial(rules), [Compiling(), Random()], 0, clocks=clocks)
    assert (match.ending, match.words) == (TRUNCATED, "")


def test_a_search_goes_on_after_compiling() -> None:
    with ExitStack() as search:
        with compiling():  # from the beginning: a busy machine may take long to get here
            flag = search.enter_context(stop_flag(0.01))
            time.sleep(0.03)
            assert flag[0] == 0
        while flag[0] == 0:  # and its time ends
            time.sleep(0.001)


def test_time_stands_still_while_any_thread_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    fake: Any = SimpleNamespace(now=0.0, perf_counter=lambda: fake.now)
    monkeypatch.setattr("ludex.kernel.jit.time", fake)
    stopwatch, shown = ThinkingClock(), []
    for threads in (1, 1, -1, -1, 1):
        fake.now += 1.0
        shown.append(stopwatch.time())
        stopwatch.add(threads)
    assert shown == [1.0, 1.0, 1.0, 1.0, 2.0]


def test_watchers_hear_of_compiling_in_the_order_it_happens(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen: list[bool] = []

    def compile_too() -> None:
        with compiling():
            pass

    other = threading.Thread(target=compile_too)

    def watch(begins: bool) -> None:
        if not begins and other.ident is None:
            other.start()
            other.join(0.1)  # it would overtake us here
        seen.append(begins)

    monkeypatch.setattr("ludex.kernel.jit.stopwatch", ThinkingClock())
    monkeypatch.setattr("ludex.kernel.jit.watchers", [watch])
    with compiling():
        pass
    other.join()
    assert seen == [True, False, True, False]


@pytest.mark.compiled
def test_numba_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    monkeypatch.setattr("ludex.kernel.jit.watchers", [seen.append])
    rules = variant("nuts")
    for _ in range(2):
        nuts_of(rules)
    assert seen == [True, False]


@compiled
def nuts_of(rules):  # type: ignore[no-untyped-def]
    return rules.nuts


@pytest.mark.parametrize(
    "clocks",
    [
        Clocks(),
        Clocks(turn=1.0, match=60.0),
        Clocks(0.05, plies=9),
        Clocks(match=0.1 + 0.2),
        Clocks(off=True),
        Clocks(plies=9, off=True),
    ],
)
def test_clocks_are_read_as_they_are_written(clocks: Clocks) -> None:
    text = write_clocks(clocks)
    assert (read_clocks(text) if text else Clocks()) == clocks


def test_clocks_have_names() -> None:
    assert read_clocks("turn=1, match = 60") == Clocks(turn=1.0, match=60.0)
    assert write_clocks(Clocks(turn=1.0, plies=9)) == "turn=1,plies=9"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "turnn=1",
            "no clock 'turnn'; did you mean 'turn'?"
            " (there are decision, turn, match, plies, none, as in turn=5)",
        ),
        ("", "no clock ''"),
        ("5", "no clock '5'"),
        ("turn", "clock 'turn': expected turn=NUMBER"),
        ("turn=", "clock turn '': expected seconds above 0, at most 86400"),
        ("turn=0", "expected seconds above 0"),
        ("turn=-1", "expected seconds above 0"),
        ("turn=nan", "expected seconds above 0"),
        ("turn=inf", "expected seconds above 0"),
        ("turn=1_0", "expected seconds above 0"),
        ("turn=1s", "clock turn '1s': expected seconds"),
        ("turn=1,turn=2", "clock turn is there twice"),
        ("none=1", "clock 'none=1': expected none alone"),
        ("none,turn=1", "clock 'none,turn=1': none and a limit of thinking"),
        ("plies=1.5", "clock plies: '1.5': expected a whole number"),
        ("plies=0", "expected a whole number from 1"),
    ],
)
def test_clocks_that_cannot_be_read_are_refused(text: str, wanted: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_clocks(text)
    assert wanted in str(refused.value)
