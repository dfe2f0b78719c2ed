"""The command `ludex verify`."""

import pytest

from tests.commands import facts, refused, run
from tests.solutions import exchange_values, kept, rewritten
from tests.solved import PIG

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]


def test_the_command_says_what_was_verified() -> None:
    *_, path = kept("nuts", nuts=10)
    shown = run("verify", "nuts", "--rule", "nuts=10")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("nuts from 10 0: 20 states verified; residual 0.0e+00, gap 0.0e")
    told = facts("verify", str(path))
    wanted = {"ok": True, "game": "nuts", "position": "10 0", "states": 20, "residual": 0.0}
    assert told | wanted == told and told["file"] == str(path)


def test_the_command_goes_on_after_a_wrong_file_and_fails() -> None:
    *_, wrong = kept("nuts", nuts=10)
    *_, right = kept("nuts", nuts=11)
    rewritten(wrong, exchange_values)
    result = run("verify", str(wrong), str(right))
    assert result.exit_code == 1
    assert result.stderr.startswith(f"ludex: {wrong} is wrong: ") and result.stderr.count("\n") == 1
    assert result.stdout.startswith("nuts from 11 0: 22 states verified")
    told = run("verify", str(wrong), "--json")
    assert told.exit_code == 1 and '"ok": false' in told.stdout


def test_a_file_of_a_game_from_outside_needs_that_game() -> None:
    *_, path = kept(PIG, goal=6)
    alone = run("verify", str(path))
    assert alone.exit_code == 1
    assert "is of 'pig', a game from outside: verify it as a file of that game" in alone.stderr
    assert facts("verify", PIG, "--rule", "goal=6", "--file", str(path))["ok"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nuts"], "no solution of nuts from '21 0' is kept: run ludex solve first"),
        (["examples/kuhn.py"], "kuhn hides something: its equilibrium has a proven gap"),
        (["a.npz", "--rule", "nuts=10"], "'a.npz' names its rules and position"),
        (["nuts", "trap", "--file", "a.npz"], "--file: expected one game"),
        (["none.npz"], "none.npz: No such file or directory"),
    ],
)
def test_what_cannot_be_verified_is_refused_in_one_line(words: list[str], message: str) -> None:
    assert message in refused("verify", *words)
