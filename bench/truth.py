"""Every solution checked by play: what exact wins against itself must be the value of the game.

Against a strong search it must not lose, counted over both seats. Two matches that share their
luck count as one, since perfect players often play the same match twice. `make strength` plays
them, `python -m bench.truth GAME …` those of some games; a game that was not solved yet is solved
first, which takes some minutes.
"""

import math
import statistics
import sys
from typing import NamedTuple

from ludex.core.rules import initial
from ludex.games import game_rules
from ludex.solve.evaluation import Budget
from ludex.solve.evaluator import ProofEvaluator
from ludex.solve.solving import load_or_solve
from ludex.tournaments.event import play
from ludex.tournaments.plan import SERIES, Plan
from ludex.workers.pool import Pool

SEED = 1
USUAL, MOST = 1.96, 4.0  # standard errors: of the interval that is told, and that are bearable


class Case(NamedTuple):
    """A game that is solved, how often exact plays itself, and a strong search so often."""

    game: str
    rules: tuple[tuple[str, str], ...]
    matches: int
    search: str
    trials: int


CASES = (
    Case("nuts", (), 200, "alphabeta:depth=12", 200),
    Case("examples/tictactoe.py", (), 200, "alphabeta:depth=9", 200),
    Case("examples/pig.py", (), 4000, "expectiminimax:depth=3", 1000),
    Case("droids", (), 200, "simultaneous:depth=3", 100),
    Case("trap", (("size", "3"),), 4000, "expectiminimax:depth=6", 400),
    Case("trap", (("size", "4"),), 4000, "expectiminimax:depth=4", 400),
    *(
        Case("aeroplane", (("planes", planes), ("stacks", stacks)), matches, search, 1000)
        for planes, matches, search in (
            ("1", 10_000, "expectimax:depth=4"),
            ("2", 4000, "expectimax:depth=3"),
        )
        for stacks in ("capture", "block")
    ),
    Case("arena", (), 40, "alphabeta:depth=9", 40),
)


def value_of(case: Case) -> float:
    """Return what the first position is worth to seat 0, from its solution or by a proof."""
    rules = game_rules(case.game, dict(case.rules))
    first = initial(rules)
    if case.game == "arena":
        return ProofEvaluator(rules, first, Budget(table=512)).value(first)
    return float(load_or_solve(rules, first).value(rules, first))


def mean(case: Case, other: str, matches: int) -> tuple[float, float]:
    """Return what exact wins on average, and the standard error.

    Against itself that is what the first seat wins, else what exact wins from both seats.
    """
    plan = Plan(case.game, case.rules, ("exact", other), 2, SERIES, matches, 0, SEED)
    worth = [
        match.returns[0 if other == "exact" else match.agents.index(0)]
        for match in sorted(play(plan, Pool(), lambda some: False), key=lambda one: one.number)
    ]
    pairs = [(one + two) / 2 for one, two in zip(worth[::2], worth[1::2], strict=True)]
    return statistics.fmean(pairs), statistics.stdev(pairs) / math.sqrt(len(pairs))


def main(games: list[str]) -> bool:
    """Play those of some games, or all, and return whether every result fits."""
    print(f"exact against itself (mean of the first seat) and a search, 95 % interval, seed {SEED}")
    fine = True
    for case in CASES if not games else [one for one in CASES if one.game in games]:
        value = value_of(case)
        own, error = mean(case, "exact", case.matches)
        won, spread = mean(case, case.search, case.trials)
        name = " ".join([case.game, *("=".join(pair) for pair in case.rules)])
        print(
            f"{name}: value {value:+.4f}, played {own:+.4f} ({own - USUAL * error:+.4f} to"
            f" {own + USUAL * error:+.4f}) in {case.matches:,} matches; against {case.search}"
            f" {won:+.3f} ({won - USUAL * spread:+.3f} to {won + USUAL * spread:+.3f}) in"
            f" {case.trials:,}",
            flush=True,
        )
        fine &= abs(own - value) <= MOST * error + 1e-9 and won >= -MOST * spread - 1e-9
    print(f"every solution agrees with play: {'yes' if fine else 'NO'}")
    return fine


if __name__ == "__main__":
    sys.exit(0 if main(sys.argv[1:]) else 1)
