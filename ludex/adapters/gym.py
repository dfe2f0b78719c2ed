"""Gymnasium environments: you control one seat, agents of Ludex the others.

An observation is an array of planes from your perspective; the legal actions are in the info as
`action_mask`, and `action_masks()` returns them too. An illegal action loses the match.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from ludex.adapters import needed
from ludex.adapters.ids import register
from ludex.adapters.match import (
    RENDER_MODES,
    checked_mode,
    choose,
    drawn,
    hint,
    new_match,
    rules_of,
    whole_action,
)
from ludex.adapters.view import bounds, mask_of, seen
from ludex.agents.registry import make_agent
from ludex.core.rules import Rules, actions, seats, view_shape
from ludex.core.termination import Offence
from ludex.core.time_control import PLIES
from ludex.match.runner import UNLIMITED, Referee

gymnasium = needed("gymnasium", "gym")
register()

Env: Any = gymnasium.Env


def seen_space(rules: Rules) -> Any:
    """Return the space of what a seat sees."""
    low, high, kind = bounds(rules)
    return gymnasium.spaces.Box(low, high, view_shape(rules), kind)


def checked_seat(seats: int, seat: int | None) -> int | None:
    """Return a seat of these rules, or None for one that is drawn for every match."""
    if seat is None:
        return None
    if not isinstance(seat, int | np.integer) or not 0 <= seat < seats:
        raise ValueError(f"no seat {seat!r} (there are 0 to {seats - 1}, or None to draw one)")
    return int(seat)


def checked_opponents(seats: int, opponent: str | Sequence[str]) -> list[str]:
    """Return the texts of the agents in the other seats: one for all of them, or one for each."""
    texts = [opponent] * (seats - 1) if isinstance(opponent, str) else opponent
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError(f"opponent {opponent!r}: expected the text of an agent, or a list of them")
    if len(texts) != seats - 1:
        raise ValueError(f"expected {seats - 1} opponents, not {len(texts)}")
    return list(texts)


class SoloEnv(Env):
    """A game against agents of Ludex.

    `opponent` is the text of an agent, or one for each other seat. `seat` is yours; if it is None
    it is drawn for every match. `rules` are those that differ, and after `plies` it is cut off.
    With `hints` the reward also has what the game says of each step, as our learners get it.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 1}

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
        made = self.rules = rules_of(game, rules)
        self.plies, self.seats = plies, int(seats(made))
        self.match = new_match(made, plies)
        texts = checked_opponents(self.seats, opponent)
        self.opponents = [make_agent(text, made) for text in texts]
        self.fixed = checked_seat(self.seats, seat)
        self.render_mode = checked_mode(render_mode)
        self.observation_space = seen_space(made)
        self.action_space = gymnasium.spaces.Discrete(actions(made))
        self.referee: Referee | None = None
        self.hints = hints
        self.seat = self.fixed or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a match, and return what you see when it is your turn first."""
        super().reset(seed=seed)
        self.leave()
        luck = int(self.np_random.integers(2**62))
        self.seat = luck % self.seats if self.fixed is None else self.fixed
        agents: list[Any] = list(self.opponents)
        agents.insert(self.seat, None)
        self.match = new_match(self.rules, self.plies, luck)
        self.referee = Referee(self.match, agents, UNLIMITED)
        self.paid = False  # whether a step has told of the end
        self.referee.begin()
        self.go_on(None)
        return self.seen(), self.told()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Choose, and return what you see when it is your turn again.

        A match that has ended pays once: a step after that warns and is worth nothing.
        """
        if self.referee is None:
            raise gymnasium.error.ResetNeeded("reset() comes before step()")
        match = self.match
        hinted = len(match.plies) - 1
        if not match.over:
            self.go_on(whole_action(action))
        if self.render_mode == "human":
            self.render()
        reward = match.returns[self.seat]
        if self.hints:
            reward += hint(match, hinted, self.seat)
        if self.paid:
            gymnasium.logger.warn("the match is over: reset() comes before the next step()")
            reward = 0.0
        self.paid = match.over
        terminated = match.over and not match.truncated
        return self.seen(), reward, terminated, match.truncated, self.told()

    def go_on(self, action: int | None) -> None:
        """Let the others choose until you are to, and then take this action if there is one."""
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
            choose(match, chosen, referee.push)

    def action_masks(self) -> np.ndarray:
        """Return for each action whether it is legal; all are once the match is over."""
        if self.seat not in self.match.choosers:
            return np.ones(actions(self.rules), bool)
        return mask_of(self.rules, self.match.state, self.seat).astype(bool)

    def seen(self) -> np.ndarray:
        """Return what you see."""
        return seen(self.rules, self.match.state, self.seat)

    def told(self) -> dict[str, Any]:
        """Return what else is to be known: what is legal, and how a match ended that broke off."""
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8)}
        info["seat"] = self.seat
        info["illegal"] = self.seat in self.match.offenders
        if self.match.words:
            info["words"] = self.match.words
        return info

    def render(self) -> str | np.ndarray | None:
        """Return the board as text, as SVG or as pixels, or print it for people."""
        return drawn(self.match, self.render_mode)

    def leave(self) -> None:
        """Let the other agents leave."""
        if self.referee is not None:
            self.referee.close()
            self.referee = None

    def close(self) -> None:
        """End the match and whatever the other agents have started."""
        self.leave()
