"""What a notebook shows of figures, boards and results."""

import inspect
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ludex
from ludex.conformance.check import CheckReport
from ludex.core.scene import text_scene
from ludex.kernel import jit
from ludex.library import exploitability
from ludex.render.svg import svg
from ludex.solve import best_response, evaluator, solving
from ludex.solve.evaluation import Budget
from tests.library.test_library import First

pytestmark = pytest.mark.plain
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def series() -> ludex.Series:
    nuts = ludex.load("nuts", nuts=10)
    return ludex.play(nuts, First(), "random", matches=6, seed=1, progress=False)


# Figures. ---------------------------------------------------------------------------------------


def test_a_notebook_shows_the_figure_of_a_series(series: ludex.Series) -> None:
    assert series.plot()._repr_svg_().startswith("<svg")


@pytest.mark.unmeasured
def test_a_notebook_shows_a_learning_curve(tmp_path: Path) -> None:
    trained = ludex.train("nuts", "hats", matches=20, file=tmp_path / "h.npz", seed=1)
    assert trained.plot()._repr_svg_().startswith("<svg")


@pytest.mark.parametrize("matches", [1, 20])
def test_ticks_are_at_whole_matches(matches: int) -> None:
    played = ludex.play("nuts", First(), "random", matches=matches, seed=1, progress=False)
    ticks = played.plot().axes[0].get_xticks()
    assert len(ticks) and all(tick == round(tick) for tick in ticks)


# Results in one line and as tables. -------------------------------------------------------------


def test_a_record_names_its_game_its_agents_and_its_end(series: ludex.Series) -> None:
    record = series.records[0]
    first, second = record.agents
    assert repr(record) == (
        f"<Record of nuts: {first} {record.returns[0]:+g}, {second} {record.returns[1]:+g};"
        f" BY_RULES after {len(record.moves)} moves>"
    )
    assert ">nuts</td>" in record._repr_html_()


def test_a_replay_lists_who_moved_and_where(series: ludex.Series) -> None:
    past = ludex.replay(series.records[0])
    assert past.table[0] == {
        "move": 1,
        "player": "Player 1",
        "label": past.labels[0],
        "position": "10 0",
    }
    assert len(past.table) == len(past.labels)
    assert repr(past).startswith(f"<Replay of nuts: BY_RULES after {len(past.labels)} moves: ")
    assert "Player 1 (" in past._repr_html_() and past.labels[-1] in past._repr_html_()


def test_an_analysis_is_one_line_and_two_tables(series: ludex.Series) -> None:
    analysis = ludex.analyse(series.records[0])
    shown = repr(analysis)
    assert shown.startswith("<Analysis of nuts by the exact solution: ") and len(shown) < 160
    assert [row["seat"] for row in analysis.totals] == ["Player 1", "Player 2"]
    assert len(analysis.table) == len(analysis.decisions)
    assert analysis._repr_html_().count("<table>") == 2


def test_a_check_says_whether_the_contract_is_kept() -> None:
    kept = CheckReport(42, 5, 1)
    assert repr(kept) == (
        "<CheckReport: keeps the contract: 42 states examined, 5 random lines played"
        " (1 without an end)>"
    )
    broken = CheckReport(3, 0, 0, "turn is 7", ("a", "b"), "1 0")
    assert repr(broken) == "<CheckReport: breaks the contract: turn is 7 at '1 0'>"
    assert ">turn is 7</td>" in broken._repr_html_()


def test_a_search_tree_says_what_it_found() -> None:
    tree = ludex.tree(ludex.load("nuts", nuts=10), "alphabeta", depth=3, position="5 0")
    assert repr(tree) == "<SearchTree of nuts by alphabeta: depth 3, 31 nodes, best 'take 1'>"


def test_a_table_in_a_notebook_has_percentages_ratings_and_units() -> None:
    row = {
        "share": 0.475,
        "interval": (0.3294, 0.625),
        "elo": -9.643e-15,
        "elo_interval": (-12.6, 8.4),
        "seconds_per_decision": 1.235e-05,
    }
    table = ludex.Table([row])
    shown = table._repr_html_()
    for text in ("47.5 %", "[32.9 %, 62.5 %]", ">0<", "[-13, 8]", "12.4 µs"):
        assert text in shown
    assert table[0] == row


def test_a_cross_table_shows_percentages() -> None:
    found = ludex.tournament("nuts", ["random", First()], matches=2, seed=1, progress=False)
    shares = [row["First"] for row in found.cross_table if row["agent"] == "random"]
    assert f"{100 * shares[0]:.1f} %" in found.cross_table._repr_html_()


def test_options_of_agents_read_as_they_are_typed() -> None:
    shown = ludex.available_agents()._repr_html_()
    assert "depth=4 (1 to 100): " in shown and "default" not in shown


def test_the_signature_of_analyse_shows_no_function() -> None:
    assert "function" not in str(inspect.signature(ludex.analyse))


def test_a_series_shows_elo_the_test_and_repeated_matches() -> None:
    sprt = "elo0=0,elo1=200"
    series = ludex.play("nuts", First(), First(), matches=8, seed=1, sprt=sprt, progress=False)
    lines = repr(series).splitlines()
    assert lines[1].startswith("Elo +0 (from pairs with the same random numbers, ")
    assert lines[2].startswith("SPRT: go on (LLR ") and lines[3].startswith("not decided")
    assert lines[-1].startswith(f"only {series.different} of the matches are different, the")
    assert series.different < 4
    assert all(line in series._repr_html_() for line in lines[1:])


def test_matches_of_chance_are_not_called_repeated() -> None:
    same = ludex.play("nuts", First(), First(), matches=8, seed=1, progress=False)
    assert same.different < 4 and same.repetitions
    drawn = ludex.Series(same.event, same.watch, chance=True)
    assert drawn.different == 8 and not drawn.repetitions


def test_a_headline_stands_above_the_table(series: ludex.Series) -> None:
    nuts = ludex.load("nuts", nuts=10)
    found = ludex.exploitability(nuts, "random", progress=False)
    assert found._repr_html_().startswith("<p>Exploitability of random: 0.963</p><table>")
    assert repr(found) == "<Exploitability of random: 0.963>"
    assert CheckReport(42, 5, 1)._repr_html_().startswith("<p>keeps the contract: 42 states")
    assert series._repr_html_().startswith("<p>Series: First 2 won, 0 drawn, 4 lost against ran")
    choice = nuts.agent("minimax:depth=2").choose(nuts.new_match("2 0"))
    assert choice._repr_html_().startswith("<p>take 1, value +1")
    trained = ludex.train(nuts, "hats", matches=20, seed=1)
    assert trained._repr_html_().startswith("<p>hats after 20 matches: ")


def test_a_rounding_error_is_no_negative_exploitability(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = best_response.value_against
    more = lambda answers, tell: exact(answers, tell) + (1 - 2 * answers.seat) * 1e-12  # noqa: E731
    monkeypatch.setattr(exploitability, "value_against", more)
    found = ludex.exploitability(ludex.load("nuts", nuts=10), "exact", progress=False)
    assert str(found.value) == "0.0" and [str(one["loss"]) for one in found.seats] == ["0.0"] * 2


def test_texts_of_a_table_are_on_the_left_and_numbers_on_the_right() -> None:
    shown = ludex.Table([{"a": "x", "n": 1}, {"a": "y", "n": None}])._repr_html_()
    for text in ("a", "x", "y"):
        assert f'left">{text}<' in shown
    for text in ("n", "1", ""):
        assert f'right">{text}<' in shown


def test_a_replay_shows_the_board_after_any_move(series: ludex.Series) -> None:
    past = ludex.replay(series.records[0])
    match = past.match(2)
    assert (match.position, match.labels) == (past.positions[2], past.labels[:2])
    match.push(past.labels[2])
    match.pop()
    assert match.position == past.positions[2]
    assert past.match().over and past.match(0).position == "10 0"
    with pytest.raises(ValueError, match=rf"^moves 99: expected 0 to {len(past.labels)}$"):
        past.match(99)


def test_a_match_in_progress_is_shown_as_unfinished() -> None:
    match = ludex.load("nuts").new_match()
    match.push("take 1")
    assert repr(match.record()).endswith("; unfinished after 1 move>")
    assert repr(ludex.replay(match)).startswith("<Replay of nuts: unfinished after 1 move: ")
    assert repr(ludex.replay(match)).endswith(": Player 1 +0, Player 2 +0.>")
    old = match.record()._replace(words="")
    assert repr(ludex.replay(old)).startswith("<Replay of nuts: TRUNCATED after 1 move: ")


# Boards of games that do not draw themselves. ---------------------------------------------------


def test_a_game_without_a_scene_shows_its_board_as_text() -> None:
    match = ludex.load(ROOT / "examples" / "pig.py").new_match(seed=1)
    match.push(match.legal_moves()[0])
    drawn = match.svg()
    for line in textwrap.dedent(match.board()).splitlines():
        assert f">{line}</text>" in drawn
    assert 'font-size="0"' not in drawn


def test_spaces_and_columns_of_a_board_stay_where_they_are() -> None:
    drawn = svg(text_scene("a  b\n c"))
    assert ">a  b</text>" in drawn and "> c</text>" in drawn
    assert drawn.count('monospace" xml:space="preserve"') == 2


def test_a_long_position_is_wrapped() -> None:
    found = text_scene("12 " * 100)
    assert len(found.shapes) > 4 and found.width < 1200
    assert "".join(shape.text for shape in found.shapes) == "12 " * 100


# Times. -----------------------------------------------------------------------------------------


@pytest.fixture
def compiling_takes(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that lets another one compile first, for 100 s of a clock of our own."""
    fake: Any = SimpleNamespace(now=0.0, perf_counter=lambda: fake.now)
    monkeypatch.setattr(jit, "time", fake)
    monkeypatch.setattr(jit, "stopwatch", jit.ThinkingClock())

    def slow_down(owner: Any, name: str) -> None:
        function = getattr(owner, name)

        def compile_first(*given: Any) -> Any:
            with jit.compiling():
                fake.now += 100.0
            return function(*given)

        monkeypatch.setattr(owner, name, compile_first)

    return slow_down


def test_the_seconds_of_a_solution_do_not_count_compiling(compiling_takes: Any) -> None:
    compiling_takes(solving, "finish")
    match = ludex.load("nuts", nuts=10).new_match()
    assert solving.solve(match.rules, match.state).facts["seconds"] == 0.0


def test_the_seconds_of_a_proof_do_not_count_compiling(compiling_takes: Any) -> None:
    nuts = ludex.load("nuts", nuts=10)
    exact = evaluator.ProofEvaluator(
        nuts.rules, nuts.new_match().state, Budget.to_solve(None), "outcome", None
    )
    compiling_takes(type(exact.prover), "prove")
    assert exact.prove(nuts.new_match().state).seconds == 0.0


def test_the_seconds_of_an_exploitability_do_not_count_compiling(compiling_takes: Any) -> None:
    nuts = ludex.load("nuts", nuts=10)
    nuts.solve(progress=False)
    compiling_takes(exploitability, "value_against")
    assert ludex.exploitability(nuts, "random", processes=1, progress=False).seconds == 0.0
