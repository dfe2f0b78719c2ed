"""The games agree with naive twins that share no code with them."""

import importlib
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ludex.core.perft import counts
from ludex.core.play import choices, legal_moves, move_label
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    apply,
    chance,
    imperfect_information,
    information_state,
    initial,
    label,
    position,
    returns,
    seats,
    turn,
)
from tests.lines import random_line, variant

pytestmark = pytest.mark.unmeasured

# Rules, and how many random lines are compared under them: 10,000 or more for each game of the
# house, most of them under the rules with the shortest lines.
VARIANTS: list[tuple[str, dict[str, Any], int]] = [
    ("nuts", {}, 6000),
    ("nuts", {"nuts": 100, "most": 9}, 2000),
    ("nuts", {"nuts": 10, "most": 1}, 2000),
    ("arena", {}, 6000),
    ("arena", {"first": "wily", "gamma": 140, "heal": 9, "ceiling": 33}, 1500),
    ("arena", {"gamma-after": 3, "mega": 60, "spark-metal": 9, "metal-spark": 5}, 1500),
    ("arena", {"mega-heat-wood": 0, "mega-wood": 20, "gamma-mega": 7, "gamma-after": 0}, 1000),
    ("aeroplane", {}, 200),
    ("aeroplane", {"stacks": "block"}, 200),
    ("aeroplane", {"planes": 1}, 7600),
    ("aeroplane", {"seats": 3, "planes": 2}, 400),
    ("aeroplane", {"seats": 4, "planes": 2, "stacks": "block"}, 400),
    ("aeroplane", {"seats": 4, "planes": 1}, 1200),
    ("trap", {}, 200),
    ("trap", {"size": 6}, 200),
    ("trap", {"size": 5}, 400),
    ("trap", {"size": 4}, 1200),
    ("trap", {"size": 3}, 8000),
    ("droids", {}, 5000),
    ("droids", {"rows": 3, "columns": 5, "shots": 2, "rounds": 9}, 3000),
    ("droids", {"rows": 1, "columns": 2, "shots": 3}, 1000),
    ("droids", {"rows": 2, "columns": 2, "start1": (0, 0), "start2": (1, 1)}, 1000),
    ("examples/othello.py", {}, 30),
    ("examples/othello.py", {"size": 6}, 50),
    ("examples/othello.py", {"size": 4}, 1000),
    ("examples/hex.py", {}, 10),
    ("examples/hex.py", {"size": 9}, 10),
    ("examples/hex.py", {"size": 5, "swap": 0}, 200),
    ("examples/hex.py", {"size": 3}, 1000),
    ("examples/breakthrough.py", {}, 50),
    ("examples/breakthrough.py", {"size": 7}, 50),
    ("examples/breakthrough.py", {"size": 4}, 1000),
]
KINDS = {CHANCE: "chance", BOTH: "both", OVER: "over"}
MOST_KNOWN = 100_000  # states of one variant that are remembered


def twin_of(game: str) -> ModuleType:
    return importlib.import_module(f"tests.twins.{Path(game).stem}")


def texts(values: dict[str, Any]) -> dict[str, str]:
    return {
        key: ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        for key, value in values.items()
    }


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "values", "lines"), VARIANTS)
def test_random_lines_agree_with_the_twin(game: str, values: dict[str, Any], lines: int) -> None:
    rules, twin = variant(game, **texts(values)), twin_of(game)
    known: dict[Any, Any] = {}
    for seed in range(lines):
        follow(rules, twin, values, seed, known)


def follow(
    rules: Any, twin: ModuleType, values: dict[str, Any], seed: int, known: dict[Any, Any]
) -> None:
    """Compare everything that can be seen along one random line.

    States that were compared before, the twin's being the same too, are not compared again, and
    moves that were made there before are not made again.
    """
    state, other = initial(rules), twin.initial(values)
    for move in [*random_line(rules, seed), None]:
        found, made = known.get(state, (None, {}))
        if found != other:
            compare(rules, state, twin, values, other)
            made = {}
            if len(known) < MOST_KNOWN:
                known[state] = other, made
        if move is not None and move not in made:
            name = move_label(rules, state, move)
            made[move] = apply(rules, state, move), twin.apply(values, other, name)
        if move is not None:
            state, other = made[move]


def compare(rules: Any, state: Any, twin: ModuleType, values: dict[str, Any], other: Any) -> None:
    mover = turn(rules, state)
    assert position(rules, state) == twin.position(values, other)
    assert KINDS.get(mover, mover) == twin.turn(values, other), position(rules, state)
    if mover == OVER:
        worth = [returns(rules, state, seat) for seat in range(seats(rules))]
        assert worth == pytest.approx(twin.returns(values, other)), position(rules, state)
    elif imperfect_information(rules):
        for seat in range(seats(rules)):
            seen = position(rules, information_state(rules, state, seat))
            assert seen == twin.seen(values, other, seat), position(rules, state)
    if mover == CHANCE:
        odds = {
            label(rules, state, one): chance(rules, state, one) for one in legal_moves(rules, state)
        }
        theirs = twin.odds(values, other)
        assert odds.keys() == theirs.keys(), position(rules, state)
        assert all(math.isclose(odds[one], theirs[one]) for one in odds), position(rules, state)
    elif mover == BOTH:
        mine = [
            {label(rules, state, action) for action in choices(rules, state, seat)}
            for seat in (0, 1)
        ]
        pairs = [name.split() for name in twin.moves(values, other)]
        assert mine == [{first for first, _ in pairs}, {second for _, second in pairs}]
        assert len(pairs) == len(mine[0]) * len(mine[1])
    else:
        mine_now = {label(rules, state, action) for action in legal_moves(rules, state)}
        assert mine_now == set(twin.moves(values, other)), position(rules, state)


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "values", "depth"),
    [
        ("nuts", {}, 12),
        pytest.param("arena", {}, 7, marks=pytest.mark.compiled),
        ("arena", {"first": "wily", "gamma-after": 0}, 4),
        ("aeroplane", {}, 7),
        ("aeroplane", {"seats": 4, "planes": 2, "stacks": "block"}, 6),
        ("trap", {}, 5),
        ("trap", {"size": 3}, 5),
        ("droids", {}, 3),
        ("droids", {"rows": 3, "columns": 3, "shots": 1}, 4),
        ("examples/othello.py", {}, 5),
        ("examples/othello.py", {"size": 4}, 6),
        ("examples/hex.py", {}, 2),
        ("examples/hex.py", {"size": 3}, 4),
        ("examples/breakthrough.py", {}, 3),
        ("examples/breakthrough.py", {"size": 5}, 4),
    ],
)
def test_counts_agree_with_the_twin(game: str, values: dict[str, Any], depth: int) -> None:
    twin_counts = importlib.import_module("tests.twins.count").counts
    rules = variant(game, **texts(values))
    assert counts(rules, initial(rules), depth) == twin_counts(twin_of(game), values, depth)
