"""A network that learns from matches against itself, and the agent that plays from its file."""

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import make_agent
from ludex.agents.training import make_training
from ludex.core.play import legal_moves
from ludex.core.rules import BOTH, Rules, initial, turn
from ludex.learn.net.learner import NetLearner, NetMemory
from ludex.learn.net.self_play import SelfPlay
from ludex.learn.training import Training
from ludex.library.inspection import inspect
from ludex.match.warm_up import frugal_copy
from tests.learn.net.networks import blank
from tests.lines import luck, variant

SMALL: dict[str, Any] = {
    "width": 8,
    "blocks": 1,
    "sims": 4,
    "considered": 2,
    "boards": 4,
    "batch": 16,
}
TEXT = "net:" + ",".join(f"{name}={value}" for name, value in SMALL.items())


def learned(rules: Rules, *matches: int) -> NetMemory:
    """Return a network after some matches, learned from in parts."""
    learner, rng, done = NetLearner(**SMALL), luck(3), 0
    memory = learner.begin(rules)
    for more in matches:
        memory = learner.train(rules, memory, rng, done, more)
        done += more
    return memory


def trained(rules: Rules, file: Path, matches: int, resume: bool = False) -> Training:
    """Return a training that has written a file."""
    training = make_training(rules, TEXT, None, 5)
    if resume:
        training.resume(file)
    training.run(file, matches, None)
    return training


@pytest.mark.plain
def test_the_same_matches_give_the_same_network_in_any_parts() -> None:
    rules = variant("nuts", nuts=10)
    one, other = learned(rules, 12), learned(rules, 1, 3, 8)
    for mine, theirs in zip(one.arrays(), other.arrays(), strict=True):
        assert mine.tobytes() == theirs.tobytes()
    assert int(one.learned.steps) > 3


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "values"), [("droids", {"rounds": 3}), ("examples/pig.py", {"goal": 5}), ("arena", {})]
)
def test_any_game_can_be_learned(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    memory = learned(rules, 6)
    assert int(memory.learned.steps) > 0
    table = memory.usual_policies(rules)
    shares = table.rows[: table.filled[0], 0]
    assert np.allclose(shares.sum(axis=1), 1.0, atol=1e-5)


@pytest.mark.plain
def test_a_training_goes_on_from_its_file(tmp_path: Path) -> None:
    rules, file = variant("nuts", nuts=10), tmp_path / "net.npz"
    first = trained(rules, file, 8)
    again = trained(rules, file, 16, resume=True)
    assert again.matches == 16
    assert again.curve[0] == first.curve[0]
    assert int(again.memory.learned.steps) > int(first.memory.learned.steps) > 0


@pytest.mark.plain
def test_an_agent_plays_from_the_file(tmp_path: Path) -> None:
    for game, values in (("nuts", {"nuts": 10}), ("droids", {"rounds": 3})):
        rules, file = variant(game, **values), tmp_path / f"{game}.npz"
        trained(rules, file, 4)
        state = initial(rules)
        for text in (f"net:file={file},sims=16", f"net:file={file},seconds=0.02"):
            agent = make_agent(text, rules)
            choice = agent.consider(rules, state, 0, luck())
            # A clock may stop it before the first simulation.
            assert choice.nodes > ("sims" in text)
            assert abs(sum(choice.mixture.values()) - 1.0) < 1e-9
            if turn(rules, state) != BOTH:
                assert choice.action in legal_moves(rules, state)


@pytest.mark.plain
def test_a_game_that_hides_something_is_refused() -> None:
    with pytest.raises(ValueError, match="net cannot learn this game: it needs to see the whole"):
        make_training(variant("examples/kuhn.py"), TEXT, None, 1)


@pytest.mark.plain
def test_without_jax_the_learner_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"net learns with JAX.*pip install 'ludex\[net\]'"):
        make_training(variant("nuts"), TEXT, None, 1)


@pytest.mark.compiled
def test_nuts_are_learned() -> None:
    """By the policy alone, against a random opponent that often errs."""
    rules = variant("nuts", nuts=10)
    learner = NetLearner(width=16, blocks=1, sims=8, boards=32, batch=64)
    memory = learner.train(rules, learner.begin(rules), luck(1), 0, 600)
    assert learner.evaluate(rules, memory, 1).share > 0.9
    assert learner.evaluate(rules, learner.begin(rules), 1).share < 0.75


@pytest.mark.plain
def test_three_seats_learn_what_the_match_was_worth_to_each() -> None:
    rules = variant("aeroplane", seats=3, planes=1)
    played = SelfPlay(rules, 2, 2, 2, 1)
    finished: list[Any] = []
    while not finished:
        finished = played.step(blank(rules), luck())
    seats, values = finished[0].seats, finished[0].values
    assert set(seats.tolist()) == {0, 1, 2}
    idle = finished[0].policies.sum(axis=1) == 0.0  # seats that do not move learn values alone
    assert idle.sum() == 2 * (~idle).sum()
    assert {round(float(one), 6) for one in values[idle]} <= {-0.5, 1.0}


@pytest.mark.plain
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("net:batch=2000,replay=1000", "batch: 2000: expected at most replay, 1000"),
        ("net:boards=65536,sims=10000,width=1024", "GB, more than 32: make width"),
        ("net:device=cuda", "device 'cuda': JAX finds no card"),
    ],
)
def test_what_cannot_be_trained_is_refused(text: str, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make_training(variant("droids"), text, None, 1)


@pytest.mark.plain
def test_files_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    rules, file = variant("nuts", nuts=10), tmp_path / "net.npz"
    trained(rules, file, 2)
    for other, said in ((variant("nuts"), "for the rules"), (variant("arena"), "for the game")):
        with pytest.raises(ValueError, match=said):
            make_agent(f"net:file={file}", other)
    with pytest.raises(ValueError, match="for the agent net, not qtable"):
        make_agent(f"qtable:file={file}", rules)
    file.write_bytes(file.read_bytes()[:-300])
    with pytest.raises(ValueError, match="is damaged"):
        make_agent(f"net:file={file}", rules)


@pytest.mark.plain
def test_a_minimal_budget_is_minimal_also_after_a_large_one(tmp_path: Path) -> None:
    """As it is when everything is compiled before a match."""
    rules, file = variant("nuts", nuts=10), tmp_path / "net.npz"
    trained(rules, file, 2)
    agent = frugal_copy(make_agent(f"net:file={file},seconds=1", rules))
    assert agent.consider(rules, initial(rules), 0, luck()).nodes <= 3


@pytest.mark.plain
def test_inspection_shows_the_policy(tmp_path: Path) -> None:
    rules, file = variant("nuts", nuts=10), tmp_path / "net.npz"
    trained(rules, file, 8)
    rows = inspect(file, top=3).facts["visited"]
    assert rows[0]["visits"] >= rows[-1]["visits"]
    known = inspect(file, "3 0").facts["seats"][0]["actions"]
    assert abs(sum(one["known"][0] for one in known.values()) - 1.0) < 1e-5
    with pytest.raises(ValueError, match="nobody is to choose here"):
        inspect(file, "0 0")
