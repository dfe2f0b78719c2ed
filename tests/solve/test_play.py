"""Perfect play: searches agree with it, and it gives nothing away."""

import functools
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from ludex.core.play import choosers, legal_moves, read_state
from ludex.core.rules import OVER, Rules, State, apply, initial, label, moves, pair, returns, turn
from ludex.kernel.bits import members
from ludex.search.alphabeta import AlphaBeta
from ludex.search.simultaneous import Simultaneous
from ludex.solve import known_solutions
from ludex.solve.perfect_agent import Exact
from ludex.solve.states.state_space import best_folding
from ludex.solve.states.successors import FOLD_DECISIONS
from tests.duels import DUEL
from tests.lines import luck, random_states, variant
from tests.solved import TICTACTOE, made, outside, solution, solved_states, verdict

pytestmark = pytest.mark.plain


@pytest.fixture(scope="module")
def duel() -> Rules:
    return outside("duel", DUEL)


# Positions to which the first one does not lead. -------------------------------------------------


@pytest.mark.usefixtures("solutions")
def test_exact_proves_a_position_that_its_solution_lacks() -> None:
    rules = variant("nuts", nuts=10)
    choice = Exact().consider(rules, read_state(rules, "22 0"), 0, luck())
    assert (label(rules, initial(rules), choice.action), choice.value) == ("take 1", 1.0)


@pytest.mark.usefixtures("solutions")
def test_exact_solves_anew_from_a_handicap() -> None:
    rules = variant("droids", rows=2, columns=2, shots=1, rounds=3)
    start = read_state(rules, "1,0 1,1 2,0 0,0 3")
    found = made(rules, start, best_folding(rules, start))
    for state in (start, apply(rules, start, legal_moves(rules, start)[0])):
        choice = Exact().consider(rules, state, 0, luck())
        assert choice.value == pytest.approx(found.value(rules, state), abs=1e-9)
    assert len(known_solutions.recent) == 2  # the second state is in the first one's solution


@pytest.mark.usefixtures("solutions")
def test_exact_says_what_to_solve_first(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("droids", rows=2, columns=2, shots=1, rounds=3)
    Exact().consider(rules, initial(rules), 0, luck())
    monkeypatch.setattr(known_solutions, "is_small", lambda rules, state: False)
    with pytest.raises(ValueError, match=r"ludex solve droids --position \"0,0 1,1 0,1 0,0 3\""):
        Exact().consider(rules, read_state(rules, "0,0 1,1 0,1 0,0 3"), 0, luck())


# Search agrees. -----------------------------------------------------------------------------------


def late_decisions(rules: Rules, plies: int) -> Iterator[tuple[State, int]]:
    """Yield states of random lines, at most so many plies before the end, and who chooses."""
    for seed in range(6):
        for state in list(random_states(rules, seed))[-1 - plies : -1]:
            for seat in choosers(rules, state)[:1]:
                yield state, seat


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "plies"), [("nuts", 30), (TICTACTOE, 6)])
def test_alphabeta_that_sees_the_end_says_the_same(game: str, plies: int) -> None:
    rules, found = solution(game)
    rng = np.random.default_rng(0)
    for state, seat in late_decisions(rules, plies):
        choice = AlphaBeta(depth=100, table=1).consider(rules, state, seat, rng)
        said = verdict(found, rules, state, seat)
        assert choice.value == said.value
        assert choice.action in [one for one, worth in said.values.items() if worth == said.value]


@pytest.mark.unmeasured
def test_search_through_chance_and_choices_at_once_says_the_same(duel: Rules) -> None:
    rng = np.random.default_rng(0)
    droids, kept = solution("droids", rows=2, columns=3, shots=2, rounds=4)
    for rules, found in ((droids, kept), (duel, made(duel, initial(duel), FOLD_DECISIONS))):
        for state, seat in late_decisions(rules, 12):
            choice = Simultaneous(depth=12, table=1).consider(rules, state, seat, rng)
            said = verdict(found, rules, state, seat)
            assert said.value == pytest.approx(choice.value, abs=1e-9)


# Perfect play. ------------------------------------------------------------------------------------


def test_actions_are_worth_what_they_get_against_how_the_other_chooses() -> None:
    rules, found = solution("droids", rows=2, columns=3, shots=2, rounds=4)
    errors = 0
    for state, seat in late_decisions(rules, 12):
        mine, other = (verdict(found, rules, state, one) for one in (seat, 1 - seat))
        for action, worth in mine.values.items():
            after = [(apply(rules, state, pair(action, one)), p) for one, p in other.policy.items()]
            assert worth == pytest.approx(sum(p * found.value(rules, one) for one, p in after))
            assert worth <= mine.value + 1e-9
            errors += worth < mine.value - 0.1
    assert errors > 0


@pytest.mark.unmeasured
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
        choices = (
            list(verdict(found, rules, state, seat).policy) if mine else legal_moves(rules, state)
        )
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
        some = legal_moves(rules, state)
        mixture = policy(state) if mover == seat else dict.fromkeys(some, 1.0 / len(some))
        return sum(p * wins(apply(rules, state, move)) for move, p in mixture.items())

    return wins(initial(rules))


@pytest.mark.unmeasured
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
    hope = found.tie_values[seat, found.place(rules, initial(rules))]
    assert 0.98 * hopeful < hope < hopeful


@pytest.mark.unmeasured
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
