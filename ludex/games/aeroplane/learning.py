"""Features of aeroplane chess for learners: what each plane would do, and who leads.

There are far too many positions of planes. What matters is whether a move captures, jumps, flies,
comes home, enters danger or leaves it, and these are the same on the whole track.
"""

from ludex.core.rules import Rules, apply, estimate, moves
from ludex.games.aeroplane.estimates import escapes
from ludex.games.aeroplane.places import HANGAR, HOME, JUMP, TRACK_END, field_of, planes_of
from ludex.kernel.bits import contains
from ludex.kernel.jit import shared

PLANES = 4
EFFECTS = (
    *("cannot move", "leaves the hangar", "walks", "walks into danger", "walks out of danger"),
    *("jumps", "flies", "catches", "enters the stretch", "moves in the stretch", "comes home"),
)
(STUCK, LEAVES, WALKS, RISKS, FLEES, JUMPS, FLIES, CATCHES, ENTERS, SHUFFLES, ARRIVES) = range(
    len(EFFECTS)
)
LEADS = 7  # classes of the estimate


def features(rules, state, seat):
    movable = moves(rules, state, seat)
    key = int((estimate(rules, state, seat) + 1.0) / 2.0 * LEADS)
    for plane in range(PLANES):
        key *= len(EFFECTS)
        if contains(movable, plane):
            key += effect(rules, state, seat, plane)
    return key


@shared
def effect(rules, state, seat, plane):
    """Return what the move of a plane would do."""
    after = apply(rules, state, plane)
    before, planes = planes_of(state, seat), planes_of(after, seat)
    start, end = field_of(before, plane), field_of(planes, plane)
    for other in range(rules.seats):
        if other != seat and planes_of(after, other) != planes_of(state, other):
            return CATCHES
    if start == HANGAR:
        return LEAVES
    if end == HOME:
        return ARRIVES
    if end > TRACK_END:
        return SHUFFLES if start > TRACK_END else ENTERS
    if end - start > 6 + JUMP:
        return FLIES
    if end - start > state.roll:
        return JUMPS
    risk = escapes(rules, after, seat, planes, end) < 1.0
    risked = escapes(rules, state, seat, before, start) < 1.0
    return WALKS if risk == risked else RISKS if risk else FLEES


def reward(rules, state, after, seat):
    # Potential-based shaping: the changes of a match cancel out, and only inform earlier.
    return estimate(rules, after, seat) - estimate(rules, state, seat)


def features_text(rules: Rules, key: int) -> str:
    effects: list[str] = []
    for plane in reversed(range(PLANES)):
        key, done = divmod(key, len(EFFECTS))
        if done and plane < rules.planes:
            effects.insert(0, f"plane {plane + 1} {EFFECTS[done]}")
    return f"{', '.join(effects)}; lead {key - LEADS // 2:+d}"
