"""Trap: a folder with a PlayerAI plays unchanged, and what was handed out keeps the rules."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludex.core.rules import apply, initial, label, position, turn
from ludex.core.termination import BY_RULES, CRASHED, ILLEGAL, OUT_OF_TIME
from ludex.core.time_control import Clocks
from ludex.external.adapters import trap
from tests.lines import random_line, variant
from tests.players import written
from tests.students import played

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]

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


@pytest.mark.usefixtures("measured_processes")
@pytest.mark.unmeasured
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
    "(10**5000, 1)": "(<an int of very many digits>, 1)",
    "(True, np.int64(3))": "",
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("answer", ANSWERS)
def test_only_a_pair_of_whole_numbers_is_a_cell(answer: str, tmp_path: Path) -> None:
    source = PLAYER.replace("return np.array(cells[0])", f"return {answer}")
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap", Clocks(plies=3))
    wanted = f"answered {ANSWERS[answer]}, which is not a move here"
    wanted += " (expected row and column, a pair of whole numbers)"
    if answer == "(0, 9)":  # a pair, though none of the board
        wanted = "stepped off the board, to 0,9"
    wanted += f", in position {position(variant('trap'), initial(variant('trap')))}"
    assert (match.ending, match.words) == (
        (ILLEGAL, wanted) if ANSWERS[answer] else ("TRUNCATED", "")
    )


@pytest.mark.unmeasured
def test_the_clock_covers_step_and_throw_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    think = (
        "        end = time.process_time() + 0.15\n        while time.process_time() < end: pass"
    )
    source = PLAYER.replace("        global", f"{think}\n        global")
    source = source.replace("def getTrap(self, grid):", f"def getTrap(self, grid):\n{think}")
    monkeypatch.setattr("ludex.match.runner.WALL_FACTOR", 100)  # however busy the machine is
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap", Clocks(turn=0.25))
    assert (match.ending, match.offender, len(match.moves)) == (OUT_OF_TIME, 0, 1)
    assert match.words == "the turn clock of 0.25 s ran out"


def test_a_player_without_the_base_still_knows_where_it_stands(tmp_path: Path) -> None:
    source = (
        "class PlayerAI:\n    getTrap = None\n"
        "    def getMove(self, grid):\n        return self.pos, self.player_num\n"
    )
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap")
    assert match.words.startswith("answered ((0, 3), 1), which is not a move here (expected row")


def test_an_error_names_the_line_of_the_player(tmp_path: Path) -> None:
    source = "class PlayerAI:\n    def getMove(self, grid):\n        return 1 / 0\n"
    source += "    getTrap = getMove\n"
    match, _ = played(written(tmp_path, source, "PlayerAI.py"), "trap")
    assert match.ending == CRASHED
    assert match.words == "ZeroDivisionError: division by zero (line 3 of PlayerAI.py)"


@pytest.mark.parametrize("handed_out", ["trap"], indirect=True)
def test_the_grid_knows_what_the_rules_know(handed_out: None) -> None:
    from Grid import Grid  # type: ignore[import-not-found]

    rules = variant("trap", size=5)
    manner = trap.Adapter(
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


@pytest.mark.parametrize("handed_out", ["trap"], indirect=True)
def test_neighbours_come_in_the_order_of_a_set(handed_out: None) -> None:
    from Grid import Grid

    assert Grid(7).get_neighbors((0, 3)) == [(1, 2), (0, 4), (1, 4), (0, 2), (1, 3)]
    for size in (3, 7):
        for cell in ((row, column) for row in range(size) for column in range(size)):
            rows, columns = (range(max(place - 1, 0), min(place + 2, size)) for place in cell)
            wanted = list({(row, column) for row in rows for column in columns} - {cell})
            assert Grid(size).get_neighbors(cell) == wanted
    grid = Grid(7).trap((1, 2))
    assert grid.get_neighbors((0, 3), True) == [(0, 4), (1, 4), (0, 2), (1, 3)]


def state_allows(rules: Any, state: Any, action: int) -> bool:
    from ludex.core.rules import legal

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
