"""Names, texts and pictures for people; these functions are never compiled."""

from ludex.core.rules.dispatch import Rules, State, question
from ludex.core.rules.play import LARGEST, NO_MOVE, initial
from ludex.core.scene import Scene, text_scene
from ludex.io.text import read_int, read_ints, read_parts


@question
def seat_name(rules: Rules, seat: int) -> str:
    """Return the display name of the seat."""
    return f"Player {seat + 1}"


@question
def label(rules: Rules, state: State, move: int) -> str:
    """Return the name of one seat's action or, at a CHANCE state, of an outcome.

    Labels of the same state are distinct.
    """
    return str(move + 1)


@question
def prompt(rules: Rules, state: State) -> str:
    """Return what the seat to move has to do, such as "throw a trap".

    Empty if there is only one kind of move.
    """
    return ""


@question
def position(rules: Rules, state: State) -> str:
    """Return the state as one line of text."""
    return " ".join(
        ",".join(map(str, part)) if isinstance(part, tuple) else str(part) for part in state
    )


@question
def read_position(rules: Rules, text: str) -> State:
    """Return the state that a line of text describes; a ValueError says what is wrong."""
    first, bounds = initial(rules), (-LARGEST, LARGEST)
    parts = read_parts(text, " ".join(first._fields))
    return first._make(
        tuple(read_ints(part, name, [bounds] * len(like)))
        if isinstance(like, tuple)
        else read_int(part, name, *bounds)
        for part, name, like in zip(parts, first._fields, first, strict=True)
    )


@question
def why_illegal(rules: Rules, state: State, seat: int, text: str) -> str:
    """Return why a label is not a legal action of the seat, as in "threw at your own cell 3,3".

    The text is the answer of a program and may not be a label at all; empty if unknown.
    """
    return ""


@question
def features_text(rules: Rules, key: int) -> str:
    """Return a description of a `features` int; empty if there is none."""
    return ""


@question
def patterns_text(rules: Rules, place: int) -> str:
    """Return a description of the weight at an index of `patterns`; empty if there is none."""
    return ""


@question
def render(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    """Return the state drawn as text with rich's markup; `last` is the move that led to it."""
    return position(rules, state)


def board_text(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    """Return the state drawn as plain text."""
    from rich.text import Text  # imported on use

    return Text.from_markup(render(rules, state, last)).plain


@question
def scene(rules: Rules, state: State, last: int = NO_MOVE) -> Scene:
    """Return the state drawn as shapes; `last` is the move that led to it."""
    return text_scene(board_text(rules, state, last))


@question
def between(rules: Rules, state: State, move: int) -> tuple[Scene, ...]:
    """Return the scenes of an animation between a state and its successor, if any.

    Nothing can be chosen in them.
    """
    return ()


@question
def events(rules: Rules, state: State, move: int) -> list[str]:
    """Return the effects of a legal move beyond its label, as short sentences in order.

    For example hits, healing, jumps and captures. Each starts with a capital and ends with a full
    stop.
    """
    return []
