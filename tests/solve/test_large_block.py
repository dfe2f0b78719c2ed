"""Large blocks in parts, and threads that share blocks: both change no value."""

import itertools
from collections.abc import Iterator

import numpy as np
import pytest

from ludex.core.play import read_state
from ludex.core.rules import Rules, State, initial
from ludex.solve.solving import finish, tell_nobody
from ludex.solve.states import exploration
from ludex.solve.states.state_space import best_folding, explore_states, list_states
from ludex.solve.states.successors import FOLD_DECISIONS
from ludex.solve.values import blocks, induction
from ludex.solve.values.induction import Induction
from tests.lines import variant
from tests.solve.test_circles import LOCK, WAITING
from tests.solved import LATE, PIG, outside

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("game", "start", "values"),
    [
        (PIG, "", {"goal": 6}),
        ("trap", LATE, {"size": 3}),
        ("droids", "", {"rows": 2, "columns": 3, "shots": 2, "rounds": 4}),
    ],
)
def test_a_solution_has_the_same_bytes_for_any_number_of_threads(
    game: str, start: str, values: dict[str, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "CHUNK_STATES", 8)
    monkeypatch.setattr(blocks, "FEW_STATES", 0)
    rules = variant(game, **values)
    first = read_state(rules, start) if start else initial(rules)
    listing = list_states(rules, first, best_folding(rules, first), 10**6)
    alone, together = (Induction(rules, listing, threads=threads) for threads in (1, 3))
    assert max(len(alone.blocks.chunks_of(step)) for step in range(len(alone.blocks))) > 3
    for one in (alone, together):
        finish(one, tell_nobody)
    for name in ("values", "tie_values", "progress"):
        assert (getattr(alone, name) == getattr(together, name)).all()
    assert (alone.residual, alone.gap) == (together.residual, together.gap)


# Both choose one of two sides at once: if they agree, seat 0 pulls the rope, otherwise seat 1.
ROPE = """
from typing import NamedTuple
from ludex.core.rules import BOTH, OVER, part
ACTIONS, AT_ONCE = 2, True
class RopeRules(NamedTuple):
    half: int = 4
class Rope(NamedTuple):
    place: int
def initial(rules):
    return Rope(0)
def turn(rules, state):
    return BOTH if abs(state.place) < rules.half else OVER
def legal(rules, state, seat, action):
    return True
def apply(rules, state, move):
    return Rope(state.place + (1 if part(move, 0) == part(move, 1) else -1))
def returns(rules, state, seat):
    return 1.0 if (state.place > 0) == (seat == 0) else -1.0
"""


def small_circles() -> Iterator[tuple[Rules, State]]:
    """Yield five games in which play goes in circles; two of them have several fixed points."""
    trap = variant("trap", size=3)
    yield trap, read_state(trap, LATE)
    sources = ("rope", ROPE), ("lock", LOCK), ("waiting", WAITING)
    for rules in (variant(PIG, goal=6), *(outside(*one) for one in sources)):
        yield rules, initial(rules)


@pytest.mark.parametrize("number", range(5))
def test_a_large_block_is_worth_the_same_in_parts_and_for_any_number_of_threads(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules, first = list(small_circles())[number]
    listing = list_states(rules, first, best_folding(rules, first), 10**6)
    whole = Induction(rules, listing, threads=1)
    finish(whole, tell_nobody)
    monkeypatch.setattr(blocks, "LARGE_STATES", 4)
    monkeypatch.setattr(induction, "PARTS", 3)
    alone, together = (Induction(rules, listing, threads=threads) for threads in (1, 3))
    assert alone.blocks.largest
    for one in (alone, together):
        finish(one, tell_nobody)
    for name in ("values", "tie_values", "progress"):
        assert (getattr(alone, name) == getattr(together, name)).all()
    assert (alone.residual, alone.gap) == (together.residual, together.gap)
    assert whole.unproven == alone.unproven == 0
    assert np.abs(whole.values - alone.values).max() < 1e-12
    assert np.abs(whole.tie_values - alone.tie_values).max() < 0.01  # they converge to 1e-4


@pytest.mark.compiled
def test_aeroplane_has_the_same_bytes_for_any_number_of_threads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(exploration, "WORTH_SHARING", 16)
    monkeypatch.setattr(blocks, "LARGE_STATES", 16)
    rules = variant("aeroplane", planes=1)
    first = initial(rules)
    wanted: list[bytes] = []
    for threads in (1, 3, 2, 3):
        explored = explore_states(rules, first, FOLD_DECISIONS, 10**6, threads=threads)
        listing = explored.listing()
        found = Induction(rules, listing, threads=threads)
        assert found.blocks.largest
        finish(found, tell_nobody)
        arrays = listing.keys, found.values, found.tie_values, found.progress
        bits = [one.tobytes() for one in arrays]
        wanted = wanted or bits
        assert bits == wanted


@pytest.mark.parametrize(
    ("sizes", "steps"),
    [
        ((9, 50, 9), [[1], [2], [3]]),
        ((50, 50), [[1], [2]]),
        ((9, 9, 9), [[2, 3]]),
        ((20,) * 4, [[1, 2], [3, 4]]),
        ((20,) * 5, [[1, 2, 3], [4, 5]]),
    ],
)
def test_a_large_block_is_a_step_and_small_ones_share_short_steps(
    sizes: tuple[int, ...], steps: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "CHUNK_STATES", 15)
    monkeypatch.setattr(blocks, "LARGE_STATES", 40)
    monkeypatch.setattr(blocks, "STEP_CHUNKS", 3)
    assert blocks.steps_of(np.array([0, *itertools.accumulate(sizes)]), 0, len(sizes)) == steps
