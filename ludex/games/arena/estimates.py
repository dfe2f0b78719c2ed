"""The estimate of arena: the hits that each side can take.

The strength of a robot is the number of hits that defeat it, averaged over the opposing robots in
proportion to their lives. Both sides attack equally often, so the side that can take more hits is
ahead. Everything follows from the lives and the rules; nothing was fitted.
"""

from ludex.games.arena.robots import BLOW_BITS, FIELD, LAST, LIGHT, life
from ludex.kernel.bits import members
from ludex.kernel.jit import shared

# A row of damages is summed in three strides, each with every third target, so that there is
# room for a sum above each damage.
STRIDES = 3
SUM_BITS = STRIDES * BLOW_BITS
SUM = (1 << SUM_BITS) - 1
ONES = 1 | 1 << SUM_BITS | 1 << 2 * SUM_BITS


def estimate(rules, state, seat):
    # Gamma does not strike while he waits for the others to fall.
    gamma = 0 if state.wily and rules.gamma_after else state.gamma
    mine = blows(rules.wily, 0, state.wily, gamma, state.light, state.mega, rules.weapons)
    theirs = blows(
        rules.light, state.weapons, state.light, state.mega, state.wily, state.gamma, rules.weapons
    )
    balance = (mine - theirs) / (mine + theirs + 1.0)
    return balance if seat == LIGHT else -balance


@shared
def blows(rows, weapons, fields, last, target_fields, target_last, weapon_rows):
    """Return the average number of blows of one side that the targets can take."""
    total = last
    first = second = third = 0
    for robot in range(LAST):
        force = life(fields, last, robot)
        total += force
        first += force * stride(rows[robot], 0)
        second += force * stride(rows[robot], 1)
        third += force * stride(rows[robot], 2)
    first += last * best_weapon_row(rows[LAST], weapons, weapon_rows, 0)
    second += last * best_weapon_row(rows[LAST], weapons, weapon_rows, 1)
    third += last * best_weapon_row(rows[LAST], weapons, weapon_rows, 2)
    taken = 0.0
    for place in range(STRIDES):
        shift = SUM_BITS * place
        robot = STRIDES * place
        taken += life(target_fields, target_last, robot) / max(first >> shift & SUM, 1)
        taken += life(target_fields, target_last, robot + 1) / max(second >> shift & SUM, 1)
        taken += life(target_fields, target_last, robot + 2) / max(third >> shift & SUM, 1)
    return taken * total


@shared
def stride(row, start):
    """Return the damages to every third target from `start` on, with room above each."""
    return row >> BLOW_BITS * start & FIELD * ONES


@shared
def best_weapon_row(row, weapons, weapon_rows, start):
    """Return a stride of the row, with the best weapon for each target."""
    best = stride(row, start)
    for weapon in members(weapons):
        other = stride(weapon_rows[weapon], start)
        # The bit above a damage survives the subtraction where `best` is no smaller.
        kept = ((best | (FIELD + 1) * ONES) - other >> BLOW_BITS & ONES) * FIELD
        best = best & kept | other & ~kept
    return best
