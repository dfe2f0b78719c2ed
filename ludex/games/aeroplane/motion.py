"""Animation of a move: the plane goes from square to square, jumps and flies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.core.rules import apply
from ludex.core.scene import Scene, without_offers
from ludex.games.aeroplane.drawing import scene
from ludex.games.aeroplane.places import (
    BITS,
    FIELD,
    FLIGHT_END,
    FLIGHT_POINT,
    HANGAR,
    HOME,
    LAUNCH,
    landing,
    planes_of,
)

if TYPE_CHECKING:
    from ludex.games.aeroplane import Aeroplane, AeroplaneRules


def between(rules: AeroplaneRules, state: Aeroplane, move: int) -> tuple[Scene, ...]:
    if state.roll == 0:
        return ()
    seat, after = state.seat, apply(rules, state, move)
    planes, shift = planes_of(state, seat), BITS * move
    start, end = planes >> shift & FIELD, planes_of(after, seat) >> shift & FIELD
    fields = way(start, state.roll, end)
    caught = any(
        planes_of(state, other) != planes_of(after, other)
        for other in range(rules.seats)
        if other != seat
    )
    return tuple(
        # Whoever is caught stands until the plane is there; else its last step leads to the end.
        without_offers(scene(rules, state._replace(**{f"planes{seat + 1}": gone})))
        for gone in (
            planes + ((field - start) << shift) for field in fields[: None if caught else -1]
        )
    )


def way(start: int, roll: int, end: int) -> list[int]:
    """Return the fields that a plane touches on its way from one field to another."""
    if start == HANGAR:
        return [LAUNCH]
    landed = landing(start, roll)
    if end == start != landed:
        return []  # a stack is in its way
    fields = list(range(start + 1, min(start + roll, HOME) + 1))
    fields += range(HOME - 1, HOME - max(0, start + roll - HOME) - 1, -1)
    if end != landed:
        if landed == FLIGHT_POINT:
            fields.append(FLIGHT_END)
        elif end == FLIGHT_END:
            fields.append(FLIGHT_POINT)
        fields.append(end)
    return fields
