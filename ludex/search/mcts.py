"""Monte Carlo tree search: the agent, which plays the most-visited action."""

import math
from dataclasses import dataclass, field

import numpy as np

from ludex.core.choice import Choice, draw_action, uniform_best
from ludex.core.options import option
from ludex.core.rules import BOTH, Rules, State, actions, part, seats
from ludex.core.rules import at_once as ever_at_once
from ludex.core.search_profile import SearchProfile
from ludex.search.clock import clock
from ludex.search.mcts_tree import NO_NODE, ROOT, THIN, Tree, children, copy_below, find, new_tree
from ludex.search.uct import UctSettings, grow

BOTH_BY = ("duct", "regret")  # what both do where they choose at once
LONGEST_PATH = 1000  # plies of a way down the tree; what is deeper is played at random
USUAL_SIMS, MOST_SIMS = 1000, 1_000_000_000
# An expanded node has a row for each child. Measured up to 100,000 simulations, two and a half
# rows for each were enough where seats take turns, and eight in droids.
ROWS_PER_SIM = 12
USUAL_MOST_NODES, MOST_NODES = 1 << 21, 1 << 24  # 56 bytes each, 80 where both choose at once


@dataclass
class Mcts:
    """Monte Carlo tree search (UCT); plays the most-visited action.

    Among actions of equal visits it takes the one of higher mean, then any. Where both choose at
    once, `regret` draws from its mixture.
    """

    sims: int | None = option(
        None, "simulations for a decision; 1000 without a clock", 1, MOST_SIMS, kind=int
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    c: float = option(1.4, "UCB1 exploration constant", 0.001, 100)
    rollout: int = option(2000, "maximum length of a playout in plies; 0 for none", 0, 1_000_000)
    at_once: str = option("duct", "selection at simultaneous nodes", words=" ".join(BOTH_BY))
    keep: str = option("no", "reuse the tree from move to move", words="yes no")
    nodes: int | None = option(
        None,
        "rows of the tree, one per child; 12 per simulation, up to two million",
        64,
        MOST_NODES,
        kind=int,
    )
    profile: SearchProfile = 0
    policy_known = False
    last: tuple[Rules, State, Tree] | None = field(default=None, init=False, repr=False)

    def consider(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> Choice:
        """Return what the seat, which is to act, should do."""
        if self.seconds:
            self.compile(rules, state, rng)
        usual = MOST_SIMS if self.seconds else USUAL_SIMS
        sims = usual if self.sims is None else max(1, self.sims)
        with clock(self.seconds) as flag:
            tree = self.start_tree(rules, state, sims)
            done, depth = self.run_simulations(rules, state, tree, flag, rng, sims)
        self.last = (rules, state, tree) if self.keep == "yes" else None
        mixed = tree.mover[ROOT] == BOTH and self.at_once == "regret"
        choice = of_mixture(tree, seat, rng) if mixed else most_visited(tree, seat, rng)
        return choice._replace(nodes=done, depth=depth)

    def compile(self, rules: Rules, state: State, rng: np.random.Generator) -> None:
        """Have compiled all that is needed, which is no thinking, before a clock starts."""
        tree, other = new_tree(rules, 1), new_tree(rules, 1)
        self.run_simulations(rules, state, tree, np.zeros(1, np.int64), rng, 0)
        if self.keep == "yes":
            find(rules, state, tuple(tree), ROOT, state)
            copy_below(tuple(tree), ROOT, tuple(other))

    def start_tree(self, rules: Rules, state: State, sims: int) -> Tree:
        """Return the tree to grow: what is kept below the state, or a root alone.

        Only what lies below the last root is kept: asked twice, it answers as it did.
        """
        usual = min(ROWS_PER_SIM * sims, USUAL_MOST_NODES)
        most = usual if self.nodes is None else self.nodes
        width = actions(rules)  # the root has room for its children in any case
        tree = new_tree(
            rules, max(most, 1 + (2 * width + width**2 if ever_at_once(rules) else width))
        )
        if self.last is None:
            return tree
        last_rules, before, old = self.last
        # Rules of two games may be equal as tuples.
        if type(rules) is type(last_rules) and rules == last_rules:
            node = int(find(rules, before, tuple(old), ROOT, state))
            if node != NO_NODE and old.used[0] <= len(tree.move):
                copy_below(tuple(old), node, tuple(tree))
        return tree

    def run_simulations(
        self,
        rules: Rules,
        state: State,
        tree: Tree,
        flag: np.ndarray,
        rng: np.random.Generator,
        sims: int,
    ) -> tuple[int, int]:
        """Simulate this often, or until the flag is set; return how often and how deep."""
        path, worth = np.zeros(LONGEST_PATH + 1, np.int64), np.zeros(seats(rules))
        settings = UctSettings(
            float(self.c), self.rollout, BOTH_BY.index(self.at_once), self.profile
        )
        done, depth = grow(rules, state, tuple(tree), (path, worth), flag, rng, sims, settings)
        return int(done), int(depth)


def most_visited(tree: Tree, seat: int, rng: np.random.Generator) -> Choice:
    """Return the action that was chosen most: of those the one of highest mean, then any."""
    visits, values = accounts(tree, seat)
    top = max(visits.values())
    equals = {action: values.get(action, 0.0) for action in visits if visits[action] == top}
    action = draw_action(uniform_best(equals), rng)
    line = (action, *expected_line(tree, action)) if tree.mover[ROOT] != BOTH else (action,)
    total = sum(visits.values())
    shares = {action: count / total for action, count in visits.items() if total}
    return Choice(action, values.get(action, math.nan), 0, 0, line, values, shares)


def of_mixture(tree: Tree, seat: int, rng: np.random.Generator) -> Choice:
    """Return an action drawn from the average of a seat's mixtures."""
    _, values = accounts(tree, seat)
    weights = {int(tree.move[row]): float(tree.weight[row]) for row in own(tree, seat)}
    total = sum(weights.values())
    mixture = {
        action: weight / total if total else 1.0 / len(weights)
        for action, weight in weights.items()
    }
    action = draw_action(mixture, rng)
    return Choice(action, values.get(action, math.nan), 0, 0, (action,), values, mixture)


def own(tree: Tree, seat: int) -> list[int]:
    """Return the rows of a seat's actions at the root, in the order of the actions."""
    first, width = int(tree.first[ROOT]), int(tree.width[ROOT])
    rows = range(first, first + width)
    if tree.mover[ROOT] == BOTH:
        middle = first + part(width, 0)
        rows = range(first, middle) if seat == 0 else range(middle, middle + part(width, 1))
    return sorted(rows, key=lambda row: int(tree.move[row]))


def accounts(tree: Tree, seat: int) -> tuple[dict[int, int], dict[int, float]]:
    """Return how often a seat chose each action at the root, and the means of those it chose."""
    rows = own(tree, seat)
    visits = {int(tree.move[row]): int(tree.visits[row]) for row in rows}
    values = {int(tree.move[row]): float(tree.mean[row]) for row in rows if tree.visits[row]}
    return visits, values


def expected_line(tree: Tree, action: int) -> list[int]:
    """Return the most visited line after an action, until chance or until it is thin."""
    line: list[int] = []
    node = next(row for row in own(tree, 0) if tree.move[row] == action)
    while tree.first[node] != NO_NODE and tree.mover[node] >= 0:
        node = max(range(*children(tree, node)), key=lambda row: int(tree.visits[row]))
        if tree.visits[node] < THIN:
            break
        line.append(int(tree.move[node]))
    return line
