"""A plan: what is to be played, and the pairings that follow from it and earlier results."""

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ludex.agents.registry import make_agent
from ludex.core.options import read_options
from ludex.core.rules import Rules, seats
from ludex.core.time_control import NONE, Clocks
from ludex.core.variants import changed
from ludex.external import names_file, packages
from ludex.external.interface import path_and_word, whole_submission
from ludex.games import find
from ludex.stats.pairs import half_points

SERIES, ROUND_ROBIN, GAUNTLET, SWISS = "series", "round-robin", "gauntlet", "swiss"
SIDES = "sides"  # everyone from the first seat against everyone, itself too, from the second
FORMATS = (ROUND_ROBIN, GAUNTLET, SWISS, SIDES)
Results = Mapping[int, tuple[float, ...]]
"""What each match that was played, by its number, is worth to its seats."""
MOST = 1_000_000  # matches of a plan, all of which are in memory


class Plan(NamedTuple):
    """An order to play, from which every match follows."""

    game: str
    rules: tuple[tuple[str, str], ...]
    agents: tuple[str, ...]
    seats: int
    format: str
    matches: int
    """Of each group of agents that meet; in the Swiss system, in each of their rounds."""
    rounds: int
    """Of the Swiss system."""
    seed: int
    clocks: Clocks = Clocks()


def make_plan(
    game: str,
    rules: Rules,
    agents: tuple[str, ...],
    format: str,
    matches: int,
    rounds: int,
    seed: int,
    clocks: Clocks,
) -> Plan:
    """Return a plan; a ValueError says that it is too long, or that an agent cannot play."""
    pairs = tuple(changed(type(rules)(), rules).items())
    plan = Plan(game, pairs, agents, seats(rules), format, matches, rounds, seed, clocks)
    check_size(plan)
    for text in dict.fromkeys(agents):
        make_agent(text, rules)
    return plan


class Pairing(NamedTuple):
    """One match to be played: which agent sits at each seat, and which luck they share."""

    number: int
    agents: tuple[int, ...]
    table: int


def key(plan: Plan) -> str:
    """Return a hash of all that the results of a plan depend on, files of agents too."""
    files = [fingerprint(text) for text in plan.agents]
    game = find(plan.game)
    facts = [game.__name__, *plan._replace(clocks=plan.clocks[:4]), files]  # type: ignore[arg-type]
    # Programs alone are held to the clock of the game. What does not depend on it has the key that
    # it had in stores from before games had clocks.
    if any(map(names_file, plan.agents)) and not plan.clocks.limited:
        own = [game.CLOCK] if hasattr(game, "CLOCK") else []
        facts += [NONE] if plan.clocks.off else own
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def fingerprint(text: str) -> str:
    """Return a hash of the files that the text of an agent names, or nothing."""
    named = [text, path_and_word(text)[0]]
    with suppress(ValueError):  # what stands behind the colon may be no options
        named += read_options(text.partition(":")[2]).values()
    digest = hashlib.sha256()
    paths = [Path(name).expanduser() for name in dict.fromkeys(named)]
    found = [whole_submission(path.absolute()) for path in paths if path.exists()]
    for path in found:
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    digest.update(" ".join(packages.wanted()).encode())  # without them it may fail
    return digest.hexdigest() if found else ""


def pairings(plan: Plan, results: Results) -> list[Pairing]:
    """Return all matches that are known to be in the plan, given those that were played.

    When all of them are played and no more become known, the plan is done.
    """
    return list(swiss(plan, results) if plan.format == SWISS else everyone(plan))


def total(plan: Plan) -> int:
    """Return how many matches a plan has in the end."""
    if plan.format == SWISS:
        return plan.rounds * (len(plan.agents) // plan.seats) * plan.matches
    entries = len(plan.agents)
    if plan.format == SIDES:
        return math.prod([entries] * plan.seats) * plan.matches
    if plan.format == GAUNTLET:
        return math.comb(entries - 1, plan.seats - 1) * plan.matches
    return math.comb(entries, plan.seats) * plan.matches


def check_size(plan: Plan) -> None:
    """Raise a ValueError if a plan has more matches than can be played."""
    if total(plan) > MOST:
        raise ValueError(f"{total(plan):,} matches in all: expected at most {MOST:,}")


def groups(plan: Plan) -> list[tuple[int, ...]]:
    """Return which agents meet where everyone meets everyone, or the first everyone."""
    if plan.format == SIDES:
        return list(itertools.product(range(len(plan.agents)), repeat=plan.seats))
    all_groups = itertools.combinations(range(len(plan.agents)), plan.seats)
    return [group for group in all_groups if plan.format != GAUNTLET or 0 in group]


def everyone(plan: Plan) -> Iterator[Pairing]:
    """Yield the matches of all groups in turns, so that all are equally far at any time."""
    number = itertools.count()
    ways = 1 if plan.format == SIDES else plan.seats  # around the table
    for table in range(-(-plan.matches // ways)):
        for group in groups(plan):
            for turned in range(min(ways, plan.matches - table * ways)):
                yield Pairing(next(number), around(group, turned), table)


def around(group: tuple[int, ...], turned: int) -> tuple[int, ...]:
    """Return a group that has moved on by some seats."""
    return tuple(group[(seat - turned) % len(group)] for seat in range(len(group)))


def swiss(plan: Plan, results: Results) -> Iterator[Pairing]:
    """Yield the rounds whose predecessors are all played: equals meet, if possible for once."""
    points = [0.0] * len(plan.agents)
    byes = [0] * len(plan.agents)
    met: set[tuple[int, ...]] = set()
    number, tables = 0, -(-plan.matches // plan.seats)
    for turn in range(plan.rounds):
        order = sorted(range(len(plan.agents)), key=lambda one: (-points[one], one))
        for _ in range(len(order) % plan.seats):
            resting = min(reversed(order), key=lambda one: byes[one])
            order.remove(resting)
            byes[resting] += 1
            points[resting] += plan.matches  # as if it had won
        whole = True
        for group in matched(order, plan.seats, met):
            met.add(tuple(sorted(group)))
            for one in range(plan.matches):
                table, turned = divmod(one, plan.seats)
                pairing = Pairing(number, around(group, turned), turn * tables + table)
                yield pairing
                worth = results.get(number)
                whole &= worth is not None
                for agent, value in zip(pairing.agents, worth or (), strict=False):
                    points[agent] += half_points(value) / 2
                number += 1
        if not whole:
            return


def matched(order: list[int], size: int, met: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return groups of neighbours in an order that have not met, or that have if it must be."""
    return fresh(order, size, met) or [
        tuple(order[start : start + size]) for start in range(0, len(order), size)
    ]


def fresh(order: list[int], size: int, met: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return groups that have not met, the nearest first, or none where that cannot be."""
    if not order:
        return []
    first, *others = order
    for rest in itertools.combinations(others, size - 1):
        group = (first, *rest)
        if tuple(sorted(group)) in met:
            continue
        left = [one for one in others if one not in rest]
        found = fresh(left, size, met)
        if found or not left:
            return [group, *found]
    return []
