"""Entrants of an experiment: an agent by its text, or one trained for the experiment.

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
from ludex.learn.qtable import ITSELF, RANDOM, QLearner
from ludex.learn.training import LEARNERS, Training

Entrant = str | dict[str, Any]
TRAINED_KEYS = {
    "learner": Key(text="who learns"),
    "matches": Key(int, text="from which it learns", low=1),
    "against": Key(default=""),
    "name": Key(default=""),
}


def entrant_name(entrant: Entrant) -> str:
    """Return the display name of an entrant."""
    if isinstance(entrant, str):
        return entrant
    return str(entrant.get("name") or f"{entrant['learner']}, {entrant['matches']:,} matches")


def check_entrant(entrant: Entrant, rules: Rules) -> None:
    """Raise a ValueError that says why an entrant cannot play by these rules, if so."""
    if isinstance(entrant, str):
        make_agent(entrant, rules)
        return
    read_table(entrant, TRAINED_KEYS)
    name, _ = trainings.read_learner(entrant["learner"])
    if name not in AGENTS:
        able = ", ".join(one for one in LEARNERS if one in AGENTS)
        raise ValueError(f"learner is {name!r}, which becomes no agent (those that do: {able})")
    training_of(rules, entrant["learner"], entrant.get("against"), 0)


def make_entrant(entrant: Entrant, rules: Rules, seed: int) -> Agent:
    """Return the agent of an entrant, trained from this seed if it learns."""
    if isinstance(entrant, str):
        return make_agent(entrant, rules)
    file = train_to_file(json.dumps(entrant, sort_keys=True), rules, seed)
    return make_agent(f"{entrant['learner'].partition(':')[0]}:file={file}", rules)


@functools.lru_cache(maxsize=None, typed=True)  # rules of two games may be equal as tuples
def train_to_file(entrant: str, rules: Rules, seed: int) -> Path:
    """Train a learner, once per process, and return its file."""
    trained = json.loads(entrant)
    training = training_of(rules, trained["learner"], trained.get("against"), seed)
    training.train_more(trained["matches"])
    folder = Path(temporary_folder().name)
    file = folder / f"{len(list(folder.iterdir()))}.npz"
    training.save(file)
    return file


@functools.cache
def temporary_folder() -> tempfile.TemporaryDirectory[str]:
    """Return a folder that is removed when the process ends."""
    return tempfile.TemporaryDirectory(prefix="ludex-lab-")


def training_of(rules: Rules, text: str, against: str | None, seed: int) -> Training:
    """Return a training that is evaluated against `random`, whatever its opponent."""
    name, _ = trainings.read_learner(text)
    if name != QLearner.name and against not in (None, ITSELF):  # a key here, not an option
        raise ValueError(f"{name} learns from itself: against is for {QLearner.name}")
    training = trainings.make_training(rules, text, against, seed)
    training.tested_against = RANDOM
    return training
