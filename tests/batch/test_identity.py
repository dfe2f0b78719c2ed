"""The same steps compiled and interpreted, by any number of threads; and all compile for a card."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, cast
from unittest import mock

import pytest
from numba import types

from ludex.batch import cores
from ludex.batch.batch import Batch
from ludex.batch.cores import Cores
from ludex.batch.series import play_series
from ludex.core import rules as ask
from tests.batch.traces import (
    EVERY_GAME,
    HIDDEN,
    WIDE,
    agents_of,
    differences,
    policies,
    results,
    step_at_random,
    unoptimized,
)
from tests.lines import variant

pytestmark = [pytest.mark.compiled, pytest.mark.unmeasured]

KINDS = ("nuts", "droids", "aeroplane", WIDE, HIDDEN)  # one game of each kind
OPTIMIZED = ("nuts", "droids", "examples/pig.py", WIDE, HIDDEN)  # quicker to compile for a card


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
    one, other = Batch(rules, **given), Plain(rules, **given)
    for _ in range(6):
        step_at_random(one)
        step_at_random(other)
        assert (one.states == other.states).all() and (one.ends == other.ends).all()


@pytest.mark.parametrize(("game", "agent"), [("droids", "greedy"), (HIDDEN, "random")])
def test_compiled_and_interpreted_series_are_the_same(game: str, agent: str) -> None:
    given: Any = variant(game), [agent, "random"], 9, 3
    one = play_series(*given)
    with interpreted():
        other = play_series(*given)
    assert one.returns.tobytes() == other.returns.tobytes()
    assert one.lengths.tobytes() == other.lengths.tobytes()


def test_any_number_of_threads_plays_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cores, "BOARDS", 16)
    monkeypatch.setattr(cores, "MATCHES", 8)
    rules = variant("droids", rounds=9)
    one, other = (Batch(rules, 100, seed=1) for _ in range(2))
    cast(Cores, one.device).threads, cast(Cores, other.device).threads = 1, 3
    assert differences(one, other, steps=40) == []
    first, agents = ask.initial(rules), policies(rules, "random")
    alone, together = (Cores(rules, first, agents, threads) for threads in (1, 3))
    assert results(alone, 2, 100) == results(together, 2, 100)


# A card. -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_kernel_of_a_game_compiles_for_a_card(game: str) -> None:
    """Also where there is none."""
    pytest.importorskip("numba_cuda")
    from ludex.batch.card import kernels_of, signatures_of
    from ludex.kernel.cuda import ptx_of

    rules = variant(game)
    signatures = signatures_of(rules, (types.int64[::1], types.int32[::1]))
    # The last agent that can play it has the code of the others, except that of random steps.
    *_, text = agents_of(game)
    kernels = kernels_of(rules, ask.initial(rules), policies(rules, "random"))
    kernels["play"] = kernels_of(rules, ask.initial(rules), policies(rules, text))["play"]
    with nullcontext() if game in OPTIMIZED else unoptimized():
        for name in set(kernels) - ({"lines"} if game not in KINDS else set()):
            assert ".entry" in ptx_of(kernels[name], signatures[name])


def test_kernels_of_wide_results_compile_without_shared_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("numba_cuda")
    from ludex.batch import card
    from ludex.kernel.cuda import ptx_of

    monkeypatch.setattr(card, "TILE", 0)
    rules = variant("nuts")
    signatures = card.signatures_of(rules, card.OWN_ACTIONS)
    kernels = card.kernels_of(rules, ask.initial(rules), policies(rules, "random"))
    for name in ("view", "mask"):
        code = ptx_of(kernels[name], signatures[name])
        assert ".entry" in code and ".shared" not in code
