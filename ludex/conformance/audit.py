"""The contract of games in compiled code, fast enough for thousands of lines of play."""

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, MOST_ACTIONS, MOST_SEATS, OVER
from ludex.kernel.bits import contains, members, write_words
from ludex.kernel.jit import compiled, shared

SUM_ERROR = 1e-9  # tolerance for rounding in a sum

# The columns of `fill_answers`. Sets are kept apart because a float cannot hold 63 bits.
INTS = ("turn", "margin")
SETS = ("possible", *(f"moves of seat {seat}" for seat in range(MOST_SEATS)))
FLOATS = (
    *(f"returns of seat {seat}" for seat in range(MOST_SEATS)),
    *(f"estimate of seat {seat}" for seat in range(MOST_SEATS)),
    *(f"chance of outcome {outcome}" for outcome in range(MOST_ACTIONS)),
)


@compiled
def fill_answers(rules, state, ints, sets, floats):
    """Write the game's answers about a state into zeroed arrays of INTS, SETS and FLOATS.

    A row of `sets` holds the words of a set.
    """
    mover = ask.turn(rules, state)
    ints[0] = mover
    if mover == OVER:
        for seat in range(ask.seats(rules)):
            floats[seat] = ask.returns(rules, state, seat)
        ints[1] = ask.margin(rules, state)
    elif mover == CHANCE:
        write_words(ask.possible(rules, state), sets[0])
        for outcome in range(ask.outcomes(rules)):
            floats[2 * MOST_SEATS + outcome] = ask.chance(rules, state, outcome)
    elif mover == BOTH:
        write_words(ask.moves(rules, state, 0), sets[1])
        write_words(ask.moves(rules, state, 1), sets[2])
    else:
        write_words(ask.moves(rules, state, mover), sets[1 + mover])
    for seat in range(ask.seats(rules)):
        floats[MOST_SEATS + seat] = ask.estimate(rules, state, seat)


@compiled
def apply_compiled(rules, state, move):
    """Return the next state."""
    return ask.apply(rules, state, move)


@compiled
def canonical_compiled(rules, state):
    """Return the canonical state."""
    return ask.canonical(rules, state)


@compiled
def seen_compiled(rules, state, seat):
    """Return the state as a seat sees it."""
    return ask.information_state(rules, state, seat)


@compiled
def keeps_contract(rules, state):
    """Return whether turn, moves, chances, estimates and returns keep the contract in a state."""
    mover = ask.turn(rules, state)
    if mover == OVER:
        total = 0.0
        for seat in range(ask.seats(rules)):
            worth = ask.returns(rules, state, seat)
            if not -1.0 <= worth <= 1.0:
                return False
            total += worth
        return abs(total) < SUM_ERROR
    for seat in range(ask.seats(rules)):
        if not -1.0 < ask.estimate(rules, state, seat) < 1.0:
            return False
    if mover == CHANCE:
        total, some = 0.0, ask.possible(rules, state)
        for outcome in range(ask.outcomes(rules)):
            p = ask.chance(rules, state, outcome)
            if not 0.0 <= p <= 1.0 or (p > 0.0) != contains(some, outcome):
                return False
            total += p
        return abs(total - 1.0) < SUM_ERROR
    if mover == BOTH:
        return has_moves(rules, state, 0) and has_moves(rules, state, 1)
    return 0 <= mover < ask.seats(rules) and has_moves(rules, state, mover)


@shared
def has_moves(rules, state, seat):
    """Return whether a seat has legal actions, and only those of the game."""
    highest = -1
    for action in members(ask.moves(rules, state, seat)):
        highest = action
    return 0 <= highest < ask.actions(rules)


@compiled
def first_faulty_ply(rules, state, line):
    """Return after how many moves of a line the contract is violated, or -1."""
    for ply in range(len(line)):
        if not keeps_contract(rules, state):
            return ply
        state = ask.apply(rules, state, int(line[ply]))
    return -1 if keeps_contract(rules, state) else len(line)


@compiled
def first_faulty_view(rules, state, line):
    """Return after how many moves of a line what a seat sees violates the contract, or -1."""
    for ply in range(len(line)):
        if not keeps_views(rules, state):
            return ply
        state = ask.apply(rules, state, int(line[ply]))
    return -1 if keeps_views(rules, state) else len(line)


@compiled
def keeps_views(rules, state):
    """Return whether what seats see of a state hides nothing twice, nor the turn or own moves."""
    mover = ask.turn(rules, state)
    if mover == OVER:
        return True
    for seat in range(ask.seats(rules)):
        seen = ask.information_state(rules, state, seat)
        if ask.turn(rules, seen) != mover or ask.information_state(rules, seen, seat) != seen:
            return False
        if mover == seat or (mover == BOTH and seat < 2):
            if ask.moves(rules, seen, seat) != ask.moves(rules, state, seat):
                return False
    return True
