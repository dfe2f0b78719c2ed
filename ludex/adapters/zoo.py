"""PettingZoo environments: AEC for any game, parallel for simultaneous moves.

The observation of an agent is a dictionary: the `observation`, planes from its own perspective, and
the `action_mask`. An illegal action loses the match. Rewards are the returns, at the end.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludex.adapters import common, import_extra
from ludex.core.information import SPECTATOR
from ludex.core.observation import bounds, mask_of, observation_of
from ludex.core.rules import (
    Rules,
    actions,
    at_once,
    imperfect_information,
    name_of,
    seats,
    version_of,
    view_shape,
)
from ludex.core.time_control import PLIES
from ludex.games import find

pettingzoo = import_extra("pettingzoo", "pettingzoo")
spaces = import_extra("gymnasium.spaces", "pettingzoo")
ResetNeeded: Any = import_extra("gymnasium.error", "pettingzoo").ResetNeeded
OrderEnforcing: Any = import_extra("pettingzoo.utils.wrappers", "pettingzoo").OrderEnforcingWrapper

AEC: Any = pettingzoo.AECEnv
Parallel: Any = pettingzoo.ParallelEnv

Observation = dict[str, np.ndarray]


class MatchEnv:
    """The common part of both environments: a match, names for its seats, and spaces."""

    def __init__(
        self,
        game: str,
        rules: Mapping[str, Any] | None = None,
        plies: int = PLIES,
        render_mode: str | None = None,
    ) -> None:
        made = self.rules = common.rules_of(game, rules)
        self.plies, self.match = plies, common.new_match(made, plies)
        self.rng = np.random.default_rng()
        self.render_mode = common.checked_mode(render_mode)
        self.metadata = {
            "name": f"{name_of(find(game))}_v{version_of(find(game))}",
            "render_modes": common.RENDER_MODES,
            "render_fps": 1,
            "is_parallelizable": bool(at_once(made)),
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats(made))]
        self.agents: list[str] = []
        self.begun = False
        self.observation_spaces = {one: observation_space_of(made) for one in self.possible_agents}
        self.action_spaces = {one: spaces.Discrete(actions(made)) for one in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return the observation space of an agent."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return the action space of an agent."""
        return self.action_spaces[agent]

    def begin(self, seed: int | None) -> None:
        """Start a match; without a seed the generator continues."""
        self.rng = self.rng if seed is None else np.random.default_rng(seed)
        self.match = common.new_match(self.rules, self.plies, int(self.rng.integers(2**62)))
        self.agents = self.possible_agents[:]
        self.begun = True

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; its mask is all 0 when it is not to move."""
        rules, state, seat = self.rules, self.match.state, self.possible_agents.index(agent)
        mask = mask_of(rules, state, seat) * np.int8(not self.match.over)
        return {"observation": observation_of(rules, state, seat), "action_mask": mask}

    def state(self) -> np.ndarray:
        """Return the observation of seat 0; where something is hidden, those of all seats."""
        shown = range(seats(self.rules) if imperfect_information(self.rules) else 1)
        return np.concatenate([observation_of(self.rules, self.match.state, one) for one in shown])

    def render(self) -> str | np.ndarray | None:
        """Return the board, as all agents see it, as text, as SVG or as pixels, or print it."""
        return common.render_match(self.match, self.render_mode, SPECTATOR)

    def close(self) -> None:
        """Do nothing: no resources are held."""

    def make_infos(self) -> dict[str, dict[str, Any]]:
        """Return the info of each agent: whether it made an illegal move."""
        return {
            agent: {"illegal": self.possible_agents.index(agent) in self.match.offenders}
            for agent in self.agents
        }


def observation_space_of(rules: Rules) -> Any:
    """Return the observation space of a game, with its action mask."""
    low, high, kind = bounds(rules)
    board = spaces.Box(low, high, view_shape(rules), kind)
    mask = spaces.Box(0, 1, (actions(rules),), np.int8)
    return spaces.Dict({"observation": board, "action_mask": mask})


class TurnsEnv(MatchEnv, AEC):
    """An AEC environment. In simultaneous moves, neither agent sees the other's choice."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match."""
        self.begin(seed)
        self.chosen: dict[int, int] = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self.update()

    def update(self) -> None:
        """Update the turn, the ends and the infos from the match."""
        match = self.match
        self.terminations = dict.fromkeys(self.agents, match.over and not match.truncated)
        self.truncations = dict.fromkeys(self.agents, match.truncated)
        self.infos = self.make_infos()
        self.agent_selection = self.possible_agents[max(match.seat, 0)]

    def step(self, action: int | None) -> None:
        """Take the action of the agent to move."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.chosen[self.possible_agents.index(agent)] = common.whole_action(action)
        missing = [seat for seat in self.match.choosers if seat not in self.chosen]
        if missing:
            self.agent_selection = self.possible_agents[missing[0]]
        else:
            common.choose(self.match, self.chosen)
            self.chosen = {}
            self.rewards = dict(zip(self.agents, self.match.returns, strict=True))
            self.update()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class SimultaneousEnv(MatchEnv, Parallel):
    """A parallel environment, for games in which all moves are simultaneous."""

    def __init__(self, game: str, **options: Any) -> None:
        super().__init__(game, **options)
        if not at_once(self.rules):
            raise ValueError(f"in {game} the seats take turns; env() is for such games")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Start a match, and return what each agent sees."""
        self.begin(seed)
        return {agent: self.observe(agent) for agent in self.agents}, self.make_infos()

    def step(self, chosen: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Take all actions; return observations, rewards, ends and infos by agent.

        After the end there are no agents, and all of these are empty.
        """
        if not self.begun:
            raise ResetNeeded("reset() comes before step()")
        if not self.agents:
            return {}, {}, {}, {}, {}
        missing = [one for one in self.agents if one not in chosen]
        if missing:
            raise ValueError(f"expected an action of every agent; {', '.join(missing)} has none")
        agents, match = self.agents, self.match
        common.choose(match, {self.possible_agents.index(one): chosen[one] for one in agents})
        observations = {agent: self.observe(agent) for agent in agents}
        rewards = dict(zip(agents, match.returns, strict=True))
        infos = self.make_infos()
        if match.over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        terminated = dict.fromkeys(agents, match.over and not match.truncated)
        return observations, rewards, terminated, dict.fromkeys(agents, match.truncated), infos


def env(game: str, **options: Any) -> Any:
    """Return the AEC environment of a game, by its name or path.

    Options are the `rules` that differ, the `plies` after which it is truncated, and `render_mode`.
    Calls in the wrong order, such as a step before the first reset, raise PettingZoo's errors.
    """
    return OrderEnforcing(TurnsEnv(game, **options))


def parallel_env(game: str, **options: Any) -> SimultaneousEnv:
    """Return the parallel environment of a game with simultaneous moves."""
    return SimultaneousEnv(game, **options)
