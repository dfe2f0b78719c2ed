"""Choose which nodes of a large tree to show, and where to fold the rest."""

import heapq
from collections.abc import Iterator
from typing import NamedTuple

from ludex.search.explicit_tree import Branch, Node, chosen, size

# How much less a branch matters than the node above it. Every step down costs something, so that
# the deepest fold first; what is not the best costs more, and what the search cut costs most.
STEP, UNCERTAIN, ASIDE, CUT = 1, 2, 3, 6

Path = tuple[int, ...]
"""Which branch to take at each node from the root on."""


class Shown(NamedTuple):
    """A branch that is shown, and how many nodes right below it are folded into one."""

    path: Path
    branch: Branch
    below: tuple["Shown", ...]
    folded: int = 0

    def all(self) -> Iterator["Shown"]:
        """Yield this and all that are below it."""
        yield self
        for one in self.below:
            yield from one.all()

    @property
    def drawn(self) -> int:
        """Return how many nodes a picture has, with those that stand for folded ones."""
        return sum(1 + (one.folded > 0) for one in self.all())

    @property
    def hidden(self) -> int:
        """Return how many nodes are folded, here and below."""
        return sum(one.folded for one in self.all())


def shown(root: Node, most: int = 250) -> Shown:
    """Return what to show of a tree so that at most so many nodes are drawn.

    The line of best play from the root is always shown, even where it is longer than that.
    """
    top = Branch("", root)
    kept = set(best_line(root))
    drawn = gathered((), top, kept).drawn
    waiting: dict[Path, int] = {}  # how many branches of a node are not kept
    queue: list[tuple[int, Path, Branch]] = []

    def unfold(path: Path, node: Node, cost: int) -> None:
        waiting[path] = len(node.branches)
        for at, branch in enumerate(node.branches):
            heapq.heappush(queue, (cost + price(branch), (*path, at), branch))

    unfold((), root, 0)
    while queue:
        cost, path, branch = heapq.heappop(queue)
        if path not in kept:
            # A node takes the place of the folded one if it is the last, and may bring another.
            more = 1 + bool(branch.node.branches) - (waiting[path[:-1]] == 1)
            if drawn + more > most:
                break
            drawn += more
            kept.add(path)
        waiting[path[:-1]] -= 1
        unfold(path, branch.node, cost)
    return gathered((), top, kept)


def price(branch: Branch) -> int:
    """Return how much less a branch matters than the node above it."""
    if branch.cut:
        return STEP + CUT
    if branch.chosen:
        return STEP
    return STEP + (ASIDE if branch.probability is None else UNCERTAIN)


def best_line(root: Node) -> list[Path]:
    """Return the paths along which everybody does their best, from the root to where none can."""
    paths: list[Path] = [()]
    while (best := chosen(root)) is not None:
        paths.append((*paths[-1], root.branches.index(best)))
        root = best.node
    return paths


def gathered(path: Path, branch: Branch, kept: set[Path]) -> Shown:
    """Return a branch with all that is kept below it."""
    below, folded = [], []
    for at, one in enumerate(branch.node.branches):
        if (*path, at) in kept:
            below.append(gathered((*path, at), one, kept))
        else:
            folded.append(((*path, at), one))
    hidden = sum(size(one.node) for _, one in folded)
    if hidden == 1:  # it takes no more room than what would stand for it
        below.append(Shown(*folded[0], ()))
        below.sort(key=lambda one: one.path)
        hidden = 0
    return Shown(path, branch, tuple(below), hidden)
