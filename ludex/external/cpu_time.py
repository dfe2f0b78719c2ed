"""The time that a program uses: CPU time of all its processes and threads, plus idle time.

A program is idle while all its threads sleep. Waiting for a busy machine does not count. The
program takes no part in the measurement. Without `/proc`, wall time is used instead.
"""

import os
import time
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

LOOK_EVERY = 0.05  # seconds between two looks, each of which takes a fraction of a millisecond
TICKS = os.sysconf("SC_CLK_TCK")  # in so many parts of a second the system shows reaped time
# A sum may shrink by this much when processes are reaped, since their time is then rounded.
TICK_ERROR = 4 / TICKS
AVAILABLE = os.path.exists(f"/proc/self/task/{os.getpid()}/children")


class Member(NamedTuple):
    """What a process of the program was when it was seen: its parent, and its page faults.

    The system adds the faults of a process to `reaped` of the one that waits for its end. They
    show whether somebody did, because unlike times they are not rounded, and every process has
    some.
    """

    parent: int
    faults: int
    reaped: int


class Meter:
    """Measures the time that a process and all that it has started take for an answer.

    CPU time that is used while another seat thinks counts for the next answer.

    The time of a process is lost if it ends and no other process of the program waits for it, as
    when SIGCHLD is ignored. It is charged as if it had run from the look that saw it last to the
    one that did not, which is the most it can have used on one CPU. Short processes gain nothing:
    a look sees some of them as often as some of them run, and each one seen costs a whole pause.
    """

    def __init__(self, root: int, orphans: bool) -> None:
        """Measure a process; with `orphans` also all of its session, whoever their parents are."""
        self.root, self.orphans = root, orphans
        self.strangers: set[int] = set()
        self.highest = self.lost = self.start = self.looked = self.last = self.idle = 0.0
        self.glanced = 0.0
        self.lower: float | None = None
        self.members: dict[int, Member] = {}
        self.gone: dict[int, list[Member]] = {}
        """Those that were missing at the last look, by the member that must have reaped them."""
        self.before: dict[int, Member] = {}
        """The members at the look before the last."""
        self.seen = self.span = 0.0
        """When the last look was, and how long after the one before."""

    def begin(self) -> None:
        """Note that the program is asked."""
        self.looked = self.glanced = time.monotonic()
        self.idle = 0.0
        if not AVAILABLE:
            self.start = self.looked

    def glance(self) -> float:
        """See whether the program is idle, if it is time, and return the seconds until the next.

        To be called while there is no answer. What the program prints meanwhile changes nothing.
        """
        now = time.monotonic()
        if now >= self.glanced + LOOK_EVERY:
            self.rest(LOOK_EVERY)  # no more, however long we were kept waiting ourselves
            self.glanced = now
        return self.glanced + LOOK_EVERY - now

    def rest(self, seconds: float) -> None:
        """Count the seconds that have just passed without an answer, if the program is idle."""
        if AVAILABLE and all(map(is_asleep, self.processes())):
            self.idle += seconds

    def used(self) -> float:
        """Return the seconds since the last answer, as of the last `LOOK_EVERY` or so."""
        if time.monotonic() > self.looked + LOOK_EVERY:
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
        members: dict[int, Member] = {}
        now = 0.0
        for process in self.processes():
            if facts := stat(process):
                members[process] = Member(int(facts[1]), int(facts[7]), int(facts[8]))
                now += cpu_seconds(process, facts)
        self.lost += self.forgotten(members)
        if now > self.highest - TICK_ERROR:
            self.highest, self.lower = max(self.highest, now), None
        elif self.lower is None:
            self.lower = now
        else:
            remaining = max(now, self.lower)
            self.lost += self.highest - remaining
            self.highest, self.lower = remaining, None
        return self.lost + self.highest

    def forgotten(self, members: dict[int, Member]) -> float:
        """Return the seconds to charge for processes that ended and were not waited for.

        They are those which the last look missed: one that is reaped during a look may be missing
        before its parent shows it.
        """
        if self.root not in members:
            return 0.0
        charged = 0.0
        for reaper, some in self.gone.items():
            # One that has ended since has shown at the last look what it had reaped.
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


def cpu_seconds(process: int, facts: list[str]) -> float:
    """Return the CPU time of a process, with that of those which it has reaped."""
    own, reaped = (sum(map(int, facts[at : at + 2])) / TICKS for at in (11, 13))
    try:
        # The clock of another process, in nanoseconds: what clock_getcpuclockid returns.
        own = max(own, time.clock_gettime((~process << 3) | 2))
    except OSError:
        pass  # it has ended since, or its times are only in the file
    return own + reaped
