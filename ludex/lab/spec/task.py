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

TASK_VERSION = 1  # increase it when results of the same task change
Answer = Any
"""Any JSON value."""


class Task(NamedTuple):
    """A unit of work: the name of its function, and the arguments."""

    work: str
    facts: str
    """JSON with sorted keys, so that equal tasks compare equal."""


Known = Mapping[Task, Answer]


def make_task(work: str, **facts: Any) -> Task:
    """Return a task with these arguments."""
    return Task(work, json.dumps(facts, sort_keys=True))


def task_facts(task: Task) -> dict[str, Any]:
    """Return the arguments of a task."""
    facts: dict[str, Any] = json.loads(task.facts)
    return facts


def task_key(task: Task) -> str:
    """Return a hash of all that the answer depends on: task, game and versions."""
    game = find(task_facts(task)["game"])
    parts = [TASK_VERSION, __version__, game.__name__, version_of(game), *task]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
