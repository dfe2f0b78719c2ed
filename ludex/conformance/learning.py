"""The contract of games for learners (features, rewards, patterns), tested on one state."""

from typing import Any

from ludex.conformance.contract import Violation, ask_game, require
from ludex.core import rules as ask
from ludex.core.play import choosers, legal_moves
from ludex.core.rules import Rules, State
from ludex.kernel.bits import NumberSet, members
from ludex.learn.weights import MOST_PATTERNS, scratch

LARGEST_KEY = (1 << 63) - 1

SeenKeys = dict[int, tuple[NumberSet, State]]
"""For each key of `features`: the legal actions where it was first seen, and that state."""


def examine_learning(rules: Rules, state: State, seen: SeenKeys) -> None:
    """Check the questions that learners ask; `seen` collects the keys of all states."""
    for seat in choosers(rules, state):
        examine_features(rules, state, seat, seen)
    for seat in range(ask.seats(rules)):
        examine_patterns(rules, state, seat)
        for move in legal_moves(rules, state):
            hint = ask_game(ask.reward, rules, state, ask.apply(rules, state, move), seat)
            require(
                isinstance(hint, float) and -1.0 <= hint <= 1.0,
                f"reward of seat {seat} is {hint!r}; it must be a float from -1.0 to 1.0",
            )


def examine_features(rules: Rules, state: State, seat: int, seen: SeenKeys) -> None:
    """Check the key that a learner sees: equal keys must have equal legal actions."""
    key = ask_game(ask.features, rules, state, seat)
    require(
        type(key) is int and 0 <= key <= LARGEST_KEY,
        f"features of seat {seat} is {key!r}; it must be an int from 0 to 2**63 - 1",
    )
    require(
        ask.features(rules, state, seat) == key, "features returned two keys for the same state"
    )
    require_text(ask_game(ask.features_text, rules, key), "features_text")
    legal = ask.moves(rules, state, seat)
    there, other = seen.setdefault(key, (legal, state))
    require(
        there == legal,
        f"features is {key} here, where the legal actions are {members(legal)}, and in {other},"
        f" where they are {members(there)}; states that look the same must have the same",
    )


def examine_patterns(rules: Rules, state: State, seat: int) -> None:
    """Check the indices of weights."""
    size = ask.patterns_size(rules)
    require(type(size) is int and size >= 0, f"PATTERNS_SIZE is {size!r}; it must be an int")
    found = [pattern_places(rules, state, seat, filler) for filler in (0, size)]
    require(found[0] == found[1], f"patterns of seat {seat} depend on what was in `places` before")
    for place in found[0]:
        require(
            0 <= place < size,
            f"patterns of seat {seat} has the place {place}; it must be from 0 to {size - 1},"
            " below PATTERNS_SIZE",
        )
        require_text(ask_game(ask.patterns_text, rules, place), "patterns_text")


def pattern_places(rules: Rules, state: State, seat: int, filler: int) -> list[int]:
    """Return the indices that a seat sees, from an array prefilled with `filler`."""
    places = scratch()
    places[:] = filler
    try:
        count = ask.patterns(rules, state, seat, places)
    except IndexError as error:
        raise Violation(f"patterns wrote more than {MOST_PATTERNS} places") from error
    except Exception as error:
        raise Violation(f"patterns raised {type(error).__name__}: {error}") from error
    require(
        type(count) is int and 0 <= count <= MOST_PATTERNS,
        f"patterns of seat {seat} returned {count!r}; it must be an int from 0 to {MOST_PATTERNS}",
    )
    return [int(place) for place in places[:count]]


def require_text(text: Any, name: str) -> None:
    """Require at most one line of text."""
    require(isinstance(text, str) and "\n" not in text, f"{name} is {text!r}; it must be a line")
