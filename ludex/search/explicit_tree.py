"""An explicit search tree for display, grown node by node.

These are the searches of `minimax.py`, `alphabeta.py` and `simultaneous.py` once more, interpreted
and slow. There is no transposition table and no iterative deepening, and actions and outcomes are
visited in ascending order, so that every value and every cutoff can be checked by hand. Values are
therefore those of the agent; cutoffs may differ. Simultaneous nodes are not pruned.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from ludex.core.leaf_value import leaf_value
from ludex.core.play import move_label
from ludex.core.rules import (
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    candidates,
    chance,
    foreseen,
    label,
    position,
    returns,
    seat_name,
    seats,
    turn,
)
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import members
from ludex.kernel.matrix_game import solve
from ludex.search.alphabeta import HIGH, LOW, PLAIN, PRUNING, STAR2, AlphaBeta, depth_after
from ludex.search.minimax import AVERAGE, WORST, Expectimax, Greedy, Minimax
from ludex.search.simultaneous import ABOVE, BELOW, Simultaneous, joint
from ludex.search.transposition import AT_LEAST, AT_MOST, EXACT


class NodeKind(StrEnum):
    """What happens at a node."""

    MAX = "max"
    MIN = "min"
    AVERAGE = "average"
    CHANCE = "chance"
    BOTH = "both"
    OVER = "over"
    LEAF = "leaf"


class Branch(NamedTuple):
    """The way from a node to one below it."""

    label: str
    node: "Node"
    probability: float | None = None
    """How likely it is, where nobody chooses or both do at once and count on it."""
    cut: bool = False
    """Whether the search did not look: the node then has neither value nor branches."""
    chosen: bool = False
    """Whether it is the best, the first among equals; where both mix, whether it may happen."""


class Node(NamedTuple):
    """A state as a search sees it."""

    kind: NodeKind
    position: str
    mover: int
    """The seat to act, or CHANCE, BOTH or OVER."""
    value: float | None = None
    """What it is worth to the seat whose tree it is; None where the search did not look."""
    bound: int = EXACT
    """Whether the value is EXACT, or the true one is AT_LEAST or AT_MOST this."""
    branches: tuple[Branch, ...] = ()


class GameTree(NamedTuple):
    """A grown tree: its root, the seat to which values are worth, and the names of all seats."""

    root: Node
    seat: int
    names: tuple[str, ...]


class ChanceOutcome(NamedTuple):
    """What chance may bring: the state after it, who moves there, and how deep to look on."""

    probability: float
    after: State
    mover: int
    depth: int


class Way(NamedTuple):
    """How an agent searches."""

    others: int = WORST
    cuts: bool = False
    star: int = PLAIN
    view: str = ""
    profile: SearchProfile = 0
    rare: int = 0


GROWN = (Greedy, Minimax, Expectimax, AlphaBeta, Simultaneous)
"""The classes of agents whose trees can be grown."""


def way_of(agent: Any) -> Way:
    """Return how an agent searches; a ValueError says that it has no such tree."""
    if type(agent) not in GROWN:
        raise ValueError(f"{type(agent).__name__} does not search a tree that could be drawn")
    if isinstance(agent, AlphaBeta):
        star = PRUNING.index(agent.pruning)
        return Way(cuts=True, star=star, profile=agent.profile, rare=agent.rare)
    if isinstance(agent, Simultaneous):
        return Way(view=agent.view, profile=agent.profile)
    return Way(getattr(agent, "others", WORST), view="even", profile=agent.profile)


def grow(agent: Any, rules: Rules, state: State, depth: int, most: int = 20_000) -> GameTree:
    """Return the tree in which an agent looks this many decisions ahead.

    Values are worth to the seat that is to act, and to seat 0 where none is alone. A tree of
    more than `most` nodes is refused by a ValueError.
    """
    seat = max(turn(rules, state), 0)
    grower = Grower(rules, seat, way_of(agent), depth, most)
    names = tuple(seat_name(rules, one) for one in range(seats(rules)))
    return GameTree(grower.grow(state, depth), seat, names)


def walk(branch: Branch) -> Iterator[Branch]:
    """Yield a branch and all that are below it, parents first."""
    yield branch
    for below in branch.node.branches:
        yield from walk(below)


def size(node: Node) -> int:
    """Return how many nodes there are from this one on, with those that were cut."""
    return sum(1 for _ in walk(Branch("", node)))


def cuts(node: Node) -> int:
    """Return how many branches below a node were cut."""
    return sum(branch.cut for branch in walk(Branch("", node)))


def chosen_branch(node: Node) -> Branch | None:
    """Return the branch that is taken at a node, if there is only one."""
    found = [branch for branch in node.branches if branch.chosen]
    return found[0] if len(found) == 1 else None


@dataclass
class Grower:
    """Grows the nodes of one tree.

    As in `alphabeta.search`, a value strictly between low and high is exact, one at or below
    low is an upper bound, one at or above high a lower bound; a node says which it is.
    """

    rules: Rules
    seat: int
    way: Way
    depth: int
    most: int
    nodes: int = 0

    def bud(self, state: State, depth: int) -> Node:
        """Return the node of a state, not yet searched."""
        self.nodes += 1
        if self.nodes > self.most:
            advice = f"a smaller depth than {self.depth}, or " if self.depth > 1 else ""
            raise ValueError(f"the tree has more than {self.most:,} nodes: try {advice}more nodes")
        mover = int(turn(self.rules, state))
        if mover == OVER:
            kind = NodeKind.OVER
        elif depth < 0 or (depth == 0 and mover != CHANCE):
            kind = NodeKind.LEAF
        elif mover < 0:
            kind = NodeKind.CHANCE if mover == CHANCE else NodeKind.BOTH
        elif mover == self.seat:
            kind = NodeKind.MAX
        else:
            kind = NodeKind.AVERAGE if self.way.others == AVERAGE else NodeKind.MIN
        return Node(kind, str(position(self.rules, state)), mover)

    def grow(
        self,
        state: State,
        depth: int,
        low: float = BELOW,
        high: float = ABOVE,
        probing: bool = False,
    ) -> Node:
        """Return the searched node of a state; when probing, only its first action is searched."""
        bud = self.bud(state, depth)
        match bud.kind:
            case NodeKind.OVER:
                return bud._replace(value=float(returns(self.rules, state, self.seat)))
            case NodeKind.LEAF:
                worth = leaf_value(self.rules, state, self.seat, self.way.profile)
                return bud._replace(value=float(worth))
            case NodeKind.CHANCE:
                return self.weigh(bud, state, depth, low, high)
            case NodeKind.BOTH:
                return self.meet(bud, state, depth)
            case NodeKind.AVERAGE:
                return self.average(bud, state, depth)
            case _:
                return self.choose(bud, state, depth, low, high, probing)

    def choose(
        self, bud: Node, state: State, depth: int, low: float, high: float, probing: bool
    ) -> Node:
        """Return the node of a seat that takes what is best for us, or worst."""
        ours = bud.kind == NodeKind.MAX
        best, best_at = BELOW if ours else ABOVE, 0
        branches: list[Branch] = []
        for action in members(candidates(self.rules, state, bud.mover, self.way.profile)):
            after, name = apply(self.rules, state, action), str(label(self.rules, state, action))
            if branches and (probing or low >= high):
                branches.append(Branch(name, self.bud(after, depth - 1), cut=True))
                continue
            node = self.grow(after, depth - 1, low, high)
            worth = searched_value(node)
            if (ours and worth > best) or (not ours and worth < best):
                best, best_at = worth, len(branches)
            if self.way.cuts:
                low, high = (max(low, best), high) if ours else (low, min(high, best))
            branches.append(Branch(name, node))
        branches[best_at] = branches[best_at]._replace(chosen=True)
        bound = bound_of_best(branches, best, ours)
        return bud._replace(value=best, bound=bound, branches=tuple(branches))

    def average(self, bud: Node, state: State, depth: int) -> Node:
        """Return the node of another seat that may do anything, each action as likely."""
        actions = members(candidates(self.rules, state, bud.mover, self.way.profile))
        branches = tuple(
            Branch(
                str(label(self.rules, state, action)),
                self.grow(apply(self.rules, state, action), depth - 1),
                1.0 / len(actions),
            )
            for action in actions
        )
        value = sum(searched_value(branch.node) for branch in branches) / len(actions)
        return bud._replace(value=value, branches=branches)

    def outcomes(self, state: State, depth: int) -> dict[int, ChanceOutcome]:
        """Return what chance may bring in a state."""
        found: dict[int, ChanceOutcome] = {}
        for outcome in members(foreseen(self.rules, state, self.way.profile)):
            p, after = float(chance(self.rules, state, outcome)), apply(self.rules, state, outcome)
            mover = int(turn(self.rules, after))
            found[outcome] = ChanceOutcome(
                p, after, mover, int(depth_after(depth, mover, p, self.way.rare))
            )
        return found

    def weigh(self, bud: Node, state: State, depth: int, low: float, high: float) -> Node:
        """Return a node of chance.

        Its value lies between `least` and `most`, which come closer with every outcome that is
        searched or, in star2, probed. Once both lie on one side of the window the rest is cut;
        after a search that is told by the outcome, because the sums are rounded.
        """
        star, drawn = self.way.star, self.outcomes(state, depth)
        reach = dict.fromkeys(drawn, (LOW, HIGH))  # between these the value of an outcome lies
        mass = sum(one.probability for one in drawn.values())
        least, most = LOW * mass, HIGH * mass
        probed = [
            (outcome, True)
            for outcome, one in drawn.items()
            if star == STAR2 and one.depth > 0 and one.mover >= 0
        ]
        grown: dict[int, Node] = {}
        searched, above, below = 0, False, False
        for outcome, probing in [*probed, *((outcome, False) for outcome in drawn)]:
            (p, after, mover, left), (worst, best) = drawn[outcome], reach[outcome]
            bottom, top = (low - most) / p + best, (high - least) / p + worst
            ours = mover == self.seat
            # A probe bounds the outcome on one side only, and must be no bound on the other.
            if star == PLAIN or (probing and ours):
                bottom = BELOW
            if star == PLAIN or (probing and not ours):
                top = ABOVE
            if outcome in grown:  # what was probed is searched again, and drawn once
                self.nodes -= size(grown[outcome])
            grown[outcome] = self.grow(after, left, bottom, top, probing)
            worth = searched_value(grown[outcome])
            reach[outcome] = (
                worst if probing and not ours else worth,
                best if probing and ours else worth,
            )
            least += p * (reach[outcome][0] - worst)
            most += p * (reach[outcome][1] - best)
            searched += not probing
            above, below = worth >= top, worth <= bottom
            if probing:
                above, below = least >= high, most <= low
            if above or below:
                break
        branches = tuple(
            Branch(
                str(label(self.rules, state, outcome)),
                grown.get(outcome) or self.bud(one.after, one.depth),
                one.probability,
                cut=outcome not in grown,
            )
            for outcome, one in drawn.items()
        )
        if searched < len(drawn):
            value, bound = (least, AT_LEAST) if above else (most, AT_MOST)
        else:
            value = sum(one.probability * searched_value(grown[key]) for key, one in drawn.items())
            bound = bound_of_sum(branches)
        if bound != EXACT:  # rounding must not bring a bound into the window
            value = max(value, high) if bound == AT_LEAST else min(value, low)
        return bud._replace(value=value, bound=bound, branches=branches)

    def meet(self, bud: Node, state: State, depth: int) -> Node:
        """Return the node at which both seats choose at once."""
        mine = members(candidates(self.rules, state, self.seat, self.way.profile))
        theirs = members(candidates(self.rules, state, 1 - self.seat, self.way.profile))
        moves = [joint(self.seat, action, answer) for action in mine for answer in theirs]
        nodes = [self.grow(apply(self.rules, state, move), depth - 1) for move in moves]
        matrix = np.array([searched_value(node) for node in nodes]).reshape(len(mine), len(theirs))
        value, weights = matrix_value(matrix, self.way.view)
        certain = bool(weights.max() == 1.0)
        branches = tuple(
            Branch(
                move_label(self.rules, state, move),
                node,
                None if certain else float(p),
                chosen=bool(p > 0.0),
            )
            for move, node, p in zip(moves, nodes, weights.flat, strict=True)
        )
        return bud._replace(value=value, branches=branches)


def searched_value(node: Node) -> float:
    """Return the value of a node that was searched."""
    assert node.value is not None
    return node.value


def bound_of_best(branches: list[Branch], best: float, ours: bool) -> int:
    """Return what the best of some branches says about the true one, in which nothing is cut."""
    towards, away = (AT_LEAST, AT_MOST) if ours else (AT_MOST, AT_LEAST)
    if any(branch.cut or branch.node.bound == towards for branch in branches):
        return towards
    firm = any(branch.node.bound == EXACT and branch.node.value == best for branch in branches)
    return EXACT if firm else away


def bound_of_sum(branches: tuple[Branch, ...]) -> int:
    """Return what the average of all outcomes says about the true one.

    No two outcomes are bounds on different sides: the first that is a bound settles the node.
    """
    return next((branch.node.bound for branch in branches if branch.node.bound != EXACT), EXACT)


def matrix_value(matrix: np.ndarray, view: str) -> tuple[float, np.ndarray]:
    """Return what a matrix is worth in a view, and how likely each pair is to happen in it.

    The views are those of `simultaneous.py`, and `even`: the other does anything, as for greedy.
    Without mixing, one pair is certain, the first among equals.
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
