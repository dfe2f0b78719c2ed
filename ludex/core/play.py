"""Step through a match in plain Python, by numbers or labels."""

from collections.abc import Iterator

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.io.text import WrongParts, nearest
from ludex.kernel.bits import members

MOST_OUTCOMES, MOST_STATES = 20, 100  # in a row, and after each, to find the first decision


def choices(rules: Rules, state: State, seat: int) -> list[int]:
    """Return the legal actions of a seat that is to act."""
    return members(ask.moves(rules, state, seat))


def choosers(rules: Rules, state: State) -> tuple[int, ...]:
    """Return the seats to move: one, both, or none at chance and at the end."""
    mover = ask.turn(rules, state)
    return (0, 1) if mover == BOTH else (mover,) if mover >= 0 else ()


def first_decision(rules: Rules) -> State:
    """Return the first state in which a seat chooses, after as few outcomes of chance as possible.

    If there is none, return the initial state.
    """
    states = [ask.initial(rules)]
    for _ in range(MOST_OUTCOMES):
        deciding = [one for one in states if choosers(rules, one)]
        if deciding:
            return deciding[0]
        chances = [one for one in states if ask.turn(rules, one) == CHANCE][:MOST_STATES]
        after = [ask.apply(rules, one, move) for one in chances for move in legal_moves(rules, one)]
        states = list(dict.fromkeys(after))
    return ask.initial(rules)


def legal_moves(rules: Rules, state: State) -> list[int]:
    """Return all moves that `apply` takes here: actions, outcomes, or pairs."""
    mover = ask.turn(rules, state)
    if mover == OVER:
        return []
    if mover == CHANCE:
        return members(ask.possible(rules, state))
    if mover == BOTH:
        second = choices(rules, state, 1)
        return [ask.pair(first, other) for first in choices(rules, state, 0) for other in second]
    return choices(rules, state, mover)


def move_label(rules: Rules, state: State, move: int) -> str:
    """Return the name of a move; a pair is both seats' labels with a space between."""
    if ask.turn(rules, state) == BOTH:
        return " ".join(ask.label(rules, state, ask.part(move, seat)) for seat in (0, 1))
    return str(ask.label(rules, state, move))


def parse(rules: Rules, state: State, text: str, seat: int | None = None) -> int:
    """Return the move that a label names or, for a seat, one of its actions.

    Case and extra spaces do not matter, and a unique beginning or end of a label is enough: `2`
    for `take 2`.
    """
    moves_here = legal_moves(rules, state) if seat is None else choices(rules, state, seat)
    name = move_label if seat is None else ask.label
    labels = {normalise_label(name(rules, state, move)): move for move in moves_here}
    wanted = normalise_label(text)
    if wanted in labels:
        return labels[wanted]
    for fits in (str.startswith, str.endswith):
        found = [move for one, move in labels.items() if wanted and fits(one, wanted)]
        if len(found) == 1:
            return found[0]
        if found:
            several = ", ".join(one for one in labels if fits(one, wanted))
            raise ValueError(f"{text!r} fits several moves: {several}")
    raise ValueError(
        f"{text!r} is not a move here{nearest(wanted, labels)}: {describe(rules, state)}"
    )


def normalise_label(text: str) -> str:
    """Return a label as `parse` compares it: in lower case, with single spaces."""
    return " ".join(text.lower().split())


def describe(rules: Rules, state: State) -> str:
    """Return the position and whose turn it is in one line."""
    mover = ask.turn(rules, state)
    who = {CHANCE: "chance", BOTH: "both at once", OVER: "over"}.get(mover)
    return f"{ask.position(rules, state)}; {who or ask.seat_name(rules, mover) + ' to move'}"


def value_text(
    rules: Rules, value: float, seat: int, digits: str = ".4g", exact: bool = True
) -> str:
    """Return a value from the view of a seat in words: 'value +1 (Player 1 wins)'.

    An estimate of 0 is not called a draw.
    """
    number, who = f"value {value + 0.0:+{digits}}", ask.seat_name(rules, seat)
    if abs(value) > 1.0 - 1e-9 and ask.seats(rules) == 2:
        return f"{number} ({who if value > 0 else ask.seat_name(rules, 1 - seat)} wins)"
    if exact and value == 0 and not ask.outcomes(rules) and not ask.at_once(rules):
        return f"{number.replace('+0', '0')} (a draw)"
    return f"{number} for {who}"


def read_state(rules: Rules, text: str) -> State:
    """Return the state of a position; a ValueError quotes it and says what was expected.

    Unreachable positions are accepted if they are playable.
    """
    if not isinstance(text, str):
        wanted = f"expected a text such as {ask.position(rules, ask.initial(rules))!r}"
        raise ValueError(f"not a position: {text!r}: {wanted}")
    try:
        state = ask.read_position(rules, text.strip())
        check_playable(rules, state)
    except ValueError as error:
        raise ValueError(f"not a position: {text.strip()!r}: {error}") from None
    return state


def position_parts(rules: Rules) -> list[str]:
    """Return the names of the parts of a position, as `read_position` reports them, if it does."""
    try:
        ask.read_position(rules, "")
    except WrongParts as error:
        return error.names
    except Exception:  # of a game from outside; reading a position will report it
        return []
    return []


def check_playable(rules: Rules, state: State) -> None:
    """Raise a ValueError if the seat to act does not exist, or has no legal move."""
    mover = ask.turn(rules, state)
    if mover not in (OVER, CHANCE, BOTH, *range(ask.seats(rules))):
        raise ValueError(f"seat {mover} is to act: expected 0 to {ask.seats(rules) - 1}")
    if mover != OVER and not legal_moves(rules, state):
        raise ValueError("nothing can be done here, and the match is not over")


def states(rules: Rules, state: State, line: list[int]) -> Iterator[State]:
    """Yield a state and its successors along a line of moves."""
    yield state
    for move in line:
        state = ask.apply(rules, state, move)
        yield state
