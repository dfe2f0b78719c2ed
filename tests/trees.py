"""Monte Carlo tree search, as tests ask it, and the trees that it grows."""

from typing import Any

import numpy as np

from ludex.core.choice import Choice
from ludex.core.play import legal_moves
from ludex.core.rules import CHANCE, Rules, State, apply, initial, seats, turn
from ludex.search.mcts import LONGEST_PATH, Mcts
from ludex.search.mcts_tree import Tree, new_tree
from ludex.search.uct import DUCT, UctSettings, grow
from tests.lines import luck


def decision(rules: Rules) -> State:
    """Return the first state in which a seat chooses; chance brings its last outcome."""
    state = initial(rules)
    while turn(rules, state) == CHANCE:
        state = apply(rules, state, legal_moves(rules, state)[-1])
    return state


def asked(rules: Rules, state: State, seed: int = 0, **options: Any) -> Choice:
    """Return what the agent chooses for the seat whose turn it is, or for seat 0 of both."""
    return Mcts(**options).consider(rules, state, max(turn(rules, state), 0), luck(seed))


def grown(
    rules: Rules,
    state: State,
    sims: int,
    selection: int = DUCT,
    nodes: int = 4000,
    growing: Any = grow,
) -> Tree:
    """Return the tree after some simulations."""
    tree = new_tree(rules, nodes)
    scratch, flag = (np.zeros(LONGEST_PATH + 1, np.int64), np.zeros(seats(rules))), np.zeros(1, int)
    settings = UctSettings(1.4, 2000, selection, 0)
    growing(rules, state, tuple(tree), scratch, flag, luck(3), sims, settings)
    return tree


def interpreted(function: Any) -> Any:
    return getattr(function, "py_func", function)
