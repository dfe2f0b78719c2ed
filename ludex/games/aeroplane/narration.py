"""The effects of a roll or a move of Aeroplane Chess, in sentences."""

from ludex.core.rules import OVER, Rules, State, apply, turn
from ludex.games.aeroplane import places
from ludex.games.aeroplane.places import CROSSED, FLIGHT_END, FLIGHT_POINT, HANGAR, HOME, TRACK_END


def events(rules: Rules, state: State, move: int) -> list[str]:
    after = apply(rules, state, move)
    name = places.seat_name(rules, state.seat)
    if state.roll == 0:
        if after.roll:
            return []
        passed = places.seat_name(rules, after.seat)
        return [f"{name} has no plane that can move: the turn passes to {passed}."]
    start, end = (places.fields(rules, one[state.seat])[move] for one in (state, after))
    landed = places.landing(start, state.roll)
    plane = f"{name}'s plane {move + 1}"
    if start == HANGAR:
        lines = [f"{plane} leaves the hangar for the launch area."]
    elif end == start != landed:
        lines = [f"{plane} stays on {place(start)}: a stack blocks {place(landed)}."]
    else:
        lines = walk(plane, start, landed, state.roll)
        lines += captures(rules, state, after, plane, landed)
        if end != landed:
            lines.append(f"{plane} {flight(landed, end)}.")
            lines += captures(rules, state, after, plane, CROSSED, flight=True)
            lines += captures(rules, state, after, plane, end)
        elif places.field_after_jump(landed) != landed:
            blocked = place(places.field_after_jump(landed))
            lines.append(f"{plane} goes no further than {place(landed)}: a stack blocks {blocked}.")
        if end == HOME:
            lines.append(f"{plane} is home.")
    if state.roll == 6 and turn(rules, after) != OVER:
        lines.append(f"{name} rolls again after the six.")
    return lines


def place(field: int) -> str:
    """Return the name of a field: `step 6`, or `f3` on the stretch."""
    name = places.PLACES[field]
    return f"step {name}" if name.isdigit() else name


def walk(plane: str, start: int, landed: int, roll: int) -> list[str]:
    """Return sentences about the steps of a roll."""
    if start + roll > HOME:
        return [f"{plane} overshoots home and walks back to {place(landed)}."]
    if start <= TRACK_END < landed < HOME:
        return [f"{plane} enters the final stretch."]
    return []


def flight(landed: int, end: int) -> str:
    """Return how a plane went on from the square that it reached."""
    if landed == FLIGHT_POINT:
        return f"flies from {place(landed)} to {place(FLIGHT_END)} and jumps to {place(end)}"
    if end == FLIGHT_END:
        return f"jumps from {place(landed)} to {place(FLIGHT_POINT)} and flies to {place(end)}"
    return f"jumps from {place(landed)} to {place(end)}"


def captures(
    rules: Rules, state: State, after: State, plane: str, field: int, flight: bool = False
) -> list[str]:
    """Return sentences about captures on the square of a field, or on CROSSED by a flight."""
    deed, lines = "flies through" if flight else "catches", []
    for other in sorted({*range(rules.seats)} - {state.seat}):
        there = field if flight else places.field_seen(rules, state.seat, field, other)
        for caught in sent_back(rules, state, after, other, there):
            lines.append(f"{plane} {deed} {caught} on {place(field)} and sends it to the hangar.")
    return lines


def sent_back(rules: Rules, state: State, after: State, seat: int, field: int) -> list[str]:
    """Return the planes of a seat that went from a field back to the hangar."""
    pairs = zip(places.fields(rules, state[seat]), places.fields(rules, after[seat]), strict=True)
    return [
        f"{places.seat_name(rules, seat)}'s plane {plane + 1}"
        for plane, (before, now) in enumerate(pairs)
        if before == field != now
    ]
