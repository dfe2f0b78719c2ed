"""Many matches at once: what a step does, and what is seen of it."""

import warnings
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from ludex import Batch, load
from ludex.agents.registry import make_agent
from ludex.batch.policies import policy_of
from ludex.batch.stepping import CHANCE_PLACE, CUT, FINISHED, GOING_ON, ILLEGAL, PLACES, SEAT_PLACE
from ludex.core import rules as ask
from ludex.core.devices import NoCardWarning, why_no_card
from ludex.core.observation import mask_of, observation_of
from ludex.core.play import choices
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, pair
from ludex.core.sampling import outcome_at
from ludex.games import GAMES
from ludex.kernel.counter_rng import NEXT, stream_of, uniform, word_at
from ludex.kernel.tuples import flatten
from tests.batch.traces import HIDDEN, WIDE, step_at_random

pytestmark = pytest.mark.plain

EXAMPLES = ("examples/tictactoe.py", WIDE, HIDDEN)


class Twin:
    """One match of a batch, told in plain Python; seats that are not open play at random."""

    def __init__(self, rules: Rules, seed: int, board: int, open_seats: set[int]) -> None:
        self.rules, self.open, self.seats = rules, open_seats, int(ask.seats(rules))
        self.key = stream_of(seed, board)
        self.start()

    def start(self) -> None:
        self.key, self.state, self.ply = word_at(self.key, NEXT), ask.initial(self.rules), 0
        self.play_on()

    @property
    def mover(self) -> int:
        return int(ask.turn(self.rules, self.state))

    @property
    def waiting(self) -> set[int]:
        return self.open & ({0, 1} if self.mover == BOTH else {self.mover})

    def automatic(self, seat: int) -> int:
        seen = ask.information_state(self.rules, self.state, seat)
        share = uniform(self.key, PLACES * self.ply + SEAT_PLACE + seat)
        legal = choices(self.rules, seen, seat)
        return legal[int(share * len(legal))]

    def move(self, action: int) -> None:
        if self.mover == CHANCE:
            share = uniform(self.key, PLACES * self.ply + CHANCE_PLACE)
            action = outcome_at(self.rules, self.state, share)
        elif self.mover == BOTH:
            both = [action if seat in self.open else self.automatic(seat) for seat in (0, 1)]
            action = pair(*both)
        elif self.mover not in self.open:
            action = self.automatic(self.mover)
        self.state, self.ply = ask.apply(self.rules, self.state, action), self.ply + 1

    def play_on(self) -> None:
        while self.mover != OVER and not self.waiting:
            self.move(-1)

    def step(self, action: int) -> None:
        if self.mover == OVER:
            self.start()
        else:
            self.move(action)
            self.play_on()


def random_batch(game: str, boards: int, **options: Any) -> Batch:
    """Return a batch in which only seat 0 is open."""
    chosen = load(game)
    others = {seat: "random" for seat in range(1, chosen.seats)}
    return chosen.batch(boards, agents=others, **options)


@pytest.mark.parametrize("game", (*GAMES, *EXAMPLES))
def test_every_match_is_that_of_its_twin(game: str) -> None:
    batch = random_batch(game, 3, seed=5)
    rules = batch.rules
    twins = [Twin(rules, 5, board, {0}) for board in range(3)]
    endings = 0
    for _ in range(40):
        for board, twin in enumerate(twins):
            assert [*flatten(twin.state)] == batch.states[board].tolist()
            assert batch.state(board) == twin.state
            assert (batch.views()[board] == observation_of(rules, twin.state, 0)).all()
            if twin.mover == OVER:
                endings += 1
                wanted = [ask.returns(rules, twin.state, seat) for seat in range(twin.seats)]
                assert batch.ends[board] == FINISHED and batch.seats[board] == OVER
                assert batch.returns[board].tolist() == wanted and batch.masks()[board].all()
            else:
                assert batch.ends[board] == GOING_ON and batch.seats[board] == twin.mover
                assert not batch.returns[board].any()
                assert (batch.masks()[board] == mask_of(rules, twin.state, 0)).all()
        actions = np.array(batch.sample())
        batch.step(actions)
        for twin, action in zip(twins, actions.tolist(), strict=True):
            twin.step(action)
    assert endings or game in ("arena", "aeroplane", "trap", "droids", WIDE)


def test_both_actions_of_a_simultaneous_move_may_be_given() -> None:
    droids = load("droids")
    batch = droids.batch(2, seed=1)
    assert batch.seats.tolist() == [BOTH, BOTH]
    state = batch.state(0)
    batch.step(np.array([0, 0]), np.array([1, 1]))
    assert batch.state(0) == ask.apply(droids.rules, state, pair(0, 1))


def test_a_match_is_the_same_in_a_batch_of_any_size() -> None:
    few, many = random_batch("aeroplane", 2, seed=3), random_batch("aeroplane", 5, seed=3)
    for _ in range(20):
        assert (few.states == many.states[:2]).all()
        step_at_random(few)
        step_at_random(many)
    assert len({*map(bytes, many.states)}) == 5


def test_seeds_and_later_matches_of_a_board_differ() -> None:
    def rolls(seed: int) -> list[list[int]]:
        batch = random_batch("examples/pig.py", 4, seed=seed)
        seen = []
        for _ in range(9):
            step_at_random(batch)
            seen.append(batch.states.ravel().tolist())
        return seen

    assert rolls(1) == rolls(1) != rolls(2)
    batch = random_batch("aeroplane", 1, seed=1, plies=30)
    lines: list[list[list[int]]] = [[]]
    while len(lines) < 4:
        step_at_random(batch)
        lines[-1].append(batch.states[0].tolist())
        if batch.ends[0] == CUT:
            lines.append([])
    assert lines[0] != lines[1] != lines[2]


def test_chance_has_its_probabilities() -> None:
    batch = load(HIDDEN).batch(6000, seed=1)
    deals, counts = np.unique(batch.states, axis=0, return_counts=True)
    assert len(deals) == 6 and abs(counts - 1000).max() < 4 * np.sqrt(1000)


def test_samples_are_legal_and_uniform() -> None:
    batch = load("nuts").batch(6000, seed=1)
    _, counts = np.unique(batch.sample(), return_counts=True)
    assert len(counts) == 3 and abs(counts - 2000).max() < 4 * np.sqrt(2000)


def test_a_match_that_is_over_keeps_its_state_and_then_starts_anew() -> None:
    batch = load("nuts", nuts=10, most=9).batch(1, seed=1)
    batch.step(np.array([8]))
    assert batch.states.tolist() == [[1, 1]] and batch.seats.tolist() == [1]
    batch.step(np.array([0]))
    assert batch.ends.tolist() == [FINISHED] and batch.returns.tolist() == [[1.0, -1.0]]
    assert batch.states.tolist() == [[0, 0]]
    batch.step(np.array([0]))
    assert batch.ends.tolist() == [GOING_ON] and batch.states.tolist() == [[10, 0]]


@pytest.mark.parametrize("action", [3, 8, 9, -1, 2**31 - 1])
def test_an_illegal_action_loses(action: int) -> None:
    batch = load("nuts").batch(2, seed=1)
    batch.step(np.array([0, action]))
    assert batch.ends.tolist() == [GOING_ON, ILLEGAL]
    assert batch.returns.tolist() == [[0.0, 0.0], [-1.0, 1.0]]
    assert batch.outcome.illegal.tolist() == batch.outcome.over.tolist() == [False, True]


def test_two_illegal_actions_at_once_draw_and_of_four_seats_three_share_the_win() -> None:
    batch = load("droids").batch(2, seed=1)
    batch.step(np.array([77, 0]), np.array([-1, 99]))
    assert batch.returns.tolist() == [[0.0, 0.0], [1.0, -1.0]]
    batch = load("aeroplane", seats=4).batch(1, seed=1)
    batch.step(np.array([9]))
    assert sorted(batch.returns[0].tolist()) == pytest.approx([-1.0, 1 / 3, 1 / 3, 1 / 3])


def test_a_long_match_is_cut_off_and_worth_nothing() -> None:
    batch = load("nuts").batch(1, seed=1, plies=2)
    for _ in range(2):
        batch.step(np.array([0]))
    assert batch.ends.tolist() == [CUT] and batch.returns.tolist() == [[0.0, 0.0]]
    assert batch.outcome.cut.tolist() == [True] and batch.outcome.over.tolist() == [False]


def test_boards_are_reset_alone_or_all_with_a_seed() -> None:
    batch = random_batch("aeroplane", 3, seed=1)
    begun = batch.states
    for _ in range(5):
        step_at_random(batch)
    before = batch.states
    batch.reset(boards=[1])
    assert (batch.states[[0, 2]] == before[[0, 2]]).all() and (batch.states[1] != before[1]).any()
    batch.reset(seed=1)
    assert (batch.states == begun).all()


def test_a_reset_of_some_boards_leaves_matches_that_have_ended() -> None:
    def ended() -> Batch:
        batch = load("nuts", nuts=10, most=9).batch(4, seed=1, plies=2)
        batch.step(np.array([0, 8, 0, 0]))
        batch.step(np.array([0, 0, 99, 0]))
        assert batch.ends.tolist() == [CUT, FINISHED, ILLEGAL + 1, CUT]
        return batch

    batch, untouched = ended(), ended()
    batch.reset(boards=[3])
    assert batch.ends.tolist() == [CUT, FINISHED, ILLEGAL + 1, GOING_ON]
    for name in ("seats", "returns", "states"):
        assert (getattr(batch, name)[:3] == getattr(untouched, name)[:3]).all(), name
    batch.step(np.array([0, 0, 0, 0]))
    assert batch.ends.tolist() == [GOING_ON] * 4
    assert batch.states[:, 0].tolist() == [10, 10, 10, 9]


def test_any_seed_that_a_series_takes_is_a_seed() -> None:
    chosen = load(HIDDEN)
    one, other = (chosen.batch(9, seed=seed) for seed in (3, 2**64 + 3))
    assert (one.states == other.states).all()


def test_masks_are_written_once_in_a_step(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = load("nuts").batch(2, seed=1)
    batch.views(), batch.masks()
    write = Mock(wraps=batch.device.mask)
    monkeypatch.setattr(batch.device, "mask", write)
    for orders in (("views", "masks"), ("masks", "views"), ("masks", "views", "masks")):
        batch.step(np.array([0, 1]))
        write.reset_mock()
        for name in orders:
            getattr(batch, name)()
        assert write.call_count == 1 and batch.masks().sum(axis=1).tolist() == [3, 3], orders


# Agents. -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["trap", "droids"])
def test_a_greedy_seat_chooses_an_action_of_the_greatest_value(game: str) -> None:
    chosen = load(game)
    batch = chosen.batch(3, seed=2, agents={1: "random"})
    agent = make_agent("greedy", chosen.rules)
    for board in range(3):
        state = batch.state(board)
        while (mover := ask.turn(chosen.rules, state)) not in (0, BOTH):
            state = ask.apply(chosen.rules, state, choices(chosen.rules, state, mover)[0])
        values = agent.consider(chosen.rules, state, 0, np.random.default_rng(1)).values
        policy = policy_of("greedy", chosen.rules)
        for share in (0.0, 0.4, 0.9):
            action = batches_reply(chosen.rules, state, policy, share)
            assert values[action] == pytest.approx(max(values.values()), abs=1e-9)


def batches_reply(rules: Rules, state: Any, policy: Any, share: float) -> int:
    from ludex.batch.stepping import reply

    return int(reply(rules, state, 0, policy, share))


def lowest_actions(batch: Batch) -> np.ndarray:
    """Choose the lowest legal action everywhere."""
    actions: np.ndarray = np.asarray(batch.masks()).argmax(1)
    return actions


@pytest.mark.parametrize("game", ["nuts", "aeroplane", "droids"])
def test_a_function_at_a_seat_plays_what_it_returns(game: str) -> None:
    """As if its actions were given from outside."""
    chosen = load(game)
    own = chosen.batch(4, seed=1, agents={1: lambda one: np.asarray(one.masks(1)).argmax(1)})
    both = chosen.batch(4, seed=1)
    for _ in range(12):
        own.step(lowest_actions(own))
        if game == "droids":
            both.step(np.asarray(both.masks(0)).argmax(1), np.asarray(both.masks(1)).argmax(1))
        else:
            both.step(lowest_actions(both))
            for _ in range(30):
                waiting = np.asarray(both.seats) == 1
                if not waiting.any():
                    break
                assert waiting.all() or game == "aeroplane"
                both.advance(lowest_actions(both), lowest_actions(both), 2, restart=False)
        assert (own.states == both.states).all() and (own.ends == both.ends).all()


def test_matches_between_functions_alone_are_played_to_the_end() -> None:
    batch = load("nuts", nuts=10).batch(2, seed=1, agents={0: lowest_actions, 1: lowest_actions})
    assert batch.ends.tolist() == [FINISHED] * 2 and batch.returns.tolist() == [[1.0, -1.0]] * 2


# What is refused. --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"boards": 0}, "boards 0: expected a whole number, at least 1"),
        ({"boards": 2.5}, "boards 2.5: expected a whole number"),
        ({"seed": -1}, "seed -1: expected a whole number"),
        ({"plies": 0}, "plies 0: expected a whole number"),
        ({"device": "gpu"}, r"no device 'gpu' \(there are cpu, cuda, auto\)"),
        ({"agents": {2: "random"}}, r"agents: no seat 2 \(there are 0 to 1\)"),
        ({"agents": {1: "mcts:sims=9"}}, "'mcts:sims=9' does not play many matches at once"),
        ({"agents": {1: "gredy"}}, "did you mean 'greedy'"),
        ({"agents": {1: None}}, "agent None: expected random, casual or greedy, or a function"),
        ({"agents": "greedy"}, "agents 'greedy': expected a dictionary of agents by seat"),
    ],
)
def test_bad_options_are_refused_in_a_line(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        load("nuts").batch(**{"boards": 4, **options})


@pytest.mark.parametrize("seat", [2, -1, "0", 0.0])
@pytest.mark.parametrize("name", ["views", "masks", "sample"])
def test_only_a_seat_of_the_game_has_a_view(name: str, seat: Any) -> None:
    with pytest.raises(ValueError, match=rf"no seat {seat!r} \(there are 0 to 1\)"):
        getattr(load("nuts").batch(2, seed=1), name)(seat)


def test_two_seats_that_choose_at_once_need_two_arrays() -> None:
    chosen = load("droids")
    batch = chosen.batch(2, seed=1)
    with pytest.raises(ValueError, match=r"both seats of droids are open.*step\(first, second\)"):
        batch.step(batch.sample(0))
    closed = chosen.batch(2, seed=1, agents={1: lambda one: one.sample(1)})
    closed.step(closed.sample(0))
    assert closed.ends.tolist() == [GOING_ON] * 2


@pytest.mark.parametrize(
    "actions", [np.zeros(3, int), np.zeros((4, 1), int), np.zeros(4), None, np.zeros(4, np.uint64)]
)
def test_actions_are_a_whole_number_for_each_match(actions: Any) -> None:
    with pytest.raises(ValueError, match="expected 4 whole numbers, one action for each match"):
        load("nuts").batch(4, seed=1).step(actions)


def test_without_a_card_the_cores_take_its_place_and_a_line_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ludex.core.devices.why_no_card", lambda: "no NVIDIA card was found")
    with pytest.warns(
        NoCardWarning, match="no NVIDIA card was found; using the cores of the CPU"
    ) as told:
        assert load("nuts").batch(2, device="cuda").device.name == "cpu"
    assert [one.filename for one in told] == [__file__]  # whose line Python shows with it
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert repr(load("nuts").batch(2, device="auto")) == "<Batch of 2 matches of nuts on cpu>"


def test_why_there_is_no_card_is_told_in_a_few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "ludex.kernel.cuda", None)
    why_no_card.cache_clear()
    assert why_no_card() == "numba-cuda is not installed: pip install 'ludex[gpu]'"
    why_no_card.cache_clear()
