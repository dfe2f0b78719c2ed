"""What a trained agent has learned: hats, values or shares of actions, or weights of patterns."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludex.agents.training import evaluation_opponent
from ludex.core.leaf_value import leaf_value
from ludex.core.play import read_state
from ludex.core.rules import Rules
from ludex.core.search_profile import Learned
from ludex.games import game_rules
from ludex.io.table import Table, with_headline
from ludex.io.text import ParameterError, many
from ludex.learn.cfr import average_strategies
from ludex.learn.checkpoint import LEARNED, REFERENCE, Checkpoint, load, read_arrays, shipped_file
from ludex.learn.curve_point import CurvePoint
from ludex.learn.insight import hats, known_actions, patterns_in, top_patterns, top_states
from ludex.learn.table import entries
from ludex.learn.training import LEARNERS
from ludex.learn.weights import scratch, weights_of
from ludex.library.training import TrainingResult

FEW = 200  # up to this many hats are listed one by one
TOP = 10  # default number of rows
ROWS = ("patterns", "hats", "visited")


@dataclass(frozen=True)
class Inspection:
    """What was learned, as returned by `inspect`."""

    rules: Rules
    facts: dict[str, Any]
    """How it was trained, and what it knows."""

    @property
    def table(self) -> Table:
        """The rows of what it knows: patterns, moves of a position, hats, or visited states."""
        if "seats" in self.facts:
            return Table(row for seat in self.facts["seats"] for row in self._moves(seat))
        [rows] = (self.facts[name] for name in ROWS if name in self.facts)
        return Table(rows)

    def _moves(self, known: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield a row for each move of a seat: balls of each learner, a value or share; visits."""
        place = {"seat": known["seat"], "seen": known["seen"]}
        for move, numbers in known["actions"].items():
            learners = enumerate(numbers["known"], start=1)
            own = {f"learner {number}": balls for number, balls in learners}
            name = "share" if self.facts["learner"] in ("cfr", "net") else "value"
            told = own if self.facts["learner"] == "hats" else {name: numbers["known"][0]}
            yield place | {"move": move} | told | {"visits": numbers["visits"]}
        if not known["actions"]:
            yield place | {"visits": 0}

    def __repr__(self) -> str:
        what, matches = self.facts, many(self.facts["matches"], "match")
        where = f", about {what['position']!r}" if "position" in what else ""
        return f"<Inspection of {what['learner']} for {what['game']} after {matches}{where}>"

    def _repr_html_(self) -> str:
        return with_headline(repr(self), self.table)


def inspect(
    file: Any, position: str | None = None, game: str | None = None, top: int | None = None
) -> Inspection:
    """Return what a file or result of `train` holds, or "reference" or "learned", the included.

    These are its hats, its most-visited states or largest weights, `top` of them, or what it knows
    about a position. `game` says where the game is, if the file leaves it open.
    """
    given = file.game.rules if isinstance(file, TrainingResult) and game is None else None
    file = getattr(file, "file", file)
    path = shipped_file(str(file), game) if str(file) in (REFERENCE, LEARNED) else Path(file)
    owner = read_arrays(path)[1]["owner"]
    learner = owner["learner"]
    try:
        rules = game_rules(game or owner["game"], owner["rules"]) if given is None else given
    except ValueError as error:
        raise ParameterError("{}; {game} says where it is", error) from error
    trained = load(path, learner, rules)
    facts = training_facts(owner, trained)
    rows = TOP if top is None else top
    state = None if position is None else read_state(rules, position)
    if learner == "net":
        network = LEARNERS["net"](**facts["options"]).restore(rules, trained.memory)
        facts["choices"] = int(network.learned.steps)
        usual = state is None
        known = network.usual_policies(rules) if usual else network.policies_in(rules, state)
        trained = trained._replace(memory=known)
    if learner == "cfr":
        trained = trained._replace(memory=average_strategies(trained.memory))
    if state is not None:
        facts["position"] = position
    if learner == "td":
        weights = weights_of(rules, trained.memory)
        if state is None:
            facts["patterns"] = top_patterns(rules, weights, rows)
        else:
            facts["patterns"] = patterns_in(rules, weights, state)
            facts["value"] = leaf_value(rules, state, 0, Learned(0, weights.values, scratch()))
    elif state is not None:
        facts["seats"] = known_actions(rules, trained, state)
    elif learner == "hats" and top is None and facts["states"] <= FEW:
        facts["hats"] = hats(rules, trained)
    else:
        facts["visited"] = top_states(rules, trained, rows)
    return Inspection(rules, facts)


def training_facts(owner: dict[str, Any], trained: Checkpoint) -> dict[str, Any]:
    """Return how a file was trained."""
    facts = {name: owner[name] for name in ("learner", "game", "version", "rules")}
    facts |= {name: trained.facts[name] for name in ("matches", "seed", "against", "options")}
    memory = trained.memory
    facts |= {"states": int(memory.filled[0]), "choices": int(entries(memory)[2].sum())}
    if trained.facts["curve"]:
        matches, tally, accuracy = CurvePoint.of(trained.facts["curve"][-1])
        facts |= {"measured": matches, "share": tally.share, "interval": tally.interval}
        facts |= {"opponent": evaluation_opponent(owner["learner"], trained.facts["against"])}
        facts |= {"best_moves": accuracy.best, "loss": accuracy.loss} if accuracy else {}
    return facts
