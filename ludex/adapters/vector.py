"""A vector environment: a batch of matches against an agent, stepped by compiled code.

One call steps the whole batch: your actions, chance, and the replies of the opponents, which must
therefore run in compiled code: random, casual or greedy. Finished matches restart at the next
step, which ignores its action, as is Gymnasium's default.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ludex.adapters import import_extra
from ludex.adapters.common import checked_number, rules_of
from ludex.adapters.gym import checked_opponents, checked_seat, observation_space_of
from ludex.adapters.stepping import ILLEGAL, Batch, Steps, Terms, step_all
from ludex.adapters.view import bounds
from ludex.agents.registry import Agent, Casual, Random, make_agent
from ludex.core.rules import actions, initial, seats, view_shape
from ludex.core.time_control import PLIES
from ludex.kernel.tuples import flatten
from ludex.search.minimax import Greedy

gymnasium = import_extra("gymnasium", "gym")
VectorEnv: Any = gymnasium.vector.VectorEnv


def checked_actions(actions: Any, many: int) -> np.ndarray:
    """Return the actions of a batch; compiled code does not check their number."""
    given = np.asarray(actions)
    if given.shape != (many,) or given.dtype.kind not in "iu":
        raise ValueError(
            f"expected {many} whole numbers, one action for each match,"
            f" not {given.dtype} of the shape {given.shape}"
        )
    return given.astype(np.int64, copy=False)


def checked_mask(mask: Any, many: int) -> np.ndarray:
    """Return the mask of the matches to reset."""
    given = np.asarray(mask)
    if given.shape != (many,) or given.dtype != np.bool_ or not given.any():
        raise ValueError(
            f"reset_mask {mask!r}: expected {many} truth values, at least one of them true"
        )
    return given


def reply_policy(agent: Agent, text: str) -> tuple[bool, Any]:
    """Return whether an agent is greedy, and its search profile, for compiled code."""
    if isinstance(agent, Random):
        return False, None
    if isinstance(agent, Casual):
        return False, agent.profile
    if isinstance(agent, Greedy):
        return True, agent.profile
    raise ValueError(
        f"{text!r} does not answer a whole batch in compiled code: expected random, casual or"
        " greedy (any agent plays in make_vec(…, vectorization_mode='sync'))"
    )


class BatchEnv(VectorEnv):
    """Many matches at once; the options are those of `SoloEnv`, and `num_envs`.

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
    ) -> None:
        if render_mode is not None:
            raise ValueError(f"a batch draws nothing: expected no render mode, not {render_mode!r}")
        self.rules = rules_of(game, rules)
        num_envs = self.num_envs = checked_number(num_envs, "num_envs", 1)
        most = checked_number(plies, "plies", 1)
        text, *others = checked_opponents(int(seats(self.rules)), opponent)
        if any(other != text for other in others):
            raise ValueError(
                f"opponents {opponent!r}: expected the same in all seats of a batch (others sit"
                " together in make_vec(…, vectorization_mode='sync'))"
            )
        fixed = checked_seat(int(seats(self.rules)), seat)
        policy = reply_policy(make_agent(text, self.rules), text)
        self.terms = Terms(most, -1 if fixed is None else fixed, hints, *policy)
        self.single_observation_space = observation_space_of(self.rules)
        self.single_action_space = gymnasium.spaces.Discrete(actions(self.rules))
        batch = gymnasium.vector.utils.batch_space
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.action_space = batch(self.single_action_space, num_envs)
        self.first = initial(self.rules)
        rows = np.zeros((num_envs, len(flatten(self.first))), np.int64)
        mine, lengths = np.zeros((2, num_envs), np.int64)
        self.batch = Batch(rows, mine, lengths, np.ones(num_envs, np.bool_))
        self.planes = np.zeros((num_envs, *view_shape(self.rules)), bounds(self.rules)[2])
        self.masks = np.zeros((num_envs, self.single_action_space.n), np.int8)
        self.begun = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Restart all matches, or those of `reset_mask` in the options; return the observations.

        A batch has one generator: a list of seeds is one seed for it.
        """
        self.seed_generator(seed)
        mask = np.ones(self.num_envs, np.bool_)
        if options and "reset_mask" in options:
            mask = checked_mask(options["reset_mask"], self.num_envs)
            if not (self.begun or mask.all()):
                raise gymnasium.error.ResetNeeded("the first reset() is of all matches")
        self.begun = True
        some = Batch(*(one[mask] for one in self.batch._replace(ended=mask)))
        steps = self.take_steps(some, np.zeros(len(some.rows), np.int64))
        for array, part in zip(self.batch, some, strict=True):
            array[mask] = part
        self.planes, self.masks = self.planes.copy(), self.masks.copy()
        self.planes[mask], self.masks[mask] = steps.planes, steps.masks
        return self.planes, self.info(np.zeros(self.num_envs, np.bool_))

    def seed_generator(self, seed: int | Sequence[int] | None) -> None:
        """Seed the generator of the batch, or continue with it."""
        if isinstance(seed, int | np.integer | None):
            super().reset(seed=None if seed is None else int(seed))
        elif len(seed) != self.num_envs:
            raise ValueError(f"expected {self.num_envs} seeds, not {len(seed)}")
        elif any(one is not None for one in seed):
            numbers = [checked_number(one, "seed", 0) for one in seed]
            self._np_random = np.random.default_rng(numbers)

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Take an action in each match, and return the next observations."""
        if not self.begun:
            raise gymnasium.error.ResetNeeded("reset() comes before step()")
        self.planes, self.masks, rewards, over, cut = self.take_steps(
            self.batch, checked_actions(actions, self.num_envs)
        )
        return self.planes, rewards, over > 0, cut > 0, self.info(over == ILLEGAL)

    def info(self, illegal: np.ndarray) -> dict[str, Any]:
        """Return the info of all matches."""
        return {"action_mask": self.masks, "seat": self.batch.seats.copy(), "illegal": illegal}

    def take_steps(self, batch: Batch, actions: np.ndarray) -> Steps:
        """Step these matches, and return the results."""
        many, rules = len(batch.rows), self.rules
        steps = Steps(
            np.zeros((many, *view_shape(rules)), bounds(rules)[2]),
            np.zeros((many, self.single_action_space.n), np.int8),
            np.zeros(many),
            *np.zeros((2, many), np.int8),
        )
        step_all(rules, self.first, batch, actions, self.terms, self.np_random, steps)
        return steps
