"""Play one match between agents. How it ends is data, not an exception."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludex.agents.registry import Agent
from ludex.core.information import seen_by
from ludex.core.rules import (
    BOTH,
    CHANCE,
    Rules,
    State,
    actions,
    imperfect_information,
    information_state,
    legal,
    pair,
)
from ludex.core.termination import ILLEGAL, OUT_OF_TIME, TRUNCATED, Offence, repr_of
from ludex.core.time_control import WALL_FACTOR, Clocks
from ludex.kernel.jit import thinking_time
from ludex.match.agent_errors import detect_ctrl_c, errors_as_offences
from ludex.match.session import Match
from ludex.match.view import NOBODY

UNLIMITED = Clocks()
WHOLE = (int, np.integer)
AFTER_END = "after the end"  # in the words about an agent that fails then


class Referee:
    """Asks agents for their moves, within their time control, and forfeits for offences.

    The caller chooses for seats whose agent is None.
    """

    def __init__(self, match: Match, agents: Sequence[Agent | None], clocks: Clocks) -> None:
        self.match, self.agents = match, agents
        self.clocks = [clocks_of(agent, clocks) for agent in agents]
        self.hides = imperfect_information(match.rules)
        self.waited = [0.0] * len(agents)
        self.asked = NOBODY  # the seat that is thinking, or has lost by an offence
        self.thought: dict[int, float] = {}  # seconds of each seat for the next move
        self.going = (NOBODY, 0)  # the turn continues if this seat is asked at this ply
        self.in_turn = self.waited_in_turn = 0.0

    def play(self) -> None:
        """Play the match to its end; an agent that fails forfeits it."""
        faults = ""
        with detect_ctrl_c():
            try:
                self.begin()
                while not self.match.ending:
                    self.move()
            except Offence as offence:
                self.punish(offence)
            finally:
                faults = self.close()
        self.match.words = self.match.words or faults

    def begin(self) -> None:
        """Notify the agents that a match begins; this is not thinking time."""
        for seat in range(len(self.agents)):
            self.seat(seat)

    def seat(self, seat: int) -> None:
        """Notify the agent of a seat that a match begins, or raise its offence."""
        agent: Any = self.agents[seat]
        self.asked = seat
        if hasattr(agent, "begin_match"):
            with errors_as_offences:
                luck = self.match.luck.of(seat)
                agent.begin_match(self.match.rules, seat, luck, self.clocks[seat])

    def move(self) -> None:
        """Make the next move. Where both choose at once, neither sees the other's choice."""
        mover = self.match.turn
        if mover == CHANCE:
            self.match.push_chance()
        elif mover == BOTH:
            self.push(int(pair(self.action(0), self.action(1))))
        else:
            self.push(self.action(mover))

    def push(self, move: int) -> None:
        """Make a move, with the thinking time of those who chose it."""
        match, took = self.match, self.thought.get
        mover = match.turn
        match.apply(move, (took(0, 0.0), took(1, 0.0)) if mover == BOTH else (took(mover, 0.0),))
        self.going = (mover, len(match.plies))
        self.thought.clear()

    def action(self, seat: int) -> int:
        """Return the action that an agent chooses, or raise its offence."""
        agent: Any = self.agents[seat]
        match, rules, state = self.match, self.match.rules, self.match.state
        self.asked = seat
        if (seat, len(match.plies)) != self.going:
            self.in_turn = self.waited_in_turn = 0.0
        left, clock, wall, last = math.inf, "", math.inf, ""
        if self.clocks[seat].limited:
            left, clock = self.time_left(seat, 1, self.in_turn, match.seconds[seat])
            wall, last = self.time_left(seat, WALL_FACTOR, self.waited_in_turn, self.waited[seat])
        action: Any = None
        began = thinking_time()
        try:
            with errors_as_offences:
                seen = information_state(rules, state, seat) if self.hides else state
                place = (rules, seen, seat, match.luck.of(seat))
                if hasattr(agent, "consider_within"):
                    action = agent.consider_within(*place, left, wall).action
                else:
                    action = agent.consider(*place).action
        except Offence as offence:
            if offence.ending != OUT_OF_TIME or left == math.inf:
                raise
            # An agent that measures its own time has thought too long, or never answered.
            thought = getattr(agent, "thought", math.inf) > left
            raise self.overtime(seat, clock) if thought else self.no_answer(seat, last) from None
        finally:
            waited = thinking_time() - began
            # An agent in a process of its own measures its thinking time itself.
            took = self.thought[seat] = getattr(agent, "thought", waited)
            self.in_turn += took
            self.waited[seat] += waited
            self.waited_in_turn += waited
        if took > left:
            raise self.overtime(seat, clock)
        if not (
            isinstance(action, WHOLE)
            and 0 <= action < actions(rules)
            and legal(rules, state, seat, int(action))
        ):
            raise Offence(ILLEGAL, f"action {repr_of(action)} is not legal")
        return int(action)

    def punish(self, offence: Offence) -> None:
        """Forfeit the match for the agent asked last; its thinking time counts."""
        for seat, seconds in self.thought.items():
            self.match.seconds[seat] += seconds
            self.match.decisions[seat] += 1
        self.match.forfeit(offence.ending, (self.asked,), offence.words)

    def time_left(self, seat: int, times: int, turn: float, match: float) -> tuple[float, str]:
        """Return the seconds a seat has left, and the clock that runs out first.

        `times` multiplies the clocks; `turn` and `match` are the seconds spent.
        """
        clocks = self.clocks[seat]
        return min(
            (times * clocks.decision, "decision"),
            (times * clocks.turn - turn, "turn"),
            (times * clocks.match - match, "match"),
        )

    def overtime(self, seat: int, clock: str) -> Offence:
        """Return the offence of thinking too long."""
        limit: float = getattr(self.clocks[seat], clock)
        return Offence(OUT_OF_TIME, f"the {clock} clock of {limit:g} s ran out")

    def no_answer(self, seat: int, clock: str) -> Offence:
        """Return the offence of not answering, without using thinking time."""
        limit: float = getattr(self.clocks[seat], clock)
        words = f"no answer after {WALL_FACTOR * limit:g} s, {WALL_FACTOR} times its clock of"
        return Offence(OUT_OF_TIME, f"{words} {limit:g} s")

    def close(self) -> str:
        """Notify the agents that the match is over, and return the errors they raise."""
        match, faults = self.match, []
        leaving = [
            (seat, name)
            for seat, agent in enumerate(self.agents)
            for name in ("end_match", "close")
            if hasattr(agent, name)
        ]
        for seat, name in leaving:
            state = match.state if match.over else seen_by(match.rules, match.state, seat)
            end = match.rules, state, match.ending or TRUNCATED
            try:
                with errors_as_offences:  # computing the returns may fail
                    given = () if name == "close" else (*end, match.returns)
                    getattr(self.agents[seat], name)(*given)
            except Offence as offence:
                faults.append(f"seat {seat} {AFTER_END}: {offence.words}")
        output = tuple(str(getattr(agent, "log", "")) for agent in self.agents)
        match.output = output if any(output) else ()
        return "; ".join(faults)


def clocks_of(agent: Agent | None, clocks: Clocks) -> Clocks:
    """Return the clocks of an agent: those given, or the defaults of an external program."""
    default = getattr(agent, "default_clocks", None)
    if default is None:
        return Clocks(plies=clocks.plies) if clocks.programs else clocks
    return clocks.or_default(default)


def play_match(
    rules: Rules,
    state: State,
    agents: Sequence[Agent],
    seed: int,
    table: int = 0,
    clocks: Clocks = UNLIMITED,
) -> Match:
    """Play a match from a state and return it; after too many plies it is a draw.

    Each table of a seed has its own random numbers. Agents are given the state as they see it, its
    information state. Besides `consider`, an agent may have
    `begin_match(rules, seat, rng, clocks)`; `consider_within(rules, state, seat, rng, seconds,
    wall)`, called instead, which raises an `Offence` when its own thinking time, in `thought`,
    exceeds `seconds`, or the wall time exceeds `wall`; `end_match(rules, state, ending, returns)`;
    `close()`, always called; and `default_clocks`, which apply where no others are given. Any other
    agent is timed, and loses if it answers too late.
    """
    match = Match(rules, state, seed, table, "manual", clocks.plies, undo=False)
    Referee(match, agents, clocks).play()
    return match
