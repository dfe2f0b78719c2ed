"""Gymnasium environments: you control one seat, agents of Ludex the others.

An observation is an array of planes from your perspective; the legal actions are in the info as
`action_mask`, and `action_masks()` returns them too. An illegal action loses the match.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ludex.adapters import common, import_extra
from ludex.agents.registry import make_agent
from ludex.core.observation import bounds, mask_of, observation_of
from ludex.core.rules import Rules, actions, seats, view_shape
from ludex.core.termination import Offence
from ludex.core.time_control import PLIES
from ludex.games import GAMES
from ludex.match.runner import UNLIMITED, Referee

gymnasium = import_extra("gymnasium", "gym")

Env: Any = gymnasium.Env
ANY = "game"  # any game, named by its option `game`


def register() -> None:
    """Register the environments of all games, such as `ludex/Trap-v1`, once."""
    for name in (ANY, *GAMES):
        entry = f"ludex/{name.capitalize()}-v1"
        if entry not in gymnasium.registry:
            gymnasium.register(
                id=entry,
                entry_point="ludex.adapters.gym:SoloEnv",
                vector_entry_point="ludex.adapters.vector:BatchEnv",
                kwargs={} if name == ANY else {"game": name},
            )


register()


def observation_space_of(rules: Rules) -> Any:
    """Return the observation space of a game."""
    low, high, kind = bounds(rules)
    return gymnasium.spaces.Box(low, high, view_shape(rules), kind)


def checked_seat(seats: int, seat: int | None) -> int | None:
    """Return a valid seat, or None to draw one for every match."""
    if seat is None:
        return None
    if not isinstance(seat, int | np.integer) or not 0 <= seat < seats:
        raise ValueError(f"no seat {seat!r} (there are 0 to {seats - 1}, or None to draw one)")
    return int(seat)


def checked_opponents(seats: int, opponent: str | Sequence[str]) -> list[str]:
    """Return an agent for each other seat, from one for all of them or one for each."""
    texts = [opponent] * (seats - 1) if isinstance(opponent, str) else opponent
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"opponent {opponent!r}: expected the text of an agent, or a list of them")
    if len(texts) != seats - 1:
        raise ValueError(f"expected {seats - 1} opponents, not {len(texts)}")
    return list(texts)


class SoloEnv(Env):
    """A game against agents of Ludex.

    `opponent` is an agent, or one for each other seat. `seat` is yours; None draws one for every
    match. `rules` are those that differ; a match is truncated after `plies`. `hints` adds the
    shaping rewards of the game, as Ludex's own learners get them.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": common.RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        game: str,
        opponent: str | Sequence[str] = "random",
        seat: int | None = 0,
        rules: Mapping[str, Any] | None = None,
        plies: int = PLIES,
        hints: bool = False,
        render_mode: str | None = None,
    ) -> None:
        made = self.rules = common.rules_of(game, rules)
        self.plies, self.seats = plies, int(seats(made))
        self.match = common.new_match(made, plies)
        texts = checked_opponents(self.seats, opponent)
        self.opponents = [make_agent(text, made) for text in texts]
        self.fixed = checked_seat(self.seats, seat)
        self.render_mode = common.checked_mode(render_mode)
        self.observation_space = observation_space_of(made)
        self.action_space = gymnasium.spaces.Discrete(actions(made))
        self.referee: Referee | None = None
        self.hints = hints
        self.seat = self.fixed or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a match, and return the first observation at which you are to move."""
        super().reset(seed=seed)
        self.close()
        luck = int(self.np_random.integers(2**62))
        self.seat = luck % self.seats if self.fixed is None else self.fixed
        agents: list[Any] = list(self.opponents)
        agents.insert(self.seat, None)
        self.match = common.new_match(self.rules, self.plies, luck)
        self.referee = Referee(self.match, agents, UNLIMITED)
        self.paid = False  # whether a step has returned the end
        self.referee.begin()
        self.go_on(None)
        return self.observation(), self.info()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Take an action, and return your next observation; after the end, warn and reward 0."""
        if self.referee is None:
            raise gymnasium.error.ResetNeeded("reset() comes before step()")
        match = self.match
        hinted = len(match.plies) - 1
        if not match.over:
            self.go_on(common.whole_action(action))
        if self.render_mode == "human":
            self.render()
        reward = match.returns[self.seat]
        if self.hints:
            reward += common.hint_rewards(match, hinted, self.seat)
        if self.paid:
            gymnasium.logger.warn("the match is over: reset() comes before the next step()")
            reward = 0.0
        self.paid = match.over
        terminated = match.over and not match.truncated
        return self.observation(), reward, terminated, match.truncated, self.info()

    def go_on(self, action: int | None) -> None:
        """Play up to your next decision; at the first one take this action, if given."""
        match, referee = self.match, self.referee
        assert referee is not None
        while not match.over:
            if self.seat in match.choosers and action is None:
                return
            chosen: dict[int, int] = {}
            for seat in match.choosers:
                if seat == self.seat:
                    assert action is not None
                    chosen[seat], action = action, None
                else:
                    try:
                        chosen[seat] = referee.action(seat)
                    except Offence as offence:
                        referee.punish(offence)
                        match.words = f"seat {seat}: {offence.words}"
                        return
            common.choose(match, chosen, referee.push)

    def action_masks(self) -> np.ndarray:
        """Return whether each action is legal; after the end all are."""
        if self.seat not in self.match.choosers:
            return np.ones(actions(self.rules), bool)
        return mask_of(self.rules, self.match.state, self.seat).astype(bool)

    def observation(self) -> np.ndarray:
        """Return your observation."""
        return observation_of(self.rules, self.match.state, self.seat)

    def info(self) -> dict[str, Any]:
        """Return the info: the action mask, your seat, and why a match was forfeited."""
        mask, illegal = self.action_masks().astype(np.int8), self.seat in self.match.offenders
        info = {"action_mask": mask, "seat": self.seat, "illegal": illegal}
        return info | ({"words": self.match.words} if self.match.words else {})

    def render(self) -> str | np.ndarray | None:
        """Return the board, as you see it, as text, as SVG or as pixels, or print it."""
        return common.render_match(self.match, self.render_mode, self.seat)

    def close(self) -> None:
        """End the match and the processes of the other agents."""
        if self.referee is not None:
            self.referee.close()
            self.referee = None
