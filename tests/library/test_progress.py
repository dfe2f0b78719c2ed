"""How far long work is, in a notebook, a terminal, and for programs."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

import ludex
from ludex.kernel import jit
from ludex.library import progress

pytestmark = pytest.mark.plain


@pytest.fixture
def cell(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Pretend that this is a notebook, and return what its cell has shown."""
    lines: list[str] = []
    handle = SimpleNamespace(update=lines.append)
    kernel = SimpleNamespace(kernel=object())
    display: Any = SimpleNamespace(HTML=str, display=lambda text, display_id: handle)
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: kernel))
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    return lines


def test_a_notebook_keeps_no_line_of_what_is_done_at_once(
    cell: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progress, "PATIENCE", 60.0)
    with progress.show_progress() as tell:
        tell("matches", 3, 10)
        tell("matches", 10, 10)
    assert cell == []


def test_a_notebook_shows_a_line_that_is_gone_at_the_end(cell: list[str]) -> None:
    with progress.show_progress() as tell:
        tell("matches", 3, 10)
    assert cell == ['<progress value="3" max="10"></progress> matches: 3 of 10', ""]


def test_a_notebook_shows_that_a_choice_waits_for_compiling(cell: list[str]) -> None:
    def choose(match: ludex.Match) -> int:
        for listener in jit.listeners:
            listener("nuts")
        return 0

    nuts = ludex.load("nuts")
    nuts.agent(choose).choose(nuts.new_match())
    assert cell == ["compiling the rules of nuts, and keeping the result …", ""]


def test_a_notebook_shows_nothing_where_nothing_is_compiled(cell: list[str]) -> None:
    nuts = ludex.load("nuts")
    nuts.agent(lambda match: 0).choose(nuts.new_match())
    assert cell == []


def test_a_notebook_shows_a_new_stage_at_once(cell: list[str]) -> None:
    with progress.show_progress() as tell:
        tell("listing states", 42, 42)
        tell("solving, sweep 1", 0, 42)
        tell("solving, sweep 2", 0, 42)
    bars = ['42" max="42"></progress> listing', '0" max="42"></progress> solving, sweep 1']
    assert len(cell) == 3
    assert all(bar in line for bar, line in zip(bars, cell, strict=False))


def test_a_notebook_shows_the_stage_again_when_all_is_compiled(cell: list[str]) -> None:
    with progress.show_progress() as tell:
        tell("preparing to solve", 0, 0)
        with jit.compiling():
            for listener in jit.listeners:
                listener("nuts")
    compiling = "compiling the rules of nuts, and keeping the result …"
    assert cell == ["preparing to solve …", compiling, "preparing to solve …", ""]


def test_a_program_sees_nothing(cell: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with progress.show_progress(False) as tell:
        tell("matches", 3, 10)
    assert cell == [] and capsys.readouterr() == ("", "")


# Learning curves that grow. ---------------------------------------------------------------------


def test_a_function_watches_every_point_of_a_training() -> None:
    seen: list[int] = []
    trained = ludex.train(
        "nuts", "hats", matches=250, seed=1, watch=lambda now: seen.append(len(now.curve))
    )
    assert seen == [1, 2, 3, 4]
    assert [row["matches"] for row in trained.curve] == [0, 100, 200, 250]


def test_the_agent_that_is_watched_has_learned_as_much_as_its_curve_says() -> None:
    learned: list[int] = []
    look = lambda now: learned.append(ludex.inspect(now).facts["matches"])  # noqa: E731
    ludex.train("nuts", "qtable", matches=250, seed=1, watch=look)
    assert learned == [0, 100, 200, 250]


def test_a_notebook_draws_a_growing_curve_in_one_place(
    cell: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ludex.TrainingResult, "plot", lambda self: len(self.curve))
    first: list[Any] = []
    handle = SimpleNamespace(update=cell.append)

    def display(thing: Any, display_id: bool) -> Any:
        first.append(thing)
        return handle

    monkeypatch.setattr(sys.modules["IPython.display"], "display", display)
    ludex.train("nuts", "hats", matches=250, seed=1, watch=True, progress=False)
    assert (first, cell) == ([1], [2, 3, 4])


def test_what_cannot_watch_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^watch 3: expected True, False or a function$"):
        ludex.train("nuts", "hats", matches=5, watch=3)  # type: ignore[arg-type]


def test_a_script_may_ask_to_watch() -> None:
    assert ludex.train("nuts", "hats", matches=1, seed=1, watch=True).training.matches == 1
