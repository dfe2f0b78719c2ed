"""Facts: constants in which a game describes itself, and how its rules are named and changed.

A fact takes the rules of a game or its module: `title(game)` returns its `TITLE`.
"""

from collections.abc import Mapping
from types import ModuleType
from typing import NamedTuple

from ludex.core.rules.dispatch import Rules, declare, fact, game_of, question
from ludex.kernel.jit import short_name

Value = int | tuple[int, ...]
"""The value of a rule."""


class Rule(NamedTuple):
    """The range of a rule, and one sentence about it.

    With `words`, the rule is one of them, and `low` is the number of the first.
    """

    low: int
    high: int
    text: str
    words: tuple[str, ...] = ()
    label: str = ""
    """What pages call it, if its name alone is not clear."""


class Grid(NamedTuple):
    """Rules that are shown as a table; each is named ROW-COLUMN."""

    text: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]


# What it is. -----------------------------------------------------------------------------------


@fact
def name_of(game: Rules | ModuleType) -> str:
    """Return the short name, if it is not that of the file or folder."""
    return short_name(game.__name__)


@fact
def title(game: Rules | ModuleType) -> str:
    """Return the display name of the game."""
    return name_of(game)


@fact
def kind_of(game: Rules | ModuleType) -> str:
    """Return a short description of the kind of game, such as "turns, a die, 2 to 4 seats"."""
    return ""


@fact
def version_of(game: Rules | ModuleType) -> int:
    """Return the version of the rules, incremented when they change, not when the code does."""
    return 1


@fact
def note_of(game: Rules | ModuleType) -> str:
    """Return a notice that commands print before they use the game."""
    return ""


@fact
def interpreted(game: Rules | ModuleType) -> bool:
    """Return whether the game calls another program and cannot be compiled."""
    return False


# Which rules can be changed. -------------------------------------------------------------------


@fact
def rules_of(game: Rules | ModuleType) -> dict[str, Rule]:
    """Return range and description of the rules by name; a rule without one may be any int."""
    return {}


@fact
def grids_of(game: Rules | ModuleType) -> tuple[Grid, ...]:
    """Return the grids in which rules are displayed as tables."""
    return ()


@question
def rule_values(rules: Rules) -> dict[str, Value]:
    """Return the value of every rule by name, if the names are not those of the fields."""
    values: dict[str, Value] = rules._asdict()
    return values


def changed_values(rules: Rules) -> dict[str, Value]:
    """Return the values that differ from those of the default rules, by name."""
    default = rule_values(type(rules)())
    return {key: value for key, value in rule_values(rules).items() if value != default[key]}


def make_rules(standard: Rules, given: Mapping[str, Value]) -> Rules:
    """Return rules with the given values, and otherwise those of the standard rules.

    A game may define `make_rules(given)`; a ValueError rejects inconsistent values.
    """
    own = getattr(game_of(standard), "make_rules", None)
    return own(changed_values(standard) | dict(given)) if own else standard._replace(**given)


declare("make_rules", make_rules)

# Who usually plays it, and how. ----------------------------------------------------------------


@fact
def levels_of(game: Rules | ModuleType) -> dict[str, str]:
    """Return the agents for the levels easy, medium, hard and best, or for some of them."""
    return {}


@fact
def styles_of(game: Rules | ModuleType) -> dict[str, tuple[str, ...]]:
    """Return options for every searching agent, each with its values, the default first."""
    return {}


@fact
def learner_of(game: Rules | ModuleType) -> str:
    """Return the learner that the web lab suggests."""
    return "qtable"


@fact
def clock(game: Rules | ModuleType) -> str:
    """Return the default time control of external programs, as `--clock` takes it."""
    return "decision=10"
