"""A game with its rules: the entry point of the library."""

from collections.abc import Mapping
from html import escape
from pathlib import Path
from types import ModuleType
from typing import Any

from ludex import games
from ludex.batch import perft as device_perft
from ludex.batch.batch import Batch, Chooser
from ludex.conformance.check import CheckReport, check_game
from ludex.core import rules as ask
from ludex.core.devices import CPU
from ludex.core.perft import counts
from ludex.core.play import read_state
from ludex.core.rules import Rules, State
from ludex.core.time_control import PLIES
from ludex.core.variants import range_text, rule_table, rules_from, write_value
from ludex.io.table import Table
from ludex.io.text import whole_number
from ludex.library.player import Player, make_player
from ludex.library.playouts import Playouts, playouts
from ludex.library.progress import in_notebook, show_progress
from ludex.library.truth import Truth, solve
from ludex.match.luck import chosen_seed
from ludex.match.session import Match
from ludex.match.whole_state import whole_state
from ludex.render.svg import svg
from ludex.solve.equilibrium.regret import PREDICTIVE, VARIANTS
from ludex.solve.equilibrium.solving import GAP


class Game:
    """A game with its rules, as returned by `load`. Other rules make another game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.module = ask.game_of(rules)
        self.name = ask.name_of(rules)
        """Its short name, such as trap."""

    @property
    def source(self) -> str:
        """The text by which any process finds it: its name, or the path of its file."""
        return games.source_of(self.module)

    @property
    def title(self) -> str:
        """Its full name."""
        return ask.title(self.rules)

    @property
    def seats(self) -> int:
        """The number of seats."""
        return int(ask.seats(self.rules))

    @property
    def levels(self) -> dict[str, str]:
        """The agents behind easy, medium, hard and best."""
        return dict(ask.levels_of(self.rules))

    @property
    def rule_table(self) -> Table:
        """Every rule with its value, its range and what it is."""
        values = ask.rule_values(self.rules)
        return Table(
            {
                "rule": key,
                "value": write_value(rule, values[key]),
                "range": range_text(rule, values[key]),
                "what it is": rule.text,
            }
            for key, rule in rule_table(self.rules).items()
        )

    def with_rules(self, **rules: Any) -> "Game":
        """Return the same game with some rules changed."""
        return Game(rules_from(self.rules, rules))

    def new_match(
        self, position: str | None = None, seed: int | None = None, chance: str = "auto"
    ) -> Match:
        """Return a match before its first move, or at a position given as text.

        What the seat to move does not see in that position is drawn at random.
        """
        seed = chosen_seed(seed)
        start = whole_state(self.rules, self.state_at(position), seed)
        return Match(self.rules, start, seed=seed, chance=chance)

    def state_at(self, position: str | None = None) -> State:
        """Return the state of a position given as text, or the initial state."""
        return ask.initial(self.rules) if position is None else read_state(self.rules, position)

    def agent(self, player: Any) -> Player:
        """Return a player: by text such as "mcts:sims=500", or any object with `choose(match)`."""
        return make_player(player, self.rules)

    def batch(
        self,
        boards: int,
        device: str = "cpu",
        seed: int | None = None,
        agents: Mapping[int, str | Chooser] | None = None,
        plies: int = PLIES,
    ) -> Batch:
        """Return many matches side by side, which are stepped at once.

        The device is "cpu" for its cores, "cuda" for an NVIDIA card, or "auto" for a card if there
        is one. Seats with agents play by themselves: "random", "casual", "greedy", or a function
        that takes the batch and returns an action for each board. After so many plies, a match is
        cut off.
        """
        with show_progress(in_notebook()):  # what is compiled first
            return Batch(self.rules, boards, device, chosen_seed(seed), agents, plies)

    def playouts(
        self,
        position: str | None = None,
        matches: int = 10_000,
        agent: str = "random",
        seat: int | None = None,
        seed: int | None = None,
        device: str = "cpu",
        progress: bool = True,
    ) -> Playouts:
        """Return the mean return after each action, over matches that an agent plays to the end.

        The agent, of all seats, is "random", "casual" or "greedy"; the device is as in `batch`. At
        simultaneous moves, the actions are those of `seat`, by default of the first. What the seat
        does not see is drawn anew in each match.
        """
        state = self.state_at(position)
        return playouts(self.rules, state, matches, agent, seat, seed, device, progress)

    def solve(
        self,
        position: str | None = None,
        objective: str = "outcome",
        memory: float | None = None,
        progress: bool = True,
        gap: float = GAP,
        algorithm: str = VARIANTS[PREDICTIVE],
        device: str = CPU,
    ) -> Truth:
        """Return exact values: by listing all states, or by a proof from the position.

        The objective is who wins ("outcome") or by how much ("margin"); memory is in GiB. In a game
        that hides something, it is an equilibrium in which no seat can gain more than the gap,
        found by "pcfr+", "cfr+" or "dcfr". With the device "cuda" an NVIDIA card lists the states,
        and computes their values where no position recurs; "auto" is a card if there is one.
        """
        given = self.rules, self.state_at(position), objective, memory
        with show_progress(progress) as tell:
            return solve(*given, tell, gap=gap, algorithm=algorithm, device=device)

    def count(
        self, depth: int, position: str | None = None, device: str | None = None
    ) -> list[int]:
        """Return how many lines of play are 1, 2, … plies long (perft).

        With a device, as in `batch`, they are counted on all cores or on a card.
        """
        state, plies = self.state_at(position), whole_number("depth", depth)
        with show_progress(in_notebook()):  # what is compiled first
            return count_lines(self.rules, state, plies, device)

    def check(self, lines: int = 5000, seed: int = 0) -> CheckReport:
        """Check the contract of games; the report has the shortest violation, if any."""
        with show_progress(in_notebook()):
            return check_game(self.rules, lines=whole_number("lines", lines, 0), seed=seed)

    def _repr_html_(self) -> str:
        state = ask.initial(self.rules)
        picture = svg(ask.scene(self.rules, state), ask.position(self.rules, state))
        board = f'<div style="max-width: 28em">{picture}</div>'
        heading = escape(f"{self.title} ({self.name})")
        return f"<h3>{heading}</h3>{board}{self.rule_table._repr_html_()}"

    def __repr__(self) -> str:
        table, changed = rule_table(self.rules), ask.changed_values(self.rules)
        texts = [f"{key}={write_value(table[key], value)}" for key, value in changed.items()]
        return f"<Game {self.name}{': ' if texts else ''}{', '.join(texts)}>"

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Game) and type(self.rules) is type(other.rules)
        return same and bool(self.rules == other.rules)  # type: ignore[attr-defined]

    def __hash__(self) -> int:
        return hash((type(self.rules), self.rules))


def count_lines(rules: Rules, state: State, depth: int, device: str | None = None) -> list[int]:
    """Return how many lines of play are 1, 2, … plies long, counted on a device if one is named."""
    if device is None:
        return counts(rules, state, depth)
    there = device_perft.counting_device(device, rules, state)
    return device_perft.counts(rules, state, depth, there)


def load(game: "str | Path | ModuleType | type[Any] | Rules | Game", **rules: Any) -> Game:
    """Return a game: by its name, a path, a module, the class of its rules, or such rules.

    Rules are given as Python values: `load("trap", size=5)`, `load("droids", start1=(0, 0))`; a
    name with a hyphen goes into a dictionary: `load("arena", **{"gamma-after": 5})`.
    """
    if isinstance(game, Game):
        return game.with_rules(**rules)
    if not isinstance(game, str | Path | ModuleType | type | tuple):
        known = "a game's name or path, a module, or the class of its rules"
        raise ValueError(f"{game!r}: expected {known}")
    named = isinstance(game, str | Path)
    standard = games.game_rules(str(game)) if named else games.adopt(game)
    return Game(rules_from(standard, rules))


def check(game: Any, lines: int = 5000, seed: int = 0) -> CheckReport:
    """Check the contract of games, and return the shortest violation, if any.

    Examines the states near the start, random lines of play, and compiled code.
    """
    return load(game).check(lines, seed)


def available_games() -> list[str]:
    """Return the names of all games, included or installed."""
    return games.all_names()
