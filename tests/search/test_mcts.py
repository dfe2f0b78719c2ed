"""Monte Carlo tree search finds what is known, and keeps honest accounts."""

from typing import Any

import pytest

from ludex.core.play import legal_moves, read_state
from ludex.core.rules import BOTH, OVER, Rules, apply, initial, returns, turn
from ludex.search.mcts import SELECTIONS, Mcts, most_visited
from ludex.search.mcts_tree import NO_NODE, ROOT, children
from ludex.search.minimax import WORST, candidate_values
from ludex.search.uct import DUCT, REGRET, grow
from tests.lines import luck, replay, variant
from tests.trees import asked, decision, grown, interpreted

# Games of every kind: alternating moves, chance with two to four seats, and choices at once.
COMPILED: list[tuple[str, dict[str, Any]]] = [
    ("nuts", {}),
    ("aeroplane", {}),
    ("aeroplane", {"seats": 3}),
    ("aeroplane", {"seats": 4, "planes": 2}),
    ("droids", {}),
]
INTERPRETED: list[tuple[str, dict[str, Any]]] = [
    ("arena", {}),
    ("trap", {"size": 4}),
    ("examples/tictactoe.py", {}),
    ("examples/pig.py", {"goal": 20}),
]
CASES = [
    # Lines of aeroplane are long, and the interpreter is slow.
    *(
        pytest.param(*one, marks=[pytest.mark.compiled] * (one[0] == "aeroplane"))
        for one in COMPILED
    ),
    *(pytest.param(*one, marks=pytest.mark.plain) for one in INTERPRETED),
]


# What it finds. ----------------------------------------------------------------------------------


@pytest.mark.compiled
def test_nuts_takes_right_from_every_winning_position() -> None:
    rules = variant("nuts")
    for left in range(2, 22):
        if left % 4 != 1:
            state = read_state(rules, f"{left} 0")
            choice = asked(rules, state, sims=100_000)
            assert choice.action + 1 == (left - 1) % 4, left
            assert choice.value > 0.0


@pytest.mark.plain
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
                state = apply(rules, state, int(rng.choice(legal_moves(rules, state))))
        assert returns(rules, state, seat) >= 0.0


@pytest.mark.unmeasured
@pytest.mark.plain
def test_connect_four_wins_in_one() -> None:
    rules = variant("examples/connect_four.py")
    moves = ["column 4", "column 1"] * 3
    assert asked(rules, replay(rules, *moves), sims=300).action == 3
    # And sees it coming: the other's three are blocked.
    assert asked(rules, replay(rules, *moves[:5]), sims=2000).action == 3


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("planes", "position"),
    [(1, "B:f5 G:f4 2 0"), (2, "B:f5,f1 G:home,f2 5 0"), (2, "B:f3,f5 G:home,f2 3 0")],
)
def test_values_come_near_those_of_expectiminimax(planes: int, position: str) -> None:
    assert_near_expectiminimax(variant("aeroplane", planes=planes), position, 7, 100_000)


@pytest.mark.unmeasured
@pytest.mark.plain
@pytest.mark.parametrize("position", ["6 8 4 0 0", "10 10 0 1 0"])
def test_values_of_pig_come_near_those_of_expectiminimax(position: str) -> None:
    assert_near_expectiminimax(variant("examples/pig.py", goal=12), position, 6, 8000)


def assert_near_expectiminimax(rules: Rules, position: str, depth: int, sims: int) -> None:
    state = read_state(rules, position)
    exact, _ = candidate_values(rules, state, turn(rules, state), depth, WORST, 0)
    choice = asked(rules, state, sims=sims)
    assert choice.value == pytest.approx(max(exact.values()), abs=0.03)
    assert exact[choice.action] == max(exact.values())


# Its accounts. -----------------------------------------------------------------------------------


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "values"), COMPILED)
@pytest.mark.parametrize("selection", [DUCT, REGRET])
def test_compiled_and_interpreted_trees_are_the_same(
    game: str, values: dict[str, Any], selection: int
) -> None:
    rules = variant(game, **values)
    state = decision(rules)
    one = grown(rules, state, 150, selection)
    other = grown(rules, state, 150, selection, growing=interpreted(grow))
    used = int(one.used[0])
    assert other.used[0] == used > 1
    for column in ("move", "first", "visits", "mean", "inverse_root", "regret", "weight", "second"):
        ours, theirs = getattr(one, column)[:used], getattr(other, column)[:used]
        assert (ours == theirs).all(), column


@pytest.mark.unmeasured
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


@pytest.mark.unmeasured
@pytest.mark.plain
def test_three_and_four_seats_each_seek_their_own() -> None:
    # Whoever is to move is one step from home with a roll of one, and goes there.
    for count, planes in ((3, "R:{} B:{} Y:{}"), (4, "R:{} B:{} Y:{} G:{}")):
        rules = variant("aeroplane", seats=count, planes=2)
        for seat in range(count):
            sides = planes.format(*("home,f5" if one == seat else "h,l" for one in range(count)))
            choice = asked(rules, read_state(rules, f"{sides} 1 {seat}"), sims=30)
            assert (choice.action, choice.value) == (1, 1.0)
        state = decision(rules)
        choice = asked(rules, state, sims=200)
        assert choice.action in legal_moves(rules, state)
        assert choice.nodes == 200


@pytest.mark.parametrize(("game", "values"), CASES)
def test_the_same_seed_gives_the_same_move(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    state = decision(rules)
    for selection in SELECTIONS if turn(rules, state) == BOTH else ("duct",):
        agent = Mcts(sims=80, at_once=selection, keep="yes")
        choices = [agent.consider(rules, state, 0, luck(7)) for _ in range(2)]
        assert choices[0] == choices[1] == asked(rules, state, 7, sims=80, at_once=selection)


@pytest.mark.plain
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


@pytest.mark.plain
def test_what_is_tried_first_is_any_action() -> None:
    rules = variant("arena")
    assert len({asked(rules, initial(rules), seed, sims=1).action for seed in range(30)}) > 5


@pytest.mark.plain
def test_a_choice_tells_the_line_and_the_shares() -> None:
    rules = variant("nuts", nuts=10)
    choice = asked(rules, read_state(rules, "6 0"), sims=600)
    assert choice.action == choice.line[0] == 0
    assert len(choice.line) >= 2
    assert sorted(choice.values) == [0, 1, 2]
    assert sum(choice.mixture.values()) == pytest.approx(1.0)
    assert choice.mixture[0] == max(choice.mixture.values())
    assert choice.nodes == 600
    assert 2 <= choice.depth <= 6


@pytest.mark.plain
def test_a_line_ends_where_chance_begins() -> None:
    rules = variant("examples/pig.py")
    choice = asked(rules, initial(rules), sims=300)
    assert choice.line == (0,)


@pytest.mark.plain
def test_without_a_rollout_it_asks_the_estimate() -> None:
    # Far from the end, the estimate of nuts is always 0, and so is every mean.
    rules = variant("nuts", nuts=100)
    choice = asked(rules, initial(rules), sims=60, rollout=0)
    assert set(choice.values.values()) == {0.0}
    assert set(asked(rules, initial(rules), sims=60).values.values()) != {0.0}
