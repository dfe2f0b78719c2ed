"""A match on the server, between people and agents: seats, moves, and access.

Chance depends on the seed and the ply alone, so that taking back a move does not change it.
"""

import asyncio
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.agents.registry import HUMAN
from ludex.core.choice import Choice, drawn
from ludex.core.play import choices, choosers, lawful
from ludex.core.rules import (
    BOTH,
    CHANCE,
    NO_MOVE,
    OVER,
    Rules,
    State,
    apply,
    chance,
    events,
    label,
    pair,
    part,
    returns,
    seat_name,
    seats,
    turn,
)
from ludex.core.termination import BY_RULES, CRASHED, OUT_OF_TIME, RESIGNED, TRUNCATED
from ludex.store import now
from ludex.web.state import limits
from ludex.web.state.access import Refused, new_key
from ludex.web.state.catalogue import Game, texts_of
from ludex.web.state.tasks import Asked, timed, without_paths
from ludex.web.state.workers import Workers


class Ply(NamedTuple):
    """A state, the move that led to it, and how long those who chose it have thought."""

    state: State
    move: int = NO_MOVE
    seconds: tuple[float, ...] = ()


class Table:
    """A match between people, who hold keys to their seats, and agents."""

    def __init__(
        self,
        game: Game,
        rules: Rules,
        state: State,
        agents: list[str],
        yours: set[int],
        workers: Workers,
        seed: int | None = None,
        limit: float | None = None,
        stamps: dict[int, float] | None = None,
    ) -> None:
        """Seat the agents; those seats of people that are not `yours` wait for guests."""
        if len(agents) != seats(rules):
            raise ValueError(f"{len(agents)} agents for {seats(rules)} seats")
        self.id = secrets.token_urlsafe(9)
        self.game, self.rules, self.agents, self.limit = game, rules, agents, limit
        self.workers = workers
        self.stamps = stamps or {}
        self.seed = secrets.randbelow(2**32) if seed is None else seed
        self.plies = [Ply(state)]
        self.ending, self.loser, self.words = "", -1, ""
        self.owner = new_key()
        people = {seat for seat, text in enumerate(agents) if text == HUMAN}
        self.keys = {self.owner: people & yours}
        self.guests = {seat: new_key() for seat in sorted(people - yours)}
        self.keys |= {key: {seat} for seat, key in self.guests.items()}
        self.wanted: dict[int, asyncio.Future[int]] = {}
        self.deadline: float | None = None
        self.epoch = 0  # how often moves were taken back
        self.listeners: list[Callable[[], None]] = []
        self.wishes = list(agents)  # as they were asked for, before any file was found
        self.successor: Table | None = None  # the match that is played after this one
        self.keeper: Callable[[Table], None] | None = None
        """Told of every end; there are several where moves are taken back after one."""
        self.ends, self.ended = 0, ""  # how often, and in which second the last time
        self.kept, self.unkept = "", ""  # its place in the store, such as 12/3, or why it has none
        self.touched = time.monotonic()
        self.task: asyncio.Task[None] | None = None

    # What there is to see. --------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state now."""
        return self.plies[-1].state

    @property
    def over(self) -> bool:
        """Whether the match has ended, by the rules or otherwise."""
        return bool(self.ending)

    @property
    def broken_off(self) -> bool:
        """Whether the match has ended otherwise than by the rules."""
        return self.over and self.ending != BY_RULES

    def seats_of(self, key: str) -> set[int]:
        """Return the seats that a key opens; somebody without one may only watch."""
        return self.keys.get(key, set())

    def asks(self, key: str) -> list[int]:
        """Return the seats of a key that are to choose and have not done so."""
        mine = self.seats_of(key)
        return [seat for seat, hope in self.wanted.items() if seat in mine and not hope.done()]

    def name(self, seat: int) -> str:
        """Return who sits on a seat, in words."""
        return f"{seat_name(self.rules, seat)} ({self.agents[seat]})"

    def told(self, number: int) -> list[tuple[int, str]]:
        """Return who did what in a ply: seats with labels, CHANCE for luck."""
        before, move = self.plies[number - 1].state, self.plies[number].move
        mover = turn(self.rules, before)
        if mover == BOTH:
            return [(seat, label(self.rules, before, part(move, seat))) for seat in (0, 1)]
        return [(mover, label(self.rules, before, move))]

    def events(self, number: int) -> list[str]:
        """Return what a ply brought about."""
        return events(self.rules, self.plies[number - 1].state, self.plies[number].move)

    def played(self, at: int) -> dict[int, int]:
        """Return what each seat chose at a ply."""
        if at + 1 >= len(self.plies):
            return {}
        state, move = self.plies[at].state, self.plies[at + 1].move
        both = turn(self.rules, state) == BOTH
        return {seat: part(move, seat) if both else move for seat in choosers(self.rules, state)}

    def worth(self) -> list[float]:
        """Return what the match is worth to each seat; nothing before its end."""
        count = seats(self.rules)
        if self.loser >= 0:
            return [-1.0 if seat == self.loser else 1.0 / (count - 1) for seat in range(count)]
        if turn(self.rules, self.state) != OVER:
            return [0.0] * count
        return [float(returns(self.rules, self.state, seat)) for seat in range(count)]

    def result(self) -> str:
        """Return how the match has ended in one line."""
        worth = self.worth()
        if max(worth) == min(worth):
            said = "A draw"
        else:
            said = f"{seat_name(self.rules, worth.index(max(worth)))} wins"
        return f"{said}: {self.words}" if self.words else f"{said}."

    def result_for(self, key: str) -> str:
        """Return the same to whoever holds a key, who is told whether it is good news."""
        mine, worth = self.seats_of(key), self.worth()
        if len(mine) != 1 or max(worth) == min(worth):
            return self.result()
        (seat,) = mine
        return f"You {'won' if worth[seat] == max(worth) else 'lost'}. {self.result()}"

    def luck_of(self, number: int) -> str:
        """Return what a ply of luck is called, with whose it is where the state has a seat."""
        seat = getattr(self.plies[number - 1].state, "seat", -1)
        return f"chance for {seat_name(self.rules, seat)}" if seat >= 0 else "chance"

    def asked(self, number: int = -1) -> Asked:
        """Return a position of the match as workers take it."""
        numbers = tuple(int(one) for one in self.plies[number].state)
        return Asked(self.game.source, texts_of(self.rules), numbers)

    # What people do. --------------------------------------------------------------------------

    def choose(self, key: str, seat: int, action: int, ply: int) -> None:
        """Choose an action for a seat at a ply; Refused says why that cannot be."""
        self.touched = time.monotonic()
        if seat not in self.seats_of(key):
            raise Refused("this is not your seat")
        if self.over:
            raise Refused("the match is over")
        if ply != len(self.plies) - 1:
            raise Refused("the match has gone on since; here is how it stands")
        if seat not in self.asks(key):
            raise Refused("it is not your turn")
        if action not in choices(self.rules, self.state, seat):
            raise Refused("that is not a legal move here")
        self.wanted[seat].set_result(action)
        self.tell()

    def resign(self, key: str) -> None:
        """Give up the match for the first seat of a key."""
        mine = self.seats_of(key)
        if not mine:
            raise Refused("this is not your seat")
        if self.over or turn(self.rules, self.state) == OVER:
            raise Refused("the match is over")
        waiting = [seat for seat in choosers(self.rules, self.state) if seat in mine]
        self.stop()
        seat = (waiting or sorted(mine))[0]
        self.end(RESIGNED, seat, f"{seat_name(self.rules, seat)} resigned.")

    def take_back(self, key: str) -> None:
        """Go back to the last state before this one in which the owner of the key chose."""
        if key != self.owner or self.guests:
            raise Refused("only a match without guests can be taken back")
        if self.limit is not None:
            raise Refused("with a clock, moves stand")
        mine = self.seats_of(key)
        for number in range(len(self.plies) - 2, -1, -1):
            if mine & set(choosers(self.rules, self.plies[number].state)):
                self.stop()
                del self.plies[number + 1 :]
                self.ending, self.loser, self.words = "", -1, ""
                self.kept, self.unkept = "", ""
                self.epoch += 1
                self.start()
                self.tell()
                return
        raise Refused("there is nothing to take back")

    # Playing. ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Let the match go on, in a task of the running loop."""
        self.task = asyncio.get_running_loop().create_task(self.play())

    def stop(self) -> None:
        """Let it rest."""
        if self.task is not None:
            self.task.cancel()
            self.task = None
        self.wanted.clear()
        self.deadline = None

    async def play(self) -> None:
        """Play to the end."""
        try:
            while not self.over:
                if turn(self.rules, self.state) == OVER:
                    self.end(BY_RULES)
                elif len(self.plies) > limits.PLIES:
                    self.end(TRUNCATED, words=f"{limits.PLIES} moves are enough.")
                else:
                    await self.step()
        except Offence as offence:
            self.end(offence.ending, offence.seat, offence.words)
        except ValueError as error:
            self.end(CRASHED, words=without_paths(str(error)))

    async def step(self) -> None:
        """Make the next move."""
        state = self.state
        mover = turn(self.rules, state)
        if mover == CHANCE:
            odds = {one: float(chance(self.rules, state, one)) for one in lawful(self.rules, state)}
            self.push(drawn(odds, self.luck()), ())
            await asyncio.sleep(0)
            return
        acting = choosers(self.rules, state)
        loop = asyncio.get_running_loop()
        people = [seat for seat in acting if self.agents[seat] == HUMAN]
        self.wanted = {seat: loop.create_future() for seat in people}
        if people and self.limit is not None:
            self.deadline = time.time() + self.limit
        if people or self.deadline:
            self.tell()
        chosen = await asyncio.gather(*(self.choice(seat) for seat in acting))
        self.wanted, self.deadline = {}, None
        actions = [action for action, _ in chosen]
        move = int(pair(*actions)) if mover == BOTH else actions[0]
        self.push(move, tuple(spent for _, spent in chosen))

    async def choice(self, seat: int) -> tuple[int, float]:
        """Return what a seat chooses and how many seconds it has thought, or raise its offence."""
        if self.agents[seat] == HUMAN:
            began = time.perf_counter()
            try:
                action = await asyncio.wait_for(self.wanted[seat], self.limit)
                return action, time.perf_counter() - began
            except TimeoutError:
                name = seat_name(self.rules, seat)
                words = f"{name} took longer than {self.limit:g} seconds."
                raise Offence(OUT_OF_TIME, seat, words) from None
        luck = (self.seed, len(self.plies), seat)
        try:
            stamp = self.stamps.get(seat, 0.0)
            found: tuple[Choice, float] = await self.workers.do(
                timed, self.asked(), self.agents[seat], seat, luck, stamp
            )
        except ValueError as error:
            words = f"{self.name(seat)} failed: {without_paths(str(error))}"
            raise Offence(CRASHED, seat, words) from error
        choice, seconds = found
        return choice.action, seconds

    def luck(self) -> np.random.Generator:
        """Return the source of chance for this ply."""
        return np.random.default_rng((self.seed, len(self.plies)))

    def push(self, move: int, seconds: tuple[float, ...]) -> None:
        """Make a move and tell everybody."""
        self.plies.append(Ply(apply(self.rules, self.state, move), move, seconds))
        self.touched = time.monotonic()
        self.tell()

    def end(self, ending: str, seat: int = -1, words: str = "") -> None:
        """End the match and tell everybody."""
        self.ending, self.loser, self.words = ending, seat, words
        self.wanted, self.deadline = {}, None
        self.ends, self.ended = self.ends + 1, now()
        if self.keeper is not None:
            self.keeper(self)
        self.tell()

    def tell(self) -> None:
        """Call everybody who watches."""
        for listener in list(self.listeners):
            listener()


class Offence(Exception):
    """A seat has lost by what it did, not by the rules."""

    def __init__(self, ending: str, seat: int, words: str) -> None:
        self.ending, self.seat, self.words = ending, seat, words
