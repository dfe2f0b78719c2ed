"""Players: agents by text, and any Python object with `choose(match)`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from inspect import getdoc
from typing import Any

from numpy.random import Generator

from ludex.agents.registry import AGENTS, HUMAN, Agent, make_agent
from ludex.core.choice import UNKNOWN, Choice
from ludex.core.options import default_text, options_of, range_text
from ludex.core.play import choosers, describe
from ludex.core.rules import BOTH, Rules, State, apply, information_state, label, turn
from ludex.core.termination import ILLEGAL, Offence, shorten
from ludex.io.table import Table, with_headline
from ludex.io.text import many, seconds_text
from ludex.kernel.jit import thinking_time
from ludex.library.progress import in_notebook, show_progress
from ludex.match.session import Match


@dataclass(frozen=True)
class Decision:
    """The choice of a player; values are those of the seat that chooses, from -1 to 1."""

    move: str
    """The label of the action."""
    action: int
    value: float | None
    """None if the player gives no value."""
    values: Mapping[str, float]
    """The values of the actions, as far as known."""
    mixture: Mapping[str, float]
    """The probability of each action, if more than one may be chosen."""
    line: tuple[str, ...]
    """The principal variation, this move first."""
    nodes: int
    depth: int
    seconds: float = field(compare=False)
    """Thinking time, without compiling."""

    @property
    def table(self) -> Table:
        """A row for each action that was considered, best first."""
        looked_at = dict.fromkeys([self.move, *self.values, *self.mixture])
        order = sorted(looked_at, key=lambda one: -self.values.get(one, -2.0))
        return Table(
            {"move": one, "value": self.values.get(one), "share": self.mixture.get(one, 0.0)}
            for one in order
        )

    def _repr_html_(self) -> str:
        value = "" if self.value is None else f", value {self.value:+.4g}"
        line = f", expecting {', '.join(self.line)}" if len(self.line) > 1 else ""
        search = f"{many(self.nodes, 'node')}, depth {self.depth}, " if self.nodes else ""
        text = f"{self.move}{value}{line} ({search}{seconds_text(self.seconds)})"
        return with_headline(text, self.table)


class Custom:
    """An agent made from an object with `choose(match)`, or from a function of a match.

    The function gets a match whose `seat` is the one to choose for, and returns a label, the number
    of an action, or a `Decision`. An object whose choice depends on the position alone may say so
    by `policy_known = True`.
    """

    def __init__(self, player: Any) -> None:
        self.choose = player.choose if hasattr(player, "choose") else player
        self.policy_known = bool(getattr(player, "policy_known", False))

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the object for the seat, which is to move."""
        match = Match(rules, state, seed=int(rng.integers(2**32)), chance="manual")
        match.asked = seat
        answer = self.choose(match)
        try:
            action = match.action_of(answer, seat)
        except ValueError as error:
            own = "; expected one of match.legal_moves(match.seat)" if match.turn == BOTH else ""
            raise Offence(ILLEGAL, shorten(f"{error}{own}")) from error
        return Choice(action, mixture={action: 1.0} if self.policy_known else UNKNOWN)


class Player:
    """An agent that chooses in a match."""

    def __init__(self, name: str, agent: Agent, rules: Rules, text: str = "") -> None:
        self.name, self.agent, self.rules = name, agent, rules
        self.text = text
        """What recreates it in any process; empty for a Python object."""

    def __repr__(self) -> str:
        return f"<Player {self.name}>"

    def choose(self, match: Match, seat: int | None = None) -> Decision:
        """Return the player's choice; in simultaneous moves, for `seat` or the first."""
        chooser(match.rules, match.state, seat)
        if match.over:  # other than by the rules
            raise ValueError(f"the match is over: {match.result}")
        seat = match.seat if seat is None else seat
        with show_progress(in_notebook()):  # what is compiled first
            return decide(self.agent, match.rules, match.state, seat, match.luck.of(seat))


def chooser(rules: Rules, state: State, seat: int | None = None) -> int:
    """Return the seat, or the first, that is to choose in a state; else raise a ValueError."""
    waiting = choosers(rules, state)
    if not waiting or (seat is not None and seat not in waiting):
        who = f"seat {seat} does not choose" if waiting else "no seat chooses"
        raise ValueError(f"{who} here: {describe(rules, state)}")
    return waiting[0] if seat is None else seat


def by_label(rules: Rules, state: State, numbers: Mapping[int, float]) -> dict[str, float]:
    """Return numbers by the labels of actions instead of their own numbers."""
    return {label(rules, state, one): float(number) + 0.0 for one, number in numbers.items()}


def decide(
    agent: Agent, rules: Rules, state: State, seat: int, rng: Generator, ahead: bool = False
) -> Decision:
    """Return the choice of an agent, which sees what its seat sees.

    `ahead` adds the line that it expects, if it knows one.
    """
    state = information_state(rules, state, seat)
    began = thinking_time()
    found = agent.consider(rules, state, seat, rng)
    seconds = thinking_time() - began
    if ahead and hasattr(agent, "expects"):  # not computed in matches
        found = found._replace(line=agent.expects(rules, state, seat, found))
    return Decision(
        label(rules, state, found.action),
        int(found.action),
        float(found.value) + 0.0 if found.value == found.value else None,
        by_label(rules, state, found.values),
        by_label(rules, state, found.mixture),
        tuple(line_labels(rules, state, found.line or (found.action,))),
        int(found.nodes),
        int(found.depth),
        seconds,
    )


def line_labels(rules: Rules, state: State, line: tuple[int, ...]) -> list[str]:
    """Return the labels of a line, up to the first simultaneous move."""
    names = []
    for action in line:
        names.append(label(rules, state, action))
        if len(names) == len(line) or turn(rules, state) == BOTH:
            break
        state = apply(rules, state, action)
    return names


def make_player(player: Any, rules: Rules) -> Player:
    """Return a player from a text, an object with `choose`, a function of a match, or a player."""
    if not hasattr(player, "choose"):
        player = getattr(player, "agent", player)  # of a TrainingResult
    if isinstance(player, Player):
        return player
    if isinstance(player, type):
        name = player.__name__
        raise ValueError(f"{name} is a class: expected an object, as in {name}()")
    if isinstance(player, str):
        return Player(player, make_agent(player, rules), rules, player)
    if hasattr(player, "consider"):
        return Player(name_of(player), player, rules)
    if callable(getattr(player, "choose", player)):
        return Player(name_of(player), Custom(player), rules)
    raise ValueError(
        f"{player!r} is no agent: expected a text such as 'mcts:sims=500', an object with"
        " choose(match), or a function of a match"
    )


def available_agents() -> Table:
    """Return the agents, each with a description and its options."""
    rows = (
        {
            "agent": name,
            "text": "Asks a person." if kind is None else (getdoc(kind) or "").partition("\n")[0],
            "options": {
                key: {"default": default_text(one), "range": range_text(one), "text": one.text}
                for key, one in (options_of(kind) if kind else {}).items()
            },
        }
        for name, kind in {HUMAN: None, **AGENTS}.items()
    )
    return Table(rows, {"options": options_text})


def options_text(options: Mapping[str, dict[str, str]]) -> str:
    """Return the options of an agent as they are typed, with the range and meaning of each."""
    return "; ".join(
        f"{key}{one['default'] and '='}{one['default']} ({one['range']}): {one['text']}"
        for key, one in options.items()
    )


def name_of(player: Any) -> str:
    """Return the name of a Python object as a player."""
    own = getattr(player, "name", None) or getattr(player, "__name__", None)
    return str(own or type(player).__name__)
