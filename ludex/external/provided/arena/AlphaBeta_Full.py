"""Depth-limited minimax search with alpha-beta pruning and a transposition table."""

import math
import time
from typing import NamedTuple

EXACT, LOW, HIGH = range(3)


class SearchResult(NamedTuple):
    """What a search has found."""

    value: float
    move: str
    time: float
    nodes: int


class Minimax:
    """Searches a game as far as its `cutoff_test` allows, and finds what plain minimax finds."""

    def __init__(self, game):
        self.game = game
        self.nodes = 0
        self.table = {}

    def minimax_decision_max(self, state):
        """Return the best move for Max, the first among equals."""
        return self._decide(state, 1)

    def minimax_decision_min(self, state):
        """Return the best move for Min, the first among equals."""
        return self._decide(state, -1)

    def _decide(self, state, sign):
        began = time.perf_counter()
        self.nodes, self.table = 1, {}
        best, move = -math.inf, None
        for action in self.game.actions(state):
            after = self.game.result(state, action)
            low, high = (best, math.inf) if sign > 0 else (-math.inf, -best)
            value = sign * self._value(after, 1, low, high)
            if move is None or value > best:
                best, move = value, action
        return SearchResult(sign * best, move, time.perf_counter() - began, self.nodes)

    def _value(self, state, depth, low, high):
        self.nodes += 1
        game = self.game
        if game.is_terminal(state):
            return game.utility(state)
        if game.cutoff_test(state, depth):
            return game.eval(state)
        key = (game.transposition_string(state), depth)
        kind, known = self.table.get(key, (None, 0))
        if kind == EXACT or (kind == LOW and known >= high) or (kind == HIGH and known <= low):
            return known
        maxs = game.is_maxs_turn(state)
        best = -math.inf if maxs else math.inf
        alpha, beta = low, high
        for action in game.actions(state):
            value = self._value(game.result(state, action), depth + 1, alpha, beta)
            if maxs:
                best = max(best, value)
                alpha = max(alpha, best)
            else:
                best = min(best, value)
                beta = min(beta, best)
            if alpha >= beta:
                break
        self.table[key] = (HIGH if best <= low else LOW if best >= high else EXACT, best)
        return best
