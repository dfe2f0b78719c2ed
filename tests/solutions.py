"""Solutions on disk, for tests: made, compared, damaged and interrupted."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ludex.core.play import read_state
from ludex.core.rules import Rules, State, initial
from ludex.io.array_file import Arrays, contents, write
from ludex.solve.solution import Solution, save
from ludex.solve.solution_file import SOLUTION_ARRAYS, path_of
from ludex.solve.solving import solve
from tests.lines import variant
from tests.solved import solution


def droids() -> Rules:
    return variant("droids", rows=2, columns=3, shots=1, rounds=4)


def start(rules: Rules) -> Solution:
    return solve(rules, initial(rules))


def assert_same(found: Solution | None, wanted: Solution) -> None:
    assert found is not None
    for name in ("fields", "keys", "values", "tie_values", "progress"):
        one, other = getattr(found, name), getattr(wanted, name)
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)
    assert found.folding == wanted.folding


def kept(game: str, start: str = "", **texts: Any) -> tuple[Rules, State, Path]:
    """Return the rules of a game, a first state, and the file of its solution."""
    rules, found = solution(game, None, start, **texts)
    first = read_state(rules, start) if start else initial(rules)
    return rules, first, save(rules, first, found)


def rewritten(path: Path, change: Callable[[Arrays], None]) -> None:
    """Change what is in a file, and give it a new checksum."""
    arrays, meta = contents(path, SOLUTION_ARRAYS)
    change(arrays)
    write(path, meta["owner"], arrays, meta["facts"])


def exchange_values(arrays: Arrays) -> None:
    values = arrays["values"]
    values[[values.argmin(), values.argmax()]] = values.max(), values.min()


def truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def replaced(path: Path) -> None:
    path.write_text("a list of things to buy")


def foreign(path: Path) -> None:
    other = variant("nuts", nuts=30)
    start(other)
    shutil.copy(path_of(other, initial(other)), path)


class Teller:
    """Notes what it is told, and interrupts when it is told something for the so-manieth time."""

    def __init__(self, word: str = "", times: int = 0) -> None:
        self.word, self.times = word, times
        self.told: list[str] = []

    def __call__(self, what: str, done: int, total: int) -> None:
        self.told.append(what)
        if self.word and what.startswith(self.word):
            self.times -= 1
            if self.times == 0:
                raise KeyboardInterrupt

    def count(self, word: str) -> int:
        return sum(what.startswith(word) for what in self.told)
