"""A point of a learning curve: what a learner is measured by after some matches."""

from typing import Any, NamedTuple, Self

from ludex.learn.accuracy import Accuracy
from ludex.stats import Tally


class CurvePoint(NamedTuple):
    """The results of a learner and, if they are compared with exact values, its decisions."""

    matches: int
    tally: Tally
    accuracy: Accuracy | None = None

    @classmethod
    def of(cls, numbers: list[Any]) -> Self:
        """Return the point that a file has as numbers."""
        matches, tally, accuracy = numbers[0], numbers[1:4], numbers[4:]
        return cls(matches, Tally(*tally), Accuracy(*accuracy) if accuracy else None)

    @property
    def numbers(self) -> list[Any]:
        """The point as numbers for a file: those of the accuracy only if there is one."""
        return [self.matches, *self.tally, *(self.accuracy or ())]
