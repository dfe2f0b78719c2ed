"""Tasks: the smallest units of an experiment, as text, so that any process can do them.

The key of a task contains everything its result depends on. A stored result is never computed
again, by any experiment: this is how an interrupted one is resumed.
"""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from ludex import __version__
from ludex.core.rules import version_of
from ludex.games import find

FORM = 1  # to be raised when a work answers otherwise than before
Answer = Any
"""What JSON can hold."""


class Task(NamedTuple):
    """Something to find out: the name of a work, and what it is to be done with."""

    work: str
    facts: str
    """JSON, with sorted names, so that equal tasks are equal."""


Known = Mapping[Task, Answer]


def make_task(work: str, **facts: Any) -> Task:
    """Return a task."""
    return Task(work, json.dumps(facts, sort_keys=True))


def facts_of(task: Task) -> dict[str, Any]:
    """Return what a task is to be done with."""
    facts: dict[str, Any] = json.loads(task.facts)
    return facts


def key_of(task: Task) -> str:
    """Return a hash of all that the answer depends on: the task, the game, the version."""
    game = find(facts_of(task)["game"])
    told = [FORM, __version__, game.__name__, version_of(game), *task]
    return hashlib.sha256(json.dumps(told).encode()).hexdigest()
