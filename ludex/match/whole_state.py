"""The start of a match at a position that shows only what a seat sees."""

from typing import TYPE_CHECKING

import numpy as np

from ludex.core import rules as ask
from ludex.core.play import choosers
from ludex.core.rules import Rules, State
from ludex.core.sampling import draw_states
from ludex.kernel.tuples import flatten, from_row

if TYPE_CHECKING:
    from ludex.solve.equilibrium.belief import Belief


def whole_state(rules: Rules, state: State, seed: int) -> State:
    """Return a state that a match can start from: what a seat to move does not see is drawn.

    The seed decides what is drawn, as if the other seats had played at random. A ValueError says
    that no match leads to what is seen, or that nothing can be drawn for it.
    """
    viewers = [seat for seat in range(ask.seats(rules)) if sees_all(rules, state, seat)]
    if not viewers or state == ask.initial(rules):
        return state
    acting = choosers(rules, state)
    for seat in viewers:
        if seat in acting:
            return draw(rules, state, seat, np.random.default_rng(seed))
    for seat in acting:
        check_seen(rules, state, seat)
    return state


def sees_all(rules: Rules, state: State, seat: int) -> bool:
    """Return whether a game hides something, but nothing of this state from a seat."""
    return bool(
        ask.imperfect_information(rules)
        and ask.turn(rules, state) != ask.OVER
        and ask.information_state(rules, state, seat) == state
    )


def draw(rules: Rules, state: State, seat: int, rng: np.random.Generator) -> State:
    """Return one of the states that a seat to move cannot tell from this one."""
    if ask.answers(ask.game_of(rules), "resample"):
        return ask.resample(rules, state, seat, rng)
    belief = listed_belief(rules, state, seat)
    row = int(rng.choice(len(belief.states), p=belief.probabilities))
    return from_row(state, belief.states, row)


def draw_many(
    rules: Rules, state: State, seat: int, rng: np.random.Generator, many: int
) -> np.ndarray:
    """Return as many of the states that a seat to move cannot tell from this one, as columns."""
    if ask.answers(ask.game_of(rules), "resample"):
        seen = ask.information_state(rules, state, seat)
        columns = np.empty((len(flatten(state)), many), np.int64)
        draw_states(rules, seen, seat, rng, columns)
        return columns
    belief = listed_belief(rules, state, seat)
    rows = rng.choice(len(belief.states), size=many, p=belief.probabilities)
    return np.ascontiguousarray(belief.states[rows, : len(flatten(state))].T, np.int64)


def check_seen(rules: Rules, state: State, seat: int) -> None:
    """Raise a ValueError if a seat to move never sees what it would see of a state."""
    if not ask.answers(ask.game_of(rules), "resample"):
        listed_belief(rules, state, seat)


def listed_belief(rules: Rules, state: State, seat: int) -> "Belief":
    """Return the belief of a seat to move; a ValueError says that there are too many states."""
    # Solvers take long to import, and few matches start at what a seat sees.
    from ludex.solve.equilibrium.belief import beliefs_of
    from ludex.solve.states.listing import TooBig

    try:
        return beliefs_of(rules).at(state, seat)
    except TooBig as error:
        place = ask.position(rules, state)
        reason = f"{error} are too many to list, and the game has no `resample`"
        raise ValueError(f"what {place!r} does not show cannot be drawn: {reason}") from None
