"""What the seats and spectators of a match see, in games that hide something from them."""

from ludex.core.play import legal_moves, move_label
from ludex.core.rules import (
    OVER,
    Rules,
    State,
    apply,
    imperfect_information,
    information_state,
    seats,
    turn,
)

SPECTATOR = -1
"""Instead of a seat: somebody who sees only what all seats see."""


def seen_by(rules: Rules, state: State, viewer: int) -> State:
    """Return the state as a seat or a spectator sees it; the end of a match is seen whole."""
    if not imperfect_information(rules) or turn(rules, state) == OVER:
        return state
    if viewer != SPECTATOR:
        return information_state(rules, state, viewer)
    for seat in range(seats(rules)):
        state = information_state(rules, state, seat)
    return state


def sees_move(rules: Rules, state: State, move: int, viewer: int) -> bool:
    """Return whether a seat or a spectator can tell which move was made in a state.

    It cannot if another move, with another label, would look the same afterwards. That may be a
    legal move, or one that only the viewer, who does not see all of the state, takes to be legal.
    """
    if not imperfect_information(rules):
        return True
    shown = seen_by(rules, apply(rules, state, move), viewer)
    name, seen = move_label(rules, state, move), seen_by(rules, state, viewer)
    return move in legal_moves(rules, seen) and all(
        move_label(rules, one, other) == name
        or seen_by(rules, apply(rules, one, other), viewer) != shown
        for one in (state, seen)
        for other in legal_moves(rules, one)
    )
