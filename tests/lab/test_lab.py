"""Experiments go on after an interruption, ask nothing twice, and count what they played."""

from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ludex.core.rules import OVER, initial, turn
from ludex.games.aeroplane import AeroplaneRules
from ludex.games.nuts import NutsRules
from ludex.lab.experiment_file import make_experiment
from ludex.lab.kinds import KINDS, ablation, agents, versus
from ludex.lab.page import report_blocks
from ludex.lab.report.blocks import ReportTable
from ludex.lab.run.measurements import timed_enough
from ludex.lab.run.series import Count
from ludex.lab.runner import LabOutcome, Unfinished, recall, run
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.openings import opening_state
from ludex.lab.spec.task import Known, make_task, task_facts, task_key
from ludex.store import Store, schema
from ludex.store.notebook import Notebook
from tests.experiments import AGENTS, HERE, LEARNING, VERSUS, outcome_of, tables, ways

pytestmark = pytest.mark.plain


def won_by_the_first(experiment: Experiment) -> Known:
    """Return answers as if the first seat won every match, each in its own way."""
    known = {}
    for task in KINDS[experiment.kind].tasks(experiment, {}):
        told = task_facts(task)
        numbers = [f"{told['agents']} {told['first'] + one}" for one in range(told["matches"])]
        known[task] = {
            "returns": [[1.0, -1.0]] * len(numbers),
            "lines": numbers,
            "starts": numbers,
            "seconds": [0.0, 0.0],
            "decisions": [1, 1],
        }
    return known


def test_who_meets_itself_sits_at_both_seats_and_plays_no_match_twice() -> None:
    told = AGENTS | {"agents": ["random"], "matches": 30}
    experiment = make_experiment("trial", told)
    known = won_by_the_first(experiment)
    result = agents.result(experiment, known, "random", "random")
    assert (result.wins, result.losses) == (15, 15)
    assert sum(task_facts(task)["matches"] for task in known) == 30


def test_ratings_come_from_as_many_matches_as_they_amount_to() -> None:
    def elo(matches: int) -> tuple[float, float]:
        ever = Count(
            matches, 0, 0, lines=ways(5), starts={str(n): (1.0, 1) for n in range(matches)}
        )
        never = Count(
            0, 0, matches, lines=ways(5), starts={str(n): (0.0, 1) for n in range(matches)}
        )
        none = Count()
        won, lost = [[none, ever], [never, none]], [[none, never], [ever, none]]
        best = versus.rate_agents(won, lost)[0]
        assert best.agent == 0
        return best.elo, best.low

    assert elo(300) == elo(10) and elo(10)[0] > 0


def test_one_hiccup_does_not_make_a_time() -> None:
    assert not timed_enough([]) and not timed_enough([0.3]) and not timed_enough([0.3, 0.3])
    assert timed_enough([0.3] * 3) and not timed_enough([0.01] * 4) and timed_enough([0.01] * 5)
    assert timed_enough([2.5])


def test_few_positions_make_a_wide_interval() -> None:
    mean, low, high = ablation.geometric_ratio([1.0, 1.0], [1.0, 4.0])
    assert mean == pytest.approx(2.0) and low < 1e-3 and high > 1e3  # Student's with 1 degree


def test_agents_sit_at_both_seats_and_their_matches_add_up(notebook: Notebook) -> None:
    outcome = outcome_of(AGENTS, notebook)
    won, pace = tables(outcome)[:2]
    for row in won.rows:
        assert sum(map(int, row[2].split("-"))) == 12
    assert won.rows[1][0] == pace.rows[1][0] == "hats, 50 matches"
    seats = {tuple(map(str, task_facts(task)["agents"])) for task in outcome.known}
    assert all(tuple(reversed(pair)) in seats for pair in seats)


@pytest.mark.unmeasured
def test_a_curve_has_a_point_for_each_measurement_and_every_seed_is_another(
    notebook: Notebook,
) -> None:
    outcome = outcome_of(LEARNING, notebook)
    curves = [answer["points"] for answer in outcome.known.values()]
    assert [point[0] for point in curves[0]] == [0, 100, 200, 250]
    assert len(curves) == 3 and len({str(curve) for curve in curves}) == 3


@pytest.mark.unmeasured
def test_an_experiment_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    experiment = make_experiment("trial", VERSUS | {"matches": 30})
    pages = []
    for name in ("whole", "broken"):
        notebook = Notebook(Store(f"sqlite:///{tmp_path / name}.db"))
        if name == "broken":
            with pytest.raises(KeyboardInterrupt):
                run(experiment, notebook, HERE, interrupting(5))
            with pytest.raises(Unfinished, match="5 of 12 tasks are done"):
                recall(experiment, notebook)
        told: list[int] = []
        outcome = run(experiment, notebook, HERE, lambda done, total, told=told: told.append(done))  # type: ignore[misc]
        assert told[0] == (5 if name == "broken" else 0)
        pages.append(without_times(outcome))
    assert pages[0] == pages[1]


def interrupting(after: int) -> Any:
    def tell(done: int, total: int) -> None:
        if done == after:
            raise KeyboardInterrupt

    return tell


def without_times(outcome: LabOutcome) -> str:
    shown = [
        block._replace(rows=[row[:-1] for row in block.rows], facts=())
        if isinstance(block, ReportTable)
        else block
        for block in report_blocks(outcome)
    ]
    return str(shown)


def test_what_is_known_is_not_asked_again_unless_it_must_be_fresh(notebook: Notebook) -> None:
    experiment = make_experiment("trial", VERSUS)
    starts: list[int] = []
    for fresh in (False, False, True):
        first: list[int] = []
        run(experiment, notebook, HERE, lambda done, total, first=first: first.append(done), fresh)  # type: ignore[misc]
        starts.append(first[0])
    assert starts == [0, 4, 0]


def test_the_key_of_a_task_says_all_that_matters() -> None:
    task = make_task("truth", game="nuts", rules={"nuts": "10"})
    assert task_key(task) == task_key(make_task("truth", rules={"nuts": "10"}, game="nuts"))
    others = [
        make_task("truth", game="nuts", rules={"nuts": "11"}),
        make_task("truth", game="trap", rules={"nuts": "10"}),
        make_task("other", game="nuts", rules={"nuts": "10"}),
    ]
    assert len({task_key(one) for one in (task, *others)}) == 4


@pytest.mark.parametrize("seed", [1, 2])
def test_every_beginning_comes_once_before_any_comes_again(seed: int) -> None:
    rules = NutsRules()
    starts = [opening_state(rules, 2, seed, table) for table in range(18)]
    assert sorted(starts[:9]) == sorted(starts[9:])
    assert [start.left for start in sorted(starts[:9])] == [15, 16, 16, 17, 17, 17, 18, 18, 19]
    assert starts != [opening_state(rules, 2, seed + 1, table) for table in range(18)]
    assert opening_state(rules, 0, seed, 5) == initial(rules)


def test_beginnings_with_chance_are_drawn() -> None:
    rules = AeroplaneRules()
    starts = [opening_state(rules, 20, 1, table) for table in range(4)]
    assert starts == [opening_state(rules, 20, 1, table) for table in range(4)]
    assert len(set(starts)) > 1 and all(turn(rules, start) != OVER for start in starts)


def test_a_store_without_experiments_is_lifted(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'old.db'}"
    with Store(url).transaction() as connection:
        for change in (
            "DROP TABLE experiments",
            "DROP TABLE findings",
            "DROP TABLE figures",
            f"CREATE TABLE ratings ({schema.OLD})",
            "UPDATE ludex_schema SET version = 1",
        ):
            connection.execute(text(change))
    assert Notebook(Store(url)).experiments() == []


def test_an_experiment_of_the_notebook_is_the_one_that_was_ordered(notebook: Notebook) -> None:
    outcome = outcome_of(VERSUS, notebook)
    [row] = notebook.experiments()
    assert Experiment(**row.ordered) == outcome.experiment and row.ended
