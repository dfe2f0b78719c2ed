"""What batches show from step to step, and what series return, for comparing one with another."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import numpy as np

from ludex.agents.registry import AGENTS, refuses
from ludex.batch.batch import Batch
from ludex.batch.policies import policy_of
from ludex.batch.stepping import CHANCE_PLACE, PLACES, SEAT_PLACE, Series, reply
from ludex.core import rules as ask
from ludex.core.play import choosers
from ludex.core.rules import CHANCE, OVER, Rules, pair
from ludex.core.sampling import outcome_at
from ludex.core.time_control import PLIES
from ludex.games import GAMES
from ludex.kernel.counter_rng import uniform
from tests.games.test_position import VARIANTS as POSITIONS
from tests.lines import variant

WIDE = "examples/othello.py"
HIDDEN = "examples/kuhn.py"
EVERY_GAME = (*GAMES, *sorted({game for game, _ in POSITIONS} - {*GAMES}))


def step_at_random(batch: Batch) -> None:
    """Step every match with random legal actions."""
    if batch.open & 3 == 3 and ask.at_once(batch.rules):
        batch.step(batch.sample(0), batch.sample(1))
    else:
        batch.step(batch.sample())


def shown(batch: Batch) -> dict[str, np.ndarray]:
    """Return everything that a batch shows, in the memory of the CPU."""
    arrays: dict[str, Any] = {
        "states": batch.states,
        "seats": batch.seats,
        "ends": batch.ends,
        "returns": batch.returns,
        "views": batch.views(),
        "masks": batch.masks(),
        "view of seat 1": batch.views(1),
        "samples": batch.sample(),
        **batch.outcome._asdict(),
    }
    return {name: np.array(array) for name, array in arrays.items()}


def trace(batch: Batch, steps: int) -> Iterator[dict[str, np.ndarray]]:
    """Yield what a batch shows while it plays at random."""
    yield shown(batch)
    for _ in range(steps):
        step_at_random(batch)
        yield shown(batch)


def differences(one: Batch, other: Batch, steps: int) -> list[tuple[int, str]]:
    """Return the first step after which two batches differ, with what they show differently."""
    pairs = zip(trace(one, steps), trace(other, steps), strict=True)
    for number, (left, right) in enumerate(pairs):
        found = [
            (number, name)
            for name, array in left.items()
            if array.dtype != right[name].dtype or array.tobytes() != right[name].tobytes()
        ]
        if found:
            return found
    return []


def policies(rules: Rules, text: str) -> Any:
    """Return the same agent for all seats."""
    return (policy_of(text, rules),) * int(ask.seats(rules))


def agents_of(game: str) -> list[str]:
    """Return the compiled agents that can play a game: greedy plays none that hides something."""
    rules = variant(game)
    return [text for text in ("random", "casual", "greedy") if not refuses(AGENTS[text], rules)]


def results(device: Any, seats: int, matches: int) -> tuple[bytes, bytes]:
    """Return the returns and lengths of a series of whole matches, as bytes."""
    returns = device.zeros((matches, seats), np.float64)
    lengths = device.zeros((matches,), np.int32)
    device.play(Series(3, PLIES), returns, lengths)
    device.wait()
    return np.asarray(returns).tobytes(), np.asarray(lengths).tobytes()


def played_out(rules: Rules, agents: list[str], key: int, state: Any) -> tuple[list[float], int]:
    """Return the returns and plies of a match of a device between the agents of all seats.

    It is played in plain Python from a state on, with the random numbers of a stream.
    """
    ply = 0

    def choice(seat: int) -> int:
        share = uniform(key, PLACES * ply + SEAT_PLACE + seat)
        seen = ask.information_state(rules, state, seat)
        return int(reply(rules, seen, seat, policy_of(agents[seat], rules), share))

    while (mover := ask.turn(rules, state)) != OVER:
        if mover == CHANCE:
            move = outcome_at(rules, state, uniform(key, PLACES * ply + CHANCE_PLACE))
        else:
            chosen = [choice(seat) for seat in choosers(rules, state)]
            move = pair(*chosen) if len(chosen) == 2 else chosen[0]
        state, ply = ask.apply(rules, state, move), ply + 1
    return [float(ask.returns(rules, state, seat)) for seat in range(len(agents))], ply


@contextmanager
def unoptimized() -> Iterator[None]:
    """Compile for a card without NVVM's optimizations, which take most of the time."""
    from numba.cuda.cudadrv import nvvm

    compile_ir = nvvm.compile_ir

    def hurried(sources: Any, **options: Any) -> Any:
        return compile_ir(sources, **options | {"opt": 0})

    with mock.patch.object(nvvm, "compile_ir", hurried):
        yield
