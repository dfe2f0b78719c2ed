"""The robots of the arena: their names, and the damage of their attacks."""

from collections.abc import Mapping, Sequence

from ludex.kernel.bits import members
from ludex.kernel.jit import shared

LIGHT, WILY = 0, 1
LIGHT_NAMES = ("spark", "snake", "needle", "hard", "top", "gemini", "magnet", "shadow", "mega")
WILY_NAMES = ("metal", "quick", "air", "crash", "flash", "bubble", "wood", "heat", "gamma")
NAMES = (LIGHT_NAMES, WILY_NAMES)
LAST = 8  # Mega Man and Gamma
NOBODY = 9  # in the place of a champion
FIELD = 127  # the largest life or damage, except the lives of the last
LIFE_BITS = 8  # of a robot in its side's lives
BLOW_BITS = 7  # of a target in its attacker's damages: nine of them fit into one int

# The damage of Light's robots to Wily's, in the order of their names.
LIGHT_DAMAGE = {
    "spark": (2, 1, 4, 1, 1, 4, 1, 1, 1),
    "snake": (1, 4, 2, 1, 1, 1, 4, 1, 2),
    "needle": (1, 1, 1, 2, 4, 2, 4, 2, 1),
    "hard": (4, 1, 2, 7, 1, 2, 2, 2, 4),
    "top": (1, 1, 1, 4, 1, 1, 2, 7, 12),
    "gemini": (1, 4, 2, 1, 4, 1, 1, 1, 1),
    "magnet": (4, 2, 4, 1, 1, 1, 1, 1, 1),
    "shadow": (2, 2, 1, 1, 2, 4, 2, 4, 2),
    "mega": (1, 2, 2, 1, 2, 1, 1, 2, 1),
}
# The damage of Mega Man with the weapon of a robot that he defeated.
WEAPON_DAMAGE = {
    "metal": (14, 0, 0, 0, 4, 4, 1, 1, 1),
    "quick": (4, 0, 2, 1, 0, 2, 0, 2, 2),
    "air": (0, 2, 0, 10, 0, 0, 4, 2, 1),
    "crash": (0, 4, 0, 0, 3, 2, 2, 0, 6),
    "flash": (0, 14, 0, 0, 0, 0, 0, 0, 0),
    "bubble": (0, 0, 0, 1, 2, 0, 0, 6, 10),
    "wood": (0, 0, 8, 0, 0, 0, 0, 0, 0),
    "heat": (2, 6, 4, 2, 3, 0, 30, 0, 0),
}
# The damage of Wily's robots to Light's.
WILY_DAMAGE = {name: (2, 2, 2, 2, 2, 2, 2, 2, 2 if name == "gamma" else 1) for name in WILY_NAMES}


def pack(numbers: Sequence[int], bits: int) -> int:
    """Return small numbers as the fields of one int, the first in the lowest bits."""
    return sum(number << bits * place for place, number in enumerate(numbers))


def pack_sides(light: Sequence[int], wily: Sequence[int]) -> list[int]:
    """Return the lives of both sides as a state and the rules hold them."""
    return [pack(light[:LAST], LIFE_BITS), light[LAST], pack(wily[:LAST], LIFE_BITS), wily[LAST]]


def pack_rows(table: Mapping[str, Sequence[int]]) -> tuple[int, ...]:
    """Return each row of damages as one int."""
    return tuple(pack(row, BLOW_BITS) for row in table.values())


def unpack(fields: int, bits: int) -> list[int]:
    """Return all fields of an int."""
    return [fields >> bits * place & FIELD for place in range(64 // bits)]


@shared
def life(fields, last, robot):
    """Return the life of a robot, given the lives of its side."""
    return last if robot == LAST else fields >> LIFE_BITS * robot & FIELD


@shared
def light_damage(rules, robot, weapons, target):
    """Return the damage of a blow of Light's robot; Mega Man uses his best weapon."""
    shift = BLOW_BITS * target
    best = rules.light[robot] >> shift & FIELD
    if robot == LAST:
        for weapon in range(LAST):
            if weapons >> weapon & 1:
                best = max(best, rules.weapons[weapon] >> shift & FIELD)
    return best


def weapon_names(weapons: int) -> list[str]:
    """Return the robots whose weapons Mega Man has won, in their order."""
    return [WILY_NAMES[robot] for robot in members(weapons)]


def full_name(name: str) -> str:
    """Return a robot's display name."""
    return name.capitalize() + ("" if name == "gamma" else " Man")
