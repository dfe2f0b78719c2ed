"""Check a game near its start, on random lines and compiled; report a short line to a violation."""

import random
import re
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numba.core.errors import NumbaError

from ludex.conformance import audit, contract
from ludex.conformance.audit import FLOATS, INTS, SETS
from ludex.conformance.contract import Line, Violation, ViolationAt
from ludex.conformance.hidden import examine_observers, examine_recall, examine_views
from ludex.conformance.learning import SeenKeys, examine_learning
from ludex.core.play import legal_moves, move_label, states
from ludex.core.rules import (
    MOST_SEATS,
    OVER,
    Rules,
    State,
    apply,
    canonical,
    imperfect_information,
    information_state,
    no_moves,
    outcomes,
    position,
    seats,
    turn,
)
from ludex.core.sampling import draw_moves
from ludex.io.table import Table, with_headline
from ludex.kernel.bits import words_of

NEAR_STATES = 2000  # states nearest to the start, all of which are examined
ENOUGH_STATES = 6000  # interpreted states, after which no more random lines are played
DRAW_EVERY = 20  # states per state that is drawn and passed to the learners' questions
MOST_SHORTENINGS = 3000  # attempts to shorten a line that ends in a violation


class CheckReport(NamedTuple):
    """What was examined and, after a violation, its message and the labels that lead to it."""

    states: int
    lines: int
    unfinished: int
    fault: str = ""
    line: tuple[str, ...] = ()
    position: str = ""

    @property
    def text(self) -> str:
        """The report in one line."""
        if self.fault:
            return f"breaks the contract: {self.fault}"
        return (
            f"keeps the contract: {self.states:,} states examined,"
            f" {self.lines:,} random lines played ({self.unfinished:,} without an end)"
        )

    def __repr__(self) -> str:
        return f"<CheckReport: {self.text}{f' at {self.position!r}' if self.position else ''}>"

    def _repr_html_(self) -> str:
        return with_headline(self.text, Table([self._asdict()] if self.fault else []))


def check_game(rules: Rules, lines: int = 5000, plies: int = 5000, seed: int = 0) -> CheckReport:
    """Examine a game up to its first violation.

    `lines` is the number of compiled random lines, each cut off after `plies`.
    """
    try:
        contract.examine_facts(rules)
        first = contract.examine_rules(rules)
    except Violation as violation:
        return CheckReport(0, 0, 0, str(violation))
    seen: dict[State, Line] = {}
    try:
        examine_nearby(rules, first, seen)
        examine_lines(rules, first, seen, plies, random.Random(seed))
        examine_recall(rules, first, plies, random.Random(seed))
        examine_observations(rules, seen)
        unfinished = examine_compiled(rules, first, seen, lines, plies, seed)
    except ViolationAt as found:
        line, fault = shorten_line(rules, first, found.line, found.violation)
        *before, last = states(rules, first, list(line))
        played = zip(before, line, strict=True)
        names = tuple(move_label(rules, state, move) for state, move in played)
        return CheckReport(len(seen), 0, 0, str(fault), names, position_text(rules, last))
    return CheckReport(len(seen), lines, unfinished)


def examine_nearby(rules: Rules, first: State, seen: dict[State, Line]) -> None:
    """Examine the states nearest to the first one, breadth first, so that a line found is short."""
    waiting = deque([first])
    seen[first] = ()
    while waiting:
        state = waiting.popleft()
        examine_state(rules, state, seen[state], draw=len(waiting) % DRAW_EVERY == 0)
        for move in legal_moves(rules, state):
            after = apply(rules, state, move)
            if after not in seen and len(seen) < NEAR_STATES:
                seen[after] = (*seen[state], move)
                waiting.append(after)


def examine_lines(
    rules: Rules, first: State, seen: dict[State, Line], plies: int, luck: random.Random
) -> None:
    """Examine the states of random lines until enough are seen, or 100 lines in a row add none."""
    stale = 0
    while len(seen) < ENOUGH_STATES and stale < 100:
        stale += 1
        state = first
        line: Line = ()
        while len(line) < plies and turn(rules, state) != OVER:
            line = (*line, luck.choice(legal_moves(rules, state)))
            state = apply(rules, state, line[-1])
            if state not in seen:
                seen[state] = line
                stale = 0
                examine_state(rules, state, line, draw=len(seen) % DRAW_EVERY == 0)


def examine_observations(rules: Rules, seen: dict[State, Line]) -> None:
    """Examine what learners observe: in all states what they must not, in a sample the rest."""
    keys: SeenKeys = {}
    for number, (state, line) in enumerate(seen.items()):
        try:
            examine_observers(rules, state)
            if number % DRAW_EVERY == 0:
                examine_learning(rules, state, keys)
        except Violation as violation:
            raise ViolationAt(line, violation) from violation


def examine_state(rules: Rules, state: State, line: Line, draw: bool) -> None:
    """Examine the state at the end of a line, and its drawings if asked to."""
    try:
        contract.examine(rules, state)
        examine_views(rules, state, draw)
        if draw:
            contract.examine_drawing(rules, state)
    except Violation as violation:
        raise ViolationAt(line, violation) from violation


def shorten_line(
    rules: Rules, first: State, line: Line, violation: Violation
) -> tuple[Line, Violation]:
    """Return a line from which moves were removed as long as it still ends in some violation."""
    fine: set[State] = set()
    tries, size = 0, len(line) // 2
    while size > 0 and tries < MOST_SHORTENINGS:
        for start in range(min(len(line) - size + 1, MOST_SHORTENINGS - tries)):
            tries += 1
            shorter = first_violation(rules, first, line[:start] + line[start + size :], fine)
            if shorter is not None:
                line, violation = shorter
                break
        else:
            size //= 2
        size = min(size, len(line))
    return line, violation


def first_violation(
    rules: Rules, first: State, line: Line, fine: set[State]
) -> tuple[Line, Violation] | None:
    """Return the line up to its first violation; None if there is none, or a move is illegal.

    States in `fine` are not examined again; those that pass are added to it.
    """
    state = first
    for ply, move in enumerate(line):
        if move not in legal_moves(rules, state):
            return None
        state = apply(rules, state, move)
        if state in fine:
            continue
        try:
            contract.examine(rules, state)
            examine_views(rules, state, draw=True)
            contract.examine_drawing(rules, state)
            examine_learning(rules, state, {})
            examine_observers(rules, state)
        except Violation as violation:
            return line[: ply + 1], violation
        fine.add(state)
    return None


def position_text(rules: Rules, state: State) -> str:
    """Return the position, or the state's repr if the game cannot write it."""
    try:
        return str(contract.ask_game(position, rules, state))
    except Violation:
        return repr(state)


def examine_compiled(
    rules: Rules, first: State, seen: dict[State, Line], lines: int, plies: int, seed: int
) -> int:
    """Compare compiled with interpreted answers, play random lines, and count the unfinished."""
    try:
        for state, line in seen.items():
            compare(rules, state, line)
        rng = np.random.default_rng(seed)
        played = np.zeros(plies, np.int64)
        unfinished = 0
        for _ in range(lines):
            length = draw_moves(rules, first, rng, played)
            faulty = audit.first_faulty_ply(rules, first, played[:length])
            if faulty < 0 and imperfect_information(rules):
                faulty = audit.first_faulty_view(rules, first, played[:length])
            line = tuple(map(int, played[: length if faulty < 0 else faulty]))
            if faulty >= 0:
                raise ViolationAt(line, violation_at(rules, first, line))
            unfinished += length == plies
    except NumbaError as error:
        raise ViolationAt((), Violation(f"it does not compile: {numba_message(error)}")) from error
    if unfinished == lines:
        raise ViolationAt((), Violation(f"none of {lines} random lines ended within {plies} plies"))
    return unfinished


def compare(rules: Rules, state: State, line: Line) -> None:
    """Compare compiled with interpreted answers about the state at the end of a line."""
    try:
        for name, found, wanted in differing_answers(rules, state):
            raise Violation(f"compiled, {name} is {found}, not {wanted}")
        for move in legal_moves(rules, state)[:8]:
            after, wanted = audit.apply_compiled(rules, state, move), apply(rules, state, move)
            contract.require(after == wanted, f"compiled, apply returned {after}, not {wanted}")
        after, wanted = audit.canonical_compiled(rules, state), canonical(rules, state)
        contract.require(after == wanted, f"compiled, canonical is {after}, not {wanted}")
        compare_views(rules, state)
    except Violation as violation:
        raise ViolationAt(line, violation) from violation


def compare_views(rules: Rules, state: State) -> None:
    """Compare compiled with interpreted views of a state, where something is hidden."""
    if imperfect_information(rules) and turn(rules, state) != OVER:
        for seat in range(seats(rules)):
            seen, wanted = (
                see(rules, state, seat) for see in (audit.seen_compiled, information_state)
            )
            contract.require(seen == wanted, f"compiled, seat {seat} sees {seen}, not {wanted}")


def differing_answers(rules: Rules, state: State) -> Iterator[tuple[str, Any, Any]]:
    """Yield name, compiled and interpreted answer where the two differ."""
    ints = np.zeros((2, len(INTS)), np.int64)
    floats = np.zeros((2, 2 * MOST_SEATS + outcomes(rules)))
    sets = np.zeros((2, len(SETS), len(words_of(no_moves(rules)))), np.int64)
    interpreted = getattr(audit.fill_answers, "py_func", audit.fill_answers)
    audit.fill_answers(rules, state, ints[0], sets[0], floats[0])
    interpreted(rules, state, ints[1], sets[1], floats[1])
    for names, (found, wanted) in ((INTS, ints), (SETS, sets), (FLOATS, floats)):
        for place in dict.fromkeys(np.nonzero(found != wanted)[0]):  # once for all words of a set
            yield names[place], as_answer(found[place]), as_answer(wanted[place])


def as_answer(found: np.ndarray) -> Any:
    """Return a number, or a set of one word, as a number; a wider set as its words."""
    return found.item() if found.size == 1 else tuple(found.tolist())


def violation_at(rules: Rules, first: State, line: Line) -> Violation:
    """Return the violation at the end of a line."""
    *_, state = states(rules, first, list(line))
    try:
        contract.examine(rules, state)
        examine_views(rules, state)
    except Violation as violation:
        return violation
    return Violation("compiled code breaks a promise that interpreted code keeps")


def numba_message(error: NumbaError) -> str:
    """Return Numba's message, cut to its first lines, as one line."""
    plain = re.search(r"Untyped global name '(\w+)'.*<class 'function'>", str(error))
    if plain:
        return f"{plain[1]} is called by a compiled function, so it needs @shared above it"
    said = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " / ".join(said[:6])
