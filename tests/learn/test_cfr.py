"""Strategies learned by sampled regrets come near an equilibrium, and are the same in every way."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.agents.registry import make_agent
from ludex.agents.training import make_training
from ludex.core.play import read_state
from ludex.core.rules import Rules
from ludex.games import game_rules
from ludex.learn import evaluation, external_sampling
from ludex.learn.cfr import CfrLearner, average_strategies
from ludex.learn.evaluation import evaluate
from ludex.learn.table import REGRET, Memory, entries, key_of, number_of
from ludex.learn.training import LEARNERS
from tests.commands import refused, run
from tests.learn.test_learn import Drawn
from tests.lines import both_ways, luck, variant

KUHN = "examples/kuhn.py"
LAST, FIRST = 0.9, 0.1  # which of the possible moves is drawn


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure with few matches."""
    monkeypatch.setattr(evaluation, "QUICK", 4)


def learned(rules: Rules, matches: int, seed: int = 1, **options: Any) -> Memory:
    learner = CfrLearner(**options)
    return learner.train(rules, learner.begin(rules), np.random.default_rng(seed), 0, matches)


def numbers_of(rules: Rules, memory: Memory, seat: int, text: str) -> list[list[float]]:
    """Return the regrets and the sums of strategies of what a seat sees."""
    number = number_of(memory, key_of(rules, read_state(rules, text), seat))
    assert number >= 0
    found: list[list[float]] = memory.rows[number].tolist()
    return found


def traversed(match: int, *numbers: float, **options: Any) -> tuple[Rules, Memory]:
    """Return a table of Kuhn poker after one traversal whose luck is known beforehand."""
    rules, learner = game_rules(KUHN), CfrLearner(**options)
    memory, drawn = learner.begin(rules), Drawn(*numbers)
    learner.train(rules, memory, drawn, match, 1)  # type: ignore[arg-type]
    assert not drawn.numbers
    return rules, memory


# The first player has the king, and the second the queen, which bets after a pass: to fold loses
# 0.5 and to call wins 1. It folds after a bet, which wins 0.5.
KING_AND_QUEEN = (LAST, LAST, LAST, FIRST)


@pytest.mark.plain
def test_a_traversal_compares_all_actions_of_one_seat() -> None:
    rules, memory = traversed(0, *KING_AND_QUEEN)
    assert numbers_of(rules, memory, 0, "K ? pb") == [[-0.75, 0.75], [0.0, 0.0]]
    assert numbers_of(rules, memory, 0, "K ? -") == [[-0.125, 0.125], [0.0, 0.0]]
    assert numbers_of(rules, memory, 1, "? Q p") == [[0.0, 0.0], [0.5, 0.5]]
    assert numbers_of(rules, memory, 1, "? Q b") == [[0.0, 0.0], [0.5, 0.5]]
    assert memory.filled[0] == 4


@pytest.mark.plain
def test_every_second_traversal_is_for_the_second_seat() -> None:
    # The king bets, and to call instead of folding loses 1 instead of 0.5.
    rules, memory = traversed(1, LAST, LAST, LAST)
    assert numbers_of(rules, memory, 0, "K ? -") == [[0.0, 0.0], [0.5, 0.5]]
    assert numbers_of(rules, memory, 1, "? Q b") == [[0.25, -0.25], [0.0, 0.0]]


@pytest.mark.plain
def test_later_iterations_count_more() -> None:
    rules, memory = traversed(4, *KING_AND_QUEEN)  # the third iteration
    assert numbers_of(rules, memory, 0, "K ? pb")[0] == [-2.25, 2.25]
    assert numbers_of(rules, memory, 1, "? Q b")[1] == [1.5, 1.5]
    rules, memory = traversed(4, *KING_AND_QUEEN, linear="no")
    assert numbers_of(rules, memory, 0, "K ? pb")[0] == [-0.75, 0.75]
    assert numbers_of(rules, memory, 1, "? Q b")[1] == [0.5, 0.5]


@pytest.mark.plain
def test_negative_regrets_are_forgotten_on_request() -> None:
    rules, memory = traversed(4, *KING_AND_QUEEN, plus="yes")
    assert numbers_of(rules, memory, 0, "K ? pb")[0] == [0.0, 0.75]
    assert numbers_of(rules, memory, 1, "? Q b")[1] == [1.5, 1.5]


@pytest.mark.plain
@pytest.mark.parametrize("learner", ["cfr", "cfr:linear=no", "cfr:plus=yes"])
def test_strategies_of_kuhn_poker_are_hardly_exploitable(learner: str, tmp_path: Path) -> None:
    training, file = make_training(game_rules(KUHN), learner, None, 1), tmp_path / "cfr.npz"
    training.train_more(3000)
    training.save(file)
    how: dict[str, Any] = {"processes": 1, "progress": False}
    assert ludex.exploitability(KUHN, f"cfr:file={file}", **how).value < 0.03
    assert ludex.exploitability(KUHN, "random", **how).value > 0.2


PENNIES = """
from typing import NamedTuple
from ludex.core.rules import BOTH, OVER, part

ACTIONS, AT_ONCE = 2, True

class PenniesRules(NamedTuple):
    pass

class Pennies(NamedTuple):
    shown: int

def initial(rules):
    return Pennies(-1)

def turn(rules, state):
    return OVER if state.shown >= 0 else BOTH

def legal(rules, state, seat, action):
    return True

def apply(rules, state, move):
    return Pennies(2 * part(move, 0) + part(move, 1))

def returns(rules, state, seat):
    first = 1.0 if state.shown == 0 else 0.5 if state.shown == 3 else -0.5
    return first if seat == 0 else -first
"""


@pytest.mark.plain
def test_who_chooses_at_once_does_not_know_the_choice_of_the_other(tmp_path: Path) -> None:
    """Equal gains of both rows: 1.5 p - 0.5 = 0.5 - p, and so of the columns."""
    file = tmp_path / "pennies.py"
    file.write_text(PENNIES)
    rules = game_rules(str(file))
    rows = average_strategies(learned(rules, 4000)).rows[:2, 0].tolist()
    assert rows == [pytest.approx([0.4, 0.6], abs=0.03)] * 2


@pytest.mark.plain
def test_a_traversal_enters_a_limited_number_of_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(external_sampling, "ENTRIES", 2)
    rules, learner = game_rules(KUHN), CfrLearner()
    memory, rng = learner.begin(rules), np.random.default_rng(1)
    known = []
    for match in range(60):
        memory = learner.train(rules, memory, rng, match, 1)
        known.append(int(memory.filled[0]))
    assert known[0] == 2 and known[-1] == 12
    assert max(np.diff(known)) <= 2


@pytest.mark.plain
def test_a_table_gets_no_more_states_than_it_may() -> None:
    memory = learned(game_rules(KUHN), 300, states=5)
    assert memory.filled[0] == 5 and (entries(memory)[2].sum(axis=1) > 10).all()


ENDLESS = """
from typing import NamedTuple

ACTIONS = 2

class EndlessRules(NamedTuple):
    pass

class Endless(NamedTuple):
    seat: int

def initial(rules):
    return Endless(0)

def turn(rules, state):
    return state.seat

def legal(rules, state, seat, action):
    return True

def apply(rules, state, move):
    return Endless(1 - state.seat)

def returns(rules, state, seat):
    return 0.0
"""


@pytest.mark.plain
def test_a_traversal_ends_even_if_matches_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(external_sampling, "ENTRIES", 400)
    monkeypatch.setattr(external_sampling, "PLIES", 20)
    file = tmp_path / "endless.py"
    file.write_text(ENDLESS)
    assert not learned(game_rules(str(file)), 1).rows[:, REGRET].any()


@pytest.mark.plain
def test_traversals_can_be_made_in_any_portions() -> None:
    rules, tables = game_rules(KUHN), []
    for portions in ([60], [1, 2, 3, 54]):
        learner = CfrLearner()
        rng, memory, done = np.random.default_rng(2), learner.begin(rules), 0
        for portion in portions:
            memory = learner.train(rules, memory, rng, done, portion)
            done += portion
        tables.append([array.tobytes() for array in entries(memory)])
    assert tables[0] == tables[1]


@pytest.mark.plain
def test_a_resumed_training_ends_with_the_same_file(tmp_path: Path) -> None:
    def trained(name: str, matches: int) -> bytes:
        line = [KUHN, "cfr", "--matches", str(matches), "--seed", "4", "--resume"]
        result = run("train", *line, "--out", str(tmp_path / name))
        assert result.exit_code == 0, result.output
        return (tmp_path / name).read_bytes()

    begun = trained("a", 30)
    assert begun != trained("a", 70) == trained("b", 70)


@pytest.mark.plain
def test_where_nothing_was_learned_every_action_is_as_likely(tmp_path: Path) -> None:
    rules, file = game_rules(KUHN), tmp_path / "cfr.npz"
    training = make_training(rules, "cfr", None, 1)
    training.train_more(1)  # for the first seat, which so has no average
    training.save(file)
    agent = make_agent(f"cfr:file={file}", rules)
    choice = agent.consider(rules, read_state(rules, "K ? -"), 0, luck())
    assert choice.mixture == {0: 0.5, 1: 0.5}


@pytest.mark.plain
def test_a_strategy_is_shown_as_shares_of_what_is_seen(tmp_path: Path) -> None:
    file = str(tmp_path / "cfr.npz")
    run("train", KUHN, "cfr", "--matches", "500", "--seed", "1", "--out", file)
    told = run("inspect", file, "--game", KUHN, "--position", "? K b").stdout
    assert "seat 1 sees ? K b" in told and "call    0.999" in told and "share" in told
    assert "? K b   fold: 0.001  call: 0.999" in run("inspect", file, "--game", KUHN).stdout
    rows = ludex.inspect(file, position="Q K b", game=KUHN).table
    assert [row["move"] for row in rows] == ["fold", "call"]
    assert sum(row["share"] for row in rows) == pytest.approx(1.0)


@pytest.mark.plain
@pytest.mark.parametrize("learner", LEARNERS)
def test_learners_learn_from_what_is_seen_or_say_who_can(learner: str, tmp_path: Path) -> None:
    line = ["train", KUHN, learner, "--matches", "3", "--seed", "1", "--out", str(tmp_path / "f")]
    if learner in ("td", "net"):
        told = refused(*line)
        assert f"{learner} cannot learn this game: it needs to see the whole state" in told
        assert "(those that can: hats, qtable, cfr)" in told
    else:
        assert run(*line).exit_code == 0


@pytest.mark.plain
def test_more_than_two_seats_are_refused() -> None:
    with pytest.raises(ValueError, match="cfr learns games of two seats, and this one has 3"):
        CfrLearner().begin(variant("aeroplane", seats=3))


# Compiled. ----------------------------------------------------------------------------------------


def digest(plus: str) -> str:
    """Return a hash of what is learned of Kuhn poker."""
    rules = game_rules(KUHN)
    memory = learned(rules, 200, plus=plus)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "QUICK", 4)
        tally = evaluate(rules, memory, CfrLearner.way, "random", 1)
    told = hashlib.sha256(str(tally).encode())
    for array in entries(memory):
        told.update(array.tobytes())
    return told.hexdigest()


@pytest.mark.compiled
@pytest.mark.parametrize("plus", ["no", "yes"])
def test_the_same_strategy_is_learned_compiled_and_interpreted(plus: str) -> None:
    compiled, interpreted = both_ways("tests.learn.test_cfr.digest", plus)
    assert compiled == interpreted


@pytest.mark.compiled
def test_another_process_can_use_what_this_one_compiled() -> None:
    """Code with two kinds of a recursive function crashes when it is loaded from disk."""
    wanted = digest("no")
    call = "from tests.learn.test_cfr import digest; print(digest('no'))"
    other = subprocess.run(
        [sys.executable, "-c", call],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
        env=os.environ,
    )
    assert other.stdout.strip() == wanted
