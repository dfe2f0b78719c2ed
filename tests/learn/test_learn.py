"""What is learned is what the rules of learning say, compiled and interpreted."""

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core.play import choices
from ludex.core.rules import BOTH, Rules, features, initial, seats, turn
from ludex.core.sampling import playout
from ludex.games import game_rules
from ludex.games.droids import Droids
from ludex.learn import evaluation
from ludex.learn.evaluation import evaluate
from ludex.learn.hats import HatsLearner, train_hats
from ludex.learn.qtable import QLearner, known_values
from ludex.learn.schedule import CONSTANT, LINEAR, VISITS, Schedule, at, read_schedule
from ludex.learn.table import (
    BY_BALLS,
    BY_VALUE,
    ENTRIES,
    Memory,
    enlarge,
    enter_key,
    entries,
    key_of,
    new_memory,
    number_of,
)
from tests.lines import both_ways, random_states, variant

pytestmark = pytest.mark.unmeasured


class Drawn:
    """Luck that is known beforehand."""

    def __init__(self, *numbers: float) -> None:
        self.numbers = list(numbers)

    def random(self) -> float:
        return self.numbers.pop(0)


ONE, TWO, THREE = 0.1, 0.5, 0.9  # which of three balls
# The example of the assignment: a player takes 3, 1 and the final nut, the AI 2 of 7 and 3 of 4.
EXAMPLE = (THREE, TWO, ONE, THREE, ONE)


def hats_of(memory: Memory, learner: int = 0) -> dict[int, list[int]]:
    """Return what the hats of a learner of nuts hold."""
    keys, rows, _ = entries(memory)
    return {int(key): row[learner, :3].tolist() for key, row in zip(keys, rows, strict=True)}


def play_hats(rules: Rules, memory: Memory, *luck: float) -> None:
    """Let learner 0 begin a match in which the balls that are drawn are known beforehand."""
    play: Any = getattr(train_hats, "py_func", train_hats)
    drawn = Drawn(*luck)
    assert play(rules, memory, drawn, 0, 1, HatsLearner().log) == 1
    assert not drawn.numbers


@pytest.mark.plain
def test_hats_hold_what_the_figures_of_the_assignment_say() -> None:
    rules = variant("nuts", nuts=10)
    memory = HatsLearner().begin(rules)
    play_hats(rules, memory, *EXAMPLE)
    player, ai = hats_of(memory, 0), hats_of(memory, 1)
    assert list(ai) == [10, 7, 5, 4, 1]
    assert (ai[7], ai[4]) == ([1, 2, 1], [1, 1, 2])  # figures 3 and 5
    assert ai[10] == ai[5] == ai[1] == [1, 1, 1]  # figure 4: as at the beginning
    assert set(map(tuple, player.values())) == {(1, 1, 1)}  # who lost had no balls to spare


@pytest.mark.plain
def test_a_loss_takes_a_ball_but_never_the_last_of_its_kind() -> None:
    rules = variant("nuts", nuts=10)
    memory = HatsLearner().begin(rules)
    play_hats(rules, memory, *EXAMPLE)
    memory.rows[number_of(memory, 10), 0, :3] = 5
    play_hats(rules, memory, *EXAMPLE)
    assert hats_of(memory, 0)[10] == [5, 5, 4]
    assert hats_of(memory, 0)[5] == hats_of(memory, 0)[1] == [1, 1, 1]
    assert hats_of(memory, 1)[7] == [1, 3, 1]


@pytest.mark.plain
def test_a_draw_leaves_the_hats_alone() -> None:
    rules = game_rules("examples/tictactoe.py")
    memory = HatsLearner().begin(rules)
    left, luck = list(range(9)), []
    for cell in (0, 1, 2, 4, 3, 5, 7, 6, 8):
        luck.append((left.index(cell) + 0.5) / len(left))
        left.remove(cell)
    play_hats(rules, memory, *luck)
    memory.rows[memory.rows > 0] = 7
    play_hats(rules, memory, *luck)
    assert set(entries(memory)[1].ravel().tolist()) == {0, 7}


@pytest.mark.plain
def test_learners_take_turns_in_starting() -> None:
    rules = variant("nuts", nuts=10)
    learner: Any = HatsLearner()
    memory = learner.begin(rules)
    rng = np.random.default_rng(0)
    starts = []
    for match in range(40):
        before = memory.rows.copy()
        memory = learner.train(rules, memory, rng, match, 1)
        gained = memory.rows[number_of(memory, 10)] - before[number_of(memory, 10)]
        starts += [who for who in (0, 1) if match and gained[who].sum() > 0]
    assert {0, 1} == set(starts)


def share_of_optimal_moves(rules: Rules, memory: Memory, learner: int) -> float:
    """Return how probably a learner of nuts draws the winning take, where there is one."""
    shares = []
    for left, balls in hats_of(memory, learner).items():
        take = (left - 1) % (rules.most + 1)
        if take:
            shares.append(balls[take - 1] / sum(balls))
    return float(np.mean(shares))


@pytest.mark.plain
def test_trained_hats_play_winning_positions_perfectly() -> None:
    rules = variant("nuts", nuts=10)
    learner = HatsLearner()
    memory = learner.train(rules, learner.begin(rules), np.random.default_rng(1), 0, 4000)
    assert len(hats_of(memory)) == 10
    assert min(share_of_optimal_moves(rules, memory, who) for who in (0, 1)) > 0.99
    before = evaluate(rules, learner.begin(rules), BY_BALLS, "random", 0)
    assert before.share < 0.6 < 0.9 < evaluate(rules, memory, BY_BALLS, "random", 0).share


@pytest.mark.compiled
def test_hats_are_as_good_as_the_page_says() -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\d+) \| (0\.\d+|1\.0+) \| ", page, re.MULTILINE)
    assert [int(nuts) for nuts, _ in rows] == [10, 21, 50, 100]
    for nuts, wanted in rows:
        rules = variant("nuts", nuts=nuts)
        shares = []
        for seed in range(5):
            learner = HatsLearner()
            rng = np.random.default_rng(seed)
            memory = learner.train(rules, learner.begin(rules), rng, 0, 100_000)
            shares += [share_of_optimal_moves(rules, memory, who) for who in (0, 1)]
        assert f"{np.mean(shares):.4f}" == wanted
        assert np.mean(shares) >= 0.99


@pytest.mark.compiled
def test_hats_learn_tictactoe() -> None:
    rules = game_rules("examples/tictactoe.py")
    learner = HatsLearner()
    memory = learner.train(rules, learner.begin(rules), np.random.default_rng(1), 0, 100_000)
    before = evaluate(rules, learner.begin(rules), BY_BALLS, "random", 0)
    assert before.share < 0.6 < 0.7 < evaluate(rules, memory, BY_BALLS, "random", 0).share


@pytest.mark.plain
@pytest.mark.parametrize("against", ["itself", "copy"])
def test_a_table_solves_nuts(against: str) -> None:
    rules = variant("nuts", nuts=10)
    learner = QLearner(explore="0.3", against=against, refresh=500)
    memory = learner.train(rules, learner.begin(rules), np.random.default_rng(1), 0, 6000)
    for left in range(1, 11):
        values = known_values(rules, memory, initial(rules)._replace(left=left), 0)
        if (left - 1) % 4:
            assert max(values, key=lambda action: values[action]) == (left - 1) % 4 - 1
        else:
            assert max(values.values()) < 0.0


@pytest.mark.compiled
def test_a_table_learns_droids_where_both_choose_at_once() -> None:
    rules = variant("droids", rows=3, columns=3, shots=2, rounds=10)
    learner = QLearner()
    before = evaluate(rules, learner.begin(rules), BY_VALUE, "random", 0)
    memory = learner.train(rules, learner.begin(rules), np.random.default_rng(1), 0, 50_000)
    assert before.share < 0.6 < 0.8 < evaluate(rules, memory, BY_VALUE, "random", 0).share


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("game", "kinds"),
    [
        ("nuts", {"hats": 40}),
        ("droids", {"hats": 5, "itself": 5, "copy": 7}),
        ("examples/pig.py", {"itself": 4, "random": 4}),
    ],
)
def test_the_same_is_learned_compiled_and_interpreted(game: str, kinds: dict[str, int]) -> None:
    told = both_ways("tests.learn.test_learn.digests", game, kinds)
    assert len(told[0]) == len(kinds)
    assert told[0] == told[1]


def digests(game: str, kinds: dict[str, int]) -> list[str]:
    """Return a hash of what each kind of learner knows after so many matches."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "QUICK", 4)
        return [digest(game, kind, matches) for kind, matches in kinds.items()]


def digest(game: str, kind: str, matches: int) -> str:
    rules = variant(game)
    learner: Any = HatsLearner() if kind == "hats" else QLearner(refresh=3, against=kind)
    memory = learner.train(rules, learner.begin(rules), np.random.default_rng(5), 0, matches)
    told = hashlib.sha256(str(evaluate(rules, memory, learner.way, "random", 1)).encode())
    for array in entries(memory):
        told.update(array.tobytes())
    return told.hexdigest()


@pytest.mark.plain
def test_matches_can_be_trained_in_any_portions() -> None:
    rules = variant("nuts", nuts=10)
    tables = []
    for portions in ([60], [1, 2, 3, 54], [30, 30]):
        learner = QLearner(against="copy", refresh=7)
        rng, memory, done = np.random.default_rng(2), learner.begin(rules), 0
        for portion in portions:
            memory = learner.train(rules, memory, rng, done, portion)
            done += portion
        tables.append([array.tobytes() for array in entries(memory)])
    assert tables[0] == tables[1] == tables[2]


class First:
    """Takes the first action that there is."""

    def consider(self, rules: Any, state: Any, seat: int, rng: Any) -> Any:
        class Answer:
            action = choices(rules, state, seat)[0]

        return Answer


@pytest.mark.plain
def test_a_table_is_learned_against_any_agent() -> None:
    rules = variant("nuts", nuts=10)
    learner = QLearner(against=First, explore="0.3")
    memory = learner.train(rules, learner.begin(rules), np.random.default_rng(1), 0, 400)
    before = evaluate(rules, learner.begin(rules), BY_VALUE, First, 0)
    assert evaluate(rules, memory, BY_VALUE, First, 0).share == 1.0 > before.share


def test_a_memory_keeps_what_it_has_when_it_grows() -> None:
    rules = variant("nuts")
    memory: Memory = new_memory(rules, 1, np.int64)
    assert len(memory.slots) & (len(memory.slots) - 1) == 0  # a hash is cut to its bits
    numbers = {
        key: enter_key(memory.keys, memory.slots, memory.filled, key)
        for key in range(0, 7 * ENTRIES, 7)
    }
    for key, number in numbers.items():
        memory.rows[number, 0, 0] = key
    larger = enlarge(memory)
    assert len(larger.keys) > len(memory.keys)
    assert all(number_of(larger, key) == number for key, number in numbers.items())
    assert all(larger.rows[number, 0, 0] == key for key, number in numbers.items())
    assert number_of(larger, 5) == -1


@pytest.mark.plain
@pytest.mark.parametrize("seed", range(3))
def test_both_droids_see_the_same_from_their_own_side(seed: int) -> None:
    rules = variant("droids")
    for state in random_states(rules, seed):
        turned = Droids(*(state[place] for place in (1, 0, 3, 2, 5, 4, 6)))
        assert key_of(rules, state, 0) == key_of(rules, turned, 1)
        assert key_of(rules, state, 0) != key_of(rules, state, 1)


@pytest.mark.parametrize("game", ["nuts", "arena", "aeroplane", "trap", "droids"])
def test_states_that_look_the_same_have_the_same_actions(game: str) -> None:
    rules = variant(game)
    seen: dict[int, list[int]] = {}
    for seed in range(4):
        for state in random_states(rules, seed, plies=300):
            mover = turn(rules, state)
            for seat in range(seats(rules)):
                if mover == seat or (mover == BOTH and seat < 2):
                    key = int(key_of(rules, state, seat))
                    assert key == features(rules, state, seat)  # compiled and interpreted
                    assert seen.setdefault(key, choices(rules, state, seat)) == choices(
                        rules, state, seat
                    )
    assert len(seen) > 10 or game == "nuts"


@pytest.mark.plain
def test_by_default_all_of_a_state_is_seen() -> None:
    rules = variant("trap")
    rng = np.random.default_rng(0)
    found = [playout(rules, initial(rules), rng, plies) for plies in range(20)]
    assert len({int(key_of(rules, state, 0)) for state in found}) == len(set(found))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "schedule"),
    [
        ("0.1", Schedule(CONSTANT, 0.1, 0.1)),
        ("0.5..0.25", Schedule(LINEAR, 0.5, 0.25)),
        ("1/n", Schedule(VISITS, 1.0, 0.0)),
        ("1/n..0.125", Schedule(VISITS, 1.0, 0.125)),
    ],
)
def test_a_schedule_is_read_from_text(text: str, schedule: Schedule) -> None:
    assert read_schedule(text, "rate") == schedule


@pytest.mark.plain
@pytest.mark.parametrize("text", ["", "2", "-0.1", "fast", "0.1..", "nan", "1/m", "0.1..7"])
def test_a_schedule_that_makes_no_sense_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="option rate"):
        read_schedule(text, "rate")


@pytest.mark.plain
def test_schedules_fall() -> None:
    assert [at(read_schedule("0.1", ""), share, 9) for share in (0.0, 1.0)] == [0.1, 0.1]
    assert [at(read_schedule("1..0", ""), share, 9) for share in (0.0, 0.25, 1.0)] == [1, 0.75, 0]
    assert [at(read_schedule("1/n..0.2", ""), 0.0, n) for n in (1, 2, 10)] == [1.0, 0.5, 0.2]
