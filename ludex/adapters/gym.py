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
    Table,
    checked_mode,
    rules_of,
    whole_action,
)
from ludex.adapters.view import bounds, mask_of, seen
from ludex.agents.registry import make_agent
from ludex.core.rules import Rules, actions, view_shape
from ludex.core.termination import BY_RULES, ILLEGAL, TRUNCATED, Offence
from ludex.core.time_control import PLIES
from ludex.match.runner import UNLIMITED, Sitting

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
        self.table = Table(rules_of(game, rules), plies)
        made = self.table.rules
        texts = checked_opponents(self.table.seats, opponent)
        self.opponents = [make_agent(text, made) for text in texts]
        self.fixed = checked_seat(self.table.seats, seat)
        self.render_mode = checked_mode(render_mode)
        self.observation_space = seen_space(made)
        self.action_space = gymnasium.spaces.Discrete(actions(made))
        self.sitting: Sitting | None = None
        self.hints = hints
        self.seat = self.fixed or 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Start a match, and return what you see when it is your turn first."""
        super().reset(seed=seed)
        self.leave()
        luck = int(self.np_random.integers(2**62))
        self.seat = luck % self.table.seats if self.fixed is None else self.fixed
        agents: list[Any] = list(self.opponents)
        agents.insert(self.seat, None)
        self.sitting = Sitting(self.table.rules, agents, luck, 0, UNLIMITED)
        self.words = ""
        self.paid = False  # whether a step has told of the end
        self.table.begin(self.sitting.chance)
        self.sitting.begin()
        self.go_on(None)
        return self.seen(), self.told()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Choose, and return what you see when it is your turn again.

        A match that has ended pays once: a step after that warns and is worth nothing.
        """
        if self.sitting is None:
            raise gymnasium.error.ResetNeeded("reset() comes before step()")
        table = self.table
        hinted = len(table.line)
        if not (table.over or table.truncated):
            self.go_on(whole_action(action))
        if self.render_mode == "human":
            self.render()
        reward = table.worth[self.seat]
        if self.hints:
            reward += table.hint(hinted, self.seat)
        if self.paid:
            gymnasium.logger.warn("the match is over: reset() comes before the next step()")
            reward = 0.0
        self.paid = table.over or table.truncated
        return self.seen(), reward, table.over, table.truncated, self.told()

    def go_on(self, action: int | None) -> None:
        """Let the others choose until you are to, and then take this action if there is one."""
        table, sitting = self.table, self.sitting
        assert sitting is not None
        while table.waiting_for:
            waiting = table.waiting_for
            if self.seat in waiting and action is None:
                return
            chosen: dict[int, int] = {}
            for seat in waiting:
                if seat == self.seat:
                    assert action is not None
                    chosen[seat], action = action, None
                else:
                    try:
                        chosen[seat] = sitting.action(table.state, seat)[0]
                    except Offence as offence:
                        self.words = f"seat {seat}: {offence.words}"
                        table.forfeit([seat])
                        return
            table.choose(chosen)

    def action_masks(self) -> np.ndarray:
        """Return for each action whether it is legal; all are once the match is over."""
        table = self.table
        if self.seat not in table.waiting_for:
            return np.ones(actions(table.rules), bool)
        return mask_of(table.rules, table.state, self.seat).astype(bool)

    def seen(self) -> np.ndarray:
        """Return what you see."""
        return seen(self.table.rules, self.table.state, self.seat)

    def told(self) -> dict[str, Any]:
        """Return what else is to be known: what is legal, and how a match ended that broke off."""
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8)}
        info["seat"] = self.seat
        info["illegal"] = self.seat in self.table.illegal
        if self.table.illegal or self.words:
            info["words"] = self.words or "an illegal action"
        return info

    def render(self) -> str | np.ndarray | None:
        """Return the board as text, as SVG or as pixels, or print it for people."""
        return self.table.drawn(self.render_mode)

    def leave(self) -> None:
        """Let the other agents leave the table."""
        if self.sitting is not None:
            ending = BY_RULES if self.table.over else TRUNCATED
            if self.table.illegal:
                ending = ILLEGAL
            self.sitting.close(self.table.state, ending, tuple(self.table.worth))
            self.sitting = None

    def close(self) -> None:
        """End the match and whatever the other agents have started."""
        self.leave()
