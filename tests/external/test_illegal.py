"""What is wrong with an illegal move is told in words, with the position."""

from pathlib import Path
from typing import Any

import pytest

from ludex.core.play import read_state
from ludex.core.rules import BOTH, OVER, actions, label, legal, turn, why_illegal
from ludex.core.termination import ILLEGAL
from tests.lines import random_states, variant
from tests.players import written
from tests.students import SOLUTIONS, played

pytestmark = pytest.mark.plain

TRAP = "..1../.x.../...../...../..2.. 0 "
DROIDS = "0,0 2,3 0,5 0,0 40"
ARENA = "30,30,30,30,30,30,30,0,30 30,30,30,30,30,0,30,30,99 - metal - 0"
AEROPLANE = "B:h,l,5,home G:h,h,h,h 3 0"


@pytest.mark.parametrize(
    ("game", "position", "text", "wanted"),
    [
        ("trap", TRAP + "step", "step 0,2", "stayed on your own cell 0,2"),
        ("trap", TRAP + "step", "step 1,1", "stepped onto a trap at 1,1"),
        ("trap", TRAP + "step", "step -1,2", "stepped off the board, to -1,2"),
        ("trap", TRAP + "step", "step 4,4", "stepped to 4,4, which is not next to 0,2"),
        (
            "trap",
            ".12../...../...../...../..... 0 step",
            "step 0,2",
            "stepped onto the opponent's cell 0,2",
        ),
        ("trap", TRAP + "throw", "throw 0,2", "threw at your own cell 0,2"),
        ("trap", TRAP + "throw", "throw 4,2", "threw at the opponent's cell 4,2"),
        ("trap", TRAP + "throw", "throw 5,2", "threw off the board, at 5,2"),
        ("trap", TRAP + "throw", "step 1,2", "stepped where it was time to throw"),
        ("trap", TRAP + "throw", "frog", ""),
        ("droids", DROIDS, "shoot", "shot with no shots left"),
        ("droids", DROIDS, "up", "stepped into a wall, up from 0,0"),
        ("droids", DROIDS, "jump", ""),
        ("arena", ARENA, "shadow", "sent Shadow Man, who has no life left"),
        ("arena", ARENA, "metal", "sent Metal Man, who fights for Dr. Wily"),
        ("arena", ARENA, "frog", ""),
        (
            "aeroplane",
            AEROPLANE,
            "plane 1",
            "moved plane 1, which is in the hangar and needs a six",
        ),
        ("aeroplane", AEROPLANE, "plane 4", "moved plane 4, which is home already"),
        ("aeroplane", AEROPLANE, "plane 5", "moved plane 5, where there are planes 1 to 4"),
        ("aeroplane", AEROPLANE, "plane x", ""),
        ("nuts", "21 0", "take 9", "took 9, where 1 to 3 may be taken"),
        ("nuts", "21 0", "frog", ""),
    ],
)
def test_what_is_wrong_with_a_move_is_told(
    game: str, position: str, text: str, wanted: str
) -> None:
    rules = variant(game, **({"size": 5} if game == "trap" else {}))
    assert why_illegal(rules, read_state(rules, position), 0, text) == wanted


def test_gamma_waits_for_the_others() -> None:
    rules = variant("arena")
    state = read_state(rules, ARENA.replace("- metal - 0", "mega - - 1"))
    wanted = "sent Gamma, who enters only after 8 of the others are gone"
    assert why_illegal(rules, state, 1, "gamma") == wanted


@pytest.mark.parametrize("game", ["nuts", "arena", "aeroplane", "trap", "droids"])
def test_every_action_that_is_not_legal_has_a_reason(game: str) -> None:
    rules = variant(game)
    for state in random_states(rules, 4, 60):
        mover = turn(rules, state)
        for seat in (0, 1) if mover == BOTH else (mover,) if mover >= 0 else ():
            for action in range(actions(rules)):
                if mover != OVER and not legal(rules, state, seat, action):
                    assert why_illegal(rules, state, seat, label(rules, state, action))


DROID = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
ROBOTS = (SOLUTIONS / "arena" / "Megaman_Arena.py").read_text(encoding="utf-8")
STEP = """
class PlayerAI:
    def getMove(self, grid):
        return {}
    def getTrap(self, grid):
        return {}
"""
PLAYS: dict[str, Any] = {
    "own cell": ("trap", STEP.format("(1, 3)", "self.pos"), "threw at your own cell 1,3"),
    "far": ("trap", STEP.format("(3, 3)", "(0, 0)"), "stepped to 3,3, which is not next to 0,3"),
    "wall": (
        "droids",
        DROID.replace("for action in in_order(self_droid)", "for action in [Action.MOVE_LEFT]"),
        "stepped into a wall, left from 2,0",
    ),
    "Gamma": (
        "arena",
        ROBOTS.replace('return others or ["Gamma"]', 'return ["Gamma"]'),
        "sent Gamma, who enters only after 8 of the others are gone",
    ),
}
FILES = {"trap": "PlayerAI.py", "droids": "r2d2_hw3.py", "arena": "Megaman_Arena.py"}


@pytest.mark.unmeasured
@pytest.mark.parametrize("play", PLAYS)
def test_a_match_that_ends_so_tells_it_with_the_position(
    play: str, tmp_path: Path, unsafe: None
) -> None:
    game, source, wanted = PLAYS[play]
    path = written(tmp_path, source, FILES[game])
    match, _ = played(path, game, seat=1 if play == "Gamma" else 0)
    assert match.ending == ILLEGAL
    said, _, place = match.words.partition(", in position ")
    assert said == wanted
    read_state(variant(game), place)
