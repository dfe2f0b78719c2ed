"""Mega Man Battle Arena: two rosters send champions into an arena, where they fight to the death.

The lives of a side, and the damages of an attacker, are fields of one int, because ints cost
a search less than arrays. Mega Man and Gamma, the last of their sides, have separate lives: his
healing and Gamma's initial life may exceed a field.
"""

from typing import NamedTuple

from ludex.core.rules import OVER, Grid, Rule
from ludex.games.arena import robots
from ludex.games.arena.battle import events
from ludex.games.arena.drawing import lives, render, scene
from ludex.games.arena.estimates import estimate
from ludex.games.arena.motion import between
from ludex.games.arena.robots import FIELD, LAST, LIFE_BITS, LIGHT, NAMES, NOBODY, WILY, WILY_NAMES
from ludex.games.arena.views import view, view_shape
from ludex.io.text import read_int, read_ints, read_parts, read_word
from ludex.kernel.bits import size
from ludex.kernel.jit import shared

__all__ = ["between", "estimate", "events", "render", "scene", "view", "view_shape"]

TITLE = "Mega Man Battle Arena"
KIND = "turns, no chance, the sides differ, 2 seats"
VERSION = 1
ACTIONS = 9  # the robots of a side
LEVELS = {
    "easy": "greedy",
    "medium": "alphabeta:depth=2",
    "hard": "alphabeta:depth=6",
    "best": "alphabeta:seconds=0.5",
}


MOST_LIVES = (*[FIELD] * LAST, 999)  # of the robots of a side, before any healing
EACH = 0x0101010101010101  # one in each byte
GATHER = 0x0102040810204080  # a factor that gathers bit 0 of each byte


class ArenaRules(NamedTuple):
    light_lives: int = robots.pack([30] * 8, LIFE_BITS)
    mega_life: int = 30
    wily_lives: int = robots.pack([30] * 8, LIFE_BITS)
    gamma_life: int = 99
    light: tuple[int, ...] = robots.pack_rows(robots.LIGHT_DAMAGE)
    weapons: tuple[int, ...] = robots.pack_rows(robots.WEAPON_DAMAGE)
    wily: tuple[int, ...] = robots.pack_rows(robots.WILY_DAMAGE)
    heal: int = 5
    ceiling: int = 0
    first: int = LIGHT
    gamma_after: int = 8


class Arena(NamedTuple):
    light: int
    mega: int
    wily: int
    gamma: int
    light_champion: int
    wily_champion: int
    weapons: int
    seat: int


def initial(rules):
    light, mega = rules.light_lives, rules.mega_life
    wily, gamma = rules.wily_lives, rules.gamma_life
    return Arena(light, mega, wily, gamma, NOBODY, NOBODY, 0, rules.first)


def turn(rules, state):
    if (state.light == 0 and state.mega == 0) or (state.wily == 0 and state.gamma == 0):
        return OVER
    return state.seat


@shared
def living_robots(fields):
    """Return the first eight robots of a side that live, as bits."""
    # Adding 127 carries into the top bit of every byte that is not 0; the product gathers
    # those eight bits in its own top byte.
    alive = ((fields + EACH * FIELD) >> 7) & EACH
    return ((alive * GATHER) >> 56) & 255


def moves(rules, state, seat):
    if seat == LIGHT:
        return living_robots(state.light) | (1 << LAST if state.mega > 0 else 0)
    bits = living_robots(state.wily)
    enters = state.gamma > 0 and LAST - size(bits) >= rules.gamma_after
    return bits | (1 << LAST if enters else 0)


@shared
def life_after_kill(rules, left):
    """Return Mega Man's life after a kill that left him this much."""
    if rules.ceiling == 0:
        return left + rules.heal
    return max(left, min(left + rules.heal, rules.ceiling))


def apply(rules, state, move):
    light, mega, wily, gamma, mine, theirs, weapons, seat = state
    if seat == LIGHT:
        mine = move
    else:
        theirs = move
    if mine == NOBODY or theirs == NOBODY:
        return Arena(light, mega, wily, gamma, mine, theirs, weapons, 1 - seat)
    my_life = robots.life(light, mega, mine)
    their_life = robots.life(wily, gamma, theirs)
    my_damage = robots.light_damage(rules, mine, weapons, theirs)
    their_damage = rules.wily[theirs] >> robots.BLOW_BITS * mine & FIELD
    # Blows needed, rounded up. The side that enters strikes first, so it wins if both need the same
    # number, and has then received one blow less than it dealt.
    my_blows = (their_life + my_damage - 1) // my_damage
    their_blows = (my_life + their_damage - 1) // their_damage
    lead = 1 if seat == LIGHT else 0
    if my_blows < their_blows + lead:
        left = my_life - (my_blows - lead) * their_damage
        if mine == LAST:
            mega = life_after_kill(rules, left)
            if theirs != LAST:
                weapons |= 1 << theirs
        else:
            light -= (my_life - left) << LIFE_BITS * mine
        if theirs == LAST:
            gamma = 0
        else:
            wily -= their_life << LIFE_BITS * theirs
        theirs = NOBODY
    else:
        left = their_life - (their_blows - (1 - lead)) * my_damage
        if theirs == LAST:
            gamma = left
        else:
            wily -= (their_life - left) << LIFE_BITS * theirs
        if mine == LAST:
            mega = 0
        else:
            light -= my_life << LIFE_BITS * mine
        mine = NOBODY
    return Arena(light, mega, wily, gamma, mine, theirs, weapons, 1 - seat)


def returns(rules, state, seat):
    winner = WILY if state.light == 0 and state.mega == 0 else LIGHT
    return 1.0 if seat == winner else -1.0


def margin(rules, state):
    # The loser has no life left.
    return total_life(state.light, state.mega) - total_life(state.wily, state.gamma)


@shared
def total_life(fields, last):
    """Return the life of a whole side."""
    total = last
    for robot in range(LAST):
        total += robots.life(fields, last, robot)
    return total


# The rules by name: every life, every damage, and four more. ------------------------------------

GRIDS = (
    Grid("damage dealt by Light's robots (rows) to Wily's", robots.LIGHT_NAMES, WILY_NAMES),
    Grid("damage dealt by Wily's robots (rows) to Light's", WILY_NAMES, robots.LIGHT_NAMES),
    Grid(
        "damage dealt by Mega Man with a weapon that he won (rows)",
        tuple(f"mega-{weapon}" for weapon in robots.WEAPON_DAMAGE),
        WILY_NAMES,
    ),
)
RULES = {
    "heal": Rule(0, 99, "what Mega Man gains after every kill"),
    "ceiling": Rule(0, 999, "how far healing may lift Mega Man; 0 for no ceiling"),
    "first": Rule(LIGHT, WILY, "who moves first", ("light", "wily")),
    "gamma-after": Rule(0, 8, "how many of Wily's other robots must be gone before Gamma enters"),
    **{
        name: Rule(1, most, f"{robots.full_name(name)}'s initial life")
        for names in NAMES
        for name, most in zip(names, MOST_LIVES, strict=True)
    },
    # Every robot deals something, so that battles end; a weapon may be useless.
    **{
        f"{row}-{column}": Rule(0 if "-" in row else 1, FIELD, f"what {row} deals {column}")
        for grid in GRIDS
        for row in grid.rows
        for column in grid.columns
    },
}


def rule_values(rules: ArenaRules) -> dict[str, int]:
    numbers = [rules.heal, rules.ceiling, rules.first, rules.gamma_after]
    numbers += [*robots.unpack(rules.light_lives, LIFE_BITS), rules.mega_life]
    numbers += [*robots.unpack(rules.wily_lives, LIFE_BITS), rules.gamma_life]
    for row in rules.light + rules.wily + rules.weapons:
        numbers += robots.unpack(row, robots.BLOW_BITS)
    return dict(zip(RULES, numbers, strict=True))


def make_rules(given: dict[str, int]) -> ArenaRules:
    values = list((rule_values(ArenaRules()) | given).values())
    starts = range(22, len(values), 9)
    rows = tuple(robots.pack(values[start : start + 9], robots.BLOW_BITS) for start in starts)
    light, mega, wily, gamma = robots.pack_sides(values[4:13], values[13:22])
    blows = rows[:9], rows[18:], rows[9:18]
    return ArenaRules(light, mega, wily, gamma, *blows, *values[:4])


# Text for people. -------------------------------------------------------------------------------


def seat_name(rules: ArenaRules, seat: int) -> str:
    return ("Dr. Light", "Dr. Wily")[seat]


def label(rules: ArenaRules, state: Arena, move: int) -> str:
    return NAMES[state.seat][move]


def why_illegal(rules: ArenaRules, state: Arena, seat: int, text: str) -> str:
    if text in NAMES[1 - seat]:
        return f"sent {robots.full_name(text)}, who fights for {seat_name(rules, 1 - seat)}"
    if text not in NAMES[seat]:
        return ""
    if not lives(state)[seat][NAMES[seat].index(text)]:
        return f"sent {robots.full_name(text)}, who has no life left"
    return f"sent Gamma, who enters only after {rules.gamma_after} of the others are gone"


def position(rules: ArenaRules, state: Arena) -> str:
    light, wily = (",".join(map(str, side)) for side in lives(state))
    champions = [
        "-" if champion == NOBODY else names[champion]
        for names, champion in zip(NAMES, (state.light_champion, state.wily_champion), strict=True)
    ]
    weapons = ",".join(robots.weapon_names(state.weapons)) or "-"
    return f"{light} {wily} {' '.join(champions)} {weapons} {state.seat}"


def read_position(rules: ArenaRules, text: str) -> Arena:
    parts = read_parts(text, "LIGHT_LIFE WILY_LIFE LIGHT_CHAMPION WILY_CHAMPION WEAPONS SEAT")
    weapons = 0
    for name in [] if parts[4] == "-" else parts[4].split(","):
        weapon = 1 << read_word(name, "WEAPONS", WILY_NAMES[:LAST])
        if weapon <= weapons:
            raise ValueError(f"WEAPONS {parts[4]!r}: expected each once, in the order of the lives")
        weapons |= weapon
    wily = read_ints(parts[1], "WILY_LIFE", [(0, most) for most in MOST_LIVES])
    # Mega Man may have healed once for each robot that is gone.
    healed = [0] * LAST + [rules.heal * wily.count(0)]
    most_lives = [most + more for most, more in zip(MOST_LIVES, healed, strict=True)]
    light = read_ints(parts[0], "LIGHT_LIFE", [(0, most) for most in most_lives])
    champions = [
        read_champion(part, name, names, side)
        for part, name, names, side in zip(
            parts[2:4], ("LIGHT_CHAMPION", "WILY_CHAMPION"), NAMES, (light, wily), strict=True
        )
    ]
    seat = read_int(parts[5], "SEAT", 0, 1)
    if not any(light) and not any(wily):
        raise ValueError("one side must have somebody left")
    return Arena._make([*robots.pack_sides(light, wily), *champions, weapons, seat])


def read_champion(text: str, name: str, names: tuple[str, ...], side: list[int]) -> int:
    """Return a living champion of a side, or NOBODY for `-`."""
    if text == "-":
        return NOBODY
    alive = [name for name, life in zip(names, side, strict=True) if life]
    if text not in alive:
        wanted = ", ".join(alive) or "'-', as nobody is left"
        raise ValueError(f"{name} {text!r}: expected '-' or one who lives ({wanted})")
    return names.index(text)
