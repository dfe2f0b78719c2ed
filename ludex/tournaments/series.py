"""A series: the results of the first agent against the others, and a test that may stop it."""

import json
from collections.abc import Iterable

from ludex import stats
from ludex.store import Played


class StopRule:
    """A sequential test that decides when to stop a series of two agents.

    Matches may come in any order; the test takes them pair by pair in the order of their numbers,
    so that it stops at the same pair on any machine.
    """

    def __init__(self, test: stats.Sprt | None) -> None:
        self.test = test
        self.waiting: dict[int, float] = {}
        self.counts = stats.PairCounts()
        self.progress: stats.SprtState | None = test.after_pairs(self.counts) if test else None
        self.seen = 0
        self.stopped: int | None = None
        """The number of matches after which the test was decided."""

    def add(self, played: Iterable[Played]) -> bool:
        """Add matches, and return whether the test is decided."""
        if self.test is None:
            return False
        self.waiting.update((one.number, first_return(one)) for one in played)
        while self.stopped is None and {self.seen, self.seen + 1} <= self.waiting.keys():
            both = [self.waiting.pop(self.seen), self.waiting.pop(self.seen + 1)]
            added = zip(self.counts, stats.pair_counts(both), strict=True)
            self.counts = stats.PairCounts(*(old + new for old, new in added))
            self.seen += 2
            self.progress = self.test.after_pairs(self.counts)
            if self.progress.verdict != stats.GO_ON:
                self.stopped = self.seen
        return self.stopped is not None


def first_return(match: Played) -> float:
    """Return the return of a match to the first agent of its event."""
    return match.returns[match.agents.index(0)]


def first_returns(played: Iterable[Played]) -> dict[int, float]:
    """Return the returns of the first agent, by the numbers of the matches."""
    return {one.number: first_return(one) for one in played}


def distinct_matches(records: Iterable[str]) -> int:
    """Return the number of distinct matches, by agents and moves."""
    lines = (json.loads(record) for record in records)
    return len({(*line["agents"], *line["moves"]) for line in lines})


def series_difference(pairs: stats.PairCounts, won: stats.Tally) -> stats.Difference:
    """Return the difference in Elo of two agents.

    Its interval comes from pairs, if there are any; unpaired matches count for the estimate.
    """
    return stats.pair_difference(pairs, won.share) if sum(pairs) else stats.difference(*won)
