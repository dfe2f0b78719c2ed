"""What pages that follow a live match share."""

import asyncio

from nicegui import background_tasks, ui

from ludex.core import rules as ask
from ludex.core.scene import Scene, at_rest
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

SETTLING = 1.5
"""How long to wait for the board, if the browser is silent, times the length of an animation."""


class LiveView:
    """One browser's view of a match, refreshed as the match goes on."""

    delay = 0.01
    """Seconds within which changes are shown together."""

    def __init__(self, server: ServerState, live: LiveMatch, key: str = "") -> None:
        self.server, self.live, self.match, self.key = server, live, live.match, key
        self.client, self.stale = ui.context.client, False
        self.settling: ui.timer | None = None
        live.listeners.append(self.schedule_refresh)
        page, people = self.client.id, live.people
        people.enter(page, key)
        self.client.on_connect(lambda: people.enter(page, key))
        self.client.on_disconnect(lambda: people.leave(page))
        self.client.on_delete(lambda: people.leave(page))
        self.client.on_delete(lambda: live.listeners.remove(self.schedule_refresh))

    def picture(self, number: int) -> Scene:
        """Return the scene of a ply; the last one of a match that ended early shows no choices."""
        ply = self.match.plies[number]
        scene = ask.scene(self.match.rules, ply.state, ply.move)
        last = number == len(self.match.plies) - 1
        return at_rest(scene) if last and self.live.ended_early else scene

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
        """Show the status when the board says that an animation of these seconds has ended."""
        self.stop_waiting()
        if seconds * SETTLING > 0.0:
            self.settling = ui.timer(seconds * SETTLING, self.settled, once=True)
        else:
            self.show_status()

    def stop_waiting(self) -> None:
        """Wait no longer for the board."""
        if self.settling is not None:
            self.settling.cancel()
            self.settling = None

    def settled(self) -> None:
        """Show the status that has waited for the board."""
        if self.settling is not None:
            self.stop_waiting()
            self.show_status()

    def show_status(self) -> None:
        """Show how the match stands."""
        raise NotImplementedError

    async def show_changes(self) -> None:
        """Show everything since the last refresh."""
        raise NotImplementedError
