"""What a card does, by its own kernels on an emulated one."""

import pytest

from ludex import Batch
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
