"""Monte Carlo tree search finds what is known, keeps honest accounts, and keeps to its budget."""

from typing import Any

import numpy as np
import pytest

from ludex.choice import Choice
from ludex.draw import draw_action
from ludex.games import GAMES, find, rules_class
from ludex.play import choices, lawful, read, replay
from ludex.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    initial,
    returns,
    seats,
    turn,
)
from ludex.search.mcts import DEEPEST, WAYS, Mcts, most_visited, of_mixture
from ludex.search.plain import WORST, action_values
from ludex.search.tree import NO_NODE, ROOT, Tree, children, copy_below, new_tree
from ludex.search.tree import find as find_node
from ludex.search.uct import DUCT, REGRET, grow
from tests.lines import random_states, variant

# One choice of both at once. Action 1 beats 0 and wins `win` halves; 2 beats 1, and 0 beats 2,
# and both win one half.
MATRIX = """
from typing import NamedTuple
from ludex.rules import BOTH, OVER, part

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


def luck(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def decision(rules: Rules) -> State:
    """Return the first state in which a seat chooses; chance brings its last outcome."""
    state = initial(rules)
    while turn(rules, state) == CHANCE:
        state = apply(rules, state, lawful(rules, state)[-1])
    return state


def asked(rules: Rules, state: State, seed: int = 0, **options: Any) -> Choice:
    """Return what the agent chooses for the seat whose turn it is, or for seat 0 of both."""
    return Mcts(**options).consider(rules, state, max(turn(rules, state), 0), luck(seed))


def grown(
    rules: Rules, state: State, sims: int, way: int = DUCT, nodes: int = 4000, growing: Any = grow
) -> Tree:
    """Return the tree after some simulations."""
    tree = new_tree(rules, nodes)
    path, worth, flag = np.zeros(DEEPEST + 1, np.int64), np.zeros(seats(rules)), np.zeros(1, int)
    growing(rules, state, tuple(tree), path, worth, flag, luck(3), sims, 1.4, 2000, way, 0)
    return tree


def interpreted(function: Any) -> Any:
    return getattr(function, "py_func", function)


# Their lines are long, and the interpreter is slow.
LONG = ("aeroplane", "trap")


def case(game: str, **values: Any) -> Any:
    """Return the parameters of a case; one with long lines is for compiled code."""
    return pytest.param(game, values, marks=[pytest.mark.compiled] if game in LONG else [])


CASES = [
    *(case(game) for game in GAMES),
    case("aeroplane", seats=3),
    case("aeroplane", seats=4, planes=2),
    case("examples/tictactoe.py"),
    case("examples/pig.py", goal=20),
]


# What it finds. ----------------------------------------------------------------------------------


@pytest.mark.compiled
def test_nuts_takes_right_from_every_winning_position() -> None:
    rules = variant("nuts")
    for left in range(2, 22):
        if left % 4 != 1:
            state = read(rules, f"{left} 0")
            choice = asked(rules, state, sims=100_000)
            assert choice.action + 1 == (left - 1) % 4, left
            assert choice.value > 0.0


def test_tic_tac_toe_wins_at_once_and_blocks() -> None:
    rules = variant("examples/tictactoe.py")
    wins = replay(rules, "cell 1", "cell 4", "cell 2", "cell 5")
    blocks = replay(rules, "cell 1", "cell 5", "cell 2")
    for seed in range(3):
        win = asked(rules, wins, seed, sims=200)
        assert (win.action, win.value) == (2, 1.0)
        assert asked(rules, blocks, seed, sims=400).action == 2


@pytest.mark.compiled
def test_tic_tac_toe_never_loses_to_random_play() -> None:
    rules = variant("examples/tictactoe.py")
    agent, rng = Mcts(sims=1000), luck()
    for number in range(40):
        state, seat = initial(rules), number % 2
        while turn(rules, state) != OVER:
            mover = turn(rules, state)
            if mover == seat:
                state = apply(rules, state, agent.consider(rules, state, seat, rng).action)
            else:
                state = apply(rules, state, draw_action(rules, state, mover, rng))
        assert returns(rules, state, seat) >= 0.0


def test_connect_four_wins_in_one() -> None:
    rules = variant("examples/connect_four.py")
    moves = ["column 4", "column 1"] * 3
    assert asked(rules, replay(rules, *moves), sims=300).action == 3
    # And sees it coming: the other's three are blocked.
    assert asked(rules, replay(rules, *moves[:5]), sims=2000).action == 3


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "values", "position"),
    [
        ("examples/pig.py", {"goal": 12}, "6 8 4 0 0"),
        ("examples/pig.py", {"goal": 12}, "10 10 0 1 0"),
        ("aeroplane", {"planes": 1}, "B:f5 G:f4 2 0"),
        ("aeroplane", {"planes": 2}, "B:f5,f1 G:home,f2 5 0"),
        ("aeroplane", {"planes": 2}, "B:f3,f5 G:home,f2 3 0"),
    ],
)
def test_values_come_near_those_of_expectiminimax(
    game: str, values: dict[str, Any], position: str
) -> None:
    rules = variant(game, **values)
    state = read(rules, position)
    exact, _ = action_values(rules, state, turn(rules, state), 7, WORST, 0)
    choice = asked(rules, state, sims=100_000)
    assert choice.value == pytest.approx(max(exact.values()), abs=0.03)
    assert exact[choice.action] == max(exact.values())


# Both at once. -----------------------------------------------------------------------------------


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
    again = [of_mixture(tree, 0, rng) for _ in range(300)]
    assert all(choice.mixture == mixture for choice in again)
    for action, share in mixture.items():
        met = sum(choice.action == action for choice in again) / len(again)
        assert met == pytest.approx(share, abs=0.1)


@pytest.mark.parametrize("way", WAYS)
def test_both_at_once_is_played_lawfully(way: str, matrix: Rules) -> None:
    for rules in (variant("droids", rounds=12), matrix):
        for state in random_states(rules, 4):
            for seat in (0, 1) if turn(rules, state) == BOTH else ():
                choice = Mcts(sims=60, at_once=way).consider(rules, state, seat, luck())
                assert choice.line == (choice.action,)
                assert choice.action in choices(rules, state, seat) == sorted(choice.mixture)
                assert sum(choice.mixture.values()) == pytest.approx(1.0)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("seat", [0, 1])
def test_a_hit_that_wins_is_seen_both_ways(way: str, seat: int) -> None:
    # In the last round only one has a shot, and in one row it hits whatever the other does.
    rules = variant("droids", rows=1, columns=4)
    state = read(rules, f"0,0 0,3 {'0,1' if seat else '1,0'} 0,0 1")
    choice = Mcts(sims=400, at_once=way).consider(rules, state, seat, luck())
    assert max(choice.mixture, key=lambda action: choice.mixture[action]) == 4
    assert choice.values[4] == 1.0


# Its accounts. -----------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "values"), CASES)
@pytest.mark.parametrize("way", [DUCT, REGRET])
def test_compiled_and_interpreted_trees_are_the_same(
    game: str, values: dict[str, Any], way: int
) -> None:
    rules = variant(game, **values)
    state = decision(rules)
    one = grown(rules, state, 150, way)
    other = grown(rules, state, 150, way, growing=interpreted(grow))
    used = int(one.used[0])
    assert other.used[0] == used > 1
    for column in ("move", "first", "visits", "mean", "rarity", "regret", "weight", "second"):
        ours, theirs = getattr(one, column)[:used], getattr(other, column)[:used]
        assert (ours == theirs).all(), column


@pytest.mark.parametrize(("game", "values"), CASES)
def test_a_node_was_visited_once_more_than_its_children(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    tree = grown(rules, decision(rules), 300, REGRET)
    assert tree.visits[ROOT] == 300
    expanded = 0
    for node in range(int(tree.used[0])):
        assert -1.0 <= tree.mean[node] <= 1.0
        if tree.visits[node] and tree.first[node] != NO_NODE:
            expanded += 1
            below = tree.visits[slice(*children(tree, node))]
            # The root is expanded at once, every other node when it is met again.
            assert tree.visits[node] == below.sum() + (node != ROOT)
            if tree.mover[node] == BOTH:
                first, (pairs, _) = int(tree.first[node]), children(tree, node)
                assert tree.visits[first:pairs].sum() == 2 * below.sum()
    assert expanded > 3


def test_three_and_four_seats_each_seek_their_own() -> None:
    # Whoever is to move is one step from home with a roll of one, and goes there.
    for count, planes in ((3, "R:{} B:{} Y:{}"), (4, "R:{} B:{} Y:{} G:{}")):
        rules = variant("aeroplane", seats=count, planes=2)
        for seat in range(count):
            sides = planes.format(*("home,f5" if one == seat else "h,l" for one in range(count)))
            choice = asked(rules, read(rules, f"{sides} 1 {seat}"), sims=30)
            assert (choice.action, choice.value) == (1, 1.0)
        state = decision(rules)
        choice = asked(rules, state, sims=200)
        assert choice.action in lawful(rules, state)
        assert choice.nodes == 200


@pytest.mark.parametrize(("game", "values"), CASES)
def test_the_same_seed_gives_the_same_move(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    state = decision(rules)
    for way in WAYS if turn(rules, state) == BOTH else ("duct",):
        agent = Mcts(sims=80, at_once=way, keep="yes")
        choices = [agent.consider(rules, state, 0, luck(7)) for _ in range(2)]
        assert choices[0] == choices[1] == asked(rules, state, 7, sims=80, at_once=way)


def test_most_visits_decide_then_the_mean_then_luck() -> None:
    rules = variant("nuts")
    tree = grown(rules, initial(rules), 20)
    first = int(tree.first[ROOT])
    moves = [int(move) for move in tree.move[first : first + 3]]
    for visits, means, fine in (
        ((9, 5, 5), (0.1, 0.9, 0.2), {0}),
        ((9, 9, 5), (0.1, 0.2, 0.9), {1}),
        ((5, 9, 9), (0.9, 0.2, 0.2), {1, 2}),
    ):
        tree.visits[first : first + 3], tree.mean[first : first + 3] = visits, means
        chosen = {most_visited(tree, 0, luck(seed)).action for seed in range(30)}
        assert chosen == {moves[row] for row in fine}


def test_what_is_tried_first_is_any_action() -> None:
    rules = variant("arena")
    assert len({asked(rules, initial(rules), seed, sims=1).action for seed in range(30)}) > 5


def test_a_choice_tells_the_line_and_the_shares() -> None:
    rules = variant("nuts", nuts=10)
    choice = asked(rules, read(rules, "6 0"), sims=600)
    assert choice.action == choice.line[0] == 0
    assert len(choice.line) >= 2
    assert sorted(choice.values) == [0, 1, 2]
    assert sum(choice.mixture.values()) == pytest.approx(1.0)
    assert choice.mixture[0] == max(choice.mixture.values())
    assert choice.nodes == 600
    assert 2 <= choice.depth <= 6


def test_a_line_ends_where_chance_begins() -> None:
    rules = variant("examples/pig.py")
    choice = asked(rules, initial(rules), sims=300)
    assert choice.line == (0,)


def test_without_a_rollout_it_asks_the_estimate() -> None:
    # Far from the end, the estimate of nuts is always 0, and so is every mean.
    rules = variant("nuts", nuts=100)
    choice = asked(rules, initial(rules), sims=60, rollout=0)
    assert set(choice.values.values()) == {0.0}
    assert set(asked(rules, initial(rules), sims=60).values.values()) != {0.0}


# Its budget. -------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "game", ["nuts", "droids", pytest.param("trap", marks=pytest.mark.compiled)]
)
def test_a_small_tree_is_full_and_goes_on_learning(game: str, way: str) -> None:
    rules = variant(game)
    agent = Mcts(sims=400, nodes=64, at_once=way, keep="yes")
    choice = agent.consider(rules, initial(rules), 0, luck())
    assert agent.last is not None
    tree = agent.last[2]
    assert len(tree.move) == 64
    assert tree.used[0] <= 64
    assert choice.nodes == tree.visits[ROOT] == 400


def test_the_root_has_room_in_any_case() -> None:
    rules = variant("arena")
    assert sorted(asked(rules, initial(rules), sims=1).mixture) == list(range(9))


def test_a_flag_that_is_set_stops_it_after_one_simulation() -> None:
    rules = variant("arena")
    tree = new_tree(rules, 1000)
    path, worth, flag = np.zeros(DEEPEST + 1, np.int64), np.zeros(2), np.ones(1, np.int64)
    done, _ = grow(
        rules, initial(rules), tuple(tree), path, worth, flag, luck(), 10**9, 1.4, 2000, DUCT, 0
    )
    assert done == 1


def test_a_clock_ends_what_has_no_other_end() -> None:
    rules = variant("nuts")
    choice = asked(rules, initial(rules), seconds=0.05)
    assert choice.nodes >= 1
    assert asked(rules, initial(rules), seconds=60, sims=20).nodes == 20


# The tree between moves. -------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "values"), [("nuts", {}), ("arena", {}), ("aeroplane", {"planes": 1}), ("droids", {})]
)
def test_after_both_have_moved_the_tree_is_found_again(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    state = decision(rules)
    agent = Mcts(sims=2000, keep="yes")
    agent.consider(rules, state, 0, luck())
    assert agent.last is not None
    old = agent.last[2]
    # The most visited line until seat 0 is to act again.
    node = ROOT
    while node == ROOT or turn(rules, state) not in (0, BOTH):
        node = max(range(*children(old, node)), key=lambda row: int(old.visits[row]))
        state = apply(rules, state, int(old.move[node]))
    carried = int(old.visits[node])
    assert carried >= 8
    agent.consider(rules, state, 0, luck())
    assert agent.last is not None
    assert agent.last[1] == state
    assert agent.last[2].visits[ROOT] >= carried + 2000


def test_what_is_kept_is_the_tree_below() -> None:
    rules = variant("droids")
    start = initial(rules)
    old = grown(rules, start, 500, REGRET)
    node = max(range(*children(old, ROOT)), key=lambda row: int(old.visits[row]))
    state = apply(rules, start, int(old.move[node]))
    for search, copy in ((find_node, copy_below), map(interpreted, (find_node, copy_below))):
        assert search(rules, start, tuple(old), ROOT, state) == node
        new = new_tree(rules, 4000)
        copy(tuple(old), node, tuple(new))
        assert same_below(old, node, new, ROOT) == new.used[0]


def same_below(old: Tree, node: int, new: Tree, other: int) -> int:
    """Compare two trees row by row, and return how many rows they have."""
    for column in ("visits", "mean", "rarity", "regret", "weight", "second"):
        assert getattr(old, column)[node] == getattr(new, column)[other]
    if old.first[node] == NO_NODE:
        assert new.first[other] == NO_NODE
        return 1
    start, end = int(old.first[node]), children(old, node)[1]
    assert children(new, other)[1] - new.first[other] == end - start
    total = 1
    for row in range(start, end):
        same = int(new.first[other]) + row - start
        assert old.move[row] == new.move[same]
        total += same_below(old, row, new, same)
    return total


def test_a_tree_of_other_rules_is_not_kept() -> None:
    agent = Mcts(sims=500, keep="yes")
    for nuts, left in ((30, 8), (21, 4)):
        rules = variant("nuts", nuts=nuts)
        agent.consider(rules, read(rules, f"{left} 0"), 0, luck())
        assert agent.last is not None
        assert agent.last[2].visits[ROOT] == 500
