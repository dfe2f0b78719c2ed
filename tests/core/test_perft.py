"""Lines of play are as many as they should be."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from ludex.core.perft import counts, lines
from ludex.core.rules import initial
from tests.lines import replay, variant

TABLE: list[dict[str, Any]] = tomllib.loads(
    (Path(__file__).parents[1] / "perft.toml").read_text(encoding="utf-8")
)["count"]
# Without the JIT a count stops here.
SLOW = 10_000


@pytest.mark.compiled
@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: str(entry["game"]))
def test_counts_are_those_of_the_table(entry: dict[str, Any]) -> None:
    rules = variant(entry["game"])
    assert counts(rules, initial(rules), len(entry["counts"])) == entry["counts"]


@pytest.mark.plain
@pytest.mark.parametrize("entry", TABLE, ids=lambda entry: str(entry["game"]))
def test_interpreted_counts_are_those_of_the_table(entry: dict[str, Any]) -> None:
    rules = variant(entry["game"])
    interpreted = getattr(lines, "py_func", lines)
    for depth, total in enumerate(entry["counts"], 1):
        if total < SLOW:
            assert interpreted(rules, initial(rules), depth) == total


def test_a_finished_match_has_no_lines() -> None:
    rules = variant("nuts", nuts=10)
    over = replay(rules, "take 3", "take 3", "take 3", "take 1")
    assert lines(rules, over, 1) == 0


def test_a_pass_that_nobody_chose_is_no_ply() -> None:
    # Five of six first rolls move nothing: behind each is the next seat's roll, not a pass.
    assert counts(variant("aeroplane", planes=1), initial(variant("aeroplane")), 2) == [6, 31]
