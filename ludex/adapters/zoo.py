"""PettingZoo environments: AEC for any game, parallel for simultaneous moves.

The observation of an agent is a dictionary: the `observation`, planes from its own perspective, and
the `action_mask`. An illegal action loses the match. Rewards are the returns, at the end.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from ludex.adapters import needed
from ludex.adapters.match import (
    RENDER_MODES,
    checked_mode,
    choose,
    drawn,
    new_match,
    rules_of,
    whole_action,
)
from ludex.adapters.view import bounds, mask_of, seen
from ludex.core.rules import Rules, State, actions, at_once, name_of, seats, version_of, view_shape
from ludex.core.time_control import PLIES
from ludex.games import find

pettingzoo = needed("pettingzoo", "pettingzoo")
spaces = needed("gymnasium.spaces", "pettingzoo")
ResetNeeded: Any = needed("gymnasium.error", "pettingzoo").ResetNeeded
InOrder: Any = needed("pettingzoo.utils.wrappers", "pettingzoo").OrderEnforcingWrapper

AEC: Any = pettingzoo.AECEnv
Parallel: Any = pettingzoo.ParallelEnv

Seen = dict[str, np.ndarray]


class Room:
    """What both kinds of environment have: a match, names for its seats, and spaces."""

    def __init__(
        self,
        game: str,
        rules: Mapping[str, Any] | None = None,
        plies: int = PLIES,
        render_mode: str | None = None,
    ) -> None:
        made = self.rules = rules_of(game, rules)
        self.plies, self.match = plies, new_match(made, plies)
        self.rng = np.random.default_rng()
        self.render_mode = checked_mode(render_mode)
        self.metadata = {
            "name": f"{name_of(find(game))}_v{version_of(find(game))}",
            "render_modes": list(RENDER_MODES),
            "render_fps": 1,
            "is_parallelizable": bool(at_once(made)),
        }
        self.possible_agents = [f"seat_{seat}" for seat in range(seats(made))]
        self.agents: list[str] = []
        self.begun = False
        self.observation_spaces = {one: seen_space(made) for one in self.possible_agents}
        self.action_spaces = {one: spaces.Discrete(actions(made)) for one in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """Return what an agent may see."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """Return what an agent may choose."""
        return self.action_spaces[agent]

    def begin(self, seed: int | None) -> None:
        """Start a match; without a seed the luck goes on."""
        self.rng = self.rng if seed is None else np.random.default_rng(seed)
        self.match = new_match(self.rules, self.plies, int(self.rng.integers(2**62)))
        self.agents = self.possible_agents[:]
        self.begun = True

    def seen_by(self, agent: str) -> Seen:
        """Return what an agent sees."""
        seat = self.possible_agents.index(agent)
        return seen_by(self.rules, self.match.state, seat, self.match.over)

    def state(self) -> np.ndarray:
        """Return all that there is, as seat 0 sees it; nothing is hidden."""
        return seen(self.rules, self.match.state, 0)

    def render(self) -> str | np.ndarray | None:
        """Return the board as text, as SVG or as pixels, or print it for people."""
        return drawn(self.match, self.render_mode)

    def close(self) -> None:
        """Leave nothing behind; there is nothing."""

    def told(self) -> dict[str, dict[str, Any]]:
        """Return for each agent what else is to be known: whether it broke the rules."""
        return {
            agent: {"illegal": self.possible_agents.index(agent) in self.match.offenders}
            for agent in self.agents
        }


def seen_space(rules: Rules) -> Any:
    """Return the space of what an agent sees."""
    low, high, kind = bounds(rules)
    board = spaces.Box(low, high, view_shape(rules), kind)
    mask = spaces.Box(0, 1, (actions(rules),), np.int8)
    return spaces.Dict({"observation": board, "action_mask": mask})


def seen_by(rules: Rules, state: State, seat: int, over: bool) -> Seen:
    """Return what a seat sees; its mask is all 0 when it is not to choose."""
    mask = np.zeros(actions(rules), np.int8) if over else mask_of(rules, state, seat)
    return {"observation": seen(rules, state, seat), "action_mask": mask}


class TurnsEnv(Room, AEC):
    """A game in turns. Where both choose at once, neither sees what the other has chosen."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start a match."""
        self.begin(seed)
        self.chosen: dict[int, int] = {}
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self._skip_agent_selection = None
        self.note()

    def note(self) -> None:
        """Take over from the match whose turn it is and what has ended."""
        match = self.match
        self.terminations = dict.fromkeys(self.agents, match.over and not match.truncated)
        self.truncations = dict.fromkeys(self.agents, match.truncated)
        self.infos = self.told()
        self.agent_selection = self.possible_agents[max(match.seat, 0)]

    def observe(self, agent: str) -> Seen:
        """Return what an agent sees."""
        return self.seen_by(agent)

    def step(self, action: int | None) -> None:
        """Let the agent whose turn it is choose."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self.chosen[self.possible_agents.index(agent)] = whole_action(action)
        missing = [seat for seat in self.match.choosers if seat not in self.chosen]
        if missing:
            self.agent_selection = self.possible_agents[missing[0]]
        else:
            choose(self.match, self.chosen)
            self.chosen = {}
            self.rewards = dict(zip(self.agents, self.match.returns, strict=True))
            self.note()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()


class AtOnceEnv(Room, Parallel):
    """A game in which both choose at once, every time."""

    def __init__(self, game: str, **options: Any) -> None:
        super().__init__(game, **options)
        if not at_once(self.rules):
            raise ValueError(f"in {game} the seats take turns; env() is for such games")

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Seen], dict[str, dict[str, Any]]]:
        """Start a match, and return what each agent sees."""
        self.begin(seed)
        return {agent: self.seen_by(agent) for agent in self.agents}, self.told()

    def step(self, chosen: Mapping[str, int]) -> tuple[dict[str, Any], ...]:
        """Go on with the choices of all, and return what each agent sees, gets and is told.

        Once the match is over nobody is there, and a step tells of nobody.
        """
        if not self.begun:
            raise ResetNeeded("reset() comes before step()")
        if not self.agents:
            return {}, {}, {}, {}, {}
        missing = [one for one in self.agents if one not in chosen]
        if missing:
            raise ValueError(f"expected an action of every agent; {', '.join(missing)} has none")
        agents, match = self.agents, self.match
        choose(match, {self.possible_agents.index(one): chosen[one] for one in agents})
        observations = {agent: self.seen_by(agent) for agent in agents}
        rewards = dict(zip(agents, match.returns, strict=True))
        infos = self.told()
        if match.over:
            self.agents = []
        if self.render_mode == "human":
            self.render()
        terminated = dict.fromkeys(agents, match.over and not match.truncated)
        return observations, rewards, terminated, dict.fromkeys(agents, match.truncated), infos


def env(game: str, **options: Any) -> Any:
    """Return a game as an environment in turns, by its name or path.

    Options are the `rules` that differ, the `plies` after which it is cut off, and `render_mode`.
    What is asked in the wrong order, such as a step before the first reset, is refused in the
    words of PettingZoo.
    """
    return InOrder(TurnsEnv(game, **options))


def parallel_env(game: str, **options: Any) -> AtOnceEnv:
    """Return a game in which both choose at once as a parallel environment."""
    return AtOnceEnv(game, **options)
