"""Solved games: every state is found, and is worth what independent programs say."""

import functools
import itertools
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludex.bits import members
from ludex.games import GAMES, find, rules_class
from ludex.play import choosers, lawful, read
from ludex.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    canonical,
    chance,
    initial,
    moves,
    pair,
    position,
    returns,
    turn,
)
from ludex.search.alphabeta import AlphaBeta
from ludex.search.simultaneous import Simultaneous
from ludex.solve import listing as listing_module
from ludex.solve.expansion import DECISIONS, LUCK, NOTHING
from ludex.solve.induction import Induction
from ludex.solve.keys import fields_for, pack, unpack, widened
from ludex.solve.listing import Listing, TooBig, best_folding, list_states, repack
from ludex.solve.size import estimated_states
from ludex.solve.solution import Solution
from ludex.solve.solving import audit, finish, silent, solution_of
from ludex.solve.verdict import verdict
from tests.lines import both_ways, random_states, variant
from tests.test_matrix import program_value
from tests.test_proof import PASSING
from tests.test_simultaneous import DUEL

TICTACTOE, PIG = "examples/tictactoe.py", "examples/pig.py"
# Four traps of nine cells are set, and the board is not its own mirror image.
LATE = "x1./x.x/.2x 0 step"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(tmp_path))


@pytest.fixture(scope="module")
def duel(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    file = tmp_path_factory.mktemp("games") / "duel.py"
    file.write_text(DUEL)
    return rules_class(find(str(file)))()


def made(rules: Rules, first: State, folding: int) -> Solution:
    """Return a solution that was never on disk."""
    induction = Induction(rules, list_states(rules, first, folding, 10**6))
    finish(induction, silent)
    return solution_of(induction, 0.0)


@functools.cache
def solution(game: str, folding: int | None = None, start: str = "", **texts: Any) -> Any:
    """Return rules, and their solution from a position on."""
    rules = variant(game, **texts)
    first = read(rules, start) if start else initial(rules)
    return rules, made(rules, first, best_folding(rules, first) if folding is None else folding)


def listed_states(listing: Listing) -> list[State]:
    return [listing.state(number) for number in range(len(listing.keys))]


def solved_states(rules: Rules, solution: Solution) -> list[State]:
    like = initial(rules)
    return [unpack(like, int(key), solution.fields) for key in solution.keys]


def sample(found: list[State], most: int) -> list[State]:
    return found[:: max(1, len(found) // most)]


# Keys. --------------------------------------------------------------------------------------------


class Numbers(NamedTuple):
    one: int
    two: int
    three: int


numbers = st.builds(Numbers, *[st.integers(-(2**18), 2**18)] * 3)


@pytest.mark.parametrize("game", GAMES)
def test_a_state_is_read_back_from_its_key(game: str) -> None:
    rules = variant(game, **{"size": 5} if game == "trap" else {})
    for seed in range(3):
        line = list(random_states(rules, seed))
        # All the fields of an arena are too many bits for compiled code, those of its end are not.
        line = line[-4:] if game == "arena" else line
        fields = fields_for(line)
        keys = np.array([pack(state, fields) for state in line])
        assert len(set(keys.tolist())) == len(set(line))
        assert keys.min() >= 0
        assert [unpack(line[0], int(key), fields) for key in keys] == line
        if fields[:, 1].sum() <= 62:
            again = keys.copy()
            repack(line[0], again, len(again), fields, fields)
            assert (again == keys).all()


@given(st.lists(numbers, min_size=1, max_size=5))
def test_negative_numbers_are_read_back_too(states: list[Numbers]) -> None:
    fields = fields_for(states)
    for state in states:
        key = pack(state, fields)
        assert 0 <= key < 1 << int(fields[:, 1].sum())
        assert unpack(state, key, fields) == state


@given(numbers, numbers)
def test_the_first_field_that_does_not_fit_is_named(state: Numbers, other: Numbers) -> None:
    fields = fields_for([state])
    wrong = [place for place in range(3) if other[place] != state[place]]
    assert pack(other, fields) == (-1 - wrong[0] if wrong else 0)


@given(st.lists(numbers, min_size=1, max_size=4), st.integers(0, 2), numbers)
def test_a_widened_field_has_room_for_both_old_and_new(
    states: list[Numbers], place: int, other: Numbers
) -> None:
    fields = fields_for(states)
    new = states[0]._replace(**{Numbers._fields[place]: other[place]})
    if pack(new, fields) >= 0:
        return
    wider = widened(fields, place, other[place])
    for state in (*states, new):
        assert unpack(state, pack(state, wider), wider) == state
    # Twice the room, so that it seldom happens.
    assert wider[place, 1] > fields[place, 1]
    others = [one for one in range(3) if one != place]
    assert (wider[others] == fields[others]).all()


def test_keys_are_moved_into_wider_fields_above_and_below() -> None:
    line = [Numbers(5, -3, 7), Numbers(6, -4, 7), Numbers(4, -3, 9)]
    fields = fields_for(line)
    for number in (900, -900):
        wider = widened(widened(fields, 0, number), 2, -number)
        keys = np.array([pack(state, fields) for state in line])
        repack(line[0], keys, len(keys), fields, wider)
        assert [unpack(line[0], int(key), wider) for key in keys] == line


# Listing. -----------------------------------------------------------------------------------------


def followers(rules: Rules, first: State) -> dict[State, set[State]]:
    """Return all states with those that follow them, symmetric ones as one."""
    found: dict[State, set[State]] = {}
    waiting = [canonical(rules, first)]
    while waiting:
        state = waiting.pop()
        if state not in found:
            after = (apply(rules, state, move) for move in lawful(rules, state))
            found[state] = {canonical(rules, one) for one in after}
            waiting += found[state]
    return found


def unfolded(rules: Rules, first: State, folding: int) -> set[State]:
    """Return the states that get a number: those that not only folded moves lead to."""
    found = {canonical(rules, first)}
    for state, after in followers(rules, first).items():
        before = turn(rules, state)
        for one in after:
            now = turn(rules, one)
            luck = folding == LUCK and before != CHANCE and now == CHANCE
            decision = folding == DECISIONS and before == CHANCE and now >= 0
            if not luck and not decision:
                found.add(one)
    return found


def small_games(duel: Rules) -> Iterator[tuple[Rules, State]]:
    trap = variant("trap", size=3)
    yield trap, read(trap, LATE)
    for rules in (
        variant(PIG, goal=5),
        variant("droids", rows=2, columns=3, shots=1, rounds=3),
        variant("nuts", nuts=12, most=5),
        duel,
    ):
        yield rules, initial(rules)


@pytest.mark.parametrize("folding", [NOTHING, LUCK, DECISIONS])
def test_all_states_that_are_not_folded_are_listed(folding: int, duel: Rules) -> None:
    for rules, first in small_games(duel):
        listing = list_states(rules, first, folding, 10**6)
        assert len(set(listing.keys.tolist())) == len(listing.keys)
        # Ends that are worth the same need not be symmetric, and then it depends on the folding
        # which of them is reached.
        found, wanted = set(listed_states(listing)), unfolded(rules, first, folding)
        assert {turn(rules, state) for state in found ^ wanted} <= {OVER}
        assert folding == DECISIONS or found == wanted


@pytest.mark.compiled
@pytest.mark.parametrize("folding", [NOTHING, LUCK, DECISIONS])
def test_all_states_of_one_plane_each_are_listed(folding: int) -> None:
    rules = variant("aeroplane", planes=1)
    listing = list_states(rules, initial(rules), folding, 10**6)
    assert set(listed_states(listing)) == unfolded(rules, initial(rules), folding)


def test_folding_leaves_no_chance_or_no_decision_behind_it(duel: Rules) -> None:
    for rules, first in small_games(duel):
        if best_folding(rules, first) == NOTHING:
            continue
        movers = {
            folding: [
                turn(rules, state)
                for state in listed_states(list_states(rules, first, folding, 10**6))
            ]
            for folding in (NOTHING, LUCK, DECISIONS)
        }
        assert CHANCE in movers[NOTHING] and CHANCE not in movers[LUCK]
        assert len(movers[DECISIONS]) < len(movers[NOTHING])


def test_known_numbers_of_states() -> None:
    for game, wanted in ((TICTACTOE, 5478), ("nuts", 42)):
        rules = variant(game)
        listing = list_states(rules, initial(rules), NOTHING, 10**6)
        assert len(listing.keys) == wanted
        assert estimated_states(rules, initial(rules)) == (wanted, True)


def test_fields_that_only_rise_or_fall_are_found() -> None:
    for game, wanted in ((TICTACTOE, [1, 1, 0]), ("nuts", [-1, 0]), ("droids", None)):
        rules = variant(game, **{"rounds": 3, "rows": 2, "columns": 3} if game == "droids" else {})
        listing = list_states(rules, initial(rules), NOTHING, 10**6)
        directions = dict(zip(listing.first._fields, listing.directions.tolist(), strict=True))
        if wanted is not None:
            assert list(directions.values()) == wanted
        for state, after in followers(rules, initial(rules)).items():
            for one, field in itertools.product(after, state._fields):
                rise = getattr(one, field) - getattr(state, field)
                assert rise * directions[field] >= 0
    assert directions["rounds"] == -1


def test_a_field_that_goes_both_ways_has_no_direction() -> None:
    rules = variant(PIG, goal=5)
    listing = list_states(rules, initial(rules), NOTHING, 10**6)
    assert listing.directions.tolist() == [1, 1, 0, 0, 0]


def test_states_are_listed_although_the_fields_were_guessed_too_narrow(
    duel: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        listing_module,
        "guessed_fields",
        lambda rules, first: fields_for([canonical(rules, first)]),
    )
    for rules, first in small_games(duel):
        listing = list_states(rules, first, NOTHING, 10**6)
        assert set(listed_states(listing)) == set(followers(rules, first))


def test_a_first_state_whose_mirror_image_stands_for_it_is_listed() -> None:
    # The traps of the mirror image are a smaller number than any that follows the state itself.
    rules = variant("trap", size=3)
    first = read(rules, "xx2/1../.xx 0 step")
    assert canonical(rules, first) < first
    listing = list_states(rules, first, LUCK, 10**6)
    assert listing.number(rules, first) == 0
    assert listing.state(0) == canonical(rules, first)
    assert made(rules, first, LUCK).listed(rules, first)


def test_states_have_numbers_and_others_have_none() -> None:
    rules = variant("nuts")
    listing = list_states(rules, initial(rules), NOTHING, 10**6)
    for number, state in enumerate(listed_states(listing)):
        assert listing.number(rules, state) == number
    # A first turn cannot leave 20 to the same seat; and one of 31 does not fit into the fields.
    assert listing.number(rules, read(rules, "20 0")) == -1
    assert listing.number(rules, initial(variant("nuts", nuts=100))) == -1


def test_more_states_than_there_is_room_for_are_too_big(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing_module, "AT_A_TIME", 100)
    rules = variant(TICTACTOE)
    with pytest.raises(TooBig, match="more than 5,000 states"):
        list_states(rules, initial(rules), NOTHING, 5000)
    with pytest.raises(TooBig, match=r"up to 2\*\*\d+ states"):
        list_states(variant("arena"), initial(variant("arena")), NOTHING, 10**6)


# Values. ------------------------------------------------------------------------------------------


def backup(rules: Rules, state: State, value: Callable[[State], float]) -> float:
    """Return what a state is worth to seat 0 by the states that follow it."""
    mover = turn(rules, state)
    if mover == OVER:
        return returns(rules, state, 0)
    if mover == BOTH:
        rows, columns = (members(moves(rules, state, seat)) for seat in (0, 1))
        game = [[value(apply(rules, state, pair(a, b))) for b in columns] for a in rows]
        return program_value(np.array(game))
    after = {move: value(apply(rules, state, move)) for move in lawful(rules, state)}
    if mover == CHANCE:
        return sum(chance(rules, state, move) * worth for move, worth in after.items())
    return max(after.values()) if mover == 0 else min(after.values())


def recursion(rules: Rules) -> Callable[[State], float]:
    """Return the definition of a value, for games without circles."""

    @functools.cache
    def value(state: State) -> float:
        return backup(rules, state, value)

    return value


def iterated(rules: Rules, first: State) -> dict[State, float]:
    """Return the values of all states, found by sweeps over all of them, no two of them as one."""
    order: dict[State, int] = {first: 0}
    rows: list[tuple[int, list[int], list[float]]] = []
    for state in (waiting := [first]):
        targets = []
        for move in lawful(rules, state):
            after = apply(rules, state, move)
            if after not in order:
                order[after] = len(order)
                waiting.append(after)
            targets.append(order[after])
        mover = turn(rules, state)
        odds = [chance(rules, state, move) for move in lawful(rules, state) if mover == CHANCE]
        rows.append((mover, targets, odds))
    widest = max(len(targets) for _, targets, _ in rows)
    following = np.array(
        [row + row[-1:] * (widest - len(row)) or [0] * widest for _, row, _ in rows]
    )
    weights = np.array([row + [0.0] * (widest - len(row)) for _, _, row in rows])
    kind = np.array([mover for mover, _, _ in rows])
    ends = np.array([returns(rules, s, 0) if turn(rules, s) == OVER else 0.0 for s in order])
    values, change = ends, 1.0
    while change > 1e-13:
        after = values[following]
        best = np.where(kind == 0, after.max(axis=1), after.min(axis=1))
        best = np.where(kind == CHANCE, (weights * after).sum(axis=1), best)
        best = np.where(kind == OVER, ends, best)
        values, change = best, float(np.abs(best - values).max())
    return dict(zip(order, values.tolist(), strict=True))


def assert_values(rules: Rules, solution: Solution, wanted: dict[State, float]) -> None:
    for state, worth in wanted.items():
        assert solution.value(rules, state) == pytest.approx(worth, abs=1e-10), position(
            rules, state
        )


@pytest.mark.parametrize(
    "most", [3, *(pytest.param(most, marks=pytest.mark.compiled) for most in (1, 2, 9))]
)
def test_the_mover_loses_where_whole_rounds_leave_one_nut(most: int) -> None:
    # A round is what both take together: the second can always make it most + 1.
    for nuts in range(10, 101):
        rules, found = solution("nuts", nuts=nuts, most=most)
        for state in [*sample(solved_states(rules, found), 10), initial(rules)]:
            if state.left:
                loses = state.left % (most + 1) == 1
                worth = found.value(rules, state) * (1 if state.seat == 0 else -1)
                assert worth == (-1.0 if loses else 1.0)


def test_every_tictactoe_position_is_worth_what_minimax_says() -> None:
    rules, found = solution(TICTACTOE)
    value = recursion(rules)
    assert value(initial(rules)) == 0.0
    assert len(found.keys) == 5478
    for state in solved_states(rules, found):
        assert found.value(rules, state) == value(state)


def pig_shares(goal: int) -> dict[tuple[int, int, int], float]:
    """Return how likely the mover wins pig by its points, the other's, and the pot."""
    shares = {
        (mine, other, pot): 0.5
        for mine, other in itertools.product(range(goal), repeat=2)
        for pot in range(goal - mine)
    }

    def share(mine: int, other: int, pot: int) -> float:
        return 1.0 if mine + pot >= goal else shares[mine, other, pot]

    change = 1.0
    while change > 1e-13:
        change = 0.0
        for (mine, other, pot), old in shares.items():
            rolled = 1.0 - share(other, mine, 0)
            rolled += sum(share(mine, other, pot + die) for die in range(2, 7))
            new = rolled / 6
            if pot:
                new = max(new, 1.0 - share(other, mine + pot, 0))
            shares[mine, other, pot] = new
            change = max(change, abs(new - old))
    return shares


def test_pig_is_worth_what_its_own_iteration_says() -> None:
    rules, found = solution(PIG, goal=10)
    first = initial(rules)
    checked = 0
    for (mine, other, pot), share in pig_shares(10).items():
        for seat, sign in ((0, 1.0), (1, -1.0)):
            points = (mine, other) if seat == 0 else (other, mine)
            state = type(first)(*points, pot, seat, 0)
            if pot != 1 and found.listed(rules, state):
                checked += 1
                worth = found.value(rules, state)
                assert worth == pytest.approx(sign * (2 * share - 1), abs=1e-11)
    assert checked > 300


def test_late_traps_are_worth_what_iteration_over_all_mirror_images_says() -> None:
    rules, found = solution("trap", start=LATE, size=3)
    assert found.folding == LUCK
    wanted = iterated(rules, read(rules, LATE))
    assert len({round(worth, 9) for worth in wanted.values()}) > 20
    twins = {state for state in wanted if canonical(rules, state) != state}
    assert any(canonical(rules, state) in wanted for state in twins)
    assert_values(rules, found, wanted)


@pytest.mark.compiled
def test_aeroplane_with_one_plane_each_is_worth_what_iteration_says() -> None:
    rules, found = solution("aeroplane", planes=1)
    wanted = iterated(rules, initial(rules))
    assert_values(rules, found, wanted)


@pytest.mark.parametrize("rows", [2, 3])
def test_droids_are_worth_what_linear_programs_say(rows: int) -> None:
    rules, found = solution("droids", rows=rows, columns=3, shots=2, rounds=4)
    value = recursion(rules)
    worths = set()
    for state in solved_states(rules, found):
        assert found.value(rules, state) == pytest.approx(value(state), abs=1e-7)
        worths.add(round(value(state), 6))
    assert worths == {-1.0, -0.5, 0.0, 0.5, 1.0}  # halves need mixtures
    assert found.facts["gap"] < 1e-12


def test_a_game_with_every_kind_of_turn_is_worth_what_its_definition_says(duel: Rules) -> None:
    value = recursion(duel)
    for folding in (NOTHING, LUCK, DECISIONS):
        found = made(duel, initial(duel), folding)
        for state in followers(duel, initial(duel)):
            assert found.value(duel, state) == pytest.approx(value(state), abs=1e-8)


@pytest.mark.compiled
def test_every_value_of_trap_follows_from_the_next_ones() -> None:
    rules, found = solution("trap", size=3)
    assert np.abs(found.values).max() <= 1.0
    for state in sample(solved_states(rules, found), 400):
        worth = backup(rules, state, lambda after: found.value(rules, after))
        assert found.value(rules, state) == pytest.approx(worth, abs=1e-12)


def test_what_is_folded_changes_neither_values_nor_hopes(duel: Rules) -> None:
    pig = variant(PIG, goal=6)
    trap = variant("trap", size=3)
    for rules, first in ((pig, initial(pig)), (trap, read(trap, LATE)), (duel, initial(duel))):
        plain = made(rules, first, NOTHING)
        for folding in (LUCK, DECISIONS):
            found = made(rules, first, folding)
            for state in followers(rules, first):
                worth = plain.value(rules, state)
                assert found.value(rules, state) == pytest.approx(worth, abs=1e-10)
                for seat in (0, 1):
                    hope = plain.hope(rules, state, seat)
                    # Hopes stand still at 1e-4, after sweeps in another order.
                    assert found.hope(rules, state, seat) == pytest.approx(hope, abs=2e-3)


def test_a_choice_at_once_that_was_never_listed_has_no_value(duel: Rules) -> None:
    # What follows this state is listed, but the state itself cannot be reached.
    found = made(duel, read(duel, "1 0 3"), DECISIONS)
    strange = read(duel, "0 0 3")
    assert turn(duel, strange) == BOTH
    assert any(found.listed(duel, apply(duel, strange, move)) for move in lawful(duel, strange))
    assert not found.listed(duel, strange)


def test_endless_play_is_worth_nothing(tmp_path: Path) -> None:
    file = tmp_path / "passing.py"
    file.write_text(PASSING)
    rules = rules_class(find(str(file)))()
    found = made(rules, initial(rules), NOTHING)
    assert found.value(rules, initial(rules)) == 0.0
    taken = rules._replace(prize=1)
    assert made(taken, initial(taken), NOTHING).value(taken, initial(taken)) == 1.0


def test_an_audit_finds_a_value_that_is_wrong() -> None:
    rules, found = solution(PIG, goal=6)
    assert max(audit(rules, initial(rules), found)) < 1e-12
    values = found.values.copy()
    values[len(values) // 2] += 1e-3
    assert audit(rules, initial(rules), found._replace(values=values))[0] > 1e-4


@pytest.mark.compiled
def test_compiled_and_interpreted_solutions_are_the_same() -> None:
    told = both_ways("tests.test_solve.solutions")
    for compiled, interpreted in zip(*told, strict=True):
        assert compiled[:2] == interpreted[:2]
        assert np.abs(np.subtract(compiled[2], interpreted[2])).max() < 1e-6  # single precision


def solutions() -> list[Any]:
    """Return keys, values and hopes of small solutions."""
    found = (
        solution(PIG, goal=5),
        solution("trap", start=LATE, size=3),
        solution("droids", rows=2, columns=3, shots=1, rounds=3),
    )
    return [[one.keys.tolist(), one.values.tolist(), one.hopes.tolist()] for _, one in found]


# Search agrees. -----------------------------------------------------------------------------------


def late_decisions(rules: Rules, plies: int) -> Iterator[tuple[State, int]]:
    """Yield states of random lines, at most so many plies before the end, and who chooses."""
    for seed in range(6):
        for state in list(random_states(rules, seed))[-1 - plies : -1]:
            for seat in choosers(rules, state)[:1]:
                yield state, seat


@pytest.mark.parametrize(("game", "plies"), [("nuts", 30), (TICTACTOE, 6)])
def test_alphabeta_that_sees_the_end_says_the_same(game: str, plies: int) -> None:
    rules, found = solution(game)
    rng = np.random.default_rng(0)
    for state, seat in late_decisions(rules, plies):
        choice = AlphaBeta(depth=100, table=1).consider(rules, state, seat, rng)
        said = verdict(found, rules, state, seat)
        assert choice.value == said.value
        assert choice.action in [one for one, worth in said.values.items() if worth == said.value]


def test_search_through_chance_and_choices_at_once_says_the_same(duel: Rules) -> None:
    rng = np.random.default_rng(0)
    droids, kept = solution("droids", rows=2, columns=3, shots=2, rounds=4)
    for rules, found in ((droids, kept), (duel, made(duel, initial(duel), DECISIONS))):
        for state, seat in late_decisions(rules, 12):
            choice = Simultaneous(depth=12, table=1).consider(rules, state, seat, rng)
            said = verdict(found, rules, state, seat)
            assert said.value == pytest.approx(choice.value, abs=1e-9)


# Perfect play. ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_the_perfect_player_never_gives_away_value(seat: int) -> None:
    rules, found = solution(TICTACTOE)
    sign = 1.0 if seat == 0 else -1.0
    waiting, seen = [initial(rules)], set()
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        mine = turn(rules, state) == seat
        choices = list(verdict(found, rules, state, seat).policy) if mine else lawful(rules, state)
        after = [apply(rules, state, move) for move in choices]
        worth = sign * found.value(rules, state)
        assert all(sign * found.value(rules, one) >= worth for one in after)
        assert worth >= 0.0
        waiting += after
    assert any(sign * returns(rules, s, 0) > 0 for s in seen if turn(rules, s) == OVER)


def against_random(rules: Rules, seat: int, policy: Callable[[State], dict[int, float]]) -> float:
    """Return what a policy wins on average from a seat that does anything."""

    @functools.cache
    def wins(state: State) -> float:
        mover = turn(rules, state)
        if mover == OVER:
            return returns(rules, state, seat)
        some = lawful(rules, state)
        mixture = policy(state) if mover == seat else dict.fromkeys(some, 1.0 / len(some))
        return sum(p * wins(apply(rules, state, move)) for move, p in mixture.items())

    return wins(initial(rules))


@pytest.mark.parametrize("seat", [0, 1])
def test_hope_wins_more_from_random_play_than_other_best_actions(seat: int) -> None:
    rules, found = solution(TICTACTOE)

    def any_best(state: State) -> dict[int, float]:
        said = verdict(found, rules, state, seat)
        best = [one for one, worth in said.values.items() if worth == said.value]
        return dict.fromkeys(best, 1.0 / len(best))

    def first_best(state: State) -> dict[int, float]:
        return {min(any_best(state)): 1.0}

    hopeful = against_random(rules, seat, lambda state: verdict(found, rules, state, seat).policy)
    assert hopeful > against_random(rules, seat, any_best) + 0.01
    # The first best action of the whole match happens to be the corner, which is as hopeful.
    assert hopeful > against_random(rules, seat, first_best) + (0.01 if seat else -1e-9)
    # Hope itself is a little less, because it shrinks with every step.
    hope = found.hope(rules, initial(rules), seat)
    assert 0.98 * hopeful < hope < hopeful


@pytest.mark.parametrize("seat", [0, 1])
def test_the_policy_guarantees_the_value_where_both_choose_at_once(seat: int) -> None:
    rules, found = solution("droids", rows=3, columns=3, shots=2, rounds=4)

    @functools.cache
    def worst(state: State) -> float:
        if turn(rules, state) == OVER:
            return returns(rules, state, seat)
        policy = verdict(found, rules, state, seat).policy
        assert sum(policy.values()) == pytest.approx(1.0)
        answers = members(moves(rules, state, 1 - seat))
        return min(
            sum(
                p * worst(apply(rules, state, pair(a, b) if seat == 0 else pair(b, a)))
                for a, p in policy.items()
            )
            for b in answers
        )

    sign = 1.0 if seat == 0 else -1.0
    for state in solved_states(rules, found):
        assert worst(state) == pytest.approx(sign * found.value(rules, state), abs=1e-9)
