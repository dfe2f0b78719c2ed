"""What somebody's program prints can be read wherever its match can be seen."""

import json
from pathlib import Path

import pytest

from ludex.core.termination import CRASHED
from ludex.external.log import last_lines, last_part
from ludex.match.record import read_output, read_record, replay_states, write
from tests.classes import results_of, submitted
from tests.classes import run as grade
from tests.commands import facts, run
from tests.lines import variant
from tests.match.test_record import record_of
from tests.players import written

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]

FAILING = """
import sys
def value(nuts):
    raise ValueError(f"no idea of {nuts}")
def choose(position, moves, seconds):
    print("<b>I see</b> \x1b[31m", position)
    return value(position.split()[0])
"""
TRACEBACK = """\
Traceback (most recent call last):
  File "{file}", line 7, in choose
    return value(position.split()[0])
           ^^^^^^^^^^^^^^^^^^^^^^^^^^
  File "{file}", line 4, in value
    raise ValueError(f"no idea of {{nuts}}")
ValueError: no idea of 21
"""
NAMED = ("--matches", "2", "--seed", "1", "--processes", "1")


def printed(file: str) -> str:
    return f"<b>I see</b>  21 0\n{TRACEBACK.format(file=file)}"


# Records. -----------------------------------------------------------------------------------------


def test_a_record_without_output_is_written_as_it_always_was() -> None:
    record = record_of("nuts")
    assert "output" not in json.loads(write(record))
    assert list(json.loads(write(record)))[-1] == "when"
    assert read_record(write(record)).output == ()


def test_a_record_keeps_the_output_of_every_seat() -> None:
    record = record_of("nuts")._replace(output=("a\n\tb\n", ""))
    line = write(record)
    assert "\n" not in line and read_record(line) == record
    assert (read_output(line, 0), read_output(line, 1)) == ("a\n\tb\n", "")
    assert read_output(write(record_of("nuts")), 1) == ""
    assert replay_states(record)[0] == variant("nuts")


def test_output_of_too_many_seats_does_not_replay() -> None:
    with pytest.raises(ValueError, match="expected output of 2 seats, not of 3"):
        replay_states(record_of("nuts")._replace(output=("", "", "a")))
    with pytest.raises(ValueError, match="output: 7 where a list was expected"):
        read_record(json.dumps({**json.loads(write(record_of("nuts"))), "output": 7}))


# Commands. ----------------------------------------------------------------------------------------


def test_a_series_shows_the_first_failure_and_how_to_see_all_of_it(tmp_path: Path) -> None:
    path = written(tmp_path, FAILING)
    shown = run("match", "nuts", path, "random", *NAMED).stdout
    caption = f"\n\nthe output of {path} in match 0, which it ended CRASHED:\n"
    rest = shown.partition(caption)[2]
    indented = "".join(f"    {line}\n" for line in printed("player.py").splitlines())
    output, _, command = rest.partition("all of it: ludex ")
    assert output == indented
    again = run(*command.split())
    assert again.stdout.startswith(f"Player 1 ({path}) printed:\n{indented}CRASHED after 0 moves")


def test_programs_are_told_what_was_printed(tmp_path: Path) -> None:
    path, file = written(tmp_path, FAILING), str(tmp_path / "two.jsonl")
    told = facts("match", "nuts", path, "random", *NAMED, "--no-store", "--out", file)
    [one] = told["output"]
    assert one == {
        "agent": path,
        "match": 0,
        "ending": CRASHED,
        "output": printed("player.py"),
        "command": f"ludex replay {file} --match 1 --output",
    }
    assert facts("replay", file, "--match", "1")["output"] == [printed("player.py"), ""]
    told = facts("match", "nuts", path, "random", *NAMED, "--no-store")
    assert told["output"][0]["command"] == ""


def test_a_series_that_is_known_already_shows_the_same(tmp_path: Path) -> None:
    path = written(tmp_path, FAILING)
    one, two = (facts("match", "nuts", path, "random", *NAMED)["output"] for _ in range(2))
    assert one == two != []


def test_a_series_without_a_failure_shows_no_output() -> None:
    assert facts("match", "nuts", "random", "random", *NAMED)["output"] == []


def test_a_replay_says_that_nothing_was_printed(tmp_path: Path) -> None:
    file = str(tmp_path / "two.jsonl")
    run("match", "nuts", "random", "random", *NAMED, "--no-store", "--out", file)
    shown = run("replay", file, "--match", "2", "--output").stdout
    assert shown.startswith("nothing is kept that a program has printed in this match\nBY_RULES")


def test_a_record_of_somebody_else_cannot_steer_the_screen(tmp_path: Path) -> None:
    file = tmp_path / "one.jsonl"
    record = record_of("nuts")._replace(output=("\x1b]0;title\x07\x1b[2Jx", ""))
    file.write_text(write(record) + "\n", encoding="utf-8")
    shown = run("replay", str(file), "--output").stdout
    assert "    �]0;title�x\n" in shown and "\x1b" not in shown


PLAYER = """
class PlayerAI:
    def getMove(self, grid):
        print("I cannot move")
        return grid.nothing
    def getTrap(self, grid):
        pass
"""
FLYER = """
class MyAgent:
    def __init__(self, color):
        print("I am", color)
    def get_action(self, state, die_v):
        print("rolled", die_v)
        raise KeyError(die_v)
"""


def test_the_program_of_the_trap_course_shows_what_a_player_printed(tmp_path: Path) -> None:
    path = written(tmp_path, PLAYER, "PlayerAI.py")
    shown = run("classic", "trap", path, "random", "--size", "3", "--seed", "1").stdout
    begin = f"Player 1 ({path}) printed:\n    I cannot move\n    Traceback (most recent call last):"
    assert begin in shown and "    AttributeError: 'Grid' object has no" in shown


def test_the_program_of_the_aeroplane_course_shows_the_first_failure(tmp_path: Path) -> None:
    path = written(tmp_path, FLYER, "MyAgent.py")
    shown = run("classic", "aeroplane", "--agent", path, "--matches", "2", "--seed", "1").stdout
    assert "match 1 ended CRASHED: KeyError: " in shown
    assert f"{path}, in match 1, printed:\n    I am B\n    rolled " in shown
    given = ("classic", "aeroplane", "--agent", path, "--show", "--seed", "1")
    shown = run(*given, given="\n" * 200).stdout
    assert f"{path} printed:\n    I am B\n    rolled " in shown


DROID = """
from enum import Enum
class Action(Enum):
    MOVE_UP, MOVE_DOWN, MOVE_LEFT, MOVE_RIGHT, SHOOT = range(1, 6)
class MinimaxAgent:
    rounds = 0
    def clear(self):
        pass
    def get_best_move(self, self_droid, adv_droid, score_change, training):
        self.rounds += 1
        print("round", self.rounds, training)
        return Action.SHOOT if self.rounds < 3 else self.nothing
"""


def test_the_program_of_the_droids_course_shows_what_an_agent_printed(tmp_path: Path) -> None:
    path = written(tmp_path, DROID, "r2d2_hw3.py")
    given = ("classic", "droids", path, "random", "--console", "--seed", "1")
    shown = run(*given, given="\n\n\n\nquit\n").stdout
    wanted = "R2-D2 printed:\n    round 1 False\n    round 2 False\n    round 3 False\n"
    assert f"{wanted}    Traceback (most recent call last):" in shown
    shown = run(*given, given="\nquit\n").stdout
    assert "R2-D2 printed:\n    round 1 False\n" in shown
    shown = run(*given[:4], "50", "--console", "--seed", "1").stdout
    assert f"{path} printed:\n    round 1 True\n" in shown


# Marks. -------------------------------------------------------------------------------------------


@pytest.mark.unmeasured
def test_marks_come_with_the_output_of_the_first_failure(order: Path, tmp_path: Path) -> None:
    out = tmp_path / "marks"
    quiet = "def choose(position, moves, seconds):\n    print('fine')\n    return moves[-1]\n"
    noisy = FAILING.replace("print(", "print('x' * 100_000, flush=True)\n    print(")
    sources = {"failing": FAILING, "quiet": quiet, "noisy": noisy}
    paths = [submitted(tmp_path / "class", name, source) for name, source in sources.items()]
    assert grade(order, *paths, "--out", out, "--processes", 1, "--unsafe").exit_code == 0
    told = printed("agent.py").replace("21", "11")
    for test in results_of(out, "failing")["tests"]:
        assert f"\n\nIt printed:\n{told.partition('ValueError')[0]}" in test["output"]
        assert str(tmp_path) not in test["output"]
    assert all("printed" not in test["output"] for test in results_of(out, "quiet")["tests"])
    for test in results_of(out, "noisy")["tests"]:
        assert "letters before …" in test["output"] and len(test["output"]) < 4500
        assert "ValueError: no idea of 1" in test["output"]


@pytest.mark.unmeasured
def test_the_page_shows_what_was_printed_and_nothing_of_it_is_markup(
    order: Path, tmp_path: Path
) -> None:
    out = tmp_path / "marks"
    shouting = (
        "def choose(position, moves, seconds):\n    print('<i>fine</i>')\n    return moves[-1]\n"
    )
    sources = {"failing": FAILING, "shouting": shouting}
    paths = [submitted(tmp_path / "class", name, source) for name, source in sources.items()]
    assert grade(order, *paths, "--out", out, "--processes", 1, "--unsafe").exit_code == 0
    pages = {
        name: (out / "students" / name / "index.html").read_text(encoding="utf-8")
        for name in sources
    }
    caption, begin = (
        "where it first failed</summary>",
        '<pre class="printed">&lt;b&gt;I see&lt;/b&gt;',
    )
    assert f"{caption}{begin}" in pages["failing"] and "<b>I see" not in pages["failing"]
    assert "raise ValueError(f&#34;no idea of {nuts}&#34;)" in pages["failing"]
    assert "What it printed in this match</summary>" in pages["shouting"]
    assert "&lt;i&gt;fine&lt;/i&gt;" in pages["shouting"]
    assert "first failed" not in pages["shouting"]


# Parts. -------------------------------------------------------------------------------------------


def test_parts_of_output_say_what_is_missing() -> None:
    text = "".join(f"line {number}\n" for number in range(10))
    assert last_lines(text, 10) == text.rstrip("\n")
    assert last_lines(text, 2) == "… 8 lines before …\nline 8\nline 9"
    assert last_part(text, 70) == text.rstrip("\n")
    assert last_part(text, 16) == "… 56 letters before …\nline 8\nline 9"
    assert last_part("x" * 9, 4) == "… 5 letters before …\nxxxx"
