"""Monte Carlo tree search where both choose at once: legal_moves, and mixed as it should be."""

import pytest

from ludex.core.play import choices, read_state
from ludex.core.rules import BOTH, Rules, initial, turn
from ludex.games import find, rules_class
from ludex.search.mcts import SELECTIONS, Mcts, draw_from_mixture
from tests.lines import luck, random_states, variant

pytestmark = pytest.mark.plain

# One choice of both at once. Action 1 beats 0 and wins `win` halves; 2 beats 1, and 0 beats 2,
# and both win one half.
MATRIX = """
from typing import NamedTuple
from ludex.core.rules import BOTH, OVER, part

ACTIONS = 3
AT_ONCE = True

class MatrixRules(NamedTuple):
    win: int = 1

class Matrix(NamedTuple):
    move: int

def initial(rules):
    return Matrix(-1)

def turn(rules, state):
    return BOTH if state.move < 0 else OVER

def legal(rules, state, seat, action):
    return 1

def apply(rules, state, move):
    return Matrix(move)

def returns(rules, state, seat):
    mine, theirs = part(state.move, seat), part(state.move, 1 - seat)
    if mine == theirs:
        return 0.0
    winner = mine if (mine - theirs) % 3 == 1 else theirs
    worth = rules.win / 2.0 if winner == 1 else 0.5
    return worth if winner == mine else -worth
"""


@pytest.fixture(scope="module")
def matrix(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    """Return the rules of rock, paper and scissors."""
    file = tmp_path_factory.mktemp("games") / "matrix.py"
    file.write_text(MATRIX)
    return rules_class(find(str(file)))()


@pytest.mark.compiled
@pytest.mark.parametrize(("win", "mixed"), [(1, (1 / 3, 1 / 3, 1 / 3)), (2, (1 / 4, 1 / 4, 1 / 2))])
def test_regret_matching_finds_the_mixture(
    matrix: Rules, win: int, mixed: tuple[float, ...]
) -> None:
    # If 1 beats 0 by a, 2 beats 1 by b and 0 beats 2 by c, then against the mixture
    # (b, c, a) / (a + b + c) every action is worth 0.
    rules = matrix._replace(win=win)
    for seat in (0, 1):
        agent = Mcts(sims=50_000, at_once="regret")
        mixture = agent.consider(rules, initial(rules), seat, luck()).mixture
        assert [mixture[action] for action in range(3)] == pytest.approx(mixed, abs=0.04)


def test_the_choice_is_drawn_from_the_mixture(matrix: Rules) -> None:
    agent, rng = Mcts(sims=50, at_once="regret", keep="yes"), luck()
    mixture = agent.consider(matrix, initial(matrix), 0, rng).mixture
    assert agent.last is not None
    tree = agent.last[2]
    again = [draw_from_mixture(tree, 0, rng) for _ in range(300)]
    assert all(choice.mixture == mixture for choice in again)
    for action, share in mixture.items():
        met = sum(choice.action == action for choice in again) / len(again)
        assert met == pytest.approx(share, abs=0.1)


@pytest.mark.unmeasured
@pytest.mark.parametrize("selection", SELECTIONS)
def test_both_at_once_is_played_lawfully(selection: str, matrix: Rules) -> None:
    for rules in (variant("droids", rounds=12), matrix):
        for state in random_states(rules, 4):
            for seat in (0, 1) if turn(rules, state) == BOTH else ():
                choice = Mcts(sims=60, at_once=selection).consider(rules, state, seat, luck())
                assert choice.line == (choice.action,)
                assert choice.action in choices(rules, state, seat) == sorted(choice.mixture)
                assert sum(choice.mixture.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("selection", SELECTIONS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_hit_that_wins_is_seen_both_ways(selection: str, seat: int) -> None:
    # In the last round only one has a shot, and in one row it hits whatever the other does.
    rules = variant("droids", rows=1, columns=4)
    state = read_state(rules, f"0,0 0,3 {'0,1' if seat else '1,0'} 0,0 1")
    choice = Mcts(sims=400, at_once=selection).consider(rules, state, seat, luck())
    assert max(choice.mixture, key=lambda action: choice.mixture[action]) == 4
    assert choice.values[4] == 1.0
