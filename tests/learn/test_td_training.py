"""Learned estimates from training to play: files, agents, and what they are refused for."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import Result

from ludex.agents.registry import make_agent
from ludex.core.rules import initial, patterns_size
from ludex.core.search_profile import Learned
from ludex.learn import evaluation
from ludex.learn.checkpoint import SHIPPED_FILES
from tests.commands import refused, run
from tests.learn.test_train import KILLED
from tests.lines import variant

pytestmark = pytest.mark.plain

SMALL = ("--rule", "size=3", "--seed", "4")


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure with few matches."""
    monkeypatch.setattr(evaluation, "QUICK", 4)


def trained(out: Path, *more: str, learner: str = "td:depth=1", matches: int = 12) -> Result:
    line = ["train", "trap", learner, "--matches", str(matches), *SMALL, "--out", str(out), *more]
    result = run(*line)
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a file of weights, for reading."""
    out = tmp_path_factory.mktemp("td") / "td.npz"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluation, "QUICK", 4)
        trained(out)
    return out


@pytest.mark.unmeasured
def test_training_says_whom_the_estimate_was_measured_against(tmp_path: Path) -> None:
    told = json.loads(trained(tmp_path / "td.npz", "--json").stdout)
    assert told["matches"] == 12 and told["opponent"] == "greedy" and told["states"] > 0
    assert (tmp_path / "td.npz.csv").read_text().startswith("matches,wins")


@pytest.mark.unmeasured
def test_the_same_seed_gives_the_same_weights_also_in_two_parts(tmp_path: Path) -> None:
    trained(tmp_path / "one")
    trained(tmp_path / "two", matches=5)
    trained(tmp_path / "two", "--resume")
    trained(tmp_path / "three", "--seed", "5")
    one, two, three = ((tmp_path / name).read_bytes() for name in ("one", "two", "three"))
    assert one == two != three


@pytest.mark.compiled
def test_a_killed_training_goes_on_as_if_nothing_had_happened(tmp_path: Path) -> None:
    out, whole = tmp_path / "killed.npz", tmp_path / "whole.npz"
    trained(whole, matches=201)
    line = ["train", "trap", "td:depth=1", "--matches", "201", *SMALL, "--out", str(out)]
    program = KILLED.replace("20, 4, 0.0", "4, 4, 0.0")
    ended = subprocess.run([sys.executable, "-c", program, *line], capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL
    trained(out, "--resume", matches=201)
    assert out.read_bytes() == whole.read_bytes()


def test_every_search_takes_a_learned_estimate(learned: Path) -> None:
    rules = variant("trap", size=3)
    rng = np.random.default_rng(0)
    for name in (
        "greedy:",
        "minimax:depth=1,",
        "expectiminimax:depth=1,",
        "mcts:sims=2,rollout=0,",
    ):
        plain, agent = (
            make_agent(f"{name}estimate={estimate}", rules)
            for estimate in ("area", f"learned:{learned}")
        )
        assert isinstance(agent.profile, Learned)  # type: ignore[attr-defined]
        found = [one.consider(rules, initial(rules), 0, rng).value for one in (plain, agent)]
        assert found[0] != found[1]


def test_words_beside_a_learned_estimate_count(learned: Path) -> None:
    agent = make_agent(f"greedy:throws=all,estimate=learned:{learned}", variant("trap", size=3))
    assert agent.profile.words == 1 << 3  # type: ignore[attr-defined]


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "rules"), [("trap", {"size": 5}), ("aeroplane", {"planes": 2})])
def test_ours_serve_all_rules_of_their_game(game: str, rules: dict[str, int]) -> None:
    chosen = variant(game, **rules)
    agent = make_agent("greedy:estimate=learned", chosen)
    weights = agent.profile.weights  # type: ignore[attr-defined]
    assert len(weights) == patterns_size(chosen) and np.abs(weights).max() > 0.1
    assert (SHIPPED_FILES / f"{game}-learned.npz").stat().st_size < 400_000


def test_a_file_serves_the_other_rules_of_its_game(
    learned: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = f"greedy:estimate=learned:{learned}"
    mine, others = (make_agent(text, variant("trap", size=size)) for size in (3, 5))
    assert np.array_equal(mine.profile.weights, others.profile.weights)  # type: ignore[attr-defined]
    monkeypatch.setattr("ludex.learn.estimate.patterns_size", lambda rules: 7)
    with pytest.raises(
        ValueError, match=r"is for the rules size=3 with .* patterns, and these have 7"
    ):
        make_agent(text, variant("trap", size=5))


@pytest.mark.parametrize(
    ("game", "agent", "wanted"),
    [
        ("trap", "greedy:estimate=leaf", "expected area or is or ais or ocls or free or learned"),
        ("trap", "greedy:estimate=area:x", "area:x"),
        ("trap", "greedy:estimate=learned:", "expected a file after 'learned:'"),
        ("trap", "greedy:estimate=learned:nowhere.npz", "nowhere.npz"),
        ("trap", "random:estimate=learned", "no option 'estimate'"),
        ("nuts", "greedy:estimate=learned", "this game has one estimate, and no patterns"),
        ("aeroplane", "greedy:estimate=area", "learned"),
    ],
)
def test_a_bad_estimate_is_refused(game: str, agent: str, wanted: str) -> None:
    assert wanted in refused("match", game, agent, "random", "--matches", "1")


def test_a_file_of_others_is_refused(learned: Path, tmp_path: Path) -> None:
    text = f"greedy:estimate=learned:{learned}"
    assert "is for the game trap" in refused("match", "aeroplane", text, "random")
    assert "is for the agent td" in refused("match", "trap", f"qtable:file={learned}", "random")
    short = tmp_path / "short.npz"
    short.write_bytes(learned.read_bytes()[:-50])
    assert "damaged" in refused("match", "trap", f"greedy:estimate=learned:{short}", "random")


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        (["nuts", "td", "--matches", "9"], "says no `patterns` (those that do: aeroplane, trap)"),
        (["aeroplane", "td", "--matches", "9", "--rule", "seats=3"], "two seats"),
        (["trap", "td", "--matches", "9", "--against", "random"], "td learns from itself"),
        (["trap", "td:depth=3", "--matches", "9"], "option depth"),
        (["trap", "td:rate=2", "--matches", "9"], "option rate"),
        (["trap", "td", "--matches", "0"], "0"),
    ],
)
def test_a_bad_training_is_refused(line: list[str], wanted: str, tmp_path: Path) -> None:
    out = tmp_path / "kept.npz"
    out.write_text("mine")
    assert wanted in refused("train", *line, "--out", str(out))
    assert out.read_text() == "mine"


def test_inspect_shows_the_patterns_that_say_most(learned: Path) -> None:
    told = json.loads(run("inspect", str(learned), "--top", "5", "--json").stdout)
    assert told["learner"] == "td" and len(told["patterns"]) <= 5
    shown = run("inspect", str(SHIPPED_FILES / "trap-learned.npz"), "--top", "3").stdout
    assert "weight" in shown and "cells" in shown


def test_inspect_shows_the_patterns_of_a_position(learned: Path) -> None:
    place = ".1./.../.2. 0 step"
    told = json.loads(run("inspect", str(learned), "--position", place, "--json").stdout)
    total = sum((1 - 2 * row["seat"]) * row["weight"] for row in told["patterns"])
    assert told["value"] == pytest.approx(total / (1 + total**2) ** 0.5, abs=1e-5)
    assert "value " in run("inspect", str(learned), "--position", place).stdout
