"""Training writes files that are whole, repeatable, and refused where they do not belong."""

import csv
import io
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import Result
from rich.console import Console

from ludex.agents.registry import make_agent
from ludex.cli.train import columns
from ludex.core.choice import Choice
from ludex.core.play import read_state
from ludex.core.rules import initial
from ludex.io import array_file
from ludex.learn import evaluation, training
from ludex.learn.qtable import QLearner, QTable
from ludex.learn.table import BY_VALUE
from ludex.library.progress import bar
from tests.commands import refused, run
from tests.lines import variant

pytestmark = pytest.mark.plain


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure with few matches."""
    monkeypatch.setattr(evaluation, "QUICK", 20)
    monkeypatch.setattr(evaluation, "SLOW", 4)


def trained(out: Path, *more: str, learner: str = "hats", matches: int = 250) -> Result:
    fixed = ["--rule", "nuts=10", "--seed", "4", "--out", str(out)]
    result = run("train", "nuts", learner, "--matches", str(matches), *fixed, *more)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def hats(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of hats, for reading."""
    out = tmp_path_factory.mktemp("hats") / "hats.npz"
    trained(out, matches=2000)
    return out


def test_training_tells_programs_what_it_did(tmp_path: Path) -> None:
    out = tmp_path / "h.npz"
    told = json.loads(trained(out, "--json").stdout)
    assert told["matches"] == 250 and told["file"] == str(out) and told["seconds"] > 0.0
    assert told["states"] == 10 and told["interval"][0] <= told["share"] <= told["interval"][1]


def test_the_learning_curve_is_a_table_and_a_picture(tmp_path: Path) -> None:
    trained(tmp_path / "h.npz")
    rows = list(csv.DictReader((tmp_path / "h.npz.csv").read_text().splitlines()))
    assert [row["matches"] for row in rows] == ["0", "100", "200", "250"]
    assert all(row["low"] <= row["share"] <= row["high"] for row in rows)
    assert (tmp_path / "h.npz.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.unmeasured
@pytest.mark.parametrize("learner", ["hats", "qtable", "qtable:rate=0.1,explore=0.5..0.1,over=99"])
def test_the_same_seed_gives_the_same_file(learner: str, tmp_path: Path) -> None:
    for name in ("one", "two"):
        trained(tmp_path / name, learner=learner)
    trained(tmp_path / "three", "--seed", "5", learner=learner)
    one, two, three = ((tmp_path / name).read_bytes() for name in ("one", "two", "three"))
    assert one == two != three


KILLED = """
import os, signal, sys
from ludex.cli import cli
from ludex.learn import evaluation, training
evaluation.QUICK, evaluation.SLOW, training.CHECKPOINT = 20, 4, 0.0

def killed(self, measure=training.Training.measure):
    measure(self)
    if self.matches >= 200:
        os.kill(os.getpid(), signal.SIGKILL)

training.Training.measure = killed
cli(sys.argv[1:])
"""


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("learner", "against"),
    [("hats", "itself"), ("qtable", "random"), ("qtable:refresh=30", "copy"), ("qtable", "greedy")],
)
def test_a_killed_training_goes_on_as_if_nothing_had_happened(
    learner: str, against: str, tmp_path: Path
) -> None:
    out, whole = tmp_path / "killed.npz", tmp_path / "whole.npz"
    trained(whole, "--against", against, learner=learner)
    line = ["train", "nuts", learner, "--matches", "250", "--rule", "nuts=10", "--seed", "4"]
    line += ["--against", against, "--out", str(out)]
    ended = subprocess.run([sys.executable, "-c", KILLED, *line], capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL
    done = json.loads(run("inspect", str(out), "--json").stdout)["matches"]
    assert 0 < done < 250
    trained(out, "--against", against, "--resume", learner=learner)
    assert out.read_bytes() == whole.read_bytes()
    assert (tmp_path / "killed.npz.csv").read_text() == (tmp_path / "whole.npz.csv").read_text()


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["hats", "--matches", "0"], "0 is not in the range"),
        (["hats", "--seconds", "0"], "0.0 is not in the range"),
        (["hats", "--seconds", "nan"], "--seconds nan: expected how many"),
        (["hats", "--seconds", "inf"], "--seconds inf: expected how many"),
        (["hats"], "expected either --matches or --seconds: neither is given"),
        (["hats", "--matches", "9", "--seconds", "1"], "--seconds: both are given"),
        (["hat", "--matches", "9"], "did you mean 'hats'?"),
        (["hats:", "--matches", "9"], "expected NAME=VALUE"),
        (["hats:rate=1", "--matches", "9"], "hats has no option 'rate'"),
        (["qtable:rat=1", "--matches", "9"], "did you mean 'rate'?"),
        (["qtable:rate=7", "--matches", "9"], "expected a number from 0 to 1"),
        (["hats", "--matches", "9", "--against", "random"], "hats learn from one another"),
        (["qtable", "--matches", "9", "--against", "nobody"], "no agent 'nobody'"),
    ],
)
def test_bad_input_is_refused_and_the_old_file_kept(
    arguments: list[str], wanted: str, tmp_path: Path
) -> None:
    out = tmp_path / "old.npz"
    out.write_text("precious")
    assert wanted in refused("train", "nuts", *arguments, "--out", str(out))
    assert out.read_text() == "precious"


def test_a_place_that_cannot_be_written_is_refused_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("precious")
    out = str(tmp_path / "file" / "h.npz")
    assert "ludex: " in refused("train", "nuts", "hats", "--matches", "9", "--out", out)
    assert "directory" in refused("train", "nuts", "hats", "--matches", "9", "--out", str(tmp_path))
    assert (tmp_path / "file").read_text() == "precious"


@pytest.mark.unmeasured
def test_a_damaged_file_is_refused(hats: Path, tmp_path: Path) -> None:
    whole = hats.read_bytes()
    damaged = tmp_path / "damaged.npz"
    agent = f"hats:file={damaged}"
    contents = [whole[:length] for length in range(0, len(whole), len(whole) // 9)]
    contents += [b"no zip at all", whole.replace(b"rows", b"cows")]
    for place in range(0, len(whole), len(whole) // 40):
        contents.append(whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :])
    told = 0
    for content in contents:
        damaged.write_bytes(content)
        result = run("best", "nuts", "--rule", "nuts=10", "--agent", agent)
        if result.exit_code:  # a byte that nobody reads may differ
            assert result.exit_code == 2, result.output
            assert len(result.stderr.strip().splitlines()) == 1
            assert str(damaged) in result.stderr
            told += 1
    assert told > len(contents) // 2


def test_a_file_with_other_numbers_than_it_was_written_with_is_refused(
    hats: Path, tmp_path: Path
) -> None:
    with np.load(hats) as file:
        arrays = dict(file)
    arrays["rows"][0, 0, 0] += 1
    np.savez(tmp_path / "forged.npz", **arrays)
    assert "its checksum differs" in refused("inspect", str(tmp_path / "forged.npz"))


def test_a_file_of_something_else_is_refused(hats: Path) -> None:
    best = ("best", "nuts", "--agent")
    ten = ("--rule", "nuts=10")
    assert "for the rules nuts=10, not by default" in refused(*best, f"hats:file={hats}")
    assert "for the agent hats, not qtable" in refused(*best, f"qtable:file={hats}", *ten)
    assert "for the game nuts, not trap" in refused("best", "trap", "--agent", f"hats:file={hats}")
    assert "No such file" in refused(*best, f"hats:file={hats}.gone", *ten)
    assert "plays from a file" in refused(*best, "hats", *ten)
    assert "no reference for this game (there are some for droids)" in refused(
        *best, "qtable:file=reference"
    )


def test_a_file_of_another_version_is_refused(hats: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.games.nuts.VERSION", 99)
    line = ("best", "nuts", "--agent", f"hats:file={hats}", "--rule", "nuts=10")
    assert "its game's version 1, not 99" in refused(*line)


def test_learned_agents_play(hats: Path) -> None:
    rules = variant("nuts", nuts=10)
    line = ("--rule", "nuts=10", "--matches", "20", "--seed", "1", "--json")
    told = json.loads(run("match", "nuts", f"hats:file={hats}", "random", *line).stdout)
    assert told["wins"] > 12 and told["endings"] == {"BY_RULES": 20}
    rng = np.random.default_rng(0)
    drawing, greedy = (
        make_agent(f"hats:file={hats},greedy={word}", rules).consider(
            rules, read_state(rules, "4 1"), 1, rng
        )
        for word in ("no", "yes")
    )
    assert greedy.mixture == {2: 1.0}
    assert 0.9 < drawing.mixture[2] < 1.0 and sum(drawing.mixture.values()) == pytest.approx(1.0)


def test_the_reference_for_droids_is_small_and_plays() -> None:
    rules = variant("droids")
    agent = make_agent("qtable:file=reference", rules)
    choice = agent.consider(rules, initial(rules), 0, np.random.default_rng(0))
    assert agent.policy_known and choice.mixture[choice.action] > 0.0
    assert choice.value == max(choice.values.values())
    [file] = Path(training.__file__).parent.glob("files/droids-reference.npz")
    assert file.stat().st_size < 2**20


def test_a_table_that_explores_takes_anything_now_and_then() -> None:
    rules = variant("droids")
    sure, explores = (
        make_agent(text, rules).consider(rules, initial(rules), 0, np.random.default_rng(0))
        for text in ("qtable:file=reference", "qtable:file=reference,explore=0.4")
    )
    wanted = {one: 0.6 * sure.mixture.get(one, 0.0) + 0.1 for one in sure.values}
    assert len(sure.mixture) < len(sure.values) == 4
    assert explores.mixture == pytest.approx(wanted)


def test_a_learner_meets_a_table_that_explores_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant("nuts", nuts=10)
    asked: list[int] = []

    def consider(self: QTable, *told: Any) -> Choice:
        asked.append(1)
        return Choice(0)

    monkeypatch.setattr(QTable, "consider", consider)
    memory = QLearner().begin(rules)
    learner = QLearner(against=lambda: QTable(memory=memory, explore=0.5))
    learner.train(rules, memory, np.random.default_rng(0), 0, 2)
    trained_against = len(asked)
    evaluation.evaluate(rules, memory, BY_VALUE, learner.against, 0)
    assert 0 < trained_against < len(asked)


def test_where_a_table_has_never_been_everything_is_as_likely(tmp_path: Path) -> None:
    trained(tmp_path / "q.npz", learner="qtable", matches=1)
    rules = variant("nuts", nuts=10)
    agent = make_agent(f"qtable:file={tmp_path / 'q.npz'}", rules)
    choice = agent.consider(rules, read_state(rules, "1 0"), 0, np.random.default_rng(0))
    unknown = agent.consider(rules, read_state(rules, "9 1"), 1, np.random.default_rng(0))
    assert unknown.mixture == pytest.approx({0: 1 / 3, 1: 1 / 3, 2: 1 / 3}) and not unknown.values
    assert choice.action in (0, 1, 2)


def test_hats_are_shown_as_in_the_assignment(hats: Path) -> None:
    shown = run("inspect", str(hats)).stdout
    assert shown.startswith("hats of nuts (nuts=10): 2,000 matches against itself, seed 4;")
    lines = [line.split() for line in shown.splitlines()]
    start = lines.index(["hat", "learner", "1", "learner", "2"])
    assert [line[0] for line in lines[start + 1 :]] == [str(left) for left in range(1, 11)]
    told = json.loads(run("inspect", str(hats), "--json").stdout)["hats"]
    assert [hat["hat"] for hat in told] == [str(left) for left in range(1, 11)]
    four = told[3]["balls"][0]
    assert list(four) == ["take 1", "take 2", "take 3"] and four["take 3"] > 20 * four["take 1"]


def test_a_position_is_inspected_with_its_visits(hats: Path) -> None:
    shown = run("inspect", str(hats), "--position", "7 0").stdout
    assert "take 2" in shown
    header = next(line.split() for line in shown.splitlines() if line.startswith("action"))
    assert header == ["action", "learner", "1", "learner", "2", "visits"]
    told = json.loads(run("inspect", str(hats), "--position", "7 0", "--json").stdout)
    [seat] = told["seats"]
    assert seat["actions"]["take 2"]["known"][0] > 20
    assert "nobody is to choose" in refused("inspect", str(hats), "--position", "0 0")


@pytest.mark.unmeasured
def test_the_most_visited_states_are_inspected() -> None:
    file = str(Path(training.__file__).parent / "files" / "droids-reference.npz")
    told = json.loads(run("inspect", file, "--top", "3", "--json").stdout)
    visits = [row["visits"] for row in told["visited"]]
    assert len(visits) == 3 and visits == sorted(visits, reverse=True) and visits[2] > 1000
    assert "shots" in told["visited"][0]["seen"]
    assert "up" in told["visited"][0]["known"]
    shown = run("inspect", file, "--position", "2,0 2,3 5,5 0,0 50").stdout
    assert "seat 0 sees I at 2,0, the other at 2,3" in shown and "seat 1 sees" in shown


def test_what_was_learned_of_a_game_from_outside_is_inspected(tmp_path: Path) -> None:
    out = str(tmp_path / "t.npz")
    line = ("--matches", "30", "--seed", "1", "--out", out)
    assert run("train", "examples/tictactoe.py", "hats", *line).exit_code == 0
    assert "--game says where it is" in refused("inspect", out)
    shown = run("inspect", out, "--game", "examples/tictactoe.py", "--top", "2").stdout
    assert shown.startswith("hats of tictactoe: 30 matches")


@pytest.mark.unmeasured
def test_a_run_by_the_clock_ends(tmp_path: Path) -> None:
    line = ("--seconds", "0.2", "--seed", "1", "--out", str(tmp_path / "h.npz"), "--json")
    told = json.loads(run("train", "nuts", "hats", *line).stdout)
    assert told["matches"] > 0 and told["seconds"] < 30.0


@pytest.mark.unmeasured
def test_the_last_measurement_is_that_of_the_end_and_says_against_whom(hats: Path) -> None:
    told = json.loads(run("inspect", str(hats), "--json").stdout)
    assert told["measured"] == told["matches"] == 2000 and told["opponent"] == "random"
    shown = run("inspect", str(hats)).stdout.splitlines()[1]
    assert shown.startswith("after 2,000 matches: ") and "of the points against random" in shown


@pytest.mark.unmeasured
def test_the_hats_that_were_drawn_from_most_are_shown_with_labels_and_learners(hats: Path) -> None:
    shown = run("inspect", str(hats), "--top", "3").stdout.splitlines()
    start = next(number for number, line in enumerate(shown) if line.startswith("visits"))
    rows = shown[start + 1 :]
    assert len(rows) == 6 and "learner 1: take 1: " in rows[0] and "learner 2: take 1: " in rows[1]
    assert "." not in "".join(rows) and "+" not in "".join(rows)
    told = json.loads(run("inspect", str(hats), "--top", "3", "--json").stdout)["visited"]
    assert len(told) == 3 and all(
        isinstance(count, int) for row in told for balls in row["balls"] for count in balls.values()
    )


def test_ours_are_inspected_by_name() -> None:
    assert run("inspect", "reference", "--top", "1").stdout.startswith(
        "qtable of droids: 2,000,000"
    )
    assert "expected --game, one of aeroplane, trap" in refused("inspect", "learned")
    assert "some for droids" in refused("inspect", "reference", "--game", "nuts")


def test_a_file_that_nobody_learned_is_not_called_damaged(hats: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    not_ours = f"{other} is not a file that ludex train has written"
    other.write_text("<svg></svg>")
    assert not_ours in refused("inspect", str(other))
    array_file.write(other, {"game": "nuts"}, {"values": np.zeros(3)}, {})
    assert not_ours in refused("inspect", str(other))
    whole = hats.read_bytes()
    for content, why in ((whole[:-50], "it ends too early"), (b"", "it is empty")):
        other.write_bytes(content)
        assert f"{other} is damaged: {why}" in refused("inspect", str(other))


def test_with_three_seats_it_is_said_what_would_be_even(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(evaluation, "QUICK", 2)
    out = str(tmp_path / "q.npz")
    line = ("--rule", "seats=3", "--rule", "planes=1", "--matches", "1", "--out", out)
    assert "33.3 % would be even" in run("train", "aeroplane", "qtable", *line).stdout
    assert "33.3 % would be even" in run("inspect", out, "--top", "0").stdout


@pytest.mark.unmeasured
def test_where_there_is_no_bar_lines_tell_how_far_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludex.cli.train.OFTEN", -1.0)
    told = trained(tmp_path / "h.npz").stderr.splitlines()
    assert "250 of 250 matches; " in told[-1] and told[-1].endswith("against random")


def test_the_bar_of_a_training_fits_80_columns() -> None:
    progress = bar(*columns())
    progress.disable = False
    words = "100 % (100 to 100) against alphabeta:depth=8,seconds=0.25"
    task = progress.add_task(words, total=10_000_000, completed=9_169_045)
    for _ in range(2):  # the first alone has no speed
        progress.advance(task)
    console = Console(width=80, file=io.StringIO())
    console.print(progress.get_renderable())
    [line] = console.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert "9169047/10000000" in line and "a second" in line
