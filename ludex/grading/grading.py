"""Grade a class: each submission alone, then the tournament, then the tables.

An interrupted run resumes where it stopped, with the same marks.
"""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from ludex.external.interface import find_submission
from ludex.external.packages import provide_packages
from ludex.grading.assignment import TOURNAMENT, Assignment
from ludex.grading.folder_names import warnings
from ludex.grading.intake import Entry, check_sources, name_of, take_in
from ludex.grading.manual_marks import read_manual_marks
from ludex.grading.progress import Tell, watch_progress
from ludex.grading.results import Graded, class_table
from ludex.grading.score import zero_mark
from ludex.grading.submission import MarkingTask, mark_entry, write_reports
from ludex.grading.tournament import Outcome, play_tournament
from ludex.grading.validation import validate
from ludex.grading.workspace import clear, read_marks
from ludex.io.files import write_text
from ludex.io.text import first_duplicate
from ludex.workers.pool import Pool, cores


class Grading(NamedTuple):
    """What is to be graded, and how."""

    file: Path
    """Of the assignment."""
    out: Path
    processes: int = 0
    seconds: float = 0.0
    """Limit for a submission; 0 for none."""
    pages: bool = True
    tournament: bool = True
    note: str = ""
    """A note for everybody's results."""
    alone: bool = False
    """Whether there is only one student, whatever the submission looks like."""
    marks: Path | None = None
    """A file with manual marks."""
    dask: str | None = None
    """The address of a scheduler, whose workers see the same files at the same paths."""


def grade(order: Grading, sources: Iterable[Path], tell: Tell) -> list[Graded]:
    """Grade all submissions, write the results, and return them sorted by name."""
    given = validate(order.file)
    paths = list(sources)
    owners = [name_of(path) for path in paths]
    by_hand = read_manual_marks(order.marks, given, owners) if order.marks else {}
    if not order.tournament:
        alone = tuple(test for test in given.tests if test.kind != TOURNAMENT)
        given = given._replace(tests=alone)
    with provide_packages(given.packages):
        entries = take_in_all(order, given, paths)
        out = order.out.resolve()
        warned = {
            entry.name: tuple(warnings(entry, given, out / "submissions" / entry.name, order.alone))
            for entry in entries
        }
        notes = {
            name: "\n".join([*(f"Please note: {one}." for one in some), order.note]).strip()
            for name, some in warned.items()
        }
        workspaces = {entry.name: out / "students" / entry.name for entry in entries}
        for workspace in workspaces.values():
            clear(workspace)
        tasks = [
            MarkingTask(
                str(order.file.absolute()),
                entry,
                str(workspaces[entry.name]),
                order.seconds,
                order.pages,
                notes[entry.name],
                tuple(by_hand.get(entry.name, {}).items()),
            )
            for entry in entries
        ]
        pool = Pool(order.processes, order.dask)
        workers = pool if order.dask else Pool(min(order.processes or cores(), len(tasks)))
        finished = closing(workers.run(mark_entry, tasks))
        with watch_progress(workspaces, tell) as watch, workers, finished as names:
            for name in names:
                watch.finish(name)
        played = play_tournaments(out, given, entries, pool, tell)
        graded = [add_tournaments(task, given, played, warned[task.entry.name]) for task in tasks]
        write_text(order.out / "class.csv", class_table(given, graded))
        return graded


def take_in_all(order: Grading, given: Assignment, sources: list[Path]) -> list[Entry]:
    """Copy the submissions to the output folder, and return them sorted by name."""
    copies = order.out.resolve() / "submissions"
    twice = first_duplicate([name_of(source) for source in sources])
    if twice is not None:
        raise ValueError(f"two submissions are called {twice!r}")
    for source in sources:
        path = source.resolve()
        if path.is_relative_to(copies.parent) or copies.is_relative_to(path):
            raise ValueError(f"--out {str(order.out)!r} and {str(source)!r}: one is in the other")
    check_sources(sources, given.course, order.alone, given.is_console)
    copies.mkdir(parents=True, exist_ok=True)
    for folder in (order.out.resolve(), copies):
        folder.chmod(folder.stat().st_mode | 0o755)
    return sorted(take_in(source, given.course, copies, given.is_console) for source in sources)


def can_play(entry: Entry, given: Assignment) -> bool:
    """Return whether a submission has an agent that can play."""
    try:
        find_submission(entry.folder, given.course)
    except ValueError:
        return False
    return not entry.fault


def play_tournaments(
    out: Path, given: Assignment, entries: list[Entry], pool: Pool, tell: Tell
) -> dict[str, Outcome]:
    """Play the tournaments of an assignment, and return their outcomes by name."""
    agents = tuple(entry.folder for entry in entries if can_play(entry, given))
    found: dict[str, Outcome] = {}
    for test in given.tests:
        if test.kind == TOURNAMENT and len(agents) > 1:

            def report(what: str, done: int, total: int, name: str = test.name) -> None:
                tell(f"{what} of {name}", "", done, total)

            found[test.name] = play_tournament(given, test, agents, out, pool, report)
    return found


def add_tournaments(
    task: MarkingTask, given: Assignment, played: dict[str, Outcome], warned: tuple[str, ...]
) -> Graded:
    """Add the tournament marks of a student, write the results, and return them."""
    agent = task.entry.folder
    fault, marks = read_marks(Path(task.workspace))
    rating: float | None = None
    known = {mark.test: mark for mark in marks}
    able = any(mark.by_rules for mark in marks)
    for test in given.tests:
        if test.kind != TOURNAMENT:
            continue
        outcome = played.get(test.name)
        if outcome is None or agent not in outcome.agents:
            why = f"could not be graded: {fault}" if fault else "the tournament was not played"
            known[test.name] = zero_mark(test, why)
        else:
            known[test.name] = outcome.mark(test, agent, able)
            rating = outcome.rating(agent)
    in_order = [known[test.name] for test in given.tests]
    write_reports(task, given, fault, in_order, rating, page=in_order != marks)
    return Graded(task.entry.name, in_order, fault, rating, warned)
