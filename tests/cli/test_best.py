"""`ludex best`: what an agent would do, and to whom it is worth what."""

import json
from pathlib import Path

import pytest

from ludex.core.leaf_value import leaf_value
from tests.commands import run
from tests.lines import replay, variant

pytestmark = pytest.mark.plain


def test_best_prints_what_the_contract_says() -> None:
    arguments = ("best", "nuts", "--agent", "alphabeta:depth=20", "--position", "8 1", "--json")
    told = json.loads(run(*arguments).stdout)
    assert told["move"] == "take 3"
    assert told["value"] == -1.0  # to seat 0, and seat 1 wins
    assert told["line"][0] == "take 3"
    assert {"nodes", "seconds"} <= set(told)
    mine = json.loads(run(*arguments, "--seat", "1").stdout)
    assert mine["value"] == 1.0
    shown = run("best", "nuts", "--agent", "minimax:depth=4").stdout
    assert "nodes to depth 4" in shown


def test_best_says_to_whom_the_value_is_worth_and_puts_the_choice_first() -> None:
    arguments = ("best", "nuts", "--agent", "minimax:depth=9", "--position", "8 1")
    lines = run(*arguments).stdout.splitlines()
    assert lines[0] == "Player 2: take 3  value -1.0000 (Player 2 wins)"
    assert lines[3].split() == ["take", "3", "-1.0000"]
    mine = run(*arguments, "--seat", "1").stdout.splitlines()
    assert mine[0] == "Player 2: take 3  value +1.0000 (Player 2 wins)"
    assert mine[3].split() == ["take", "3", "+1.0000"]


def test_best_shows_the_shares_of_a_mixture_beside_the_values() -> None:
    shown = run("best", "nuts", "--agent", "minimax:depth=9", "--position", "5 0").stdout
    assert shown.count("share 33.3 %") == 3
    certain = run("best", "nuts", "--agent", "minimax:depth=9", "--position", "8 0").stdout
    assert "take 3" in certain and "share" not in certain


def test_with_three_seats_best_knows_the_value_to_the_chooser_alone() -> None:
    given = ("--rule", "seats=3", "--rule", "planes=1", "--position", "R:h B:h Y:h 6 1")
    arguments = ("best", "aeroplane", *given, "--agent", "maxn:depth=1")
    told = json.loads(run(*arguments, "--json").stdout)
    assert told["value"] is None and told["values"] == {}
    mine = json.loads(run(*arguments, "--seat", "1", "--json").stdout)
    assert mine["value"] is not None and mine["value"] == max(mine["values"].values())
    assert json.loads(run(*arguments, "--seat", "2", "--json").stdout)["value"] is None
    shown = run(*arguments).stdout.splitlines()[0]
    assert shown.endswith(f"value {mine['value']:+.4f} for {shown.partition(':')[0]}")
    refused = run(*arguments, "--seat", "3")
    assert refused.exit_code == 2 and "--seat 3: expected 0 to 2" in refused.stderr


def test_labels_are_shown_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "signs.py"
    signs = 'def label(rules, state, move):\n    return f"[b]{move}"\n'
    file.write_text(Path("examples/pig.py").read_text() + "\n\n" + signs)
    assert "[b]" in run("best", str(file), "--agent", "random").stdout.splitlines()[0]


def test_a_human_is_refused_in_one_line() -> None:
    result = run("best", "nuts", "--agent", "human")
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "a human plays only at the console" in result.stderr


def test_no_agent_is_not_the_usual_one() -> None:
    result = run("best", "nuts", "--agent", "")
    assert result.exit_code == 2 and result.stderr.startswith("ludex: no agent ''")


@pytest.mark.parametrize("text", ["minimax:depth=2", "maxn:depth=2", "alphabeta:depth=2"])
def test_the_value_is_that_of_the_end_of_the_line(text: str) -> None:
    told = json.loads(run("best", "arena", "--agent", text, "--seed", "1", "--json").stdout)
    assert len(told["line"]) == 2
    rules = variant("arena")
    end = replay(rules, *told["line"])
    assert told["value"] == pytest.approx(leaf_value(rules, end, 0, 0))


def line(game: str, *options: str) -> list[str]:
    found: list[str] = json.loads(run("best", game, *options, "--json").stdout)["line"]
    return found


def test_a_line_ends_with_the_match_and_before_chance() -> None:
    deep = ("--agent", "minimax:depth=5")
    assert len(line("nuts", *deep)) == 5
    assert line("nuts", *deep, "--position", "4 0") == ["take 3", "take 1"]
    assert len(line("nuts", "--agent", "expectimax:depth=5")) == 1
    throw = ("--agent", "minimax:depth=3", "--rule", "size=3")
    assert len(line("trap", *throw)) == 2  # a step and a throw, which may miss
