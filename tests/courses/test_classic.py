"""The programs of the courses do what their documents say, to the letter."""

import json
import re
import urllib.request
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ludex.cli import cli
from ludex.courses import nuts
from ludex.courses.droids import QAgent, Show, make_droid, train
from ludex.courses.droids_page import DroidsServer
from ludex.external import sandbox
from tests.lines import variant
from tests.students import SOLUTIONS

pytestmark = pytest.mark.plain


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner(echo_stdin=True).invoke(cli, ["classic", *arguments], input=typed)


# Nuts: the four examples of the document, with its misprints read as they are meant. ------------

DIALOGUES = Path(__file__).parents[1] / "dialogues"
ONE, TWO, THREE, FOUR = (
    (DIALOGUES / f"{name}.txt").read_text(encoding="utf-8")
    for name in ("one", "two", "three", "four")
)
SEED_OF_THREE = "989"  # one of those with which the computer draws what it draws there


def answers(transcript: str) -> str:
    """Return what is typed in a transcript."""
    return "".join(f"{one}\n" for one in re.findall(r"\? (.+)$", transcript, re.MULTILINE))


def test_the_first_example_of_nuts() -> None:
    assert run("nuts", "--part", "1", typed=answers(ONE)).output == ONE


def test_the_second_example_of_nuts_with_its_bad_answers() -> None:
    # It leaves out the moves from 41 to 1: an odd number of them.
    between = ["3"] * 10 + ["2"] * 5
    begin, end = TWO.split("...")
    typed = answers(begin) + "".join(f"{one}\n" for one in between) + answers(end)
    output = run("nuts", "--part", "1", typed=typed).output
    assert output.startswith(begin) and output.endswith(end)


def test_the_third_example_of_nuts() -> None:
    shown = run("nuts", "--part", "2", "--seed", SEED_OF_THREE, typed=answers(THREE))
    assert shown.output == THREE


def test_the_fourth_example_of_nuts() -> None:
    shown = run("nuts", "--training", "4000", "--seed", "1", typed=answers(FOUR))
    assert shown.output == FOUR


def test_training_in_portions_is_the_same_training(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[int] = []
    whole = nuts.train_hats(12, 90, np.random.default_rng(1))
    monkeypatch.setattr(nuts, "PORTION", 35)
    assert nuts.train_hats(12, 90, np.random.default_rng(1), told.append) == whole
    assert told == [35, 70, 90]


def test_what_is_no_number_is_asked_again() -> None:
    output = run("nuts", "--part", "1", typed="ten\n1e1\n\n²\n10\nq\n1.5\n-1\n").output
    assert output.count("Please enter a number between 10 and 100\n") == 4
    assert output.count("Please enter a number between 1 and 3\n") == 3


def test_the_hats_are_printed_on_request_and_those_of_the_document() -> None:
    output = run("nuts", "--part", "2", "--hats", typed="10\n2\nhats\n3\nhats\n").output
    assert output.count("hat: balls numbered 1 to 3\n  1: 1, 1, 1\n") == 2
    assert "nobody is learning" in run("nuts", typed="hats\n").output
    hats = [[1, 1, 1] for _ in range(10)]
    nuts.update_hats(hats, [(6, 1), (3, 2)], won=True)  # figures 2 to 5
    assert (hats[3], hats[6]) == ([1, 1, 2], [1, 2, 1])
    nuts.update_hats(hats, [(6, 1), (3, 2)], won=False)
    nuts.update_hats(hats, [(6, 1), (3, 2)], won=False)
    assert hats == [[1, 1, 1]] * 10  # the last ball of a kind stays


def test_a_ball_is_drawn_as_often_as_there_are_of_its_kind() -> None:
    rng = np.random.default_rng(1)
    drawn = [nuts.draw_ball([1, 2, 1], rng) for _ in range(2000)]
    assert abs(drawn.count(1) / 2000 - 0.5) < 0.05 and set(drawn) == {0, 1, 2}


# Droids. ------------------------------------------------------------------------------------------


def test_droids_train_and_are_watched_at_the_console() -> None:
    shown = run(
        "droids", "QAgent", "MinimaxAgent", "60", "--console", "--seed", "1", typed=" \n\nquit\n"
    )
    assert shown.exit_code == 0, shown.output
    assert "\rTraining: 0 %" in shown.output and "\rTraining: 100 %\n" in shown.output
    assert "50 rounds left" in shown.output and "48 rounds left" in shown.output


def test_a_keyboard_plays_and_a_finished_match_restarts() -> None:
    rules = variant("droids", rounds=2)
    show = Show([None, make_droid("MinimaxAgent", None, rules, 1)], rules, 1)
    show.press("d")
    assert show.match.state.rounds == 1 and show.match.state.cell1 == 9
    show.press("x")
    assert show.match.state.rounds == 1
    show.press("space")
    assert show.match.over and "Press a key" in show.words
    show.press("w")
    assert show.match.state.rounds == 2 and show.words == ""
    show.press("arrowleft")  # a wall
    assert show.match.state.rounds == 2


def test_a_key_that_does_nothing_says_why() -> None:
    typed = "x\n\n \nleft\nUP\nquit\n"
    shown = run("droids", "KeyboardAgent", "random", "--console", "--seed", "1", typed=typed)
    keys = "W A S D or the arrows move, space shoots."
    assert f"'x' does nothing. {keys}\n" in shown.output
    assert f"> {keys}\n" in shown.output.replace("> \n", "> ")  # Enter alone does not shoot
    assert shown.output.count("There is a wall.\n") == 1
    assert "49 rounds left" in shown.output and "R2-D2: shoot" in shown.output
    assert "48 rounds left" in shown.output and "R2-D2: up" in shown.output
    assert "47 rounds left" not in shown.output


def test_without_a_keyboard_only_space_goes_on() -> None:
    rules = variant("droids")
    show = Show(
        [make_droid("random", None, rules, 1), make_droid("random", None, rules, 2)], rules, 1
    )
    show.press("w")
    assert show.match.state.rounds == 50
    show.press(" ")
    assert show.match.state.rounds == 49 and show.help() == "Space plays the next round."


def test_agents_of_a_file_train_in_their_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sandbox.UNSAFE, "1")
    rules = variant("droids")
    file = str(SOLUTIONS / "droids" / "r2d2_hw3.py")
    agents: Any = [make_droid("QAgent", file, rules, 1), make_droid("random", file, rules, 2)]
    told: list[int] = []
    train(rules, agents, 500, 1, told.append)
    assert told[-1] == 100 and told == sorted(told)
    show = Show(agents, rules, 1)
    while not show.match.over:
        show.press(" ")
    assert "Press a key" in show.words
    show.close()
    assert agents[0].process is None


@pytest.mark.usefixtures("unsafe")
def test_what_an_agent_printed_before_an_illegal_answer_is_said(tmp_path: Path) -> None:
    file = tmp_path / "r2d2_hw3.py"
    source = (SOLUTIONS / "droids" / file.name).read_text(encoding="utf-8")
    odd = "    def clear(self): pass\n"
    odd += "    def get_best_move(self, *given):\n        print('thinking')\n        return 'odd'\n"
    file.write_text(f"{source}\n\nclass QAgent(Agent):\n{odd}", encoding="utf-8")
    rules = variant("droids")
    agents: Any = [make_droid("QAgent", str(file), rules, 1), make_droid("random", None, rules, 2)]
    said: list[str] = []
    show = Show(agents, rules, 1, said.append)
    show.press(" ")
    show.close()
    assert show.words.startswith("R2-D2 plays at random: ")
    assert said == ["R2-D2 printed:\n    thinking"]


def test_our_learner_learns_from_as_many_rounds_as_ordered() -> None:
    rules = variant("droids")
    agents: Any = [QAgent(rules, 1), QAgent(rules, 2)]
    train(rules, agents, 2000, 1, lambda percent: None)
    assert agents[0].memory is agents[1].memory
    assert 2000 <= agents[0].decisions // 2 < 2200


def test_the_board_is_shown_in_a_browser() -> None:
    rules = variant("droids")
    show = Show([None, make_droid("random", None, rules, 1)], rules, 1)
    with DroidsServer(show) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        with urllib.request.urlopen(server.address) as page:
            text = page.read().decode()
        assert 'data-key="w"' in text and "arrowup" in text
        request = urllib.request.Request(f"{server.address}press/d", method="POST")
        with urllib.request.urlopen(request) as answer:
            now = json.load(answer)
        assert now["picture"].startswith("<svg") and now["position"].endswith(" 49")
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(f"http://127.0.0.1:{server.server_address[1]}/")
        server.shutdown()


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["droids", "KeyboardAgent", "KeyboardAgent"], "one keyboard cannot play both"),
        (["droids", "KeyboardAgent", "QAgent", "100"], "whom does it train against?"),
        (["droids", "QAgent", "Nobody"], "no agent 'Nobody'"),
        (["droids", "QAgent", "QAgent", "abc"], "'abc' is not a whole number"),
        (["trap", "easy"], "1 player: expected two, or none"),
        (["arena", "firstmove", "--depths", "9-1"], "--depths '9-1': expected the smaller number"),
        (
            ["arena", "firstmove", "--file", str(SOLUTIONS / "arena"), "--rule", "heal=3"],
            "--file has rules of its own: expected neither --rule nor --rules with it",
        ),
        (
            ["arena", "fullgames", "--file", str(SOLUTIONS / "nuts"), "--unsafe"],
            "expected the classes GameState and Game",
        ),
        (["arena", "fullgames", "--file", "nowhere.py"], "'nowhere.py': No such file"),
        (["arena", "fullgames", "--rule", "heal=x"], "rule heal: 'x': expected a whole number"),
        (["arena", "human", "X", "1"], "'X': expected L for Dr. Light, or W for Dr. Wily"),
        (["arena", "human", "L", "-1"], "-1 is not in the range 0<=x<=20"),
        (["aeroplane", "--agent", "nobody"], "no agent 'nobody'"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(arguments: list[str], wanted: str) -> None:
    shown = run(*arguments)
    assert shown.exit_code == 2 and shown.stderr.count("\n") == 1
    assert wanted in shown.stderr


# Arena, aeroplane, trap. --------------------------------------------------------------------------


def first_moves(*arguments: str) -> list[list[str]]:
    """Return the rows of the table of first moves, cell by cell."""
    shown = run("arena", "firstmove", *arguments)
    assert shown.exit_code == 0, shown.stderr
    says, head, *rows = shown.stdout.splitlines()
    assert says == "Depth limit d looks d + 1 plies ahead, as --agent alphabeta:depth=PLIES does."
    assert re.split("  +", head)[:2] == ["Algorithm", "Depth limit"]
    return [re.split("  +", row) for row in rows]


def test_arena_has_its_three_programs() -> None:
    rows = first_moves("--depths", "1-2")
    assert [row[:3] for row in rows] == [
        [algorithm, str(limit), str(limit + 1)]  # a depth limit looks one ply further
        for algorithm in ("Minimax", "AlphaBeta")
        for limit in (1, 2)
    ]
    games = run("arena", "fullgames", "--depths", "0-0", "--seed", "1").stdout.splitlines()
    assert re.fullmatch(r"Light 0, Wily 0: Dr\. (Light|Wily) wins with [\w ,]+\.", games[1])
    human = run("arena", "human", "W", "0", typed="1\n2\nquit\n")
    assert human.exit_code == 0 and "Dr. Wily> " in human.output and "Good bye." in human.output


@pytest.mark.parametrize("seed", ["1", "2"])
def test_both_searchers_give_the_first_of_the_best_moves_of_arena(seed: str) -> None:
    # At limit 0 all first moves look alike, and with equal robots they always do.
    rows = first_moves("--depths", "0-2", "--seed", seed)
    assert [row[-2:] for row in rows[:3]] == [row[-2:] for row in rows[3:]]
    assert rows[0][-1] == "Spark Man"
    equal = first_moves("--depths", "0-1", "--rule", "*-*=8", "--seed", seed)
    assert {row[-1] for row in equal} == {"Spark Man"}


def test_the_programs_of_arena_take_other_rules() -> None:
    weak = first_moves("--depths", "0", "--rule", "gamma=9")
    assert first_moves("--depths", "0")[0][-2:] == ["-0.0149", "Spark Man"] != weak[0][-2:]
    rule = ("--rule", "*-*=8")
    games = run("arena", "fullgames", "--depths", "0-0", *rule, "--seed", "1", "--show").stdout
    assert re.search(
        r"2\. Dr\. Wily: .+\n +\w+ Man strikes first: 4 blows of 8, .* 30 → 0\.", games
    )
    human = run("arena", "human", "L", "0", *rule, typed="spark\nquit\n").output
    assert "strikes first: 4 blows of 8, Spark Man 30 → 0." in human


ARENA_FILE = str(SOLUTIONS / "arena" / "Megaman_Arena.py")
ODD_ARENA = """
class GameState:
    healths, maxs_turn = {"Mega Man": 30, "Gamma": 99}, True


class Game:
    def __init__(self, depthlimit=0):
        self.depthlimit = depthlimit

    def initial_state(self):
        return GameState()

    def is_maxs_turn(self, state):
        return True

    def is_terminal(self, state):
        return False

    def cutoff_test(self, state, depth):
        return True

    def actions(self, state):
        return ["Mega Man"]

    def result(self, state, action):
        return state

    def eval(self, state):
        while self.depthlimit:
            pass
        return 0
"""


@pytest.mark.usefixtures("unsafe")
def test_a_students_file_gets_the_tables_of_the_document() -> None:
    rows = first_moves("--depths", "0-2", "--file", ARENA_FILE)
    assert [row[-2:] for row in rows] == 2 * [
        ["+7.0000", "Spark Man"],
        ["-4.0000", "Mega Man"],
        ["+13.0000", "Hard Man"],
    ]
    games = run("arena", "fullgames", "--depths", "0-1", "--file", ARENA_FILE).stdout
    assert [line.split(":")[0] for line in games.splitlines()[1:]] == [
        f"Light {light}, Wily {wily}" for light in (0, 1) for wily in (0, 1)
    ]
    assert "Light 1, Wily 1: Dr. Wily wins! Heat Man: 10 Gamma: 99\n" in games
    shown = run("arena", "fullgames", "--depths", "0-0", "--file", ARENA_FILE, "--show").stdout
    assert "2. Dr. Wily: Quick Man (Spark Man 30 → 0, Quick Man 30 → 16)\n" in shown


@pytest.mark.usefixtures("unsafe")
def test_a_search_of_a_students_file_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    file = tmp_path / "Megaman_Arena.py"
    file.write_text(ODD_ARENA, encoding="utf-8")
    rows = first_moves("--depths", "0-2", "--file", str(file), "--seconds", "0.3")
    words = "not found in this time; none deeper is tried"
    assert [(row[1], row[3], row[-1]) for row in rows[1::2]] == [("1", "> 0.3", words)] * 2
    endless = run("arena", "fullgames", "--depths", "0-0", "--file", str(file))
    assert endless.exit_code == 2
    assert endless.stderr == "ludex: the game of the file has not ended after 200 moves\n"


@pytest.mark.usefixtures("unsafe")
def test_an_error_in_a_students_file_names_its_line(tmp_path: Path) -> None:
    file = tmp_path / "Megaman_Arena.py"
    file.write_text(ODD_ARENA.replace("return GameState()", "return 1 / 0"), encoding="utf-8")
    for program in ("firstmove", "fullgames"):
        shown = run("arena", program, "--depths", "0-0", "--file", str(file))
        assert shown.exit_code == 2
        assert "CRASHED: ZeroDivisionError: division by zero (line 11 of Mega" in shown.stderr
        assert f"{file} printed:\n    Traceback (most recent call last):\n" in shown.stdout


@pytest.mark.usefixtures("unsafe")
def test_what_a_students_file_prints_is_shown_behind_the_table(tmp_path: Path) -> None:
    file = tmp_path / "Megaman_Arena.py"
    file.write_text(f"print('loaded')\n{ODD_ARENA}", encoding="utf-8")
    shown = run("arena", "firstmove", "--depths", "0-0", "--file", str(file)).stdout
    assert shown.endswith(f"Mega Man\n\n{file} printed:\n    loaded\n")


def test_a_person_in_the_arena_names_robots_as_the_document_does() -> None:
    shown = run("arena", "human", "l", "0", "--seed", "1", typed="zork\nShadow  man\n").output
    assert "'zork': expected one of Spark Man, Snake Man, Needle Man, Hard Man, " in shown
    assert "Dr. Light: shadow\n" in shown


def test_a_battle_against_the_machine_is_told() -> None:
    shown = run("arena", "human", "l", "0", "--seed", "1", typed="shadow\nquit\n").output
    assert re.search(
        r"Dr\. Wily: \w+\n  \w+ Man strikes first: \d+ blows of 2, Shadow Man 30", shown
    )


def test_aeroplane_shows_what_its_document_shows() -> None:
    output = run("aeroplane", "--show", "--seed", "1", typed="\n" * 2000).output
    shown = output.splitlines()
    assert "=================================Main track" + "=" * 62 in shown
    assert "E" + " " * 45 + "F     E" + " " * 45 + "F    " in shown
    assert "B B B B B B B" in shown and "Type enter to continue..." in output
    assert re.search(
        r"[BG] player rolled Die: 6\nPlayer [BG] moved plane [1-4]\n4 planes left\.\n\n\n==", output
    )
    won = re.search(r"([BG]) player got a plane finished!\n\nPlayer \1 wins the game!\n", output)
    assert won is not None


def test_aeroplane_prints_both_tables() -> None:
    output = run("aeroplane", "--agent", "greedy", "--matches", "4", "--seed", "1").stdout
    assert re.search(r"greedy +random +\d:\d", output)
    assert re.search(r"greedy +0\.\d{5}", output)


def test_trap_shows_the_grid_and_the_winner() -> None:
    output = run("trap", "easy", "medium", "--size", "4", "--seed", "2").stdout
    assert output.startswith(
        "  0 1 2 3\n0 . . 1 .\n1 . . . .\n2 . . . .\n3 . . 2 .\n\nPlayer 1: step "
    )
    assert re.search(r"Player [12] \((easy|medium)\) wins!\n$", output)


def test_the_list_of_programs_cuts_no_sentence_at_a_title() -> None:
    assert "Play as Light (L) or Wily (W) against a depth limit." in run("arena", "--help").stdout
