"""Matches end as data, not as exceptions."""

import inspect
import json
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from numba.core.errors import TypingError

import ludex
from ludex.agents.registry import Agent, Random, make_agent
from ludex.cli.event import effort
from ludex.core.choice import Choice
from ludex.core.play import states
from ludex.core.rules import OVER, initial, turn
from ludex.core.termination import BY_RULES, CRASHED, ILLEGAL, TRUNCATED
from ludex.core.time_control import Clocks
from ludex.match.runner import play_match
from ludex.match.session import Match
from ludex.search.minimax import Greedy
from tests.commands import run
from tests.lines import variant

pytestmark = pytest.mark.plain


@dataclass
class Always:
    """Chooses one action, whatever happens."""

    action: Any
    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        return Choice(self.action)


class Broken:
    """Cannot choose."""

    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        raise RuntimeError("no idea")


def last_line(function: Any) -> str:
    """Return where a function fails that fails in its last line."""
    lines, first = inspect.getsourcelines(function)
    return f" (line {first + len(lines) - 1} of {function.__name__})"


@pytest.mark.parametrize("game", ["nuts", "arena", "aeroplane", "trap", "droids"])
def test_a_match_ends_by_the_rules_and_its_moves_lead_there(game: str) -> None:
    rules = variant(game)
    match = play_match(rules, initial(rules), [Random(), Random()], seed=3)
    assert match.ending == BY_RULES
    *_, end = states(rules, initial(rules), list(match.moves))
    assert turn(rules, end) == OVER
    assert sum(match.returns) == 0.0


def test_an_illegal_action_loses() -> None:
    rules = variant("nuts")
    match = play_match(rules, initial(rules), [Always(0), Always(7)], seed=0)
    assert (match.ending, match.offender, match.returns) == (ILLEGAL, 1, (1.0, -1.0))
    assert match.words == "action 7 is not legal"


@pytest.mark.parametrize("action", [-1, None, 1.0, "take 1", 99, 1 << 70])
@pytest.mark.parametrize("game", ["nuts", "droids"])
def test_what_is_no_action_at_all_loses_too(game: str, action: Any) -> None:
    rules = variant(game)
    match = play_match(rules, initial(rules), [Always(action), Random()], seed=0)
    assert (match.ending, match.offender) == (ILLEGAL, 0)
    assert match.words == f"action {action!r} is not legal"


def test_a_crash_loses_and_is_told() -> None:
    rules = variant("droids")
    match = play_match(rules, initial(rules), [Broken(), Random()], seed=0)
    assert (match.ending, match.offender, match.returns) == (CRASHED, 0, (-1.0, 1.0))
    assert match.words == f"RuntimeError: no idea{last_line(Broken.consider)}"


def test_a_match_that_is_too_long_is_a_draw() -> None:
    rules = variant("trap")
    match = play_match(rules, initial(rules), [Random(), Random()], seed=0, clocks=Clocks(plies=9))
    assert (match.ending, match.returns, len(match.moves)) == (TRUNCATED, (0.0, 0.0), 9)


# Agents that come and go, and agents that fail in every way. --------------------------------------


class Living(Always):
    """Keeps what it is told, and fails at some of it."""

    def __init__(self, fails: str = "") -> None:
        super().__init__(0)
        self.fails, self.told = fails, list[Any]()

    def hear(self, name: str, *facts: Any) -> None:
        self.told.append((name, *facts))
        if name == self.fails:
            raise RuntimeError(name)

    def begin_match(self, rules: Any, seat: int, rng: Any, clocks: Clocks) -> None:
        self.hear("begin", seat, clocks.turn)

    def end_match(self, rules: Any, state: Any, ending: str, worth: tuple[float, ...]) -> None:
        self.hear("end", ending, worth)

    def close(self) -> None:
        self.hear("close")


def living(first: Living, second: Living) -> Match:
    rules = variant("nuts")
    return play_match(rules, initial(rules), [first, second], 0, clocks=Clocks(turn=9.0))


def test_agents_are_told_of_the_beginning_and_the_end() -> None:
    first, second = Living(), Living()
    assert living(first, second).words == ""
    end = [("end", BY_RULES, (-1.0, 1.0)), ("close",)]
    assert first.told == [("begin", 0, 9.0), *end]
    assert second.told == [("begin", 1, 9.0), *end]


def test_who_fails_to_begin_has_crashed_and_everybody_is_closed() -> None:
    first, second = Living(), Living("begin")
    match = living(first, second)
    words = f"RuntimeError: begin{last_line(Living.hear)}"
    assert (match.ending, match.offender, match.words) == (CRASHED, 1, words)
    assert first.told[-1] == second.told[-1] == ("close",)


@pytest.mark.parametrize("fails", ["end", "close"])
def test_who_fails_after_the_end_changes_nothing_but_is_told(fails: str) -> None:
    first, second = Living(fails), Living()
    match = living(first, second)
    assert (match.ending, match.offender, match.returns) == (BY_RULES, -1, (-1.0, 1.0))
    where = last_line(Living.hear)
    assert match.words == f"seat 0 after the end: RuntimeError: {fails}{where}"
    assert first.told[-1] == second.told[-1] == ("close",)


def test_a_game_that_cannot_say_who_has_won_leaves_no_agent_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(*given: Any) -> float:
        raise ZeroDivisionError

    monkeypatch.setattr("ludex.core.rules.returns", fail)
    first, second = Living(), Living()
    assert "ZeroDivisionError" in living(first, second).words
    assert first.told[-1] == second.told[-1] == ("close",)


class Unspeakable(Exception):
    """An error that has no words."""

    def __str__(self) -> str:
        raise RuntimeError


@dataclass
class Raising:
    """Raises what it is given."""

    error: BaseException
    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        raise self.error


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (SystemExit(3), "SystemExit: 3"),
        (KeyboardInterrupt(), "KeyboardInterrupt:"),
        (GeneratorExit(), "GeneratorExit:"),
        (MemoryError("a\nb"), "MemoryError: a b"),
        (ValueError("\x1b[31mred\x07"), "ValueError: \ufffd[31mred\ufffd"),
        (Unspeakable(), "Unspeakable: <RuntimeError>"),
        (ValueError("x" * 9999), "ValueError: " + "x" * 287 + "…"),
    ],
)
def test_whatever_an_agent_raises_is_a_crash(error: BaseException, words: str) -> None:
    rules = variant("nuts")
    match = play_match(rules, initial(rules), [Raising(error), Random()], 0)
    words += last_line(Raising.consider)
    assert (match.ending, match.offender, match.words) == (CRASHED, 0, words)


class Interrupted(Living):
    """Is thinking when somebody presses Ctrl-C."""

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        signal.raise_signal(signal.SIGINT)
        return Choice(0)


def test_somebody_who_presses_the_key_is_heard_and_everybody_is_closed() -> None:
    before = signal.getsignal(signal.SIGINT)
    first, second = Interrupted(), Living()
    with pytest.raises(KeyboardInterrupt):
        living(first, second)
    end = [("end", TRUNCATED, (0.0, 0.0)), ("close",)]
    assert first.told[1:] == second.told[1:] == end
    assert signal.getsignal(signal.SIGINT) is before


def test_a_match_in_another_thread_leaves_signals_alone() -> None:
    rules = variant("nuts")
    agents: list[Agent] = [Raising(KeyboardInterrupt()), Random()]
    with ThreadPoolExecutor(1) as pool:
        match = pool.submit(play_match, rules, initial(rules), agents, 0).result()
    assert match.ending == CRASHED


def test_an_answer_without_words_is_illegal_all_the_same() -> None:
    rules = variant("nuts")
    match = play_match(rules, initial(rules), [Always(10**5000), Random()], 0)
    assert (match.ending, match.words) == (ILLEGAL, "action <int: ValueError> is not legal")


# Series. ------------------------------------------------------------------------------------------


def test_the_same_seed_plays_the_same_match() -> None:
    rules = variant("aeroplane")
    one, two, other = (
        play_match(rules, initial(rules), [Random(), Random()], seed).moves for seed in (1, 1, 2)
    )
    assert one == two != other


@pytest.mark.unmeasured
def test_better_agents_win_more() -> None:
    rules = variant("nuts")
    agents = [make_agent("alphabeta:depth=12", rules), Random()]
    wins = sum(play_match(rules, initial(rules), agents, seed).returns[0] > 0 for seed in range(20))
    assert wins >= 17


def test_match_prints_what_the_contract_says() -> None:
    result = run("match", "nuts", "random", "random", "--matches", "6", "--seed", "1", "--json")
    told = json.loads(result.stdout)
    assert told["matches"] == told["wins"] + told["draws"] + told["losses"] == 6
    low, high = told["interval"]
    assert 0 <= low <= high <= 1
    assert told["endings"] == {"BY_RULES": 6}
    assert {"elo", "seconds"} <= set(told)
    shown = run("match", "nuts", "random", "random", "--matches", "6", "--seed", "1").stdout
    assert f"random: {told['wins']} won, 0 drawn, {told['losses']} lost" in shown
    assert "\n6 matches, all played before; seed 1; event " in shown


def test_matches_that_were_played_before_are_told_from_new_ones() -> None:
    assert effort(1, 0, 0.61) == "1 match in 0.6 s"
    assert effort(10, 4, 0.61) == "10 matches, 4 of them played before, in 0.6 s"
    assert effort(1, 1, 0.01) == "1 match, all played before"


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["match", "nuts", "random"], "1 agent for 2 seats"),
        (["match", "nuts", "random", "frog"], "no agent 'frog'"),
        (["match", "examples/pig.py", "random", "best"], "pig has no level 'best' (there are "),
        (["ladder", "examples/pig.py"], "pig has no levels: name agents to rate"),
        (["match", "nuts", "random", "random", "--matches", "0"], "is not in the range"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], wanted: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert wanted in result.stderr and result.stderr.count("\n") == 1


UNTYPED = "Untyped global name 'helper': Cannot determine Numba type of <class 'function'>"


def test_a_game_that_does_not_compile_is_not_the_fault_of_a_built_in_agent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Greedy, "consider", Mock(side_effect=TypingError(UNTYPED)))
    with pytest.raises(ValueError) as caught:
        ludex.play("nuts", "greedy", "random", matches=2, processes=1)
    wanted = "helper is called by a compiled function, so it needs @shared above it"
    assert str(caught.value) == f"the game does not compile: {wanted}"


def test_an_agent_whose_own_code_does_not_compile_forfeits() -> None:
    def choose(match: ludex.Match) -> int:
        raise TypingError(UNTYPED)

    series = ludex.play("nuts", choose, "random", matches=2)
    assert (series.losses, series.endings) == (2, {CRASHED: 2})
