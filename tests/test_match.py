"""Matches end as data, series are fair and repeatable."""

import copy
import json
import math
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ludex.agents import AGENTS, Random, frugal, make_agent
from ludex.choice import Choice
from ludex.cli import cli
from ludex.match import BY_RULES, CRASHED, ILLEGAL, TRUNCATED, Match, play_match
from ludex.play import states
from ludex.rules import OVER, initial, turn
from ludex.series import Job, job_size, jobs_of, play_job, play_series, score
from ludex.stats import elo, wilson
from tests.lines import variant


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="ludex")


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
    assert (match.ending, match.seat, match.returns) == (ILLEGAL, 1, (1.0, -1.0))
    assert match.words == "action 7 is not legal"


@pytest.mark.parametrize("action", [-1, None, 1.0, "take 1", 99, 1 << 70])
@pytest.mark.parametrize("game", ["nuts", "droids"])
def test_what_is_no_action_at_all_loses_too(game: str, action: Any) -> None:
    rules = variant(game)
    match = play_match(rules, initial(rules), [Always(action), Random()], seed=0)
    assert (match.ending, match.seat) == (ILLEGAL, 0)
    assert match.words == f"action {action!r} is not legal"


def test_a_crash_loses_and_is_told() -> None:
    rules = variant("droids")
    match = play_match(rules, initial(rules), [Broken(), Random()], seed=0)
    assert (match.ending, match.seat, match.returns) == (CRASHED, 0, (-1.0, 1.0))
    assert match.words == "RuntimeError: no idea"


def test_a_match_that_is_too_long_is_a_draw() -> None:
    rules = variant("trap")
    match = play_match(rules, initial(rules), [Random(), Random()], seed=0, plies=9)
    assert (match.ending, match.returns, len(match.moves)) == (TRUNCATED, (0.0, 0.0), 9)


def test_the_same_seed_plays_the_same_match() -> None:
    rules = variant("aeroplane")
    one, two, other = (
        play_match(rules, initial(rules), [Random(), Random()], seed).moves for seed in (1, 1, 2)
    )
    assert one == two != other


def test_swapped_seats_share_their_luck() -> None:
    job = Job("aeroplane", (("planes", "1"),), ("greedy", "greedy"), (0, 1, 2), 5)
    (first_seat, first), (second_seat, second), (_, third) = play_job(job)
    assert (first_seat, second_seat) == (0, 1)
    assert first.moves == second.moves != third.moves


def test_agents_swap_their_seats() -> None:
    # Only the first knows how to win, and it wins wherever it sits.
    job = Job("nuts", (("nuts", "11"),), ("minimax:depth=11", "random"), tuple(range(6)), 5)
    played = play_job(job)
    assert [seat for seat, _ in played] == [0, 1, 0, 1, 0, 1]
    assert all(match.returns[seat] == 1.0 for seat, match in played)
    assert score(played, 2).wins == 6


def moves_of(played: list[tuple[int, Match]]) -> list[tuple[int, tuple[int, ...]]]:
    return [(seat, match.moves) for seat, match in played]


def test_two_seeds_share_no_match() -> None:
    series = [
        play_job(Job("aeroplane", (("planes", "1"),), ("random", "random"), tuple(range(6)), seed))
        for seed in (1, 2)
    ]
    one, two = ({match.moves for _, match in played} for played in series)
    assert len(one) == len(two) == 3  # each is played twice, with swapped seats
    assert not one & two


@dataclass
class Counting:
    """Chooses by how often it was asked."""

    asked: int = 0
    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        self.asked += 1
        return Choice(self.asked % 3)


def test_every_match_has_agents_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "counting", Counting)
    for size in (1, 3, 6):
        jobs = jobs_of("nuts", {}, ("counting", "counting"), 6, 4, size)
        played = moves_of(play_series(jobs, 1, lambda some: None))
        assert len({moves for _, moves in played}) == 1


def test_a_series_is_the_same_in_jobs_of_any_size_on_any_number_of_processes() -> None:
    told: list[int] = []

    def series(size: int, processes: int) -> list[tuple[int, tuple[int, ...]]]:
        agents = ("mcts:sims=20,keep=yes", "alphabeta:depth=2")
        jobs = jobs_of("nuts", {}, agents, 10, 4, size)
        return moves_of(play_series(jobs, processes, told.append))

    whole = series(10, 1)
    assert whole == series(1, 1) == series(3, 2)
    assert len(whole) == 10 and sum(told) == 30


@pytest.mark.parametrize(
    ("matches", "processes", "wanted"),
    [(8, 2, 1), (100, 2, 8), (100, 16, 1), (1, 2, 1), (10_000, 1, 8)],
)
def test_a_job_is_small_enough_for_every_process_to_have_some(
    matches: int, processes: int, wanted: int
) -> None:
    assert job_size(matches, processes) == wanted


# What plays in other processes. -------------------------------------------------------------------

INTERRUPTED = """
from ludex.series import Job, play_series
quick = Job("nuts", (), ("random", "random"), (0,), 1)
endless = Job("nuts", (("nuts", "100"),), ("minimax:depth=100", "random"), (0,), 1)
try:
    if __name__ == "__main__":
        play_series([quick, *[endless] * 4], 2, lambda some: print("playing", flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupted_series_leaves_at_once_and_leaves_nothing_behind(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    run = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    try:
        assert run.stdout is not None and run.stdout.readline() == "playing\n"
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        out, error = run.communicate(timeout=20)  # ends when all that could write have ended
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    assert (out, error, run.returncode) == ("interrupted\n", "", 0)


FAILING = """
import os
from typing import NamedTuple
from ludex.rules import OVER

ACTIONS = 2

class FailingRules(NamedTuple):
    none: int = 0

class Failing(NamedTuple):
    left: int

def initial(rules):
    return Failing(2)

def turn(rules, state):
    return 0 if state.left > 0 else OVER

def moves(rules, state, seat):
    return 3

def apply(rules, state, move):
    return Failing(state.left - 1)

def returns(rules, state, seat):
    {fails}
"""


@pytest.mark.parametrize(
    ("fails", "wanted"),
    [
        ("return 1 // (state.left * seat)", " failed with ZeroDivisionError: "),
        ("os._exit(1)", "a process that played matches has ended without a word"),
    ],
)
def test_what_fails_in_another_process_is_told_in_one_line(
    fails: str, wanted: str, tmp_path: Path
) -> None:
    file = tmp_path / "failing.py"
    file.write_text(FAILING.format(fails=fails))
    result = run("match", str(file), "random", "random", "--matches", "4", "--processes", "2")
    assert result.exit_code == 2
    assert wanted in result.stderr and result.stderr.count("\n") == 1


def test_a_score_counts_for_the_first_agent() -> None:
    def match(*worth: float) -> Match:
        return Match(worth, BY_RULES, -1, "", (), (2.0, 1.0), (1, 1))

    won = score([(0, match(1.0, -1.0)), (1, match(1.0, -1.0)), (0, match(0.0, 0.0))], 2)
    assert (won.wins, won.draws, won.losses, won.share) == (1, 1, 1, 0.5)
    assert won.seconds == pytest.approx((5 / 3, 4 / 3))
    assert won.endings == {BY_RULES: 3}


def test_better_agents_win_more() -> None:
    rules = variant("nuts")
    agents = [make_agent("alphabeta:depth=12", rules), Random()]
    wins = sum(play_match(rules, initial(rules), agents, seed).returns[0] > 0 for seed in range(20))
    assert wins >= 17


def test_wilson_intervals_are_those_of_the_books() -> None:
    # Wilson's interval for 81 of 263, as computed in Newcombe's paper of 1998.
    low, high = wilson(81 / 263, 263)
    assert (low, high) == pytest.approx((0.2553, 0.3662), abs=5e-5)
    assert wilson(0.0, 10)[0] == 0.0
    assert all(wilson(1.0, trials)[1] == 1.0 for trials in range(1, 50))
    assert wilson(0.5, 0) == (0.0, 1.0)


def test_elo_is_a_matter_of_shares() -> None:
    assert elo(0.5) == 0.0
    assert elo(10 / 11) == pytest.approx(400.0)
    assert elo(0.0) == -math.inf and elo(1.0) == math.inf


def test_elo_is_for_two_and_three_have_another_even_share() -> None:
    many = ("--rule", "seats=3", "--rule", "planes=1", "--matches", "3", "--processes", "1")
    three = run("match", "aeroplane", *["random"] * 3, *many)
    assert "33.3 % would be even" in three.stdout and "Elo" not in three.stdout
    told = json.loads(run("match", "aeroplane", *["random"] * 3, *many, "--json").stdout)
    assert told["elo"] is None
    two = run("match", "nuts", "random", "random", "--matches", "2", "--processes", "1").stdout
    assert "Elo" in two and "would be even" not in two


@dataclass
class Slow:
    """Takes long the first time, as if it had to compile, and is then quick."""

    asked = 0
    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        Slow.asked += 1
        time.sleep(0.5 if Slow.asked == 1 else 0.0)
        return Choice(0)


def test_the_first_time_is_no_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "slow", Slow)
    (_, match), *_ = play_job(Job("nuts", (), ("slow", "slow"), (0,), 1))
    assert sum(match.seconds) < 0.4
    monkeypatch.setattr(Slow, "asked", 0)
    assert json.loads(run("best", "nuts", "--agent", "slow", "--json").stdout)["seconds"] < 0.4


@pytest.mark.parametrize(
    "text", ["alphabeta:seconds=3000", "mcts:seconds=3000", "minimax:depth=99"]
)
def test_warming_up_takes_no_time_and_leaves_the_agent_alone(text: str) -> None:
    rules = variant("nuts", nuts=100)
    agent = make_agent(text, rules)
    before = copy.deepcopy(agent)
    frugal(agent).consider(rules, initial(rules), 0, np.random.default_rng(0))
    assert repr(agent) == repr(before)


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


def test_best_prints_what_the_contract_says() -> None:
    arguments = ("best", "nuts", "--agent", "alphabeta:depth=20", "--position", "8 1", "--json")
    told = json.loads(run(*arguments).stdout)
    assert told["move"] == "take 3"
    assert told["value"] == -1.0  # to seat 0, and seat 1 wins
    assert told["line"][0] == "take 3"
    assert {"nodes", "seconds"} <= set(told)
    mine = json.loads(run(*arguments, "--seat", "1").stdout)
    assert mine["value"] == 1.0
    shown = run("best", "nuts", "--agent", "minimax:depth=4").stdout
    assert "nodes to depth 4" in shown


def test_best_says_to_whom_the_value_is_worth_and_puts_the_choice_first() -> None:
    arguments = ("best", "nuts", "--agent", "minimax:depth=9", "--position", "8 1")
    lines = run(*arguments).stdout.splitlines()
    assert lines[0] == "Player 2: take 3  worth -1.0000 to Player 1"
    assert lines[3].split() == ["take", "3", "-1.0000"]
    mine = run(*arguments, "--seat", "1").stdout.splitlines()
    assert mine[0] == "Player 2: take 3  worth +1.0000 to Player 2"
    assert mine[3].split() == ["take", "3", "+1.0000"]


def test_best_shows_the_shares_of_a_mixture_beside_the_values() -> None:
    shown = run("best", "nuts", "--agent", "minimax:depth=9", "--position", "5 0").stdout
    assert shown.count("share 33.3 %") == 3
    certain = run("best", "nuts", "--agent", "minimax:depth=9", "--position", "8 0").stdout
    assert "take 3" in certain and "share" not in certain


def test_with_three_seats_best_knows_the_value_to_the_chooser_alone() -> None:
    given = ("--rule", "seats=3", "--rule", "planes=1", "--position", "R:h B:h Y:h 6 1")
    arguments = ("best", "aeroplane", *given, "--agent", "maxn:depth=1")
    told = json.loads(run(*arguments, "--json").stdout)
    assert told["value"] is None and told["values"] == {}
    mine = json.loads(run(*arguments, "--seat", "1", "--json").stdout)
    assert mine["value"] is not None and mine["value"] == max(mine["values"].values())
    assert json.loads(run(*arguments, "--seat", "2", "--json").stdout)["value"] is None
    shown = run(*arguments).stdout.splitlines()[0]
    assert shown.endswith(f"worth {mine['value']:+.4f} to {shown.partition(':')[0]}")
    refused = run(*arguments, "--seat", "3")
    assert refused.exit_code == 2 and "--seat 3: expected 0 to 2" in refused.stderr


def test_labels_are_shown_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "signs.py"
    signs = 'def label(rules, state, move):\n    return f"[b]{move}"\n'
    file.write_text(Path("examples/pig.py").read_text() + "\n\n" + signs)
    assert "[b]" in run("best", str(file), "--agent", "random").stdout.splitlines()[0]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["match", "nuts", "random"], "1 agents for 2 seats"),
        (["match", "nuts", "random", "frog"], "no agent 'frog'"),
        (["match", "nuts", "random", "random", "--matches", "0"], "is not in the range"),
        (["best", "nuts", "--agent", "human"], "a human plays only at the console"),
    ],
)
def test_bad_input_is_refused(arguments: list[str], wanted: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert wanted in result.stderr and result.stderr.count("\n") == 1
