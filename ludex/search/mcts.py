"""Monte Carlo tree search: the agent, which plays the most-visited action."""

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from ludex.core.choice import Choice, draw_action, uniform_over_best
from ludex.core.options import option
from ludex.core.rules import BOTH, Rules, State, actions, part, seats
from ludex.core.rules import at_once as ever_at_once
from ludex.core.search_profile import SearchProfile
from ludex.search import mcts_tree
from ludex.search.clock import stop_flag
from ludex.search.mcts_tree import MIN_VISITS, NO_NODE, ROOT, Tree
from ludex.search.uct import UctSettings, grow

SELECTIONS = ("duct", "regret")  # at simultaneous moves
LONGEST_PATH = 1000  # plies of a path down the tree; the rest is left to the playout
DEFAULT_SIMS, MOST_SIMS = 1000, 1_000_000_000
# An expanded node has a row for each child. Up to 100,000 simulations, 2.5 rows for each were
# enough for alternating turns, and 8 in droids.
ROWS_PER_SIM = 12
DEFAULT_MAX_NODES, MOST_NODES = 1 << 21, 1 << 24  # of 56 bytes; 80 with simultaneous moves


@dataclass
class Mcts:
    """Monte Carlo tree search (UCT); plays the most-visited action.

    Ties are broken by the mean, then uniformly at random. At simultaneous moves, `regret` plays
    its average strategy.
    """

    sims: int | None = option(
        None, "simulations for a decision; 1000 without a clock", 1, MOST_SIMS, kind=int
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    c: float = option(1.4, "UCB1 exploration constant", 0.001, 100)
    rollout: int = option(2000, "maximum length of a playout in plies; 0 for none", 0, 1_000_000)
    at_once: str = option("duct", "selection at simultaneous nodes", words=" ".join(SELECTIONS))
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

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        if self.seconds:
            self.compile(rules, state, rng)
        usual = MOST_SIMS if self.seconds else DEFAULT_SIMS
        sims = usual if self.sims is None else max(1, self.sims)
        with stop_flag(self.seconds) as flag:
            tree = self.start_tree(rules, state, sims)
            done, depth = self.run_simulations(rules, state, tree, flag, rng, sims)
        self.last = (rules, state, tree) if self.keep == "yes" else None
        by_regret = tree.mover[ROOT] == BOTH and self.at_once == "regret"
        choice = draw_from_mixture(tree, seat, rng) if by_regret else most_visited(tree, seat, rng)
        return choice._replace(nodes=done, depth=depth)

    def compile(self, rules: Rules, state: State, rng: Generator) -> None:
        """Compile everything before the clock starts."""
        tree, other = mcts_tree.new_tree(rules, 1), mcts_tree.new_tree(rules, 1)
        self.run_simulations(rules, state, tree, np.zeros(1, np.int64), rng, 0)
        if self.keep == "yes":
            mcts_tree.find(rules, state, tuple(tree), ROOT, state)
            mcts_tree.copy_below(tuple(tree), ROOT, tuple(other))

    def start_tree(self, rules: Rules, state: State, sims: int) -> Tree:
        """Return the tree to grow: the subtree of the state in the last tree, or a root alone.

        The last root itself is not reused, so that asking twice gives the same answer.
        """
        usual = min(ROWS_PER_SIM * sims, DEFAULT_MAX_NODES)
        most = usual if self.nodes is None else self.nodes
        width = actions(rules)  # the children of the root always fit
        tree = mcts_tree.new_tree(
            rules, max(most, 1 + (2 * width + width**2 if ever_at_once(rules) else width))
        )
        if self.last is None:
            return tree
        last_rules, before, old = self.last
        # Rules of two games may be equal as tuples.
        if type(rules) is type(last_rules) and rules == last_rules:
            node = int(mcts_tree.find(rules, before, tuple(old), ROOT, state))
            if node != NO_NODE and old.used[0] <= len(tree.move):
                mcts_tree.copy_below(tuple(old), node, tuple(tree))
        return tree

    def run_simulations(
        self, rules: Rules, state: State, tree: Tree, flag: np.ndarray, rng: Generator, sims: int
    ) -> tuple[int, int]:
        """Simulate until the flag is set, at most `sims` times; return the number and the depth."""
        path, rewards = np.zeros(LONGEST_PATH + 1, np.int64), np.zeros(seats(rules))
        settings = UctSettings(
            float(self.c), self.rollout, SELECTIONS.index(self.at_once), self.profile
        )
        done, depth = grow(rules, state, tuple(tree), (path, rewards), flag, rng, sims, settings)
        return int(done), int(depth)


def most_visited(tree: Tree, seat: int, rng: Generator) -> Choice:
    """Return the most-visited action; ties are broken by the mean, then uniformly at random."""
    visits, values = root_statistics(tree, seat)
    top = max(visits.values())
    equals = {action: values.get(action, 0.0) for action in visits if visits[action] == top}
    action = draw_action(uniform_over_best(equals), rng)
    line = (action, *expected_line(tree, action)) if tree.mover[ROOT] != BOTH else (action,)
    total = sum(visits.values())
    shares = {action: count / total for action, count in visits.items() if total}
    return Choice(action, values.get(action, math.nan), 0, 0, line, values, shares)


def draw_from_mixture(tree: Tree, seat: int, rng: Generator) -> Choice:
    """Return an action drawn from the average strategy of a seat."""
    _, values = root_statistics(tree, seat)
    weights = {int(tree.move[row]): float(tree.weight[row]) for row in root_rows(tree, seat)}
    total = sum(weights.values())
    mixture = {
        action: weight / total if total else 1.0 / len(weights)
        for action, weight in weights.items()
    }
    choice = Choice.draw(mixture, rng, values)
    return choice._replace(line=(choice.action,))


def root_rows(tree: Tree, seat: int) -> list[int]:
    """Return the rows of a seat's actions at the root, in ascending order of the actions."""
    first, width = int(tree.first[ROOT]), int(tree.width[ROOT])
    rows = range(first, first + width)
    if tree.mover[ROOT] == BOTH:
        middle = first + part(width, 0)
        rows = range(first, middle) if seat == 0 else range(middle, middle + part(width, 1))
    return sorted(rows, key=lambda row: int(tree.move[row]))


def root_statistics(tree: Tree, seat: int) -> tuple[dict[int, int], dict[int, float]]:
    """Return the visits of each action of a seat at the root, and the means of visited ones."""
    rows = root_rows(tree, seat)
    visits = {int(tree.move[row]): int(tree.visits[row]) for row in rows}
    values = {int(tree.move[row]): float(tree.mean[row]) for row in rows if tree.visits[row]}
    return visits, values


def expected_line(tree: Tree, action: int) -> list[int]:
    """Return the most-visited line after an action, until chance or too few visits."""
    line: list[int] = []
    node = next(row for row in root_rows(tree, 0) if tree.move[row] == action)
    while tree.first[node] != NO_NODE and tree.mover[node] >= 0:
        node = max(range(*mcts_tree.children(tree, node)), key=lambda row: int(tree.visits[row]))
        if tree.visits[node] < MIN_VISITS:
            break
        line.append(int(tree.move[node]))
    return line
