"""Verify a kept solution: every equation between its values, by the rules of the game.

It trusts the rules, including what they call the same under symmetry, and the sums of
`kernel.matrix_game.guarantees`; it shares no code with what enumerates and solves.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.play import legal_moves, move_label
from ludex.core.rules import Rules, State
from ludex.io.array_file import Unusable
from ludex.io.table import Table, with_headline
from ludex.kernel.jit import thinking_time
from ludex.kernel.threads import run_interruptibly
from ludex.solve.verification.equations import (
    BY_PROGRESS,
    UNPROVEN,
    Scratch,
    Steps,
    check_states,
    is_folded,
    make_scratch,
)
from ludex.solve.verification.listed_states import ListedStates, find, key_of, read_states, state_of

RESIDUAL = 1e-12  # how far a value may be from what the rules say
GAP = (
    2e-9  # and the two bounds of a matrix game from each other: a billionth of the range of values
)
BLOCK = 1 << 15  # states that are checked at a time
SAMPLED = 5000  # states from which it is guessed how fields change

Tell = Callable[[str, int, int], None]
"""Called with the name of the work, the amount done, and the total."""


class Verification(NamedTuple):
    """What was verified in the file of a solution, and what is wrong with it, if anything."""

    file: str
    game: str
    position: str
    """Where the solution starts."""
    states: int = 0
    residual: float = 0.0
    """The largest difference between a value and what the rules say, by its successors."""
    gap: float = 0.0
    """The largest difference between the bounds of a value at simultaneous moves."""
    cyclic: int = 0
    """The number of states whose values are unique only by the progress in the file."""
    seconds: float = 0.0
    fault: str = ""
    """What is wrong; empty if nothing is."""

    @property
    def text(self) -> str:
        """The result in one line."""
        if self.fault:
            return self.fault
        cycles = f", {self.cyclic:,} of them by progress on cycles" if self.cyclic else ""
        return (
            f"{self.states:,} states verified{cycles}; residual {self.residual:.1e},"
            f" gap {self.gap:.1e}; {self.seconds:.1f} s"
        )

    def __repr__(self) -> str:
        return f"<Verification: {self.text}>"

    def _repr_html_(self) -> str:
        return with_headline(self.text, Table([self._asdict()]))


def verify_file(path: Path, rules: Rules, first: State, tell: Tell) -> Verification:
    """Verify that a file is the solution of a game from a first state on."""
    began = thinking_time()
    known = Verification(str(path), ask.name_of(rules), ask.position(rules, first))
    try:
        listed = read_states(path, rules, first)
    except Unusable as error:
        return known._replace(fault=str(error))
    found = check_all(rules, listed, tell)
    fault = fault_text(rules, first, listed, found)
    return known._replace(
        states=len(listed.keys),
        residual=max(one.error for one in found),
        gap=max(one.gap for one in found),
        cyclic=sum(one.cyclic for one in found),
        seconds=thinking_time() - began,
        fault=f"{path} is wrong: {fault}" if fault else "",
    )


# All equations. -----------------------------------------------------------------------------------


class Checked(NamedTuple):
    """What was found in a block of states; places are -1 if there is none."""

    error: float
    worst: int
    """The place of the largest error."""
    missing: int
    """The place of the first state with a successor that is not listed, or that is no state."""
    gap: float
    cyclic: int
    unproven: int
    """The place of the first value that is not proven."""


def check_all(rules: Rules, listed: ListedStates, tell: Tell) -> list[Checked]:
    """Check the equations of all states.

    Play only goes forward in fields that never increase or never decrease. These are guessed from
    a sample first, and then seen in the states themselves: if the guess was wrong, once more.
    """
    count, fields = len(listed.keys), len(listed.fields)
    steps = Steps(*(np.zeros(fields, np.int64) for _ in Steps._fields))
    scratch = make_scratch(rules)
    check_block(rules, listed, np.arange(0, count, 1 + count // SAMPLED), scratch, steps)
    while True:
        steps.directions[:] = steps.rises - steps.falls
        found = []
        for begin in range(0, count, BLOCK):
            indices = np.arange(begin, min(begin + BLOCK, count))
            found.append(check_block(rules, listed, indices, scratch, steps))
            tell("verifying", int(indices[-1]) + 1, count)
        if (steps.directions == steps.rises - steps.falls).all():
            return found


def check_block(
    rules: Rules, listed: ListedStates, indices: np.ndarray, scratch: Scratch, steps: Steps
) -> Checked:
    """Check the equations of some states; Ctrl-C does not wait for compiled code."""
    errors, gaps = np.zeros((2, len(indices)))
    proofs = np.zeros(len(indices), np.int64)
    run_interruptibly(check_states, rules, listed, indices, scratch, steps, errors, gaps, proofs)
    listed_all = np.isfinite(errors)
    errors[~listed_all] = 0.0
    worst = int(errors.argmax())
    return Checked(
        error=float(errors[worst]),
        worst=int(indices[worst]),
        missing=first_place(indices, ~listed_all),
        gap=float(gaps.max()),
        cyclic=int((proofs == BY_PROGRESS).sum()),
        unproven=first_place(indices, proofs == UNPROVEN),
    )


def first_place(indices: np.ndarray, marked: np.ndarray) -> int:
    """Return the first of the marked indices, or -1."""
    return int(indices[marked.argmax()]) if marked.any() else -1


# What is wrong, in words. -------------------------------------------------------------------------


def fault_text(rules: Rules, first: State, listed: ListedStates, found: list[Checked]) -> str:
    """Return what is wrong with a solution, or an empty text."""
    if find(rules, first, listed) < 0:
        return f"the first position {ask.position(rules, first)} is not listed"
    for missing in (one.missing for one in found if one.missing >= 0):
        return missing_text(rules, listed, missing)
    worst = max(found, key=lambda block: block.error)
    if worst.error > RESIDUAL:
        place = position_at(rules, listed, worst.worst)
        return f"the value of {place} differs by {worst.error:.1e} from what the rules say"
    gap = max(one.gap for one in found)
    if gap > GAP:
        return f"the bounds of the value of a matrix game differ by {gap:.1e}"
    for unproven in (one.unproven for one in found if one.unproven >= 0):
        place = position_at(rules, listed, unproven)
        return f"the value of {place}, where play can go in circles, is not proven by progress"
    return ""


def missing_text(rules: Rules, listed: ListedStates, index: int) -> str:
    """Return which successor of a state is not listed."""
    key = int(listed.keys[index])
    state = state_of(key, listed)
    if key_of(state, listed.fields) != key:
        return f"the key {key} is that of no state"
    label, after = next(missing_states(rules, listed, state))
    place = ask.position(rules, state)
    return f"the position {after}, which {label} leads to in {place}, is not listed"


def missing_states(rules: Rules, listed: ListedStates, state: State) -> Iterator[tuple[str, str]]:
    """Yield the moves after which something is not listed, and the positions that are missing."""
    for move in legal_moves(rules, state):
        after = [ask.apply(rules, state, move)]
        if is_folded(listed.folded, ask.turn(rules, state), ask.turn(rules, after[0])):
            outer = after[0]
            after = [ask.apply(rules, outer, one) for one in legal_moves(rules, outer)]
        for one in after:
            if find(rules, one, listed) < 0:
                yield move_label(rules, state, move), ask.position(rules, one)


def position_at(rules: Rules, listed: ListedStates, index: int) -> str:
    """Return the position of a state as text."""
    return str(ask.position(rules, state_of(int(listed.keys[index]), listed)))
