"""Experiments are checked before they begin, go on after an interruption, and tell the truth."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from ludex.games.aeroplane import AeroplaneRules
from ludex.games.nuts import NutsRules
from ludex.lab.blocks import Heading, Plot, Table, seconds_text
from ludex.lab.experiment import (
    Experiment,
    differences,
    family,
    make_experiment,
    read_experiment,
    shipped,
)
from ludex.lab.fairness import NARROW, SEARCHER
from ludex.lab.gamefile import copy_beside, fingerprint, short_name
from ludex.lab.kinds import KINDS, ablation, agents, versus
from ludex.lab.opening import opened
from ludex.lab.plots import DARK, Line, apart, duration, light_of
from ludex.lab.proposals import EACH, FAR
from ludex.lab.report import PAGE, TEXT, blocks_of, finite, markdown, write_report
from ludex.lab.report import facts_of as facts_of_report
from ludex.lab.running import Outcome, Unfinished, recalled, run
from ludex.lab.series import AUTOMATIC, Count
from ludex.lab.task import Known, facts_of, key_of, make_task
from ludex.lab.truth import MOST_NODES, MOST_STATES
from ludex.lab.work import timed_enough
from ludex.rules import OVER, initial, turn
from ludex.store import Store, schema
from ludex.store.notebook import Notebook

EXAMPLES = Path(__file__).parent.parent / "examples"
DEPTHS: dict[str, Any] = {
    "kind": "depths",
    "game": "nuts",
    "agents": ["minimax", "alphabeta"],
    "depths": [1, 3],
}
AGENTS: dict[str, Any] = {
    "kind": "agents",
    "game": "nuts",
    "agents": ["minimax:depth=4", {"learner": "hats", "matches": 50}],
    "opponents": ["random"],
    "matches": 12,
    "rules": {"nuts": 10},
}
LEARNING: dict[str, Any] = {
    "kind": "learning",
    "game": "nuts",
    "learners": ["hats"],
    "matches": 250,
    "seeds": 3,
    "rules": {"nuts": 10},
}
VERSUS: dict[str, Any] = {
    "kind": "versus",
    "game": "nuts",
    "agents": ["random", "minimax:depth=3"],
    "matches": 6,
    "rules": {"nuts": 10},
}
STRENGTH: dict[str, Any] = {
    "kind": "strength",
    "game": "nuts",
    "agents": ["minimax"],
    "option": "depth",
    "values": [1, 4],
    "opponents": ["random"],
    "matches": 8,
    "rules": {"nuts": 10},
}
ABLATION: dict[str, Any] = {
    "kind": "ablation",
    "game": "nuts",
    "agents": ["alphabeta:depth=6", "minimax:depth=6"],
    "positions": 5,
}
ORDERS = {one["kind"]: one for one in (DEPTHS, AGENTS, LEARNING, VERSUS, STRENGTH, ABLATION)}


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    return Notebook(Store(f"sqlite:///{tmp_path / 'lab.db'}"))


def outcome_of(told: dict[str, Any], notebook: Notebook) -> Outcome:
    return run(make_experiment("trial", told), notebook, 1)


def tables(outcome: Outcome) -> list[Table]:
    return [block for block in blocks_of(outcome) if isinstance(block, Table)]


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_experiment_is_one(name: str) -> None:
    experiment = read_experiment(name)
    assert experiment.title != name and experiment.about


def test_every_kind_is_shipped() -> None:
    assert {read_experiment(name).kind for name in shipped()} == set(KINDS)


@pytest.mark.parametrize("kind", ORDERS)
def test_an_order_reads_back_as_it_was(kind: str, tmp_path: Path) -> None:
    about = 'Say "why", é <b>,\nand more.'
    made = make_experiment("trial", ORDERS[kind] | {"about": about})
    file = tmp_path / "trial.toml"
    file.write_text(made.toml(), encoding="utf-8")
    again = read_experiment(str(file))
    assert again == made and again.key() == made.key()


@pytest.mark.parametrize("name", shipped())
def test_an_order_leaves_nothing_unsaid(name: str) -> None:
    given = read_experiment(name).given
    unsaid = {key for key, value in given.items() if value in (AUTOMATIC, "", [], {})}
    # Without matches nobody plays; a sweep is not a default; "" is the first position.
    allowed = {"sweep", "position"} | ({"levels"} if given.get("matches") == 0 else set())
    assert unsaid <= allowed


def test_a_number_that_is_left_to_us_is_scaled_too() -> None:
    told = {"kind": "balance", "game": "nuts"}
    whole, tenth = (make_experiment("trial", told, scale).given for scale in (1.0, 0.1))
    assert (whole["matches"], tenth["matches"], whole["opening"]) == (40, 4, 2)


def test_another_scale_or_seed_is_another_report() -> None:
    plain = read_experiment("arena-balance")
    others = [read_experiment("arena-balance", 0.1), read_experiment("arena-balance", seed=3)]
    assert plain.name == "arena-balance" == read_experiment("arena-balance", 1.0, 1).name
    assert len({one.name for one in (plain, *others)}) == 3
    assert {family(one.name) for one in others} == {"arena-balance"}
    assert [differences(one) for one in (plain, *others)] == ["", "matches 8", "seed 3"]


def test_a_file_with_the_name_of_a_shipped_order_has_a_name_of_its_own(tmp_path: Path) -> None:
    file = tmp_path / "arena-balance.toml"
    file.write_text('kind = "balance"\ngame = "nuts"\n', encoding="utf-8")
    assert read_experiment(str(file)).name.startswith("arena-balance-")
    file.write_text(read_experiment("arena-balance").toml(), encoding="utf-8")
    assert read_experiment(str(file)).name == "arena-balance"


def test_a_game_file_is_found_beside_its_order_wherever_one_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "ttt.py").write_bytes((EXAMPLES / "tictactoe.py").read_bytes())
    order = 'kind = "balance"\ngame = "./ttt.py"\nmatches = 0\n'
    (tmp_path / "order.toml").write_text(order, encoding="utf-8")
    experiment = read_experiment(str(tmp_path / "order.toml"))
    monkeypatch.chdir("/")
    assert short_name(experiment.game) == "ttt" and Path(experiment.game).is_absolute()
    assert 'game = "./ttt.py"' in experiment.toml() and str(tmp_path) not in experiment.toml()
    copy_beside(experiment.game, tmp_path / "report")
    copy = str(tmp_path / "report" / "ttt.py")
    assert fingerprint(copy) == fingerprint(experiment.game) and fingerprint("nuts") == ""
    key = experiment.key()
    (tmp_path / "ttt.py").write_text("# another\n" + (tmp_path / "ttt.py").read_text("utf-8"))
    assert experiment.key() != key and fingerprint(copy) != fingerprint(experiment.game)


def won_by_the_first(experiment: Experiment) -> Known:
    """Return answers as if the first seat won every match, each in its own way."""
    known = {}
    for task in KINDS[experiment.kind].tasks(experiment, {}):
        told = facts_of(task)
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
    assert sum(facts_of(task)["matches"] for task in known) == 30


def test_ratings_come_from_as_many_matches_as_they_amount_to() -> None:
    def elo(matches: int) -> tuple[float, float]:
        ever = Count(matches, 0, 0, 5, starts={str(n): (1.0, 1) for n in range(matches)})
        never = Count(0, 0, matches, 5, starts={str(n): (0.0, 1) for n in range(matches)})
        none = Count()
        won, lost = [[none, ever], [never, none]], [[none, never], [ever, none]]
        best = versus.rated(won, lost)[0]
        assert best.agent == 0
        return best.elo, best.low

    assert elo(300) == elo(10) and elo(10)[0] > 0


def test_the_cells_of_a_win_table_are_there_as_text_and_as_numbers(notebook: Notebook) -> None:
    outcome = outcome_of(VERSUS, notebook)
    blocks = blocks_of(outcome)
    table = next(block for block in blocks if isinstance(block, Table))
    names = ["random", "minimax:depth=3"]
    assert [row[0] for row in table.rows] == names and list(table.columns[1:]) == names
    assert f"| {table.rows[1][1]} |" in markdown(outcome, blocks)
    told = json.loads(json.dumps(facts_of_report(outcome), allow_nan=False))
    cell = told["tables"][0]["facts"][2]
    assert (cell["first"], cell["second"]) == ("minimax:depth=3", "random")
    assert cell["wins"] + cell["draws"] + cell["losses"] == 6
    assert cell["interval"][0] <= cell["share"] <= cell["interval"][1]
    assert f"{100 * cell['share']:.0f} %" in table.rows[1][1]


def test_what_json_cannot_hold_is_none() -> None:
    assert finite([{"a": (1.5, float("inf"))}, float("nan"), "nan"]) == [
        {"a": [1.5, None]},
        None,
        "nan",
    ]


def test_lines_over_the_same_places_stand_apart() -> None:
    lines = [Line(name, [1.0, 5.0, 6.0], [0.5] * 3) for name in "ab"]
    first, second = (line.x for line in apart(lines))
    assert all(b - a > 0.2 for a, b in zip(first, second, strict=True))
    assert apart(lines[:1]) == lines[:1]


@pytest.mark.parametrize("share", [number / 20 for number in range(21)])
def test_the_figures_of_a_heat_map_can_be_read(share: float) -> None:
    light, ink = light_of(share), 0.03  # how light INK is
    contrast = 1.05 / (light + 0.05) if light < DARK else (light + 0.05) / (ink + 0.05)
    assert contrast > 3.5


@pytest.mark.parametrize(
    ("seconds", "words"), [(2e-5, "20 µs"), (1e-3, "1 ms"), (0.05, "50 ms"), (2.0, "2 s")]
)
def test_an_axis_of_times_has_units(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_report_names_the_rules_that_were_changed(notebook: Notebook) -> None:
    assert "By changed rules of nuts: nuts 10." in markdown_of(VERSUS, notebook)
    usual = {key: value for key, value in VERSUS.items() if key != "rules"}
    assert "changed rules" not in markdown_of(usual | {"matches": 1}, notebook)


def markdown_of(told: dict[str, Any], notebook: Notebook) -> str:
    outcome = outcome_of(told, notebook)
    return markdown(outcome, blocks_of(outcome))


def test_one_hiccup_does_not_make_a_time() -> None:
    assert not timed_enough([]) and not timed_enough([0.3]) and not timed_enough([0.3, 0.3])
    assert timed_enough([0.3] * 3) and not timed_enough([0.01] * 4) and timed_enough([0.01] * 5)
    assert timed_enough([2.5])


def test_few_positions_make_a_wide_interval() -> None:
    mean, low, high = ablation.ratio([1.0, 1.0], [1.0, 4.0])
    assert mean == pytest.approx(2.0) and low < 1e-3 and high > 1e3  # Student's with 1 degree


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"kind": "depth"}, "kind is 'depth'; did you mean 'depths'? (there are depths, agents"),
        ({"agents": ["minmax"]}, "agents: no agent 'minmax'; did you mean 'minimax'?"),
        ({"agents": []}, "agents is []: expected a list of texts"),
        ({"agents": 3}, "agents is 3: expected a list of texts"),
        ({"depths": [0]}, "depths has 0: expected numbers above 0"),
        ({"depth": 3}, "depth: no such key; did you mean 'depths'? (kind, title"),
        ({"position": "7"}, "expected 2 parts"),
        ({"rules": {"nut": 10}}, "no rule 'nut'; did you mean 'nuts'?"),
        ({"game": "nut"}, "no game 'nut'; did you mean 'nuts'?"),
        ({"seed": -1}, "seed is -1: expected a whole number, at least 0"),
        ({"title": 1}, "title is 1: expected a text"),
        ({"rules": 7}, "rules is 7: expected a table"),
        ({"agents": ["minimax", "minimax"]}, "agents: 'minimax' is there twice"),
        ({"depths": [1, 3, 1]}, "depths: 1 is there twice"),
    ],
)
def test_what_is_wrong_with_an_order_is_said(change: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as raised:
        make_experiment("trial", DEPTHS | change)
    assert words in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        (AGENTS | {"agents": [{"learner": "hat", "matches": 1}]}, "agents: no learner 'hat'"),
        (AGENTS | {"agents": [{"learner": "hats"}]}, "expected learner = TEXT and matches"),
        (AGENTS | {"agents": [{"learner": 7}]}, "learner is 7: expected a text in quotes"),
        (AGENTS | {"agents": [{"lerner": "hats"}]}, "no such key 'lerner'; did you mean"),
        (AGENTS | {"agents": [{"learner": "td", "matches": 9}]}, "agents: learner is 'td', which"),
        (
            AGENTS | {"game": "droids", "rules": {}, "agents": ["qtable:file=nothere"]},
            "agents: nothere: No such file or directory",
        ),
        (AGENTS | {"opening": 500}, "opening is 500: no match goes on after so many random moves"),
        (VERSUS | {"agents": ["random", "random"]}, "agents: 'random' is there twice"),
        (AGENTS | {"matches": 1}, "matches is 1: expected at least 2"),
        (AGENTS | {"seats": "second"}, "seats is 'second': expected both or first"),
        (LEARNING | {"learners": ["hats:x=1"]}, "learners: hats has no option 'x'"),
        (LEARNING | {"judge": "nobody"}, "judge: no agent 'nobody'"),
        (LEARNING | {"against": "random"}, "learners: hats learns from itself"),
        (STRENGTH | {"option": "size"}, "option is 'size': expected depth or sims or seconds"),
        (STRENGTH | {"agents": ["random"]}, "agents: random has no option 'depth'"),
        (ABLATION | {"agents": ["alphabeta"]}, "agents: expected two at least"),
        (ABLATION | {"agents": ["alphabeta", "random"]}, "agents: 'random' searches nothing"),
        ({"game": "nuts"}, "kind: which one? (there are depths, agents"),
    ],
)
def test_what_is_wrong_with_any_kind_is_said(told: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError) as raised:
        make_experiment("trial", told)
    assert words in str(raised.value) and "\n" not in str(raised.value)


def test_time_against_strength_shows_every_opponent_by_its_name(notebook: Notebook) -> None:
    learned = {"learner": "hats", "matches": 50, "name": "the pupil"}
    told = STRENGTH | {"opponents": ["random", learned], "matches": 2}
    [table] = [one for one in tables(outcome_of(told, notebook)) if "share" in one.columns]
    assert [row[:2] for row in table.rows] == [
        ("minimax against random", "1"),
        ("minimax against random", "4"),
        ("minimax against the pupil", "1"),
        ("minimax against the pupil", "4"),
    ]


@pytest.mark.parametrize("kind", ORDERS)
def test_every_kind_ends_as_a_page(kind: str, notebook: Notebook, tmp_path: Path) -> None:
    outcome = outcome_of(ORDERS[kind], notebook)
    page = write_report(outcome, tmp_path / "out").read_text(encoding="utf-8")
    written = (tmp_path / "out" / TEXT).read_text(encoding="utf-8")
    blocks = blocks_of(outcome)
    for block in blocks:
        match block:
            case Heading(heading):
                assert f"<h2>{heading}</h2>" in page and f"## {heading}" in written
            case Plot(name, svg, caption):
                assert (tmp_path / "out" / f"{name}.svg").exists() and svg in page
                assert f"]({name}.svg)" in written and caption
            case Table():
                assert all(len(row) == len(block.columns) for row in block.rows)
    assert any(isinstance(block, Plot) for block in blocks)
    assert "http" not in page.replace("http://www.w3.org", "")
    assert str(Path.home()) not in page and str(tmp_path) not in page
    assert (tmp_path / "out" / PAGE).exists()


def test_a_depth_table_says_that_pruning_changes_nothing(notebook: Notebook) -> None:
    outcome = outcome_of(DEPTHS, notebook)
    rows = tables(outcome)[0].rows
    assert [row[:2] for row in rows] == [
        ("minimax", "1"),
        ("minimax", "3"),
        ("alphabeta", "1"),
        ("alphabeta", "3"),
    ]
    assert rows[1][5] == rows[3][5]
    assert "All algorithms find the same value" in str(blocks_of(outcome)[1])


def test_agents_sit_at_both_seats_and_their_matches_add_up(notebook: Notebook) -> None:
    outcome = outcome_of(AGENTS, notebook)
    won, pace = tables(outcome)[:2]
    for row in won.rows:
        assert sum(map(int, row[2].split("-"))) == 12
    assert won.rows[1][0] == pace.rows[1][0] == "hats, 50 matches"
    seats = {tuple(map(str, facts_of(task)["agents"])) for task in outcome.known}
    assert all(tuple(reversed(pair)) in seats for pair in seats)


def test_a_curve_has_a_point_for_each_measurement_and_every_seed_is_another(
    notebook: Notebook,
) -> None:
    outcome = outcome_of(LEARNING, notebook)
    curves = [answer["points"] for answer in outcome.known.values()]
    assert [point[0] for point in curves[0]] == [0, 100, 200, 250]
    assert len(curves) == 3 and len({str(curve) for curve in curves}) == 3


def test_an_experiment_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    experiment = make_experiment("trial", VERSUS | {"matches": 30})
    pages = []
    for name in ("whole", "broken"):
        notebook = Notebook(Store(f"sqlite:///{tmp_path / name}.db"))
        if name == "broken":
            with pytest.raises(KeyboardInterrupt):
                run(experiment, notebook, 1, interrupting(5))
            with pytest.raises(Unfinished, match="5 of 12 tasks are done"):
                recalled(experiment, notebook)
        told: list[int] = []
        outcome = run(experiment, notebook, 1, lambda done, total, told=told: told.append(done))  # type: ignore[misc]
        assert told[0] == (5 if name == "broken" else 0)
        pages.append(without_times(outcome))
    assert pages[0] == pages[1]


def interrupting(after: int) -> Any:
    def tell(done: int, total: int) -> None:
        if done == after:
            raise KeyboardInterrupt

    return tell


def without_times(outcome: Outcome) -> str:
    shown = [
        block._replace(rows=[row[:-1] for row in block.rows], facts=())
        if isinstance(block, Table)
        else block
        for block in blocks_of(outcome)
    ]
    return str(shown)


def test_what_is_known_is_not_asked_again_unless_it_must_be_fresh(notebook: Notebook) -> None:
    experiment = make_experiment("trial", VERSUS)
    starts: list[int] = []
    for fresh in (False, False, True):
        first: list[int] = []
        run(experiment, notebook, 1, lambda done, total, first=first: first.append(done), fresh)  # type: ignore[misc]
        starts.append(first[0])
    assert starts == [0, 4, 0]


def test_the_key_of_a_task_says_all_that_matters() -> None:
    task = make_task("truth", game="nuts", rules={"nuts": "10"})
    assert key_of(task) == key_of(make_task("truth", rules={"nuts": "10"}, game="nuts"))
    others = [
        make_task("truth", game="nuts", rules={"nuts": "11"}),
        make_task("truth", game="trap", rules={"nuts": "10"}),
        make_task("other", game="nuts", rules={"nuts": "10"}),
    ]
    assert len({key_of(one) for one in (task, *others)}) == 4


@pytest.mark.parametrize("seed", [1, 2])
def test_every_beginning_comes_once_before_any_comes_again(seed: int) -> None:
    rules = NutsRules()
    starts = [opened(rules, 2, seed, table) for table in range(18)]
    assert sorted(starts[:9]) == sorted(starts[9:])
    assert [start.left for start in sorted(starts[:9])] == [15, 16, 16, 17, 17, 17, 18, 18, 19]
    assert starts != [opened(rules, 2, seed + 1, table) for table in range(18)]
    assert opened(rules, 0, seed, 5) == initial(rules)


def test_beginnings_with_chance_are_drawn() -> None:
    rules = AeroplaneRules()
    starts = [opened(rules, 20, 1, table) for table in range(4)]
    assert starts == [opened(rules, 20, 1, table) for table in range(4)]
    assert len(set(starts)) > 1 and all(turn(rules, start) != OVER for start in starts)


def test_scale_changes_numbers_of_matches_alone() -> None:
    scaled = make_experiment("trial", AGENTS, scale=0.5)
    assert scaled.given["matches"] == 6
    assert make_experiment("trial", AGENTS, scale=0.01).given["matches"] == 2
    assert scaled.given["agents"] == AGENTS["agents"]


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


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1.0, "1.00 s"), (0.0123, "12.3 ms"), (154e-6, "154 µs"), (0.0, "0.00 µs"), (75.0, "75.0 s")],
)
def test_times_are_written_in_units_that_can_be_read(seconds: float, words: str) -> None:
    assert seconds_text(seconds) == words


def test_an_experiment_of_the_notebook_is_the_one_that_was_ordered(notebook: Notebook) -> None:
    outcome = outcome_of(VERSUS, notebook)
    [row] = notebook.experiments()
    assert Experiment(**row.ordered) == outcome.experiment and row.ended


def test_the_page_has_the_objective_of_the_search_as_it_is() -> None:
    page = (Path(__file__).parent.parent / "docs" / "lab.md").read_text(encoding="utf-8")
    assert f"+ {FAR} of the change of each rule" in page
    assert f"+ {EACH} for each rule that changes" in page
    assert MOST_STATES == 1_000_000 and "at most a million states" in page
    assert MOST_NODES == 20_000_000 and "at most 20 million nodes" in page
    assert f"at most {100 * NARROW:.0f} points wide" in page and f"`{SEARCHER}`" in page


def test_the_figures_on_the_page_are_those_of_the_experiments_as_they_are() -> None:
    page = (Path(__file__).parent.parent / "docs" / "lab.md").read_text(encoding="utf-8")
    told = re.findall(r"<!-- figures of ([\w-]+): (\w+) -->", page)
    assert told
    for name, key in told:
        assert read_experiment(name).key().startswith(key), f"docs/lab.md: run {name} again"
