"""What the adapters share: checking arguments, and stepping and drawing a match."""

import itertools
import operator
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ludex.core.observation import legal_bits
from ludex.core.rules import LARGEST, Rules, actions, pair, reward, scene
from ludex.core.termination import ILLEGAL
from ludex.core.variants import rules_from
from ludex.games import game_rules
from ludex.kernel.bits import contains
from ludex.match.seen import match_seen_by
from ludex.match.session import Match
from ludex.render.svg import svg

RENDER_MODES = ["human", "ansi", "svg", "rgb_array"]


def rules_of(game: str, rules: Mapping[str, Any] | None = None) -> Rules:
    """Return the rules of a game, by its name or path, with some of them changed."""
    if not isinstance(rules, Mapping | None):
        raise ValueError(f"rules {rules!r}: expected a dictionary, such as {{'size': 5}}")
    return rules_from(game_rules(game), rules or {})


def checked_mode(mode: str | None) -> str | None:
    """Return a render mode, or raise a ValueError."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"no render mode {mode!r} (there are {', '.join(RENDER_MODES)})")
    return mode


def checked_number(number: Any, name: str, low: int) -> int:
    """Return an integer of at least `low`, from any integer type."""
    try:
        whole = operator.index(number)
    except TypeError:
        whole = low - 1
    if isinstance(number, bool) or not low <= whole <= LARGEST:
        raise ValueError(f"{name} {number!r}: expected a whole number of at least {low}")
    return whole


def whole_action(action: Any) -> int:
    """Return an action as an int, legal or not."""
    try:
        return operator.index(action)
    except TypeError:
        raise ValueError(f"action {action!r}: expected the number of an action") from None


def new_match(rules: Rules, plies: int, seed: int | None = None) -> Match:
    """Return a match that is truncated after `plies`."""
    return Match(rules, seed=seed, plies=checked_number(plies, "plies", 1), undo=False)


def choose(
    match: Match, chosen: Mapping[int, int], apply: Callable[[int], None] | None = None
) -> None:
    """Play the actions of all seats to move, and chance up to the next decision.

    Illegal actions forfeit the match. `apply` makes the move instead of `match.apply`, if given.
    """
    count = int(actions(match.rules))
    chosen = {seat: whole_action(chosen[seat]) for seat in match.choosers}
    illegal = [
        seat
        for seat, action in chosen.items()
        if not 0 <= action < count
        or not contains(legal_bits(match.rules, match.state, seat), action)
    ]
    if illegal:
        match.forfeit(ILLEGAL, illegal, "an illegal action")
    else:
        move = int(pair(*chosen.values())) if len(chosen) == 2 else chosen[match.turn]
        (apply or match.apply)(move)
        match.draw_chance()


def hint_rewards(match: Match, since: int, seat: int) -> float:
    """Return the sum of the game's shaping rewards for a seat since a ply."""
    line = [ply.state for ply in match.plies[since:]]
    return sum(float(reward(match.rules, *both, seat)) for both in itertools.pairwise(line))


def render_match(match: Match, mode: str | None, viewer: int) -> str | np.ndarray | None:
    """Return the position in a render mode, as a seat or SPECTATOR sees it; "human" prints it."""
    seen = match_seen_by(match, viewer)
    if mode == "svg":
        return svg(scene(seen.rules, seen.state, seen.last_move))
    if mode == "rgb_array":
        from ludex.render.pixels import pixels  # imports matplotlib

        return pixels(svg(scene(seen.rules, seen.state, seen.last_move)))
    if mode == "human":
        print(seen.board(), end="\n\n")
    return seen.board() if mode == "ansi" else None
