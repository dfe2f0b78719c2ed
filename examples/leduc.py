"""Leduc poker: two rounds of bets with a public card between them; a pair wins, then the rank."""

from typing import NamedTuple

from ludex.core.rules import CHANCE, NO_MOVE, OVER, seat_name
from ludex.core.scene import Scene, Shape, panel, plate
from ludex.io.text import read_parts, read_word
from ludex.kernel.jit import shared

TITLE = "Leduc poker"
KIND = "cards, hidden information, 2 seats"
VERSION = 1
ACTIONS = 3
OUTCOMES = 3
LEVELS = {"easy": "random", "best": "exact"}
LEARNER = "cfr"
FOLD, CALL, RAISE = 0, 1, 2  # a call where nothing was raised is a check

# A card is UNDEALT, 1 to 3 for jack, queen and king, or HIDDEN. The deck has two suits, which never
# matter: so ranks are dealt, each with its probability, and the game is smaller but equivalent.
UNDEALT, HIDDEN = 0, 4
CARDS = ("-", "J", "Q", "K", "?")
RANKS, SUITS = 3, 2

ANTE, MOST_RAISES, RAISE1, RAISE2 = 1, 2, 2, 4
MOST_CHIPS = ANTE + MOST_RAISES * (RAISE1 + RAISE2)  # that a seat can lose
MOST_BETS = MOST_RAISES + 2  # of a round: check, raise, raise, call
LETTERS = "fcr"

BACK = """<rect x="-50" y="-50" width="100" height="100" rx="7" fill="{main}"/>
<path d="M0-36 34 0 0 36-34 0Z" fill="none" stroke="{light}" stroke-width="5"/>"""
COLOURS = ("blue", "red")


class LeducRules(NamedTuple):
    pass


class Leduc(NamedTuple):
    first: int
    second: int
    public: int
    # The actions of either round, each plus 1 in two bits, the latest lowest.
    bets1: int
    bets2: int


def initial(rules):
    return Leduc(UNDEALT, UNDEALT, UNDEALT, 0, 0)


@shared
def count(bets, action):
    """Return how often an action was taken in a round."""
    found = 0
    while bets:
        found += 1 if bets & 3 == action + 1 else 0
        bets >>= 2
    return found


@shared
def next_seat(bets):
    """Return whose turn it is in a round; seat 0 begins each."""
    return (count(bets, CALL) + count(bets, RAISE)) % 2


@shared
def is_settled(bets):
    """Return whether a round has ended with equal bets: a call that did not begin it."""
    return bets > 3 and bets & 3 == CALL + 1


@shared
def has_folded(state):
    return state.bets1 & 3 == FOLD + 1 or state.bets2 & 3 == FOLD + 1


@shared
def current_bets(state):
    return state.bets1 if state.public == UNDEALT else state.bets2


@shared
def chips(state, seat):
    """Return how many chips a seat has in the pot."""
    first, second = ANTE, ANTE
    for bets, raised in ((state.bets1, RAISE1), (state.bets2, RAISE2)):
        mover = 0
        for place in range(MOST_BETS - 1, -1, -1):
            action = (bets >> 2 * place & 3) - 1
            level = max(first, second) + (raised if action == RAISE else 0)
            if action in (CALL, RAISE):
                first, second = (level, second) if mover == 0 else (first, level)
                mover = 1 - mover
    return first if seat == 0 else second


def turn(rules, state):
    if state.second == UNDEALT:
        return CHANCE
    if has_folded(state) or is_settled(state.bets2):
        return OVER
    if state.public == UNDEALT and is_settled(state.bets1):
        return CHANCE
    return next_seat(current_bets(state))


def legal(rules, state, seat, action):
    bets = current_bets(state)
    if action == FOLD:
        return count(bets, RAISE) > 0
    return action == CALL or count(bets, RAISE) < MOST_RAISES


def chance(rules, state, outcome):
    left, cards = SUITS, RANKS * SUITS
    for card in (state.first, state.second):
        if card != UNDEALT and card != HIDDEN:
            left -= 1 if card == outcome + 1 else 0
            cards -= 1
    return left / cards


def apply(rules, state, move):
    first, second, public, bets1, bets2 = state
    if first == UNDEALT:
        return Leduc(move + 1, second, public, bets1, bets2)
    if second == UNDEALT:
        return Leduc(first, move + 1, public, bets1, bets2)
    if public != UNDEALT:
        return Leduc(first, second, public, bets1, bets2 << 2 | move + 1)
    if is_settled(bets1):
        return Leduc(first, second, move + 1, bets1, bets2)
    return Leduc(first, second, public, bets1 << 2 | move + 1, bets2)


def information_state(rules, state, seat):
    # A seat sees its own card, whether the other has one, the public card and all bets.
    first, second, public, bets1, bets2 = state
    if seat == 0:
        return Leduc(first, HIDDEN if second != UNDEALT else UNDEALT, public, bets1, bets2)
    return Leduc(HIDDEN if first != UNDEALT else UNDEALT, second, public, bets1, bets2)


@shared
def lead(state):
    """Return 1 if seat 0 wins the pot at the end, -1 if seat 1 does, 0 if they share it."""
    first, second, public = state.first, state.second, state.public
    if has_folded(state):
        return -1 if next_seat(current_bets(state)) == 0 else 1
    if first == second:
        return 0
    if public in (first, second):
        return 1 if first == public else -1
    return 1 if first > second else -1


def returns(rules, state, seat):
    lost = min(chips(state, 0), chips(state, 1)) / MOST_CHIPS
    return lost * (lead(state) if seat == 0 else -lead(state))


def view_shape(rules):
    return 1, 1, 2 * RANKS + 2 * MOST_BETS * ACTIONS


def view(rules, state, seat, planes):
    # One row: which card the seat has, which one is public, then the actions, the latest first.
    card = state.first if seat == 0 else state.second
    if card != UNDEALT:
        planes[0, 0, card - 1] = 1
    if state.public != UNDEALT:
        planes[0, 0, RANKS + state.public - 1] = 1
    for place in range(2 * MOST_BETS):
        bets = state.bets1 if place < MOST_BETS else state.bets2
        action = (bets >> 2 * (place % MOST_BETS) & 3) - 1
        if action >= 0:
            planes[0, 0, 2 * RANKS + ACTIONS * place + action] = 1


# Text for people. -------------------------------------------------------------------------------


def label(rules: LeducRules, state: Leduc, move: int) -> str:
    if turn(rules, state) == CHANCE:
        return f"deal {CARDS[move + 1]}"
    if move == CALL:
        return "call" if count(current_bets(state), RAISE) else "check"
    return "fold" if move == FOLD else "raise"


def position(rules: LeducRules, state: Leduc) -> str:
    cards = (CARDS[card] for card in (state.first, state.second, state.public))
    return " ".join([*cards, bets_text(state.bets1), bets_text(state.bets2)])


def bets_text(bets: int) -> str:
    """Return the actions of a round as letters; - if there are none."""
    text = ""
    while bets:
        text = LETTERS[(bets & 3) - 1] + text
        bets >>= 2
    return text or "-"


def read_position(rules: LeducRules, text: str) -> Leduc:
    parts = read_parts(text, "FIRST SECOND PUBLIC BETS1 BETS2")
    first, second = read_word(parts[0], "FIRST", CARDS), read_word(parts[1], "SECOND", CARDS)
    public = read_word(parts[2], "PUBLIC", CARDS[:HIDDEN])
    bets1, bets2 = read_bets(parts[3], "BETS1"), read_bets(parts[4], "BETS2")
    if first == UNDEALT != second:
        raise ValueError(f"SECOND {parts[1]!r}: expected - until FIRST is dealt")
    if second == UNDEALT and bets1:
        raise ValueError(f"BETS1 {parts[3]!r}: expected - until both cards are dealt")
    if public != UNDEALT and not is_settled(bets1):
        raise ValueError(f"PUBLIC {parts[2]!r}: expected - until the first round ends with a call")
    if public == UNDEALT and bets2:
        raise ValueError(f"BETS2 {parts[4]!r}: expected - until the public card is dealt")
    if first == second == public not in (UNDEALT, HIDDEN):
        raise ValueError(f"FIRST, SECOND and PUBLIC: expected at most {SUITS} of one rank")
    return Leduc(first, second, public, bets1, bets2)


def read_bets(text: str, name: str) -> int:
    """Return the actions of a round; a ValueError names the first that is not legal."""
    state = Leduc(UNDEALT, UNDEALT, UNDEALT, 0, 0)
    for letter in "" if text == "-" else text:
        action = read_word(letter, name, tuple(LETTERS))
        ended = is_settled(state.bets1) or has_folded(state)
        if ended or not legal(LeducRules(), state, 0, action):
            raise ValueError(f"{name} {text!r}: {letter!r} is not legal there")
        state = state._replace(bets1=state.bets1 << 2 | action + 1)
    return state.bets1


def render(rules: LeducRules, state: Leduc, last: int = NO_MOVE) -> str:
    lines = [f"  public   [bold]{CARDS[state.public]}[/]"]
    for seat, card in enumerate((state.first, state.second)):
        mark = "▶" if turn(rules, state) == seat else " "
        money = f"[yellow]{'●' * chips(state, seat)}[/]"
        lines.append(f"{mark} {seat_name(rules, seat)} [bold]{CARDS[card]}[/]  {money}")
    lines.append(f"  bets     {bets_text(state.bets1)} {bets_text(state.bets2)}")
    return "\n".join(lines)


def scene(rules: LeducRules, state: Leduc, last: int = NO_MOVE) -> Scene:
    mover = turn(rules, state)
    shapes = [panel(560, 300), *card_shapes("public", 280, state.public)]
    for seat, card in enumerate((state.first, state.second)):
        x, name, lit = 120.0 + 320 * seat, seat_name(rules, seat), mover == seat
        shapes += plate(seat, x, 200, name, "to move" if lit else "", COLOURS[seat], lit)
        shapes += card_shapes(f"card-{seat + 1}", x - 30, card)
        key, money = f"chips-{seat + 1}", chips(state, seat)
        shapes.append(Shape(key, "disc", x + 45, 165, 52, 52, "yellow", f"{money} in the pot"))
        shapes.append(Shape(f"{key}-number", "bold", x + 45, 165, 0, 22, "ink", str(money)))
    for action in range(ACTIONS) if mover in (0, 1) else ():
        if legal(rules, state, mover, action):
            key, name, x = f"do-{action}", label(rules, state, action), 140.0 + 140 * action
            shapes.append(Shape(key, "pill", x, 262, 120, 40, "ink", name, action=action))
            shapes.append(Shape(f"{key}-name", "bold", x, 262, 0, 18, "white", name))
    return Scene(560, 300, tuple(shapes))


def card_shapes(key: str, x: float, card: int) -> list[Shape]:
    """Return a card, face down if it is hidden, or its empty place."""
    if card == UNDEALT:
        return [Shape(key, "frame", x, 165, 70, 98, "silver")]
    if card == HIDDEN:
        return [Shape(key, BACK, x, 165, 70, 98, "slate", "a card that is not seen")]
    face = Shape(key, "panel", x, 165, 70, 98, "white")
    return [face, Shape(f"{key}-name", "bold", x, 165, 0, 46, "ink", CARDS[card])]
