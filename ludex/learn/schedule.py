"""Schedules of learning rates and other parameters."""

from typing import NamedTuple

from ludex.io.text import number_or_nan
from ludex.kernel.jit import shared

CONSTANT, LINEAR, VISITS = range(3)


class Schedule(NamedTuple):
    """A parameter that is constant, falls linearly to `end`, or as 1/n of the visits."""

    kind: int
    start: float
    end: float


@shared
def at(schedule, progress, visits):
    """Return the parameter at a progress of 0 to 1, and a number of visits of at least 1."""
    if schedule.kind == LINEAR:
        return schedule.start + (schedule.end - schedule.start) * progress
    if schedule.kind == VISITS:
        return max(schedule.end, schedule.start / visits)
    return schedule.start


def read_schedule(text: str, name: str) -> Schedule:
    """Read a schedule: `0.1`, `0.5..0.01`, `1/n` or `1/n..0.01`."""
    first, dots, last = text.partition("..")
    kind = VISITS if first.endswith("/n") else LINEAR if dots else CONSTANT
    start = number_or_nan(first.removesuffix("/n"))
    end = number_or_nan(last) if dots else 0.0 if kind == VISITS else start
    if not (0.0 <= start <= 1.0 and 0.0 <= end <= 1.0):
        raise ValueError(
            f"option {name}: {text!r}: expected a number from 0 to 1, as in 0.1, 0.5..0.01 (falls"
            " from match to match), 1/n or 1/n..0.01 (falls with the visits)"
        )
    return Schedule(kind, start, end)
