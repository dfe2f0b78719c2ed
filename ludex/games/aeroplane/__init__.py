"""Aeroplane Chess: race all planes home by the die, over jumps, flights and captured rivals.

A plane is a six-bit field of its seat's int: 0 in the hangar, 1 in the launch area, s + 1 on its
own step s. Steps 1 to 50 are the track, 51 to 55 the final stretch, 56 is home.
"""

from typing import NamedTuple

from ludex.core.rules import CHANCE, OVER, Rule
from ludex.games.aeroplane import places
from ludex.games.aeroplane.drawing import render, scene
from ludex.games.aeroplane.estimates import estimate
from ludex.games.aeroplane.learning import features, features_text, reward
from ludex.games.aeroplane.motion import between
from ludex.games.aeroplane.narration import events
from ludex.games.aeroplane.patterns import PATTERNS_SIZE, patterns, patterns_text
from ludex.games.aeroplane.places import BLOCK, CAPTURE, HANGAR, HOME, seat_name
from ludex.games.aeroplane.views import view, view_shape
from ludex.io.text import read_int, read_parts
from ludex.kernel.jit import shared

__all__ = [
    "PATTERNS_SIZE",
    "between",
    "estimate",
    "events",
    "features",
    "features_text",
    "patterns",
    "patterns_text",
    "render",
    "reward",
    "scene",
    "seat_name",
    "view",
    "view_shape",
]

TITLE = "Aeroplane Chess"
KIND = "turns, a die, 2 to 4 seats"
VERSION = 1
ACTIONS = 4  # planes
OUTCOMES = 6  # a roll of one is outcome 0
LEVELS = {
    "easy": "random",
    "medium": "greedy",
    "hard": "expectiminimax:depth=2",
    "best": "expectiminimax:seconds=0.25",
}


class AeroplaneRules(NamedTuple):
    seats: int = 2
    planes: int = 4
    stacks: int = CAPTURE


RULES = {
    "seats": Rule(2, 4, "2: Blue and Green; 3: Red, Blue and Yellow; 4: all colours"),
    "planes": Rule(1, 4, "how many planes each seat has to bring home"),
    "stacks": Rule(
        CAPTURE, BLOCK, "whether two or more planes on a square can be caught", ("capture", "block")
    ),
}


class Aeroplane(NamedTuple):
    planes1: int
    planes2: int
    planes3: int
    planes4: int
    roll: int  # 0 before the roll
    seat: int


def seats(rules):
    return rules.seats


def initial(rules):
    return Aeroplane(0, 0, 0, 0, 0, 0)


@shared
def winner(rules, state):
    """Return the seat that has all planes at home, or -1."""
    for seat in range(rules.seats):
        if places.planes_of(state, seat) == places.ALL_HOME[rules.planes]:
            return seat
    return -1


def turn(rules, state):
    if winner(rules, state) >= 0:
        return OVER
    return CHANCE if state.roll == 0 else state.seat


@shared
def movable(rules, planes, roll):
    """Return the planes of a seat that can move after a roll, as bits."""
    bits = 0
    for plane in range(rules.planes):
        field = places.field_of(planes, plane)
        if field != HOME and (field != HANGAR or roll == 6):
            bits |= 1 << plane
    return bits


def moves(rules, state, seat):
    return movable(rules, places.planes_of(state, seat), state.roll)


def possible(rules, state):
    return (1 << OUTCOMES) - 1


def chance(rules, state, outcome):
    return 1.0 / OUTCOMES


@shared
def is_blocked(rules, state, seat, field):
    """Return whether another seat blocks the square with two planes or more."""
    if rules.stacks == CAPTURE:
        return False
    for other in range(rules.seats):
        if other != seat:
            there = places.field_seen(rules, seat, field, other)
            planes = places.planes_of(state, other)
            if there != HANGAR and places.count_on(rules, planes, there) >= 2:
                return True
    return False


@shared
def sent_home(planes, there):
    """Return the planes after those on a field went back to the hangar."""
    for plane in range(ACTIONS):
        if places.field_of(planes, plane) == there:
            planes -= there << places.BITS * plane
    return planes


def apply(rules, state, move):
    seat = state.seat
    if state.roll == 0:
        roll = move + 1
        if movable(rules, places.planes_of(state, seat), roll):
            return with_roll(state, roll, seat)
        return with_roll(state, 0, (seat + 1) % rules.seats)
    start = places.field_of(places.planes_of(state, seat), move)
    landed = places.landing(start, state.roll)
    end = places.field_after_jump(landed)
    if is_blocked(rules, state, seat, landed):
        landed = end = start
    elif end != landed and is_blocked(rules, state, seat, end):
        end = landed
    next_seat = seat if state.roll == 6 else (seat + 1) % rules.seats
    planes1 = planes_after(rules, state.planes1, 0, seat, move, start, landed, end)
    planes2 = planes_after(rules, state.planes2, 1, seat, move, start, landed, end)
    planes3 = planes_after(rules, state.planes3, 2, seat, move, start, landed, end)
    planes4 = planes_after(rules, state.planes4, 3, seat, move, start, landed, end)
    return Aeroplane(planes1, planes2, planes3, planes4, 0, next_seat)


@shared
def with_roll(state, roll, seat):
    """Return the state with this roll for this seat."""
    return Aeroplane(state.planes1, state.planes2, state.planes3, state.planes4, roll, seat)


@shared
def planes_after(rules, planes, owner, seat, plane, start, landed, end):
    """Return an owner's planes after a plane of the seat went from start over landed to end."""
    if owner == seat:
        return planes + ((end - start) << places.BITS * plane)
    if planes == 0 or start == end:
        return planes
    planes = sent_home(planes, places.field_seen(rules, seat, landed, owner))
    planes = sent_home(planes, places.field_seen(rules, seat, end, owner))
    if end - landed > places.JUMP and places.faces(rules, seat, owner):
        planes = sent_home(planes, places.CROSSED)
    return planes


@shared
def in_order(planes):
    """Return planes sorted, the nearest to home first."""
    for end in range(ACTIONS - 1, 0, -1):
        for plane in range(end):
            here, beyond = places.field_of(planes, plane), places.field_of(planes, plane + 1)
            if here < beyond:
                planes += (beyond - here) << places.BITS * plane
                planes -= (beyond - here) << places.BITS * (plane + 1)
    return planes


def canonical(rules, state):
    # Planes of one seat are interchangeable.
    planes1, planes2 = in_order(state.planes1), in_order(state.planes2)
    planes3, planes4 = in_order(state.planes3), in_order(state.planes4)
    return Aeroplane(planes1, planes2, planes3, planes4, state.roll, state.seat)


def returns(rules, state, seat):
    return 1.0 if seat == winner(rules, state) else -1.0 / (rules.seats - 1)


# Text for people. -------------------------------------------------------------------------------


def label(rules: AeroplaneRules, state: Aeroplane, move: int) -> str:
    return f"roll {move + 1}" if state.roll == 0 else f"plane {move + 1}"


def why_illegal(rules: AeroplaneRules, state: Aeroplane, seat: int, text: str) -> str:
    word, _, number = text.partition(" ")
    if word != "plane" or not number.removeprefix("-").isdecimal() or len(number) > 9:
        return ""
    if not 1 <= int(number) <= rules.planes:
        return f"moved plane {number}, where there are planes 1 to {rules.planes}"
    field = places.fields(rules, places.planes_of(state, seat))[int(number) - 1]
    why = "is in the hangar and needs a six" if field == HANGAR else "is home already"
    return f"moved plane {number}, which {why}"


def position(rules: AeroplaneRules, state: Aeroplane) -> str:
    sides = []
    for seat in range(rules.seats):
        names = ",".join(places.PLACES[field] for field in places.fields(rules, state[seat]))
        sides.append(f"{places.letter(rules, seat)}:{names}")
    return f"{' '.join(sides)} {state.roll or '-'} {state.seat}"


def read_position(rules: AeroplaneRules, text: str) -> Aeroplane:
    letters = [places.letter(rules, seat) for seat in range(rules.seats)]
    parts = read_parts(text, " ".join(f"{letter}:PLANES" for letter in letters) + " ROLL SEAT")
    planes = [read_planes(rules, *pair) for pair in zip(parts, letters, strict=False)]
    seat = read_int(parts[-1], "SEAT", 0, rules.seats - 1)
    roll = 0 if parts[-2] == "-" else read_int(parts[-2], "ROLL", 1, 6)
    state = Aeroplane._make([*planes, *[0] * (4 - rules.seats), roll, seat])
    if planes.count(places.ALL_HOME[rules.planes]) > 1:
        raise ValueError("expected at most one seat with all planes home")
    if roll and turn(rules, state) >= 0 and not movable(rules, planes[seat], roll):
        raise ValueError(f"ROLL {roll}: no plane of seat {seat} can move, so its turn has passed")
    return state


def read_planes(rules: AeroplaneRules, text: str, letter: str) -> int:
    """Return the planes of a seat from text like `B:h,l,12,home`."""
    start, _, listed = text.partition(":")
    names = listed.split(",")
    if start != letter or len(names) != rules.planes:
        raise ValueError(
            f"{text!r}: expected {letter}: and {rules.planes} places with commas between"
        )
    planes = 0
    for plane, name in enumerate(names):
        if name not in places.PLACES:
            raise ValueError(f"plane {name!r}: expected h, l, 1 to 50, f1 to f5 or home")
        planes |= places.PLACES.index(name) << places.BITS * plane
    return planes
