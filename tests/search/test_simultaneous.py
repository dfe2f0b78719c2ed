"""Search where both choose at once: three views, one truth between them."""

import functools
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core.play import legal_moves, read_state
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    chance,
    estimate,
    initial,
    label,
    moves,
    pair,
    returns,
    turn,
)
from ludex.games import find, rules_class
from ludex.kernel.bits import members
from ludex.search.simultaneous import VIEWS, Simultaneous
from ludex.search.transposition import SEARCH, STOP
from tests.duels import agent, considered, decisions, duel_in
from tests.kernel.test_matrix_game import program_value
from tests.lines import both_ways, random_states, variant

pytestmark = [pytest.mark.plain, pytest.mark.unmeasured]


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    return duel_in(tmp_path_factory.mktemp("games"))


def small(**texts: int) -> Rules:
    return variant("droids", **{"rows": 2, "columns": 3, "shots": 2, "rounds": 4} | texts)


ANSWERS = {
    "pessimistic": lambda game: float(game.min(axis=1).max()),
    "optimistic": lambda game: float(game.max(axis=0).min()),
    "mixed": program_value,
}


@functools.cache
def truth(rules: Rules, state: State, seat: int, depth: int, view: str) -> float:
    """Return what a state is worth to a seat within the horizon."""
    mover = turn(rules, state)
    if mover == OVER:
        return float(returns(rules, state, seat))
    if mover == CHANCE:
        return sum(
            chance(rules, state, outcome)
            * truth(rules, apply(rules, state, outcome), seat, depth, view)
            for outcome in legal_moves(rules, state)
        )
    if depth == 0:
        return float(estimate(rules, state, seat))
    if mover == BOTH:
        ours, theirs = members(moves(rules, state, seat)), members(moves(rules, state, 1 - seat))
        joint = [[pair(a, b) if seat == 0 else pair(b, a) for b in theirs] for a in ours]
        game = [
            [truth(rules, apply(rules, state, move), seat, depth - 1, view) for move in row]
            for row in joint
        ]
        return ANSWERS[view](np.array(game))
    worth = [
        truth(rules, apply(rules, state, a), seat, depth - 1, view)
        for a in legal_moves(rules, state)
    ]
    return max(worth) if mover == seat else min(worth)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("shots", "rounds"), [(1, 4), (2, 3)])
def test_droids_are_worth_what_brute_force_and_a_linear_program_say(
    view: str, shots: int, rounds: int
) -> None:
    rules = small(shots=shots, rounds=rounds)
    for state, seat in decisions(rules, 6):
        for depth in (1, 2, 4):
            found = considered(rules, state, seat, view=view, depth=depth)
            assert found.value == pytest.approx(truth(rules, state, seat, depth, view), abs=1e-7)


@pytest.mark.parametrize("view", VIEWS)
def test_chance_and_turns_between_are_worth_what_brute_force_says(view: str, duel: Rules) -> None:
    for state, seat in decisions(duel, 20):
        for depth in (1, 2, 3, 4):
            found = considered(duel, state, seat, view=view, depth=depth)
            assert found.value == pytest.approx(truth(duel, state, seat, depth, view), abs=1e-7)


def test_where_paper_wins_double_scissors_are_half_of_the_mixture(duel: Rules) -> None:
    # Against rock 1/4, paper 1/4, scissors 1/2 every action is worth 0.
    rules = duel._replace(rounds=1)
    found = considered(rules, initial(rules), 0, depth=1)
    assert found.value == pytest.approx(truth(rules, initial(rules), 0, 1, "mixed"), abs=1e-9)
    assert sum(found.mixture.values()) == pytest.approx(1.0)
    assert found.mixture == pytest.approx({0: 0.25, 1: 0.25, 2: 0.5})


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_mixed_value_lies_between_the_other_two(depth: int, duel: Rules) -> None:
    apart = 0
    for rules in (small(), duel):
        for state, seat in decisions(rules, 10):
            low, high, middle = (
                considered(rules, state, seat, view=view, depth=depth).value for view in VIEWS
            )
            assert low - 1e-9 <= middle <= high + 1e-9
            apart += low < middle < high
    assert apart > 0


def test_one_seats_pessimism_is_the_others_optimism() -> None:
    rules = small(rows=3)
    for state, seat in decisions(rules, 10):
        low = considered(rules, state, seat, view="pessimistic", depth=3)
        high = considered(rules, state, 1 - seat, view="optimistic", depth=3)
        assert low.value == pytest.approx(-high.value, abs=1e-12)


@pytest.mark.parametrize("view", VIEWS)
def test_the_other_seats_view_is_the_mirror_image(view: str) -> None:
    rules = small(rows=3)
    for state, seat in decisions(rules, 10):
        one, two = state[0::2], state[1::2]
        swapped = type(state)(two[0], one[0], two[1], one[1], two[2], one[2], state.rounds)
        mine = considered(rules, state, seat, view=view, depth=3)
        other = considered(rules, swapped, 1 - seat, view=view, depth=3)
        assert other._replace(nodes=0) == mine._replace(nodes=0)


def test_the_optimist_answers_what_the_other_would_do_first(duel: Rules) -> None:
    # The other's second action leaves us 0.5 at most, its first 1.
    matrix = np.array([[1.0, -1.0], [-1.0, 0.5], [0.0, 0.0]])
    found = agent(view="optimistic").choose(
        duel, initial(duel), 0, matrix, np.random.default_rng(0)
    )
    assert (found.action, found.value) == (1, 0.5)
    assert found.values == {0: -1.0, 1: 0.5, 2: 0.0}


@pytest.mark.parametrize("view", VIEWS)
def test_neither_the_table_nor_cutting_changes_a_value(view: str, duel: Rules) -> None:
    saved = 0
    for rules in (small(rows=3), duel):
        for state, seat in decisions(rules, 10):
            plain = considered(rules, state, seat, view=view, depth=3, table=0, unpruned=1)
            for options in ({"table": 0}, {"unpruned": 1}, {}):
                found = considered(rules, state, seat, view=view, depth=3, **options)
                assert found._replace(nodes=0) == plain._replace(nodes=0)
                saved += plain.nodes - found.nodes
    assert saved > 0


def test_a_small_table_changes_no_value() -> None:
    rules = variant("droids", rounds=9)
    state = read_state(rules, "1,1 2,2 5,4 0,0 8")
    plain = considered(rules, state, 0, view="pessimistic", depth=3, table=0)
    tight = agent(view="pessimistic", depth=3)
    tight.consider(rules, state, 0, np.random.default_rng(1))
    assert tight.states is not None
    tight.states = type(tight.states)(tight.states.rows[:16] * 0, tight.states.values[:16] * 0)
    found = tight.consider(rules, state, 0, np.random.default_rng(1))
    assert found._replace(nodes=0) == plain._replace(nodes=0)


def test_what_was_kept_for_one_seat_or_rule_is_not_told_to_another() -> None:
    one = agent(view="pessimistic", depth=3)
    for shots, seat in ((2, 0), (1, 0), (1, 1)):
        rules = small(rows=3, shots=shots)
        state = read_state(rules, "1,0 1,2 1,1 0,0 3")
        one.work[SEARCH] = 7  # so that what was noted for another would be believed
        found = one.consider(rules, state, seat, np.random.default_rng(1))
        fresh = considered(rules, state, seat, view="pessimistic", depth=3)
        assert found._replace(nodes=0) == fresh._replace(nodes=0)


@pytest.mark.compiled
def test_compiled_and_interpreted_choices_in_droids_are_the_same() -> None:
    told = both_ways("tests.search.test_simultaneous.sample")
    assert told[0] == told[1]
    assert len(told[0]) > 20


def sample() -> list[Any]:
    """Return choices in small droids, bit by bit."""
    rules = small()
    return [
        (*found[:4], dict(found.values), dict(found.mixture))
        for state, seat in decisions(rules, 3)
        for view in VIEWS
        for found in [considered(rules, state, seat, view=view, depth=2)]
    ]


@pytest.mark.compiled
def test_the_clock_stops_it_and_the_last_finished_depth_answers() -> None:
    rules = variant("droids")
    considered(rules, initial(rules), 0, depth=2, view="mixed")
    began = time.process_time()
    found = considered(rules, initial(rules), 0, seconds=0.1, view="mixed", table=16)
    assert time.process_time() - began < 0.3  # not by the wall: others run beside this
    assert 2 <= found.depth < 50
    same = considered(rules, initial(rules), 0, depth=found.depth, view="mixed", table=16)
    assert found._replace(nodes=0) == same._replace(nodes=0)


def test_a_clock_that_ran_out_before_does_not_stop_the_first_depth() -> None:
    rules = variant("trap", size=4)
    state = apply(rules, initial(rules), legal_moves(rules, initial(rules))[0])  # a throw is next
    one = agent(seconds=0.001)
    for _ in range(2):
        found = one.consider(rules, state, 0, np.random.default_rng(1))
        same = considered(rules, state, 0, depth=found.depth)
        assert found._replace(nodes=0) == same._replace(nodes=0)
        one.work[STOP] = 1  # should the clock have been late


TWINS = """
from typing import NamedTuple
from ludex.core.rules import BOTH, OVER

ACTIONS, AT_ONCE = 2, True

class {name}Rules(NamedTuple):
    rounds: int = 3

class {name}(NamedTuple):
    left: int

def initial(rules):
    return {name}(rules.rounds)

def turn(rules, state):
    return BOTH if state.left > 0 else OVER

def moves(rules, state, seat):
    return 3

def apply(rules, state, move):
    return {name}(state.left - 1)

def returns(rules, state, seat):
    return {worth} if seat == 0 else -{worth}
"""


def test_what_was_kept_for_one_game_is_not_told_to_another(tmp_path: Path) -> None:
    one = agent(depth=3)
    for name, worth in (("Won", 1.0), ("Lost", -1.0)):
        file = tmp_path / f"{name.lower()}.py"
        file.write_text(TWINS.format(name=name, worth=worth))
        rules = rules_class(find(str(file)))()
        one.work[SEARCH] = 7  # so that what was noted for another would be believed
        assert one.consider(rules, initial(rules), 0, np.random.default_rng(1)).value == worth


def test_it_stops_deepening_when_it_has_seen_every_end() -> None:
    rules = small(rounds=3)
    found = considered(rules, initial(rules), 0, seconds=60.0)
    assert found.depth == 3


def test_the_estimate_of_droids_lies_inside_and_changes_sign_with_the_seat() -> None:
    for rules in (variant("droids"), variant("droids", shots=20, rounds=200)):
        for seed in range(10):
            for state in random_states(rules, seed):
                worth = estimate(rules, state, 0)
                assert -1.0 < worth < 1.0
                assert worth == -estimate(rules, state, 1)


def test_actions_are_worth_what_they_get_from_an_opponent_that_hopes_too() -> None:
    rules = variant("droids")
    state = read_state(rules, "3,2 2,2 3,3 0,0 1")  # who is in line and does not shoot may be hit
    for seat, wrong in ((0, {"up"}), (1, {"up", "down"})):
        choice = Simultaneous(depth=2).consider(rules, state, seat, np.random.default_rng(1))
        worse = {label(rules, state, one) for one, worth in choice.values.items() if worth < -0.9}
        assert choice.value == 0.0 and worse == wrong


def test_a_point_is_worth_more_than_any_number_of_shots() -> None:
    rules = variant("droids")
    behind = estimate(rules, read_state(rules, "0,0 3,3 4,0 0,0 40"), 0)
    ahead = estimate(rules, read_state(rules, "0,0 3,3 0,4 1,0 40"), 0)
    assert 0.0 < behind < ahead


def test_a_trapped_droid_without_shots_is_hit() -> None:
    # Both steps out of the corner lead into the laser.
    rules = variant("droids")
    state = read_state(rules, "1,1 0,0 1,0 0,0 9")
    found = considered(rules, state, 0, view="pessimistic", depth=2)
    assert (found.action, found.value) == (4, 1.0)


@pytest.mark.compiled
def test_the_careful_droid_beats_random_play_and_is_never_beaten() -> None:
    rules = variant("droids")
    one = agent(view="pessimistic", depth=3)
    rng = np.random.default_rng(4)
    results = []
    for number in range(60):
        seat, state = number % 2, initial(rules)
        while turn(rules, state) != OVER:
            action = one.consider(rules, state, seat, rng).action
            others = members(moves(rules, state, 1 - seat))
            other = others[int(rng.random() * len(others))]
            state = apply(rules, state, pair(action, other) if seat == 0 else pair(other, action))
        results.append(returns(rules, state, seat))
    assert min(results) >= 0.0
    assert sum(results) >= 55.0  # 99 of 100 in the long run


def test_on_a_small_board_no_droid_need_lose_even_if_each_choice_is_seen_in_advance() -> None:
    rules = variant("droids", rows=3, columns=3, shots=2, rounds=4)
    for seat in (0, 1):
        found = considered(rules, initial(rules), seat, depth=4, view="pessimistic")
        assert found.value == 0.0


def test_three_seats_are_refused() -> None:
    assert Simultaneous.refuses(variant("aeroplane", seats=3)) == "it is for two seats"
    assert Simultaneous.refuses(variant("droids")) == ""


def test_an_ordinary_game_is_played_as_by_minimax() -> None:
    rules = variant("nuts", nuts=10)
    found = considered(rules, initial(rules), 0, depth=10)
    assert (found.action, found.value) == (0, 1.0)
