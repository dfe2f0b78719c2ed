"""Kuhn poker: one card each, one chip to bet; the higher card wins the pot."""

from typing import NamedTuple

from ludex.core.rules import CHANCE, NO_MOVE, OVER
from ludex.io.text import read_parts, read_word
from ludex.kernel.jit import shared

TITLE = "Kuhn poker"
KIND = "cards, hidden information, 2 seats"
VERSION = 1
ACTIONS = 2
OUTCOMES = 3
PASS, BET = 0, 1

# A card is UNDEALT, 1 to 3 for jack, queen and king, or HIDDEN.
UNDEALT, HIDDEN = 0, 4
CARDS = "-JQK?"

# The bets so far, as bits below a leading 1.
START, PASS_PASS, PASS_BET, BET_PASS, BET_BET, PASS_BET_PASS, PASS_BET_BET = 1, 4, 5, 6, 7, 10, 11
LINES = {1: "-", 2: "p", 3: "b", 4: "pp", 5: "pb", 6: "bp", 7: "bb", 10: "pbp", 11: "pbb"}


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
    if state.first == UNDEALT:
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
    return Kuhn(*cards, list(LINES)[read_word(line, "BETS", list(LINES.values()))])


def render(rules: KuhnRules, state: Kuhn, last: int = NO_MOVE) -> str:
    pot = 2 if state.bets in (1, 2, PASS_PASS) else 3 if stake(state.bets) < 1.0 else 4
    cards = f"Player 1 has {CARDS[state.first]}, Player 2 has {CARDS[state.second]}"
    return f"{cards}\n{pot} chips in the pot"
