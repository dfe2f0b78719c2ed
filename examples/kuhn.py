"""Kuhn poker: one card each, one chip to bet; the higher card wins the pot."""

from typing import NamedTuple

from ludex.core.rules import CHANCE, NO_MOVE, OVER, seat_name
from ludex.core.scene import Scene, Shape, panel, plate
from ludex.io.text import read_parts, read_word
from ludex.kernel.jit import shared

TITLE = "Kuhn poker"
KIND = "cards, hidden information, 2 seats"
VERSION = 1
ACTIONS = 2
OUTCOMES = 3
LEVELS = {"easy": "random", "best": "exact"}
LEARNER = "cfr"
PASS, BET = 0, 1

# A card is UNDEALT, 1 to 3 for jack, queen and king, or HIDDEN.
UNDEALT, HIDDEN = 0, 4
CARDS = ("-", "J", "Q", "K", "?")

# The bets so far, as bits below a leading 1.
START, PASS_PASS, PASS_BET, BET_PASS, BET_BET, PASS_BET_PASS, PASS_BET_BET = 1, 4, 5, 6, 7, 10, 11
LINES = {1: "-", 2: "p", 3: "b", 4: "pp", 5: "pb", 6: "bp", 7: "bb", 10: "pbp", 11: "pbb"}

BACK = """<rect x="-50" y="-50" width="100" height="100" rx="7" fill="{main}"/>
<path d="M0-36 34 0 0 36-34 0Z" fill="none" stroke="{light}" stroke-width="5"/>"""
COLOURS = ("blue", "red")


class KuhnRules(NamedTuple):
    pass


class Kuhn(NamedTuple):
    first: int
    second: int
    bets: int


def initial(rules):
    return Kuhn(UNDEALT, UNDEALT, START)


def turn(rules, state):
    if state.second == UNDEALT:
        return CHANCE
    if state.bets >= PASS_PASS and state.bets != PASS_BET:
        return OVER
    return 1 if state.bets in (2, 3) else 0


def legal(rules, state, seat, action):
    return True


def chance(rules, state, outcome):
    if state.first in (UNDEALT, HIDDEN):
        return 1.0 / 3.0
    return 0.0 if outcome + 1 == state.first else 0.5


def apply(rules, state, move):
    first, second, bets = state
    if first == UNDEALT:
        return Kuhn(move + 1, second, bets)
    if second == UNDEALT:
        return Kuhn(first, move + 1, bets)
    return Kuhn(first, second, 2 * bets + move)


def information_state(rules, state, seat):
    # A seat sees its own card, whether the other has one, and all bets.
    first, second, bets = state
    if seat == 0:
        return Kuhn(first, HIDDEN if second != UNDEALT else UNDEALT, bets)
    return Kuhn(HIDDEN if first != UNDEALT else UNDEALT, second, bets)


@shared
def stake(bets):
    """Return the share of the most, two chips, that the loser pays."""
    return 1.0 if bets in (BET_BET, PASS_BET_BET) else 0.5


def returns(rules, state, seat):
    first, second, bets = state
    if bets == BET_PASS:
        winner = 0
    elif bets == PASS_BET_PASS:
        winner = 1
    else:
        winner = 0 if first > second else 1
    return stake(bets) if seat == winner else -stake(bets)


def view_shape(rules):
    return 1, 1, 3 + PASS_BET_BET


def view(rules, state, seat, planes):
    # One row: which card the seat has, then which line of bets was played.
    card = state.first if seat == 0 else state.second
    if card != UNDEALT:
        planes[0, 0, card - 1] = 1
    planes[0, 0, 2 + state.bets] = 1


def label(rules: KuhnRules, state: Kuhn, move: int) -> str:
    if state.second == UNDEALT:
        return f"deal {CARDS[move + 1]}"
    if state.bets in (3, PASS_BET):
        return ("fold", "call")[move]
    return ("pass", "bet")[move]


def position(rules: KuhnRules, state: Kuhn) -> str:
    return f"{CARDS[state.first]} {CARDS[state.second]} {LINES[state.bets]}"


def read_position(rules: KuhnRules, text: str) -> Kuhn:
    first, second, line = read_parts(text, "FIRST SECOND BETS")
    cards = read_word(first, "FIRST", CARDS), read_word(second, "SECOND", CARDS)
    bets = list(LINES)[read_word(line, "BETS", list(LINES.values()))]
    if cards[0] == cards[1] not in (UNDEALT, HIDDEN):
        raise ValueError("FIRST and SECOND: expected different cards")
    if cards[0] == UNDEALT != cards[1]:
        raise ValueError(f"SECOND {second!r}: expected - until FIRST is dealt")
    if cards[1] == UNDEALT and bets != START:
        raise ValueError(f"BETS {line!r}: expected - until both cards are dealt")
    return Kuhn(*cards, bets)


def chips(bets: int) -> tuple[int, int]:
    """Return how many chips each seat has in the pot."""
    first = 2 if bets in (3, BET_PASS, BET_BET, PASS_BET_BET) else 1
    return first, 2 if bets in (PASS_BET, BET_BET, PASS_BET_PASS, PASS_BET_BET) else 1


def render(rules: KuhnRules, state: Kuhn, last: int = NO_MOVE) -> str:
    lines, pot = [], chips(state.bets)
    for seat, card in enumerate((state.first, state.second)):
        mark = "▶" if turn(rules, state) == seat else " "
        lines.append(f"{mark} {seat_name(rules, seat)} [bold]{CARDS[card]}[/]  {'●' * pot[seat]}")
    return "\n".join(lines)


def scene(rules: KuhnRules, state: Kuhn, last: int = NO_MOVE) -> Scene:
    mover, pot = turn(rules, state), chips(state.bets)
    shapes = [panel(440, 290)]
    for seat, card in enumerate((state.first, state.second)):
        x, name, lit = 115.0 + 210 * seat, seat_name(rules, seat), mover == seat
        shapes += plate(seat, x, 190, name, "to move" if lit else "", COLOURS[seat], lit)
        shapes += card_shapes(f"card-{seat + 1}", x - 30, card)
        for chip in range(pot[seat]):
            key, y = f"chip-{seat + 1}-{chip + 1}", 185.0 - 26 * chip
            shapes.append(Shape(key, "disc", x + 40, y, 36, 36, "yellow", "a chip"))
            shapes.append(Shape(f"{key}-rim", "ring", x + 40, y, 27, 27, "white", stroke=2))
    for action in (PASS, BET) if mover in (0, 1) else ():
        name, x = label(rules, state, action), 150.0 + 140 * action
        shapes.append(Shape(f"do-{action}", "pill", x, 254, 120, 40, "ink", name, action=action))
        shapes.append(Shape(f"do-{action}-name", "bold", x, 254, 0, 18, "white", name))
    return Scene(440, 290, tuple(shapes))


def card_shapes(key: str, x: float, card: int) -> list[Shape]:
    """Return a card, face down if it is hidden, or its empty place."""
    if card == UNDEALT:
        return [Shape(key, "frame", x, 160, 70, 98, "silver")]
    if card == HIDDEN:
        return [Shape(key, BACK, x, 160, 70, 98, "slate", "a card that is not seen")]
    face = Shape(key, "panel", x, 160, 70, 98, "white")
    return [face, Shape(f"{key}-name", "bold", x, 160, 0, 46, "ink", CARDS[card])]
