"""Known solutions: in memory, on disk, or solved at once because the game is small."""

from collections.abc import Callable

from ludex.core.rules import Rules, State, initial, interpreted
from ludex.io.array_file import Unusable
from ludex.solve.solution import Solution, load, path_of
from ludex.solve.solving import load_or_solve
from ludex.solve.states.size import estimated_states
from ludex.solve.states.state_space import TooBig

RECENT = 3  # solutions that stay in memory; some are large

Warn = Callable[[str], None]
"""Called with a warning for the user."""

recent: list[tuple[Rules, State, Solution]] = []
"""The last solutions, with their first states."""
too_big: set[tuple[type, Rules, State]] = set()
"""Games that are not solved in a moment: finding that out takes nearly a second."""


def known_solution(
    rules: Rules, state: State, anywhere: bool = False, warn: Warn | None = None
) -> Solution | None:
    """Return a known solution that has a state, or None.

    It starts at the initial state or, with `anywhere`, at the state itself or before it. Call
    `warn` if a file is unusable; without `warn` raise Unusable.
    """
    first = state if anywhere else initial(rules)
    key = type(rules), rules, first  # rules of two games may be equal as tuples
    ours = [one for one in recent if type(one[0]) is type(rules) and one[0] == rules]
    for _, start, found in ours:
        if (anywhere or start == first) and found.listed(rules, state):
            return found
    if any(start == first for _, start, _ in ours):
        return None
    if key in too_big and not path_of(rules, first).exists():
        return None
    made, trouble = None, ""
    try:
        made = load(rules, first)
    except Unusable as error:
        trouble = f"{error}; run ludex solve to make it again"
    if made is None and is_small(rules, first):
        made = load_or_solve(rules, first)
    if made is not None:
        recent[:] = [*recent[1 - RECENT :], (rules, first, made)]
        return made if made.listed(rules, state) else None
    if trouble and warn is None:
        raise Unusable(trouble)
    if trouble and warn:
        warn(trouble)
    too_big.add(key)
    return None


def is_small(rules: Rules, first: State) -> bool:
    """Return whether a game from a state on can be solved in a moment."""
    try:
        return not interpreted(rules) and estimated_states(rules, first)[1]
    except TooBig:
        return False
