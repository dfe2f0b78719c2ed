"""The command line: what it prints, and how it refuses."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from ludex.cli import COMMANDS
from ludex.cli.options import chosen_rules
from ludex.core.rules import rule_values
from ludex.games import GAMES
from tests.commands import facts, refused, run

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]


def test_help_lists_every_command() -> None:
    shown = run("--help").stdout
    for name, text in COMMANDS.items():
        assert name in shown and text in shown


def imported_by(command: str, *modules: str) -> list[str]:
    """Return which of these modules a command imports."""
    code = (
        "import sys; from ludex.cli import cli\n"
        f"try: cli({command.split()})\n"
        "except SystemExit: pass\n"
        f"print(*(name for name in {modules} if name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()


def test_starting_imports_neither_numba_nor_numpy() -> None:
    for command in ("--help", "--version", "completion bash"):
        assert imported_by(command, "click", "numba", "numpy", "rich") == ["click"]


@pytest.mark.compiled
def test_a_match_imports_only_what_it_needs() -> None:
    slow = ("numba.np.arraymath", "sqlalchemy", "scipy.linalg", "sqlalchemy.dialects.postgresql")
    assert imported_by("play nuts random random --seed 1", *slow) == [
        "numba.np.arraymath",
        "sqlalchemy",
    ]


def test_the_server_starts_without_plots() -> None:
    code = "import sys, ludex.web.app; print('nicegui' in sys.modules, 'matplotlib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "True False\n"


def test_without_a_command_there_is_help() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == run("--help").stdout


def test_a_single_rule_wins_over_a_pattern_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text('metal-mega = 5\n"*-mega" = 2\n')
    values = rule_values(chosen_rules("arena", ("metal-mega=30",), file))
    assert (values["metal-mega"], values["air-mega"]) == (30, 2)


def test_games_are_listed() -> None:
    shown = run("games").stdout
    assert all(f"{name} " in shown for name in GAMES)
    assert [game["game"] for game in facts("games")] == list(GAMES)


def test_the_rules_of_a_game_are_listed_with_default_and_range() -> None:
    shown = run("games", "nuts").stdout
    assert "21" in shown and "10 to 100" in shown
    assert "how many nuts lie on the table at the start" in shown
    arena = run("games", "arena").stdout
    assert "mega-heat" in arena and "ROW-COLUMN, such as spark-metal, 1 to 127" in arena
    rules = facts("games", "aeroplane")["rules"]
    assert rules["stacks"]["default"] == "capture"
    assert rules["stacks"]["words"] == ["capture", "block"]
    assert (rules["planes"]["low"], rules["planes"]["high"]) == (1, 4)
    assert len(facts("games", "arena")["rules"]) == 256


def test_the_rules_of_a_game_are_listed_as_they_were_changed() -> None:
    told = facts("games", "droids", "--rule", "rows=6")["rules"]
    assert (told["rows"]["default"], told["rows"]["value"]) == ("4", "6")
    assert (told["start1"]["value"], told["start1"]["numbers"]) == ("3,0", 2)
    shown = run("games", "nuts", "--rule", "nuts=30").stdout
    assert "21" in shown and "30" in shown
    assert facts("games", "examples/pig.py")["rules"]["goal"]["low"] == 2


def test_agents_are_listed() -> None:
    assert [agent["agent"] for agent in facts("agents")][:2] == ["human", "random"]
    shown = run("agents").stdout
    assert "Asks a person." in shown and "easy, medium, hard, best" in shown
    told = next(agent for agent in facts("agents") if agent["agent"] == "mcts")["options"]
    assert (told["seconds"]["default"], told["c"]["default"]) == ("", "1.4")
    assert told["nodes"]["range"] == "64 to 16777216"


def test_show_tells_position_turn_and_moves() -> None:
    assert facts("show", "nuts") == {
        "position": "21 0",
        "turn": 0,
        "moves": ["take 1", "take 2", "take 3"],
    }
    droids = facts("show", "droids", "--rule", "shots=0", "--rule", "rounds=9")
    assert droids["turn"] == "over" and droids["returns"] == [0.0, 0.0]
    droids = facts("show", "droids", "--position", "0,0 3,3 5,4 0,0 49")
    assert droids["turn"] == "both"
    assert droids["moves"] == [["down", "right", "shoot"], ["up", "left", "shoot"]]
    die = facts("show", "aeroplane")
    assert die["turn"] == "chance" and sum(die["chances"]) == pytest.approx(1.0)


def test_show_draws_for_people() -> None:
    shown = run("show", "arena").stdout
    assert "Shadow Man" in shown and "Dr. Light to move" in shown


def test_positions_are_read_line_by_line() -> None:
    result = run("show", "nuts", "--position", "-", given="5 0\n\n4 1\n")
    assert [json.loads(line)["position"] for line in result.stdout.splitlines()] == ["5 0", "4 1"]
    result = run("count", "nuts", "--depth", "2", "--position", "-", given="5 0\n1 1\n")
    counts = [json.loads(line)["counts"] for line in result.stdout.splitlines()]
    assert counts == [[3, 9], [3, 0]]


@pytest.mark.parametrize("name", ["play", "show", "count", "best", "tree"])
def test_help_says_whether_positions_are_read_from_the_standard_input(name: str) -> None:
    words = " ".join(run(name, "--help").stdout.split())
    many = "- reads one from each line of the standard input" in words
    assert many == (name in ("show", "count", "best"))


def test_best_names_the_agent_that_it_asked() -> None:
    assert facts("best", "nuts")["agent"] == "medium"
    assert "agent: medium (minimax:depth=2)\n" in run("best", "nuts").stdout
    assert "agent: random\n" in run("best", "nuts", "--agent", "random").stdout


def test_where_chance_is_to_act_best_offers_a_position_that_show_takes() -> None:
    refused = run("best", "aeroplane").stderr
    given = refused.partition("--position ")[2].split('"')[1]
    assert facts("show", "aeroplane", "--position", given)["turn"] == 0


def test_a_picture_is_written(tmp_path: Path) -> None:
    file = tmp_path / "trap.svg"
    assert run("show", "trap", "--picture", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_count_counts() -> None:
    assert facts("count", "droids", "--depth", "2")["counts"] == [16, 256]
    assert "256" in run("count", "droids", "--depth", "2").stdout


def test_rules_come_from_a_file_and_single_rules_win(tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    file.write_text("nuts = 30\nmost = 5\n")
    told = facts("show", "nuts", "--rules", str(file), "--rule", "most=2")
    assert told["position"] == "30 0" and len(told["moves"]) == 2


def test_check_reports_a_fault_with_exit_code_one(tmp_path: Path) -> None:
    game = tmp_path / "wrong.py"
    source = Path("examples/pig.py").read_text().replace("1.0 / 6.0", "1.0 / 5.0")
    game.write_text(source)
    result = run("check", str(game), "--lines", "5")
    assert result.exit_code == 1
    assert "wrong breaks the contract: the chances sum to 1.2" in result.stdout
    assert "line      roll" in result.stdout
    assert "Traceback" not in result.output
    fine = run("check", "nuts", "--lines", "5")
    assert fine.exit_code == 0 and "nuts keeps the contract" in fine.stdout


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["paly", "nuts"], "no command 'paly'; did you mean 'play'?"),
        (["show", "aroplane"], "no game 'aroplane'; did you mean 'aeroplane'?"),
        (["show", "./gone.py"], "no game file 'gone.py'"),
        (["show"], "Missing argument 'GAME'"),
        (["show", "nuts", "--rule", "nuts=5"], "expected a whole number from 10 to 100"),
        (["show", "nuts", "--rule", "nut=50"], "did you mean 'nuts'?"),
        (["show", "nuts", "--rule", "nuts"], "expected KEY=VALUE"),
        (["show", "nuts", "--rules", "gone.toml"], "No such file"),
        (["show", "nuts", "--position", "5"], "expected 2 parts"),
        (["show", "nuts", "--frog"], "No such option"),
        (["show", "nuts", "--picture", "/no/such/folder/a.svg"], "No such file"),
        (["count", "nuts", "--depth", "0"], "is not in the range"),
        (["count", "nuts"], "Missing option '--depth'"),
        (["play", "nuts", "rondom"], "no agent 'rondom'; did you mean 'random'?"),
        (["play", "nuts", "random:depth=3"], "random has no option 'depth' (it has none)"),
        (["play", "nuts", "random", "random", "random"], "3 agents for 2 seats: name at most 2\n"),
        (["play", "aeroplane", *["random"] * 3], "name at most 2, or --rule seats=3\n"),
        (["match", "aeroplane", *["random"] * 3], "name one for each, or --rule seats=3\n"),
        (["match", "aeroplane", *["random"] * 5], "5 agents for 2 seats: name one for each\n"),
        (["play", "nuts", "human:foo=1"], "'human:foo=1': human has no options\n"),
        (["play", "nuts", "--position", "-"], "expected one position"),
        (["best", "aeroplane"], 'after roll 6: --position "B:h,h,h,h G:h,h,h,h 6 0"'),
        (["best", "nuts", "--position", "0 0"], "no seat chooses here: 0 0; over\n"),
        (["games", "--rule", "nuts=30"], "--rule and --rules need a game"),
        (["play", "nuts", "--seed", "-1"], "is not in the range"),
        (["check", "README.md"], "no game 'README.md'"),
        (["--frog"], "No such option"),
        (["show", "nuts", "--picture", "a.svg", "--position", "-"], "does not go with"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], wanted: str) -> None:
    assert wanted in refused(*arguments)


def test_a_game_that_fails_is_named_in_one_line(tmp_path: Path) -> None:
    game = tmp_path / "failing.py"
    game.write_text(Path("examples/pig.py").read_text().replace("lines = []", "lines = 1 / 0"))
    result = run("show", str(game))
    assert result.exit_code == 2
    assert f"the game {game}, line " in result.stderr
    assert "failed with ZeroDivisionError: division by zero" in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_rule_said_last_wins() -> None:
    pairs = ("metal-mega=4", "*-mega=3", "metal-mega=5")
    assert rule_values(chosen_rules("arena", pairs))["metal-mega"] == 5


@pytest.mark.compiled
def test_a_cache_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for cache in (str(file / "x"), "/proc"):
        done = subprocess.run(
            [sys.executable, "-m", "ludex", "count", "nuts", "--depth", "2"],
            capture_output=True,
            text=True,
            check=False,
            env=os.environ | {"LUDEX_CACHE": cache},
        )
        assert done.returncode == 2
        assert done.stderr.startswith(f"ludex: cannot keep compiled code in '{cache}'")


def test_a_bad_line_among_positions_is_refused_after_the_good_ones() -> None:
    result = run("show", "nuts", "--position", "-", given="5 0\nfrog\n")
    assert result.exit_code == 2
    assert result.stdout.count("\n") == 1
    assert "'frog'" in result.stderr


@pytest.mark.usefixtures("measured_processes")
def test_the_program_leaves_with_the_exit_code_and_without_a_traceback() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ludex", "show", "nots"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("ludex: no game 'nots'; did you mean 'nuts'?")
    assert "Traceback" not in done.stderr
