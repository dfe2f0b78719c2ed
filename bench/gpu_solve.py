"""`python -m bench.gpu_solve`: a game solved on a card and on the cores of the CPU, side by side.

The listings and the values must be the same, bit for bit. A game is named with its rules, such as
`droids,rows=3,columns=3`; with `--card-only` nothing is compared, for games that take the cores too
long.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

from ludex.core.devices import why_no_card
from ludex.core.rules import initial
from ludex.games import game_rules
from ludex.solve import solving
from ludex.solve.card.exploration import list_states_on_card, room_on_card
from ludex.solve.card.induction import CardInduction
from ludex.solve.cores import default_threads
from ludex.solve.states.state_space import best_folding, list_states
from ludex.solve.values.induction import Induction

GAMES = ("droids", "droids,shots=8", "examples/tictactoe.py", "nuts")


def timed(work: Callable[[], Any], rounds: int = 3) -> tuple[float, Any]:
    """Return the least of several times in seconds, and the result; the first round compiles."""
    times, result = [], None
    for _ in range(rounds):
        began = time.perf_counter()
        result = work()
        times.append(time.perf_counter() - began)
    return min(times), result


def solved(induction: Induction) -> Induction:
    """Return an induction after it has solved all states."""
    solving.finish(induction, solving.tell_nobody)
    return induction


def compare(game: str, card_only: bool) -> bool:
    """Print a line about a game, and return whether both devices have found the same."""
    name, *texts = game.split(",")
    rules = game_rules(name, dict(text.split("=") for text in texts))
    first = initial(rules)
    folding, room = best_folding(rules, first), room_on_card()
    listed, ours = timed(lambda: list_states_on_card(rules, first, folding, room))
    computed, values = timed(lambda: solved(CardInduction(rules, ours)))
    value = values.values[ours.number(rules, first)]
    line = f"{game:<30}{len(ours.keys):>13,}{value:>+12.6f}{listed:>9.3f}{computed:>9.3f}"
    if card_only:
        print(line, flush=True)
        return True
    cores, theirs = timed(lambda: list_states(rules, first, folding, room))
    alone, _ = timed(lambda: solved(Induction(rules, theirs, threads=1)))
    together, other = timed(lambda: solved(Induction(rules, theirs)))
    pairs = [
        *zip(ours[2:6], theirs[2:6], strict=True),
        *zip(values.known, other.known, strict=True),
    ]
    count = len(ours.keys)
    same = all(one[..., :count].tobytes() == two[..., :count].tobytes() for one, two in pairs)
    print(
        f"{line}{cores:>9.3f}{alone:>9.3f}{together:>9.3f}{alone / computed:>8.1f}"
        f"{together / computed:>8.1f}  {'same bytes' if same else 'DIFFERENT'}",
        flush=True,
    )
    return same


def main() -> bool:
    """Compare some games, and return whether all were solved alike."""
    parser = argparse.ArgumentParser(prog="python -m bench.gpu_solve", description=__doc__)
    parser.add_argument("games", nargs="*", default=GAMES)
    parser.add_argument("--card-only", action="store_true")
    asked = parser.parse_args()
    if why := why_no_card():
        print(why)
        return False
    cores = default_threads(game_rules("nuts"))
    print(f"Seconds to list and to solve; times as fast as one core, and as {cores} cores")
    print(
        f"{'game':<30}{'states':>13}{'value':>12}{'list':>9}{'solve':>9}{'cores:':>9}{'one':>9}"
        f"{'all':>9}{'one':>8}{'all':>8}"
    )
    return all([compare(game, asked.card_only) for game in asked.games])


if __name__ == "__main__":
    raise SystemExit(0 if main() else 1)
