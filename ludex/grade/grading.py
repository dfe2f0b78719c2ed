"""Grading a class: every submission by itself, then the tournament of all, then the tables.

Whatever ends it, the same order goes on where it stopped, and comes to the same marks.
"""

import json
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from ludex.files import write_text
from ludex.foreign.interface import find_submission
from ludex.grade.assignment import TOURNAMENT, Assignment, read
from ludex.grade.collecting import Entry, name_of, take_in
from ludex.grade.desk import forget, kept
from ludex.grade.mark import Mark, zero
from ludex.grade.marking import Order, mark_entry
from ludex.grade.results import class_table, results
from ludex.grade.tournament import Outcome, meet
from ludex.tournament.workers import cores, here, on_processes

Tell = Callable[[str, int, int], None]
"""Told what is done, how many of them, and out of how many."""


class Grading(NamedTuple):
    """What is to be graded, and how."""

    file: Path
    """Of the assignment."""
    out: Path
    processes: int = 0
    seconds: float = 0.0
    """For a submission, at most; 0 for no limit."""
    pages: bool = True
    tournament: bool = True
    note: str = ""
    """What everybody should know of this grading."""


class Graded(NamedTuple):
    """What somebody has got."""

    name: str
    marks: list[Mark]
    fault: str
    rating: float | None

    @property
    def total(self) -> float:
        """All points."""
        return round(sum(mark.score for mark in self.marks), 2)


def grade(order: Grading, sources: Iterable[Path], tell: Tell) -> list[Graded]:
    """Return what everybody has got, by name, after writing all of it."""
    given = read(order.file)
    if not order.tournament:
        alone = tuple(test for test in given.tests if test.kind != TOURNAMENT)
        given = given._replace(tests=alone)
    entries = taken_in(order, given, list(sources))
    desks = {entry.name: order.out.resolve() / "students" / entry.name for entry in entries}
    for entry in entries:
        forget(desks[entry.name])
    orders = [
        Order(str(order.file.resolve()), entry, str(desks[entry.name]), order.seconds, order.pages)
        for entry in entries
    ]
    processes = min(order.processes or cores(), len(orders))
    work = (
        here(mark_entry, orders) if processes == 1 else on_processes(mark_entry, orders, processes)
    )
    with closing(work) as names:
        for done, name in enumerate(names, start=1):
            tell(f"marked {name}", done, len(orders))
    played = tournaments(order, given, entries, tell)
    graded = [finished(order, given, entry, desks[entry.name], played) for entry in entries]
    rows = [(one.name, one.marks, one.fault, one.rating) for one in graded]
    write_text(order.out / "class.csv", class_table(given, rows))
    return graded


def taken_in(order: Grading, given: Assignment, sources: list[Path]) -> list[Entry]:
    """Return the submissions, copied to a shelf, by name."""
    shelf = order.out.resolve() / "submissions"
    names = [name_of(source) for source in sources]
    twice = next((name for name in names if names.count(name) > 1), "")
    if twice:
        raise ValueError(f"two submissions are called {twice!r}")
    for source in sources:
        path = source.resolve()
        if path.is_relative_to(shelf.parent) or shelf.is_relative_to(path):
            raise ValueError(f"--out {str(order.out)!r} and {str(source)!r}: one is in the other")
    shelf.mkdir(parents=True, exist_ok=True)
    for folder in (order.out.resolve(), shelf):
        folder.chmod(folder.stat().st_mode | 0o755)
    return sorted(take_in(source, given.course, shelf) for source in sources)


def able(entry: Entry, given: Assignment) -> bool:
    """Return whether a submission can sit down at all."""
    try:
        find_submission(entry.folder, given.course)
    except ValueError:
        return False
    return not entry.fault


def tournaments(
    order: Grading, given: Assignment, entries: list[Entry], tell: Tell
) -> dict[str, Outcome]:
    """Return what came of each tournament of an assignment, by its name."""
    agents = tuple(entry.folder for entry in entries if able(entry, given))
    found: dict[str, Outcome] = {}
    for test in given.tests:
        if test.kind == TOURNAMENT and len(agents) > 1:
            done = 0

            def told(some: list[Any]) -> bool:
                nonlocal done
                done += len(some)
                tell("matches of the tournament", done, 0)
                return False

            found[test.name] = meet(given, test, agents, order.out.resolve(), order.processes, told)
    return found


def finished(
    order: Grading, given: Assignment, entry: Entry, desk: Path, played: dict[str, Outcome]
) -> Graded:
    """Return what somebody has got with the tournament, and write it for them."""
    fault, marks = kept(desk)
    rating: float | None = None
    known = {mark.test: mark for mark in marks}
    for test in given.tests:
        if test.kind != TOURNAMENT:
            continue
        outcome = played.get(test.name)
        if outcome is None or entry.folder not in outcome.agents:
            why = f"could not be graded: {fault}" if fault else "the tournament was not played"
            known[test.name] = zero(test, why)
        else:
            known[test.name] = outcome.mark(test, entry.folder)
            rating = outcome.rating(entry.folder)
    in_order = [known[test.name] for test in given.tests]
    found = results(given, in_order, fault, rating, order.note)
    write_text(desk / "results.json", json.dumps(found, indent=2, ensure_ascii=False) + "\n")
    return Graded(entry.name, in_order, fault, rating)
