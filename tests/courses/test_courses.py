"""Arena files run unchanged, and every skeleton plays once it is filled in."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ludex.agents.registry import Random, make_agent
from ludex.cli import cli
from ludex.core.rules import apply, initial, label, position
from ludex.core.termination import BY_RULES, CRASHED
from ludex.core.time_control import Clocks
from ludex.courses import skeleton
from ludex.external import sandbox
from ludex.external.adapters import arena
from ludex.external.agent import ExternalAgent
from ludex.match.runner import play_match
from tests.lines import random_line, variant
from tests.players import written
from tests.students import SOLUTIONS, loaded, played

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


@pytest.mark.parametrize("handed_out", ["arena"], indirect=True)
def test_the_arena_solution_keeps_the_rules(handed_out: None) -> None:
    module = loaded(SOLUTIONS / "arena" / "Megaman_Arena.py")
    manner = arena.Adapter(module, {}, "0")
    rules = variant("arena")
    for seed in range(2):
        state = initial(rules)
        for move in random_line(rules, seed):
            theirs = manner.state(position(rules, state))
            name = arena.full_name(label(rules, state, move).capitalize())
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


BEATEN = {"nuts": "", "trap": "", "droids": "", "arena": "/Megaman_Arena.py:3", "aeroplane": ""}


@pytest.mark.parametrize("game", BEATEN)
def test_a_skeleton_beats_random_once_filled_in(game: str, tmp_path: Path) -> None:
    folder = tmp_path / "ab1234_cd5678"
    made = CliRunner().invoke(cli, ["course", "new", game, str(folder), "--json"])
    names = json.loads(made.stdout)["files"]
    assert "README.md" in names and len(names) == len(list(folder.iterdir()))
    for file in (SOLUTIONS / game).glob("*.py"):
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
    assert (match.ending, match.offender) == (CRASHED, 0)
    assert match.words.startswith("NotImplementedError (line ")


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        (["arena", "human_vs_machine.py"], "human_vs_machine.py L|W DEPTH"),
        (["arena", "human_vs_machine.py", "L", "x"], "human_vs_machine.py L|W DEPTH"),
        (["droids", "r2d2_hw3.py", "QAgent", "QAgent", "100"], "ludex is not installed"),
    ],
)
def test_the_programs_of_a_folder_say_what_is_missing(
    program: list[str], wanted: str, tmp_path: Path
) -> None:
    game, file, *words = program
    skeleton.write_handout(game, tmp_path / "new")
    order = [sys.executable, str(tmp_path / "new" / file), *words]
    shown = subprocess.run(order, capture_output=True, text=True, env={"PATH": "/nowhere"})
    assert shown.returncode == 1 and shown.stderr.count("\n") == 1 and wanted in shown.stderr


def test_a_droids_file_runs_as_its_document_says(tmp_path: Path) -> None:
    program = tmp_path / "ludex"
    program.write_text('#!/bin/sh\necho "$@"\n')
    program.chmod(0o755)
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    order = [sys.executable, str(file), "QAgent", "QAgent", "100"]
    environment = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    shown = subprocess.run(order, capture_output=True, text=True, env=environment)
    assert shown.stdout == f"classic droids QAgent QAgent 100 --file {file}\n"


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
    assert os.environ[sandbox.UNSAFE] == "", "only this command was unsafe"


@pytest.mark.parametrize("command", ["best", "play"])
def test_no_process_outlives_a_command(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, "def choose(position, moves, seconds): return moves[0]\n")
    made: list[ExternalAgent] = []
    begin = ExternalAgent.begin_match

    def noted(agent: ExternalAgent, *given: Any) -> None:
        made.append(agent)
        begin(agent, *given)

    monkeypatch.setattr(ExternalAgent, "begin_match", noted)
    order = ["best", "nuts", "--agent", path] if command == "best" else ["play", "nuts", path, path]
    assert CliRunner().invoke(cli, order).exit_code == 0
    assert made and all(agent.process is None for agent in made)
