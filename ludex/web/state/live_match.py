"""A match on the server, between people and agents: seats, keys, and who is to choose."""

import asyncio
import secrets
import time
from collections.abc import Callable

from ludex.agents.registry import HUMAN
from ludex.core.information import SPECTATOR
from ludex.core.play import choices
from ludex.core.rules import BOTH, CHANCE, imperfect_information, pair, seat_name, seats
from ludex.core.sampling import pick_outcome
from ludex.core.termination import BY_RULES, CRASHED, OUT_OF_TIME, RESIGNED
from ludex.io.keys import Refused, new_key
from ludex.match.record import now
from ludex.match.seen import match_seen_by
from ludex.match.session import Match
from ludex.match.view import MatchView
from ludex.web.state import limits, tasks
from ludex.web.state.catalogue import OfferedGame
from ludex.web.state.match_programs import Forfeit, MatchPrograms, ProgramPlaces
from ludex.web.state.people import People
from ludex.web.state.public_text import player_name, without_paths
from ludex.web.state.tasks import PositionQuery
from ludex.web.state.workers import Workers


class LiveMatch:
    """A match between people, who hold keys to their seats, and agents, which run in workers."""

    def __init__(
        self,
        game: OfferedGame,
        match: Match,
        agents: list[str],
        yours: set[int],
        workers: Workers,
        limit: float | None = None,
        stamps: dict[int, float] | None = None,
    ) -> None:
        """Seat the players; human seats that are not `yours` are for guests."""
        if len(agents) != seats(match.rules):
            raise ValueError(f"{len(agents)} agents for {seats(match.rules)} seats")
        self.id = secrets.token_urlsafe(9)
        self.game, self.match, self.agents, self.limit = game, match, agents, limit
        self.workers = workers
        self.stamps = stamps or {}
        self.owner = new_key()
        people = {seat for seat, text in enumerate(agents) if text == HUMAN}
        self.keys = {self.owner: people & yours}
        self.guests = {seat: new_key() for seat in sorted(people - yours)}
        if not self.hides:
            self.keys |= {key: {seat} for seat, key in self.guests.items()}
        self.pending: dict[int, asyncio.Future[int]] = {}
        self.programs = MatchPrograms(match, {}, ProgramPlaces())
        self.deadline: float | None = None
        self.epoch = 0  # incremented when moves are taken back
        self.listeners: list[Callable[[], None]] = []
        self.people = People(self.keys, self.notify)
        self.requested_agents = list(agents)  # as typed, without paths
        self.successor: LiveMatch | None = None  # the rematch
        self.opening = asyncio.Lock()  # held while the rematch is opened
        self.on_end: Callable[[LiveMatch], None] | None = None
        """Called at every end; there are several if moves are taken back after one."""
        self.began = now()
        self.ends, self.ended = 0, ""  # the number of ends, and the time of the last
        self.from_file = False  # of a visitor, who knows all that is in it
        self.stored_as, self.storage_error = "", ""  # such as 12/3, or why there is none
        self.touched = time.monotonic()
        self.task: asyncio.Task[None] | None = None

    # Queries. ---------------------------------------------------------------------------------

    @property
    def ended_early(self) -> bool:
        """Whether the match ended other than by the rules."""
        return self.match.over and self.match.ending != BY_RULES

    @property
    def hides(self) -> bool:
        """Whether people are shown only what they see; agents among themselves are shown whole."""
        return HUMAN in self.agents and imperfect_information(self.match.rules)

    def seen_by(self, viewer: int) -> MatchView:
        """Return the match as it is shown to a seat, or a SPECTATOR; ask again after a move."""
        return match_seen_by(self.match, viewer) if self.hides else self.match

    def viewer(self, key: str) -> int:
        """Return as which seat the holder of a key sees the match, or SPECTATOR.

        With several seats it is the only one that is to choose.
        """
        mine = self.seats_to_move(key) or sorted(self.seats_of(key))
        return mine[0] if len(mine) == 1 else SPECTATOR

    def is_abandoned(self) -> bool:
        """Return whether the match waits for people who left some minutes ago."""
        quiet = time.monotonic() - max(self.touched, self.people.changed)
        return bool(self.pending) and not self.people.players and quiet > limits.ABANDONED

    def seats_of(self, key: str) -> set[int]:
        """Return the seats that a key controls, which may be none."""
        return self.keys.get(key, set())

    def seats_to_move(self, key: str) -> list[int]:
        """Return the seats of a key that still have to choose."""
        mine = self.seats_of(key)
        return [seat for seat, future in self.pending.items() if seat in mine and not future.done()]

    def name(self, seat: int) -> str:
        """Return the name of the person at a seat; else that of the seat, with its agent."""
        names, own = self.people.names, seat_name(self.match.rules, seat)
        if self.agents[seat] != HUMAN:
            return f"{own} ({player_name(self.agents[seat])})"
        called = names.get(seat, "")
        if called and list(names.values()).count(called) > 1:
            return f"{called} ({own})"
        return called or own

    def player_names(self) -> list[str]:
        """Return who plays at each seat: a person by name, or an agent by its public text."""
        names = self.people.names
        return [names.get(seat) or player_name(text) for seat, text in enumerate(self.agents)]

    def known_names(self) -> dict[int, str]:
        """Return who plays at each seat, without people who gave no name."""
        given, names = self.people.names, enumerate(self.player_names())
        return {seat: one for seat, one in names if given.get(seat) or self.agents[seat] != HUMAN}

    def allows_hints(self) -> bool:
        """Return whether no two people play against each other, each with something to hide."""
        return not self.guests and not (self.hides and self.agents.count(HUMAN) > 1)

    def allows_review(self) -> bool:
        """Return whether the whole match is shown with its values."""
        return self.match.over or (self.allows_hints() and not self.hides)

    def allows_undo(self) -> bool:
        """Return whether moves can be taken back in this match."""
        return not self.guests and self.limit is None and not self.undo_reveals()

    def undo_reveals(self) -> bool:
        """Return whether somebody would go on knowing what was hidden."""
        return self.hides and (self.match.over or self.agents.count(HUMAN) > 1)

    def can_take_back(self, key: str) -> bool:
        """Return whether the holder of a key has made a move that can be taken back."""
        chosen = any(self.match.decisions[seat] for seat in self.seats_of(key))
        return key == self.owner and self.allows_undo() and chosen

    def key_in_successor(self, key: str) -> str:
        """Return what the holder of a key opens the rematch with; empty for a spectator."""
        new, mine = self.successor, self.seats_of(key)
        if new is not None and key == self.owner:
            return new.owner
        return new.guests[swapped_seat(new, min(mine))] if new is not None and mine else ""

    def query(self, number: int = -1) -> PositionQuery:
        """Return a position of the match as a query for workers."""
        return PositionQuery.of(self.game.source, self.match.rules, self.match.plies[number].state)

    def accept(self, invitation: str) -> str:
        """Return what a guest plays with: the key in the invitation or, once, a key of its own.

        That is so where something is hidden: the one who has sent the invitation must not see more.
        """
        taken = set().union(*self.keys.values())
        seats = [seat for seat, own in self.guests.items() if own == invitation]
        if not seats or taken.issuperset(seats):
            return invitation
        key = new_key()
        self.keys[key] = set(seats)
        self.notify()
        return key

    # Actions of people. -----------------------------------------------------------------------

    def choose(self, key: str, seat: int, action: int, ply: int) -> None:
        """Choose an action for a seat at a ply, or raise Refused."""
        self.touched = time.monotonic()
        if seat not in self.seats_of(key):
            raise Refused("this is not your seat")
        if self.match.over:
            raise Refused("the match is over")
        if ply != len(self.match.plies) - 1:
            raise Refused("the match has gone on since; here is how it stands")
        if seat not in self.seats_to_move(key):
            raise Refused("it is not your turn")
        if action not in choices(self.match.rules, self.match.state, seat):
            raise Refused("that is not a legal move here")
        self.programs.take_places()  # which they lose while the match is abandoned
        self.pending[seat].set_result(action)
        self.notify()

    def resign(self, key: str) -> None:
        """Resign for the first seat of a key that is to choose, or its first seat."""
        mine = self.seats_of(key)
        if not mine:
            raise Refused("this is not your seat")
        if self.match.over:
            raise Refused("the match is over")
        waiting = [seat for seat in self.match.choosers if seat in mine]
        self.stop()
        seat = (waiting or sorted(mine))[0]
        name = seat_name(self.match.rules, seat)
        self.match.forfeit(RESIGNED, (seat,), f"{name} resigned.")
        self.end()

    def take_back(self, key: str) -> None:
        """Take back to the last state in which the owner of the key chose."""
        if key != self.owner or self.guests:
            raise Refused("only a match without guests can be taken back")
        if self.limit is not None:
            raise Refused("with a clock, moves stand")
        if self.undo_reveals():
            raise Refused("somebody would know what was hidden")
        if not self.match.take_back(self.seats_of(key)):
            raise Refused("there is nothing to take back")
        self.stop()
        self.stored_as, self.storage_error = "", ""
        self.epoch += 1
        self.start()
        self.notify()

    # Playing. ---------------------------------------------------------------------------------

    def start(self) -> None:
        """Play on in a task of the running loop."""
        self.task = asyncio.get_running_loop().create_task(self.play())

    def stop(self) -> None:
        """Stop playing, without ending the match."""
        if self.task is not None:
            self.task.cancel()
            self.task = None
        self.pending.clear()
        self.deadline = None
        self.programs.close()

    async def play(self) -> None:
        """Play to the end."""
        match = self.match
        try:
            while not match.over:
                await self.step()
            if match.truncated:
                match.words = f"{limits.PLIES} moves are enough."
        except Forfeit as one:
            match.forfeit(one.ending, (one.seat,), one.words)
        except ValueError as error:
            match.forfeit(CRASHED, (), without_paths(str(error)))
        self.end()

    async def step(self) -> None:
        """Make the next move."""
        match = self.match
        if match.turn == CHANCE:
            # Not compiled: the event loop would wait for the compilation.
            self.push(int(pick_outcome(match.rules, match.state, match.luck.chance)), ())
            await asyncio.sleep(0)
            return
        both, acting = match.turn == BOTH, match.choosers
        loop = asyncio.get_running_loop()
        people = [seat for seat in acting if self.agents[seat] == HUMAN]
        self.pending = {seat: loop.create_future() for seat in people}
        if people and self.limit is not None:
            self.deadline = time.time() + self.limit
        if people or self.deadline:
            self.notify()
        chosen = await asyncio.gather(*(self.choice(seat) for seat in acting))
        self.pending, self.deadline = {}, None
        actions = [action for action, _ in chosen]
        self.push(int(pair(*actions)) if both else actions[0], tuple(spent for _, spent in chosen))

    async def choice(self, seat: int) -> tuple[int, float]:
        """Return a seat's choice and its seconds, or raise Forfeit."""
        if self.agents[seat] == HUMAN:
            began = time.perf_counter()
            try:
                action = await asyncio.wait_for(self.pending[seat], self.limit)
                return action, time.perf_counter() - began
            except TimeoutError:
                name = seat_name(self.match.rules, seat)
                limit = "1 second" if self.limit == 1 else f"{self.limit:g} seconds"
                words = f"{name} took longer than {limit}."
                raise Forfeit(OUT_OF_TIME, seat, words) from None
        if seat in self.programs.agents:
            return await self.programs.choice(seat)
        luck, stamp = self.match.luck.of(seat), self.stamps.get(seat, 0.0)
        try:
            decision, after = await self.workers.do(
                tasks.choose, self.query(), self.agents[seat], seat, luck, stamp
            )
        except ValueError as error:
            name = f"{seat_name(self.match.rules, seat)} ({self.agents[seat]})"
            raise Forfeit(CRASHED, seat, f"{name} failed: {error}") from error
        luck.bit_generator.state = after.bit_generator.state
        return decision.action, decision.seconds

    def push(self, move: int, seconds: tuple[float, ...]) -> None:
        """Make a move and notify listeners."""
        self.match.apply(move, seconds)
        self.programs.note_output()
        self.touched = time.monotonic()
        self.notify()

    def end(self) -> None:
        """Record the end, and notify listeners."""
        self.pending, self.deadline = {}, None
        self.programs.close()
        self.ends, self.ended = self.ends + 1, now()
        if self.on_end is not None:
            self.on_end(self)
        self.notify()

    def notify(self) -> None:
        """Call all listeners."""
        for listener in list(self.listeners):
            listener()


def swapped_seat(live: LiveMatch, seat: int) -> int:
    """Return the seat in a rematch of the one who had a seat: the next, and after the last 0."""
    return (seat + 1) % len(live.agents)
