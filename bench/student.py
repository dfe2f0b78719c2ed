"""Somebody else's learner on a game of ours: sb3-contrib's maskable PPO in `ludex/Droids-v1`.

`python -m bench.student` trains it for a minute against random play and lets it play matches.
"""

import importlib
import sys
import time
from importlib.metadata import version
from typing import Any

import gymnasium
import numpy as np

import ludex.adapters.gym
from ludex.stats.share import wilson

SECONDS, MATCHES = 60.0, 400
TABLES, STEPS = 64, 64  # matches at once, and decisions of each between two lessons
NAME = ludex.adapters.gym.__name__ + ":ludex/Droids-v1"


def room_of(many: int, hints: bool) -> Any:
    """Return a batch of matches against random play, each from a seat that is drawn."""
    options: dict[str, Any] = {"opponent": "random", "seat": None, "hints": hints}
    return gymnasium.make_vec(
        NAME, many, vectorization_mode="vector_entry_point", **options
    ).unwrapped


def many_of(room: Any) -> Any:
    """Return a batch as Stable-Baselines3 wants it.

    The step in which a match starts anew stays one: it has no reward, and its action is ignored.
    """
    base: Any = importlib.import_module("stable_baselines3.common.vec_env").VecEnv

    class Many(base):
        def reset(self) -> Any:
            seen, self.info = room.reset(seed=1)
            return seen

        def step_async(self, actions: Any) -> None:
            self.actions = actions

        def step_wait(self) -> Any:
            seen, rewards, over, cut, self.info = room.step(self.actions)
            infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
            for table in np.flatnonzero(over | cut):
                infos[table] = {"terminal_observation": seen[table]}
            return seen, rewards.astype(np.float32), over | cut, infos

        def env_method(self, name: str, *given: Any, **named: Any) -> list[Any]:
            assert name == "action_masks"
            return list(self.info["action_mask"].astype(bool))

        def has_attr(self, name: str) -> bool:
            return name == "action_masks"

        def get_attr(self, name: str, indices: Any = None) -> list[Any]:
            return [None] * room.num_envs

        def set_attr(self, name: str, value: Any, indices: Any = None) -> None: ...

        def env_is_wrapped(self, kind: Any, indices: Any = None) -> list[bool]:
            return [False] * room.num_envs

        def close(self) -> None: ...

    return Many(room.num_envs, room.single_observation_space, room.single_action_space)


def trained(seconds: float) -> tuple[Any, int]:
    """Return a model after so many seconds of training, and how many steps these were."""
    ppo = importlib.import_module("sb3_contrib").MaskablePPO
    base: Any = importlib.import_module("stable_baselines3.common.callbacks").BaseCallback
    env = many_of(room_of(TABLES, hints=True))
    env.reset()
    env.step(np.zeros(TABLES, np.int64))  # what is compiled now is no training
    began = time.perf_counter()

    class Clock(base):
        def _on_step(self) -> bool:
            return time.perf_counter() - began < seconds

    model = ppo("MlpPolicy", env, 1e-3, STEPS, batch_size=512, n_epochs=5, seed=1, device="cpu")
    model.learn(10**9, callback=Clock())
    return model, int(model.num_timesteps)


def results(model: Any, matches: int) -> np.ndarray:
    """Return what matches against random play were worth to a model."""
    room = room_of(matches, hints=False)
    seen, info = room.reset(seed=1000)
    worth, left = np.zeros(matches), np.ones(matches, bool)
    while left.any():
        actions, _ = model.predict(seen, action_masks=info["action_mask"].astype(bool))
        seen, rewards, over, cut, info = room.step(actions)
        worth[left & over] = rewards[left & over]
        left &= ~(over | cut)
    return worth


def main(seconds: float = SECONDS, matches: int = MATCHES) -> bool:
    """Train, play and print; return whether it has surely learned to beat random play."""
    packages = ("stable_baselines3", "sb3_contrib", "torch", "gymnasium")
    print(", ".join(f"{one} {version(one)}" for one in packages))
    model, steps = trained(seconds)
    print(f"maskable PPO on ludex/Droids-v1: {steps:,} steps in {seconds:.0f} s", flush=True)
    worth = results(model, matches)
    won, lost = int((worth > 0).sum()), int((worth < 0).sum())
    points = (won + matches - lost) / 2 / matches
    low, high = wilson(points, matches)
    print(
        f"against random: {won} won, {matches - won - lost} drawn, {lost} lost;"
        f" {100 * points:.1f} % of the points, with 95 % confidence"
        f" {100 * low:.1f} to {100 * high:.1f} %"
    )
    return low > 0.5


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
