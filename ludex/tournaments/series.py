"""A series: the results of the first agent against the others, and a test that may stop it."""

import json
from collections.abc import Iterable

from ludex.stats import (
    GO_ON,
    Difference,
    PairCounts,
    Progress,
    Sprt,
    difference,
    pair_counts,
    pair_difference,
)
from ludex.store import Played
from ludex.tournaments.standing import score


class Watch:
    """Follows a series of two agents and says when its test is decided.

    Matches may come in any order. The test looks at them in the order of their numbers, pair by
    pair, so that it stops at the same pair wherever they are played.
    """

    def __init__(self, test: Sprt | None) -> None:
        self.test = test
        self.waiting: dict[int, float] = {}
        self.counts = PairCounts()
        self.progress: Progress | None = test.after_pairs(self.counts) if test else None
        self.seen = 0
        self.stopped: int | None = None
        """After how many matches the test was decided."""

    def told(self, played: Iterable[Played]) -> bool:
        """Take note of matches, and return whether no more are needed."""
        if self.test is None:
            return False
        self.waiting.update((one.number, worth_to_first(one)) for one in played)
        while self.stopped is None and {self.seen, self.seen + 1} <= self.waiting.keys():
            both = [self.waiting.pop(self.seen), self.waiting.pop(self.seen + 1)]
            added = zip(self.counts, pair_counts(both), strict=True)
            self.counts = PairCounts(*(old + new for old, new in added))
            self.seen += 2
            self.progress = self.test.after_pairs(self.counts)
            if self.progress.verdict != GO_ON:
                self.stopped = self.seen
        return self.stopped is not None


def worth_to_first(match: Played) -> float:
    """Return what a match was worth to the first agent of its event."""
    return match.returns[match.agents.index(0)]


def pairs_of(played: Iterable[Played]) -> PairCounts:
    """Return the counts of the pairs of matches that two agents have played."""
    return pair_counts({one.number: worth_to_first(one) for one in played})


def different(records: Iterable[str]) -> int:
    """Return how many matches did not go exactly as another, with the same agents on each seat."""
    lines = (json.loads(record) for record in records)
    return len({(*line["agents"], *line["moves"]) for line in lines})


def shown_difference(played: list[Played]) -> Difference:
    """Return by how much the first of two agents is stronger.

    How sure that is, is known from pairs, if there are any; a match without a partner counts too.
    """
    pairs, won = pairs_of(played), score(played, 0)
    if sum(pairs):
        return pair_difference(pairs, won.share)
    return difference(won.wins, won.draws, won.losses)
