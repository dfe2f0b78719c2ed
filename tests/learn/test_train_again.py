"""A training goes on with its file, and replaces no other that is worth more."""

import json
from pathlib import Path

import pytest

from ludex.learn import evaluation, training
from tests.commands import refused, run
from tests.learn.test_train import trained

pytestmark = pytest.mark.plain


@pytest.fixture(autouse=True)
def brief(monkeypatch: pytest.MonkeyPatch) -> None:
    """Measure with few matches."""
    monkeypatch.setattr(evaluation, "QUICK", 20)


@pytest.mark.unmeasured
def test_a_finished_training_can_be_continued(tmp_path: Path) -> None:
    trained(tmp_path / "a", matches=150)
    trained(tmp_path / "a", "--resume", matches=250)
    trained(tmp_path / "b", matches=250)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_going_on_with_another_training_is_refused(tmp_path: Path) -> None:
    out = tmp_path / "q.npz"
    trained(out, learner="qtable")
    before = out.read_bytes()
    line = ["--rule", "nuts=10", "--matches", "300", "--resume", "--out", str(out)]
    assert "with seed 4, not 9" in refused("train", "nuts", "qtable", "--seed", "9", *line)
    assert "rate=0.5" in refused("train", "nuts", "qtable:rate=0.5", *line)
    assert "against itself, not copy" in refused(
        "train", "nuts", "qtable", "--against", "copy", *line
    )
    assert "the agent qtable, not hats" in refused("train", "nuts", "hats", *line)
    assert out.read_bytes() == before


@pytest.mark.unmeasured
def test_a_file_that_is_there_is_replaced_only_when_the_training_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "h.npz"
    trained(out)
    before = out.read_bytes()

    def fails(self: training.Training, matches: int) -> None:
        self.save(out.with_name("h.npz.part"))
        raise ValueError("the learner has a headache")

    with monkeypatch.context() as patched:
        patched.setattr(training.Training, "train_more", fails)
        line = ["--rule", "nuts=10", "--matches", "300", "--out", str(out)]
        assert "headache" in refused("train", "nuts", "hats", *line)
    assert out.read_bytes() == before
    trained(out, matches=300)
    assert out.read_bytes() != before
    assert not out.with_name("h.npz.part").exists()


def test_where_a_part_is_in_the_way_it_is_said_that_the_file_is_whole(tmp_path: Path) -> None:
    out, part = tmp_path / "h.npz", tmp_path / "h.npz.part"
    trained(out, matches=100)
    before = out.read_bytes()
    line = ["--rule", "nuts=10", "--seed", "4", "--matches", "150", "--resume", "--out", str(out)]
    for content in (b"something", before):
        part.write_bytes(content)
        told = refused("train", "nuts", "hats" if content != before else "qtable", *line)
        assert f"{part} is" in told and f"{out} itself is whole: remove {part}" in told
    assert out.read_bytes() == before
    out.write_bytes(b"broken too")
    assert "itself is whole" not in refused("train", "nuts", "qtable", *line)


def test_going_on_up_to_fewer_matches_says_that_there_is_nothing_to_do(tmp_path: Path) -> None:
    out = tmp_path / "h.npz"
    trained(out, matches=120)
    before = out.read_bytes()
    told = trained(out, "--resume", matches=110).stderr
    assert f"{out} has 120 matches already: --matches 110 in all adds none" in told
    assert out.read_bytes() == before


def test_a_longer_training_is_replaced_only_by_force(tmp_path: Path) -> None:
    out, part = tmp_path / "h.npz", tmp_path / "h.npz.part"
    trained(out, matches=120)
    before = out.read_bytes()
    line = ["nuts", "hats", "--rule", "nuts=10", "--out", str(out)]
    for length in (("--matches", "119"), ("--seconds", "0.1")):
        told = refused("train", *line, *length)
        assert f"{out} holds 120 matches of hats: --resume goes on" in told and "--force" in told
    trained(part, matches=130)
    assert f"{part} holds 130 matches" in refused("train", *line, "--matches", "125")
    assert out.read_bytes() == before
    trained(out, "--force", matches=1)
    assert json.loads(run("inspect", str(out), "--json").stdout)["matches"] == 1
