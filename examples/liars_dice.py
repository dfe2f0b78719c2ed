"""Liar's dice: bid how many dice show a face, higher each time, until somebody calls "liar"."""

from typing import NamedTuple

from ludex.core.rules import CHANCE, NO_MOVE, OVER, Rule, seat_name
from ludex.core.scene import Scene, Shape, panel, plate
from ludex.io.text import read_parts, read_word
from ludex.kernel.bits import members, size
from ludex.kernel.jit import shared

TITLE = "Liar's dice"
KIND = "dice, hidden information, 2 seats"
VERSION = 1
MOST_DICE, MOST_FACES = 5, 6
ACTIONS = 2 * MOST_DICE * MOST_FACES + 1
OUTCOMES = MOST_FACES
LEVELS = {"easy": "random", "medium": "ismcts:sims=100", "hard": "ismcts:sims=2000"}
LEARNER = "cfr"

# The dice of a seat are counted by face, in three bits each; those not seen have a face of their
# own. So their order is forgotten, and it does not matter.
BITS = 3
HIDDEN = MOST_FACES

NOUNS = ("one", "two", "three", "four", "five", "six")
CUP = """<path d="M-34-46H34L46 40H-46Z" fill="{main}"/><path d="M-46 40H46" stroke="{dark}"
 stroke-width="12" stroke-linecap="round"/><path d="M-30-28H30" stroke="{light}" stroke-width="5"/>
"""
COLOURS = ("blue", "red")


class LiarsDiceRules(NamedTuple):
    dice: int = 1
    faces: int = 6


RULES = {
    "dice": Rule(1, MOST_DICE, "dice of each player"),
    "faces": Rule(2, MOST_FACES, "faces of a die; the highest is wild and counts as any face"),
}


class LiarsDice(NamedTuple):
    first: int
    second: int
    # Bids only rise, so a bit for each tells the whole history. They are ordered by the number of
    # dice, then by the face; the bit after the last bid is the call.
    bids: int


def initial(rules):
    return LiarsDice(0, 0, 0)


@shared
def liar(rules):
    """Return the action that calls the last bidder a liar; those below it are the bids."""
    return 2 * rules.dice * rules.faces


@shared
def showing(dice, face):
    """Return how many of a seat's dice show a face, counted from 0."""
    return dice >> BITS * face & (1 << BITS) - 1


@shared
def rolled(dice):
    """Return how many dice a seat has rolled, seen or not."""
    total = 0
    for face in range(MOST_FACES + 1):
        total += showing(dice, face)
    return total


@shared
def last_bid(rules, bids):
    """Return the last bid, which is the highest; -1 if there is none."""
    bid = liar(rules) - 1
    while bid >= 0 and not bids >> bid & 1:
        bid -= 1
    return bid


def turn(rules, state):
    if rolled(state.second) < rules.dice:
        return CHANCE
    return OVER if state.bids >> liar(rules) & 1 else size(state.bids) % 2


def moves(rules, state, seat):
    last, call = last_bid(rules, state.bids), 1 << liar(rules)
    higher = call - (1 << last + 1)
    return higher if last < 0 else higher | call


def chance(rules, state, outcome):
    return 1.0 / rules.faces if outcome < rules.faces else 0.0


def apply(rules, state, move):
    first, second, bids = state
    if rolled(first) < rules.dice:
        return LiarsDice(first + (1 << BITS * move), second, bids)
    if rolled(second) < rules.dice:
        return LiarsDice(first, second + (1 << BITS * move), bids)
    return LiarsDice(first, second, bids | 1 << move)


def information_state(rules, state, seat):
    # A seat sees its own dice, the number of the other's, and all bids.
    first, second, bids = state
    if seat == 0:
        return LiarsDice(first, rolled(second) << BITS * HIDDEN, bids)
    return LiarsDice(rolled(first) << BITS * HIDDEN, second, bids)


def resample(rules, seen, seat, rng):
    # Every bid is legal with any dice, so those that are not seen may be any.
    dice = 0
    for _ in range(rolled(seen.second if seat == 0 else seen.first)):
        dice += 1 << BITS * int(rng.random() * rules.faces)
    if seat == 0:
        return LiarsDice(seen.first, dice, seen.bids)
    return LiarsDice(dice, seen.second, seen.bids)


@shared
def matching(rules, state, face):
    """Return how many dice of both seats show a face, counted from 0, or are wild."""
    found, wild = 0, rules.faces - 1
    for dice in (state.first, state.second):
        found += showing(dice, face) + (showing(dice, wild) if face != wild else 0)
    return found


def returns(rules, state, seat):
    bid, bidder = last_bid(rules, state.bids), size(state.bids) % 2
    holds = matching(rules, state, bid % rules.faces) > bid // rules.faces
    return 1.0 if holds == (seat == bidder) else -1.0


def view_shape(rules):
    return 1, 1, rules.faces + liar(rules) + 1


def view(rules, state, seat, planes):
    # One row: the share of the own dice that show each face, then which bids were made.
    dice = state.first if seat == 0 else state.second
    for face in range(rules.faces):
        planes[0, 0, face] = showing(dice, face) / rules.dice
    for bid in members(state.bids):
        planes[0, 0, rules.faces + bid] = 1


# Text for people. -------------------------------------------------------------------------------


def label(rules: LiarsDiceRules, state: LiarsDice, move: int) -> str:
    if turn(rules, state) == CHANCE:
        return f"die {move + 1}"
    return bid_name(rules, move)


def bid_name(rules: LiarsDiceRules, bid: int) -> str:
    """Return a bid, or the call, in words."""
    if bid == liar(rules):
        return "liar"
    number, noun = bid // rules.faces + 1, NOUNS[bid % rules.faces]
    return f"{number} {noun}{'' if number == 1 else 'es' if noun == 'six' else 's'}"


def bid_text(rules: LiarsDiceRules, bid: int) -> str:
    """Return a bid, or the call, in a position: 2x5 for two fives."""
    return f"{bid // rules.faces + 1}x{bid % rules.faces + 1}" if bid < liar(rules) else "liar"


def dice_text(dice: int) -> str:
    """Return the dice of a seat in order, ? for each that is not seen; - if there are none."""
    return "".join("123456?"[face] * showing(dice, face) for face in range(MOST_FACES + 1)) or "-"


def position(rules: LiarsDiceRules, state: LiarsDice) -> str:
    bids = ",".join(bid_text(rules, bid) for bid in members(state.bids))
    return f"{dice_text(state.first)} {dice_text(state.second)} {bids or '-'}"


def read_position(rules: LiarsDiceRules, text: str) -> LiarsDice:
    parts = read_parts(text, "FIRST SECOND BIDS")
    first, second = read_dice(rules, parts[0], "FIRST"), read_dice(rules, parts[1], "SECOND")
    bids = read_bids(rules, parts[2])
    if rolled(first) < rules.dice and second:
        raise ValueError(f"SECOND {parts[1]!r}: expected - until FIRST is rolled")
    if rolled(second) < rules.dice and bids:
        raise ValueError(f"BIDS {parts[2]!r}: expected - until all dice are rolled")
    return LiarsDice(first, second, bids)


def read_dice(rules: LiarsDiceRules, text: str, name: str) -> int:
    """Return the dice of a seat: at most as many as it has, in order, and all seen or none."""
    faces = "123456"[: rules.faces]
    marks = "" if text == "-" else text
    if len(marks) > rules.dice or not set(marks) <= set(faces) | {"?"}:
        wanted = f"at most {rules.dice} of {faces} in order, or as many ?"
        raise ValueError(f"{name} {text!r}: expected {wanted}")
    if "?" in marks and set(marks) != {"?"}:
        raise ValueError(f"{name} {text!r}: expected all dice to be seen, or none")
    if list(marks) != sorted(marks):
        raise ValueError(f"{name} {text!r}: expected {''.join(sorted(marks))}, in order")
    return sum(1 << BITS * "123456?".index(mark) for mark in marks)


def read_bids(rules: LiarsDiceRules, text: str) -> int:
    """Return the bids, which must rise, and perhaps a call after them."""
    names = [bid_text(rules, bid) for bid in range(liar(rules) + 1)]
    bids = [read_word(one, "BIDS", names) for one in text.split(",")] if text != "-" else []
    if bids != sorted(set(bids)):
        raise ValueError(f"BIDS {text!r}: expected each higher than the one before it")
    if bids == [liar(rules)]:
        raise ValueError(f"BIDS {text!r}: expected a bid before liar")
    return sum(1 << bid for bid in bids)


def render(rules: LiarsDiceRules, state: LiarsDice, last: int = NO_MOVE) -> str:
    lines = []
    for seat, dice in enumerate((state.first, state.second)):
        mark = "▶" if turn(rules, state) == seat else " "
        shown = " ".join(dice_text(dice))
        lines.append(f"{mark} {seat_name(rules, seat)} [bold]{shown}[/]")
    names = ", ".join(bid_name(rules, bid) for bid in members(state.bids))
    return "\n".join([*lines, f"  bids     {names or '-'}"])


def scene(rules: LiarsDiceRules, state: LiarsDice, last: int = NO_MOVE) -> Scene:
    mover, call, height = turn(rules, state), liar(rules), 270.0 + 88 * rules.dice
    shapes = [panel(470, height)]
    for seat, dice in enumerate((state.first, state.second)):
        x, name, lit = 125.0 + 220 * seat, seat_name(rules, seat), mover == seat
        shapes += plate(seat, x, 200, name, "to move" if lit else "", COLOURS[seat], lit)
        shapes += dice_shapes(seat, x, dice)
    shapes += bid_shapes(rules, state)
    if mover in (0, 1) and state.bids:
        shapes.append(Shape("liar", "pill", 235, height - 30, 140, 38, "ink", "liar", action=call))
        shapes.append(Shape("liar-name", "bold", 235, height - 30, 0, 18, "white", "liar!"))
    return Scene(470, height, tuple(shapes))


def dice_shapes(seat: int, x: float, dice: int) -> list[Shape]:
    """Return the dice of a seat in a row, or a cup over those that are not seen."""
    text = dice_text(dice).strip("-")
    if "?" in text:
        return [Shape(f"cup-{seat + 1}", CUP, x, 132, 64, 64, "bark", f"{len(text)} under the cup")]
    left, key = x - 20 * (len(text) - 1), f"die-{seat + 1}"
    return [
        Shape(f"{key}-{place}", "die", left + 40 * place, 132, 36, 36, COLOURS[seat], face)
        for place, face in enumerate(text)
    ]


def bid_shapes(rules: LiarsDiceRules, state: LiarsDice) -> list[Shape]:
    """Return a table of all bids: a row for each number of dice, and a column for each face."""
    mover, left = turn(rules, state), 285.0 - 29 * rules.faces
    offered = moves(rules, state, mover) if mover in (0, 1) else 0
    seats = {bid: place % 2 for place, bid in enumerate(members(state.bids))}
    shapes = []
    for face in range(rules.faces):
        x, text = left + 58 * face, str(face + 1)
        shapes.append(Shape(f"face-{text}", "die", x, 194, 30, 30, "slate", text))
    for bid in range(liar(rules)):
        row, column = divmod(bid, rules.faces)
        x, y, name = left + 58 * column, 236.0 + 44 * row, bid_name(rules, bid)
        if column == 0:
            words = f"{row + 1} ×"
            shapes.append(
                Shape(f"row-{row + 1}", "bold", x - 44, y, 0, 18, "slate", words, anchor="end")
            )
        colour = COLOURS[seats[bid]] if bid in seats else "silver" if offered >> bid & 1 else "mist"
        action = bid if offered >> bid & 1 else NO_MOVE
        shapes.append(Shape(f"bid-{bid}", "box", x, y, 52, 38, colour, name, action=action))
    return shapes
