"""What a learner plays is compared with exact values, in decisions that are the same for all."""

import csv
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.agents.registry import make_agent
from ludex.agents.training import make_training
from ludex.analysis.decision_sample import DECISIONS, known_decisions, sample_decisions
from ludex.core.rules import Rules
from ludex.learn import evaluation
from ludex.learn.accuracy import SLIGHT, Accuracy, DecisionSample
from ludex.learn.table import memory_from
from ludex.learn.training import Training
from ludex.solve import solving
from ludex.solve.solution import Solution
from tests.commands import facts, refused, run
from tests.lines import variant
from tests.solved import TICTACTOE, outside, solution, verdict

THREE = """
from typing import NamedTuple
from ludex.core.rules import OVER

ACTIONS = 2

class PickRules(NamedTuple):
    pass

class Pick(NamedTuple):
    picks: int

def initial(rules):
    return Pick(0)

def seats(rules):
    return 3

def turn(rules, state):
    return state.picks if state.picks < 3 else OVER

def moves(rules, state, seat):
    return 3

def apply(rules, state, move):
    return Pick(state.picks + 1 + move)

def returns(rules, state, seat):
    return 1.0 if state.picks - 3 == seat else -0.5
"""

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]

KUHN = "examples/kuhn.py"


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure with few matches."""
    monkeypatch.setattr(evaluation, "QUICK", 4)


def solved(game: str, **texts: Any) -> tuple[Rules, Solution, DecisionSample]:
    """Return rules, their solution, and the sample of decisions."""
    rules, found = solution(game, **texts)
    sample = sample_decisions(rules, found)
    assert sample is not None
    return rules, found, sample


def with_values(sample: DecisionSample, rules: Rules, values: np.ndarray) -> Training:
    """Return a training whose Q-table has a row of values for each decision."""
    training = make_training(rules, "qtable", None, 1)
    keys, first = np.unique(sample.keys, return_index=True)
    rows = values[first, np.newaxis].astype(np.float32)
    training.memory = memory_from(keys, rows, np.zeros(rows.shape[::2], np.int32))
    training.sample = sample
    return training


@pytest.mark.parametrize(("game", "texts"), [("nuts", {"nuts": 10}), (TICTACTOE, {})])
def test_a_table_of_exact_values_makes_best_moves_and_loses_nothing(
    game: str, texts: dict[str, Any]
) -> None:
    rules, _, sample = solved(game, **texts)
    training = with_values(sample, rules, sample.payoffs[:, :, 0])
    assert training.accuracy(training.memory) == Accuracy(1.0, 0.0)


def test_the_worst_moves_of_nuts_lose_what_is_counted_by_hand() -> None:
    rules, _, sample = solved("nuts", nuts=10)
    # Who leaves 1, 5 or 9 nuts wins. One move of three does it, but for who finds so many.
    won = np.array([state.left % 4 != 1 for state, _ in sample.decisions])
    assert 0 < won.sum() < len(won) == DECISIONS
    training = with_values(sample, rules, -sample.payoffs[:, :, 0])
    found = training.accuracy(training.memory)
    assert found == pytest.approx((1.0 - won.mean(), 2.0 * won.mean()))
    training = make_training(rules, "hats", None, 1)  # draws one of three balls
    training.sample = sample
    found = training.accuracy(training.memory)
    assert found == pytest.approx((1.0 - won.mean() * 2 / 3, won.mean() * 4 / 3))


@pytest.mark.parametrize(
    ("share", "loss", "best"), [(0.5, 0.0, 1.0), (0.504, 0.008, 1.0), (0.6, 0.2, 0.0), (1, 1, 0)]
)
def test_a_mixture_is_worth_what_it_guarantees(share: float, loss: float, best: float) -> None:
    pennies = np.array([[[1.0, -1.0], [-1.0, 1.0]]])
    always = np.ones((1, 2), np.bool_)
    sample = DecisionSample(
        [((0,), 0)], np.zeros(1, np.int64), always, np.zeros(1), pennies, np.ones(1, np.bool_)
    )
    assert sample.accuracy(np.array([[share, 1.0 - share]])) == pytest.approx((best, loss))


def test_the_mixtures_of_the_solution_lose_nothing_where_both_choose_at_once() -> None:
    rules, found, sample = solved("droids", rounds=4, shots=1)
    policies = np.zeros(sample.legal.shape)
    for row, (state, seat) in enumerate(sample.decisions):
        for action, probability in verdict(found, rules, state, seat).policy.items():
            policies[row, action] = probability
    accuracy = sample.accuracy(policies)
    assert sample.at_once.all() and {seat for _, seat in sample.decisions} == {0, 1}
    assert accuracy.best == 1.0 and accuracy.loss < 1e-6 < SLIGHT


@pytest.mark.parametrize(
    ("learner", "agent"),
    [("hats", "hats:file={}"), ("qtable", "qtable:file={}"), ("cfr", "cfr:file={}")],
)
def test_a_table_is_measured_by_what_its_agent_plays(
    learner: str, agent: str, tmp_path: Path
) -> None:
    rules, _, sample = solved(TICTACTOE)
    training = make_training(rules, learner, None, 1)
    training.train_more(30)
    training.save(tmp_path / "t.npz")
    trained, rng = make_agent(agent.format(tmp_path / "t.npz"), rules), np.random.default_rng(0)
    policies = np.zeros(sample.legal.shape)
    for row, (state, seat) in enumerate(sample.decisions):
        for action, probability in trained.consider(rules, state, seat, rng).mixture.items():
            policies[row, action] = probability
    training.sample = sample
    assert training.accuracy(training.memory) == pytest.approx(sample.accuracy(policies))


def test_an_estimate_is_measured_by_its_best_moves_one_decision_ahead(tmp_path: Path) -> None:
    rules, _, sample = solved("trap", size=3)
    training = make_training(rules, "td", None, 1)
    training.train_more(3)
    training.save(tmp_path / "t.npz")
    agent = make_agent(f"greedy:estimate=learned:{tmp_path / 't.npz'}", rules)
    played = training.learner.policies(rules, training.memory, sample)
    for (state, seat), policy in zip(sample.decisions, played, strict=True):
        values = agent.consider(rules, state, seat, np.random.default_rng(0)).values
        assert policy.sum() == 1.0
        assert values[int(policy.argmax())] == pytest.approx(max(values.values()))


def test_a_network_is_measured_by_its_likeliest_moves_without_search() -> None:
    pytest.importorskip("jax")
    rules, _, sample = solved(TICTACTOE)
    training = make_training(rules, "net:width=4,blocks=0", None, 1)
    played = training.learner.policies(rules, training.memory, sample)
    assert played[sample.legal].sum() == len(played) == played.max(axis=1).sum()
    _, _, both = solved("droids", rounds=4, shots=1)
    training = make_training(variant("droids", rounds=4, shots=1), "net:width=4", None, 1)
    mixed = training.learner.policies(training.rules, training.memory, both)
    assert mixed.sum(axis=1) == pytest.approx(1.0) and ((mixed > 0.0) & (mixed < 1.0)).any()


def test_all_learners_meet_the_same_decisions() -> None:
    game = ludex.load("nuts", nuts=10)
    hats, table = (
        ludex.train(game, learner, matches=5, seed=seed, truth=True)
        for learner, seed in (("hats", 1), ("qtable", 2))
    )
    samples = [one.training.sample for one in (hats, table)]
    assert samples[0] and samples[1] and samples[0] is not samples[1]
    assert samples[0].decisions == samples[1].decisions
    assert len(samples[0].decisions) == DECISIONS
    # None of them has learned anything yet.
    assert hats.curve[0]["loss"] == pytest.approx(table.curve[0]["loss"])


def test_without_a_choice_there_is_no_truth_to_compare_with() -> None:
    rules = variant("nuts", nuts=10, most=1)
    assert known_decisions(rules) is None
    words = "--truth needs decisions: nobody ever chooses between two actions"
    assert words in refused(
        "train",
        "nuts",
        "hats",
        *"--rule nuts=10 --rule most=1".split(),
        *"--matches 5 --truth --out x.npz".split(),
    )


def test_there_are_no_known_decisions_without_a_solution_in_a_moment() -> None:
    for rules in (variant("trap"), variant(KUHN), outside("pick", THREE)):
        assert known_decisions(rules) is None


# The curve. --------------------------------------------------------------------------------------


def train(out: Path, *more: str, matches: int = 250) -> tuple[str, ...]:
    fixed = ("--rule", "nuts=10", "--seed", "4", "--matches", str(matches), "--out", str(out))
    return ("train", "nuts", "hats", *fixed, *more)


def rows_of(out: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(out.with_name(f"{out.name}.csv").read_text().splitlines()))


def test_the_curve_has_best_moves_and_loss_beside_the_points_if_wanted(tmp_path: Path) -> None:
    out = tmp_path / "h.npz"
    told = facts(*train(out, "--truth"))
    *usual, best, loss = rows_of(out)[0]
    assert usual == ["matches", "wins", "draws", "losses", "share", "low", "high"]
    assert (best, loss) == ("best_moves", "loss")
    last = rows_of(out)[-1]
    assert (last["best_moves"], last["loss"]) == (
        f"{told['best_moves']:.4f}",
        f"{told['loss']:.4f}",
    )
    assert float(rows_of(out)[0]["loss"]) > told["loss"] > 0.0
    assert run("inspect", str(out)).stdout.count(" % best moves, ") == 1
    plain = tmp_path / "plain.npz"
    told = facts(*train(plain))
    assert list(rows_of(plain)[0]) == usual and "loss" not in told
    assert " best moves" not in run("inspect", str(plain)).stdout


def test_a_result_shows_best_moves_and_loss() -> None:
    found = ludex.train(ludex.load("nuts", nuts=10), "hats", matches=150, seed=1, truth=True)
    assert [set(row) - {"matches", "share"} for row in found.curve] == [
        {"interval", "against", "best moves", "loss"}
    ] * 3
    assert repr(found).endswith(" lost per decision>") and " % best moves, " in repr(found)
    assert [line.get_label() for line in found.plot().axes[0].get_lines()] == [
        "share against random",
        "share of best moves",
        "loss per decision",
    ]


def test_a_training_that_is_resumed_goes_on_to_compare_with_the_truth(tmp_path: Path) -> None:
    whole, parts = tmp_path / "whole.npz", tmp_path / "parts.npz"
    run(*train(whole, "--truth"))
    run(*train(parts, "--truth", matches=130))
    assert json.loads(run(*train(parts, "--resume", "--json")).stdout)["loss"] > 0.0
    assert parts.read_bytes() == whole.read_bytes()
    assert rows_of(parts) == rows_of(whole)


def test_points_from_before_the_comparison_have_no_numbers(tmp_path: Path) -> None:
    out = tmp_path / "h.npz"
    run(*train(out, matches=150))
    run(*train(out, "--truth", "--resume"))
    assert [row["loss"] != "" for row in rows_of(out)] == [False, False, True, True]


@pytest.mark.parametrize(
    ("game", "learner", "reason"),
    [
        (TICTACTOE, "hats", "--truth needs the solution of the game: about "),
        (KUHN, "cfr", "--truth is for games in which everybody sees everything"),
        ("aeroplane", "hats", "exact values are for two seats, not 4"),
    ],
)
def test_a_game_that_cannot_be_solved_is_refused_before_the_training(
    game: str, learner: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solving, "free_gibibytes", lambda: 1e-6)
    rule = ["--rule", "seats=4"] if game == "aeroplane" else []
    line = [game, learner, "--matches", "9", "--truth", "--out", str(tmp_path / "t.npz"), *rule]
    assert reason in refused("train", *line)
    assert not list(tmp_path.iterdir())


def test_the_page_says_how_many_decisions_there_are_and_what_counts_as_best() -> None:
    page = (Path(__file__).parents[2] / "docs/learning.md").read_text(encoding="utf-8")
    assert f"averages over {DECISIONS} decisions that are the same for all learners" in page
    assert f"it counts as best if it loses at most {SLIGHT}." in page
