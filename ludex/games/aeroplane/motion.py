"""Animation of a move: the plane goes from square to square, jumps and flies."""

from ludex.core.rules import Rules, State, apply
from ludex.core.scene import Scene, without_offers
from ludex.games.aeroplane import places
from ludex.games.aeroplane.drawing import scene
from ludex.games.aeroplane.places import FLIGHT_END, FLIGHT_POINT, HANGAR, HOME, LAUNCH


def between(rules: Rules, state: State, move: int) -> tuple[Scene, ...]:
    if state.roll == 0:
        return ()
    seat, after = state.seat, apply(rules, state, move)
    planes, shift = places.planes_of(state, seat), places.BITS * move
    start, end = places.field_of(planes, move), places.field_of(places.planes_of(after, seat), move)
    fields = way(start, state.roll, end)
    caught = any(
        places.planes_of(state, other) != places.planes_of(after, other)
        for other in range(rules.seats)
        if other != seat
    )
    return tuple(
        # Captured planes stay until the plane arrives; otherwise the last step is the end itself.
        without_offers(scene(rules, state._replace(**{f"planes{seat + 1}": gone})))
        for gone in (
            planes + ((field - start) << shift) for field in fields[: None if caught else -1]
        )
    )


def way(start: int, roll: int, end: int) -> list[int]:
    """Return the fields on a plane's way from one field to another."""
    if start == HANGAR:
        return [LAUNCH]
    landed = places.landing(start, roll)
    if end == start != landed:
        return []  # blocked by a stack
    fields = list(range(start + 1, min(start + roll, HOME) + 1))
    fields += range(HOME - 1, HOME - max(0, start + roll - HOME) - 1, -1)
    if end != landed:
        if landed == FLIGHT_POINT:
            fields.append(FLIGHT_END)
        elif end == FLIGHT_END:
            fields.append(FLIGHT_POINT)
        fields.append(end)
    return fields
