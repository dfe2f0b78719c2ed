"""Play one match between agents. How it ends is data, not an exception."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ludex.agents.registry import Agent
from ludex.core.rules import BOTH, CHANCE, Rules, State, actions, legal, pair
from ludex.core.termination import ILLEGAL, OUT_OF_TIME, TRUNCATED, Offence, repr_of
from ludex.core.time_control import WALL_FACTOR, Clocks
from ludex.kernel.jit import thinking_time
from ludex.match.agent_errors import blamed, noticing
from ludex.match.session import Match
from ludex.match.view import NOBODY

UNLIMITED = Clocks()
WHOLE = (int, np.integer)


class Referee:
    """Asks the agents of a match for their moves, within their clocks, and punishes offences.

    The caller chooses for seats whose agent is None.
    """

    def __init__(self, match: Match, agents: Sequence[Agent | None], clocks: Clocks) -> None:
        self.match, self.agents = match, agents
        # Somebody's program is held to the usual clock of its game where nobody says another.
        self.clocks = [clocks.or_usual(getattr(agent, "usual", clocks)) for agent in agents]
        self.waited = [0.0] * len(agents)
        self.asked = NOBODY  # who is thinking, or has lost by thinking
        self.thought: dict[int, float] = {}  # seconds of each seat about the move to come
        self.going = (NOBODY, 0)  # whose turn goes on, if that seat is asked next, at which ply
        self.in_turn = self.waited_in_turn = 0.0

    def play(self) -> None:
        """Play the match to its end; an agent that fails forfeits it."""
        faults = ""
        with noticing():
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
        """Tell the agents that a match begins; this does not count as thinking."""
        for seat in range(len(self.agents)):
            self.seat(seat)

    def seat(self, seat: int) -> None:
        """Tell the agent of a seat that a match begins, or raise its offence."""
        agent: Any = self.agents[seat]
        self.asked = seat
        if hasattr(agent, "begin_match"):
            with blamed:
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
        """Make a move, with the thinking time of the agents that were asked for it."""
        match, took = self.match, self.thought.get
        mover = match.turn
        match.apply(move, (took(0, 0.0), took(1, 0.0)) if mover == BOTH else (took(mover, 0.0),))
        self.going = (mover, len(match.plies))
        self.thought.clear()

    def action(self, seat: int) -> int:
        """Return what an agent chooses, or raise its offence."""
        agent: Any = self.agents[seat]
        match, rules, state = self.match, self.match.rules, self.match.state
        self.asked = seat
        if (seat, len(match.plies)) != self.going:
            self.in_turn = self.waited_in_turn = 0.0
        left, clock, wall, last = math.inf, "", math.inf, ""
        if self.clocks[seat].limited:
            left, clock = self.left(seat, 1, self.in_turn, match.seconds[seat])
            wall, last = self.left(seat, WALL_FACTOR, self.waited_in_turn, self.waited[seat])
        action: Any = None
        began = thinking_time()
        try:
            with blamed:
                given = (rules, state, seat, match.luck.of(seat))
                if hasattr(agent, "consider_within"):
                    action = agent.consider_within(*given, left, wall).action
                else:
                    action = agent.consider(*given).action
        except Offence as offence:
            if offence.ending != OUT_OF_TIME or left == math.inf:
                raise
            # One that has its own time has thought too long, or has only waited.
            thought = getattr(agent, "thought", math.inf) > left
            raise self.late(seat, clock) if thought else self.silent(seat, last) from None
        finally:
            waited = thinking_time() - began
            # One that thinks in a process of its own knows best how long it thought.
            took = self.thought[seat] = getattr(agent, "thought", waited)
            self.in_turn += took
            self.waited[seat] += waited
            self.waited_in_turn += waited
        if took > left:
            raise self.late(seat, clock)
        if not (
            isinstance(action, WHOLE)
            and 0 <= action < actions(rules)
            and legal(rules, state, seat, int(action))
        ):
            raise Offence(ILLEGAL, f"action {repr_of(action)} is not legal")
        return int(action)

    def punish(self, offence: Offence) -> None:
        """End the match as a loss for the agent asked last; its thinking time counts."""
        for seat, seconds in self.thought.items():
            self.match.seconds[seat] += seconds
            self.match.decisions[seat] += 1
        self.match.forfeit(offence.ending, (self.asked,), offence.words)

    def left(self, seat: int, times: int, in_turn: float, in_match: float) -> tuple[float, str]:
        """Return how long a seat may go on here, and which clock says so.

        The clocks are taken so many times; what was spent in the turn and the match is given.
        """
        clocks = self.clocks[seat]
        return min(
            (times * clocks.decision, "decision"),
            (times * clocks.turn - in_turn, "turn"),
            (times * clocks.match - in_match, "match"),
        )

    def late(self, seat: int, clock: str) -> Offence:
        """Return the offence of thinking too long."""
        limit: float = getattr(self.clocks[seat], clock)
        return Offence(OUT_OF_TIME, f"the {clock} clock of {limit:g} s ran out")

    def silent(self, seat: int, clock: str) -> Offence:
        """Return the offence of letting others wait too long, without thinking."""
        limit: float = getattr(self.clocks[seat], clock)
        clock_said = f"{WALL_FACTOR} times its clock of {limit:g} s"
        return Offence(OUT_OF_TIME, f"no answer after {WALL_FACTOR * limit:g} s, {clock_said}")

    def close(self) -> str:
        """Tell the agents that the match is over, and return the errors they raise."""
        match, faults = self.match, []
        leaving = [
            (seat, name)
            for seat, agent in enumerate(self.agents)
            for name in ("end_match", "close")
            if hasattr(agent, name)
        ]
        end = match.rules, match.state, match.ending or TRUNCATED
        for seat, name in leaving:
            given = () if name == "close" else (*end, match.returns)
            try:
                with blamed:
                    getattr(self.agents[seat], name)(*given)
            except Offence as offence:
                faults.append(f"seat {seat} after the end: {offence.words}")
        output = tuple(str(getattr(agent, "log", "")) for agent in self.agents)
        match.output = output if any(output) else ()
        return "; ".join(faults)


def play_match(
    rules: Rules,
    state: State,
    agents: Sequence[Agent],
    seed: int,
    table: int = 0,
    clocks: Clocks = UNLIMITED,
) -> Match:
    """Return the match that these agents play from a state, a draw if it is too long.

    Tables of one seed have luck of their own. An agent may have more methods than `consider`:
    `begin_match(rules, seat, rng, clocks)` before the first move; `consider_within(rules, state,
    seat, rng, seconds, wall)`, which is asked instead and raises an `Offence` when the seconds that
    it counts itself, in `thought`, or those of the wall are over; `end_match(rules, state, ending,
    returns)`; and `close()`, which is called however it ends. One that does not stop itself is
    measured, and loses when it has answered too late. An agent that has `usual` clocks is held to
    them where no others are given.
    """
    match = Match(rules, state, seed, table, "manual", clocks.plies, undo=False)
    Referee(match, agents, clocks).play()
    return match
