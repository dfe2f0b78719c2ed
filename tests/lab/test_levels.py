"""Balance at each level of skill: no mean hides a level, and words promise no more than 95 %."""

import math
from itertools import pairwise
from typing import Any

import pytest

from ludex.lab.balance.fairness import Fairness, fairness_text
from ludex.lab.balance.levels import (
    Levels,
    balance_text,
    level_table,
    level_verdict,
    make_levels,
    sweep_text,
    worst_level,
)
from ludex.lab.balance.proposals import Proposal, cost, limits_text, outcome_text
from ludex.lab.experiment_file import make_experiment
from ludex.lab.kinds import balance
from ludex.lab.report.blocks import Paragraph, Plot, ReportTable
from ludex.lab.spec.task import Answer, Task, task_facts
from tests.experiments import shares

pytestmark = pytest.mark.plain

SEATS = ("Ann", "Bob")
NAMES = ["random", "easy", "medium", "hard"]
ORDER: dict[str, Any] = {
    "kind": "balance",
    "game": "nuts",
    "levels": ["random", "minimax:depth=3"],
    "matches": 40,
}


def levels(*wins: int, matches: int = 100) -> Levels:
    """Return levels at which the first seat has won so many matches."""
    return make_levels(NAMES[: len(wins)], shares(*wins, matches=matches))


def fair(*wins: int, matches: int = 100) -> Fairness:
    """Return such levels with a better player who wins."""
    [surely] = shares(90)
    return Fairness(levels(*wins, matches=matches), surely, surely)


def answer(task: Task) -> Answer:
    """Return matches in which the first seat wins between weak players, the second otherwise.

    Between unequal ones the better wins.
    """
    told = task_facts(task)
    first, second = (ORDER["levels"].index(one) for one in told["agents"])
    won = first > second or first == second == 0
    number = range(told["first"], told["first"] + told["matches"])
    return {
        "returns": [[1.0, -1.0] if won else [-1.0, 1.0] for _ in number],
        "lines": [f"{first} {second} {one}" for one in number],
        "starts": [str(one) for one in number],
        "seconds": [0.0, 0.0],
        "decisions": [1, 1],
    }


def test_levels_that_cancel_out_in_a_report_are_not_balanced() -> None:
    experiment = make_experiment("trial", ORDER)
    truth = experiment.task("truth")
    known: dict[Task, Answer] = {truth: {"value": -1.0, "how": "proof"}}
    known |= {task: answer(task) for task in balance.tasks(experiment, {}) if task != truth}
    blocks = balance.blocks(experiment, known)
    said = " ".join(block.text for block in blocks if isinstance(block, Paragraph))
    assert "Not balanced: at level random, the worst one, Player 1 is favoured" in said
    assert "Player 2 is favoured at level minimax:depth=3, 0 % (0 to 13)." in said
    assert "Under perfect play: Player 2 wins." in said
    assert "equals" in [block.name for block in blocks if isinstance(block, Plot)]
    figures, by_level, _ = (block for block in blocks if isinstance(block, ReportTable))
    assert figures.facts[0]["share"] == 0.5  # all levels together hide it
    assert [one.get("verdict") for one in by_level.facts] == ["first", "second", None]


def test_levels_that_cancel_out_are_named_with_their_sides() -> None:
    said = balance_text(levels(28, 25, 83, 64), SEATS)
    assert said.startswith(
        "Not balanced: at level medium, the worst one, Ann is favoured; Ann wins 83 %"
    )
    assert "Ann is also favoured at level hard, 64 %" in said
    assert "Bob is favoured at these levels: easy, 25 % (15 to 38); random, 28 %" in said


@pytest.mark.parametrize(
    ("wins", "verdict"),
    [
        ((50, 50, 50, 50), "balanced"),
        ((50, 50, 50, 70), "unbalanced"),
        ((30, 50, 50, 50), "unbalanced"),
        ((50, 50, 60, 50), "unknown"),
        ((28, 25, 83, 64), "unbalanced"),
    ],
)
def test_the_worst_level_decides(wins: tuple[int, ...], verdict: str) -> None:
    assert level_verdict(levels(*wins)) == verdict
    furthest = max(wins, key=lambda number: abs(number - 50))
    assert worst_level(levels(*wins)).result.wins == furthest


def test_an_even_set_is_balanced_within_bounds_that_are_said() -> None:
    said = fairness_text(fair(50, 49, 51, 52), SEATS)
    assert said.startswith("Balanced at every level of skill: with 95 % certainty Ann wins between")
    assert "The furthest from even is level hard, where Ann wins 52 %" in said
    low, high = levels(49, 49, 49, 49)[0].interval[0], levels(52, 52, 52, 52)[0].interval[1]
    assert f"between {round(100 * low)} and {round(100 * high)} % at each" in said
    assert said.endswith("The better player wins more often than not from either side.")


def test_too_few_matches_decide_nothing() -> None:
    few = levels(5, 5, 6, 4, matches=10)
    assert level_verdict(few) == "unknown"
    said = "There are too few matches to tell at these levels: medium, 60 %"
    assert balance_text(few, SEATS).startswith(said)
    assert "Balanced" not in balance_text(few, SEATS)


def test_a_level_that_nobody_has_seen_differently_is_not_called_the_worst_of_those_judged() -> None:
    [once] = shares(1, matches=1)
    mixed = make_levels(["random", "easy"], [once, *shares(70)])
    assert balance_text(mixed, SEATS).startswith("Not balanced: at level easy Ann is favoured")


@pytest.mark.unmeasured
@pytest.mark.parametrize("number", [1, 2, 4, 8])
@pytest.mark.parametrize("matches", [40, 81, 160])
def test_fair_levels_are_seldom_called_unbalanced_however_many_there_are(
    number: int, matches: int
) -> None:
    """The chance that some level is, though all are even, computed exactly."""
    wrong = sum(
        math.comb(matches, wins) / 2**matches
        for wins in range(matches + 1)
        if make_levels([""] * number, shares(*[wins] * number, matches=matches))[0].favoured
        is not None
    )
    assert 1 - (1 - wrong) ** number <= 0.05


def test_the_more_levels_the_wider_are_their_intervals() -> None:
    [count] = shares(60)
    intervals = [count.interval, count.joint_interval(1), count.joint_interval(4)]
    for (low, high), (lower, higher) in pairwise(intervals):
        assert lower < low and high < higher


def test_perfect_play_is_a_level_of_its_own_that_is_exact() -> None:
    table = level_table(levels(50, 50), SEATS, value=-1.0)
    assert table.rows[-1] == ("perfect play", "0 % (exact)", "", "", "Bob is favoured")
    assert len(level_table(levels(50, 50), SEATS).rows) == 2


def test_a_search_is_led_by_the_worst_level() -> None:
    cancelling, mild = fair(20, 80), fair(55, 56)
    assert abs(cancelling.equal.share - 0.5) < abs(mild.equal.share - 0.5)
    assert cost(mild, 0.0) < cost(cancelling, 0.0)
    assert cost(fair(50, 80), 0.0) == pytest.approx(2 * 0.3 + 0.1)


def test_a_change_is_confirmed_only_if_every_level_is_even() -> None:
    def proposal(*wins: int, matches: int = 100) -> Proposal:
        return Proposal({"nuts": "18"}, fair(*wins, matches=matches), 0.1)

    assert proposal(50, 50).confirmed
    assert not proposal(20, 80).confirmed and not proposal(50, 70).confirmed
    few, enough = proposal(10, 10, matches=20), proposal(50, 50)
    assert not few.confirmed
    assert "none is confirmed" in outcome_text(few, [few], [])
    assert "1 change is less unfair" in outcome_text(few, [enough], [])
    said = limits_text(proposal(20, 80), [enough], SEATS)
    assert "as they are: Ann wins 20 % (12 to 31) at level random; by proposal 1: 50 %" in said


def test_a_sweep_counts_what_is_balanced_at_every_level() -> None:
    several = [levels(50, 50), levels(20, 80), levels(30, 50), levels(5, 5, matches=10)]
    assert sweep_text(several, "values") == (
        "Of 4 values, each judged by itself: 1 balanced at every level of skill, 2 not balanced,"
        " 1 with too few matches to tell."
    )


def test_programs_read_what_they_read_before_and_the_levels() -> None:
    told = fair(20, 80).facts()
    assert told["equal"]["share"] == 0.5 and told["first"]["wins"] == told["second"]["wins"] == 90
    assert [one["level"] for one in told["levels"]] == ["random", "easy"]
    assert told["worst"] == "random" and told["verdict"] == "unbalanced"
