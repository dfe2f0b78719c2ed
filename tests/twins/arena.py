"""Mega Man Battle Arena, written out literally: every battle is fought blow by blow."""

from typing import Any

LIGHT = ["spark", "snake", "needle", "hard", "top", "gemini", "magnet", "shadow", "mega"]
WILY = ["metal", "quick", "air", "crash", "flash", "bubble", "wood", "heat", "gamma"]
SIDES = [LIGHT, WILY]

# Both tables are those of the document: one line per attacker or weapon, one column per target.
LIGHT_DAMAGE = """
target  metal  quick  air  crash  flash  bubble  wood  heat  gamma
spark       2      1    4      1      1       4     1     1      1
snake       1      4    2      1      1       1     4     1      2
needle      1      1    1      2      4       2     4     2      1
hard        4      1    2      7      1       2     2     2      4
top         1      1    1      4      1       1     2     7     12
gemini      1      4    2      1      4       1     1     1      1
magnet      4      2    4      1      1       1     1     1      1
shadow      2      2    1      1      2       4     2     4      2
"""
MEGA_DAMAGE = """
target      metal  quick  air  crash  flash  bubble  wood  heat  gamma
mega            1      2    2      1      2       1     1     2      1
mega-metal     14      0    0      0      4       4     1     1      1
mega-quick      4      0    2      1      0       2     0     2      2
mega-air        0      2    0     10      0       0     4     2      1
mega-crash      0      4    0      0      3       2     2     0      6
mega-flash      0     14    0      0      0       0     0     0      0
mega-bubble     0      0    0      1      2       0     0     6     10
mega-wood       0      0    8      0      0       0     0     0      0
mega-heat       2      6    4      2      3       0    30     0      0
"""


def _defaults() -> dict[str, Any]:
    values: dict[str, Any] = {"heal": 5, "ceiling": 0, "first": "light", "gamma-after": 8}
    for name in LIGHT + WILY:
        values[name] = 99 if name == "gamma" else 30
    for table in (LIGHT_DAMAGE, MEGA_DAMAGE):
        heading, *lines = table.strip().splitlines()
        targets = heading.split()[1:]
        for line in lines:
            attacker, *numbers = line.split()
            for target, number in zip(targets, numbers, strict=True):
                values[f"{attacker}-{target}"] = int(number)
    for attacker in WILY:
        for target in LIGHT:
            values[f"{attacker}-{target}"] = 2
        values[f"{attacker}-mega"] = 2 if attacker == "gamma" else 1
    return values


DEFAULTS = _defaults()


def _rule(rules: dict[str, Any], name: str) -> Any:
    return rules.get(name, DEFAULTS[name])


def initial(rules: dict[str, Any]) -> dict[str, Any]:
    """Return the state before the first champion enters."""
    return {
        "life": {name: _rule(rules, name) for name in LIGHT + WILY},
        "champions": [None, None],
        "weapons": [],
        "seat": 0 if _rule(rules, "first") == "light" else 1,
    }


def _living(state: dict[str, Any], seat: int) -> list[str]:
    return [name for name in SIDES[seat] if state["life"][name] > 0]


def turn(rules: dict[str, Any], state: dict[str, Any]) -> int | str:
    """Return the seat to move, or "over" when a side has nobody left."""
    for seat in (0, 1):
        if not _living(state, seat):
            return "over"
    return int(state["seat"])


def moves(rules: dict[str, Any], state: dict[str, Any]) -> list[str]:
    """Return the champions that may enter or stay, in the order of the play lists."""
    if turn(rules, state) == "over":
        return []
    labels = []
    for name in _living(state, state["seat"]):
        if name == "gamma":
            gone = [other for other in WILY if other != "gamma" and state["life"][other] == 0]
            if len(gone) < _rule(rules, "gamma-after"):
                continue
        labels.append(name)
    return labels


def odds(rules: dict[str, Any], state: dict[str, Any]) -> dict[str, float]:
    """Return no outcomes: this game has no chance."""
    return {}


def _blow(rules: dict[str, Any], weapons: list[str], striker: str, target: str) -> int:
    """Return the damage of one blow; Mega strikes with the best weapon he has."""
    choices = [_rule(rules, f"{striker}-{target}")]
    if striker == "mega":
        for weapon in weapons:
            choices.append(_rule(rules, f"mega-{weapon}-{target}"))
    return int(max(choices))


def _fight(
    rules: dict[str, Any], weapons: list[str], life: dict[str, int], entering: str, standing: str
) -> tuple[str, str]:
    """Trade blows in `life` until one robot is dead, and return the winner and the loser."""
    striker, target = entering, standing
    damage = {
        entering: _blow(rules, weapons, entering, standing),
        standing: _blow(rules, weapons, standing, entering),
    }
    if damage[entering] <= 0 and damage[standing] <= 0:
        raise ValueError(f"{entering!r} and {standing!r} cannot hurt each other")
    while True:
        life[target] = max(0, life[target] - damage[striker])
        if life[target] == 0:
            return striker, target
        striker, target = target, striker


def apply(rules: dict[str, Any], state: dict[str, Any], label: str) -> dict[str, Any]:
    """Return the state after a champion enters or stays, and after the battle if there is one."""
    seat = state["seat"]
    life = dict(state["life"])
    champions = list(state["champions"])
    weapons = list(state["weapons"])
    champions[seat] = label
    standing = champions[1 - seat]
    if standing is not None:
        winner, loser = _fight(rules, weapons, life, label, standing)
        champions[champions.index(loser)] = None
        if winner == "mega":
            if loser != "gamma":
                weapons.append(loser)
            life["mega"] = _healed(rules, life["mega"])
    return {"life": life, "champions": champions, "weapons": weapons, "seat": 1 - seat}


def _healed(rules: dict[str, Any], life: int) -> int:
    """Return Mega's life after a kill; a ceiling stops the healing and never costs life."""
    ceiling = _rule(rules, "ceiling")
    for _ in range(_rule(rules, "heal")):
        if ceiling == 0 or life < ceiling:
            life += 1
    return life


def returns(rules: dict[str, Any], state: dict[str, Any]) -> list[float]:
    """Return the worth per seat at the end: the side with somebody left has won."""
    return [1.0 if _living(state, seat) else -1.0 for seat in (0, 1)]


def position(rules: dict[str, Any], state: dict[str, Any]) -> str:
    """Return the state as one line of text."""
    lives = [",".join(str(state["life"][name]) for name in side) for side in SIDES]
    champions = [name or "-" for name in state["champions"]]
    weapons = ",".join(name for name in WILY if name in state["weapons"]) or "-"
    return " ".join([*lives, *champions, weapons, str(state["seat"])])
