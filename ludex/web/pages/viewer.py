"""The viewer of a match: back and forth, at any speed, with the values of the moves."""

import asyncio
import time
from functools import partial

from nicegui import background_tasks, ui

from ludex.agents.registry import HUMAN
from ludex.core import rules as ask
from ludex.core.rules import State
from ludex.core.scene import Scene, without_offers
from ludex.match.record import write
from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board
from ludex.web.parts.fault_filter import FaultFilter
from ludex.web.parts.faults import fault_text, faults_at, reply_text
from ludex.web.parts.insight import Insight, Judgement
from ludex.web.parts.live_view import LiveView
from ludex.web.parts.move_list import MoveList
from ludex.web.parts.move_log import luck_of, players_line, result_for, result_text
from ludex.web.parts.program_output import ProgramOutput
from ludex.web.parts.review import Review, Wanted
from ludex.web.parts.transport import Steps, Transport
from ludex.web.state.catalogue import rules_text
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.programs import is_program
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery


def show_live_match(server: ServerState, query: Query) -> "Viewer":
    """Show a match in memory, from a ply on; after its end if it tells what is not for all."""
    live = server[query["name"]]
    if not live.allows_review():
        why = "with hidden information" if live.hides else "against a friend"
        raise ValueError(f"a match {why} is reviewed after its end")
    return Viewer(server, live, query)


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
        self.pair = query.get("pair", "")[:20]  # in the list of whose matches it was opened
        super().__init__(server, live, self.key)
        start = int(ply) if ply.isascii() and ply.isdigit() and len(ply) < 10 else 0
        self.at, self.following = min(start, len(self.match.plies) - 1), False
        self.chosen = bool(ply)  # whether somebody went to this ply, rather than the playback
        self.moving = 0.0  # end of the running transition
        self.loading: asyncio.Task[None] | None = None  # while playback goes on
        # A match of people has a page of its own, from which this one was opened.
        self.reviewing = bool(live.keys) and HUMAN in live.agents
        name = ask.title(self.match.rules)
        page = (f"Review {name}", "") if self.reviewing else (f"Watch {name}", "/watch")
        with layout.frame(*page):
            with layout.div("lx-title"):
                layout.heading(name)
                mine = live.seats_of(self.key)
                ui.label(players_line(live, mine)).classes("lx-soft")
            with layout.div("lx-play lx-viewer"):
                left = layout.div()
                with layout.div("lx-side"):
                    self.summary()
                    given = server, self.reader, live.game.name, self.match.rules
                    self.insight = Insight(*given)
                    with layout.sheet():
                        layout.heading("Moves", 2)
                        self.list = MoveList(live.match, self.go)
                with layout.div("lx-below"):
                    self.output = ProgramOutput(live, self.reader)
                    self.review = Review(server, live, self.go, self.list.mark_faults)
                    self.insight.tree()
                with left:
                    self.board = Board(self.picture(self.at), f"The board of {name}")
                    self.board.listen(self.on_key, settled=self.settled, shows=self.shows)
                    self.sent = self.at
                    steps = Steps(self.go, self.to_end, self.seek_fault, self.play_on)
                    programs = [seat for seat, text in enumerate(live.agents) if is_program(text)]
                    faults = partial(FaultFilter, self.match.rules, mine, programs)
                    self.transport = Transport(steps, faults, self.at)
        self.insight.switch.board = self.board
        self.insight.switch.on_change = self.redraw
        for part in (self.waiting, self.verdict, self.insight.values):  # they change with moves
            part.classes("lx-steady")
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
                if self.pair and live.stored_as:
                    event, changes = live.stored_as.partition("/")[0], rules_text(rules)
                    given = {"rules": changes, "event": event, "pair": self.pair}
                    there = layout.address(f"/tournament/{live.game.name}", **given)
                    layout.secondary("Back to the tournament", there, "arrow_back")
                layout.secondary("Save", self.save, "download")
                form = layout.address(f"/watch/{live.game.name}", rules=rules_text(rules))
                layout.secondary("New", form, "add")
            self.archive_note = layout.note().style("margin-top: 0.6rem")

    def picture(self, number: int) -> Scene:
        """Return the scene of a ply; what could be chosen is shown with values and bad moves."""
        scene = super().picture(number)
        return scene if self.insight.switch.shows_moves else without_offers(scene)

    def redraw(self) -> None:
        """Show the board again, with or without the values."""
        self.board.show(self.picture(self.at), (), self.at, 0)
        self.insight.switch.redraw()

    # Navigation. ------------------------------------------------------------------------------

    async def go(self, at: int) -> None:
        """Go to a ply and stop there."""
        self.transport.pause()
        self.following, self.review.wanted, self.chosen = False, None, True
        at = min(max(at, 0), len(self.match.plies) - 1)
        self.keep_in_address(at)  # first: the page may be closed while a move is judged
        await self.move(at)

    def keep_in_address(self, at: int) -> None:
        """Keep a ply in the address, for reloads and links."""
        query = layout.address("", ply=str(at), key=self.key, pair=self.pair)
        ui.run_javascript(f"history.replaceState({{}}, '', location.pathname + '{query}')")

    async def to_end(self) -> None:
        """Go to the last ply, and follow a running match."""
        await self.go(len(self.match.plies) - 1)
        self.following = True

    async def seek_fault(self, step: int) -> None:
        """Go to the position before the next mistake, or with a step of -1 the previous one.

        That may be the position shown, if the playback came to it and its mistake is not told yet.
        """
        self.transport.pause()
        new = step > 0 and not self.chosen and not self.verdict.text
        at, side = self.at - 1 if new else self.at, self.transport.faults.side
        await self.review.seek(Wanted(at, step, side))

    async def move(self, at: int) -> None:
        """Show a ply."""
        if at == self.at:
            self.show_status_after(0.0)
            return
        way = self.transition(at)
        self.insight.switch.clear()
        self.at = self.sent = self.transport.at = at
        seconds = self.board.show(self.picture(at), (), at, 300, through=way)
        self.moving = time.monotonic() + seconds
        self.show_status_after(
            seconds if way else 0.0
        )  # what tells the outcome waits for the board
        self.insight.go_to(self.live.query(at))
        if not self.transport.playing:
            await self.at_rest.wait()
            if at == self.at and not self.client.is_deleted:
                await self.load()
        elif self.loading is None or self.loading.done():
            self.loading = background_tasks.create(self.load_while_playing())

    async def load_while_playing(self) -> None:
        """Load the values of the position shown; playback goes on meanwhile."""
        loaded = -1
        while loaded != self.at and not self.client.is_deleted:
            await self.at_rest.wait()
            loaded = self.at
            if not self.client.is_deleted:
                with self.client:
                    await self.load()

    async def play_on(self) -> None:
        """Step forward while there are moves left."""
        if time.monotonic() < self.moving:
            return
        if self.at < len(self.match.plies) - 1:
            self.chosen = False
            await self.move(self.at + 1)
        elif self.match.over:
            self.transport.pause()

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
            self.transport.toggle()
        elif key in ("n", "b"):
            await self.seek_fault(1 if key == "n" else -1)

    # Display. ---------------------------------------------------------------------------------

    def transition(self, at: int) -> tuple[Scene, ...]:
        """Return the scenes of the transition to a ply; none unless it is the next, unhurried."""
        if at != self.at + 1 or self.transport.hurried:
            return ()
        return self.transition_scenes(at)

    async def show_changes(self) -> None:
        """Show the number of moves, and the last move when following."""
        last = len(self.match.plies) - 1
        self.at = min(self.at, last)
        if self.following and self.at < last:
            await self.move(last)
        else:
            self.show_status_after(0.0)

    def show_status(self) -> None:
        """Show the current ply."""
        last = len(self.match.plies) - 1
        self.transport.show(self.at, last, self.match.over)
        if self.at == last and self.match.over:
            words = self.reader.words(self.live)
            own = result_for(self.live, self.key, words)
            self.status.text = own if self.reviewing else result_text(self.match, words)
        elif self.at:
            self.name_move(self.at)
        else:
            self.status.text = "The first position"
        self.waiting.text = "" if self.at < last else self.waiting_text()
        stored = self.live.stored_as
        self.archive_note.text = f"Stored as match {stored}." if stored else self.live.storage_error
        self.output.refresh()
        self.list.show(self.at)

    def name_move(self, ply: int) -> None:
        """Say who made the move of a ply, and which."""
        made = self.match.labels_by_seat(ply)
        words = ", ".join(f"{self.actor(seat, ply)}: {words}" for seat, words in made)
        self.status.text = f"Move {ply}, {words}"

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

    def actor(self, seat: int, ply: int) -> str:
        """Return the name of who acted at a ply."""
        return ask.seat_name(self.match.rules, seat) if seat >= 0 else luck_of(self.match, ply)

    async def load(self) -> None:
        """Show the values of the moves, and the move played."""
        at, state, played = self.at, self.match.plies[self.at].state, self.match.actions_at(self.at)
        after = self.live.query(at + 1) if played else None
        self.verdict.text = ""
        judgement = await self.insight.show(self.live.query(at), state, played)
        faults = faults_at(at, judgement.found, played)
        if after is None or at != self.at or not faults:
            return
        self.say_faults(state, judgement, played)
        if not self.transport.playing:
            self.insight.switch.faults = {(one.seat, played[one.seat]): one.mark for one in faults}
            self.redraw()
        reply = await self.reply_at(after)
        if at == self.at:
            self.say_faults(state, judgement, played, reply)

    def say_faults(
        self, state: State, judgement: Judgement, played: dict[int, int], reply: str = ""
    ) -> None:
        """Say what is bad about the moves played in a position, and what the reply to them is."""
        found, length = judgement
        bad = {one.seat for one in faults_at(0, found, played)}
        self.verdict.text = " ".join(
            fault_text(self.match.rules, state, one, length, played[one.seat], reply)
            for one in found
            if one.seat in bad
        )

    async def reply_at(self, query: PositionQuery) -> str:
        """Say how best play goes on from a position, if that is known."""
        found = await self.server.evaluations.continuation(query)
        if found is None:
            return ""
        evaluation, length, line = found
        return reply_text(*query.decode(), evaluation, length, line)

    def save(self) -> None:
        """Download the match as a file."""
        line = write(self.reader.record(self.live))
        ui.download(f"{line}\n".encode(), f"{self.live.game.name}-{self.live.id}.jsonl")
