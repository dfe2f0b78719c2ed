"""Aeroplane Chess, written out literally: planes walk over a board of squares 0 to 51.

A place is a square's number, or a word: "h" hangar, "l" launch, "f1" to "f5" stretch, "home".
"""

from typing import Any

DEFAULTS: dict[str, Any] = {"seats": 2, "planes": 4, "stacks": "capture"}
COLOURS = {2: ["B", "G"], 3: ["R", "B", "Y"], 4: ["R", "B", "Y", "G"]}
BOARD = ["RBYG"[square % 4] for square in range(52)]
FIRST_SQUARE = {"R": 39, "B": 0, "Y": 13, "G": 26}
LAST_SQUARE = {"R": 36, "B": 49, "Y": 10, "G": 23}
FACING = {"R": "Y", "Y": "R", "B": "G", "G": "B"}


def _path(colour: str) -> list[int | str]:
    """Return every place from the launch to home in order; a place's index is the own step."""
    path: list[int | str] = ["l"]
    square = FIRST_SQUARE[colour]
    path.append(square)
    while square != LAST_SQUARE[colour]:
        square = (square + 1) % 52
        path.append(square)
    return [*path, "f1", "f2", "f3", "f4", "f5", "home"]


PATH = {colour: _path(colour) for colour in "RBYG"}
STEP = {colour: {place: step for step, place in enumerate(PATH[colour])} for colour in "RBYG"}
FLIGHT_POINT = {colour: PATH[colour][18] for colour in "RBYG"}


def _rule(rules: dict[str, Any], name: str) -> Any:
    return rules.get(name, DEFAULTS[name])


def _colours(rules: dict[str, Any]) -> list[str]:
    return COLOURS[_rule(rules, "seats")]


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first roll, all planes in their hangars."""
    hangar = ["h"] * _rule(rules, "planes")
    return {"planes": [list(hangar) for _ in _colours(rules)], "roll": None, "seat": 0}


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move after a roll, "chance" before it, or "over"."""
    for places in state["planes"]:
        if all(place == "home" for place in places):
            return "over"
    if state["roll"] is None:
        return "chance"
    return int(state["seat"])


def _movable(places: list[int | str], die: int) -> list[int]:
    """Return the indices of the planes that this die may move."""
    found = []
    for index, place in enumerate(places):
        if place == "home":
            continue
        if place == "h" and die != 6:
            continue
        found.append(index)
    return found


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the six rolls, or the planes that the roll may move."""
    phase = turn(rules, state)
    if phase == "over":
        return []
    if phase == "chance":
        return list(odds(rules, state))
    movable = _movable(state["planes"][state["seat"]], state["roll"])
    return [f"plane {index + 1}" for index in movable]


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return the six equal rolls."""
    return {f"roll {die}": 1 / 6 for die in range(1, 7)}


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a roll (and the pass, when nothing can move) or after a move."""
    kind, number = label.split()
    seat = state["seat"]
    next_seat = (seat + 1) % len(_colours(rules))
    if kind == "roll":
        die = int(number)
        if _movable(state["planes"][seat], die):
            return {"planes": state["planes"], "roll": die, "seat": seat}
        return {"planes": state["planes"], "roll": None, "seat": next_seat}
    die = state["roll"]
    planes = _moved(rules, state["planes"], seat, int(number) - 1, die)
    return {"planes": planes, "roll": None, "seat": seat if die == 6 else next_seat}


def _moved(
    rules: dict[str, Any], before: list[list[int | str]], seat: int, index: int, die: int
) -> list[list[int | str]]:
    """Return the places of all planes after one plane has moved by the die."""
    planes = [list(places) for places in before]
    colour = _colours(rules)[seat]
    start = planes[seat][index]
    if start == "h":
        planes[seat][index] = "l"
        return planes

    landing = _walk(colour, start, die)
    if _blocked(rules, planes, seat, landing):
        return planes
    planes[seat][index] = landing
    if not isinstance(landing, int):
        return planes
    _capture(planes, seat, landing)
    if BOARD[landing] != colour:
        return planes

    end, flies = _carried(colour, landing)
    if _blocked(rules, planes, seat, end):
        return planes
    planes[seat][index] = end
    if flies:
        _cross(rules, planes, colour)
    _capture(planes, seat, end)
    return planes


def _walk(colour: str, place: int | str, count: int) -> int | str:
    """Return the place after `count` single steps; a plane at home turns and walks back."""
    path = PATH[colour]
    here = STEP[colour][place]
    direction = 1
    for _ in range(count):
        if path[here] == "home":
            direction = -1
        here += direction
    return path[here]


def _carried(colour: str, landing: int | str) -> tuple[int | str, bool]:
    """Return where jump and flight bring a plane from a square of its colour, and if it flies.

    Each happens at most once, in the order in which the squares allow them.
    """
    place = landing
    jumped = flown = False
    while True:
        if place == FLIGHT_POINT[colour] and not flown:
            place = _walk(colour, place, 12)
            flown = True
        elif not jumped:
            place = _walk(colour, place, 4)
            jumped = True
        else:
            return place, flown


def _blocked(
    rules: dict[str, Any], planes: list[list[int | str]], seat: int, place: int | str
) -> bool:
    """Tell whether the rules protect an opposing stack on this square of the track."""
    if _rule(rules, "stacks") != "block" or not isinstance(place, int):
        return False
    for other, places in enumerate(planes):
        if other != seat and places.count(place) >= 2:
            return True
    return False


def _capture(planes: list[list[int | str]], seat: int, place: int | str) -> None:
    """Send every opposing plane on this square of the track to its hangar."""
    if not isinstance(place, int):
        return
    for other, places in enumerate(planes):
        if other == seat:
            continue
        for index in range(len(places)):
            if places[index] == place:
                places[index] = "h"


def _cross(rules: dict[str, Any], planes: list[list[int | str]], colour: str) -> None:
    """Send the facing planes on position 3 of their stretch to their hangar."""
    for other, places in zip(_colours(rules), planes, strict=True):
        if other != FACING[colour]:
            continue
        for index in range(len(places)):
            if places[index] == "f3":
                places[index] = "h"


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end: 1 for the winner, the others share -1."""
    loss = -1 / (len(state["planes"]) - 1)
    worth = []
    for places in state["planes"]:
        worth.append(1.0 if all(place == "home" for place in places) else loss)
    return worth


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text; a plane on the track shows its own step."""
    fields = []
    for colour, places in zip(_colours(rules), state["planes"], strict=True):
        words = []
        for place in places:
            words.append(str(STEP[colour][place]) if isinstance(place, int) else place)
        fields.append(f"{colour}:{','.join(words)}")
    roll = "-" if state["roll"] is None else str(state["roll"])
    return " ".join([*fields, roll, str(state["seat"])])
