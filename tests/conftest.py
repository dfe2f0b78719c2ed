"""What the tests share."""

import os
import tempfile

import coverage
import pytest
from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("house")
os.environ.setdefault("COLUMNS", "120")

# Matches of tests are not kept among those of the user.
data = tempfile.TemporaryDirectory(prefix="ludex-tests-")
os.environ["LUDEX_DATA"] = data.name

# The subject of these is not compiled code: they run once, in the run without the compiler, except
# where a test says that it needs it.
PLAIN = {
    "test_analysis",
    "test_classic",
    "test_cli",
    "test_clocks",
    "test_console",
    "test_courses",
    "test_docs",
    "test_files",
    "test_foreign",
    "test_grade",
    "test_host",
    "test_lab",
    "test_lab_balance",
    "test_lab_cli",
    "test_learn_contract",
    "test_match",
    "test_peers",
    "test_peers_gym",
    "test_peers_page",
    "test_peers_spiel",
    "test_peers_zoo",
    "test_picture",
    "test_plan",
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
    "test_variant",
    "test_web",
    "test_web_contest",
    "test_web_opinion",
    "test_web_record",
    "test_web_rest",
    "test_web_table",
}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what need not run twice."""
    for item in items:
        if item.path.stem in PLAIN and item.get_closest_marker("compiled") is None:
            item.add_marker("plain")


def pytest_sessionfinish() -> None:
    """Save what was covered: a process of the run that ends slowly is killed before it does so."""
    if (measuring := coverage.Coverage.current()) is not None:
        measuring.save()
