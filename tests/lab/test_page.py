"""The page of an experiment: its tables, plots and words, and those of docs/lab.md."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from ludex.io.text import seconds_text
from ludex.lab.balance.fairness import SEARCHER
from ludex.lab.balance.levels import TOLERANCE
from ludex.lab.balance.maps import COLUMNS_MAX, RuleMap, share_map
from ludex.lab.balance.proposals import RANGE_COST, RULE_COST
from ludex.lab.balance.sweep_plot import dodge_lines
from ludex.lab.balance.sweeps import Sweep
from ludex.lab.experiment_file import read_experiment
from ludex.lab.kinds import KINDS
from ludex.lab.page import (
    PAGE,
    SIZE_NOUNS,
    TEXT,
    json_safe,
    markdown,
    notebook_html,
    report_blocks,
    report_facts,
    size_blocks,
    write_report,
)
from ludex.lab.report.blocks import Heading, Paragraph, Plot, ReportTable
from ludex.lab.report.heat_map import DARK_LUMINANCE, luminance
from ludex.lab.report.plots import NARROW, STYLE, WIDTH, Curve, learning_plot, tick_time, wrap_name
from ludex.lab.report.win_table import win_blocks
from ludex.lab.run.perfect_play import NODES_MAX, STATES_MAX
from ludex.lab.run.series import percentage
from ludex.store.notebook import Notebook
from tests.experiments import DEPTHS, ORDERS, STRENGTH, VERSUS, outcome_of, shares, tables

pytestmark = pytest.mark.plain


@pytest.mark.unmeasured
def test_the_cells_of_a_win_table_are_there_as_text_and_as_numbers(notebook: Notebook) -> None:
    outcome = outcome_of(VERSUS, notebook)
    blocks = report_blocks(outcome)
    table = next(block for block in blocks if isinstance(block, ReportTable))
    names = ["random", "minimax:depth=3"]
    assert [row[0] for row in table.rows] == names and list(table.columns[1:]) == names
    assert f"| {table.rows[1][1]} |" in markdown(outcome, blocks)
    told = json.loads(json.dumps(report_facts(outcome), allow_nan=False))
    cell = told["tables"][0]["facts"][2]
    assert (cell["first"], cell["second"]) == ("minimax:depth=3", "random")
    assert cell["wins"] + cell["draws"] + cell["losses"] == 6
    assert cell["interval"][0] <= cell["share"] <= cell["interval"][1]
    assert f"{percentage(cell['share'])} %" in table.rows[1][1]


def test_a_notebook_shows_verdicts_plots_and_captions_but_not_how_to_reproduce_them(
    notebook: Notebook,
) -> None:
    outcome = outcome_of(VERSUS | {"title": "1 < 2"}, notebook)
    shown = notebook_html(outcome)
    assert shown.startswith("<h3>1 &lt; 2</h3>") and "To reproduce it" not in shown
    for block in report_blocks(outcome):
        if isinstance(block, Plot):
            assert f"<small>{block.caption}</small>" in shown and block.drawing.wide in shown
        elif isinstance(block, ReportTable) and block.folded:
            assert f"<details><summary>{block.caption}</summary><table>" in shown
    assert shown.count("<svg") == 1 and "<details>" in shown


def test_a_notebook_folds_a_long_table(notebook: Notebook) -> None:
    sweep = {"kind": "balance", "game": "nuts", "matches": 0, "sweep": {"nuts": "10:40"}}
    shown = notebook_html(outcome_of(sweep, notebook))
    assert "<details><summary>as it is, nuts is 21</summary><table>" in shown


@pytest.mark.parametrize(
    ("share", "digits", "words"),
    [(0.575, 0, "58"), (0.875, 0, "88"), (0.285, 0, "29"), (1.0, 0, "100"), (0.0625, 1, "6.3")],
)
def test_halves_are_rounded_up_all_of_them(share: float, digits: int, words: str) -> None:
    assert percentage(share, digits) == words


@pytest.mark.parametrize(("agents", "wide", "narrow"), [(4, 1, 1), (5, 1, 0), (7, 0, 0)])
def test_the_caption_of_a_heat_map_promises_intervals_where_there_is_room(
    agents: int, wide: int, narrow: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STYLE, "svg.fonttype", "none")  # texts stay texts
    won = [shares(*[50] * agents) for _ in range(agents)]
    plot, _ = win_blocks("wins", [f"agent {one}" for one in range(agents)], won, ("Ann", "Bob"))
    assert isinstance(plot, Plot)
    low, high = map(percentage, won[0][0].interval)
    for svg, caption, room in (
        (plot.drawing.wide, plot.caption, wide),
        (plot.drawing.narrow, plot.narrow_caption, narrow),
    ):
        assert f"{low}–{high}" in svg if room else f"{low}–{high}" not in svg
        assert ("with 95 % intervals" in caption) == ("the table has" not in caption) == room


@pytest.mark.parametrize("columns", [COLUMNS_MAX, COLUMNS_MAX + 1])
def test_a_map_of_shares_is_read_by_numbers_where_there_is_room(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(STYLE, "svg.fonttype", "none")  # texts stay texts
    first, second = Sweep("a", tuple(map(str, range(columns)))), Sweep("b", ("1", "2"))
    shares: dict[tuple[str, ...], float] = {
        (x, y): 0.575 for x in first.values for y in second.values
    }
    where = RuleMap(first, second, ("3", "1"))
    svg = share_map(where, shares, "Ann").wide
    assert svg.count(">58<") == (2 * columns if columns == COLUMNS_MAX else 0)
    assert ("the table has them" in where.caption()) == (columns > COLUMNS_MAX)


def test_a_narrow_plot_has_a_phones_width_and_ids_of_its_own() -> None:
    wide, narrow = learning_plot([Curve(name, [0, 500], [0.5, 0.9]) for name in "ab"], "points")
    sizes = [float(re.search(r'width="([\d.]+)pt"', svg)[1]) for svg in (wide, narrow)]  # type: ignore[index]
    assert sizes == pytest.approx([72 * WIDTH, 72 * NARROW])
    ids, others = (set(re.findall(r' id="([^"]+)"', svg)) for svg in (wide, narrow))
    assert ids and others and not ids & others
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', narrow)) <= others


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("hard", "hard"),
        ("alphabeta:depth=2", "alphabeta:\ndepth=2"),
        ("the better player as Dr. Light", "the better\nplayer as Dr.\nLight"),
    ],
)
def test_a_long_name_has_several_lines_in_a_narrow_plot(name: str, shown: str) -> None:
    assert wrap_name(name) == shown


def test_what_json_cannot_hold_is_none() -> None:
    assert json_safe([{"a": (1.5, float("inf"))}, float("nan"), "nan"]) == [
        {"a": [1.5, None]},
        None,
        "nan",
    ]


def test_lines_over_the_same_places_stand_apart() -> None:
    lines = [Curve(name, [1.0, 5.0, 6.0], [0.5] * 3) for name in "ab"]
    first, second = (line.x for line in dodge_lines(lines))
    assert all(b - a > 0.2 for a, b in zip(first, second, strict=True))
    assert dodge_lines(lines[:1]) == lines[:1]


@pytest.mark.parametrize("share", [number / 20 for number in range(21)])
def test_the_figures_of_a_heat_map_can_be_read(share: float) -> None:
    light, ink = luminance(share), 0.03  # how light INK is
    contrast = 1.05 / (light + 0.05) if light < DARK_LUMINANCE else (light + 0.05) / (ink + 0.05)
    assert contrast > 3.5


@pytest.mark.parametrize(
    ("seconds", "words"), [(2e-5, "20 µs"), (1e-3, "1 ms"), (0.05, "50 ms"), (2.0, "2 s")]
)
def test_an_axis_of_times_has_units(seconds: float, words: str) -> None:
    assert tick_time(seconds) == words


@pytest.mark.unmeasured
def test_a_report_names_the_rules_that_were_changed(notebook: Notebook) -> None:
    assert "By changed rules of nuts: nuts 10." in markdown_of(VERSUS, notebook)
    usual = {key: value for key, value in VERSUS.items() if key != "rules"}
    assert "changed rules" not in markdown_of(usual | {"matches": 1}, notebook)


def test_a_reduced_report_says_so_at_the_top() -> None:
    [said] = size_blocks(read_experiment("trap-levels", 0.1))
    assert isinstance(said, Paragraph)
    assert re.match(
        r"A reduced run, about 10 % of the full experiment: \d+ matches instead of", said.text
    )
    assert size_blocks(read_experiment("trap-levels")) == []


def test_a_reduced_report_says_why_it_is_no_smaller() -> None:
    [said] = size_blocks(read_experiment("arena-gamma", 0.01))
    assert isinstance(said, Paragraph)
    assert said.text.endswith(
        "about 4 % of the full experiment: 1 match instead of 27 (at least 1 is needed)."
    )
    [said] = size_blocks(read_experiment("trap-ablation", 0.01))
    assert isinstance(said, Paragraph) and "2 positions instead of" in said.text
    assert said.text.endswith("(at least 2 are needed).")


def test_every_size_that_a_scale_reduces_has_a_noun() -> None:
    keys = {key for kind in KINDS.values() for key, one in kind.KEYS.items() if one.scaled}
    assert keys == set(SIZE_NOUNS)


def markdown_of(told: dict[str, Any], notebook: Notebook) -> str:
    outcome = outcome_of(told, notebook)
    return markdown(outcome, report_blocks(outcome))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(1.0, "1.00 s"), (0.0123, "12.3 ms"), (154e-6, "154 µs"), (0.0, "0.00 µs"), (75.0, "75.0 s")],
)
def test_times_are_written_in_units_that_can_be_read(seconds: float, words: str) -> None:
    assert seconds_text(seconds) == words


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
    blocks = report_blocks(outcome)
    for block in blocks:
        match block:
            case Heading(heading):
                assert f"<h2>{heading}</h2>" in page and f"## {heading}" in written
            case Plot(name, drawing, caption):
                assert (tmp_path / "out" / f"{name}.svg").exists()
                assert all(svg in page for svg in drawing)
                assert f"]({name}.svg)" in written and caption
            case ReportTable():
                assert all(len(row) == len(block.columns) for row in block.rows)
    assert any(isinstance(block, Plot) for block in blocks)
    assert "http" not in page.replace("http://www.w3.org", "")
    assert str(Path.home()) not in page and str(tmp_path) not in page
    assert (tmp_path / "out" / PAGE).exists()


@pytest.mark.unmeasured
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
    assert "All algorithms find the same value" in str(report_blocks(outcome)[1])


def test_the_page_has_the_objective_of_the_search_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    assert f"+ {RANGE_COST} of the change of each rule" in page
    assert f"+ {RULE_COST} for each rule that changes" in page
    assert STATES_MAX == 1_000_000 and "at most a million states" in page
    assert NODES_MAX == 20_000_000 and "at most 20 million nodes" in page
    assert f"more than {100 * TOLERANCE:.0f} points from it" in page and f"`{SEARCHER}`" in page


@pytest.mark.unmeasured
def test_the_figures_on_the_page_are_those_of_the_experiments_as_they_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text(encoding="utf-8")
    told = re.findall(r"<!-- figures of ([\w-]+): (\w+) -->", page)
    assert told
    for name, key in told:
        assert read_experiment(name).key().startswith(key), f"docs/lab.md: run {name} again"
