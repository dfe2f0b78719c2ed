"""Balance: what is proven, where it flips, and words that promise no more than is so."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ludex.agents.registry import make_agent
from ludex.core.variants import read_rules
from ludex.games import game_rules
from ludex.games.arena import ArenaRules
from ludex.games.nuts import NutsRules
from ludex.lab.balance import fairness
from ludex.lab.balance.design import flips_along
from ludex.lab.balance.fairness import (
    HIDDEN_SEARCHER,
    ORDER_HINT,
    SEARCHER,
    WEAKEST,
    Fairness,
    default_levels,
    fairness_text,
)
from ludex.lab.balance.levels import make_levels
from ludex.lab.balance.proposals import best_changes
from ludex.lab.balance.sweeps import (
    BUDGET_NOTE,
    SCALE_NOTE,
    PerfectPlay,
    Sweep,
    current_value,
    include_current,
    read_sweep,
    reader_notes,
    values_text,
    winner_text,
)
from ludex.lab.experiment_file import make_experiment
from ludex.lab.kinds import rebalance, thresholds
from ludex.lab.page import html, report_blocks
from ludex.lab.report.blocks import File, Plot, ReportTable
from ludex.lab.report.plots import STYLE
from ludex.lab.run import perfect_play
from ludex.lab.runner import recall, run
from ludex.lab.spec.task import make_task, task_facts
from ludex.store.notebook import Notebook
from tests.experiments import outcome_of, won

pytestmark = pytest.mark.plain

EXAMPLES = Path(__file__).parents[2] / "examples"
SWEEP: dict[str, Any] = {
    "kind": "balance",
    "game": "nuts",
    "levels": ["random", "minimax:depth=3"],
    "matches": 0,
    "sweep": {"nuts": "10:28:6"},
}


def mover_wins(nuts: int, most: int = 3) -> bool:
    return nuts % (most + 1) != 1


def test_the_value_as_it_is_is_named_in_the_legend_where_it_covers_nothing(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STYLE, "svg.fonttype", "none")  # texts stay texts
    outcome = outcome_of(SWEEP | {"matches": 2, "sweep": {"nuts": "20:22"}}, notebook)
    (plot,) = (block for block in report_blocks(outcome) if isinstance(block, Plot))
    for svg in plot.drawing:
        assert svg.count(">as it is<") == 1
        assert svg.index(">as it is<") > svg.index("legend_1")


@pytest.mark.unmeasured
def test_every_proof_of_a_sweep_is_the_known_one(notebook: Notebook) -> None:
    outcome = outcome_of(SWEEP | {"sweep": {"nuts": "10:16", "most": "2:4"}}, notebook)
    for nuts in range(10, 17):
        for most in range(2, 5):
            task = make_task("truth", game="nuts", rules={"nuts": str(nuts), "most": str(most)})
            assert outcome.known[task]["value"] == (1.0 if mover_wins(nuts, most) else -1.0)
    assert "21 of 21 sets of rules are proven" in html(outcome, report_blocks(outcome))


def test_a_flip_is_found_between_neighbours(notebook: Notebook) -> None:
    outcome = outcome_of(SWEEP | {"sweep": {"nuts": "10:26:3"}}, notebook)
    found = flips_along(outcome.experiment, outcome.known)[0]
    assert found
    for _, flip in found:
        assert int(flip.after) == int(flip.before) + 1
        assert mover_wins(int(flip.before)) != mover_wins(int(flip.after))
        assert (flip.winner > 0) == mover_wins(int(flip.before))


def test_flips_of_single_rules_are_ranked_by_the_change_they_need(notebook: Notebook) -> None:
    told = {"kind": "flips", "game": "nuts", "sweeps": {"most": "1:5", "nuts": "21:31:10"}}
    outcome = outcome_of(told, notebook)
    table = next(block for block in report_blocks(outcome) if isinstance(block, ReportTable))
    assert list(dict.fromkeys(row[0] for row in table.rows)) == ["nuts", "most"]
    # From 3 down, `most` flips to the other winner at 2, and back at 1.
    assert [row[5] for row in table.rows] == ["5 %", "33 %", "", "67 %"]
    assert thresholds.smallest_change("21", []) == float("inf")


@pytest.mark.unmeasured
@pytest.mark.parametrize("kind", ["flips", "balance"])
def test_the_value_that_a_rule_has_is_always_tried(kind: str, notebook: Notebook) -> None:
    told = {"kind": "flips", "game": "nuts", "sweeps": {"nuts": "18:30:4"}}
    outcome = outcome_of(SWEEP | {"sweep": told["sweeps"]} if kind == "balance" else told, notebook)
    blocks = report_blocks(outcome)
    page = html(outcome, blocks)
    assert "18 to 30 in steps of 4, and 21" in page and "cancel each other within a step" in page
    tables = [block for block in blocks if isinstance(block, ReportTable) and block.facts]
    found = [(fact["before"], fact["after"]) for fact in tables[-1].facts]
    assert sorted(found) == [("20", "21"), ("21", "22")]


def test_where_no_winner_flips_the_page_says_what_was_tried(notebook: Notebook) -> None:
    outcome = outcome_of(SWEEP | {"sweep": {"nuts": "22:30:4"}}, notebook)
    page = html(outcome, report_blocks(outcome))
    assert "None between the values tried, as far as proven (nuts: 22 to 30 in steps of 4)." in page


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("18:30:4", "18 to 30 in steps of 4, and 21"),
        ("20:24", "20 to 24"),
        ("15:30:3", "15 to 30 in steps of 3"),
        ("18,20,30", "18, 20, 21, 30"),
        ("25:40:5", "25 to 40 in steps of 5"),
    ],
)
def test_what_was_tried_is_said(text: str, words: str) -> None:
    sweep = include_current(read_sweep("nuts", text, NutsRules()), NutsRules())
    assert values_text(sweep, "21") == words


@pytest.mark.unmeasured
def test_the_rules_as_they_are_have_a_cell_of_their_own(notebook: Notebook) -> None:
    outcome = outcome_of(SWEEP | {"sweep": {"nuts": "18:30:4", "most": "2:6:2"}}, notebook)
    table = next(block for block in report_blocks(outcome) if isinstance(block, ReportTable))
    assert [row[0] for row in table.rows] == ["2", "3", "4", "6"] and "21" in table.columns
    assert table.rows[1][table.columns.index("21")] == "2"
    assert "As it is, with nuts 21 and most 3: Player 2 wins." in html(
        outcome, report_blocks(outcome)
    )


def test_flips_are_looked_for_along_both_rules(notebook: Notebook) -> None:
    outcome = outcome_of(SWEEP | {"sweep": {"nuts": "10:12", "most": "2:8:3"}}, notebook)
    along_most = flips_along(outcome.experiment, outcome.known, 1)[0]
    assert along_most
    for nuts, flip in along_most:
        assert int(flip.after) == int(flip.before) + 1
        assert mover_wins(int(nuts), int(flip.before)) != mover_wins(int(nuts), int(flip.after))


def test_a_proof_that_takes_too_much_is_given_up(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(perfect_play, "NODES_MAX", 3)
    outcome = outcome_of(SWEEP | {"sweep": {}}, notebook)
    assert list(outcome.known.values()) == [{"value": None, "how": "stopped"}]
    assert "Not proven in time: a proof may visit" in html(outcome, report_blocks(outcome))
    outcome = outcome_of(SWEEP | {"sweep": {"nuts": "20:21"}}, notebook)
    assert "not proven in time" in html(outcome, report_blocks(outcome))


def test_a_game_without_levels_is_searched_and_a_proof_needs_nobody() -> None:
    rules = game_rules(str(EXAMPLES / "tictactoe.py"))
    assert default_levels(rules) == ["random", SEARCHER]
    told = {"kind": "balance", "game": str(EXAMPLES / "tictactoe.py")}
    assert make_experiment("trial", told).given["levels"] == ["random", SEARCHER]
    assert make_experiment("trial", told | {"matches": 0}).given["levels"] == []


def test_a_game_without_levels_that_hides_something_is_searched_by_what_is_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fairness, "levels_of", lambda rules: {})
    hidden = game_rules(str(EXAMPLES / "kuhn.py"))
    assert default_levels(hidden) == ["random", HIDDEN_SEARCHER]
    for text in (WEAKEST, HIDDEN_SEARCHER):
        make_agent(text, hidden)  # raises a ValueError if it cannot play


@pytest.mark.parametrize(
    ("key", "values", "words"),
    [
        ("nut", "10:20", "no rule 'nut'; did you mean 'nuts'? (there are nuts, most)"),
        ("x", "10:20", "(there are nuts, most)"),
        ("nuts", "20:10", "an empty range: 20 is more than 10"),
        ("nuts", "10:20:0", "the step at least 1"),
        ("nuts", "10:20:1:1", "expected LOW:HIGH"),
        ("nuts", "10:x", "expected LOW:HIGH"),
        ("nuts", "10,,20", "an empty value"),
        ("nuts", "5:20", "expected a whole number from 10 to 100"),
        ("nuts", "0:100000", "more than 1000 values"),
    ],
)
def test_a_sweep_that_is_none_is_refused_with_its_place(key: str, values: str, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        make_experiment("trial", SWEEP | {"sweep": {key: values}})
    assert f"sweep '{key}={values}'" in str(raised.value) and words in str(raised.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sweep": {"nuts": "10:11", "most": "1:2", "x": "1"}}, "sweep: expected one or two rules"),
        ({"levels": ["random"], "matches": 2}, "levels: expected two at least"),
        ({"levels": ["random", "random"]}, "levels: 'random' is there twice"),
        ({"sweep": {"nuts+nuts": "10:12"}}, "sweep 'nuts+nuts=10:12': nuts is there twice"),
        ({"sweep": {"nuts": "10,12,10"}}, "sweep 'nuts=10,12,10': 10 is there twice"),
        ({"game": "arena", "sweep": {"mega": "9:10", "top+mega": "30"}}, "are not different rules"),
        ({"levels": ["random", "x"]}, "levels: no agent 'x'"),
        ({"game": "aeroplane", "sweep": {"seats": "2:3"}}, "2 seats, not 3"),
    ],
)
def test_a_balance_that_cannot_be_measured_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as raised:
        make_experiment("trial", SWEEP | change)
    assert words in str(raised.value)


def test_several_rules_may_share_a_value() -> None:
    rules = ArenaRules()
    sweep = read_sweep("spark+snake", "20:30:5", rules)
    assert sweep == Sweep("spark+snake", ("20", "25", "30"), step=5)
    assert sweep.rules("25") == {"spark": "25", "snake": "25"}
    assert current_value("spark+snake", rules) == "30" and current_value("spark+gamma", rules) == ""


@pytest.mark.unmeasured
def test_the_better_player_is_the_one_of_the_higher_level(notebook: Notebook) -> None:
    told = SWEEP | {"sweep": {}, "matches": 8, "rules": {"nuts": 10}}
    outcome = outcome_of(told, notebook)
    table = next(block for block in report_blocks(outcome) if isinstance(block, ReportTable))
    shares = [int(row[1].split()[0]) for row in table.rows]
    assert [row[2] for row in table.rows] == ["16", "8", "8"]
    assert min(shares[1:]) > 50


def test_the_levels_of_a_game_are_those_that_play_alike_every_time() -> None:
    levels = ["random", "greedy", "alphabeta:depth=2", "alphabeta:depth=6"]
    assert default_levels(ArenaRules()) == levels


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (1.0, "Player 1 wins"),
        (-1.0, "Player 2 wins"),
        (0.0, "a draw"),
        (None, "not proven"),
        (0.25, "value +0.2500 for Player 1"),
    ],
)
def test_a_verdict_is_said_in_words(value: float | None, words: str) -> None:
    assert winner_text(NutsRules(), value) == words


def test_a_value_and_a_limit_are_explained_where_they_are_met() -> None:
    experiment = make_experiment("trial", SWEEP)
    sure, draw, part = (PerfectPlay(experiment, value, "proof") for value in (-1.0, 0.0, 0.1358))
    stopped = PerfectPlay(experiment, None, perfect_play.STOPPED)
    assert reader_notes([sure, draw, PerfectPlay(experiment, None, "")]) == ""
    assert reader_notes([sure, part]) == SCALE_NOTE
    assert reader_notes([stopped, part]) == f"{SCALE_NOTE} {BUDGET_NOTE}"


MEND: dict[str, Any] = {
    "kind": "mend",
    "game": "nuts",
    "levels": ["random", "minimax:depth=3"],
    "trials": 8,
    "matches": 2,
    "proposals": 3,
    "confirm": 4,
    "vary": {"nuts": "15:25", "most": "2:4"},
}


def test_a_search_ends_with_proposals_that_fresh_matches_have_judged(notebook: Notebook) -> None:
    outcome = outcome_of(MEND | {"rules": {"nuts": 18}}, notebook)
    files = [
        one for one in report_blocks(outcome) if isinstance(one, File) and "proposal" in one.name
    ]
    assert len(files) == 2  # each is less unfair than the rules as they are
    for file in files:
        told = {key: str(value) for key, value in tomllib.loads(file.content).items()}
        assert told and read_rules(NutsRules(), told) != NutsRules()
    seeds = {task_facts(task)["seed"] for task in outcome.known if task.work == "matches"}
    assert seeds == {1, 1 + rebalance.CONFIRM_OFFSET}


def test_what_is_not_less_unfair_is_no_proposal(notebook: Notebook) -> None:
    outcome = outcome_of(MEND | {"rules": {"nuts": 17}}, notebook)
    blocks = report_blocks(outcome)
    assert "Nothing better balanced than the rules as they are was found." in html(outcome, blocks)
    assert not any(isinstance(one, File) and "proposal" in one.name for one in blocks)
    table = next(block for block in blocks if isinstance(block, ReportTable))
    assert [row[0] for row in table.rows] == ["as it is", "–", "–", "–"]
    captions = {block.name: block.caption for block in blocks if isinstance(block, Plot)}
    assert "by the matches of the search" in captions["trials"]
    assert "proposals that have a rank, confirmed or not" in captions["proposals"]


def test_levels_the_wrong_way_round_are_hinted_at() -> None:
    names = ("Ann", "Bob")
    rarely, often = won(35, 40, 40), won(5, 40, 40)
    even = won(20, 40, 40)
    levels = make_levels(["random"], [even])
    for better in ((rarely, rarely), (even, rarely)):
        said = fairness_text(Fairness(levels, *better), names)
        assert said.endswith(f"loses more often than it wins. {ORDER_HINT}")
    assert ORDER_HINT not in fairness_text(
        Fairness(levels, often, rarely), names
    )  # the side decides
    assert fairness_text(Fairness(levels, even, even), names).endswith(
        "It is not certain that the better player wins more often than not as Ann or as Bob."
    )


@pytest.mark.parametrize("second", [{}, {"most": "2:3"}])
def test_a_sweep_says_where_there_are_too_few_matches(
    second: dict[str, str], notebook: Notebook
) -> None:
    told = SWEEP | {"sweep": {"nuts": "10:12"} | second, "matches": 2}
    outcome = outcome_of(told, notebook)
    words = html(outcome, report_blocks(outcome))
    number, places = (6, "pairs of values") if second else (3, "values")
    assert f"Of {number} {places}, each judged by itself: 0 balanced at every level" in words
    assert f"{number} with too few matches to tell." in words


@pytest.mark.unmeasured
def test_a_search_goes_the_same_way_again(notebook: Notebook) -> None:
    outcome = outcome_of(MEND, notebook)
    routes = [rebalance.search_rules(outcome.experiment, outcome.known)[0] for _ in range(2)]
    assert routes[0] == routes[1] and len(routes[0]) == 8
    assert routes[0][0][0] == {}  # the rules as they are come first


def test_a_search_without_optuna_is_read_but_not_run(
    notebook: Notebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    experiment = make_experiment("trial", MEND)
    for act in (run, recall):
        with pytest.raises(ValueError, match=r"pip install 'ludex\[lab\]'"):
            act(experiment, notebook)
    assert notebook.experiments() == []


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ({"nuts": "10,20"}, "expected LOW:HIGH"),
        ({}, "vary"),
        ({"nut": "10:20"}, "vary 'nut=10:20': no rule 'nut'"),
        ({"nuts": "10:20", "nuts+most": "1:5"}, "vary: nuts is there twice"),
    ],
)
def test_a_search_must_know_what_may_change(vary: dict[str, str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make_experiment("trial", MEND | {"vary": vary})


def test_proposals_change_different_rules_before_they_change_the_same() -> None:
    tried: list[tuple[dict[str, str], float]] = [
        ({}, 0.0),
        ({"a": "1"}, 0.1),
        ({"a": "2"}, 0.2),
        ({"b": "1"}, 0.3),
        ({"a": "1"}, 0.1),
    ]
    assert best_changes(tried, 3) == [{"a": "1"}, {"b": "1"}, {"a": "2"}]
