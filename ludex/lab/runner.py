"""Run an experiment: its tasks, stage by stage, in parallel, each stored when it is done."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import NamedTuple

from ludex.io.text import many
from ludex.lab.experiment_file import base_name
from ludex.lab.kinds import KINDS, require_extra
from ludex.lab.run.measurements import do_task
from ludex.lab.run.provenance import machine_facts
from ludex.lab.run.series import ON_DEVICE
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.task import Answer, Task, task_key
from ludex.store.notebook import Notebook
from ludex.tournaments.version import source
from ludex.workers.pool import Pool

PAUSE = 0.5  # seconds between writes
Tell = Callable[[int, int], None]
"""Called with the number of tasks done, and of those known so far."""
Spent = Callable[[Task, Answer, float], None]
"""Called with a task that was done, its answer, and its seconds without those of compilation."""


class LabOutcome(NamedTuple):
    """An experiment with all its results."""

    experiment: Experiment
    known: dict[Task, Answer]
    sources: tuple[str, ...]
    """The versions of Ludex that computed them."""
    facts: dict[str, str]
    """The machine on which it began."""


class Unfinished(ValueError):
    """The experiment has tasks without results."""


def run(
    experiment: Experiment,
    notebook: Notebook,
    pool: Pool | None = None,
    tell: Tell = lambda done, total: None,
    fresh: bool = False,
    spent: Spent = lambda task, answer, seconds: None,
    device: str = "auto",
) -> LabOutcome:
    """Run an experiment; `fresh` recomputes the results that the notebook has.

    If time is measured, the pool runs one task at a time. Series on a device are played one after
    another in this process, because each uses all of it.
    """
    require_extra(experiment)
    number = register(notebook, experiment)
    if fresh:
        notebook.reopen(number)
    timed = KINDS[experiment.kind].TIMED
    known: dict[Task, Answer] = {}
    with pool or Pool() as workers:
        for left in stages(experiment, notebook, known, set(), fresh):
            total = len(known) + len(left)
            tell(len(known), total)
            there = [task for task in left if task.work == ON_DEVICE]
            played = (do_task(task, device=device) for task in there)
            store_answers(note_seconds(played, spent), notebook, known, tell, total)
            rest = [task for task in left if task.work != ON_DEVICE]
            with closing(workers.run(do_task, rest, timed=timed)) as answers:
                store_answers(note_seconds(answers, spent), notebook, known, tell, total)
    return recall(experiment, notebook)


def stages(
    experiment: Experiment,
    notebook: Notebook,
    known: dict[Task, Answer],
    sources: set[str],
    fresh: bool = False,
) -> Iterator[list[Task]]:
    """Yield the tasks of each stage that the notebook lacks; what it has is added to `known`.

    `sources` are the versions of Ludex that computed it; if `fresh`, it is forgotten first.
    """
    while todo := missing_tasks(KINDS[experiment.kind].tasks(experiment, known), known):
        keys = {task_key(task): task for task in todo}
        if fresh:
            notebook.forget(keys)
        found = notebook.find(keys)
        known.update((task, found[key][0]) for key, task in keys.items() if key in found)
        sources |= {source for _, source in found.values()}
        yield missing_tasks(todo, known)


def missing_tasks(tasks: Iterable[Task], known: dict[Task, Answer]) -> list[Task]:
    """Return the tasks without results, each once."""
    return [task for task in dict.fromkeys(tasks) if task not in known]


def note_seconds(
    answers: Iterable[tuple[Task, Answer, float]], spent: Spent
) -> Iterator[tuple[Task, Answer]]:
    """Yield tasks with their answers, and tell the seconds of each."""
    for task, answer, seconds in answers:
        spent(task, answer, seconds)
        yield task, answer


def store_answers(
    answers: Iterable[tuple[Task, Answer]],
    notebook: Notebook,
    known: dict[Task, Answer],
    tell: Tell,
    total: int,
) -> None:
    """Add answers as they come, and store them regularly, so that little can be lost."""
    unwritten: dict[str, tuple[list[str], Answer]] = {}
    written = time.monotonic()
    try:
        for task, answer in answers:
            known[task] = answer
            unwritten[task_key(task)] = (list(task), answer)
            tell(len(known), total)
            if time.monotonic() > written + PAUSE:
                notebook.keep(unwritten, source())
                unwritten, written = {}, time.monotonic()
    finally:
        if unwritten:
            notebook.keep(unwritten, source())


def register(notebook: Notebook, experiment: Experiment) -> int:
    """Return the number of an experiment in the notebook, which is created if it is new."""
    return notebook.enter(
        experiment.key(),
        {
            "name": experiment.name,
            "kind": experiment.kind,
            "game": experiment.game,
            "ordered": experiment._asdict(),
            "facts": machine_facts(),
        },
    )


def recall(experiment: Experiment, notebook: Notebook) -> LabOutcome:
    """Return the stored results of an experiment, or raise Unfinished."""
    require_extra(experiment)
    known: dict[Task, Answer] = {}
    sources: set[str] = set()
    for left in stages(experiment, notebook, known, sources):
        if left:
            raise Unfinished(
                f"experiment {experiment.name!r} is not finished: {len(known)} of"
                f" {many(len(known) + len(left), 'task')} are done; ludex lab run goes on with it"
                f"{finished_hint(experiment, notebook)}"
            )
    number = register(notebook, experiment)
    notebook.finish(number)  # even if another experiment computed the results
    entered = notebook.experiment(number)
    assert entered is not None
    return LabOutcome(experiment, known, tuple(sorted(sources)), entered.facts)


def finished_hint(experiment: Experiment, notebook: Notebook) -> str:
    """Return a hint with the numbers of finished experiments of the same name."""
    name = base_name(experiment.name)
    ended = [
        str(row.id)
        for row in notebook.experiments()
        if row.ended and base_name(row.name) == name and row.key != experiment.key()
    ]
    if not ended:
        return ""
    numbers = ", ".join(ended)
    return f" (finished with another scale, seed or settings: {numbers}; ludex lab report N)"
