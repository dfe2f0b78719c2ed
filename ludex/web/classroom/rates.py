"""How often somebody may do something, counted in memory."""

import time
from collections.abc import Callable


class Rates:
    """A bucket of tokens for each visitor, which fills again at a constant rate."""

    def __init__(
        self,
        burst: float,
        per_second: float,
        clock: Callable[[], float] = time.monotonic,
        most: int = 10_000,
    ) -> None:
        """Allow `burst` at once and `per_second` in the long run, for `most` visitors in memory."""
        self.burst, self.per_second, self.clock, self.most = burst, per_second, clock, most
        self.buckets: dict[str, tuple[float, float]] = {}

    def left(self, name: str) -> float:
        """Return how often a visitor may still do it now."""
        tokens, then = self.buckets.get(name, (self.burst, self.clock()))
        return min(self.burst, tokens + (self.clock() - then) * self.per_second)

    def take(self, name: str) -> bool:
        """Count one more; return False, and count nothing, if it is too often."""
        left = self.left(name)
        if left < 1.0:
            return False
        if len(self.buckets) >= self.most and name not in self.buckets:
            self.forget()
        self.buckets[name] = left - 1.0, self.clock()
        return True

    def forget(self) -> None:
        """Forget those whose buckets are full again, or else the half seen longest ago."""
        known = {name for name in self.buckets if self.left(name) >= self.burst}
        if not known:
            known = set(
                sorted(self.buckets, key=lambda name: self.buckets[name][1])[: self.most // 2]
            )
        for name in known:
            del self.buckets[name]
