"""Our games as Gymnasium environments, alone and in batches."""

import warnings
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import make_agent
from ludex.core.play import choosers
from ludex.games import GAMES, find
from tests.lines import random_states, variant
from tests.players import choosing, written

pytest.importorskip("gymnasium", reason="gymnasium is not installed: pip install ludex[gym]")

import gymnasium
from gymnasium.utils.env_checker import check_env

import ludex.adapters.gym
from ludex.adapters.gym import register
from ludex.adapters.vector import BatchEnv
from ludex.batch.stepping import worth_of

pytestmark = pytest.mark.plain

IDS = [f"ludex/{game.capitalize()}-v1" for game in GAMES]


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", IDS)
def test_every_environment_passes_the_check_without_a_warning(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make(name, opponent="easy").unwrapped)


@pytest.mark.parametrize("game", GAMES)
def test_the_version_of_a_name_is_that_of_the_rules(game: str) -> None:
    assert find(game).VERSION == 1


def test_names_are_entered_once_and_with_one_for_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    registry = gymnasium.envs.registration.registry
    for name in [one for one in registry if one.startswith("ludex/")]:
        monkeypatch.delitem(registry, name)
    register()
    register()
    assert {*IDS, "ludex/Game-v1"} <= set(registry)
    room = gymnasium.make("ludex/Game-v1", game="examples/tictactoe.py")
    assert played(room, 1)[-1] in (-1.0, 0.0, 1.0)


def played(room: Any, seed: int) -> list[float]:
    """Return the rewards of a match with the first legal action, always."""
    _, info = room.reset(seed=seed)
    rewards: list[float] = []
    over = cut = False
    while not (over or cut):
        _, reward, over, cut, info = room.step(int(np.argmax(info["action_mask"])))
        rewards.append(float(reward))
    return rewards


def test_the_opponent_is_any_agent() -> None:
    room = gymnasium.make("ludex/Nuts-v1", opponent="best", rules={"nuts": 10})
    assert all(played(room, seed)[-1] == -1.0 for seed in range(5))


def test_the_other_side_may_be_ours_or_drawn() -> None:
    room = gymnasium.make("ludex/Nuts-v1", seat=None).unwrapped
    assert {room.reset(seed=seed)[1]["seat"] for seed in range(9)} == {0, 1}
    room = gymnasium.make("ludex/Nuts-v1", seat=1)
    observation, _ = room.reset(seed=1)
    assert observation[0].sum() < 21
    with pytest.raises(ValueError, match="no seat 2"):
        gymnasium.make("ludex/Nuts-v1", seat=2)


def test_three_opponents_sit_at_a_table_of_four() -> None:
    rules = {"seats": 4, "planes": 1}
    room = gymnasium.make("ludex/Aeroplane-v1", rules=rules, opponent=["random", "easy", "casual"])
    assert abs(played(room, 1)[-1]) in (1.0, 1 / 3)
    with pytest.raises(ValueError, match="expected 3 opponents, not 1"):
        gymnasium.make("ludex/Aeroplane-v1", rules=rules, opponent=["random"])


def test_an_opponent_that_breaks_the_rules_has_lost(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LUDEX_UNSAFE", "1")
    path = written(tmp_path, choosing("return 'nonsense'"))
    room = gymnasium.make("ludex/Nuts-v1", opponent=path)
    room.reset(seed=1)
    _, reward, over, _, info = room.step(0)
    room.close()
    assert over and reward == 1.0 and "seat 1" in info["words"]


def test_hints_come_with_the_step_alone_and_in_a_batch() -> None:
    """A shot along the row hits at once; the hint is worth a tenth of a match."""
    rules = {"rows": 1, "columns": 2, "shots": 1, "start1": (0, 0), "start2": (0, 1)}
    for hints in (False, True):
        alone = gymnasium.make("ludex/Droids-v1", rules=rules, hints=hints)
        many = batch("droids", 32, rules=rules, hints=hints)
        many.reset(seed=1)
        wanted = {0.0, 0.1} if hints else {0.0}
        assert {*many.step(np.full(32, 4))[1].tolist()} == wanted
        assert {float((alone.reset(seed=seed), alone.step(4))[1][1]) for seed in range(9)} == wanted


def test_a_step_before_a_reset_is_refused() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        ludex.adapters.gym.SoloEnv("nuts").step(0)


def test_a_step_after_the_end_warns_and_is_worth_nothing() -> None:
    room = ludex.adapters.gym.SoloEnv("nuts")
    room.reset(seed=1)
    assert room.step(8)[1:3] == (-1.0, True)
    with pytest.warns(UserWarning, match="the match is over"):
        assert room.step(0)[1:3] == (0.0, True)
    room.reset(seed=1)
    assert room.step(0)[1] == 0.0


def test_a_picture_is_pixels_for_those_who_make_videos() -> None:
    """Stable-Baselines3 asks for `rgb_array` whenever it makes environments."""
    room = gymnasium.make("ludex/Nuts-v1", render_mode="rgb_array")
    room.reset(seed=1)
    picture = room.render()
    assert isinstance(picture, np.ndarray) and picture.dtype == np.uint8
    assert picture.ndim == 3 and picture.shape[2] == 3 and len(np.unique(picture)) > 20


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"opponent": None}, "opponent None: expected the text of an agent"),
        ({"opponent": [1]}, "expected the text of an agent, or a list"),
        ({"seat": "0"}, "no seat '0'"),
        ({"seat": 0.5}, "no seat 0.5"),
        ({"rules": "nuts=10"}, "expected a dictionary"),
        ({"plies": 0}, "plies 0: expected"),
    ],
)
def test_bad_options_are_refused_alone_and_in_a_batch(options: Any, words: str) -> None:
    for kind in (ludex.adapters.gym.SoloEnv, BatchEnv):
        with pytest.raises(ValueError, match=words):
            kind("nuts", **options)


def test_what_is_told_is_the_same_alone_and_in_a_batch() -> None:
    alone, many = ludex.adapters.gym.SoloEnv("nuts"), batch("nuts", 1)
    for told in (alone.reset(seed=1)[1], many.reset(seed=1)[1]):
        assert set(told) == {"action_mask", "seat", "illegal"} and not told["illegal"]
    for told in (alone.step(8)[4], many.step(np.array([8]))[4]):
        assert told["illegal"]


# Batches. ----------------------------------------------------------------------------------------


def batch(game: str, many: int = 8, **options: Any) -> BatchEnv:
    name = f"ludex/{game.capitalize()}-v1"
    made = gymnasium.make_vec(name, many, vectorization_mode="vector_entry_point", **options)
    assert isinstance(made.unwrapped, BatchEnv)
    return made.unwrapped


def drawn(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a legal action of every match."""
    actions: np.ndarray = ((1.0 - rng.random(masks.shape)) * masks).argmax(1)
    return actions


@pytest.mark.parametrize("game", GAMES)
def test_a_batch_plays_by_the_rules(game: str) -> None:
    room, rng = batch(game, seat=None), np.random.default_rng(1)
    observations, info = room.reset(seed=1)
    ended = np.zeros(8, bool)
    for _ in range(15):
        assert room.observation_space.contains(observations)
        observations, rewards, over, cut, info = room.step(drawn(info["action_mask"], rng))
        assert not info["illegal"].any()
        assert not (ended & (over | cut)).any() and not rewards[~over].any()
        ended = over | cut


def test_a_batch_answers_as_greedy_does() -> None:
    for name in ("trap", "droids"):
        rules = variant(name, size=4) if name == "trap" else variant(name)
        agent = make_agent("greedy", rules)
        for state in [*random_states(rules, 3, 40)][1:24:4]:
            for seat in choosers(rules, state):
                values = agent.consider(rules, state, seat, np.random.default_rng(1)).values
                for action, value in values.items():
                    assert worth_of(rules, state, seat, action, 0) == pytest.approx(
                        value, abs=1e-12
                    )


def test_a_match_of_a_batch_starts_anew_in_the_step_after_its_end() -> None:
    room = batch("nuts", 1, rules={"nuts": 10, "most": 9}, opponent="greedy")
    room.reset(seed=1)
    many, rewards, over, _, _ = room.step(np.array([8]))
    assert over[0] and rewards[0] == 1.0 and many[0, 0].sum() == 0
    many, rewards, over, _, _ = room.step(np.array([8]))
    assert not over[0] and rewards[0] == 0.0 and many[0, 0].sum() == 10
    mode = gymnasium.vector.AutoresetMode.NEXT_STEP
    assert room.metadata["autoreset_mode"] is mode


def test_an_illegal_action_in_a_batch_loses_that_match_alone() -> None:
    room = batch("nuts", 3)
    room.reset(seed=1)
    _, rewards, over, _, info = room.step(np.array([0, 8, 0]))
    assert rewards.tolist() == [0.0, -1.0, 0.0] and info["illegal"].tolist() == over.tolist()


def test_a_batch_with_a_seed_plays_the_same_again() -> None:
    def line() -> list[bytes]:
        room = batch("trap", 4, rules={"size": 3}, opponent="greedy", seat=None)
        rng = np.random.default_rng(2)
        seen, info = room.reset(seed=3)
        told = [seen.tobytes()]
        for _ in range(6):
            seen, _, _, _, info = room.step(drawn(info["action_mask"], rng))
            told.append(seen.tobytes())
        return told

    assert line() == line()


def test_long_matches_of_a_batch_are_cut_off() -> None:
    room = batch("trap", 2, plies=6, rules={"size": 4})
    _, info = room.reset(seed=1)
    rng, cuts = np.random.default_rng(1), 0
    for _ in range(8):
        _, _, _, cut, info = room.step(drawn(info["action_mask"], rng))
        cuts += int(cut.sum())
    assert cuts >= 2


def test_a_batch_that_is_to_draw_is_refused() -> None:
    with pytest.raises(ValueError, match="expected no render mode, not 'svg'"):
        batch("nuts", render_mode="svg")


def test_an_agent_that_is_not_compiled_is_refused_in_a_batch() -> None:
    with pytest.raises(ValueError, match="does not play many matches at once in compiled code"):
        batch("nuts", opponent="mcts:sims=10")


@pytest.mark.parametrize(
    "actions", [np.zeros(1, int), np.zeros(9, int), np.zeros((8, 1), int), np.zeros(8), None]
)
def test_a_batch_wants_one_whole_number_for_each_match(actions: Any) -> None:
    room = batch("nuts")
    room.reset(seed=1)
    with pytest.raises(ValueError, match="expected 8 whole numbers, one action for each match"):
        room.step(actions)
    assert room.step([0] * 8)[1].shape == (8,)


def test_the_step_that_starts_a_match_anew_pays_nothing() -> None:
    """The other moves first, and what the game says of that is no reward of the last match."""
    room = batch("aeroplane", 32, seat=1, hints=True, rules={"planes": 1})
    room.reset(seed=1)
    assert (room.step(np.full(32, -1))[1] == -1.0).all()
    for _ in range(3):
        assert not room.step(np.full(32, -1))[1].any()
        assert (room.step(np.full(32, -1))[1] == -1.0).all()


def test_a_batch_takes_an_opponent_for_each_other_seat() -> None:
    rules = {"seats": 4, "planes": 1}
    room = batch("aeroplane", opponent=["random", "casual", "random"], rules=rules, seat=1)
    assert room.reset(seed=1)[1]["seat"].tolist() == [1] * 8
    with pytest.raises(ValueError, match="expected 3 opponents, not 1"):
        batch("aeroplane", opponent=["random"], rules=rules)
    with pytest.raises(ValueError, match="expected the same for all seats if yours is drawn"):
        batch("aeroplane", opponent=["random", "casual", "random"], rules=rules, seat=None)


def test_some_matches_of_a_batch_start_anew() -> None:
    room = batch("nuts", 3, rules={"nuts": 30})
    room.reset(seed=1)
    before, *_ = room.step(np.array([0, 0, 0]))
    after, info = room.reset(options={"reset_mask": np.array([False, True, False])})
    assert after[1, 0].sum() == 30 and before[1, 0].sum() < 30
    assert (after[[0, 2]] == before[[0, 2]]).all() and info["action_mask"].all(1).sum() == 0
    left = room.step(np.array([0, 0, 0]))[0]
    assert (left[:, 0].sum((1, 2)) < after[:, 0].sum((1, 2))).all()
    for mask in ([True], np.zeros(3, bool), np.ones(3)):
        with pytest.raises(ValueError, match="expected 3 truth values"):
            room.reset(options={"reset_mask": mask})


def test_seeds_may_be_a_list() -> None:
    def line(seeds: Any) -> bytes:
        room = batch("aeroplane", 4, seat=1)
        return bytes(room.reset(seed=seeds)[0].tobytes())

    assert line([1, 2, 3, 4]) == line([1, 2, 3, 4]) != line([1, 2, 3, 5])
    with pytest.raises(ValueError, match="expected 4 seeds, not 2"):
        line([1, 2])


def test_a_batch_is_reset_before_it_is_stepped() -> None:
    room = batch("nuts", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        room.step(np.zeros(2, int))
    with pytest.raises(gymnasium.error.ResetNeeded):
        room.reset(options={"reset_mask": np.array([True, False])})


def test_nothing_is_cut_off_before_you_have_chosen() -> None:
    room = batch("nuts", 2, seat=1, plies=1)
    room.reset(seed=1)
    for wanted in (True, False, True):
        _, rewards, over, cut, info = room.step(np.zeros(2, int))
        assert cut.tolist() == [wanted] * 2 and not over.any() and not rewards.any()
        assert not info["illegal"].any()
