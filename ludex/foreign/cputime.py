"""The time that a program takes: CPU time of all its processes and threads, and idle time.

Idle is a program all of whose threads sleep. One that only waits for a busy machine is not, and
that time is nobody's. The program has no part in measuring it. Where there is no `/proc` it is wall
time instead.
"""

import os
import time
from collections.abc import Iterator

PAUSE = 0.05  # seconds between two looks, each of which takes a fraction of a millisecond
TICK = os.sysconf("SC_CLK_TCK")  # in so many parts of a second the system shows reaped time
# A sum may shrink by this much when processes are reaped, since their time is then rounded.
ROUNDING = 4 / TICK
AVAILABLE = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


class Meter:
    """Measures the time that a process and all that it has started take for an answer.

    CPU time that is used while another seat thinks counts for the next answer.
    """

    def __init__(self, root: int, orphans: bool) -> None:
        """Measure a process; with `orphans` also all of its session, whoever their parents are."""
        self.root, self.orphans = root, orphans
        self.strangers: set[int] = set()
        self.highest = self.lost = self.start = self.looked = self.last = self.idle = 0.0
        self.lower: float | None = None

    def begin(self) -> None:
        """Note that the program is asked."""
        self.looked, self.idle = time.monotonic(), 0.0
        if not AVAILABLE:
            self.start = self.looked

    def rest(self, seconds: float) -> None:
        """Count the seconds that have just passed without an answer, if the program is idle."""
        if AVAILABLE and all(map(is_asleep, self.processes())):
            self.idle += seconds

    def used(self) -> float:
        """Return the seconds since the last answer, as of the last `PAUSE` or so."""
        if time.monotonic() > self.looked + PAUSE:
            self.last = self.total() - self.start
            self.looked = time.monotonic()
        return self.last + self.idle

    def answered(self) -> float:
        """Return the seconds that an answer took, and begin to measure those of the next."""
        now = self.total()
        took, self.start, self.last = now - self.start + self.idle, now, 0.0
        return took

    def total(self) -> float:
        """Return the seconds since the program started; they never decrease.

        The sum over the processes shrinks when one ends without being reaped by another of them.
        What is missing is kept, if it is still missing at the next look: a process that ends
        during a look may be overlooked by that one.
        """
        if not AVAILABLE:
            return time.monotonic()
        now = sum(map(cpu_seconds, self.processes()))
        if now > self.highest - ROUNDING:
            self.highest, self.lower = max(self.highest, now), None
        elif self.lower is None:
            self.lower = now
        else:
            remaining = max(now, self.lower)
            self.lost += self.highest - remaining
            self.highest, self.lower = remaining, None
        return self.lost + self.highest

    def processes(self) -> Iterator[int]:
        """Yield every process of the program, each before those that it has started.

        Children are looked for after their parent was used: one that is reaped in between is
        missing for a moment, but is never counted twice.
        """
        seen: set[int] = set()
        waiting = [self.root]
        while waiting:
            process = waiting.pop()
            if process not in seen:
                seen.add(process)
                yield process
                waiting += children(process)
            if not waiting and self.orphans:
                waiting = [one for one in self.session() if one not in seen]

    def session(self) -> list[int]:
        """Return the processes of the session that the process leads."""
        present = {int(name) for name in os.listdir("/proc") if name.isdigit()}
        self.strangers &= present
        found = []
        for process in present - self.strangers:
            facts = stat(process)
            if facts and int(facts[3]) == self.root:
                found.append(process)
            else:
                self.strangers.add(process)
        return found


def children(process: int) -> list[int]:
    """Return the children of a process, whichever of its threads has started them."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    except OSError:  # it has ended
        pass
    return found


def stat(process: int | str) -> list[str]:
    """Return the state of a process or thread and the numbers after it; nothing if it has gone."""
    try:
        with open(f"/proc/{process}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return []


def is_asleep(process: int) -> bool:
    """Return whether no thread of a process runs, wants to run, or waits for a disk."""
    try:
        threads = os.listdir(f"/proc/{process}/task")
    except OSError:  # it has ended
        return True
    return not any(stat(f"{process}/task/{thread}")[:1] in (["R"], ["D"]) for thread in threads)


def cpu_seconds(process: int) -> float:
    """Return the CPU time of a process, with that of those which it has reaped."""
    facts = stat(process)
    if not facts:
        return 0.0
    own, reaped = (sum(map(int, facts[at : at + 2])) / TICK for at in (11, 13))
    try:
        # The clock of another process, in nanoseconds: what clock_getcpuclockid returns.
        own = max(own, time.clock_gettime((~process << 3) | 2))
    except OSError:
        pass  # it has ended since, or its times are only in the file
    return own + reaped
