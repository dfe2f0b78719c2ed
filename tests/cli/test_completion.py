"""Completion in shells, and the versions for a report."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.shell_completion import BashComplete

from ludex import __version__
from ludex.cli import COMMANDS, cli, words
from ludex.games import GAMES
from tests.commands import refused, run

pytestmark = pytest.mark.plain


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the cache of what was read for completions, which is empty."""
    monkeypatch.setenv("LUDEX_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv(words.COMPLETE, "bash_complete")
    return tmp_path / "cache" / "completion"


def offered(*arguments: str) -> list[str]:
    """Return what is offered for the last of these words."""
    *before, incomplete = arguments
    shell = BashComplete(cli, {}, "ludex", words.COMPLETE)
    return [item.value for item in shell.get_completions(before, incomplete)]


def test_commands_are_completed() -> None:
    assert offered("") == list(COMMANDS)
    assert offered("pl") == ["play"]
    assert offered("lab", "r") == ["report", "run"]
    assert "--version" in offered("--v")


@pytest.mark.parametrize("name", ["play", "show", "games", "match", "tournament", "verify", "warm"])
def test_games_are_completed(name: str) -> None:
    assert offered(name, "") == list(GAMES)
    assert offered(name, "a") == ["arena", "aeroplane"]


def test_agents_are_completed() -> None:
    assert offered("match", "nuts", "al") == ["alphabeta"]
    assert offered("play", "nuts", "h") == ["human", "hard", "hats"]
    assert "medium" in offered("best", "nuts", "--agent", "")


def test_the_rules_of_the_game_are_completed() -> None:
    assert offered("show", "nuts", "--rule", "") == ["nuts=", "most="]
    assert offered("games", "nuts", "--rule", "m") == ["most="]
    assert offered("verify", "nuts", "--rule", "m") == ["most="]
    assert offered("play", "arena", "hard", "--rule", "metal-m") == ["metal-magnet=", "metal-mega="]
    assert offered("show", "examples/pig.py", "--rule", "") == []


def test_files_are_left_to_the_shell() -> None:
    shell = BashComplete(cli, {}, "ludex", words.COMPLETE)
    [item] = shell.get_completions(["show"], "./my")
    assert (item.type, item.value) == ("file", "./my")


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_completed_as_it_is(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(words.COMPLETE)
    assert isinstance(cli, click.Group)
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    described = words.describe(command)
    assert words.describe(words.rebuild(name, described)) == described


def test_what_was_read_is_read_from_the_cache_until_a_source_changes(
    cache: Path, tmp_path: Path
) -> None:
    source, read = tmp_path / "source.py", []
    source.touch()
    for _ in range(2):
        words.remembered("words", [source], lambda: read.append(1) or ["word"])  # type: ignore[func-returns-value]
    assert len(read) == 1 and len(list(cache.iterdir())) == 1
    os.utime(source, (1, 1))
    words.remembered("words", [source], lambda: read.append(1))
    assert len(read) == 2


def test_without_a_cache_words_are_completed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDEX_CACHE", "/proc/none")
    assert offered("show", "tr") == ["trap"]


def test_a_second_completion_imports_no_numba(cache: Path) -> None:
    offered("show", "nuts", "--rule", "")
    code = "import sys, ludex.cli; sys.argv = ['ludex']\n"
    code += "try: ludex.cli.main()\nfinally: print('numba' in sys.modules, 'numpy' in sys.modules)"
    asked = {"COMP_WORDS": "ludex show nuts --rule ", "COMP_CWORD": "4"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | asked, capture_output=True, text=True
    )
    assert done.stdout.split() == ["plain,nuts=", "plain,most=", "False", "False"], done.stderr


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell_is_printed(shell: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(words.COMPLETE)
    assert f"{words.COMPLETE}={shell}_complete" in run("completion", shell).stdout
    assert "'tcsh' is not one of" in refused("completion", "tcsh")


def test_bash_completes_with_the_script(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(words.COMPLETE)
    program = tmp_path / "ludex"
    program.write_text(f"#!/bin/sh\nexec {sys.executable} -m ludex\n")
    program.chmod(0o755)
    script = run("completion", "bash").stdout
    script += "COMP_WORDS=(ludex show tr) COMP_CWORD=2\n_ludex_completion ludex\n"
    script += 'echo "${COMPREPLY[@]}"\n'
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("no bash here")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    env = os.environ | {"PATH": path}
    done = subprocess.run([bash, "-c", script], env=env, capture_output=True, text=True)
    assert done.stdout == "trap\n", done.stderr


def test_the_versions_are_those_of_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(words.COMPLETE)
    first, python, _, *packages = run("--version").stdout.splitlines()
    assert first == f"ludex, version {__version__}"
    assert python.startswith(f"Python {platform.python_version()} ")
    names = [line.split()[0] for line in packages]
    assert names == ["numpy", "numba", "llvmlite", "nicegui", "sqlalchemy"]
    assert all(line.split()[1][0].isdigit() for line in packages)
