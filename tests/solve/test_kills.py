"""The benchmark that kills solvers notices when one of them fails by itself."""

import random
from pathlib import Path

import pytest

from bench import kills
from ludex.core.rules import initial
from ludex.solve.solution_file import path_of
from ludex.solve.solving import checkpoint_path
from tests.lines import variant
from tests.solutions import start

pytestmark = pytest.mark.plain


class Crashed:
    """Stands for a process that ended with an error before it was killed."""

    def wait(self, seconds: float) -> int:
        return 1


def test_a_solver_that_crashes_ends_the_benchmark(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kills, "complete", lambda *known: None)
    monkeypatch.setattr(kills, "start", lambda *known: Crashed())
    with pytest.raises(SystemExit, match="solving nuts failed with code 1"):
        kills.killed("nuts", "", 1, random.Random(1))


def test_only_a_solution_is_compared(solutions: Path) -> None:
    rules = variant("nuts")
    start(rules)
    wanted = kills.digest(solutions)
    checkpoint = checkpoint_path(rules, initial(rules))
    assert path_of(rules, initial(rules)).parent == checkpoint.parent == solutions
    checkpoint.touch()
    (solutions / f".{checkpoint.name}.abcd_123").touch()
    assert kills.digest(solutions) == wanted
