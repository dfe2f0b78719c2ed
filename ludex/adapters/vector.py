"""A vector environment: a batch of matches against agents, on the cores of the CPU or on a card.

One call steps the whole batch: your actions, chance, and the replies of the opponents, which must
therefore run in compiled code: random, casual or greedy. Finished matches restart at the next
step, which ignores its action, as is Gymnasium's default. On a card, observations, masks and
rewards stay in its memory, and other libraries share them by DLPack.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ludex.adapters import import_extra
from ludex.adapters.common import checked_number, rules_of
from ludex.adapters.gym import checked_opponents, checked_seat, observation_space_of
from ludex.batch.batch import Batch, Options
from ludex.core.rules import actions, seats
from ludex.core.time_control import PLIES

gymnasium = import_extra("gymnasium", "gym")
VectorEnv: Any = gymnasium.vector.VectorEnv


def checked_mask(mask: Any, many: int) -> np.ndarray:
    """Return the mask of the matches to reset."""
    given = np.asarray(mask)
    if given.shape != (many,) or given.dtype != np.bool_ or not given.any():
        raise ValueError(
            f"reset_mask {mask!r}: expected {many} truth values, at least one of them true"
        )
    return given


class BatchEnv(VectorEnv):
    """Many matches at once; the options are those of `SoloEnv`, `num_envs` and `device`.

    The legal actions are in the info as `action_mask`; once a match is over all count as legal.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "autoreset_mode": gymnasium.vector.AutoresetMode.NEXT_STEP,
        "render_modes": [],
    }

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        opponent: str | Sequence[str] = "random",
        seat: int | None = 0,
        rules: Mapping[str, Any] | None = None,
        plies: int = PLIES,
        hints: bool = False,
        render_mode: str | None = None,
        device: str = "cpu",
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"a batch draws nothing: expected no render mode, not {render_mode!r}")
        self.rules = rules_of(game, rules)
        num_envs = self.num_envs = checked_number(num_envs, "num_envs", 1)
        most, count = checked_number(plies, "plies", 1), int(seats(self.rules))
        texts = checked_opponents(count, opponent)
        fixed = checked_seat(count, seat)
        if fixed is None and len({*texts}) > 1:
            raise ValueError(
                f"opponents {opponent!r}: expected the same for all seats if yours is drawn"
            )
        texts.insert(count - 1 if fixed is None else fixed, texts[0])
        agents = {one: text for one, text in enumerate(texts) if one != fixed}
        options = Options(fixed is None, hints)
        self.batch = Batch(self.rules, num_envs, device, 0, agents, most, options)
        self.single_observation_space = observation_space_of(self.rules)
        self.single_action_space = gymnasium.spaces.Discrete(actions(self.rules))
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self.begun = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Restart all matches, or those of `reset_mask` in the options; return the observations.

        A batch has one generator: a list of seeds is one seed for it.
        """
        self.seed_generator(seed)
        mask = None
        if options and "reset_mask" in options:
            mask = checked_mask(options["reset_mask"], self.num_envs)
            if not (self.begun or mask.all()):
                raise gymnasium.error.ResetNeeded("the first reset() is of all matches")
        new = seed is not None or not self.begun
        self.batch.reset(int(self.np_random.integers(2**62)) if new else None, mask)
        self.begun = True
        return own(self.batch.views()), self.info()

    def seed_generator(self, seed: int | Sequence[int] | None) -> None:
        """Seed the generator of the batch, or continue with it."""
        if isinstance(seed, int | np.integer | None):
            super().reset(seed=None if seed is None else int(seed))
        elif len(seed) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} seeds, not {len(seed)}")
        elif any(one is not None for one in seed):
            numbers = [checked_number(one, "seed", 0) for one in seed]
            self._np_random = np.random.default_rng(numbers)

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take an action in each match, and return the next observations."""
        if not self.begun:
            raise gymnasium.error.ResetNeeded("reset() comes before step()")
        self.batch.step(actions)
        rewards, over, cut, *_ = map(own, self.batch.outcome)
        return own(self.batch.views()), rewards, over, cut, self.info()

    def info(self) -> dict[str, Any]:
        """Return the info of all matches."""
        told = self.batch.masks(), self.batch.outcome.seats, self.batch.outcome.illegal
        return dict(zip(("action_mask", "seat", "illegal"), map(own, told), strict=True))


def own(array: Any) -> Any:
    """Return an array that the next step leaves as it is, except on a card, where it is shared."""
    return array.copy() if isinstance(array, np.ndarray) else array
