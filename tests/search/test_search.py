"""Searches agree with one another, and with what is known."""

import itertools
from collections import Counter
from typing import Any

import pytest

from ludex.agents.registry import make_agent
from ludex.core.play import read_state
from ludex.core.rules import BOTH, initial, label, seats, turn
from ludex.search.alphabeta import AlphaBeta
from ludex.search.minimax import AVERAGE, WORST, candidate_values
from ludex.search.simultaneous import VIEWS
from tests.lines import both_ways, decisions, luck, random_states, replay, variant

pytestmark = pytest.mark.unmeasured

# A game, its rules, and how deep its searches are compared: compiled in games of every kind.
COMPILED: list[tuple[str, dict[str, Any], int]] = [
    ("nuts", {}, 6),
    ("arena", {}, 4),
    ("arena", {"first": "wily", "gamma-after": 2}, 3),
    ("aeroplane", {"planes": 2}, 2),
    ("aeroplane", {"stacks": "block"}, 2),
    ("aeroplane", {"seats": 3, "planes": 2}, 2),
    ("aeroplane", {"seats": 4, "planes": 1}, 3),
    ("trap", {"size": 4}, 3),
    ("trap", {}, 2),
]
INTERPRETED: list[tuple[str, dict[str, Any], int]] = [
    ("examples/tictactoe.py", {}, 4),
    ("examples/connect_four.py", {}, 3),
    ("examples/pig.py", {"goal": 20}, 4),
]
DEPTHS = [
    *(pytest.param(*one, marks=pytest.mark.compiled) for one in COMPILED),
    *(pytest.param(*one, marks=pytest.mark.plain) for one in INTERPRETED),
]


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
            known, _ = candidate_values(rules, state, seat, depth, WORST, 0)
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


@pytest.mark.parametrize(("game", "values", "deepest"), DEPTHS)
def test_maxn_with_two_seats_is_minimax(game: str, values: dict[str, Any], deepest: int) -> None:
    rules = variant(game, **values)
    for state in decisions(rules, 5):
        seat = turn(rules, state)
        known, _ = candidate_values(rules, state, seat, deepest, WORST, 0)
        choice = make_agent(f"maxn:depth={deepest}", rules).consider(rules, state, seat, luck())
        if seats(rules) == 2:
            assert choice.value == pytest.approx(max(known.values()), abs=1e-9)
        else:  # others that mind their own business are never worse for us than a conspiracy
            assert choice.value >= max(known.values()) - 1e-9


@pytest.mark.plain
def test_greedy_plays_where_both_choose_at_once() -> None:
    rules = variant("droids")
    state = read_state(rules, "2,0 2,3 5,0 0,0 40")
    chosen = make_agent("greedy", rules).consider(rules, state, 0, luck())
    assert chosen.value == max(chosen.values.values())
    assert set(chosen.values) == {0, 1, 3, 4}


@pytest.mark.plain
def test_the_same_seed_gives_the_same_move() -> None:
    for game, text in (("arena", "alphabeta:depth=3"), ("trap", "expectiminimax:depth=2")):
        rules = variant(game)
        for state in decisions(rules, 1)[:2]:
            seat = turn(rules, state)
            chosen = [
                make_agent(text, rules).consider(rules, state, seat, luck(9)) for _ in range(2)
            ]
            assert chosen[0] == chosen[1]


@pytest.mark.unmeasured
@pytest.mark.parametrize("left", range(2, 21))
def test_minimax_and_alphabeta_solve_nuts(left: int) -> None:
    rules = variant("nuts")
    state = read_state(rules, f"{left} 1")
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
    choice = make_agent("alphabeta:depth=60", rules).consider(
        rules, read_state(rules, "6 1"), 1, luck()
    )
    assert choice.depth <= 6
    assert choice.value == 1.0


def test_the_expected_line_is_lawful_and_ends_the_match() -> None:
    rules = variant("nuts")
    choice = make_agent("alphabeta:depth=40", rules).consider(rules, initial(rules), 0, luck())
    names = [f"take {action + 1}" for action in choice.line]
    assert len(names) > 3
    replay(rules, *names)


@pytest.mark.plain
def test_equal_actions_are_all_chosen_by_some_seed() -> None:
    rules = variant("nuts")
    state = read_state(rules, "5 1")  # lost, whatever is taken
    for text in ("minimax:depth=6", "alphabeta:depth=6", "random"):
        agent = make_agent(text, rules)
        chosen = {agent.consider(rules, state, 1, luck(seed)).action for seed in range(40)}
        assert chosen == {0, 1, 2}


@pytest.mark.plain
def test_expectimax_counts_on_mistakes() -> None:
    # Two left: the other must take the last if one is taken. Five left: lost against the best,
    # but against a random other every take has a chance.
    rules = variant("nuts")
    state = read_state(rules, "5 1")
    worst, _ = candidate_values(rules, state, 1, 6, WORST, 0)
    average, _ = candidate_values(rules, state, 1, 6, AVERAGE, 0)
    assert set(worst.values()) == {-1.0}
    assert all(value > -1.0 for value in average.values())


@pytest.mark.compiled
@pytest.mark.parametrize("left", [100, 99, 98, 97, 50])
def test_the_best_level_solves_nuts_of_any_size(left: int) -> None:
    # Lines of play meet after any number of moves here: without its table a search never ends.
    rules = variant("nuts", nuts=100)
    state = read_state(rules, f"{left} 0")
    choice = make_agent("best", rules).consider(rules, state, 0, luck())
    assert choice.value == (-1.0 if left % 4 == 1 else 1.0)
    if left % 4 != 1:
        assert label(rules, state, choice.action) == f"take {(left - 1) % 4}"


def test_a_clock_that_has_run_out_in_the_arena_leaves_the_last_finished_depth() -> None:
    rules = variant("arena")
    agent = AlphaBeta(seconds=0.05)
    choice = agent.consider(rules, initial(rules), 0, luck())
    assert choice.depth >= 1
    again = AlphaBeta(depth=choice.depth).consider(rules, initial(rules), 0, luck())
    assert choice.value == again.value


@pytest.mark.plain
def test_what_the_searcher_cannot_play_is_refused_with_those_that_can() -> None:
    with pytest.raises(ValueError, match="alphabeta cannot play this game: both seats choose at"):
        make_agent("alphabeta", variant("droids"))


@pytest.mark.unmeasured
@pytest.mark.plain
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
@pytest.mark.parametrize(("game", "depth"), [("arena", 3), ("trap", 2), ("nuts", 3)])
def test_compiled_searches_are_the_interpreted_ones(game: str, depth: int) -> None:
    told = both_ways("tests.search.test_search.sample", game, depth)
    assert told[0] == told[1]
    assert len(told[0]) == 10


def sample(game: str, depth: int) -> list[Any]:
    """Return choices of every kind of search, bit by bit."""
    rules = variant(game)
    return [
        (*found[:5], dict(found.values), dict(found.mixture))
        for state in decisions(rules, 2)[:2]
        for name in ("minimax", "expectimax", "maxn", "alphabeta", "alphabeta:pruning=star1")
        for text in [f"{name}{',' if ':' in name else ':'}depth={depth}"]
        for found in [make_agent(text, rules).consider(rules, state, turn(rules, state), luck(1))]
    ]


@pytest.mark.unmeasured
@pytest.mark.plain
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
