"""Clocks stop who thinks too long, and every move has its time."""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from ludex.agents import Random
from ludex.choice import Choice
from ludex.clocks import Clocks, read_clocks, write_clocks
from ludex.ending import BY_RULES, OUT_OF_TIME, TRUNCATED
from ludex.match import Match, play_match
from ludex.play import choices, choosers, states
from ludex.rules import initial
from tests.lines import variant


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
        self, rules: Any, state: Any, seat: int, rng: np.random.Generator, seconds: float
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
        assert (match.ending, match.seat, match.returns) == (OUT_OF_TIME, 0, (-1.0, 1.0))
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
    assert (match.ending, match.seat) == (OUT_OF_TIME, 0)
    assert match.words == "the decision clock of 0.01 s ran out"


@pytest.mark.parametrize(
    "clocks",
    [Clocks(), Clocks(turn=1.0, match=60.0), Clocks(0.05, plies=9), Clocks(match=0.1 + 0.2)],
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
            "no clock 'turnn'; did you mean 'turn'? (there are decision, turn, match, plies)",
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
        ("plies=1.5", "clock plies: '1.5': expected a whole number"),
        ("plies=0", "expected a whole number from 1"),
    ],
)
def test_clocks_that_cannot_be_read_are_refused(text: str, wanted: str) -> None:
    with pytest.raises(ValueError) as refused:
        read_clocks(text)
    assert wanted in str(refused.value)
