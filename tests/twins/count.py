"""Count lines of play by plain recursion."""

from typing import Any


def counts(game: Any, rules: dict[str, Any], depth: int) -> list[int]:
    """Return how many lines of 1, 2, … `depth` plies there are from the first position.

    A decision, an outcome or a pair is one ply; a line that ends early has no longer ones.
    """
    totals = [0] * depth

    def visit(state: dict[str, Any], ply: int) -> None:
        labels = game.moves(rules, state)
        totals[ply] += len(labels)
        if ply + 1 < depth:
            for label in labels:
                visit(game.apply(rules, state, label), ply + 1)

    if depth > 0:
        visit(game.initial(rules), 0)
    return totals
