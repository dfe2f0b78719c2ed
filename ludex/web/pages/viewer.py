"""The viewer of a match: back and forth, at any speed, with the values of the moves."""

import asyncio
import time
from typing import Any

from nicegui import background_tasks, ui

from ludex.core.rules import between, scene, seat_name, seats, title
from ludex.core.scene import Scene, at_rest
from ludex.match.record import write
from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board
from ludex.web.parts.insight import Insight
from ludex.web.parts.move_list import MoveList
from ludex.web.parts.move_log import luck_of, public_agents
from ludex.web.parts.review import Review
from ludex.web.state.archive import public_record, record_of
from ludex.web.state.catalogue import texts_of, write_rules
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

REFRESH_DELAY = 0.2  # seconds within which new moves are shown together
# Keeps the ply in the address, for reloads and links.
SET_PLY = "history.replaceState({}, '', location.pathname + '?ply=%d')"
SPEEDS = {"slow": 1.6, "normal": 0.8, "fast": 0.35}


def show_live_match(server: ServerState, query: Query) -> "Viewer":
    """Show a match in memory, from a ply on."""
    return Viewer(server, server[query["name"]], query.get("ply", ""))


async def show_stored_match(server: ServerState, query: Query) -> "Viewer":
    """Show a match of the store, from a ply on."""
    live = await server.open_stored(query["event"], query["number"])
    return Viewer(server, live, query.get("ply", ""))


class Viewer:
    """One browser stepping through a match."""

    def __init__(self, server: ServerState, live: LiveMatch, ply: str) -> None:
        self.server, self.live, self.match = server, live, live.match
        start = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 10 else 0
        self.at = min(start, len(self.match.plies) - 1)
        self.client, self.stale, self.following = ui.context.client, False, False
        self.moving = 0.0  # end of the running transition
        rules = self.match.rules
        name = title(rules)
        with layout.frame(f"Watch {name}", "/watch"):
            with ui.element("div").classes("lx-title"):
                layout.heading(name)
                agents = zip(range(seats(rules)), public_agents(live), strict=True)
                ui.label(", ".join(f"{seat_name(rules, s)}: {a}" for s, a in agents)).classes(
                    "lx-soft"
                )
            with ui.element("div").classes("lx-play"):
                with ui.element("div"):
                    self.board = Board(self.scene(), f"The board of {name}").listen(self.on_key)
                    self.transport()
                with ui.element("div").classes("lx-side"):
                    with layout.sheet():
                        self.status = ui.label().classes("lx-status").props('aria-live="polite"')
                        with ui.element("div").classes("lx-bar").style("margin-top: 0.8rem"):
                            layout.secondary("Save", self.save, "download")
                            again = layout.address(
                                f"/watch/{live.game.name}", rules=write_rules(texts_of(rules))
                            )
                            layout.secondary("New", lambda: ui.navigate.to(again), "add")
                        self.archive_note = ui.label().classes("lx-soft lx-small")
                        self.archive_note.style("margin-top: 0.6rem")
                    self.insight = Insight(server, live.game.name, rules)
                    with layout.sheet():
                        layout.heading("Moves", 2)
                        self.list = MoveList(live.match, self.go)
                with ui.element("div").classes("lx-below"):
                    Review(server, live, self.go, self.list.mark_faults)
                    self.insight.tree()
        self.timer = ui.timer(SPEEDS["normal"], self.run, active=start == 0)
        live.listeners.append(self.schedule_refresh)
        self.client.on_delete(self.leave)
        self.show_status()

    # Navigation. ------------------------------------------------------------------------------

    def transport(self) -> None:
        """Add the buttons below the board."""
        with ui.element("div").classes("lx-transport"):
            icons = (
                ("skip_previous", "To the start", lambda: self.go(0)),
                ("chevron_left", "Back", lambda: self.go(self.at - 1)),
                ("play_arrow", "Play or pause", self.toggle),
                ("chevron_right", "Step", lambda: self.go(self.at + 1)),
                ("skip_next", "To the end", self.to_end),
            )
            for icon, name, act in icons:
                button = ui.button(icon=icon, on_click=act, color=None)
                button.props(f'flat aria-label="{name}"').classes("lx-second")
                if icon == "play_arrow":
                    self.play_button = button
            most = max(1, len(self.match.plies) - 1)
            self.slider = ui.slider(min=0, max=most, value=self.at, on_change=self.on_slide)
            self.slider.props('aria-label="Move number"')
            self.count = ui.label().classes("lx-soft lx-small")
            speed = ui.select(list(SPEEDS), value="normal", label="speed", on_change=self.set_speed)
            speed.props("outlined dense").style("min-width: 6.5rem")
        keys = ui.label("Space steps, the arrows go back and forth, P plays.")
        keys.classes("lx-soft lx-small lx-keys")

    async def go(self, at: int) -> None:
        """Go to a ply and stop there."""
        self.timer.deactivate()
        self.following = False
        await self.move(at)
        ui.run_javascript(SET_PLY % self.at)

    async def to_end(self) -> None:
        """Go to the last ply, and follow a running match."""
        await self.go(len(self.match.plies) - 1)
        self.following = True

    async def move(self, at: int) -> None:
        """Show a ply."""
        at = min(max(at, 0), len(self.match.plies) - 1)
        if at == self.at:
            self.show_status()
            return
        way = self.transition(at)
        self.at = at
        self.moving = time.monotonic() + self.board.show(self.scene(), (), at, 300, through=way)
        self.show_status()
        await self.load()

    async def run(self) -> None:
        """Step forward while there are moves left."""
        if time.monotonic() < self.moving:
            return
        if self.at < len(self.match.plies) - 1:
            await self.move(self.at + 1)
        elif self.match.over:
            self.timer.deactivate()
            self.show_status()

    def toggle(self) -> None:
        """Play or pause."""
        if self.timer.active:
            self.timer.deactivate()
        else:
            self.timer.activate()
        self.show_status()

    def set_speed(self, event: Any) -> None:
        """Change the speed."""
        self.timer.interval = SPEEDS[event.value]

    async def on_slide(self, event: Any) -> None:
        """Go where the slider was moved."""
        if int(event.value) != self.at:
            await self.go(int(event.value))

    async def on_key(self, key: str) -> None:
        """Handle a shortcut key."""
        if key in (" ", "ArrowRight"):
            await self.go(self.at + 1)
        elif key == "ArrowLeft":
            await self.go(self.at - 1)
        elif key == "p":
            self.toggle()

    # Display. ---------------------------------------------------------------------------------

    def scene(self) -> Any:
        """Return the scene of this ply; a match that ended early shows no choices."""
        ply = self.match.plies[self.at]
        seen = scene(self.match.rules, ply.state, ply.move)
        last = self.at == len(self.match.plies) - 1
        return at_rest(seen) if last and self.live.ended_early else seen

    def transition(self, at: int) -> tuple[Scene, ...]:
        """Return the scenes of the transition to a ply; none unless it is the next, unhurried."""
        hurried = self.timer.active and self.timer.interval < SPEEDS["normal"]
        if at != self.at + 1 or hurried:
            return ()
        before, ply = self.match.plies[self.at], self.match.plies[at]
        return between(self.match.rules, before.state, ply.move)

    def schedule_refresh(self) -> None:
        """Schedule a refresh; moves in quick succession share one."""
        if not self.stale:
            self.stale = True
            asyncio.get_running_loop().call_later(
                REFRESH_DELAY, lambda: background_tasks.create(self.refresh())
            )

    async def refresh(self) -> None:
        """Show the number of moves, and the last move when following."""
        self.stale = False
        if self.client.is_deleted:
            return
        with self.client:
            last = len(self.match.plies) - 1
            self.at = min(self.at, last)
            if self.following and self.at < last:
                await self.move(last)
            else:
                self.show_status()

    def show_status(self) -> None:
        """Show the current ply."""
        last = len(self.match.plies) - 1
        self.slider._props["max"] = max(1, last)
        self.slider.value = self.at
        self.slider.update()
        self.count.text = f"{self.at} of {last}{'' if self.match.over else ' …'}"
        self.play_button.props(f"icon={'pause' if self.timer.active else 'play_arrow'}")
        if self.at == last and self.match.over:
            self.status.text = self.match.result
        elif self.at:
            actions = [
                f"{self.actor(seat)}: {words}" for seat, words in self.match.labels_by_seat(self.at)
            ]
            self.status.text = ", ".join(actions)
        else:
            self.status.text = "The first position"
        self.archive_note.text = (
            f"Kept as {self.live.stored_as}." if self.live.stored_as else self.live.storage_error
        )
        self.list.show(self.at)

    def actor(self, seat: int) -> str:
        """Return the name of who acted at this ply."""
        return seat_name(self.match.rules, seat) if seat >= 0 else luck_of(self.match, self.at)

    async def load(self) -> None:
        """Show the values of the moves, and the move played."""
        at = self.at
        await self.insight.show(
            self.live.query(at), self.match.plies[at].state, self.match.actions_at(at)
        )

    def save(self) -> None:
        """Download the match as a file."""
        line = write(public_record(record_of(self.live)))
        ui.download(f"{line}\n".encode(), f"{self.live.game.name}-{self.live.id}.jsonl")

    def leave(self) -> None:
        """Remove the listener."""
        if self.schedule_refresh in self.live.listeners:
            self.live.listeners.remove(self.schedule_refresh)
