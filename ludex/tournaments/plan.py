"""A plan: what is to be played, and the pairings that follow from it and earlier results."""

import hashlib
import itertools
import json
import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ludex.core.options import read_options
from ludex.core.time_control import NO_CLOCK, Clocks
from ludex.external import packages
from ludex.external.agent import names_file
from ludex.external.interface import path_and_word, submission_root
from ludex.games import find
from ludex.io.text import first_duplicate, many
from ludex.stats.pairs import half_points

SERIES, ROUND_ROBIN, GAUNTLET, SWISS = "series", "round-robin", "gauntlet", "swiss"
SIDES = "sides"  # each agent at the first seat against each, itself too, at the second
FORMATS = (ROUND_ROBIN, GAUNTLET, SWISS, SIDES)
Results = Mapping[int, tuple[float, ...]]
"""The returns of the matches played, by number."""
MATCHES_MAX = 1_000_000  # of a plan, all of which are in memory


class Plan(NamedTuple):
    """A series or tournament, which determines every match."""

    game: str
    rules: tuple[tuple[str, str], ...]
    agents: tuple[str, ...]
    seats: int
    format: str
    matches: int
    """Of each group of agents that meet; in the Swiss system, per round."""
    rounds: int
    """Of the Swiss system."""
    seed: int
    clocks: Clocks = Clocks()


class Pairing(NamedTuple):
    """One match: the agent at each seat, and the number that selects its random numbers."""

    number: int
    agents: tuple[int, ...]
    table: int


def plan_key(plan: Plan) -> str:
    """Return a hash of all that the results of a plan depend on, including agents' files."""
    files = [fingerprint(text) for text in plan.agents]
    game = find(plan.game)
    facts = [game.__name__, *plan._replace(clocks=plan.clocks[:4]), files]  # type: ignore[arg-type]
    # Only programs are held to the clock of the game. Other plans keep the keys they had in stores
    # from before games had clocks.
    if any(map(names_file, plan.agents)) and not plan.clocks.limited:
        own = [game.CLOCK] if hasattr(game, "CLOCK") else []
        facts += [NO_CLOCK] if plan.clocks.off else own
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def fingerprint(text: str) -> str:
    """Return a hash of the files that an agent's text names, or "" if there are none."""
    named = [text, path_and_word(text)[0]]
    with suppress(ValueError):  # the text after the colon may not be options
        named += read_options(text.partition(":")[2]).values()
    digest = hashlib.sha256()
    paths = [Path(name).expanduser() for name in dict.fromkeys(named)]
    found = [submission_root(path.absolute()) for path in paths if path.exists()]
    for path in found:
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.read_bytes())
    digest.update(" ".join(packages.required_packages()).encode())  # it may fail without them
    return digest.hexdigest() if found else ""


def pairings(plan: Plan, results: Results) -> list[Pairing]:
    """Return all matches that follow from a plan and the results so far.

    The plan is done when all of them are played and no more follow.
    """
    return list(swiss_pairings(plan, results) if plan.format == SWISS else all_pairings(plan))


def match_count(plan: Plan) -> int:
    """Return the total number of matches of a plan."""
    if plan.format == SWISS:
        return plan.rounds * (len(plan.agents) // plan.seats) * plan.matches
    entries = len(plan.agents)
    if plan.format == SIDES:
        return math.prod([entries] * plan.seats) * plan.matches
    if plan.format == GAUNTLET:
        return math.comb(entries - 1, plan.seats - 1) * plan.matches
    return math.comb(entries, plan.seats) * plan.matches


def check_plan(plan: Plan) -> None:
    """Raise a ValueError for too few agents, too many matches, or duplicates in a tournament."""
    named = len(plan.agents)
    if plan.format != SERIES and named < 2:
        raise ValueError(f"a tournament needs two agents at least, not {named}")
    if named < plan.seats:
        raise ValueError(f"{many(named, 'agent')} for {plan.seats} seats: name more")
    if match_count(plan) > MATCHES_MAX:
        raise ValueError(f"{match_count(plan):,} matches in all: expected at most {MATCHES_MAX:,}")
    if plan.format != SERIES and (twice := first_duplicate(plan.agents)) is not None:
        raise ValueError(f"the agent {twice!r} is named twice")


def groups(plan: Plan) -> list[tuple[int, ...]]:
    """Return the groups of agents that meet, in all formats but the Swiss system."""
    if plan.format == SIDES:
        return list(itertools.product(range(len(plan.agents)), repeat=plan.seats))
    all_groups = itertools.combinations(range(len(plan.agents)), plan.seats)
    return [group for group in all_groups if plan.format != GAUNTLET or 0 in group]


def all_pairings(plan: Plan) -> Iterator[Pairing]:
    """Yield the matches of all groups in turn, so that all progress equally."""
    number = itertools.count()
    ways = 1 if plan.format == SIDES else plan.seats  # rotations of the seats
    for table in range(-(-plan.matches // ways)):
        for group in groups(plan):
            for turned in range(min(ways, plan.matches - table * ways)):
                yield Pairing(next(number), rotate_seats(group, turned), table)


def rotate_seats(group: tuple[int, ...], turned: int) -> tuple[int, ...]:
    """Return a group rotated by some seats."""
    return tuple(group[(seat - turned) % len(group)] for seat in range(len(group)))


def swiss_pairings(plan: Plan, results: Results) -> Iterator[Pairing]:
    """Yield the Swiss rounds whose predecessors are complete, without rematches if possible."""
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
        size = plan.seats
        neighbours = [tuple(order[at : at + size]) for at in range(0, len(order), size)]
        for group in unmet_groups(order, size, met) or neighbours:
            met.add(tuple(sorted(group)))
            for one in range(plan.matches):
                table, turned = divmod(one, plan.seats)
                pairing = Pairing(number, rotate_seats(group, turned), turn * tables + table)
                yield pairing
                worth = results.get(number)
                whole &= worth is not None
                for agent, value in zip(pairing.agents, worth or (), strict=False):
                    points[agent] += half_points(value) / 2
                number += 1
        if not whole:
            return


def unmet_groups(order: list[int], size: int, met: set[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return groups that have not met, of the nearest ranks first, or none if impossible."""
    if not order:
        return []
    first, *others = order
    for rest in itertools.combinations(others, size - 1):
        group = (first, *rest)
        if tuple(sorted(group)) in met:
            continue
        left = [one for one in others if one not in rest]
        found = unmet_groups(left, size, met)
        if found or not left:
            return [group, *found]
    return []
