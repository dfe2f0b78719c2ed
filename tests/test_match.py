"""Matches end as data, series are fair and repeatable."""

import json
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ludex.agents import Random, make_agent
from ludex.cli import cli
from ludex.match import BY_RULES, CRASHED, ILLEGAL, TRUNCATED, Match, play_match
from ludex.play import states
from ludex.rules import OVER, initial, turn
from ludex.search.choice import Choice
from ludex.series import Job, jobs_of, play_job, play_series, score
from ludex.stats import elo, wilson
from tests.lines import variant


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="ludex")


@dataclass
class Always:
    """Chooses one action, whatever happens."""

    action: int

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        return Choice(self.action)


class Broken:
    """Cannot choose."""

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
    # Two agents that never choose differ by nothing, so the seat decides both matches alike.
    job = Job("aeroplane", (("planes", "1"),), ("greedy", "greedy"), (0, 1), 5)
    (first_seat, first), (second_seat, second) = play_job(job)
    assert (first_seat, second_seat) == (0, 1)
    assert [move for move in first.moves][:5] == [move for move in second.moves][:5]


def test_a_series_is_the_same_on_one_process_and_on_two() -> None:
    jobs = jobs_of("nuts", {}, ("random", "random"), 10, seed=4, size=3)
    told: list[int] = []
    alone = play_series(jobs, 1, told.append)
    together = play_series(jobs, 2, told.append)
    assert [(seat, match.moves) for seat, match in alone] == [
        (seat, match.moves) for seat, match in together
    ]
    assert sum(told) == 20


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
