"""Check a game: states near the start, random lines, compiled code; report the shortest fault."""

import random
import re
from collections import deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from ludex.conformance.audit import FLOATS, INTS, answers, apply_compiled, audit, canonical_compiled
from ludex.conformance.contract import (
    Broken,
    ask_game,
    examine,
    examine_drawing,
    examine_rules,
    require,
)
from ludex.conformance.facts import examine_facts
from ludex.conformance.learning import Seen, examine_learning
from ludex.core.play import lawful, move_label, states
from ludex.core.rules import OVER, Rules, State, apply, canonical, position, turn
from ludex.core.sampling import draw_line

NEAR_STATES = 2000  # states next to the start that are all examined
SEEN = 6000  # states after which interpreted lines have shown enough
DRAW_EVERY = 20  # one in so many states is drawn, and shown to learners
SHORTENINGS = 3000  # shorter lines that are tried after a long one broke a promise

Line = tuple[int, ...]


class Findings(NamedTuple):
    """What was looked at; if a promise was broken, how, and the labels that lead there."""

    states: int
    lines: int
    unfinished: int
    fault: str = ""
    line: tuple[str, ...] = ()
    position: str = ""


class Found(Exception):
    """A line of play at whose end a promise is broken."""

    def __init__(self, line: Line, broken: Broken) -> None:
        self.line, self.broken = line, broken


def check(rules: Rules, lines: int = 5000, plies: int = 5000, seed: int = 0) -> Findings:
    """Return a report on a game, which is looked at until a promise is broken.

    Random lines are as many as asked for and stop after so many plies.
    """
    try:
        examine_facts(rules)
        first = examine_rules(rules)
    except Broken as broken:
        return Findings(0, 0, 0, str(broken))
    seen: dict[State, Line] = {}
    try:
        examine_near(rules, first, seen)
        examine_lines(rules, first, seen, plies, random.Random(seed))
        examine_sight(rules, seen)
        unfinished = examine_compiled(rules, first, seen, lines, plies, seed)
    except Found as found:
        line, fault = shorten_line(rules, first, found.line, found.broken)
        *_, last = states(rules, first, list(line))
        names = tuple(labels(rules, first, line))
        return Findings(len(seen), 0, 0, str(fault), names, text(rules, last))
    return Findings(len(seen), lines, unfinished)


def examine_near(rules: Rules, first: State, seen: dict[State, Line]) -> None:
    """Examine the states nearest to the first one, breadth first, so that a fault is shortest."""
    waiting = deque([first])
    seen[first] = ()
    while waiting:
        state = waiting.popleft()
        try_state(rules, state, seen[state], draw=len(waiting) % DRAW_EVERY == 0)
        for move in lawful(rules, state):
            after = apply(rules, state, move)
            if after not in seen and len(seen) < NEAR_STATES:
                seen[after] = (*seen[state], move)
                waiting.append(after)


def examine_lines(
    rules: Rules, first: State, seen: dict[State, Line], plies: int, luck: random.Random
) -> None:
    """Examine the states of random lines until enough have been seen, or no more come."""
    stale = 0
    while len(seen) < SEEN and stale < 100:
        stale += 1
        state = first
        line: Line = ()
        while len(line) < plies and turn(rules, state) != OVER:
            line = (*line, luck.choice(lawful(rules, state)))
            state = apply(rules, state, line[-1])
            if state not in seen:
                seen[state] = line
                stale = 0
                try_state(rules, state, line, draw=len(seen) % DRAW_EVERY == 0)


def examine_sight(rules: Rules, seen: dict[State, Line]) -> None:
    """Examine what learners see in some of the states that lines lead to."""
    keys: Seen = {}
    for number, (state, line) in enumerate(seen.items()):
        if number % DRAW_EVERY == 0:
            try:
                examine_learning(rules, state, keys)
            except Broken as broken:
                raise Found(line, broken) from broken


def try_state(rules: Rules, state: State, line: Line, draw: bool) -> None:
    """Examine a state that a line leads to, and perhaps its drawings."""
    try:
        examine(rules, state)
        if draw:
            examine_drawing(rules, state)
    except Broken as broken:
        raise Found(line, broken) from broken


def shorten_line(rules: Rules, first: State, line: Line, broken: Broken) -> tuple[Line, Broken]:
    """Return a line without what can be left out, as long as some promise stays broken."""
    fine: set[State] = set()
    tries, size = 0, len(line) // 2
    while size > 0 and tries < SHORTENINGS:
        for start in range(min(len(line) - size + 1, SHORTENINGS - tries)):
            tries += 1
            shorter = broken_line(rules, first, line[:start] + line[start + size :], fine)
            if shorter is not None:
                line, broken = shorter
                break
        else:
            size //= 2
        size = min(size, len(line))
    return line, broken


def broken_line(
    rules: Rules, first: State, line: Line, fine: set[State]
) -> tuple[Line, Broken] | None:
    """Return the part of a line up to a broken promise, or None if it is lawful and keeps all.

    States that are known to be fine are not examined again, and new ones are added to them.
    """
    state = first
    for ply, move in enumerate(line):
        if move not in lawful(rules, state):
            return None
        state = apply(rules, state, move)
        if state in fine:
            continue
        try:
            examine(rules, state)
            examine_drawing(rules, state)
            examine_learning(rules, state, {})
        except Broken as broken:
            return line[: ply + 1], broken
        fine.add(state)
    return None


def labels(rules: Rules, first: State, line: Line) -> Iterable[str]:
    """Yield the labels of a line."""
    for state, move in zip(states(rules, first, list(line)), line, strict=False):
        yield move_label(rules, state, move)


def text(rules: Rules, state: State) -> str:
    """Return the position, or the bare state where the game cannot write it."""
    try:
        return str(ask_game(position, rules, state))
    except Broken:
        return repr(state)


def examine_compiled(
    rules: Rules, first: State, seen: dict[State, Line], lines: int, plies: int, seed: int
) -> int:
    """Compare compiled with interpreted answers, play random lines, return how many had no end."""
    try:
        for state, line in seen.items():
            compare(rules, state, line)
        rng = np.random.default_rng(seed)
        played = np.zeros(plies, np.int64)
        unfinished = 0
        for _ in range(lines):
            length = draw_line(rules, first, rng, played)
            broken = audit(rules, first, played[:length])
            line = tuple(map(int, played[: length if broken < 0 else broken]))
            if broken >= 0:
                raise Found(line, broken_at(rules, first, line))
            unfinished += length == plies
    except NumbaError as error:
        raise Found((), Broken(f"it does not compile: {reason(error)}")) from error
    if unfinished == lines:
        raise Found((), Broken(f"none of {lines} random lines ended within {plies} plies"))
    return unfinished


def compare(rules: Rules, state: State, line: Line) -> None:
    """Compare compiled with interpreted answers about a state that a line leads to."""
    try:
        for name, found, wanted in differing_answers(rules, state):
            raise Broken(f"compiled, {name} is {found}, not {wanted}")
        for move in lawful(rules, state)[:8]:
            after, wanted = apply_compiled(rules, state, move), apply(rules, state, move)
            require(after == wanted, f"compiled, apply returned {after}, not {wanted}")
        after, wanted = canonical_compiled(rules, state), canonical(rules, state)
        require(after == wanted, f"compiled, canonical is {after}, not {wanted}")
    except Broken as broken:
        raise Found(line, broken) from broken


def differing_answers(rules: Rules, state: State) -> Iterator[tuple[str, float, float]]:
    """Yield the answers about a state that differ: by name, compiled and interpreted."""
    ints, floats = np.zeros((2, len(INTS)), np.int64), np.zeros((2, len(FLOATS)))
    answers(rules, state, ints[0], floats[0])
    getattr(answers, "py_func", answers)(rules, state, ints[1], floats[1])
    for names, (found, wanted) in ((INTS, ints), (FLOATS, floats)):
        for place in np.flatnonzero(found != wanted):
            yield names[place], found[place].item(), wanted[place].item()


def broken_at(rules: Rules, first: State, line: Line) -> Broken:
    """Return which promise is broken at the end of a line."""
    *_, state = states(rules, first, list(line))
    try:
        examine(rules, state)
    except Broken as broken:
        return broken
    return Broken("compiled code breaks a promise that interpreted code keeps")


def reason(error: NumbaError) -> str:
    """Return the telling lines of what Numba says, as one."""
    plain = re.search(r"Untyped global name '(\w+)'.*<class 'function'>", str(error))
    if plain:
        return f"{plain[1]} is called by a compiled function, so it needs @shared above it"
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " / ".join(said[:6])
