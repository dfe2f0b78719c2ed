"""The players of an experiment: an agent by its text, or one trained for the experiment.

In an experiment file the first is a text and the second a table:

    "alphabeta:depth=4"
    {learner = "qtable", matches = 1000}
"""

import functools
import json
import tempfile
from pathlib import Path
from typing import Any

from ludex.agents import training as trainings
from ludex.agents.registry import AGENTS, Agent, make_agent
from ludex.core.rules import Rules
from ludex.io.schema import Key, read_table
from ludex.learn.qtable import ANYBODY, THEMSELVES, QLearner
from ludex.learn.training import LEARNERS, Training

Contender = str | dict[str, Any]
TRAINED = {
    "learner": Key(text="who learns"),
    "matches": Key(int, text="from which it learns", low=1),
    "against": Key(default=""),
    "name": Key(default=""),
}


def name_of(contender: Contender) -> str:
    """Return what a table or a plot calls a contender."""
    if isinstance(contender, str):
        return contender
    return str(contender.get("name") or f"{contender['learner']}, {contender['matches']:,} matches")


def check(contender: Contender, rules: Rules) -> None:
    """Raise a ValueError that says why a contender cannot play by these rules, if so."""
    if isinstance(contender, str):
        make_agent(contender, rules)
        return
    read_table(contender, TRAINED)
    name, _ = trainings.read_learner(contender["learner"])
    if name not in AGENTS:
        able = ", ".join(one for one in LEARNERS if one in AGENTS)
        raise ValueError(f"learner is {name!r}, which becomes no agent (those that do: {able})")
    training_of(rules, contender["learner"], contender.get("against"), 0)


def agent_of(contender: Contender, rules: Rules, seed: int) -> Agent:
    """Return the agent; one that learns has learned from this seed."""
    if isinstance(contender, str):
        return make_agent(contender, rules)
    file = trained(json.dumps(contender, sort_keys=True), rules, seed)
    return make_agent(f"{contender['learner'].partition(':')[0]}:file={file}", rules)


@functools.lru_cache(maxsize=None, typed=True)  # rules of two games may be equal as tuples
def trained(contender: str, rules: Rules, seed: int) -> Path:
    """Return the file of a learner after its training, made once in a process."""
    told = json.loads(contender)
    training = training_of(rules, told["learner"], told.get("against"), seed)
    training.go_on(told["matches"])
    file = Path(folder().name) / f"{len(list(Path(folder().name).iterdir()))}.npz"
    training.save(file)
    return file


@functools.cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that lives as long as the process."""
    return tempfile.TemporaryDirectory(prefix="ludex-lab-")


def training_of(rules: Rules, text: str, against: str | None, seed: int) -> Training:
    """Return a training that is measured against `random`, whoever its opponent is."""
    name, _ = trainings.read_learner(text)
    if name != QLearner.name and against not in (None, THEMSELVES):  # a key here, not an option
        raise ValueError(f"{name} learns from itself: against is for {QLearner.name}")
    training = trainings.training_of(rules, text, against, seed)
    training.judge = ANYBODY
    return training
