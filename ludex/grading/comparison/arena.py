"""Situations for arena's `Game`: random play, every pair of robots, every weapon, few survivors."""

import random
from collections.abc import Iterator
from itertools import chain, product
from typing import Any

from ludex.core.play import choices
from ludex.core.rules import OVER, apply, initial, returns, turn
from ludex.core.termination import shorten
from ludex.games.arena import Arena, ArenaRules, position, robots
from ludex.games.arena.drawing import lives
from ludex.games.arena.robots import LAST, LIGHT, NOBODY, WILY
from ludex.grading.comparison.case import Case, ComparedRules, differences, value_text

FULL = tuple(tuple(map(robots.full_name, names)) for names in robots.NAMES)
TIMES = 3  # that every pair of robots meets, with different life points
MATCHES = 12  # random matches, before other situations are made
ENDS = 200  # terminal states, whose utilities bound the evaluation


def cases(rules: ArenaRules, method: str, rng: random.Random) -> Iterator[Case]:
    """Yield situations endlessly: first from random play, then random well-formed ones."""
    if method == "eval":
        for _ in range(ENDS):
            yield case_of(rules, random_state(rules, rng, ended=True), "utility", rng)
    ended = method == "utility"
    played = [] if ended else chain.from_iterable(line(rules, rng) for _ in range(MATCHES))
    for state in played:
        if method == "is_terminal" or turn(rules, state) != OVER:
            yield case_of(rules, state, method, rng)
    for state, move in clashes(rules, rng) if method == "result" else []:
        yield case_of(rules, state, method, rng, move)
    while True:
        wanted = rng.random() < 0.5 if method == "is_terminal" else ended
        yield case_of(rules, random_state(rules, rng, wanted), method, rng)


def line(rules: ArenaRules, rng: random.Random) -> Iterator[Arena]:
    """Yield the states of a random match."""
    state = initial(rules)
    while turn(rules, state) != OVER:
        yield state
        state = apply(rules, state, rng.choice(choices(rules, state, state.seat)))
    yield state


def clashes(rules: ArenaRules, rng: random.Random) -> list[tuple[Arena, int]]:
    """Return states and moves in which every pair fights, either attacking, with every weapon."""
    everyone = range(LAST + 1)
    pairs = [(light, wily, NOBODY) for light, wily in product(everyone, everyone)]
    pairs += [(LAST, wily, won) for wily, won in product(everyone, range(LAST)) if wily != won]
    found = [
        (clash(rules, rng, light, wily, seat, won, time), light if seat == LIGHT else wily)
        for (light, wily, won), seat, time in product(pairs, (LIGHT, WILY), range(TIMES))
    ]
    rng.shuffle(found)
    return found


def clash(
    rules: ArenaRules, rng: random.Random, light: int, wily: int, seat: int, weapon: int, time: int
) -> Arena:
    """Return a state in which a seat can send its robot against the other's champion.

    The first time one blow fells Light's robot, the second time Wily's.
    """
    starts = lives(initial(rules))
    sides = [[rng.choice((0, draw_life(most, rng))) for most in side] for side in starts]
    if wily == LAST:
        sides[WILY][:LAST] = [0] * LAST
    for side, robot in ((LIGHT, light), (WILY, wily)):
        most = starts[side][robot]
        sides[side][robot] = draw_life(most, rng) if time > WILY else 1 if time == side else most
    won = [] if weapon == NOBODY else [weapon]
    for robot in won:
        sides[WILY][robot] = 0
    if sides[LIGHT][LAST] and time:  # a robot that Mega Man has defeated has healed him
        sides[LIGHT][LAST] += rules.heal * len(won)
    champions = [light, wily]
    champions[seat] = NOBODY
    return state_of(sides, champions, won, seat)


def random_state(rules: ArenaRules, rng: random.Random, ended: bool = False) -> Arena:
    """Return a random state; if it has ended, one side has no survivors."""
    while True:
        sides = []
        for starts in lives(initial(rules)):
            alive = rng.sample(range(LAST + 1), rng.randint(0 if ended else 1, LAST + 1))
            sides.append(
                [draw_life(most, rng) if robot in alive else 0 for robot, most in enumerate(starts)]
            )
        if ended == (any(sides[LIGHT]) != any(sides[WILY])):
            break
    gamma_enters = sides[WILY][:LAST].count(0) >= rules.gamma_after
    standing = [
        (side, robot)
        for side in (LIGHT, WILY)
        for robot, life in enumerate(sides[side])
        if life and ((side, robot) != (WILY, LAST) or gamma_enters)
    ]
    if not standing:  # only Gamma, who cannot have entered
        return random_state(rules, rng, ended)
    champions = [NOBODY, NOBODY]
    side, robot = rng.choice(standing)
    champions[side] = robot
    gone = [robot for robot in range(LAST) if not sides[WILY][robot]]
    won = rng.sample(gone, rng.randint(0, len(gone)))
    return state_of(sides, champions, won, rng.randrange(2))


def draw_life(most: int, rng: random.Random) -> int:
    """Return random life points: all, few, or any."""
    return rng.choice((most, rng.randint(1, min(most, 4)), rng.randint(1, most)))


def state_of(sides: list[list[int]], champions: list[int], won: list[int], seat: int) -> Arena:
    """Return a state from life points, champions, weapons and seat."""
    weapons = sum(1 << robot for robot in won)
    return Arena._make([*robots.pack_sides(*sides), *champions, weapons, seat])


def case_of(
    rules: ArenaRules, state: Arena, method: str, rng: random.Random, move: int = NOBODY
) -> Case:
    """Return a case for a state; for `result` with a given or a random legal move."""
    text, action = position(rules, state), ""
    expected: Any
    if method == "actions":
        expected = sorted(FULL[state.seat][one] for one in choices(rules, state, state.seat))
    elif method == "result":
        move = rng.choice(choices(rules, state, state.seat)) if move == NOBODY else move
        action = FULL[state.seat][move]
        expected = fields(apply(rules, state, move))
    elif method == "is_terminal":
        expected = turn(rules, state) == OVER
    elif method == "utility":
        expected = "more than any loss" if returns(rules, state, LIGHT) > 0 else "less than any win"
    else:
        expected = "a number strictly between the utilities"
    request = {"method": method, "position": text, "action": action}
    return Case(method, text, action, request, expected)


def fields(state: Arena) -> dict[str, Any]:
    """Return a state by the course's fields, with rosters that exclude the champion."""
    sides = lives(state)
    champions = [
        "" if robot == NOBODY else FULL[side][robot]
        for side, robot in enumerate((state.light_champion, state.wily_champion))
    ]
    found: dict[str, Any] = {
        f"healths[{name!r}]": life
        for side in (LIGHT, WILY)
        for name, life in zip(FULL[side], sides[side], strict=True)
    }
    for side, title in ((LIGHT, "light"), (WILY, "wily")):
        living = [name for name, life in zip(FULL[side], sides[side], strict=True) if life]
        found[f"{title}_champ"] = champions[side]
        found[f"{title}_roster"] = sorted({*living} - {champions[side]})
    found["mega_weapons"] = sorted(robots.weapon_names(state.weapons))
    return found | {"maxs_turn": state.seat == LIGHT}


def normalise_fields(answer: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a file's state in the same form, whose rosters may have the champion."""
    found: dict[str, Any] = {f"healths[{name!r}]": life for name, life in answer["healths"].items()}
    for title in ("light", "wily"):
        found[f"{title}_champ"] = champion = answer[f"{title}_champ"]
        found[f"{title}_roster"] = sorted({*answer[f"{title}_roster"]} - {champion})
    weapons = {name.removesuffix(" Man").lower() for name in answer["mega_weapons"]}
    found["mega_weapons"] = sorted(weapons - {robots.WILY_NAMES[LAST], robots.LIGHT_NAMES[LAST]})
    return found | {"maxs_turn": answer["maxs_turn"]}


class Comparer:
    """Compares answers, and collects the utilities, which bound the evaluation."""

    def __init__(self) -> None:
        self.wins: list[float] = []
        self.losses: list[float] = []

    def __call__(self, case: Case, answer: dict[str, Any]) -> tuple[str, str] | None:
        """Return expected and actual answer in words if they differ, else None."""
        if answer["changed"]:
            names = shorten(", ".join(answer["changed"]))
            return "the given state as it was", f"its {names} changed"
        got = answer["returned"]
        if case.method == "result" and isinstance(got, dict):
            return differences(case.expected, normalise_fields(got))
        if case.method == "actions" and isinstance(got, list):
            got = sorted(set(got))
        if case.method in ("utility", "eval"):
            return self.number(case, got)
        return differences({"returned": case.expected}, {"returned": got})

    def number(self, case: Case, got: Any) -> tuple[str, str] | None:
        """Return expected and actual utility or evaluation in words, or None if it is right."""
        if isinstance(got, bool) or not isinstance(got, int | float):
            return f"a number, {case.expected}", value_text(got)
        if case.method == "utility":
            won = case.expected.startswith("more")
            (self.wins if won else self.losses).append(got)
            if not self.wins or not self.losses:
                return None
            if min(self.wins) > max(self.losses):
                return None
            limit = value_text(max(self.losses) if won else min(self.wins))
            bound = f"more than {limit}" if won else f"less than {limit}"
            return f"{bound}, as Dr. {'Light' if won else 'Wily'} has won", value_text(got)
        low, high = min(self.losses), max(self.wins)
        if low < got < high:
            return None
        bounds = f"more than {value_text(low)} and less than {value_text(high)}"
        return f"{bounds}, as the utilities are", value_text(got)


COMPARED = ComparedRules(("actions", "result", "is_terminal", "utility", "eval"), cases, Comparer)
