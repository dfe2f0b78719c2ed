"""The best line from a position: perfect play where it is known, else what a search expects."""

from ludex.core.choice import Choice
from ludex.core.rules import Rules, State, at_once
from ludex.search.minimax import Minimax, extend_line
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import GameLength, MoveCount
from ludex.solve.known_solutions import Warn, known_solution


def best_line(
    rules: Rules,
    state: State,
    evaluation: Evaluation,
    length: GameLength,
    most: int,
    depth: int,
    seconds: float,
    warn: Warn | None = None,
) -> tuple[int, ...]:
    """Return best actions of all seats from an evaluated state on, at most `most` of them.

    The first is the one that `length` prefers. The line ends before chance and simultaneous moves;
    a search expects `depth` decisions. Moves are counted for at most these seconds.
    """
    if at_once(rules):
        return ()
    first = length.preferred(evaluation)
    if evaluation.line[:1] == (first,):
        return evaluation.line[:most]
    if not evaluation.exact:
        search, choice = Minimax(min(depth, most)), Choice(first, line=(first,))
        return search.expects(rules, state, evaluation.seat, choice)
    solution = known_solution(rules, state, warn=warn)
    if solution is None:
        return (first,)
    count = MoveCount.within(rules, solution, seconds)
    return extend_line(rules, state, (first,), most, lambda after, left: count.preferred(after))
