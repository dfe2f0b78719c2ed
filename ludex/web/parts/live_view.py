"""What pages that follow a live match share."""

import asyncio
import time

from nicegui import background_tasks, ui

from ludex.core import rules as ask
from ludex.core.rules import CHANCE
from ludex.core.scene import Scene, at_rest
from ludex.match.view import MatchView
from ludex.web.parts import layout
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.name_plates import name_plates
from ludex.web.state.catalogue import rules_text
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

SETTLING = 1.5
"""How long to wait for the board, if the browser is silent, times the length of an animation."""


class LiveView:
    """One browser's view of a match, refreshed as the match goes on."""

    delay = 0.01
    """Seconds within which changes are shown together."""

    def __init__(self, server: ServerState, live: LiveMatch, key: str = "") -> None:
        self.server, self.live, self.key = server, live, key
        self.client, self.stale = ui.context.client, False
        self.reader = BrowserReader(server)
        if not live.from_file:
            show = lambda: self.show_status_after(0.0)  # noqa: E731
            self.reader.recognize_later(live.agents, live.began, show)
        self.settling: ui.timer | None = None
        self.moves_until = 0.0  # when the board is at rest, by the clock of `time.monotonic`
        self.sent = -1  # the last ply that the board was told to show
        self.at_rest = asyncio.Event()
        self.at_rest.set()
        self.client.on_delete(self.at_rest.set)
        live.listeners.append(self.schedule_refresh)
        layout.keep_in_navigation(live.game.name, rules_text(live.match.rules))
        page, people = self.client.id, live.people
        people.enter(page, key)
        self.client.on_connect(lambda: people.enter(page, key))
        self.client.on_disconnect(lambda: people.leave(page))
        self.client.on_delete(lambda: people.leave(page))
        self.client.on_delete(lambda: live.listeners.remove(self.schedule_refresh))

    @property
    def viewer(self) -> int:
        """The seat that the match is shown to, or SPECTATOR."""
        return self.live.viewer(self.key)

    @property
    def match(self) -> MatchView:
        """The match as far as it is shown here."""
        return self.live.seen_by(self.viewer)

    def picture(self, number: int) -> Scene:
        """Return the scene of a ply; the last one of a match that ended early shows no choices."""
        ply = self.match.plies[number]
        scene = name_plates(
            self.match.rules, ask.scene(self.match.rules, ply.state, ply.move), self.names()
        )
        last = number == len(self.match.plies) - 1
        return at_rest(scene, self.winners()) if last and self.live.ended_early else scene

    def winners(self) -> list[int]:
        """Return the seats that won a match that is over; none in a draw."""
        returns = self.match.returns
        best = max(returns)
        return [seat for seat, value in enumerate(returns) if value == best > min(returns)]

    def transition_scenes(self, number: int) -> tuple[Scene, ...]:
        """Return the scenes through which a move, counted from 1, leads."""
        match, names = self.match, self.names()
        return tuple(name_plates(match.rules, one, names) for one in match.between(number))

    def names(self) -> dict[int, str]:
        """Return the names on the plates, by seat; "you" for one who plays here."""
        mine = self.live.seats_of(self.key)
        return self.live.known_names() | (dict.fromkeys(mine, "you") if len(mine) == 1 else {})

    def schedule_refresh(self) -> None:
        """Schedule a refresh; changes in quick succession share one."""
        if not self.stale:
            self.stale = True
            asyncio.get_running_loop().call_later(
                self.delay, lambda: background_tasks.create(self.refresh())
            )

    async def refresh(self) -> None:
        """Show what has changed, unless the browser has left."""
        self.stale = False
        if not self.client.is_deleted:
            with self.client:
                await self.show_changes()

    def show_status_after(self, seconds: float) -> None:
        """Show the status when the board, which moves for these seconds more, is at rest."""
        now = time.monotonic()
        before = self.moves_until if self.settling is not None else now
        self.moves_until = max(before, now) + seconds
        self.stop_waiting()
        left = (self.moves_until - now) * SETTLING
        if left > 0.0:
            self.at_rest.clear()
            self.settling = ui.timer(left, lambda: self.settled(self.sent), once=True)
        else:
            self.at_rest.set()
            self.show_status()

    def stop_waiting(self) -> None:
        """Wait no longer for the board."""
        if self.settling is not None:
            self.settling.cancel()
            self.settling = None

    def settled(self, ply: int) -> None:
        """Show the status that has waited for the board, if it rests at the last ply sent."""
        if self.settling is not None and ply == self.sent:
            self.stop_waiting()
            self.at_rest.set()
            self.show_status()

    def shows(self, ply: int, ended: int) -> None:
        """Name the move that the board shows; an outcome of chance only when its end is shown."""
        if self.settling is None or not 0 < ply < len(self.match.plies):
            return
        if ended or ask.turn(self.match.rules, self.match.plies[ply - 1].state) != CHANCE:
            self.name_move(ply)

    def name_move(self, ply: int) -> None:
        """Name the move of a ply instead of the status."""
        raise NotImplementedError

    def show_status(self) -> None:
        """Show how the match stands."""
        raise NotImplementedError

    async def show_changes(self) -> None:
        """Show everything since the last refresh."""
        raise NotImplementedError
