"""Run an experiment: its tasks, stage by stage, in parallel, each stored when it is done."""

import time
from collections.abc import Callable, Iterable
from contextlib import closing
from typing import NamedTuple

from ludex.io.plural import many
from ludex.lab.kinds import KINDS, require_extra
from ludex.lab.reader import family
from ludex.lab.run.provenance import machine
from ludex.lab.run.work import answered
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.task import Answer, Task, key_of
from ludex.store.notebook import Notebook
from ludex.tournaments.source import source
from ludex.workers.pool import Pool

PAUSE = 0.5  # seconds between two writings
Tell = Callable[[int, int], None]
"""Told how many tasks are done, and how many are known so far."""


class Outcome(NamedTuple):
    """An experiment with all that was found out for it."""

    experiment: Experiment
    known: dict[Task, Answer]
    sources: tuple[str, ...]
    """Which Ludex gave the answers."""
    facts: dict[str, str]
    """On which machine it began."""


class Unfinished(ValueError):
    """Something is not known yet."""


def run(
    experiment: Experiment,
    notebook: Notebook,
    pool: Pool | None = None,
    tell: Tell = lambda done, total: None,
    fresh: bool = False,
) -> Outcome:
    """Return all that an experiment finds out; what the notebook has is done again if fresh.

    Where time is measured, the pool does one task at a time.
    """
    require_extra(experiment)
    kind = KINDS[experiment.kind]
    enter(notebook, experiment)
    known: dict[Task, Answer] = {}
    with pool or Pool() as workers:
        while todo := missing(kind.tasks(experiment, known), known):
            if fresh:
                notebook.forget(key_of(task) for task in todo)
            take(todo, notebook.find(key_of(task) for task in todo), known)
            left = missing(todo, known)
            total = len(known) + len(left)
            tell(len(known), total)
            with closing(workers.run(answered, left, timed=kind.TIMED)) as answers:
                work_off(answers, notebook, known, tell, total)
    return recalled(experiment, notebook)


def missing(tasks: Iterable[Task], known: dict[Task, Answer]) -> list[Task]:
    """Return the tasks that are not known yet, each once."""
    return [task for task in dict.fromkeys(tasks) if task not in known]


def take(
    tasks: list[Task], found: dict[str, tuple[Answer, str]], known: dict[Task, Answer]
) -> set[str]:
    """Add to what is known what a notebook has found, and return from which Ludex that is."""
    known.update((task, found[key_of(task)][0]) for task in tasks if key_of(task) in found)
    return {source for _, source in found.values()}


def work_off(
    answers: Iterable[tuple[Task, Answer]],
    notebook: Notebook,
    known: dict[Task, Answer],
    tell: Tell,
    total: int,
) -> None:
    """Take what is done as it comes, and keep it, so that whatever happens little is lost."""
    unwritten: dict[str, tuple[list[str], Answer]] = {}
    written = time.monotonic()
    try:
        for task, answer in answers:
            known[task] = answer
            unwritten[key_of(task)] = (list(task), answer)
            tell(len(known), total)
            if time.monotonic() > written + PAUSE:
                notebook.keep(unwritten, source())
                unwritten, written = {}, time.monotonic()
    finally:
        if unwritten:
            notebook.keep(unwritten, source())


def enter(notebook: Notebook, experiment: Experiment) -> int:
    """Return the number of an experiment in the notebook."""
    return notebook.enter(
        experiment.key(),
        {
            "name": experiment.name,
            "kind": experiment.kind,
            "game": experiment.game,
            "ordered": experiment._asdict(),
            "facts": machine(),
        },
    )


def recalled(experiment: Experiment, notebook: Notebook) -> Outcome:
    """Return what was found out for an experiment, or raise that it is not finished."""
    require_extra(experiment)
    kind = KINDS[experiment.kind]
    known: dict[Task, Answer] = {}
    sources: set[str] = set()
    while todo := missing(kind.tasks(experiment, known), known):
        sources |= take(todo, notebook.find(key_of(task) for task in todo), known)
        left = missing(todo, known)
        if left:
            raise Unfinished(
                f"experiment {experiment.name!r} is not finished: {len(known)} of"
                f" {many(len(known) + len(left), 'task')} are done; ludex lab run goes on with it"
                f"{others(experiment, notebook)}"
            )
    number = enter(notebook, experiment)
    notebook.finish(number)  # all of it is known, whoever has asked
    entered = notebook.experiment(number)
    assert entered is not None
    return Outcome(experiment, known, tuple(sorted(sources)), entered.facts)


def others(experiment: Experiment, notebook: Notebook) -> str:
    """Return the numbers of orders like this one that are finished, as a hint."""
    ended = [
        str(row.id)
        for row in notebook.experiments()
        if row.ended and family(row.name) == family(experiment.name) and row.key != experiment.key()
    ]
    if not ended:
        return ""
    return f" (finished with another scale, seed or order: {', '.join(ended)}; ludex lab report N)"
