"""Depth-limited minimax search."""

import time
from typing import NamedTuple


class SearchResult(NamedTuple):
    """What a search has found."""

    value: float
    move: str
    time: float
    nodes: int


class Minimax:
    """Searches a game as far as its `cutoff_test` allows."""

    def __init__(self, game):
        self.game = game
        self.nodes = 0

    def minimax_decision_max(self, state):
        """Return the best move for Max, the first among equals."""
        return self._decide(state, max)

    def minimax_decision_min(self, state):
        """Return the best move for Min, the first among equals."""
        return self._decide(state, min)

    def _decide(self, state, best):
        began = time.perf_counter()
        self.nodes = 1
        values = {}
        for action in self.game.actions(state):
            values[action] = self._value(self.game.result(state, action), 1)
        move = best(values, key=lambda action: values[action])
        return SearchResult(values[move], move, time.perf_counter() - began, self.nodes)

    def _value(self, state, depth):
        self.nodes += 1
        game = self.game
        if game.is_terminal(state):
            return game.utility(state)
        if game.cutoff_test(state, depth):
            return game.eval(state)
        after = (self._value(game.result(state, one), depth + 1) for one in game.actions(state))
        return max(after) if game.is_maxs_turn(state) else min(after)
