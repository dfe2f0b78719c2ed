"""Play one match between agents. How it ends is data, not an exception."""

import math
from typing import Any, NamedTuple

import numpy as np

from ludex.agents.registry import Agent
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    actions,
    apply,
    legal,
    pair,
    returns,
    seats,
    turn,
)
from ludex.core.sampling import draw_outcome
from ludex.core.termination import BY_RULES, ILLEGAL, OUT_OF_TIME, TRUNCATED, Offence, shown
from ludex.core.time_control import WALL, Clocks
from ludex.kernel.jit import thinking_time
from ludex.match.agent_errors import blamed, noticing

NOBODY = -1
UNLIMITED = Clocks()


class Match(NamedTuple):
    """A match that was played: what it was worth to each seat, how it ended, what it took."""

    returns: tuple[float, ...]
    ending: str
    seat: int
    """Who ended it against the rules, or -1."""
    words: str
    moves: tuple[int, ...]
    seconds: tuple[float, ...]
    """How long each seat has thought, also about an answer that lost it the match."""
    decisions: tuple[int, ...]
    times: tuple[tuple[float, ...], ...] = ()
    """For each move, how many seconds those who chose it have thought; none by chance."""
    output: tuple[str, ...] = ()
    """What somebody's program at each seat has printed, or nothing if none has."""


class Sitting:
    """Agents at a table, with their thinking time.

    Luck is theirs alone. It comes from a seed and the number of the table.
    """

    def __init__(
        self, rules: Rules, agents: list[Agent], seed: int, table: int, clocks: Clocks
    ) -> None:
        self.rules, self.agents = rules, agents
        # Somebody's program is held to the usual clock of its game where nobody says another.
        self.clocks = [clocks.or_usual(getattr(agent, "usual", clocks)) for agent in agents]
        # The seed comes last, because it may take the room of several numbers.
        streams = [np.random.default_rng((own, table, seed)) for own in range(1 + len(agents))]
        self.chance, self.luck = streams[0], streams[1:]
        self.seconds, self.waited = [0.0] * len(agents), [0.0] * len(agents)
        self.decisions = [0] * len(agents)
        self.asked = NOBODY  # who is thinking, or has lost by thinking
        self.mover = NOBODY  # whose turn goes on, if that seat is asked next
        self.in_turn = self.waited_in_turn = 0.0

    def begin(self) -> None:
        """Let the agents sit down that want to know it; what that takes is no thinking."""
        for seat, agent in enumerate(self.agents):
            self.asked = seat
            if hasattr(agent, "begin_match"):
                with blamed():
                    agent.begin_match(self.rules, seat, self.luck[seat], self.clocks[seat])

    def move(self, state: State) -> tuple[int, tuple[float, ...]]:
        """Return the next move, and how long those who chose it have thought.

        Where both choose at once, neither sees the other's choice.
        """
        mover = turn(self.rules, state)
        if mover == CHANCE:
            self.mover = NOBODY
            return int(draw_outcome(self.rules, state, self.chance)), ()
        if mover == BOTH:
            (first, one), (second, two) = self.action(state, 0), self.action(state, 1)
            self.mover = NOBODY
            return int(pair(first, second)), (one, two)
        action, took = self.action(state, mover)
        return action, (took,)

    def action(self, state: State, seat: int) -> tuple[int, float]:
        """Return what an agent chooses and how long it has thought, or raise its offence."""
        agent = self.agents[seat]
        self.asked = seat
        if seat != self.mover:
            self.mover, self.in_turn, self.waited_in_turn = seat, 0.0, 0.0
        left, clock = self.left(seat, 1, self.in_turn, self.seconds[seat])
        wall, last = self.left(seat, WALL, self.waited_in_turn, self.waited[seat])
        action: Any = None
        began = thinking_time()
        try:
            with blamed():
                given = (self.rules, state, seat, self.luck[seat])
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
            took = getattr(agent, "thought", waited)
            self.seconds[seat] += took
            self.in_turn += took
            self.waited[seat] += waited
            self.waited_in_turn += waited
            self.decisions[seat] += 1
        if took > left:
            raise self.late(seat, clock)
        if not (
            isinstance(action, int | np.integer)
            and 0 <= action < actions(self.rules)
            and legal(self.rules, state, seat, int(action))
        ):
            raise Offence(ILLEGAL, f"action {shown(action)} is not legal")
        return int(action), took

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
        said = f"no answer after {WALL * limit:g} s, {WALL} times its clock of {limit:g} s"
        return Offence(OUT_OF_TIME, said)

    def close(self, state: State, ending: str, worth: tuple[float, ...]) -> str:
        """Let the agents leave that want to know it, and return what went wrong with that."""
        last = (("end_match", (self.rules, state, ending, worth)), ("close", ()))
        faults = []
        for seat, agent in enumerate(self.agents):
            for name, given in last:
                try:
                    with blamed():
                        if hasattr(agent, name):
                            getattr(agent, name)(*given)
                except Offence as offence:
                    faults.append(f"seat {seat} after the end: {offence.words}")
        return "; ".join(faults)


def play_match(
    rules: Rules,
    state: State,
    agents: list[Agent],
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
    sitting = Sitting(rules, agents, seed, table, clocks)
    moves: list[int] = []
    times: list[tuple[float, ...]] = []
    ending, offender, words = TRUNCATED, NOBODY, ""
    worth = (0.0,) * seats(rules)
    with noticing():
        try:
            sitting.begin()
            while turn(rules, state) != OVER and len(moves) < clocks.plies:
                move, took = sitting.move(state)
                moves.append(move)
                times.append(took)
                state = apply(rules, state, move)
            if turn(rules, state) == OVER:
                worth = tuple(float(returns(rules, state, seat)) for seat in range(len(worth)))
                ending = BY_RULES
        except Offence as offence:
            ending, offender, words = offence.ending, sitting.asked, offence.words
            share = 1.0 / (len(worth) - 1)
            worth = tuple(-1.0 if seat == offender else share for seat in range(len(worth)))
        finally:
            faults = sitting.close(state, ending, worth)
    output = tuple(str(getattr(agent, "log", "")) for agent in agents)
    return Match(
        worth,
        ending,
        offender,
        words or faults,
        tuple(moves),
        tuple(sitting.seconds),
        tuple(sitting.decisions),
        tuple(times),
        output if any(output) else (),
    )
