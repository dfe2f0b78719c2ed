"""Ctrl-C in a series, tournament or training: IPython gets the result so far, a script an error."""

import math
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import ludex
from ludex.learn import training
from ludex.learn.weights import as_arrays

pytestmark = pytest.mark.plain


@pytest.fixture
def ipython(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pretend that this is IPython in a terminal."""
    shell = SimpleNamespace(get_ipython=lambda: object())
    monkeypatch.setitem(sys.modules, "IPython", shell)


def stopper(choices: int) -> Callable[[ludex.Match], int]:
    """Return an agent that presses Ctrl-C at a choice; it has at most 11 of them in a match."""
    made = 0

    def choose(match: ludex.Match) -> int:
        nonlocal made
        made += 1
        if made == choices:
            signal.raise_signal(signal.SIGINT)
        return 0

    return choose


@pytest.fixture
def stopped_training(monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C in the fourth part of a training that has a checkpoint after each part."""
    plain, parts = training.Training.train_more, 0

    def train_more(self: training.Training, matches: int) -> None:
        nonlocal parts
        parts += 1
        plain(self, matches)
        if parts == 4:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(training, "CHECKPOINT", -1.0)
    monkeypatch.setattr(training, "LOOK_SECONDS", math.inf)  # parts of 1, 2, 4 and 8 matches
    monkeypatch.setattr(training.Training, "train_more", train_more)


@pytest.mark.usefixtures("ipython")
def test_ipython_gets_the_matches_that_were_played(capsys: pytest.CaptureFixture[str]) -> None:
    series = ludex.play("nuts", stopper(30), "random", matches=100, seed=1)
    assert series.interrupted and 0 < series.matches < 100
    assert len(series.records) == series.matches
    assert repr(series).startswith("<Series, interrupted: choose ")
    wanted = f"interrupted after {series.matches} of 100 matches\n"
    assert capsys.readouterr().err == wanted


@pytest.mark.usefixtures("ipython")
def test_ipython_gets_the_standing_of_an_interrupted_tournament() -> None:
    found = ludex.tournament("nuts", stopper(30), "random", matches=100, seed=1)
    assert found.interrupted and 0 < len(found.played) < 100
    assert repr(found).startswith("<Tournament of 2 agents, interrupted>")


@pytest.mark.usefixtures("ipython")
def test_ctrl_c_before_the_first_result_is_an_error_in_ipython() -> None:
    with pytest.raises(KeyboardInterrupt):
        ludex.play("nuts", stopper(1), "random", matches=100, seed=1)


def test_a_script_is_told_which_event_has_the_matches(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'matches.db'}"
    with pytest.raises(KeyboardInterrupt) as caught:
        ludex.play("nuts", stopper(30), "random", matches=100, seed=1, store=url)
    [note] = caught.value.__notes__
    assert note.startswith("interrupted after ")
    assert note.endswith(" of 100 matches; event 1 has them, and the same call with seed=1 goes on")
    assert len(ludex.past_event(1, store=url).records) == int(note.split()[2])


def test_all_of_a_series_is_not_interrupted() -> None:
    series = ludex.play("nuts", "random", "random", matches=2, processes=1)
    assert not series.interrupted and repr(series).startswith("<Series: random ")


@pytest.mark.usefixtures("ipython", "stopped_training")
def test_ipython_gets_the_learner_of_the_last_checkpoint(tmp_path: Path) -> None:
    found = ludex.train("nuts", "qtable", matches=10**6, file=tmp_path / "q.npz", seed=1)
    assert found.interrupted and found.training.matches == 7
    assert found.curve[-1]["matches"] == 7
    whole = ludex.train("nuts", "qtable", matches=7, seed=1)
    learned = as_arrays(found.training.memory), as_arrays(whole.training.memory)
    assert all(map(np.array_equal, *learned))


@pytest.mark.usefixtures("ipython", "stopped_training")
def test_an_interrupted_training_does_not_replace_a_file(tmp_path: Path) -> None:
    file = tmp_path / "q.npz"
    before = ludex.train("nuts", "qtable", matches=1, file=file, seed=1)
    found = ludex.train("nuts", "qtable", matches=10**6, file=file, seed=1)
    assert found.interrupted and not before.interrupted
    assert found.file != file and ludex.inspect(file).facts["matches"] == 1


@pytest.mark.usefixtures("stopped_training")
def test_a_script_is_told_which_file_has_the_training(tmp_path: Path) -> None:
    file = tmp_path / "q.npz"
    with pytest.raises(KeyboardInterrupt) as caught:
        ludex.train("nuts", "qtable", matches=10**6, file=file, seed=1)
    assert caught.value.__notes__ == [
        f"interrupted after 7 matches; {file} has them, and resume=True goes on"
    ]
