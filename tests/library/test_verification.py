"""Solutions verified from Python: of a game, or in a file that names its game."""

from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.io.array_file import contents, write
from ludex.solve.solution_file import SOLUTION_ARRAYS, identity
from tests.solutions import kept

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]


def test_a_game_or_a_file_can_be_verified_from_python() -> None:
    *_, path = kept("nuts", nuts=10)
    nuts = ludex.load("nuts", nuts=10)
    by_game, by_file = ludex.verify(nuts), ludex.verify(path)
    assert by_game.fault == by_file.fault == ""
    assert by_game.states == by_file.states == 20
    assert repr(by_game).startswith("<Verification: 20 states verified; residual 0.0e+00,")
    assert "states verified" in by_game._repr_html_()


@pytest.mark.parametrize(
    ("name", "owner", "words"),
    [
        ("nuts.part.npz", {}, "is not finished: ludex solve goes on from there"),
        ("nuts.npz", {"equilibrium": 1}, "is an equilibrium"),
        ("nuts.npz", {"rules": "(1, 2, 3, 4, 5)"}, "names no rules and position of nuts"),
        ("nuts.npz", {"rules": "open('x')"}, "names no rules and position of nuts"),
        ("nuts.npz", {"start": "1000 0"}, "names no rules and position of nuts"),
        ("nuts.npz", {"sources": "0" * 64}, "belongs to another version of nuts"),
    ],
)
def test_a_file_that_names_something_else_is_refused(
    name: str, owner: dict[str, Any], words: str, tmp_path: Path
) -> None:
    rules, first, path = kept("nuts", nuts=10)
    arrays, meta = contents(path, SOLUTION_ARRAYS)
    write(tmp_path / name, identity(rules, first) | owner, arrays, meta["facts"])
    assert words in ludex.verify(tmp_path / name, progress=False).fault


def test_something_else_than_a_solution_is_refused(tmp_path: Path) -> None:
    note = tmp_path / "note.npz"
    note.write_text("a list of things to buy")
    assert ludex.verify(note).fault == f"{note} is not a file that ludex solve has written"
