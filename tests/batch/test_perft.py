"""Lines of play counted without recursion, and below many positions at once."""

from typing import Any

import numpy as np
import pytest

from ludex.batch import perft
from ludex.batch.cores import Cores
from ludex.batch.lines import no_moves_left
from ludex.core import rules as ask
from ludex.core.perft import counts
from ludex.kernel.tuples import columns_of, from_column
from tests.batch.test_identity import KINDS
from tests.batch.traces import EVERY_GAME, WIDE
from tests.commands import run
from tests.lines import replay, variant

MOST_LINES = 20_000  # of a game without the compiler


def on_cores(rules: Any, state: Any, depth: int, enough: int = 3, threads: int = 1) -> list[int]:
    """Return the counts of a device whose positions below the first plies are shared out."""
    cores = Cores(rules, state, (None,) * int(ask.seats(rules)), threads)
    return perft.counts(rules, state, depth, cores, enough)


def wanted(rules: Any, state: Any, most: int) -> list[int]:
    """Return the counts by recursion, as deep as there are not too many lines."""
    found = counts(rules, state, 1)
    while len(found) < 8 and 0 < found[-1] < most / 10:
        found = counts(rules, state, len(found) + 1)
    return found


@pytest.mark.plain
@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_game_has_as_many_lines_as_by_recursion(game: str) -> None:
    rules = variant(game)
    start = ask.initial(rules)
    found = wanted(rules, start, MOST_LINES)
    for enough in (1, 3):
        assert on_cores(rules, start, len(found), enough) == found


@pytest.mark.compiled
@pytest.mark.unmeasured
@pytest.mark.parametrize("game", KINDS)
def test_compiled_code_counts_the_same_lines(game: str) -> None:
    rules = variant(game)
    start = ask.initial(rules)
    found = wanted(rules, start, 10 * MOST_LINES)
    assert on_cores(rules, start, len(found)) == found
    assert on_cores(rules, start, len(found), enough=500, threads=3) == found


@pytest.mark.plain
def test_finished_matches_have_no_lines_below() -> None:
    rules = variant("nuts", nuts=10, most=9)
    assert on_cores(rules, ask.initial(rules), 4) == counts(rules, ask.initial(rules), 4)
    over = replay(rules, "take 9", "take 1")
    assert on_cores(rules, over, 3) == [0, 0, 0]


@pytest.mark.plain
def test_the_command_names_the_device_that_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.core.devices.why_no_card", lambda: "no NVIDIA card was found")
    told = run("count", "nuts", "--depth", "2", "--device", "auto").stdout
    assert told.endswith(" s on cpu\n")


@pytest.mark.plain
def test_untried_moves_of_a_wide_game_are_kept_in_columns() -> None:
    rules = variant(WIDE)
    none = no_moves_left(rules)
    assert from_column(none, columns_of(none, none), 1) == none
    assert columns_of(none).shape == (4, 1) and columns_of(none).dtype == np.int64
