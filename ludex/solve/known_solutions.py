"""Known solutions and equilibria: in memory, on disk, or found at once in a small game."""

from collections.abc import Callable

from ludex.core.rules import Rules, State, imperfect_information, initial, interpreted
from ludex.io.array_file import Unusable
from ludex.solve.equilibrium import equilibrium as equilibria
from ludex.solve.equilibrium import solving as equilibrium_solving
from ludex.solve.equilibrium.equilibrium import Equilibrium
from ludex.solve.solution import Solution, load
from ludex.solve.solution_file import path_of
from ludex.solve.solving import load_or_solve
from ludex.solve.states.listing import TooBig
from ludex.solve.states.size import estimated_states
from ludex.solve.states.state_space import explore_states
from ludex.solve.states.successors import NO_FOLDING

RECENT = 3  # solutions that stay in memory; some are large
SMALL_TREE = 30_000  # states of a game whose equilibrium is found in a moment

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
    if imperfect_information(rules):
        return None
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


recent_equilibria: list[tuple[Rules, Equilibrium]] = []
"""The last equilibria, all from initial states."""


def known_equilibrium(rules: Rules) -> Equilibrium | None:
    """Return the known equilibrium of a game that hides something, or None.

    Raise Unusable if its file is damaged.
    """
    for known, found in recent_equilibria:
        if type(known) is type(rules) and known == rules:
            return found
    first = initial(rules)
    key = type(rules), rules, first
    if key in too_big and not equilibria.path_of(rules, first).exists():
        return None
    try:
        made = equilibria.load(rules, first)
    except Unusable as error:
        raise Unusable(f"{error}; run ludex solve to make it again") from None
    if made is None and is_small_tree(rules, first):
        made = equilibrium_solving.load_or_solve(rules, first)
    if made is None:
        too_big.add(key)
    else:
        keep_equilibrium(rules, made)
    return made


def keep_equilibrium(rules: Rules, found: Equilibrium) -> None:
    """Keep an equilibrium in memory, in place of any other by the same rules."""
    others = [one for one in recent_equilibria if (type(one[0]), one[0]) != (type(rules), rules)]
    recent_equilibria[:] = [*others[1 - RECENT :], (rules, found)]


def is_small_tree(rules: Rules, first: State) -> bool:
    """Return whether the equilibrium of a game from a state on can be found in a moment."""
    if interpreted(rules):
        return False
    try:
        exploration = explore_states(rules, first, NO_FOLDING, SMALL_TREE)
    except TooBig:
        return False
    return bool(exploration.done == exploration.count)


def is_small(rules: Rules, first: State) -> bool:
    """Return whether a game from a state on can be solved in a moment."""
    try:
        return not interpreted(rules) and estimated_states(rules, first)[1]
    except TooBig:
        return False
