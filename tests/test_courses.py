"""Files written for the courses run unchanged, and what was handed out keeps the rules."""

import importlib.util
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner

from ludex.agents import Random, make_agent
from ludex.cli import cli
from ludex.clocks import Clocks
from ludex.ending import BY_RULES, CRASHED, ILLEGAL, OUT_OF_TIME
from ludex.foreign import Foreign, sandbox
from ludex.foreign.lasting import make_lasting
from ludex.foreign.manners import aeroplane, arena, droids, trap
from ludex.match import Match, play_match
from ludex.rules import CHANCE, OVER, apply, initial, label, position, turn
from tests.lines import random_line, variant
from tests.players import written

ROOT = Path(__file__).parent.parent
HANDOUTS = ROOT / "ludex" / "foreign" / "handouts"
SOLUTIONS = ROOT / "docs" / "solutions"
# As the skeleton has it, with all that students do besides.
PLAYER = """
import numpy as np
import sys, os, random, time
from BaseAI import BaseAI
from Grid import Grid
import Utils
from ComputerAI import ComputerAI
from Displayer import Displayer
import Game
sys.path.append(os.getcwd())
COUNTER = 0
class PlayerAI(BaseAI):
    def __init__(self) -> None:
        super().__init__()
        self.pos = None
        self.player_num = None
    def setPosition(self, new_position):
        print("at", new_position)
        self.pos = new_position
    def getMove(self, grid):
        global COUNTER
        COUNTER += 1
        print("move", COUNTER, self.pos, self.player_num)
        assert grid.find(self.player_num) == self.pos
        Displayer().display(grid)
        cells = grid.get_neighbors(self.pos, only_available=True)
        return np.array(cells[0])
    def getTrap(self, grid):
        assert grid.find(self.player_num) == self.pos
        cells = grid.get_neighbors(grid.find(3 - self.player_num), available_only=True)
        return list(min(cells, key=lambda cell: Utils.manhattan_distance(self.pos, cell)))
"""


@pytest.fixture(autouse=True)
def unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sandbox.UNSAFE, "1")


@pytest.fixture
def handed_out(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the modules of a course be imported here."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(HANDOUTS / request.param))
    yield
    for name in set(sys.modules) - before:
        if str(HANDOUTS) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def loaded(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(f"solution_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def played(path: str, game: str, clocks: Clocks = Clocks(), seat: int = 0) -> tuple[Match, str]:  # noqa: B008
    rules = variant(game)
    agent: Any = make_agent(path, rules)
    agents = [agent, Random()] if seat == 0 else [Random(), agent]
    return play_match(rules, initial(rules), agents, 1, clocks=clocks), agent.log


# Trap. --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [0, 1])
def test_a_trap_folder_in_the_manner_of_the_skeleton_plays(tmp_path: Path, seat: int) -> None:
    written(tmp_path, PLAYER, "PlayerAI.py")
    match, log = played(str(tmp_path), "trap", Clocks(turn=5.0), seat)
    assert (match.ending, match.words) == (BY_RULES, "")
    start = (0, 3) if seat == 0 else (6, 3)
    assert log.startswith(f"at {start}\nmove 1 {start} {seat + 1}\n  0 1 2 3 4 5 6\n")
    # It is told where it stands at the start, and after every step; the last may have won.
    steps = log.count("move ")
    assert steps > 1 and log.count("at (") in (steps, steps + 1)


ANSWERS = {
    "None": "None",
    "(0, 0, 0)": "(0, 0, 0)",
    "(0, 9)": "(0, 9)",
    "(1.0, 3.0)": "(1.0, 3.0)",
    "float('nan')": "nan",
    "'13'": "'13'",
    "(10**5000, 1)": "<tuple: ValueError>",
    "(True, np.int64(3))": "",
}


@pytest.mark.parametrize("answer", ANSWERS)
def test_only_a_pair_of_whole_numbers_is_a_cell(answer: str, tmp_path: Path) -> None:
    source = PLAYER.replace("return np.array(cells[0])", f"return {answer}")
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap", Clocks(plies=3))
    wanted = f"answered {ANSWERS[answer]}, which is not a move here"
    assert (match.ending, match.words) == (
        (ILLEGAL, wanted) if ANSWERS[answer] else ("TRUNCATED", "")
    )


def test_the_clock_covers_step_and_throw_together(tmp_path: Path) -> None:
    source = PLAYER.replace("        global", "        time.sleep(0.15)\n        global")
    source = source.replace(
        "    def getTrap(self, grid):", "    def getTrap(self, grid):\n        time.sleep(0.15)"
    )
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap", Clocks(turn=0.25))
    assert (match.ending, match.seat, len(match.moves)) == (OUT_OF_TIME, 0, 1)
    assert match.words == "the turn clock of 0.25 s ran out"


def test_a_player_without_the_base_still_knows_where_it_stands(tmp_path: Path) -> None:
    source = (
        "class PlayerAI:\n    def getMove(self, grid):\n        return self.pos, self.player_num\n"
    )
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap")
    assert match.words == "answered ((0, 3), 1), which is not a move here"


def test_an_error_names_the_line_of_the_player(tmp_path: Path) -> None:
    source = "class PlayerAI:\n    def getMove(self, grid):\n        return 1 / 0\n"
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap")
    assert match.ending == CRASHED
    assert match.words == "ZeroDivisionError: division by zero (line 3 of PlayerAI.py)"


@pytest.mark.parametrize("handed_out", ["trap"], indirect=True)
def test_the_grid_knows_what_the_rules_know(handed_out: None) -> None:
    from Grid import Grid  # type: ignore[import-not-found]

    rules = variant("trap", size=5)
    manner = trap.Manner(
        SimpleNamespace(PlayerAI=SimpleNamespace), {"rules": {"size": 5}, "seat": 1}, ""
    )
    assert manner.player.pos == (4, 2) and manner.player.player_num == 2
    state = initial(rules)
    for move in random_line(rules, 3):
        if turn(rules, state) == 0:
            grid = manner.board(position(rules, state))
            assert isinstance(grid, Grid)
            found = {
                f"step {row},{column}" for row, column in grid.get_neighbors(grid.find(1), True)
            }
            if state.phase == 0:
                legal = {
                    label(rules, state, one) for one in range(25) if state_allows(rules, state, one)
                }
                assert found == legal
        state = apply(rules, state, move)


def state_allows(rules: Any, state: Any, action: int) -> bool:
    from ludex.rules import legal

    return bool(legal(rules, state, 0, action))


@pytest.mark.parametrize("handed_out", ["trap"], indirect=True)
def test_the_game_that_was_handed_out_plays(handed_out: None, capsys: Any) -> None:
    import random

    import Game  # type: ignore[import-not-found]
    from ComputerAI import ComputerAI  # type: ignore[import-not-found]
    from Displayer import Displayer  # type: ignore[import-not-found]

    random.seed(4)
    game = Game.Game(ComputerAI(), ComputerAI(), 4, Displayer())
    assert game.play() in (1, 2)
    assert capsys.readouterr().out.startswith("  0 1 2 3\n0 . . 1 .\n")
    lost = Game.Game(ComputerAI(), None)
    assert lost.is_valid_trap(lost.grid, (9, 9)) is False
    assert lost.is_valid_trap(lost.grid, None) is False


# Droids. ------------------------------------------------------------------------------------------

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


def test_every_gain_is_delivered_the_last_one_too(tmp_path: Path) -> None:
    path = written(tmp_path, WITNESS, "r2d2_hw3.py") + ":Witness"
    rules = variant("droids", shots=1, rounds=3)
    agent = make_lasting(path, rules)
    shooter = SimpleNamespace(
        policy_known=True,
        consider=lambda *given: SimpleNamespace(action=0 if given[1].rounds == 3 else 4),
    )
    try:
        for agent.training in (True, False):
            match = play_match(rules, initial(rules), [agent, shooter], 1)
            assert match.ending == BY_RULES
    finally:
        agent.dismiss()
    one = "clear\n(2, 0) (2, 3) 0 {0}\n(2, 0) (1, 3) 0 {0}\n(1, 0) (1, 3) -1 {0}\nclear\n"
    assert agent.log == one.format(True) + one.format(False)


def test_a_learner_learns_in_one_process(tmp_path: Path) -> None:
    rules = variant("droids")
    agent = make_lasting(str(SOLUTIONS / "droids" / "r2d2_hw3.py") + ":QAgent", rules)
    wins = []
    try:
        for agent.training in (True, False):
            won = 0.0
            for table in range(200 if agent.training else 30):
                match = play_match(rules, initial(rules), [agent, Random()], 1, table)
                assert match.ending == BY_RULES, match.words + agent.log[-300:]
                won += match.returns[0]
            wins.append(won)
    finally:
        agent.dismiss()
    assert wins[1] / 30 > 0.1, wins


def test_an_offence_ends_the_process_of_one_that_stays(tmp_path: Path) -> None:
    source = WITNESS.replace("return Action.SHOOT if", "return 7 if")
    rules = variant("droids")
    agent = make_lasting(written(tmp_path, source, "r2d2_hw3.py") + ":Witness", rules)
    match = play_match(rules, initial(rules), [agent, Random()], 1)
    assert (match.ending, match.words) == (ILLEGAL, "answered 7, which is not a move here")
    agent.dismiss()
    assert agent.process is None


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


def test_a_file_may_import_what_draws_windows(tmp_path: Path) -> None:
    source = "import tkinter as tk\nfrom pygame import *\nroot = tk.Tk\n" + LEARNER
    match, _ = played(written(tmp_path, source, "r2d2_hw3.py") + ":QAgent", "droids")
    assert match.ending == BY_RULES


# Arena and aeroplane. -----------------------------------------------------------------------------


@pytest.mark.parametrize("handed_out", ["arena"], indirect=True)
def test_the_arena_solution_keeps_the_rules(handed_out: None) -> None:
    module = loaded(SOLUTIONS / "arena" / "Megaman_Arena.py")
    manner = arena.Manner(module, {}, "0")
    rules = variant("arena")
    for seed in range(2):
        state = initial(rules)
        for move in random_line(rules, seed):
            theirs = manner.state(position(rules, state))
            name = arena.full(label(rules, state, move).capitalize())
            assert name in manner.game.actions(theirs)
            after = manner.game.result(theirs, name)
            state = apply(rules, state, move)
            wanted = manner.state(position(rules, state))
            for one in (after, wanted):
                one.mega_weapons = sorted(one.mega_weapons)
            assert vars(after) == vars(wanted)
        assert manner.game.is_terminal(wanted)


@pytest.mark.parametrize("handed_out", ["arena"], indirect=True)
def test_both_searchers_find_the_same(handed_out: None) -> None:
    import AlphaBeta_Full  # type: ignore[import-not-found]
    import Minimax  # type: ignore[import-not-found]

    module: Any = loaded(SOLUTIONS / "arena" / "Megaman_Arena.py")
    game = module.Game(depthlimit=2)
    state = game.initial_state()
    for _ in range(4):
        decide = "minimax_decision_max" if state.maxs_turn else "minimax_decision_min"
        plain = getattr(Minimax.Minimax(game), decide)(state)
        pruned = getattr(AlphaBeta_Full.Minimax(game), decide)(state)
        assert (plain.value, plain.move) == (pruned.value, pruned.move)
        assert pruned.nodes <= plain.nodes
        state = game.result(state, plain.move)


@pytest.mark.parametrize("handed_out", ["aeroplane"], indirect=True)
@pytest.mark.parametrize("stacks", ["capture", "block"])
@pytest.mark.parametrize("seats", [2, 4])
def test_the_aeroplane_board_keeps_the_rules(handed_out: None, stacks: str, seats: int) -> None:
    rules = variant("aeroplane", seats=seats, stacks=stacks)
    manner = aeroplane.Manner(
        SimpleNamespace(Any=lambda colour: colour),
        {"seats": seats, "seat": 1, "rules": {"stacks": stacks}},
        "Any",
    )
    assert manner.agent == ("G" if seats == 2 else "B")
    state = initial(rules)
    for move in random_line(rules, seats):
        after = apply(rules, state, move)
        if turn(rules, state) != CHANCE:
            theirs, die = manner.state(position(rules, state))
            assert label(rules, state, move) in {
                f"plane {plane + 1}" for plane in theirs.get_movable_planes(die)
            }
            found = theirs.generate_successor(move, die)
            wanted = [
                [aeroplane.steps(place) for place in side.partition(":")[2].split(",")]
                for side in position(rules, after).split()[:-2]
            ]
            assert [[one.steps for one in own] for own in found.planes.values()] == wanted
            if turn(rules, after) != OVER:
                assert list(found.planes).index(found.turn) == after.seat
            assert any(map(found.is_win, found.planes)) == (turn(rules, after) == OVER)
        state = after


def test_an_aeroplane_file_plays_as_its_last_class_or_as_named(tmp_path: Path) -> None:
    path = str(HANDOUTS / "aeroplane" / "Agent.py")
    rules = variant("aeroplane")
    assert make_agent(path, rules).submission.word == "RandomAgent"  # type: ignore[attr-defined]
    match, _ = played(f"{path}:RandomAgent", "aeroplane")
    assert match.ending == BY_RULES
    source = (
        "from Agent import AeroplaneChessAgent\nclass Mine(AeroplaneChessAgent):\n"
        "    def get_action(self, state, die_v):\n        return None\n"
    )
    match, _ = played(written(tmp_path, source, "mine.py"), "aeroplane")
    assert (match.ending, match.words) == (ILLEGAL, "answered None, which is not a move here")


# All of them. -------------------------------------------------------------------------------------

BEATEN = {"nuts": "", "trap": "", "droids": "", "arena": "/Megaman_Arena.py:3", "aeroplane": ""}


@pytest.mark.parametrize("game", BEATEN)
def test_a_skeleton_beats_random_once_filled_in(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "ab1234_cd5678"
    made = CliRunner().invoke(cli, ["course", "new", game, str(folder), "--json"])
    names = json.loads(made.stdout)["files"]
    assert "README.md" in names and len(names) == len(list(folder.iterdir()))
    for file in (SOLUTIONS / game).iterdir():
        assert file.name in names
        shutil.copy(file, folder)
    rules = variant(game)
    total = 0.0
    for table in range(2):
        for seat in (0, 1):
            agents: list[Any] = [Random(), Random()]
            agents[seat] = make_agent(f"{folder}{BEATEN[game]}", rules)
            match = play_match(rules, initial(rules), agents, 5, table)
            assert match.ending == BY_RULES, match.words
            total += match.returns[seat]
    assert total >= 2.0


@pytest.mark.parametrize("game", BEATEN)
def test_a_skeleton_that_is_not_filled_in_loses_with_a_reason(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "new"
    assert CliRunner().invoke(cli, ["course", "new", game, str(folder)]).exit_code == 0
    match, _ = played(str(folder), game)
    assert (match.ending, match.seat) == (CRASHED, 0)
    assert match.words.startswith("NotImplementedError: (line ")


def test_a_skeleton_needs_a_course_and_an_empty_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments, wanted in (
        (["trap", str(tmp_path)], "expected a new or an empty folder"),
        (["trp", str(tmp_path / "x")], "no course 'trp'; did you mean 'trap'? (there are nuts,"),
    ):
        shown = CliRunner().invoke(cli, ["course", "new", *arguments])
        assert shown.exit_code == 2 and wanted in shown.stderr and shown.stderr.count("\n") == 1


def test_a_solution_also_plays_in_the_sandbox(tmp_path: Path, monkeypatch: Any) -> None:
    monkeypatch.delenv(sandbox.UNSAFE)
    if sandbox.fault():
        pytest.skip(f"no sandbox: {sandbox.fault()}")
    shutil.copytree(SOLUTIONS / "trap", tmp_path / "ab1234_cd5678")
    tmp_path.chmod(0o755)
    match, _ = played(str(tmp_path / "ab1234_cd5678"), "trap", Clocks(turn=5.0))
    assert (match.ending, match.words) == (BY_RULES, "")


def test_a_match_goes_without_a_sandbox_when_it_is_told_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(sandbox.UNSAFE, "")
    monkeypatch.setattr(sandbox, "fault", lambda: "bwrap is not installed")
    path = written(tmp_path, "def choose(position, moves, seconds): return moves[0]\n")
    order = ["match", "nuts", path, "random", "--matches", "1", "--processes", "1", "--no-store"]
    refused = CliRunner().invoke(cli, order)
    assert refused.exit_code == 2 and "--unsafe" in refused.stderr
    assert CliRunner().invoke(cli, [*order, "--unsafe"]).exit_code == 0


@pytest.mark.parametrize("command", ["best", "play"])
def test_no_process_outlives_a_command(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "def choose(position, moves, seconds): return moves[0]\n")
    made: list[Foreign] = []
    begin = Foreign.begin_match

    def noted(agent: Foreign, *given: Any) -> None:
        made.append(agent)
        begin(agent, *given)

    monkeypatch.setattr(Foreign, "begin_match", noted)
    order = ["best", "nuts", "--agent", path] if command == "best" else ["play", "nuts", path, path]
    assert CliRunner().invoke(cli, order).exit_code == 0
    assert made and all(agent.process is None for agent in made)
