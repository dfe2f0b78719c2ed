"""Explicit search trees, grown node by node.

These are the searches of `minimax.py`, `alphabeta.py` and `simultaneous.py` once more, interpreted
and slow. There is no transposition table and no iterative deepening, and actions and outcomes are
visited in ascending order, so that every value and every cutoff can be checked by hand. Values are
those of the agent; cutoffs may differ. Simultaneous nodes are not pruned.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.leaf_value import leaf_value
from ludex.core.play import move_label
from ludex.core.rules import CHANCE, OVER, Rules, State
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import members
from ludex.kernel.matrix_game import solve
from ludex.search import explicit_tree as tree
from ludex.search.alphabeta import HIGH, LOW, PLAIN, PRUNING, STAR2, AlphaBeta, depth_after
from ludex.search.explicit_tree import Branch, GameTree, Node, NodeKind
from ludex.search.minimax import AVERAGE, WORST, Expectimax, Greedy, Minimax
from ludex.search.simultaneous import ABOVE, BELOW, Simultaneous, joint
from ludex.search.transposition import AT_LEAST, AT_MOST, EXACT


class ChanceOutcome(NamedTuple):
    """An outcome of chance: its probability, successor, next mover and remaining depth."""

    probability: float
    after: State
    mover: int
    depth: int


class TreeSettings(NamedTuple):
    """How an agent searches."""

    others: int = WORST
    cuts: bool = False
    star: int = PLAIN
    view: str = ""
    profile: SearchProfile = 0
    rare: int = 0


TREE_AGENTS = (Greedy, Minimax, Expectimax, AlphaBeta, Simultaneous)
"""The classes of agents whose trees can be grown."""


def settings_of(agent: Any) -> TreeSettings:
    """Return how an agent searches; raise a ValueError if it has no such tree."""
    if type(agent) not in TREE_AGENTS:
        raise ValueError(f"{type(agent).__name__} does not search a tree that could be drawn")
    if isinstance(agent, AlphaBeta):
        star = PRUNING.index(agent.pruning)
        return TreeSettings(cuts=True, star=star, profile=agent.profile, rare=agent.rare)
    if isinstance(agent, Simultaneous):
        return TreeSettings(view=agent.view, profile=agent.profile)
    return TreeSettings(getattr(agent, "others", WORST), view="even", profile=agent.profile)


def grow(agent: Any, rules: Rules, state: State, depth: int, most: int = 20_000) -> GameTree:
    """Return the tree that an agent searches to a depth in decisions.

    Values are for the seat to move, for seat 0 at chance and simultaneous moves. Raise a
    ValueError if the tree has more than `most` nodes.
    """
    seat = max(ask.turn(rules, state), 0)
    grower = Grower(rules, seat, settings_of(agent), depth, most)
    names = tuple(ask.seat_name(rules, one) for one in range(ask.seats(rules)))
    return GameTree(grower.grow(state, depth), seat, names)


@dataclass
class Grower:
    """Grows the nodes of one tree.

    As in `alphabeta.search`, a value strictly between low and high is exact, one at or below
    low is an upper bound, one at or above high a lower bound; the node says which.
    """

    rules: Rules
    seat: int
    settings: TreeSettings
    depth: int
    most: int
    nodes: int = 0

    def new_node(self, state: State, depth: int) -> Node:
        """Return the node of a state, before it is searched."""
        self.nodes += 1
        if self.nodes > self.most:
            advice = f"a smaller depth than {self.depth}, or " if self.depth > 1 else ""
            raise ValueError(f"the tree has more than {self.most:,} nodes: try {advice}more nodes")
        mover = int(ask.turn(self.rules, state))
        if mover == OVER:
            kind = NodeKind.OVER
        elif depth < 0 or (depth == 0 and mover != CHANCE):
            kind = NodeKind.LEAF
        elif mover < 0:
            kind = NodeKind.CHANCE if mover == CHANCE else NodeKind.BOTH
        elif mover == self.seat:
            kind = NodeKind.MAX
        else:
            kind = NodeKind.AVERAGE if self.settings.others == AVERAGE else NodeKind.MIN
        return Node(kind, str(ask.position(self.rules, state)), mover)

    def grow(
        self,
        state: State,
        depth: int,
        low: float = BELOW,
        high: float = ABOVE,
        probing: bool = False,
    ) -> Node:
        """Return the searched node of a state; a probe searches its first action only."""
        node = self.new_node(state, depth)
        match node.kind:
            case NodeKind.OVER:
                return node._replace(value=float(ask.returns(self.rules, state, self.seat)))
            case NodeKind.LEAF:
                value = leaf_value(self.rules, state, self.seat, self.settings.profile)
                return node._replace(value=float(value))
            case NodeKind.CHANCE:
                return self.chance_node(node, state, depth, low, high)
            case NodeKind.BOTH:
                return self.simultaneous_node(node, state, depth)
            case NodeKind.AVERAGE:
                return self.random_node(node, state, depth)
            case _:
                return self.decision_node(node, state, depth, low, high, probing)

    def decision_node(
        self, node: Node, state: State, depth: int, low: float, high: float, probing: bool
    ) -> Node:
        """Return a max or min node."""
        ours = node.kind == NodeKind.MAX
        best, best_at = BELOW if ours else ABOVE, 0
        branches: list[Branch] = []
        for action in self.candidates(state, node.mover):
            after = ask.apply(self.rules, state, action)
            name = str(ask.label(self.rules, state, action))
            if branches and (probing or low >= high):
                branches.append(Branch(name, self.new_node(after, depth - 1), cut=True))
                continue
            child = self.grow(after, depth - 1, low, high)
            value = child.searched_value
            if (ours and value > best) or (not ours and value < best):
                best, best_at = value, len(branches)
            if self.settings.cuts:
                low, high = (max(low, best), high) if ours else (low, min(high, best))
            branches.append(Branch(name, child))
        branches[best_at] = branches[best_at]._replace(chosen=True)
        bound = tree.best_bound(branches, best, ours)
        return node._replace(value=best, bound=bound, branches=tuple(branches))

    def random_node(self, node: Node, state: State, depth: int) -> Node:
        """Return the node of an opponent who plays uniformly at random."""
        actions = self.candidates(state, node.mover)
        branches = tuple(
            Branch(
                str(ask.label(self.rules, state, action)),
                self.grow(ask.apply(self.rules, state, action), depth - 1),
                1.0 / len(actions),
            )
            for action in actions
        )
        value = sum(branch.node.searched_value for branch in branches) / len(actions)
        return node._replace(value=value, branches=branches)

    def candidates(self, state: State, seat: int) -> list[int]:
        """Return the actions of a seat that the search considers."""
        return members(ask.candidates(self.rules, state, seat, self.settings.profile))

    def outcomes(self, state: State, depth: int) -> dict[int, ChanceOutcome]:
        """Return the outcomes of chance that the search considers."""
        found: dict[int, ChanceOutcome] = {}
        for outcome in members(ask.foreseen(self.rules, state, self.settings.profile)):
            p = float(ask.chance(self.rules, state, outcome))
            after = ask.apply(self.rules, state, outcome)
            mover = int(ask.turn(self.rules, after))
            left = int(depth_after(depth, mover, p, self.settings.rare))
            found[outcome] = ChanceOutcome(p, after, mover, left)
        return found

    def chance_node(self, node: Node, state: State, depth: int, low: float, high: float) -> Node:
        """Return a chance node.

        Its value lies between `least` and `most`, which converge with every outcome that is
        searched or, in star2, probed. Once both lie on one side of the window, the rest is cut.
        After a search the outcome's own window decides that, because the sums are rounded.
        """
        star, outcomes = self.settings.star, self.outcomes(state, depth)
        reach = dict.fromkeys(outcomes, (LOW, HIGH))  # bounds on the value of each outcome
        mass = sum(one.probability for one in outcomes.values())
        least, most = LOW * mass, HIGH * mass
        probed = [
            (outcome, True)
            for outcome, one in outcomes.items()
            if star == STAR2 and one.depth > 0 and one.mover >= 0
        ]
        grown: dict[int, Node] = {}
        finished, above, below = 0, False, False
        for outcome, probing in [*probed, *((outcome, False) for outcome in outcomes)]:
            (p, after, mover, left), (worst, best) = outcomes[outcome], reach[outcome]
            bottom, top = (low - most) / p + best, (high - least) / p + worst
            ours = mover == self.seat
            # A probe bounds the outcome on one side only; the other side of its window is open.
            if star == PLAIN or (probing and ours):
                bottom = BELOW
            if star == PLAIN or (probing and not ours):
                top = ABOVE
            if outcome in grown:  # a probed outcome is searched again, but drawn once
                self.nodes -= tree.size(grown[outcome])
            grown[outcome] = self.grow(after, left, bottom, top, probing)
            value = grown[outcome].searched_value
            reach[outcome] = (
                worst if probing and not ours else value,
                best if probing and ours else value,
            )
            least += p * (reach[outcome][0] - worst)
            most += p * (reach[outcome][1] - best)
            finished += not probing
            above, below = (
                (least >= high, most <= low) if probing else (value >= top, value <= bottom)
            )
            if above or below:
                break
        branches = tuple(
            Branch(
                str(ask.label(self.rules, state, outcome)),
                grown.get(outcome) or self.new_node(one.after, one.depth),
                one.probability,
                cut=outcome not in grown,
            )
            for outcome, one in outcomes.items()
        )
        if finished < len(outcomes):
            value, bound = (least, AT_LEAST) if above else (most, AT_MOST)
        else:
            value = sum(one.probability * grown[k].searched_value for k, one in outcomes.items())
            bound = tree.mean_bound(branches)
        if bound != EXACT:  # rounding must not move a bound into the window
            value = max(value, high) if bound == AT_LEAST else min(value, low)
        return node._replace(value=value, bound=bound, branches=branches)

    def simultaneous_node(self, node: Node, state: State, depth: int) -> Node:
        """Return the node of a simultaneous move."""
        mine, theirs = self.candidates(state, self.seat), self.candidates(state, 1 - self.seat)
        moves = [joint(self.seat, action, answer) for action in mine for answer in theirs]
        nodes = [self.grow(ask.apply(self.rules, state, move), depth - 1) for move in moves]
        values = [child.searched_value for child in nodes]
        matrix = np.array(values).reshape(len(mine), len(theirs))
        value, weights = matrix_value(matrix, self.settings.view)
        certain = bool(weights.max() == 1.0)
        branches = tuple(
            Branch(
                move_label(self.rules, state, move),
                child,
                None if certain else float(p),
                chosen=bool(p > 0.0),
            )
            for move, child, p in zip(moves, nodes, weights.flat, strict=True)
        )
        return node._replace(value=value, branches=branches)


def matrix_value(matrix: np.ndarray, view: str) -> tuple[float, np.ndarray]:
    """Return the value of a matrix game in a view, and the probability of each pair of actions.

    The views are those of `simultaneous.py`, and `even`: a uniformly random opponent, as for
    greedy. Ties are broken by the first action.
    """
    height, width = matrix.shape
    first, second = np.zeros(height), np.zeros(width)
    if view == "mixed":
        work = np.zeros((height + 2, width + 2))
        value = float(solve(matrix, height, width, first, second, work))
        return value, np.outer(first, second)
    if view == "pessimistic":
        row = int(matrix.min(axis=1).argmax())
        second[matrix[row].argmin()] = 1.0
    elif view == "optimistic":
        column = int(matrix.max(axis=0).argmin())
        row = int(matrix[:, column].argmax())
        second[column] = 1.0
    else:
        row = int(matrix.mean(axis=1).argmax())
        second[:] = 1.0 / width
    first[row] = 1.0
    return float(matrix[row] @ second), np.outer(first, second)
