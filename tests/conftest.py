"""What the tests share."""

import os
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import coverage
import pytest
from hypothesis import settings

from ludex.foreign import sandbox
from ludex.solve import exact
from ludex.store import Store
from ludex.store.notebook import Notebook
from tests.classes import NUTS
from tests.students import HANDOUTS

settings.register_profile("house", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "120")

# A shell lets what runs in the background ignore Ctrl-C, and some tests press it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Matches of tests are not kept among those of the user.
data = tempfile.TemporaryDirectory(prefix="ludex-tests-")
os.environ["LUDEX_DATA"] = data.name

# The subject of these is not compiled code: they run once, in the run without the compiler, except
# where a test says that it needs it.
PLAIN = {
    "test_analysis",
    "test_classic",
    "test_cli",
    "test_cli_solve",
    "test_clocks",
    "test_comparison",
    "test_console",
    "test_course_aeroplane",
    "test_course_droids",
    "test_course_trap",
    "test_courses",
    "test_cputime",
    "test_docs",
    "test_events",
    "test_files",
    "test_foreign",
    "test_grade",
    "test_gradescope",
    "test_history",
    "test_host",
    "test_illegal",
    "test_lab",
    "test_lab_balance",
    "test_lab_cli",
    "test_lab_intervals",
    "test_lab_levels",
    "test_lab_order",
    "test_lab_page",
    "test_learn_contract",
    "test_manual",
    "test_marks",
    "test_match",
    "test_motion",
    "test_named_agents",
    "test_output",
    "test_packages",
    "test_peers",
    "test_peers_gym",
    "test_peers_page",
    "test_peers_spiel",
    "test_peers_zoo",
    "test_picture",
    "test_plan",
    "test_processes",
    "test_reading",
    "test_record",
    "test_sandbox",
    "test_stats",
    "test_stats_ratings",
    "test_stats_sprt",
    "test_store",
    "test_submission",
    "test_tournament",
    "test_train",
    "test_transcripts",
    "test_variant",
    "test_web",
    "test_web_contest",
    "test_web_lab",
    "test_web_opinion",
    "test_web_pages",
    "test_web_play",
    "test_web_record",
    "test_web_rest",
    "test_web_table",
    "test_web_train",
    "test_windows",
    "test_without_extras",
}


measured: set[tuple[Path, str]] = set()
"""Tests of which is known what they cover."""


@pytest.fixture
def unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let foreign agents play without a sandbox."""
    monkeypatch.setenv(sandbox.UNSAFE, "1")


@pytest.fixture
def handed_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the modules of a course be imported here."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(HANDOUTS / request.param))
    yield
    for name in set(sys.modules) - before:
        if str(HANDOUTS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture
def solutions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Let solutions be kept in a folder of their own, and return it."""
    there = tmp_path / "solutions"
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(there))
    exact.found_solution.cache_clear()
    exact.elsewhere.clear()
    return there


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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what need not run twice."""
    for item in items:
        if item.path.stem in PLAIN and item.get_closest_marker("compiled") is None:
            item.add_marker("plain")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Measure what a test of compiled code covers by its first parameters only.

    Its other parameters are mostly other games, and measuring takes longer than what is measured.
    """
    measuring = coverage.Coverage.current()
    name = (item.path, getattr(item, "originalname", item.name))
    if measuring is None or item.path.stem in PLAIN or name not in measured:
        measured.add(name)
        yield
        return
    measuring.stop()
    try:
        yield
    finally:
        measuring.start()


def pytest_sessionfinish() -> None:
    """Save what was covered: a process of the run that ends slowly is killed before it does so."""
    if (measuring := coverage.Coverage.current()) is not None:
        measuring.save()
