"""The value of every action while a visitor waits: exact where that is quick."""

import functools
import logging
from typing import Any

from ludex.analysis.evaluator import Opinion, Solved, looked_ahead, proven_opinion
from ludex.core.choice import CLOSE
from ludex.core.play import choosers
from ludex.core.rules import Rules, State, initial, seat_name, seats
from ludex.io.array_file import Unusable
from ludex.kernel.jit import thinking_time
from ludex.solve.exact import solution_of
from ludex.solve.proof.mtdf import provable, prove
from ludex.solve.solution import Solution, path_of

log = logging.getLogger("ludex.web")
TABLE = 64  # MiB for what a proof remembers
too_big: set[tuple[type, Rules]] = set()
"""Rules by which a game is not solved in a moment: finding that out takes nearly a second."""


class TooSlow(Exception):
    """A proof takes too long."""


def solution_at_hand(rules: Rules) -> Solution | None:
    """Return the solution of a game, if it is kept or made in a moment."""
    if seats(rules) != 2:
        return None
    key = type(rules), rules  # rules of two games may be equal as tuples
    if key in too_big and not path_of(rules, initial(rules)).exists():
        return None
    try:
        found = solution_of(rules)
    except Unusable as error:
        warn(str(error))
        return None
    if found is None:
        too_big.add(key)
    return found


@functools.cache
def warn(words: str) -> None:
    """Tell whoever runs the server, once in each process, what only they can mend."""
    log.warning("%s; until then values are estimated", words)


def opinions_on(rules: Rules, state: State, depth: int, seconds: float) -> list[Opinion]:
    """Return an opinion for each seat that is to choose; none where nobody is."""
    acting = choosers(rules, state)
    if not acting:
        return []
    solution = solution_at_hand(rules)
    if solution is not None and solution.listed(rules, state):
        judge = Solved(rules, solution)
        return [judge.opinion(state, seat) for seat in acting]
    if provable(rules):
        try:
            return [proven(rules, state, acting[0], seconds)]
        except TooSlow:  # then a search answers, and its opinion says that it is no proof
            pass
    return [looked_ahead(rules, state, seat, depth) for seat in acting]


def proven(rules: Rules, state: State, seat: int, seconds: float) -> Opinion:
    """Return what a proof says, or raise TooSlow."""
    ends = thinking_time() + seconds

    def tell(nodes: int) -> None:
        if thinking_time() > ends:
            raise TooSlow

    found = prove(rules, state, tell=tell, mebibytes=TABLE)
    return proven_opinion(seat, found.value, found.values, found.nodes)


def known_value(rules: Rules, state: State, seconds: float) -> dict[str, Any]:
    """Return in words and numbers what best play leads to, as far as that is known."""
    solution = solution_at_hand(rules)
    if solution is not None and solution.listed(rules, state):
        value, how = solution.value(rules, state), f"{solution.facts['states']:,} states solved"
    elif provable(rules) and state == initial(rules):
        try:
            (seat,) = choosers(rules, state)
            opinion = proven(rules, state, seat, seconds)
        except (TooSlow, ValueError):
            return {"words": "no proof in a moment; a search judges the moves", "value": None}
        value, how = opinion.value if seat == 0 else -opinion.value, opinion.how
    else:
        return {"words": "not solved here; a search judges the moves", "value": None}
    return {"words": f"{verdict_words(rules, value)} ({how})", "value": value}


def verdict_words(rules: Rules, value: float) -> str:
    """Return who wins with best play, from what a state is worth to seat 0."""
    winner = seat_name(rules, 0 if value > 0 else 1)
    if abs(value) < 1e-6:
        return "best play is a draw"
    if abs(value) > 1.0 - CLOSE:
        return f"{winner} wins with best play"
    return f"worth {abs(value):.3f} to {winner}"
