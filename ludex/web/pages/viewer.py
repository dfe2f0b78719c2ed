"""The viewer of a match: back and forth, at any speed, with the values of the moves."""

import asyncio
import functools
import time
from typing import Any

from nicegui import background_tasks, ui

from ludex.agents.registry import HUMAN
from ludex.core import rules as ask
from ludex.core.scene import Scene, without_offers
from ludex.match.record import write
from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board
from ludex.web.parts.faults import fault_text, faults_at
from ludex.web.parts.insight import Insight
from ludex.web.parts.live_view import LiveView
from ludex.web.parts.move_list import MoveList
from ludex.web.parts.move_log import luck_of, players_line, result_text
from ludex.web.parts.program_output import ProgramOutput
from ludex.web.parts.review import Review
from ludex.web.state.archive import public_record, record_of
from ludex.web.state.catalogue import rules_text
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

SPEEDS = {"slow": 1.6, "normal": 0.8, "fast": 0.35}


def show_live_match(server: ServerState, query: Query) -> "Viewer":
    """Show a match in memory, from a ply on."""
    return Viewer(server, server[query["name"]], query)


async def show_stored_match(server: ServerState, query: Query) -> "Viewer":
    """Show a match of the store, from a ply on."""
    live = await server.open_stored(query["event"], query["number"])
    return Viewer(server, live, query)


class Viewer(LiveView):
    """One browser stepping through a match."""

    delay = 0.2

    def __init__(self, server: ServerState, live: LiveMatch, query: Query) -> None:
        """Show a match from the ply of the query on; its key tells which seats are one's own."""
        self.key, ply = query.get("key", ""), query.get("ply", "")
        super().__init__(server, live, self.key)
        start = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 10 else 0
        self.at, self.following = min(start, len(self.match.plies) - 1), False
        self.moving = 0.0  # end of the running transition
        self.loading: asyncio.Task[None] | None = None  # while playback goes on
        # A match of people has a page of its own, from which this one was opened.
        self.reviewing = bool(live.keys) and HUMAN in live.agents
        name = ask.title(self.match.rules)
        page = (f"Review {name}", "") if self.reviewing else (f"Watch {name}", "/watch")
        with layout.frame(*page):
            with layout.div("lx-title"):
                layout.heading(name)
                line = players_line(live, live.seats_of(self.key))
                ui.label(line).classes("lx-soft")
            with layout.div("lx-play lx-viewer"):
                left = layout.div()
                with layout.div("lx-side"):
                    self.summary()
                    self.insight = Insight(server, live.game.name, self.match.rules)
                    with layout.sheet():
                        layout.heading("Moves", 2)
                        self.list = MoveList(live.match, self.go)
                with layout.div("lx-below"):
                    self.output = ProgramOutput(live)
                    self.review = Review(server, live, self.go, self.list.mark_faults)
                    self.insight.tree()
                with left:
                    self.board = Board(self.picture(self.at), f"The board of {name}")
                    self.board.listen(self.on_key, settled=self.settled)
                    self.transport()
        self.insight.switch.board = self.board
        self.insight.switch.on_change = self.redraw
        for part in (self.verdict, self.insight.values):  # they change with every move
            ui.run_javascript(f"lx.keepHeight({part.id})")
        self.timer = ui.timer(SPEEDS["normal"], self.run, active=start == 0)
        self.show_status()

    def summary(self) -> None:
        """Add the panel with the last move, what to say of the next one, and the buttons."""
        live, rules = self.live, self.match.rules
        with layout.sheet():
            self.status = layout.status()
            self.waiting = layout.note().props('aria-live="polite"')
            self.verdict = ui.label().classes("lx-verdict").props('aria-live="polite"')
            with layout.row("0.8rem"):
                if self.reviewing:
                    match = layout.address(f"/match/{live.id}", key=self.key)
                    layout.secondary("Back to the match", match, "arrow_back")
                layout.secondary("Save", self.save, "download")
                form = layout.address(f"/watch/{live.game.name}", rules=rules_text(rules))
                layout.secondary("New", form, "add")
            self.archive_note = layout.note().style("margin-top: 0.6rem")

    def picture(self, number: int) -> Scene:
        """Return the scene of a ply; what could be chosen is shown with the values only."""
        scene = super().picture(number)
        return scene if self.insight.switch.on else without_offers(scene)

    def redraw(self) -> None:
        """Show the board again, with or without the values."""
        self.board.show(self.picture(self.at), (), self.at, 0)
        self.insight.switch.redraw()

    # Navigation. ------------------------------------------------------------------------------

    def transport(self) -> None:
        """Add the buttons below the board."""
        with layout.div("lx-transport"):
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
            self.count = layout.note()
            speed = ui.select(list(SPEEDS), value="normal", label="speed", on_change=self.set_speed)
            speed.props("outlined dense").style("min-width: 6.5rem")
        with layout.row("0.5rem"):
            for name, step in (("Previous mistake", -1), ("Next mistake", 1)):
                layout.secondary(name, functools.partial(self.seek_fault, step))
            words = "Arrows, Home and End move, Space steps, P plays, N and B go to mistakes."
            layout.note(words).classes("lx-keys").style("flex: 1 1 12rem")

    async def go(self, at: int) -> None:
        """Go to a ply and stop there."""
        self.timer.deactivate()
        self.following, self.review.wanted = False, None
        at = min(max(at, 0), len(self.match.plies) - 1)
        self.keep_in_address(at)  # first: the page may be closed while a move is judged
        await self.move(at)

    def keep_in_address(self, at: int) -> None:
        """Keep a ply in the address, for reloads and links."""
        query = layout.address("", ply=str(at), key=self.key)
        ui.run_javascript(f"history.replaceState({{}}, '', location.pathname + '{query}')")

    async def to_end(self) -> None:
        """Go to the last ply, and follow a running match."""
        await self.go(len(self.match.plies) - 1)
        self.following = True

    async def seek_fault(self, step: int) -> None:
        """Go to the position before the next mistake, or with a step of -1 the previous one."""
        self.timer.deactivate()
        self.show_status()
        await self.review.seek(self.at, step)

    async def move(self, at: int) -> None:
        """Show a ply."""
        if at == self.at:
            self.show_status()
            return
        way = self.transition(at)
        self.at = at
        seconds = self.board.show(self.picture(at), (), at, 300, through=way)
        self.moving = time.monotonic() + seconds
        self.show_status_after(seconds if way else 0.0)  # a result waits for the board
        self.show_status()
        self.insight.go_to(self.live.query(at))
        if not self.timer.active:
            await self.load()
        elif self.loading is None or self.loading.done():
            self.loading = background_tasks.create(self.load_while_playing())

    async def load_while_playing(self) -> None:
        """Load the values of the position shown; playback goes on meanwhile."""
        loaded = -1
        while loaded != self.at and not self.client.is_deleted:
            loaded = self.at
            with self.client:
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
        self.timer.active = not self.timer.active
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
        elif key == "Home":
            await self.go(0)
        elif key == "End":
            await self.to_end()
        elif key == "p":
            self.toggle()
        elif key in ("n", "b"):
            await self.seek_fault(1 if key == "n" else -1)

    # Display. ---------------------------------------------------------------------------------

    def transition(self, at: int) -> tuple[Scene, ...]:
        """Return the scenes of the transition to a ply; none unless it is the next, unhurried."""
        hurried = self.timer.active and self.timer.interval < SPEEDS["normal"]
        if at != self.at + 1 or hurried:
            return ()
        before, ply = self.match.plies[self.at], self.match.plies[at]
        return ask.between(self.match.rules, before.state, ply.move)

    async def show_changes(self) -> None:
        """Show the number of moves, and the last move when following."""
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
        if self.at == last and self.match.over and self.settling is None:
            self.status.text = result_text(self.match)
        elif self.at:
            made = self.match.labels_by_seat(self.at)
            words = ", ".join(f"{self.actor(seat)}: {words}" for seat, words in made)
            self.status.text = f"Move {self.at}, {words}"
        else:
            self.status.text = "The first position"
        self.waiting.text = "" if self.at < last else self.waiting_text()
        stored = self.live.stored_as
        self.archive_note.text = f"Stored as match {stored}." if stored else self.live.storage_error
        self.output.refresh()
        self.list.show(self.at)

    def waiting_text(self) -> str:
        """Return who is thinking in a running match."""
        if self.match.over or self.live.task is None:
            return ""
        names = {seat: ask.seat_name(self.match.rules, seat) for seat in self.match.choosers}
        people = [name for seat, name in names.items() if self.live.agents[seat] == HUMAN]
        agents = [name for seat, name in names.items() if self.live.agents[seat] != HUMAN]
        verb = "are" if len(agents) > 1 else "is"
        words = [f"{' and '.join(agents)} {verb} thinking …"] if agents else []
        return " ".join([*words, f"Waiting for {' and '.join(people)}"] if people else words)

    def actor(self, seat: int) -> str:
        """Return the name of who acted at this ply."""
        return ask.seat_name(self.match.rules, seat) if seat >= 0 else luck_of(self.match, self.at)

    async def load(self) -> None:
        """Show the values of the moves, and the move played."""
        at, state, played = self.at, self.match.plies[self.at].state, self.match.actions_at(self.at)
        self.verdict.text = ""
        found, length = await self.insight.show(self.live.query(at), state, played)
        bad = {one.seat for one in faults_at(at, found, played)}
        if at == self.at:
            self.verdict.text = " ".join(
                fault_text(self.match.rules, state, one, length, played[one.seat])
                for one in found
                if one.seat in bad
            )

    def save(self) -> None:
        """Download the match as a file."""
        line = write(public_record(record_of(self.live)))
        ui.download(f"{line}\n".encode(), f"{self.live.game.name}-{self.live.id}.jsonl")
