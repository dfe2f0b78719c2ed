"""What the tests share."""

import gc
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import coverage
import pytest
from hypothesis import settings
from xdist.scheduler import LoadScopeScheduling

from ludex.external import launch, sandbox
from ludex.games import GAMES
from ludex.solve import known_solutions
from ludex.store import Store
from ludex.store.notebook import Notebook
from tests.classes import NUTS
from tests.students import PROVIDED
from tools.postgresql import Missing, running

settings.register_profile("house", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "120")

# A shell lets what runs in the background ignore Ctrl-C, and some tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Matches of tests are not kept among those of the user.
data = tempfile.TemporaryDirectory(prefix="ludex-tests-")
os.environ["LUDEX_DATA"] = data.name
os.environ.pop("LUDEX_DB", None)

# Their tests are repeated for many games, and measuring them takes longer than running them.
REPEATED = {"search", "solve"}
# Fixtures that take seconds to start; files of tests share what they start.
SHARED = {"browser", "reader"}
COVERAGE = "COVERAGE_PROCESS_CONFIG"  # by which a new process knows that it is measured
config = os.environ.get(COVERAGE)


@pytest.fixture
def measured_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure what the processes cover that a test starts, programs without a sandbox too."""
    if config is not None:
        monkeypatch.setenv(COVERAGE, config)
        monkeypatch.setitem(launch.ENVIRONMENT, COVERAGE, config)


@pytest.fixture
def unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let foreign agents play without a sandbox."""
    monkeypatch.setenv(sandbox.UNSAFE, "1")


@pytest.fixture
def handed_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the modules of a course be imported here."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(PROVIDED / request.param))
    yield
    for name in set(sys.modules) - before:
        if str(PROVIDED) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let solutions be kept in a folder of their own, and return it."""
    there = tmp_path / "solutions"
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(there))
    known_solutions.recent.clear()
    known_solutions.recent_equilibria.clear()
    known_solutions.too_big.clear()
    return there


@pytest.fixture
def postgresql() -> Iterator[str]:
    """Yield the URL of a PostgreSQL server, or skip the test where there is none."""
    try:
        with running() as url:
            yield url
    except Missing as error:
        pytest.skip(str(error))


@pytest.fixture
def notebook(tmp_path: Path) -> Notebook:
    """Return a notebook of experiments with nothing in it."""
    return Notebook(Store(f"sqlite:///{tmp_path / 'lab.db'}"))


@pytest.fixture
def order(tmp_path: Path) -> Path:
    """Return the assignment of a small class."""
    file = tmp_path / "nuts.toml"
    file.write_text(NUTS, encoding="utf-8")
    return file


# The games that files of tests compile for, although no test there names them.
COMPILED_FOR = {
    "tests/cli/test_solve.py": "trap",
    "tests/learn/test_td.py": "trap",
    "tests/learn/test_td_training.py": "trap",
    "tests/solve/test_memory.py": "trap",
    "tests/solve/test_proof.py": "arena",
}


class SchedulingByGame(LoadScopeScheduling):
    """Let one process run all tests of a game, or of a file where a test names no game.

    What compiled functions inline is compiled again in every process, and so is what two processes
    need at the same time.
    """

    def _split_scope(self, nodeid: str) -> str:
        file, _, name = nodeid.partition("::")
        function, *parameters = re.split(r"[\[\]-]", name)
        words = [*parameters, *function.split("_")]
        return next(filter(is_game, words), COMPILED_FOR.get(file, file))


def is_game(text: str) -> bool:
    return text in GAMES or text.startswith("examples/")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> SchedulingByGame | None:
    """Distribute the tests of `--dist loadscope` by their games."""
    return SchedulingByGame(config, log) if config.getvalue("dist") == "loadscope" else None


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what shares a browser or a kernel, and measure no test again for another game.

    Processes that have nothing left take over the last tests of another, so that one of them runs
    all of the first ones.
    """
    items.sort(key=lambda item: SHARED.isdisjoint(getattr(item, "fixturenames", ())))
    if coverage.Coverage.current() is None:
        return
    first: dict[object, pytest.Item] = {}
    again = []
    for item in items:
        test = item.path, getattr(item, "originalname", item.name)
        key = test if item.path.parent.name in REPEATED else item.nodeid
        if first.setdefault(key, item) is not item:
            again.append(item)
    config.hook.pytest_deselected(items=again)
    items[:] = first.values()


def pytest_collection_finish() -> None:
    """Leave out of the measurement what tests do not ask for, and of garbage collection the rest.

    From here on no process is measured, except where a test says so, and what is there already is
    not searched for garbage again.
    """
    gc.freeze()
    os.environ.pop(COVERAGE, None)


def pytest_sessionfinish() -> None:
    """Save what was covered: a process of the run that ends slowly is killed before it does so."""
    if (tracer := coverage.Coverage.current()) is not None:
        tracer.save()
