"""Explicit search trees, for display: nodes, branches and bounds."""

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from ludex.search.transposition import AT_LEAST, AT_MOST, EXACT


class NodeKind(StrEnum):
    """The kind of a node."""

    MAX = "max"
    MIN = "min"
    AVERAGE = "average"
    CHANCE = "chance"
    BOTH = "both"
    OVER = "over"
    LEAF = "leaf"


class Branch(NamedTuple):
    """An edge from a node to a child."""

    label: str
    node: "Node"
    probability: float | None = None
    """Its probability at chance, random and mixed nodes."""
    cut: bool = False
    """Whether it was pruned: the node then has neither value nor branches."""
    chosen: bool = False
    """Whether it is the first of the best; at mixed nodes, whether its probability is positive."""


class Node(NamedTuple):
    """A state in a search tree."""

    kind: NodeKind
    position: str
    mover: int
    """The seat to act, or CHANCE, BOTH or OVER."""
    value: float | None = None
    """The value for the seat of the tree; None if the node was pruned."""
    bound: int = EXACT
    """Whether the value is EXACT, or the true value is AT_LEAST or AT_MOST this."""
    branches: tuple[Branch, ...] = ()

    @property
    def searched_value(self) -> float:
        """The value of a node that was not pruned."""
        assert self.value is not None
        return self.value


class GameTree(NamedTuple):
    """A tree: its root, the seat whose values it has, and the names of all seats."""

    root: Node
    seat: int
    names: tuple[str, ...]


def walk(branch: Branch) -> Iterator[Branch]:
    """Yield a branch and all below it in preorder."""
    yield branch
    for below in branch.node.branches:
        yield from walk(below)


def size(node: Node) -> int:
    """Return the number of nodes of a subtree, including pruned ones."""
    return sum(1 for _ in walk(Branch("", node)))


def cuts(node: Node) -> int:
    """Return the number of pruned branches in a subtree."""
    return sum(branch.cut for branch in walk(Branch("", node)))


def chosen_branch(node: Node) -> Branch | None:
    """Return the chosen branch of a node, if there is exactly one."""
    found = [branch for branch in node.branches if branch.chosen]
    return found[0] if len(found) == 1 else None


def best_bound(branches: list[Branch], best: float, ours: bool) -> int:
    """Return whether the best value of some branches is exact or a bound on the true value."""
    towards, away = (AT_LEAST, AT_MOST) if ours else (AT_MOST, AT_LEAST)
    if any(branch.cut or branch.node.bound == towards for branch in branches):
        return towards
    firm = any(branch.node.bound == EXACT and branch.node.value == best for branch in branches)
    return EXACT if firm else away


def mean_bound(branches: tuple[Branch, ...]) -> int:
    """Return whether the mean of all outcomes is exact or a bound on the true value.

    No two outcomes are bounds on different sides: the first bound decides the node.
    """
    return next((branch.node.bound for branch in branches if branch.node.bound != EXACT), EXACT)
