"""The contract of games, as `ludex/core/rules/` states it, tested on one state."""

import inspect
from collections.abc import Callable
from typing import Any, get_type_hints
from xml.etree import ElementTree

from rich.errors import MarkupError
from rich.text import Text

from ludex.conformance.audit import SUM_ERROR
from ludex.core import rules as ask
from ludex.core.limits import seats_faults, size_faults, state_faults
from ludex.core.play import choices, choosers, legal_moves, normalise_label
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.core.search_profile import STYLE_BITS
from ludex.core.time_control import read_clocks
from ludex.io.schema import fits
from ludex.kernel.bits import members, words_of
from ludex.learn.training import LEARNERS
from ludex.render.svg import FONT_KINDS, svg

Line = tuple[int, ...]
"""Moves from the first state on."""


class Violation(Exception):
    """A violation of the contract of games."""


class ViolationAt(Exception):
    """A violation, and the line of play that leads to it."""

    def __init__(self, line: Line, violation: Violation) -> None:
        self.line, self.violation = line, violation


def require(holds: Any, text: str) -> None:
    """Raise a violation unless a condition holds."""
    if not holds:
        raise Violation(text)


def ask_game(question: Callable[..., Any], *arguments: Any) -> Any:
    """Return a game's answer; an exception of any kind is a violation."""
    try:
        return question(*arguments)
    except Exception as error:
        name = getattr(question, "__name__", str(question))
        raise Violation(f"{name} raised {type(error).__name__}: {error}") from error


def examine_facts(rules: Rules) -> None:
    """Check the types and ranges of a game's constants."""
    game = ask.game_of(rules)
    for name, question in ask.DECLARED.items():
        if name.isupper() and hasattr(game, name):
            value, kind = getattr(game, name), get_type_hints(question)["return"]
            holds = isinstance(value, int) if kind is int else fits(value, kind)
            require(holds, f"{name} is {value!r}; it must be {inspect.formatannotation(kind)}")
    learner, known = ask.learner_of(rules), ", ".join(LEARNERS)
    require(learner in LEARNERS, f"LEARNER is {learner!r}; it must be one of {known}")
    for option, words in ask.styles_of(rules).items():
        count, most = len(words), 1 << STYLE_BITS
        fault = f"STYLES has {count} words for {option}; it must be 1 to {most}"
        require(1 <= count <= most, fault)
    try:
        read_clocks(ask.clock(rules))
    except ValueError as error:
        raise Violation(f"CLOCK is {ask.clock(rules)!r}: {error}") from error


def examine_rules(rules: Rules) -> State:
    """Check the rules and the counts, and return the first state."""
    for name, value in zip(rules._fields, rules, strict=True):
        numbers = value if isinstance(value, tuple) else (value,)
        require(
            all(type(number) is int for number in numbers),
            f"rule {name} is {value!r}; it must be an int or a tuple of ints",
        )
    ask_game(ask.seats, rules)
    for fault in (*size_faults(rules), *seats_faults(rules)):
        raise Violation(fault)
    first = ask_game(ask.initial, rules)
    examine_fields(rules, first, "initial")
    return first


def examine_fields(rules: Rules, state: State, source: str) -> None:
    """Check type and fields of a state that a question has returned."""
    for fault in state_faults(rules, state):
        raise Violation(f"{source} returned {fault}")


def examine(rules: Rules, state: State) -> None:
    """Check every question on a state."""
    mover = ask_game(ask.turn, rules, state)
    if mover == OVER:
        examine_end(rules, state)
    elif mover == CHANCE:
        examine_chance(rules, state)
    else:
        require(
            mover == BOTH or (type(mover) is int and 0 <= mover < ask.seats(rules)),
            f"turn returned {mover!r}; it must be a seat from 0 to {ask.seats(rules) - 1},"
            " CHANCE, BOTH or OVER",
        )
        require(mover != BOTH or ask.at_once(rules), "turn returned BOTH; say AT_ONCE = True")
        for seat in choosers(rules, state):
            examine_decision(rules, state, seat)
    examine_estimate(rules, state)
    examine_symmetry(rules, state)
    examine_text(rules, state)
    for move in legal_moves(rules, state):
        after = ask_game(ask.apply, rules, state, move)
        examine_fields(rules, after, "apply")
        again = ask.apply(rules, state, move)
        require(again == after, "apply returned two states for the same move")


def examine_end(rules: Rules, state: State) -> None:
    """Check returns and margin of a terminal state."""
    worth = [ask_game(ask.returns, rules, state, seat) for seat in range(ask.seats(rules))]
    for seat, value in enumerate(worth):
        require(
            type(value) is float and -1.0 <= value <= 1.0,
            f"returns of seat {seat} is {value!r}; it must be a float from -1.0 to 1.0",
        )
    require(abs(sum(worth)) < SUM_ERROR, f"returns are {worth}; they must sum to 0")
    finer = ask_game(ask.margin, rules, state)
    require(
        type(finer) is int and (finer > 0) - (finer < 0) == (worth[0] > 0.0) - (worth[0] < 0.0),
        f"margin is {finer!r}; it must be an int of the sign of seat 0's returns, {worth[0]}",
    )


def examine_chance(rules: Rules, state: State) -> None:
    """Check the distribution of a chance node."""
    odds = [ask_game(ask.chance, rules, state, outcome) for outcome in range(ask.outcomes(rules))]
    for outcome, p in enumerate(odds):
        require(
            isinstance(p, float) and 0.0 <= p <= 1.0,
            f"chance of outcome {outcome} is {p!r}; it must be a float from 0.0 to 1.0",
        )
    require(abs(sum(odds) - 1.0) < SUM_ERROR, f"the chances sum to {sum(odds)}; they must sum to 1")
    wanted = [outcome for outcome, p in enumerate(odds) if p > 0.0]
    found = members_of(rules, ask_game(ask.possible, rules, state), "possible")
    require(found == wanted, f"possible gives {found}, but the outcomes with a chance are {wanted}")


def members_of(rules: Rules, bits: Any, what: str) -> list[int]:
    """Return the members of a set of moves; check that it is of the kind that the game has."""
    like = ask.no_moves(rules)
    fits = isinstance(bits, tuple) == isinstance(like, tuple)
    require(
        fits and len(words_of(bits)) == len(words_of(like)),
        f"{what} is {bits!r}; a set of this game is like {like!r}",
    )
    return members(bits)


def examine_decision(rules: Rules, state: State, seat: int) -> None:
    """Check the legal actions of a seat that is to act."""
    found = members_of(rules, ask_game(ask.moves, rules, state, seat), f"moves of seat {seat}")
    every = range(ask.actions(rules))
    wanted = [action for action in every if ask_game(ask.legal, rules, state, seat, action)]
    require(found, f"seat {seat} is to act but has no legal action; is this state OVER?")
    require(found == wanted, f"moves of seat {seat} are {found}, but legal allows {wanted}")


def examine_estimate(rules: Rules, state: State) -> None:
    """Check that estimates lie strictly between loss and win."""
    for seat in range(ask.seats(rules)):
        value = ask_game(ask.estimate, rules, state, seat)
        require(
            isinstance(value, float) and -1.0 < value < 1.0,
            f"estimate of seat {seat} is {value!r}; it must be a float strictly inside -1.0 to 1.0",
        )


def examine_symmetry(rules: Rules, state: State) -> None:
    """Check that the canonical state is equivalent: same turn, same values, same successors."""
    twin = ask_game(ask.canonical, rules, state)
    examine_fields(rules, twin, "canonical")
    if twin == state:
        return
    again = ask_game(ask.canonical, rules, twin)
    require(again == twin, f"canonical is {twin}, for which {again} stands; it must be the same")
    found, wanted = ask_game(ask.turn, rules, twin), ask.turn(rules, state)
    require(found == wanted, f"canonical is {twin}, where turn is {found}, not {wanted}")
    if wanted == OVER:
        ends = [final_values(rules, one) for one in (twin, state)]
        require(ends[0] == ends[1], f"canonical is {twin}, worth {ends[0]}, not {ends[1]}")
        return
    there, here = successor_weights(rules, twin), successor_weights(rules, state)
    for after in {**there, **here}:
        odds = there.get(after, 0.0), here.get(after, 0.0)
        require(
            abs(odds[0] - odds[1]) < SUM_ERROR,
            f"canonical is {twin}, from which {after} follows {odds[0]:g} times, not {odds[1]:g}",
        )


def final_values(rules: Rules, state: State) -> tuple[float, ...]:
    """Return the returns of all seats and the margin of a state that is OVER."""
    worth = [ask_game(ask.returns, rules, state, seat) for seat in range(ask.seats(rules))]
    return (*worth, ask_game(ask.margin, rules, state))


def successor_weights(rules: Rules, state: State) -> dict[Any, float]:
    """Return for each canonical successor how many moves lead to it.

    Terminal states of the same values count as one; chance outcomes count by probability.
    """
    found: dict[Any, float] = {}
    luck = ask.turn(rules, state) == CHANCE
    for move in ask_game(legal_moves, rules, state):
        after = ask_game(ask.apply, rules, state, move)
        over = ask_game(ask.turn, rules, after) == OVER
        key = final_values(rules, after) if over else ask_game(ask.canonical, rules, after)
        found[key] = found.get(key, 0.0) + (ask.chance(rules, state, move) if luck else 1.0)
    return found


def examine_text(rules: Rules, state: State) -> None:
    """Check positions, labels and events."""
    examine_position(rules, state)
    lists = [choices(rules, state, seat) for seat in choosers(rules, state)]
    for shown in lists or [legal_moves(rules, state)]:
        labels = [ask_game(ask.label, rules, state, move) for move in shown]
        require(
            len({normalise_label(text) for text in labels}) == len(labels),
            f"labels are not all different: {labels}",
        )
    for move in legal_moves(rules, state)[:1]:
        sentences = ask_game(ask.events, rules, state, move)
        require(
            isinstance(sentences, list) and all(isinstance(one, str) for one in sentences),
            f"events is {sentences!r}; it must be a list of sentences",
        )


def examine_position(rules: Rules, state: State) -> None:
    """Check that a state is written as one line of text, and read back."""
    line = ask_game(ask.position, rules, state)
    require(
        isinstance(line, str) and line and "\n" not in line,
        f"position is {line!r}; it must be one line of text",
    )
    back = ask_game(ask.read_position, rules, line)
    require(back == state, f"read_position({line!r}) is {back}, not {state}")


def examine_drawing(rules: Rules, state: State) -> None:
    """Check the drawings, as text and as a picture."""
    drawn = ask_game(ask.render, rules, state)
    try:
        Text.from_markup(drawn)
    except MarkupError as error:
        raise Violation(f"render is not rich's markup: {error}") from error
    picture = ask_game(ask.scene, rules, state)
    for shape in getattr(picture, "shapes", ()):
        if shape.kind in FONT_KINDS and shape.text:
            fault = f"the text {shape.text!r} of shape {shape.id!r} has the font size 0"
            require(shape.height > 0, f"{fault}; height is the font size")
    try:
        ElementTree.fromstring(ask_game(svg, picture))
    except ElementTree.ParseError as error:
        raise Violation(f"scene makes no SVG file: {error}") from error
