"""Goofspiel: bid one card each for every prize, at the same time; the higher bid takes it."""

from collections.abc import Sequence
from typing import NamedTuple

from ludex.core.rules import BOTH, CHANCE, NO_MOVE, OVER, Rule, part, seat_name
from ludex.core.scene import Scene, Shape, panel, plate
from ludex.io.text import many, read_int, read_parts, read_word
from ludex.kernel.bits import members
from ludex.kernel.jit import shared

TITLE = "Goofspiel"
KIND = "simultaneous bids, hidden information, 2 seats"
VERSION = 1
MOST = 13
ACTIONS = MOST
OUTCOMES = MOST
AT_ONCE = True
LEVELS = {"easy": "random", "medium": "ismcts:sims=100"}
LEARNER = "cfr"
ASCENDING, DESCENDING, RANDOM = 0, 1, 2

# Cards are 1 to 13, or HIDDEN, in four bits each; that of the first round is lowest.
BITS = 4
HIDDEN = 15
# Who has taken the prize of a round, in two bits each: 1 for seat 0, 2 for seat 1.
NOBODY = 3
WINNERS = ("1", "2", "=")

BACK = """<rect x="-50" y="-50" width="100" height="100" rx="7" fill="{main}"/>
<path d="M0-36 34 0 0 36-34 0Z" fill="none" stroke="{light}" stroke-width="5"/>"""
COLOURS = ("blue", "red")
TAKEN = (("yellow", "ink"), ("blue", "white"), ("red", "white"), ("grey", "white"))
"""The colours of a prize and its number: to be taken, taken by either seat or by nobody."""


class GoofspielRules(NamedTuple):
    cards: int = 5
    order: int = DESCENDING
    revealed: int = 0


RULES = {
    "cards": Rule(3, MOST, "cards of each player, and prizes"),
    "order": Rule(0, 2, "in which the prizes are turned up", ("ascending", "descending", "random")),
    "revealed": Rule(0, 1, "whether bids are shown, or only who has won the prize", ("no", "yes")),
}


class Goofspiel(NamedTuple):
    prizes: int  # all of them; if the order is random, those turned up so far
    first: int  # bids of seat 0
    second: int
    winners: int
    played: int  # rounds


@shared
def card(cards, place):
    """Return the card of a round, counted from 0; 0 if there is none yet."""
    return cards >> BITS * place & HIDDEN


@shared
def left(rules, cards):
    """Return the cards of a hand, or of the prizes, that have not been played, as a bit set."""
    bits = (1 << rules.cards) - 1
    for place in range(rules.cards):
        played = card(cards, place)
        if 0 < played < HIDDEN:
            bits &= ~(1 << played - 1)
    return bits


@shared
def turn_up(state, prize):
    """Return the state with the prize of the next round."""
    prizes, first, second, winners, played = state
    return Goofspiel(prizes | prize << BITS * played, first, second, winners, played)


@shared
def bid(state, card1, card2):
    """Return the state after a round with these bids."""
    prizes, first, second, winners, played = state
    winner = NOBODY if card1 == card2 else 1 if card1 > card2 else 2
    first, second = first | card1 << BITS * played, second | card2 << BITS * played
    return Goofspiel(prizes, first, second, winners | winner << 2 * played, played + 1)


@shared
def last_round(rules, state):
    """Return the state after the last round, in which nobody has a choice."""
    prize = card1 = card2 = rules.cards * (rules.cards + 1) // 2
    for place in range(rules.cards - 1):
        prize -= card(state.prizes, place)
        card1 -= card(state.first, place)
        card2 -= card(state.second, place)
    return bid(turn_up(state, prize), card1, card2)


def initial(rules):
    prizes = 0
    for place in range(rules.cards if rules.order != RANDOM else 0):
        prize = place + 1 if rules.order == ASCENDING else rules.cards - place
        prizes |= prize << BITS * place
    return Goofspiel(prizes, 0, 0, 0, 0)


def turn(rules, state):
    if state.played == rules.cards:
        return OVER
    return CHANCE if card(state.prizes, state.played) == 0 else BOTH


def moves(rules, state, seat):
    return left(rules, state.first if seat == 0 else state.second)


def chance(rules, state, outcome):
    turned_up = left(rules, state.prizes) >> outcome & 1 == 0
    return 0.0 if turned_up else 1.0 / (rules.cards - state.played)


def apply(rules, state, move):
    if card(state.prizes, state.played) == 0:
        return turn_up(state, move + 1)
    after = bid(state, part(move, 0) + 1, part(move, 1) + 1)
    return last_round(rules, after) if after.played == rules.cards - 1 else after


def information_state(rules, state, seat):
    # A seat sees the prizes, its own bids and who has won them; the other's bids if revealed.
    prizes, first, second, winners, played = state
    if rules.revealed:
        return state
    hidden = (1 << BITS * played) - 1  # HIDDEN in every round
    if seat == 0:
        return Goofspiel(prizes, first, hidden, winners, played)
    return Goofspiel(prizes, hidden, second, winners, played)


@shared
def points(state, seat):
    """Return the sum of the prizes that a seat has taken."""
    total = 0
    for place in range(state.played):
        if state.winners >> 2 * place & 3 == seat + 1:
            total += card(state.prizes, place)
    return total


@shared
def margin(rules, state):
    return points(state, 0) - points(state, 1)


def returns(rules, state, seat):
    lead = margin(rules, state) if seat == 0 else -margin(rules, state)
    return 1.0 if lead > 0 else -1.0 if lead < 0 else 0.0


def view_shape(rules):
    return 5, 1, rules.cards


def view(rules, state, seat, planes):
    # A column for each round; planes: the prize, the own bid, the other's if it is revealed, and
    # whether the seat or the other has taken the prize.
    own, other = (state.first, state.second) if seat == 0 else (state.second, state.first)
    for place in range(rules.cards):
        planes[0, 0, place] = card(state.prizes, place) / rules.cards
        planes[1, 0, place] = card(own, place) / rules.cards
        if rules.revealed:
            planes[2, 0, place] = card(other, place) / rules.cards
        winner = state.winners >> 2 * place & 3
        planes[3, 0, place] = 1 if winner == seat + 1 else 0
        planes[4, 0, place] = 1 if winner == 2 - seat else 0


# Text for people. -------------------------------------------------------------------------------


def label(rules: GoofspielRules, state: Goofspiel, move: int) -> str:
    return f"prize {move + 1}" if turn(rules, state) == CHANCE else str(move + 1)


def cards_text(cards: int) -> str:
    """Return cards in the order of the rounds, ? for one that is not seen; - if there are none."""
    shown = []
    while cards:
        shown.append("?" if cards & HIDDEN == HIDDEN else str(cards & HIDDEN))
        cards >>= BITS
    return ",".join(shown) or "-"


def winners_text(winners: int) -> str:
    """Return who has taken the prizes: 1 or 2, or = for nobody; - before the first round."""
    text = ""
    while winners:
        text += WINNERS[(winners & 3) - 1]
        winners >>= 2
    return text or "-"


def position(rules: GoofspielRules, state: Goofspiel) -> str:
    cards = (cards_text(cards) for cards in state[:3])
    return " ".join([*cards, winners_text(state.winners)])


def read_position(rules: GoofspielRules, text: str) -> Goofspiel:
    parts = read_parts(text, "PRIZES FIRST SECOND WINNERS")
    prizes, *bids = (
        read_cards(rules, part, name)
        for part, name in zip(parts, ("PRIZES", "FIRST", "SECOND"), strict=False)
    )
    marks = "" if parts[3] == "-" else parts[3]
    winners = [read_word(mark, "WINNERS", WINNERS) + 1 for mark in marks]
    check_prizes(rules, prizes, len(winners))
    for name, cards in zip(("FIRST", "SECOND"), bids, strict=True):
        if len(cards) != len(winners):
            raise ValueError(f"{name}: expected {len(winners)} bids, as many as WINNERS")
        if rules.revealed and HIDDEN in cards:
            raise ValueError(f"{name}: expected no ?, as bids are revealed")
    for winner, first, second in zip(winners, *bids, strict=True):
        higher = NOBODY if first == second else 1 if first > second else 2
        if HIDDEN not in (first, second) and winner != higher:
            raise ValueError(f"WINNERS {parts[3]!r}: {first} and {second} were bid there")
    return Goofspiel(pack(prizes), pack(bids[0]), pack(bids[1]), pack(winners, 2), len(winners))


def read_cards(rules: GoofspielRules, text: str, name: str) -> list[int]:
    """Return different cards with commas between, or only ? for cards that are not seen."""
    marks = [] if text == "-" else text.split(",")
    if set(marks) == {"?"} and name != "PRIZES" and len(marks) <= rules.cards:
        return [HIDDEN] * len(marks)
    cards = [read_int(mark, name, 1, rules.cards) for mark in marks]
    if len(set(cards)) < len(cards):
        raise ValueError(f"{name} {text!r}: expected different cards")
    return cards


def check_prizes(rules: GoofspielRules, prizes: Sequence[int], played: int) -> None:
    """Raise a ValueError if so many rounds cannot have had these prizes."""
    if played == rules.cards - 1:
        raise ValueError("WINNERS: expected the last round as well, which is played at once")
    if rules.order != RANDOM and pack(prizes) != initial(rules).prizes:
        raise ValueError(f"PRIZES: expected {cards_text(initial(rules).prizes)}")
    if rules.order == RANDOM and len(prizes) not in (played, min(played + 1, rules.cards)):
        wanted = f"{played} or {played + 1}"
        raise ValueError(f"PRIZES: expected {wanted} after {many(played, 'round')}")


def pack(numbers: Sequence[int], bits: int = BITS) -> int:
    """Return numbers in an int, each in so many bits, the first lowest."""
    return sum(number << bits * place for place, number in enumerate(numbers))


def render(rules: GoofspielRules, state: Goofspiel, last: int = NO_MOVE) -> str:
    lines = [f"  prizes   {spaced(state.prizes)}"]
    for seat, cards in enumerate((state.first, state.second)):
        hand = " ".join(str(one + 1) for one in members(left(rules, cards)))
        held = "?" if card(cards, 0) == HIDDEN else hand or "-"
        name, score = seat_name(rules, seat), many(points(state, seat), "point")
        lines.append(f"  {name} {spaced(cards)}  [bold]{score}[/]  [dim]hand {held}[/]")
    marks = "".join(f"{mark:>3}" for mark in winners_text(state.winners))
    return "\n".join([*lines, f"  taken by {marks}"])


def spaced(cards: int) -> str:
    """Return cards in columns."""
    return "".join(f"{mark:>3}" for mark in cards_text(cards).split(","))


def scene(rules: GoofspielRules, state: Goofspiel, last: int = NO_MOVE) -> Scene:
    width, mover = max(540.0, 54.0 * rules.cards + 40), turn(rules, state)
    shapes = [panel(width, 500)]
    for seat, cards in enumerate((state.first, state.second)):
        x, wide, score = width / 4 * (1 + 2 * seat), width / 2 - 30, str(points(state, seat))
        shapes += plate(seat, x, wide, seat_name(rules, seat), "", COLOURS[seat], mover == BOTH)
        shapes.append(Shape(f"points-{seat + 1}", "bold", x + wide / 2 - 30, 56, 0, 26, text=score))
        shapes += hand_shapes(rules, state, seat, cards, width)
        for place in range(state.played):
            key, x = f"bid-{seat + 1}-{place + 1}", column(rules, place, width)
            shapes += card_shapes(key, x, 224.0 + 142 * seat, card(cards, place), COLOURS[seat])
    for place in range(rules.cards):
        key, x, prize = f"prize-{place + 1}", column(rules, place, width), card(state.prizes, place)
        if prize:
            colour, ink = TAKEN[state.winners >> 2 * place & 3]
            colour = "sand" if place > state.played else colour
            shapes.append(Shape(key, "disc", x, 295, 46, 46, colour, f"a prize of {prize}"))
            shapes.append(Shape(f"{key}-number", "bold", x, 295, 0, 20, ink, str(prize)))
    return Scene(width, 500, tuple(shapes))


def column(rules: GoofspielRules, place: int, width: float) -> float:
    """Return where a column of cards is, centred together."""
    return width / 2 + 54 * (place - (rules.cards - 1) / 2)


def hand_shapes(
    rules: GoofspielRules, state: Goofspiel, seat: int, cards: int, width: float
) -> list[Shape]:
    """Return the hand of a seat, face down if its bids are not seen."""
    shapes, key, y, colour = list[Shape](), f"hand-{seat + 1}", 140.0 + 310 * seat, COLOURS[seat]
    if card(cards, 0) == HIDDEN:
        for place in range(rules.cards - state.played):
            x = column(rules, place, width)
            shapes += card_shapes(f"{key}-{place + 1}", x, y, HIDDEN, colour)
        return shapes
    for number in members(left(rules, cards)):
        x, action = column(rules, number, width), number if turn(rules, state) == BOTH else NO_MOVE
        face, name = card_shapes(f"{key}-{number + 1}", x, y, number + 1, colour)
        shapes += [face._replace(action=action, seat=seat), name]
    return shapes


def card_shapes(key: str, x: float, y: float, number: int, colour: str) -> list[Shape]:
    """Return a card, face down if it is hidden."""
    if number == HIDDEN:
        return [Shape(key, BACK, x, y, 44, 60, colour, "a card that is not seen")]
    name = str(number)
    face = Shape(key, "panel", x, y, 44, 60, "white", name)
    return [face, Shape(f"{key}-name", "bold", x, y, 0, 24, colour, name)]
