"""Choose which nodes of a large tree to show, and where to fold the rest."""

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from ludex.search.explicit_tree import Branch, Node, chosen_branch, size

# How much less a branch matters than its parent: every step costs something, so that the deepest
# fold first; branches that are not best cost more, and pruned ones most.
STEP, UNCERTAIN, ASIDE, CUT = 1, 2, 3, 6

Path = tuple[int, ...]
"""The index of the branch at each node, from the root."""


class ShownBranch(NamedTuple):
    """A branch to show, and how many nodes below it are folded."""

    path: Path
    branch: Branch
    below: tuple["ShownBranch", ...]
    folded: int = 0

    def all(self) -> Iterator["ShownBranch"]:
        """Yield this and all descendants."""
        yield self
        for one in self.below:
            yield from one.all()

    @property
    def drawn(self) -> int:
        """The number of nodes drawn, including folds."""
        return sum(1 + (one.folded > 0) for one in self.all())

    @property
    def hidden(self) -> int:
        """The number of folded nodes, here and below."""
        return sum(one.folded for one in self.all())


def fold_tree(root: Node, most: int = 250) -> ShownBranch:
    """Fold a tree so that at most `most` nodes are drawn.

    The line of best play is always shown, even if it is longer.
    """
    top = Branch("", root)
    kept = set(best_line(root))
    drawn = gather_branch((), top, kept).drawn
    waiting: dict[Path, int] = {}  # branches of a node not yet considered
    queue: list[tuple[int, Path, Branch]] = []

    def unfold(path: Path, node: Node, cost: int) -> None:
        waiting[path] = len(node.branches)
        for at, branch in enumerate(node.branches):
            heapq.heappush(queue, (cost + branch_cost(branch), (*path, at), branch))

    unfold((), root, 0)
    while queue:
        cost, path, branch = heapq.heappop(queue)
        if path not in kept:
            # The last branch replaces the fold of its parent; each may add a fold of its own.
            more = 1 + bool(branch.node.branches) - (waiting[path[:-1]] == 1)
            if drawn + more > most:
                break
            drawn += more
            kept.add(path)
        waiting[path[:-1]] -= 1
        unfold(path, branch.node, cost)
    return gather_branch((), top, kept)


def branch_cost(branch: Branch) -> int:
    """Return how much less a branch matters than its parent."""
    if branch.cut:
        return STEP + CUT
    if branch.chosen:
        return STEP
    return STEP + (ASIDE if branch.probability is None else UNCERTAIN)


def best_line(root: Node) -> list[Path]:
    """Return the paths along the line of best play, from the root on."""
    paths: list[Path] = [()]
    while (best := chosen_branch(root)) is not None:
        paths.append((*paths[-1], root.branches.index(best)))
        root = best.node
    return paths


def gather_branch(path: Path, branch: Branch, kept: set[Path]) -> ShownBranch:
    """Return a branch with all kept descendants."""
    below, folded = [], []
    for at, one in enumerate(branch.node.branches):
        if (*path, at) in kept:
            below.append(gather_branch((*path, at), one, kept))
        else:
            folded.append(((*path, at), one))
    hidden = sum(size(one.node) for _, one in folded)
    if hidden == 1:  # it takes no more room than a fold
        below.append(ShownBranch(*folded[0], ()))
        below.sort(key=lambda one: one.path)
        hidden = 0
    return ShownBranch(path, branch, tuple(below), hidden)
