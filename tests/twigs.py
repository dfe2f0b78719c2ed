"""Games that are nothing but a tree, written as nested lists."""

from pathlib import Path
from typing import Any

from ludex.core.rules import OVER, Rules, State, turn
from ludex.games import find, rules_class
from tests.lines import random_states

# A game that is nothing but a tree: what a node is worth to seat 0, or who is to move and where
# to; chance has each as likely.
GAME = """
from typing import NamedTuple
from ludex.core.rules import CHANCE, OVER

ACTIONS = OUTCOMES = 9
TREE = {tree!r}

class TwigRules(NamedTuple):
    none: int = 0

class Twig(NamedTuple):
    at: int

def initial(rules):
    return Twig(0)

def turn(rules, state):
    return TREE[state.at][0] if isinstance(TREE[state.at], tuple) else OVER

def moves(rules, state, seat):
    return (1 << len(TREE[state.at][1])) - 1

def chance(rules, state, outcome):
    ways = TREE[state.at][1]
    return 1.0 / len(ways) if outcome < len(ways) else 0.0

def apply(rules, state, move):
    return Twig(TREE[state.at][1][move])

def returns(rules, state, seat):
    return TREE[state.at] if seat == 0 else -TREE[state.at]
"""


def numbered(nest: Any) -> list[Any]:
    """Return the nodes of nested lists; a list begins with who is to move."""
    nodes: list[Any] = []

    def add(one: Any) -> int:
        at = len(nodes)
        nodes.append(one)
        if isinstance(one, list):
            nodes[at] = (one[0], [add(child) for child in one[1:]])
        return at

    add(nest)
    return nodes


def written(folder: Path, nest: Any) -> Rules:
    """Return the rules of a game whose tree is given as nested lists."""
    file = folder / "sapling.py"
    file.write_text(GAME.format(tree=numbered(nest)))
    return rules_class(find(str(file)))()


def positions(rules: Rules, seed: int) -> list[State]:
    """Return some states of a random line, none of them over."""
    found = [state for state in random_states(rules, seed, 60) if turn(rules, state) != OVER]
    return found[:: max(1, len(found) // 3)]
