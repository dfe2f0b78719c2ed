"""`python -m bench.gpu`: batches on a card beside the cores of this machine, and beside pgx.

A step is one ply: a decision, a chance outcome, or both seats' actions at once. Fused, whole
random matches are played in one call; stepwise, each call takes an action for every board, and
gives back observations and legal actions.
"""

import argparse
import time
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
from numba.core import config

from ludex.batch.batch import Batch
from ludex.batch.devices import open_device
from ludex.batch.stepping import Series, Terms
from ludex.core.devices import AUTO, DEVICES, chosen_device, why_no_card
from ludex.core.rules import at_once, initial, seats
from ludex.core.time_control import PLIES
from ludex.games import GAMES, game_rules

EXAMPLES = (
    "tictactoe",
    "connect_four",
    "othello",
    "hex",
    "breakthrough",
    "pig",
    "kuhn",
    "leduc",
    "liars_dice",
    "goofspiel",
)
SIZES = (1 << 14, 1 << 17, 1 << 20)
PGX = {
    "tictactoe": "tic_tac_toe",
    "connect_four": "connect_four",
    "othello": "othello",
    "hex": "hex",
}
FUSED_WANTED, STEPWISE_WANTED = 10.0, 3.0  # times as fast as pgx
STEPS = 200  # of a measurement of pgx, fused
SECONDS = 0.3
MATCHES = {"cuda": 32, "cpu": 1}  # on each board, fused
COPIED = 1 << 31  # bytes


def rules_of(name: str) -> Any:
    """Return the rules of a game of the house or of the examples; Hex as large as that of pgx."""
    return game_rules(name if name in GAMES else f"examples/{name}.py")


def best_rate(work: Callable[[], float], rounds: int = 3) -> float:
    """Return the best rate of several rounds, each of as many calls as fit into a while."""
    work()
    rates = []
    for _ in range(rounds):
        done, began = 0.0, time.perf_counter()
        while time.perf_counter() - began < SECONDS:
            done += work()
        rates.append(done / (time.perf_counter() - began))
    return max(rates)


def fused(name: str, device: str, boards: int) -> float:
    """Return the plies a second of whole random matches, so many boards at a time."""
    rules = rules_of(name)
    made: Any = open_device(device, rules, initial(rules), (None,) * int(seats(rules)))
    made.players = boards
    matches = boards * MATCHES[device]
    returns = made.zeros((matches, int(seats(rules))), np.float64)
    lengths = made.zeros((matches,), np.int32)
    made.play(Series(1, PLIES), returns, lengths)
    plies = float(np.asarray(made.public(lengths)).clip(0).sum())  # the same in every call

    def work() -> float:
        made.play(Series(1, PLIES), returns, lengths)
        made.wait()
        return plies

    return best_rate(work)


def both_choose(batch: Batch) -> bool:
    """Return whether matches are about simultaneous moves of two open seats."""
    return bool(at_once(batch.rules)) and batch.open & 3 == 3


def step_at_random(batch: Batch) -> None:
    """Step every match with random legal actions."""
    if both_choose(batch):
        batch.step(batch.sample(0), batch.sample(1))
    else:
        batch.step(batch.sample())


def stepwise(name: str, device: str, boards: int, steps: int = 20) -> float:
    """Return the steps a second with random actions, observations and masks."""
    batch = Batch(rules_of(name), boards, device, seed=1)

    def work() -> float:
        for _ in range(steps):
            step_at_random(batch)
            batch.views(), batch.masks()
        batch.device.wait()
        return float(boards * steps)

    return best_rate(work)


def copy_rate() -> float:
    """Return the bytes a second that a copy within the card reads and writes."""
    from numba import cuda

    here, there = cuda.device_array(COPIED // 8, np.int64), cuda.device_array(COPIED // 8, np.int64)

    def work() -> float:
        there.copy_to_device(here)
        cuda.synchronize()
        return 2.0 * COPIED

    return best_rate(work)


def bytes_moved(batch: Batch) -> dict[str, int]:
    """Return the bytes that each kernel of a step must read and write for a board."""
    fields = batch.states.itemsize * batch.states.shape[1]
    numbers = {
        name: sum(int(np.prod(shape[1:])) * np.dtype(kind).itemsize for shape, kind in kinds)
        for name, kinds in batch.kinds.items()
    }
    seat = 3  # who is to move, who is open, and how the match stands
    place = 12  # in the stream of random numbers: a key and a ply
    return {
        "sample": fields + seat + place + numbers["sample"],
        "step": 2 * fields + 2 * seat - 1 + place + 4 + numbers["sample"],
        "view": fields + seat + numbers["view"],
        "mask": fields + seat + numbers["mask"],
    }


def kernel_seconds(batch: Batch, launches: int = 50) -> dict[str, float]:
    """Return how long each kernel of a step takes in the midst of random matches.

    A step follows a sample of legal actions, whose time is subtracted: given once, they would soon
    be illegal, and nothing would be played.
    """
    device, boards = batch.device, batch.boards
    for _ in range(20):  # to positions of all kinds
        step_at_random(batch)
    terms = Terms(batch.plies, False, batch.open, True)
    views, masks = batch.views(), batch.masks()
    chosen = {seat: batch.sample(seat) for seat in ((0, 1) if both_choose(batch) else (None,))}
    actions = [*chosen.values()]

    def sample() -> None:
        for seat, written in chosen.items():
            device.sample(boards, batch.viewer(seat), written)

    def step() -> None:
        sample()
        device.step(boards, terms, actions[0], actions[-1])

    def seconds(launch: Callable[[], None]) -> float:
        def launched() -> float:
            for _ in range(launches):
                launch()
            device.wait()
            return float(launches)

        return 1.0 / best_rate(launched)

    stepping, sampling = seconds(step), seconds(sample)
    return {
        "sample": sampling / len(chosen),
        "step": stepping - sampling,
        "view": seconds(lambda: device.view(boards, -1, views)),
        "mask": seconds(lambda: device.mask(boards, -1, masks)),
    }


def show_bandwidth(name: str, boards: int, limit: float) -> None:
    """Print how long each kernel of a step takes, and how near it is to the limit of memory."""
    batch = Batch(rules_of(name), boards, "cuda", seed=1)
    moved = bytes_moved(batch)
    for kernel, seconds in kernel_seconds(batch).items():
        rate = moved[kernel] * boards / seconds
        print(
            f"{name:<14}{boards:>10,}  {kernel:<7}{1e6 * seconds:>9.1f} us{moved[kernel]:>7} bytes"
            f"{rate / 1e9:>8.0f} GB/s{100 * rate / limit:>6.0f} % of a copy",
            flush=True,
        )


def pgx_rates(name: str, boards: int) -> tuple[float, float]:
    """Return the steps a second of pgx, fused and stepwise, in the fastest ways it documents."""
    import jax
    import pgx
    from pgx.experimental.utils import act_randomly
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(PGX[name])
    init, step = jax.vmap(env.init), jax.vmap(auto_reset(env.step, env.init))

    def one(carry: Any) -> Any:
        state, key = carry
        key, mine, other = jax.random.split(key, 3)
        actions = act_randomly(mine, state.legal_action_mask)
        return step(state, actions, jax.random.split(other, boards)), key

    many = jax.jit(lambda carry: jax.lax.fori_loop(0, STEPS, lambda _, it: one(it), carry))
    single = jax.jit(one)
    key = jax.random.PRNGKey(0)
    carry = [(jax.jit(init)(jax.random.split(key, boards)), key)]

    def work(move: Any, times: int, steps: int) -> Callable[[], float]:
        def run() -> float:
            for _ in range(times):
                carry[0] = move(carry[0])
            jax.block_until_ready(carry[0])
            return float(boards * steps * times)

        return run

    return best_rate(work(many, 1, STEPS)), best_rate(work(single, 20, 1))


def read_sizes(text: str) -> list[int]:
    """Return numbers of boards that are separated by commas."""
    parts = text.split(",")
    if not all(part.isdecimal() and int(part) > 0 for part in parts):
        why = f"{text!r}: expected numbers of boards such as 1024,16384"
        raise argparse.ArgumentTypeError(why)
    return [int(part) for part in parts]


def read_arguments(texts: Sequence[str] | None = None) -> Any:
    """Return what is asked for; exit with a message if it cannot be measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu", description=__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--device", choices=DEVICES, default=AUTO)
    parser.add_argument("--cpu", action="store_true", help="beside all cores of the CPU")
    parser.add_argument("--pgx", action="store_true", help="beside pgx, which needs JAX")
    parser.add_argument("--sizes", type=read_sizes, default=SIZES, help="such as 1024,16384")
    parser.add_argument("--bandwidth", action="store_true", help="where the time of a step goes")
    asked = parser.parse_args(texts)
    asked.games = asked.games or [*GAMES, *EXAMPLES]
    try:
        for name in asked.games:
            rules_of(name)
    except ValueError as error:
        parser.error(str(error))
    if asked.bandwidth and (why := why_no_card()):
        parser.error(f"--bandwidth: {why}")
    for name in ("jax", "pgx") if asked.pgx else ():
        if find_spec(name) is None:
            parser.error(f"--pgx: {name} is not installed")
    return asked


def main() -> bool:
    """Print a table, and return whether Ludex is as much faster than pgx as it should be."""
    asked = read_arguments()
    if asked.bandwidth:
        limit = copy_rate()
        print(f"A copy within the card moves {limit / 1e9:,.0f} GB/s")
        for name in asked.games:
            show_bandwidth(name, max(asked.sizes), limit)
        return True
    device = chosen_device(asked.device)
    print(f"Steps a second on {device}" + f", and on {config.NUMBA_NUM_THREADS} cores" * asked.cpu)
    beside = ["cpu fused", "stepwise"] * asked.cpu + ["pgx fused", "stepwise"] * asked.pgx
    print(f"{'game':<14}{'boards':>10}", *map("{:>11}".format, ["fused", "stepwise", *beside]))
    fine = True
    for name in asked.games:
        for boards in asked.sizes:
            ours = fused(name, device, boards), stepwise(name, device, boards)
            rates, told = [*ours], ""
            if asked.cpu:
                rates += [fused(name, "cpu", boards), stepwise(name, "cpu", boards)]
            if asked.pgx and name in PGX:
                theirs = pgx_rates(name, boards)
                times = ours[0] / theirs[0], ours[1] / theirs[1]
                fine &= times[0] >= FUSED_WANTED and times[1] >= STEPWISE_WANTED
                rates += theirs
                told = f"{times[0]:.1f} and {times[1]:.1f} times"
            print(f"{name:<14}{boards:>10,}", *map("{:>11.2e}".format, rates), told, flush=True)
    return fine


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
