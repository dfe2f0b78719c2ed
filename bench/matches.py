"""Matches: how many a second where agents answer at once, and what time is not their thinking."""

import time

from ludex.store import Played
from ludex.tournaments.event import play
from ludex.tournaments.plan import SERIES, Plan
from ludex.workers.pool import Pool, cores

INSTANT, BRIEF = "random", "mcts:seconds=0.001"
FLOOR = 0.10  # of the time may be spent outside agents that think for a millisecond
# How many matches with brief thinking: enough for half a minute, beside which it counts little that
# one process starts a second later than the other.
GAMES = {"nuts": 1500, "arena": 800, "aeroplane": 120, "trap": 350, "droids": 160}


class Stopwatch:
    """Measures a series from its first answer on: the start of the first process is not in it."""

    def __init__(self) -> None:
        self.began = 0.0
        self.matches = 0
        self.thought = 0.0

    def told(self, played: list[Played]) -> bool:
        """Take note of matches."""
        if played and self.began:
            self.matches += len(played)
            self.thought += sum(sum(one.seconds) for one in played)
        elif played:
            self.began = time.perf_counter()
        return False


def measured(game: str, agent: str, matches: int, processes: int) -> tuple[float, float]:
    """Return matches a second, and the share of the time in which no agent has thought."""
    watch = Stopwatch()
    plan = Plan(game, (), (agent, agent), 2, SERIES, matches, 0, 1)
    play(plan, Pool(processes), watch.told)
    seconds = time.perf_counter() - watch.began
    return watch.matches / seconds, 1.0 - watch.thought / (processes * seconds)


def main() -> bool:
    """Print the table, and return whether little time is spent outside agents."""
    processes = cores()
    print(f"matches on {processes} processes, records included")
    print(f"{'game':10} {INSTANT:>20} {BRIEF:>24}  outside")
    fine = True
    for game, matches in GAMES.items():
        quick, _ = measured(game, INSTANT, 4000, processes)
        brief, outside = measured(game, BRIEF, matches, processes)
        fine &= outside < FLOOR
        print(f"{game:10} {quick:12,.0f} a second {brief:16,.1f} a second  {100 * outside:5.1f} %")
    print(f"under {100 * FLOOR:.0f} % outside agents: {'yes' if fine else 'NO'}")
    return fine
