"""What the tests share."""

import gc
import os
import re
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest
from hypothesis import settings
from numba.core import config as jit_config

from ludex.external import launch, sandbox
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
# The tests that the half with the compiler selects, and a file that has none unless it says so.
WITH_COMPILED_CODE = "compiled or not plain"
PLAIN = re.compile(r"^pytestmark = \[?pytest\.mark\.plain\b", re.MULTILINE)


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


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file of which the tests with compiled code are to leave out all."""
    if config.option.markexpr != WITH_COMPILED_CODE or collection_path.suffix != ".py":
        return None
    text = collection_path.read_text(encoding="utf-8")
    return True if PLAIN.search(text) and "mark.compiled" not in text else None


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


def pytest_runtest_teardown() -> None:
    """Search nothing for garbage again that the compiler has left: it is a million objects soon."""
    if not jit_config.DISABLE_JIT:
        gc.freeze()


def pytest_sessionfinish() -> None:
    """Save what was covered: a process of the run that ends slowly is killed before it does so."""
    if (tracer := coverage.Coverage.current()) is not None:
        tracer.save()
