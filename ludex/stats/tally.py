"""Wins, draws and losses, the share of the points they are, and its interval."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from ludex.stats.share import wilson


@dataclass(frozen=True)
class Tally:
    """The number of matches won, drawn and lost; unpacks into the three."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @classmethod
    def of(cls, returns: Iterable[float], **more: Any) -> Self:
        """Count matches by their returns; `more` are the fields of a subclass."""
        worth = returns if isinstance(returns, np.ndarray) else np.array(list(returns), float)
        wins, losses = int((worth > 0).sum()), int((worth < 0).sum())
        return cls(wins, len(worth) - wins - losses, losses, **more)

    def __iter__(self) -> Iterator[int]:
        return iter((self.wins, self.draws, self.losses))

    @property
    def matches(self) -> int:
        """The number of matches."""
        return self.wins + self.draws + self.losses

    @property
    def share(self) -> float:
        """The share of the points, a draw one half; 0 without matches."""
        return (self.wins + self.draws / 2) / max(self.matches, 1)

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share."""
        return wilson(self.share, self.matches)

    def record(self) -> str:
        """Return the three numbers as text, such as 3-1-2."""
        return "-".join(map(str, self))
