"""What a card does, by its own kernels on an emulated one."""

from typing import Any

import numpy as np
import pytest

from ludex import Batch, load
from tests.batch.traces import EVERY_GAME, differences
from tests.lines import variant

pytest.importorskip("numba_cuda")
from tests.batch.emulated_card import emulate

pytestmark = pytest.mark.plain


@pytest.fixture(autouse=True)
def _emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    emulate(monkeypatch)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_kernels_write_what_the_cores_write(game: str) -> None:
    one, other = (Batch(variant(game), 3, device, seed=2) for device in ("cpu", "cuda"))
    assert other.device.name == "cuda" and differences(one, other, steps=2) == []


def test_actions_of_two_seats_may_be_of_two_types() -> None:
    droids = load("droids")
    states = []
    for device in ("cpu", "cuda"):
        agents: Any = {1: lambda one: np.zeros(2, np.int64)}
        batch = droids.batch(2, device=device, seed=1, agents=agents)
        batch.step(batch.sample())
        both = droids.batch(2, device=device, seed=1)
        both.step(np.zeros(2, np.int64), both.sample(1))
        states.append([batch.states.tolist(), both.states.tolist()])
    assert states[0] == states[1]


@pytest.mark.parametrize("game", ["nuts", "droids", "examples/othello.py"])
def test_what_is_too_wide_for_shared_memory_is_written_without_it(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludex.batch.card.TILE", 0)
    one, other = (Batch(variant(game), 3, device, seed=2) for device in ("cpu", "cuda"))
    for _ in range(2):  # what an earlier call wrote is in memory
        assert differences(one, other, steps=2) == []


class Strided:
    """Every other item of an array of another library."""

    def __init__(self, numbers: list[int]) -> None:
        self.memory = np.array(numbers)[::2]
        self.__cuda_array_interface__ = self.memory.__array_interface__


def test_actions_of_other_libraries_have_no_gaps() -> None:
    batch = load("nuts").batch(2, device="cuda", seed=1)
    with pytest.raises(ValueError, match=r"expected a contiguous array of actions, not .* \(16,\)"):
        batch.step(Strided([0, 1, 2, 3]))


def test_actions_in_the_memory_of_the_cpu_may_have_gaps() -> None:
    one, other = (load("nuts").batch(2, device=device, seed=1) for device in ("cpu", "cuda"))
    for batch in (one, other):
        batch.step(np.array([0, 7, 2, 7])[::2])
    assert one.states.tolist() == other.states.tolist()


def test_a_reset_of_some_boards_is_that_of_the_cores() -> None:
    one, other = (load("nuts").batch(3, device=device, seed=1) for device in ("cpu", "cuda"))
    for batch in (one, other):
        batch.step(np.array([0, 99, 99]))
        batch.reset(boards=[2])
    assert np.asarray(other.ends).tolist() == one.ends.tolist() == [0, 3, 0]
    assert differences(one, other, steps=2) == []
