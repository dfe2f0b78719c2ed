"""Droids: files with several agents, some of which learn, play unchanged."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludex.agents.registry import Random, make_agent
from ludex.core.rules import initial
from ludex.core.termination import BY_RULES, CRASHED, ILLEGAL
from ludex.external.adapters import droids
from ludex.external.persistent import make_persistent
from ludex.match.runner import play_match
from tests.lines import variant
from tests.players import written
from tests.students import SOLUTIONS, loaded

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]

LEARNER = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
WITNESS = (
    LEARNER
    + '''

class Witness(Agent):
    """Prints what it is told."""
    def clear(self):
        print("clear")
    def get_best_move(self, self_droid, adv_droid, score_change, training):
        print(self_droid.location, adv_droid.location, score_change, training)
        assert type(self_droid) is not R2Droid
        other = self_droid.copy()
        other.move_location(Action.MOVE_UP)
        assert other.location != self_droid.location or self_droid.location[0] == 0
        return Action.SHOOT if Action.SHOOT in self_droid.available_actions() else Action.MOVE_UP
'''
)


def test_a_droids_file_has_several_agents(tmp_path: Path) -> None:
    path = written(tmp_path, WITNESS, "r2d2_hw3.py")
    rules = variant("droids")
    assert make_agent(path, rules).submission.word == "MinimaxAgent"  # type: ignore[attr-defined]
    assert make_agent(f"{path}:QAgent", rules).submission.word == "QAgent"  # type: ignore[attr-defined]
    with pytest.raises(ValueError, match=r"'QAgnt'; did you mean 'QAgent'\? \(expected one of"):
        make_agent(f"{path}:QAgnt", rules)
    with pytest.raises(ValueError, match=r"r2d2_hw3\.py is for droids, not for this game"):
        make_agent(path, variant("nuts"))


@pytest.mark.usefixtures("measured_processes")
def test_every_gain_is_delivered_the_last_one_too(tmp_path: Path) -> None:
    path = written(tmp_path, WITNESS, "r2d2_hw3.py") + ":Witness"
    rules = variant("droids", shots=1, rounds=3)
    agent = make_persistent(path, rules)
    shooter = SimpleNamespace(
        policy_known=True,
        consider=lambda *given: SimpleNamespace(action=0 if given[1].rounds == 3 else 4),
    )
    outputs = []
    try:
        for agent.training in (True, False):
            match = play_match(rules, initial(rules), [agent, shooter], 1)
            assert match.ending == BY_RULES
            outputs.append(match.output[0])
    finally:
        agent.dismiss()
    one = "clear\n(2, 0) (2, 3) 0 {0}\n(2, 0) (1, 3) 0 {0}\n(1, 0) (1, 3) -1 {0}\nclear\n"
    # What it prints after the end of a match may come with the next one.
    assert outputs[0] + agent.log == one.format(True) + one.format(False)


@pytest.mark.unmeasured
def test_a_learner_learns_in_one_process(tmp_path: Path) -> None:
    rules = variant("droids", rows=2, columns=3)
    agent = make_persistent(str(SOLUTIONS / "droids" / "r2d2_hw3.py") + ":QAgent", rules)
    wins = []
    try:
        for agent.training in (True, False):
            won = 0.0
            for table in range(50 if agent.training else 20):
                match = play_match(rules, initial(rules), [agent, Random()], 1, table)
                assert match.ending == BY_RULES, match.words + agent.log[-300:]
                won += match.returns[0]
            wins.append(won)
    finally:
        agent.dismiss()
    assert wins[1] / 20 > 0.3 > wins[0] / 50, wins


def test_an_offence_ends_the_process_of_one_that_stays(tmp_path: Path) -> None:
    source = WITNESS.replace("return Action.SHOOT if", "return 7 if")
    rules = variant("droids")
    agent = make_persistent(written(tmp_path, source, "r2d2_hw3.py") + ":Witness", rules)
    match = play_match(rules, initial(rules), [agent, Random()], 1)
    words = "answered 7, which is not a move here (expected one of Action, such as Action.MOVE_UP)"
    words += ", in position 2,0 2,3 5,5 0,0 50"
    assert (match.ending, match.words) == (ILLEGAL, words)
    agent.dismiss()
    assert agent.process is None


def test_one_that_stays_fails_for_one_reason_again_and_again(tmp_path: Path) -> None:
    rules = variant("droids")
    source = WITNESS.replace("return Action.SHOOT if", "return 1 / 0 if")
    agent = make_persistent(written(tmp_path, source, "r2d2_hw3.py") + ":Witness", rules)
    for table in range(2):
        match = play_match(rules, initial(rules), [agent, Random()], 1, table)
        assert match.ending == CRASHED and match.words.startswith("ZeroDivisionError: ")
    agent.dismiss()


@pytest.mark.parametrize("droid", ["ours", "solution"])
def test_droids_do_what_the_examples_of_the_document_say(droid: str) -> None:
    module: Any = loaded(SOLUTIONS / "droids" / "r2d2_hw3.py")
    action = module.Action

    def made(rows: int, columns: int, cell: tuple[int, int], shots: int) -> Any:
        given = (rows, columns, cell, shots)
        return module.R2Droid(*given) if droid == "solution" else droids.Droid(*given, action)

    one = made(4, 4, (0, 0), 5)
    other = one.copy()
    other.location = (1, 1)
    assert (one.location, one.shots) == ((0, 0), 5)
    one.move_location(action.MOVE_LEFT)
    assert one.location == (0, 0)
    one.move_location(action.MOVE_DOWN)
    one.move_location(action.SHOOT)
    assert one.location == (1, 0) and one.shots == 5
    assert made(4, 4, (0, 0), 5).shoot(made(4, 4, (0, 3), 5), action.SHOOT)
    assert not made(4, 4, (0, 0), 5).shoot(made(4, 4, (1, 2), 5), action.SHOOT)
    assert not made(4, 4, (0, 0), 0).shoot(made(4, 4, (0, 3), 5), action.SHOOT)
    assert made(4, 4, (1, 1), 5).available_actions() == set(action)
    assert made(4, 4, (0, 1), 0).available_actions() == {
        action.MOVE_DOWN,
        action.MOVE_LEFT,
        action.MOVE_RIGHT,
    }
