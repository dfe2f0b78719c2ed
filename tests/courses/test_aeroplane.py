"""Aeroplane: programs of the document's author's kind play unchanged, by our rules."""

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludex.agents.registry import Random, make_agent
from ludex.core.play import choices, read_state
from ludex.core.rules import OVER, Rules, State, apply, initial, position, turn
from ludex.core.termination import BY_RULES, CRASHED, ILLEGAL
from ludex.courses import aeroplane as course
from ludex.external.adapters import aeroplane
from ludex.external.interface import AEROPLANE
from ludex.match.runner import play_match
from ludex.match.session import Match
from tests.aeroplane_programs import EXPECTIMAX, MCTS, SQUARES, write_folder
from tests.lines import variant
from tests.players import written
from tests.students import PROVIDED

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]
OURS = PROVIDED / "aeroplane" / "Agent.py"
PLACES = ["h", "l", *map(str, range(1, 51)), *(f"f{place}" for place in range(1, 6)), "home"]


def matched(path: str, seat: int = 0, **rules: Any) -> tuple[Match, str]:
    """Return a short match of a program against random play, and what it printed."""
    kept = variant("aeroplane", **{"planes": 1, **rules})
    agent: Any = make_agent(path, kept)
    agents = [agent, Random()] if seat == 0 else [Random(), agent]
    return play_match(kept, initial(kept), agents, 1), agent.log


def assert_plays(path: str, seat: int = 0, **rules: Any) -> str:
    match, log = matched(path, seat, **rules)
    assert (match.ending, match.words) == (BY_RULES, ""), log
    return log


# What is handed out keeps the rules. --------------------------------------------------------------


def random_positions(rules: Rules, count: int, seed: int) -> Iterator[State]:
    """Yield states with planes anywhere in which somebody is to move."""
    rng = random.Random(seed)
    near = [*PLACES[:3], "8", "14", "17", "18", "f3", "home"]  # where more happens
    while count:
        sides = []
        for letter in aeroplane.LETTERS[rules.seats]:
            places = [rng.choice(rng.choice([PLACES, near])) for _ in range(rules.planes)]
            if rng.random() < 0.5:
                places[1:] = places[:1] * (rules.planes - 1)
            sides.append(f"{letter}:{','.join(places)}")
        text = f"{' '.join(sides)} {rng.randint(1, 6)} {rng.randrange(rules.seats)}"
        try:
            state = read_state(rules, text)
        except ValueError:
            continue
        if turn(rules, state) != OVER:
            count -= 1
            yield state


def asked(rules: Rules, stacks: str) -> aeroplane.Adapter:
    module = SimpleNamespace(Any=lambda colour: colour)
    greeting = {"seats": rules.seats, "seat": 1, "rules": {"stacks": stacks}}
    return aeroplane.Adapter(module, greeting, "Any")


def as_position(state: Any, planes: int) -> str:
    """Return a state of the course as our text."""
    sides = []
    for player in state.players:
        places = []
        for plane in player.planes[:planes]:
            kind = {"Hangar": 0, "Launch": 1}.get(plane.pos_type, plane.total_steps + 1)
            places.append(PLACES[kind])
        sides.append(f"{player.color}:{','.join(places)}")
    colours = [player.color for player in state.players]
    return f"{' '.join(sides)} - {colours.index(state.turn)}"


@pytest.mark.unmeasured
@pytest.mark.parametrize("handed_out", ["aeroplane"], indirect=True)
@pytest.mark.parametrize("stacks", ["capture", "block"])
@pytest.mark.parametrize(("seats", "planes"), [(2, 1), (2, 2), (2, 3), (2, 4), (4, 4)])
def test_successors_are_those_of_the_rules(
    handed_out: None, stacks: str, seats: int, planes: int
) -> None:
    rules = variant("aeroplane", seats=seats, planes=planes, stacks=stacks)
    manner = asked(rules, stacks)
    for state in random_positions(rules, 100, seats):
        theirs, die = manner.state(position(rules, state))
        assert die == theirs.die_roll == state.roll
        assert theirs.get_movable_planes(die) == list(choices(rules, state, state.seat))
        for action in choices(rules, state, state.seat):
            after = apply(rules, state, action)
            found = theirs.generate_successor(action, die)
            assert as_position(found, planes) == position(rules, after), position(rules, state)
            over = turn(rules, after) == OVER
            mover = theirs.turn
            assert found.is_win(mover) == over and not found.is_lose(mover)
        assert as_position(theirs, planes) == position(rules, state._replace(roll=0))


@pytest.mark.parametrize("handed_out", ["aeroplane"], indirect=True)
def test_a_plane_answers_for_its_place_alone(handed_out: None) -> None:
    manner = asked(variant("aeroplane", planes=1), "capture")
    for place in PLACES:
        plane = manner.state(f"B:{place} G:h 6 0")[0].players["B"].planes[0]
        answers = [
            plane.is_on_hangar(),
            plane.is_on_launch(),
            plane.is_on_main_track(),
            plane.is_on_final_stretch(),
            plane.is_finished(),
        ]
        kinds = ["Hangar", "Launch", "Main", "Final", "Finish"]
        assert answers == [kind == plane.pos_type for kind in kinds]


@pytest.mark.parametrize("handed_out", ["aeroplane"], indirect=True)
def test_a_match_of_the_programs_own_ends_and_is_shown(
    handed_out: None, capsys: pytest.CaptureFixture[str]
) -> None:
    import Game  # type: ignore[import-not-found]

    random.seed(1)
    game = Game.Game(2)
    while not game.is_over:
        game.player_move()
    game.show()
    shown = capsys.readouterr().out
    assert f"Player {game.winner} wins the game!\n{game.winner} player rolled Die: " in shown
    assert "R B Y G R B Y G" in shown and game.state.is_win(game.winner)


def test_a_match_that_is_shown_tells_what_moves_bring_about() -> None:
    said: list[str] = []
    course.show("random", 4, said.append, lambda: None)
    text = "\n".join(said)
    for event in (
        r"Blue's plane \d jumps from step \d+ to step \d+",
        r"catches (Blue|Green)'s plane \d on step \d+ and sends it to the hangar",
        r"(Blue|Green) has no plane that can move: the turn passes to (Blue|Green)",
    ):
        assert re.search(event + r"\.\n", text), event


# Programs play unchanged. -------------------------------------------------------------------------


@pytest.mark.usefixtures("measured_processes")
@pytest.mark.unmeasured
@pytest.mark.parametrize("name", ["RandomAgent", "ExpectimaxAgent", "MCTSAgent", "RLAgent"])
def test_the_agents_handed_out_play(name: str) -> None:
    assert_plays(f"{OURS}:{name}", planes=2 if name == "MCTSAgent" else 1)


@pytest.mark.unmeasured
@pytest.mark.parametrize("source", [EXPECTIMAX, MCTS, SQUARES], ids=["deep", "mcts", "squares"])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_file_alone_plays(source: str, seat: int, tmp_path: Path) -> None:
    assert_plays(written(tmp_path, source, "mine.py"), seat)


def test_what_a_program_prints_is_kept_without_colours(tmp_path: Path) -> None:
    log = assert_plays(written(tmp_path, EXPECTIMAX, "MyAgent.py"))
    assert "\nB expects " in log and "\x1b" not in log


# How a folder may differ: a turn is a colour, players are kept by it, kinds are words, a move jumps
# by itself, a state takes more than players and a turn.
BY_COLOUR = (
    ("return self.players[self.turn]", "return self.by_color[self.turn]"),
    (
        "self.gameboard = [",
        "self.by_color = {p.color: p for p in players}\n        self.gameboard = [",
    ),
    ("state.turn = 1 - state.turn", "state.turn = 'G' if state.turn == 'B' else 'B'"),
    ("GameState(self.players, 0)", "GameState(self.players, 'B')"),
)
DICT = (
    *BY_COLOUR,
    ("for player in players for", "for player in players.values() for"),
    ("{p.color: p for p in players}", "players"),
    ("for player in self.players if", "for player in self.players.values() if"),
)
WORDS = (
    ("class PosType(Enum)", "class PosType"),
    *((f"{kind} = auto()", f"{kind} = '{kind.lower()}'") for kind in ("HANGAR", "LAUNCH", "MAIN")),
    *((f"{kind} = auto()", f"{kind} = '{kind.lower()}'") for kind in ("FINAL", "FINISH")),
)
JUMPS = (
    (
        "self.total_steps += steps\n",
        "self.total_steps += steps + (4 if self.total_steps + steps in (2, 10) else 0)\n",
    ),
)
MORE = (
    ("def __init__(self, players, turn):", "def __init__(self, players, turn, record):"),
    ("GameState(self.players, 0)", "GameState(self.players, 0, [])"),
)


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "changes",
    [(), BY_COLOUR, DICT, WORDS, JUMPS, JUMPS + WORDS, MORE],
    ids=["as it is", "by colour", "dict", "words", "jumps", "jumps in words", "more"],
)
def test_a_folder_plays_by_its_own_modules(
    changes: tuple[tuple[str, str], ...], tmp_path: Path
) -> None:
    folder = write_folder(tmp_path / "theirs", changes)
    assert "\n2 rows\n" in assert_plays(folder, 1)


def test_a_folder_plays_with_all_planes(tmp_path: Path) -> None:
    assert_plays(write_folder(tmp_path / "theirs"), planes=4)


def test_a_folder_with_settings_of_its_own_uses_the_board_handed_out(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    written(folder, "DEPTH = 7\n", "utils.py")
    source = (
        "import utils\nfrom Agent import ExpectimaxAgent\nprint('depth', utils.DEPTH)\n"
        "class Mine(ExpectimaxAgent):\n    pass\n"
    )
    written(folder, source, "MyAgent.py")
    assert "depth 7" in assert_plays(str(folder))


def test_a_state_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    changes = (("self.die_roll = players, turn, 0", "self.die_roll = 1 / 0"),)
    match, _ = matched(write_folder(tmp_path / "theirs", changes))
    assert match.ending == CRASHED
    assert "no GameState(players, turn) could be made" in match.words


def test_a_file_plays_as_its_last_class_or_as_named(tmp_path: Path) -> None:
    rules = variant("aeroplane")
    assert make_agent(str(OURS), rules).submission.word == "RLAgent"  # type: ignore[attr-defined]
    source = (
        "from Agent import AeroplaneChessAgent\nclass Mine(AeroplaneChessAgent):\n"
        "    def get_action(self, state, die_v):\n        return None\n"
    )
    match, _ = matched(written(tmp_path, source, "mine.py"))
    assert (match.ending, match.words) == (
        ILLEGAL,
        "answered None, which is not a move here (expected the index of a plane that can move),"
        " in position B:h G:h 6 0",
    )


def test_a_class_that_inherits_its_moves_is_an_agent() -> None:
    source = (
        "import Agent\nclass Base(Agent.ExpectimaxAgent):\n    pass\n"
        "class Node:\n    pass\nclass Better(Base):\n    pass\n"
    )
    assert AEROPLANE.names(ast.parse(source)) == ["Better", "Base"]
