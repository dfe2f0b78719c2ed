"""The time that a program uses: CPU time of all its processes and threads, plus idle time.

A program is idle while all its threads sleep. Waiting for a busy machine does not count. The
program takes no part in the measurement. Without `/proc`, wall time is used instead.
"""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import NamedTuple

POLL_SECONDS = 0.05  # between two samples, each of which takes a fraction of a millisecond
TICKS = os.sysconf("SC_CLK_TCK")  # per second, the unit of reaped time
# A sum may shrink by this much when processes are reaped, since their time is then rounded.
TICK_ERROR = 4 / TICKS
HAS_PROC = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


class Member(NamedTuple):
    """A process of the program in one sample: its parent and its page faults.

    When a process is reaped, the system adds its faults to `reaped` of the process that waited
    for it. Unlike times they are not rounded, and every process has some, so they show whether it
    was reaped.
    """

    parent: int
    faults: int
    reaped: int


class Meter:
    """Measures the time that a process and its descendants take for an answer.

    CPU time used while another seat thinks counts towards the next answer.

    The time of a process is lost if it ends and no other process of the program reaps it, as when
    SIGCHLD is ignored. It is then charged the whole interval between the last sample that saw it
    and the next, the most it can have used on one CPU. Short-lived processes gain nothing:
    samples catch them in proportion to their run time, and each one caught costs a whole interval.
    """

    def __init__(self, root: int, orphans: bool) -> None:
        """Measure a process; with `orphans` also all of its session, whatever their parents."""
        self.root, self.orphans = root, orphans
        self.outsiders: set[str] = set()
        """The names in `/proc` that are not processes of the session."""
        self.highest = self.lost = self.start = self.looked = self.last = self.idle = 0.0
        self.polled = 0.0
        self.lower: float | None = None
        self.members: dict[int, Member] = {}
        self.gone: dict[int, list[Member]] = {}
        """The processes missing from the last sample, by the member that should reap them."""
        self.before: dict[int, Member] = {}
        """The members in the sample before the last."""
        self.seen = self.span = 0.0
        """When the last sample was taken, and how long after the one before."""

    def begin(self) -> None:
        """Start to measure a request."""
        self.looked = self.polled = time.monotonic()
        self.idle = 0.0
        if not HAS_PROC:
            self.start = self.looked

    def poll(self, blocked: Callable[[], bool] = lambda: False) -> float:
        """Sample whether the program is idle, if it is time, and return the seconds until the next.

        Call it while there is no answer; calls in between, such as at output, change nothing.
        A program that is `blocked` waits for us, and is not idle.
        """
        now = time.monotonic()
        if now >= self.polled + POLL_SECONDS:
            if not blocked():
                self.count_idle(POLL_SECONDS)  # no more, even if we were delayed ourselves
            self.polled = now
        return self.polled + POLL_SECONDS - now

    def count_idle(self, seconds: float) -> None:
        """Add seconds to the idle time if the program is idle."""
        if HAS_PROC and all(map(is_asleep, self.processes())):
            self.idle += seconds

    def used_seconds(self) -> float:
        """Return the seconds since the last answer, as of the last `POLL_SECONDS` or so."""
        if time.monotonic() > self.looked + POLL_SECONDS:
            self.last = self.total() - self.start
            self.looked = time.monotonic()
        return self.last + self.idle

    def finish(self) -> float:
        """Return the seconds that an answer took, and start counting for the next."""
        now = self.total()
        took, self.start, self.last = now - self.start + self.idle, now, 0.0
        return took

    def total(self) -> float:
        """Return the seconds since the program started; they never decrease.

        The sum over the processes shrinks when one ends without being reaped by another. The
        difference is added to `lost` only if it persists in the next sample, because a process
        that ends during a sample may be missed by it.
        """
        if not HAS_PROC:
            return time.monotonic()
        members: dict[int, Member] = {}
        now = 0.0
        for process in self.processes():
            facts = stat(process)
            # One that is dead or has no parent left is in its parent's numbers already.
            if facts and facts[0] != "X" and facts[1] != "0":
                members[process] = Member(int(facts[1]), int(facts[7]), int(facts[8]))
                now += cpu_seconds(process, facts)
        self.lost += self.unreaped_seconds(members)
        if now > self.highest - TICK_ERROR:
            self.highest, self.lower = max(self.highest, now), None
        elif self.lower is None:
            self.lower = now
        else:
            remaining = max(now, self.lower)
            self.lost += self.highest - remaining
            self.highest, self.lower = remaining, None
        return self.lost + self.highest

    def unreaped_seconds(self, members: dict[int, Member]) -> float:
        """Return the seconds to charge for processes that ended without being reaped.

        Only those missing from the last sample are judged: one that is reaped during a sample may
        be gone before its parent's count shows it.
        """
        if self.root not in members:
            return 0.0
        charged = 0.0
        for reaper, some in self.gone.items():
            # If it has ended too, the last sample has its count.
            after = members.get(reaper) or self.members.get(reaper)
            before = self.before.get(reaper)
            reaped = after.reaped - before.reaped if after and before else 0
            if reaped < sum(one.faults + one.reaped for one in some):
                charged += self.span * len(some)
        gone = defaultdict(list)
        for process in self.members.keys() - members.keys():
            one = self.members[process]
            reaper = one.parent
            while reaper in self.members and reaper not in members:  # ended as well
                reaper = self.members[reaper].parent
            gone[reaper].append(one)
        seen = time.monotonic()
        self.gone, self.before, self.members = gone, self.members, members
        self.seen, self.span = seen, seen - self.seen
        return charged

    def processes(self) -> Iterator[int]:
        """Yield every process of the program, parents before children.

        Children are listed after their parent was yielded: one that is reaped in between is missed
        once, but never counted twice.
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
        """Return the processes of the session that the root leads."""
        present = set(os.listdir("/proc"))
        self.outsiders &= present
        found = []
        for name in present - self.outsiders:
            facts = stat(name) if name.isdigit() else []
            if facts and int(facts[3]) == self.root:
                found.append(int(name))
            else:
                self.outsiders.add(name)
        return found


def children(process: int) -> list[int]:
    """Return the children of a process, started by any of its threads."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{process}/task"):
            with open(f"/proc/{process}/task/{thread}/children", encoding="ascii") as file:
                found += map(int, file.read().split())
    except OSError:  # it has ended
        pass
    return found


def stat(process: int | str) -> list[str]:
    """Return the fields of `stat` from the state on, or none if the process or thread has ended."""
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


def cpu_seconds(process: int, facts: list[str]) -> float:
    """Return the CPU time of a process and of those it has reaped."""
    own, reaped = (sum(map(int, facts[at : at + 2])) / TICKS for at in (11, 13))
    try:
        # The clock of another process, in nanoseconds: what clock_getcpuclockid returns.
        own = max(own, time.clock_gettime((~process << 3) | 2))
    except OSError:
        pass  # it has ended, or its clock cannot be read
    return own + reaped
