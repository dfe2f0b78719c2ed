"""How strong the agents are: long series against floors, with their 95 % intervals.

`make strength` plays them; `python -m bench` does not, because they take half an hour.
"""

import sys
from typing import NamedTuple

from ludex.games import game_rules
from ludex.learn.estimate import learned_profile
from ludex.learn.evaluation import compare
from ludex.stats import wilson
from ludex.tournaments.event import play
from ludex.tournaments.plan import SERIES, Plan
from ludex.tournaments.standing import score
from ludex.workers.pool import Pool

SEED = 1


class Series(NamedTuple):
    """A series, and the share of the points that its first agent must win at least."""

    game: str
    first: str
    second: str
    matches: int
    floor: float


# Aeroplane's floors are what the document reports of its own agents; the next levels of trap
# and droids must be better than the ones before them.
ALL = (
    Series("aeroplane", "expectimax:depth=2", "random", 1000, 0.80),
    Series("aeroplane", "expectimax:depth=3", "random", 1000, 0.82),
    Series("droids", "best", "random", 1000, 0.90),
    Series("droids", "best", "greedy", 1000, 0.90),
    Series("trap", "easy", "random", 200, 0.5),
    Series("trap", "medium", "easy", 200, 0.5),
    Series("trap", "hard", "medium", 200, 0.5),
    Series("trap", "best", "hard", 200, 0.97),
)


# A game, how many decisions both look ahead, and matches: what was learned against the estimate
# by hand. The lower end of the interval must be above one half.
ESTIMATES = (("trap", 1, 2000), ("trap", 2, 2000), ("aeroplane", 1, 5000), ("aeroplane", 2, 20_000))


def estimates() -> bool:
    """Compare learned estimates with those by hand, and return whether all are better."""
    fine = True
    for game, depth, matches in ESTIMATES:
        rules = game_rules(game)
        profile = learned_profile(0, "learned", rules)
        tally = compare(rules, profile, 0, depth, SEED, matches)
        low, high = wilson(tally.share, matches)
        print(
            f"{game}: learned against by hand, depth {depth}: {tally.share:.3f}"
            f" ({low:.3f} to {high:.3f}), {matches:,} matches",
            flush=True,
        )
        fine &= low > 0.5
    return fine


def main() -> bool:
    """Play all series, and return whether every first agent is as strong as it should be."""
    print(f"Share of the points of the first agent, 95 % interval, seed {SEED}")
    fine = estimates()
    for game, first, second, matches, floor in ALL:
        plan = Plan(game, (), (first, second), 2, SERIES, matches, 0, SEED)
        result = score(play(plan, Pool(), lambda some: False), 0)
        low, high = result.interval
        print(
            f"{game}: {first} against {second}: {result.share:.3f} ({low:.3f} to {high:.3f}),"
            f" {result.wins} won, {result.draws} drawn, {result.losses} lost,"
            f" {result.mean_seconds:.3f} s a decision; at least {floor}",
            flush=True,
        )
        fine &= result.share >= floor
    print(f"as strong as they should be: {'yes' if fine else 'NO'}")
    return fine


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
