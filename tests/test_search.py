"""Searches agree with one another, and with what is known."""

import itertools
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.agents import AGENTS, make_agent, refuses
from ludex.choice import drawn, evenly
from ludex.games import find, rules_class
from ludex.play import choices, read, replay
from ludex.rules import BOTH, CHANCE, Rules, State, initial, label, seats, turn
from ludex.search.alphabeta import HIGH, PLIES, STAR1, WORK, AlphaBeta, depth_after, search
from ludex.search.mcts import Mcts
from ludex.search.plain import AVERAGE, WORST, action_values
from ludex.search.simultaneous import VIEWS, Simultaneous
from ludex.search.table import SEARCHES
from tests.lines import both_ways, random_states, variant

EXAMPLES = ("examples/tictactoe.py", "examples/connect_four.py", "examples/pig.py")
# A game, its rules, and how deep its searches are compared.
DEPTHS: list[tuple[str, dict[str, Any], int]] = [
    ("nuts", {}, 6),
    ("arena", {}, 4),
    ("arena", {"first": "wily", "gamma-after": 2}, 3),
    ("aeroplane", {"planes": 2}, 2),
    ("aeroplane", {"stacks": "block"}, 2),
    ("aeroplane", {"seats": 3, "planes": 2}, 2),
    ("aeroplane", {"seats": 4, "planes": 1}, 3),
    ("trap", {"size": 4}, 3),
    ("trap", {}, 2),
    ("examples/tictactoe.py", {}, 5),
    ("examples/connect_four.py", {}, 4),
    ("examples/pig.py", {"goal": 20}, 4),
]


def decisions(rules: Rules, seed: int, plies: int = 80) -> list[State]:
    """Return some states of a random line in which a seat is to act."""
    found = [state for state in random_states(rules, seed, plies) if turn(rules, state) >= 0]
    return found[:: max(1, len(found) // 4)]


def luck(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.compiled
@pytest.mark.parametrize("pruning", ["none", "star1", "star2"])
@pytest.mark.parametrize(("game", "values", "deepest"), DEPTHS)
def test_alphabeta_finds_what_minimax_finds(
    game: str, values: dict[str, Any], deepest: int, pruning: str
) -> None:
    rules = variant(game, **values)
    for seed, depth in itertools.product(range(4), range(1, deepest + 1)):
        agent = make_agent(f"alphabeta:depth={depth},pruning={pruning},table=1", rules)
        for state in decisions(rules, seed):
            seat = turn(rules, state)
            known, _ = action_values(rules, state, seat, depth, WORST, 0)
            choice = agent.consider(rules, state, seat, luck())
            best = max(known.values())
            assert choice.value == pytest.approx(best, abs=1e-9)
            assert known[choice.action] == pytest.approx(best, abs=1e-9)
            # Every equally good action is known to be so.
            equals = {action for action, worth in known.items() if worth >= best - 1e-9}
            assert equals <= set(choice.values)


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "depth"), [("arena", 6), ("trap", 3)])
def test_neither_the_table_nor_the_order_changes_a_value(game: str, depth: int) -> None:
    rules = variant(game)
    nodes = Counter[tuple[int, str]]()
    for state in decisions(rules, 3):
        seat, values = turn(rules, state), set()
        for size, order in itertools.product((0, 1, 64), ("yes", "no")):
            agent = AlphaBeta(depth=depth, table=size, order=order)
            choice = agent.consider(rules, state, seat, luck())
            values.add(choice.value)
            nodes[size, order] += choice.nodes
        assert max(values) == pytest.approx(min(values), abs=1e-12)
    assert nodes[64, "yes"] < nodes[0, "yes"] < nodes[0, "no"]
    assert nodes[64, "yes"] < nodes[64, "no"]


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "values", "deepest"), DEPTHS)
def test_maxn_with_two_seats_is_minimax(game: str, values: dict[str, Any], deepest: int) -> None:
    rules = variant(game, **values)
    for state in decisions(rules, 5):
        seat = turn(rules, state)
        known, _ = action_values(rules, state, seat, deepest, WORST, 0)
        choice = make_agent(f"maxn:depth={deepest}", rules).consider(rules, state, seat, luck())
        if seats(rules) == 2:
            assert choice.value == pytest.approx(max(known.values()), abs=1e-9)
        else:  # others that mind their own business are never worse for us than a conspiracy
            assert choice.value >= max(known.values()) - 1e-9


def test_greedy_plays_where_both_choose_at_once() -> None:
    rules = variant("droids")
    state = read(rules, "2,0 2,3 5,0 0,0 40")
    chosen = make_agent("greedy", rules).consider(rules, state, 0, luck())
    assert chosen.value == max(chosen.values.values())
    assert set(chosen.values) == {0, 1, 3, 4}


def test_the_same_seed_gives_the_same_move() -> None:
    for game, text in (("arena", "alphabeta:depth=3"), ("trap", "expectiminimax:depth=2")):
        rules = variant(game)
        for state in decisions(rules, 1)[:2]:
            seat = turn(rules, state)
            chosen = [
                make_agent(text, rules).consider(rules, state, seat, luck(9)) for _ in range(2)
            ]
            assert chosen[0] == chosen[1]


@pytest.mark.parametrize("left", range(2, 21))
def test_minimax_and_alphabeta_solve_nuts(left: int) -> None:
    rules = variant("nuts")
    state = read(rules, f"{left} 1")
    for text in ("minimax:depth=12", "alphabeta:depth=30"):
        if text.startswith("minimax") and left > 9:
            continue  # too slow without the JIT
        choice = make_agent(text, rules).consider(rules, state, 1, luck())
        wanted = (left - 1) % 4
        assert choice.value == (1.0 if wanted else -1.0)
        if wanted:
            assert label(rules, state, choice.action) == f"take {wanted}"


def test_alphabeta_stops_deepening_when_nothing_was_guessed() -> None:
    rules = variant("nuts")
    choice = make_agent("alphabeta:depth=60", rules).consider(rules, read(rules, "6 1"), 1, luck())
    assert choice.depth <= 6
    assert choice.value == 1.0


def test_the_expected_line_is_lawful_and_ends_the_match() -> None:
    rules = variant("nuts")
    choice = make_agent("alphabeta:depth=40", rules).consider(rules, initial(rules), 0, luck())
    names = [f"take {action + 1}" for action in choice.line]
    assert len(names) > 3
    replay(rules, *names)


def test_equal_actions_are_all_chosen_by_some_seed() -> None:
    rules = variant("nuts")
    state = read(rules, "5 1")  # lost, whatever is taken
    for text in ("minimax:depth=6", "alphabeta:depth=6", "random"):
        agent = make_agent(text, rules)
        chosen = {agent.consider(rules, state, 1, luck(seed)).action for seed in range(40)}
        assert chosen == {0, 1, 2}


def test_expectimax_counts_on_mistakes() -> None:
    # Two left: the other must take the last if one is taken. Five left: lost against the best,
    # but against a random other every take has a chance.
    rules = variant("nuts")
    state = read(rules, "5 1")
    worst, _ = action_values(rules, state, 1, 6, WORST, 0)
    average, _ = action_values(rules, state, 1, 6, AVERAGE, 0)
    assert set(worst.values()) == {-1.0}
    assert all(value > -1.0 for value in average.values())


@pytest.mark.compiled
@pytest.mark.parametrize("left", [100, 99, 98, 97, 50])
def test_the_best_level_solves_nuts_of_any_size(left: int) -> None:
    # Lines of play meet after any number of moves here: without its table a search never ends.
    rules = variant("nuts", nuts=100)
    state = read(rules, f"{left} 0")
    choice = make_agent("best", rules).consider(rules, state, 0, luck())
    assert choice.value == (-1.0 if left % 4 == 1 else 1.0)
    if left % 4 != 1:
        assert label(rules, state, choice.action) == f"take {(left - 1) % 4}"


def test_a_clock_that_has_run_out_leaves_the_last_finished_depth() -> None:
    rules = variant("arena")
    agent = AlphaBeta(seconds=0.05)
    choice = agent.consider(rules, initial(rules), 0, luck())
    assert choice.depth >= 1
    again = AlphaBeta(depth=choice.depth).consider(rules, initial(rules), 0, luck())
    assert choice.value == again.value


def test_what_the_searcher_cannot_play_is_refused_with_those_that_can() -> None:
    with pytest.raises(ValueError, match="alphabeta cannot play this game: both seats choose at"):
        make_agent("alphabeta", variant("droids"))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("alphabet", "no agent 'alphabet'; did you mean 'alphabeta'?"),
        ("alphabeta:deep=3", "alphabeta has no option 'deep'; did you mean 'depth'?"),
        ("alphabeta:depth=0", "option depth: '0': expected a whole number from 1 to 100"),
        ("alphabeta:depth=x", "option depth: 'x': expected a whole number from 1 to 100"),
        ("alphabeta:seconds=0", "option seconds: '0': expected a number above 0 up to 3600"),
        ("alphabeta:seconds=-1", "option seconds: '-1': expected a number above 0"),
        ("alphabeta:seconds=nan", "option seconds: 'nan': expected a number above 0"),
        ("alphabeta:pruning=star3", "expected none or star1 or star2"),
        ("alphabeta:depth", "option 'depth': expected NAME=VALUE"),
        ("alphabeta:", "'alphabeta:': expected NAME=VALUE after the colon"),
        ("alphabeta:depth=3,depth=5", "option 'depth' is given twice"),
        ("mcts:c=0.0001", "option c: '0.0001': expected a number above 0.001 up to 100"),
        ("hard:depth=3", "the level 'hard' has no options; it is 'minimax:depth=5'"),
        ("random:depth=3", "random has no option 'depth' (it has none)"),
    ],
)
def test_a_bad_agent_is_refused(text: str, wanted: str) -> None:
    with pytest.raises(ValueError) as refused:
        make_agent(text, variant("nuts"))
    assert wanted in str(refused.value)


@pytest.mark.compiled
def test_compiled_searches_are_the_interpreted_ones() -> None:
    told = both_ways("tests.test_search.sample")
    assert told[0] == told[1]
    assert len(told[0]) == 30


def sample() -> list[Any]:
    """Return choices of every kind of search, bit by bit."""
    return [
        (*found[:5], dict(found.values), dict(found.mixture))
        for game, depth in (("arena", 3), ("trap", 2), ("examples/tictactoe.py", 3))
        for rules in [variant(game)]
        for state in decisions(rules, 2)[:2]
        for name in ("minimax", "expectimax", "maxn", "alphabeta", "alphabeta:pruning=star1")
        for text in [f"{name}{',' if ':' in name else ':'}depth={depth}"]
        for found in [make_agent(text, rules).consider(rules, state, turn(rules, state), luck(1))]
    ]


@pytest.mark.parametrize(
    ("game", "text"),
    [
        *(("trap", f"{name}:depth=2") for name in ("minimax", "maxn", "alphabeta")),
        *(("droids", f"simultaneous:depth=2,view={view}") for view in VIEWS),
        ("droids", "mcts:sims=20"),
    ],
)
def test_a_used_agent_chooses_as_a_fresh_one(game: str, text: str) -> None:
    rules = variant(game, **{"size": 4} if game == "trap" else {"rows": 2, "columns": 3})
    used = make_agent(text, rules)
    for state in random_states(rules, 4, 12):
        if turn(rules, state) in (0, BOTH):
            found = used.consider(rules, state, 0, luck(5))
            wanted = make_agent(text, rules).consider(rules, state, 0, luck(5))
            assert found._replace(nodes=0, line=()) == wanted._replace(nodes=0, line=())


@pytest.mark.parametrize("kind", [AlphaBeta, pytest.param(Simultaneous, marks=pytest.mark.plain)])
def test_when_the_numbers_of_searches_begin_again_nothing_old_is_believed(kind: Any) -> None:
    rules = variant("nuts", nuts=40)
    agent = kind(depth=6, table=1)
    first = agent.consider(rules, initial(rules), 0, luck())
    agent.depth = 1
    used = 6 if kind is AlphaBeta else 2
    for _ in range(SEARCHES - used):
        agent.consider(rules, initial(rules), 0, luck())
    agent.depth = 6
    again = agent.consider(rules, initial(rules), 0, luck())
    assert again._replace(nodes=0) == first._replace(nodes=0)
    assert (again.depth, again.nodes > 20) == (6, True)


# Chance leads to an end, or to seat 1, which may go for the worst instead.
WAGER = """
from typing import NamedTuple
from ludex.rules import CHANCE, OVER

ACTIONS = OUTCOMES = 2

class WagerRules(NamedTuple):
    sure: int = 0
    other: int = 0

class Wager(NamedTuple):
    stage: int

def initial(rules):
    return Wager(0)

def turn(rules, state):
    return CHANCE if state.stage == 0 else 1 if state.stage == 2 else OVER

def moves(rules, state, seat):
    return 3

def chance(rules, state, outcome):
    return 0.7 if outcome else 0.3

def apply(rules, state, move):
    return Wager(state.stage + 1 + move)

def returns(rules, state, seat):
    worth = -1.0
    if state.stage == 1:
        worth = rules.sure / 1000.0
    elif state.stage == 3:
        worth = rules.other / 1000.0
    return worth if seat == 0 else -worth
"""


def test_rounding_never_makes_a_bound_exact(tmp_path: Path) -> None:
    file = tmp_path / "wager.py"
    file.write_text(WAGER)
    wager = rules_class(find(str(file)))
    rng = luck(1)
    rows, bounds, work = np.zeros((2, 3), np.int64), np.zeros((PLIES, 64, 2)), np.zeros(WORK, int)
    for _ in range(300):
        rules = wager(int(2000 * rng.random()) - 1000, int(2000 * rng.random()) - 1000)
        truth = 0.3 * rules.sure / 1000.0 - 0.7
        known = 0.3 * (rules.sure / 1000.0) + 0.7 * (rules.other / 1000.0)
        for alpha in (np.nextafter(known, -2.0), known, np.nextafter(known, 2.0)):
            rows[:] = work[:] = 0
            worth = search(
                *(rules, initial(rules), 0, 1, alpha, HIGH + 1.0, 0, STAR1, 0),
                *(rows, rows.view(np.float64)[:, -1], bounds, work),
            )
            assert worth <= alpha or worth == pytest.approx(truth, abs=1e-12)


def test_five_seats_are_too_many_for_those_that_keep_numbers_for_four(tmp_path: Path) -> None:
    file = tmp_path / "many.py"
    file.write_text(WAGER + "def seats(rules):\n    return rules.sure\n")
    many = rules_class(find(str(file)))
    for name in ("alphabeta", "maxn"):
        assert refuses(AGENTS[name], many(5)) == "it is for at most 4 seats"
        assert refuses(AGENTS[name], many(4)) == ""


def test_zero_is_not_the_same_as_not_said() -> None:
    rules = variant("nuts")
    assert AlphaBeta(depth=0).consider(rules, initial(rules), 0, luck()).depth == 1
    assert Mcts(sims=0).consider(rules, initial(rules), 0, luck()).nodes == 1


CORRIDOR = """
from typing import NamedTuple
from ludex.rules import CHANCE, OVER

ACTIONS = OUTCOMES = 1

class CorridorRules(NamedTuple):
    length: int = 600

class Corridor(NamedTuple):
    left: int

def initial(rules):
    return Corridor(rules.length)

def turn(rules, state):
    return OVER if state.left == 0 else CHANCE if state.left % 2 else 0

def moves(rules, state, seat):
    return 1

def chance(rules, state, outcome):
    return 1.0

def apply(rules, state, move):
    return Corridor(state.left - 1)

def returns(rules, state, seat):
    return 0.0
"""


@pytest.mark.parametrize("pruning", ["star1", "star2"])
def test_no_line_is_longer_than_the_room_for_it(pruning: str, tmp_path: Path) -> None:
    file = tmp_path / "corridor.py"
    file.write_text(CORRIDOR)
    rules = rules_class(find(str(file)))()
    agent = AlphaBeta(depth=1000, pruning=pruning, table=1)
    assert agent.consider(rules, initial(rules), 0, luck()).depth == 100
    assert not agent.bounds[-1].any()


def test_a_search_at_the_last_decision_sees_the_end() -> None:
    rules = variant("nuts", nuts=10)
    state = replay(rules, "take 3", "take 3", "take 3")
    for name in ("greedy", "minimax", "expectimax", "maxn", "alphabeta", "simultaneous", "mcts"):
        found = make_agent(name, rules).consider(rules, state, 1, luck())
        assert found.value == -1.0


# The shares of a choice. --------------------------------------------------------------------------


def test_equals_have_the_same_share_in_the_order_of_actions() -> None:
    assert evenly({4: 0.5, 1: 0.5 + 1e-12, 0: 0.4, 3: 0.5}) == {1: 1 / 3, 3: 1 / 3, 4: 1 / 3}
    assert list(evenly({4: 0.5, 1: 0.5})) == [1, 4]


class Fixed:
    """Always draws the same number."""

    def __init__(self, number: float) -> None:
        self.number = number

    def random(self) -> float:
        return self.number


def test_rounding_draws_nothing_that_has_no_share() -> None:
    shares = {0: 0.1, 1: 0.7, 2: 0.2 - 1e-12, 3: 0.0}
    drawing: Any = drawn
    assert drawing(shares, Fixed(1.0 - 1e-16)) == 2
    assert drawing(shares, Fixed(0.0)) == 0
    assert drawing({0: 0.0, 1: 1.0}, Fixed(0.0)) == 1


@pytest.mark.parametrize(
    "text",
    [
        *(name for name in AGENTS if name not in ("hats", "qtable")),  # they need a file
        "simultaneous:view=pessimistic,ties=random",
    ],
)
def test_actions_are_drawn_as_often_as_their_shares_say(text: str) -> None:
    rules = variant("nuts", nuts=10)
    state = read(rules, "5 1")  # lost, whatever is taken
    agent = make_agent(text, rules)
    assert agent.policy_known == (text != "mcts")
    if agent.policy_known:
        found = [agent.consider(rules, state, 1, luck(seed)) for seed in range(300)]
        assert all(one.mixture == found[0].mixture for one in found)
        assert sum(found[0].mixture.values()) == pytest.approx(1.0)
        assert set(found[0].mixture) <= set(choices(rules, state, 1))
        for action in range(3):
            often = sum(one.action == action for one in found) / len(found)
            assert often == pytest.approx(found[0].mixture.get(action, 0.0), abs=0.11)


def test_under_a_clock_no_policy_is_known() -> None:
    rules = variant("nuts")
    for text in ("alphabeta:seconds=1", "simultaneous:seconds=1", "mcts:sims=5"):
        assert not make_agent(text, rules).policy_known


@pytest.mark.compiled
@pytest.mark.parametrize("pruning", ["star1", "star2"])
def test_with_rare_outcomes_searched_less_deep_pruning_changes_nothing(pruning: str) -> None:
    rules = variant("trap", size=4)
    differs = False
    for seed, depth in itertools.product(range(3), (2, 4)):
        for state in decisions(rules, seed):
            seat = turn(rules, state)
            plain, pruned, full = (
                make_agent(f"alphabeta:depth={depth},table=1,{more}", rules)
                for more in ("rare=2,pruning=none", f"rare=2,pruning={pruning}", "pruning=none")
            )
            found = [one.consider(rules, state, seat, luck()) for one in (plain, pruned, full)]
            assert found[0].value == pytest.approx(found[1].value)
            assert found[0].nodes <= found[2].nodes
            differs |= found[0].value != pytest.approx(found[2].value)
    assert differs


def test_only_unlikely_outcomes_are_searched_less_deep() -> None:
    assert depth_after(4, 0, 0.05, 2) == 2 and depth_after(4, 0, 0.5, 2) == 4
    assert depth_after(1, 0, 0.05, 2) == 0 and depth_after(0, CHANCE, 0.05, 2) == -1
    assert depth_after(4, CHANCE, 0.05, 0) == 3
