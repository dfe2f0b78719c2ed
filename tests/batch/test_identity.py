"""The same rules on the CPU and on a card, bit for bit; without one, that all compile for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast
from unittest import mock

import numpy as np
import pytest
from numba import types

from ludex.batch import batch as batches
from ludex.batch import cores
from ludex.batch.batch import Batch
from ludex.batch.cores import Cores
from ludex.batch.devices import open_device, why_no_card
from ludex.core import rules as ask
from ludex.core.rules import Rules
from ludex.core.time_control import PLIES
from ludex.games import GAMES
from tests.batch.traces import HIDDEN, WIDE, differences, step_at_random
from tests.games.test_position import VARIANTS as POSITIONS
from tests.games.test_twins import VARIANTS as TWINS
from tests.lines import variant

pytestmark = [pytest.mark.compiled, pytest.mark.unmeasured]

EXAMPLES = sorted({game for game, _ in POSITIONS} - {*GAMES})
KINDS = ("nuts", "droids", "aeroplane", WIDE, HIDDEN)  # one game of each kind
MATCHES = 1000

every_game = pytest.mark.parametrize("game", (*GAMES, *EXAMPLES))
no_card = pytest.mark.skipif(bool(why_no_card()), reason=why_no_card() or "there is a card")


def policies(rules: Rules, text: str) -> Any:
    """Return the same agent for all seats."""
    return (batches.policy_of(text, rules),) * int(ask.seats(rules))


def results(device: Any, seats: int, matches: int) -> tuple[bytes, bytes]:
    """Return the returns and lengths of a series of whole matches, as bytes."""
    returns = device.zeros((matches, seats), np.float64)
    lengths = device.zeros((matches,), np.int32)
    device.play(3, PLIES, returns, lengths)
    device.wait()
    return np.asarray(returns).tobytes(), np.asarray(lengths).tobytes()


# The cores. --------------------------------------------------------------------------------------


@contextmanager
def interpreted() -> Iterator[None]:
    """Let the cores run the plain functions."""
    functions = {name: one.py_func for name, one in vars(cores).items() if hasattr(one, "py_func")}
    with mock.patch.multiple(cores, **functions):
        yield


class Plain(Batch):
    """A batch whose steps are interpreted."""

    def advance(self, *arguments: Any, **options: Any) -> None:
        with interpreted():
            super().advance(*arguments, **options)

    def lazily(self, *arguments: Any) -> tuple[Any, ...]:
        with interpreted():
            return super().lazily(*arguments)


@pytest.mark.parametrize("game", KINDS)
def test_compiled_and_interpreted_steps_are_the_same(game: str) -> None:
    rules = variant(game)
    given: Any = {"boards": 3, "seed": 4, "agents": {1: "random"}}
    one, other = Batch(rules, **given), Plain(rules, **given)
    assert differences(one, other, steps=12) == []


@pytest.mark.parametrize("game", ["droids", "trap"])
def test_compiled_and_interpreted_greedy_agents_choose_the_same(game: str) -> None:
    rules = variant(game)
    given: Any = {"boards": 2, "seed": 4, "agents": {1: "greedy"}}
    assert differences(Batch(rules, **given), Plain(rules, **given), steps=6) == []


def test_any_number_of_threads_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "CHUNK", 16)
    rules = variant("trap", size="3")
    one, other = (Batch(rules, 100, seed=1) for _ in range(2))
    cast(Cores, one.device).threads, cast(Cores, other.device).threads = 1, 3
    assert differences(one, other, steps=40) == []
    first, agents = ask.initial(rules), policies(rules, "greedy")
    alone, together = (Cores(rules, first, agents, threads) for threads in (1, 3))
    assert results(alone, 2, 100) == results(together, 2, 100)


# A card. -----------------------------------------------------------------------------------------


@every_game
def test_every_kernel_of_a_game_compiles_for_a_card(game: str) -> None:
    """Also where there is none."""
    pytest.importorskip("numba_cuda")
    from ludex.batch.card import kernels_of, signatures_of
    from ludex.kernel.cuda import ptx_of

    rules = variant(game)
    signatures = signatures_of(rules, types.int64[::1])
    for text in ("random", "greedy"):
        kernels = kernels_of(rules, ask.initial(rules), policies(rules, text))
        names = kernels if text == "random" else ("step", "play")
        for name in names:
            assert ".entry" in ptx_of(kernels[name], signatures[name])


@no_card
@pytest.mark.parametrize(
    ("game", "values"), [*((game, values) for game, values, _ in TWINS), *POSITIONS]
)
def test_a_thousand_matches_are_the_same_on_a_card(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    one, other = (Batch(rules, MATCHES, device, seed=2) for device in ("cpu", "cuda"))
    ended = np.zeros(MATCHES, bool)
    for _ in range(PLIES):
        assert differences(one, other, steps=0) == []
        ended |= one.ends != 0
        if ended.all():
            break
        step_at_random(one)
        step_at_random(other)
    assert ended.all()


@no_card
@pytest.mark.parametrize("text", ["random", "casual", "greedy"])
@every_game
def test_agents_play_the_same_matches_on_a_card(game: str, text: str) -> None:
    rules = variant(game)
    first, agents = ask.initial(rules), policies(rules, text)
    seats = int(ask.seats(rules))
    cpu, card = (open_device(name, rules, first, agents) for name in ("cpu", "cuda"))
    assert results(cpu, seats, MATCHES) == results(card, seats, MATCHES)
    given: Any = {"seed": 6, "agents": {1: text}}
    one, other = (Batch(rules, MATCHES, device, **given) for device in ("cpu", "cuda"))
    assert differences(one, other, steps=30) == []
