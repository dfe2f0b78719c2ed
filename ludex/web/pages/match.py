"""A match in the browser: the board, the legal moves, the history, and the other players."""

import asyncio
import contextlib
import time

from nicegui import ui

from ludex.agents.registry import HUMAN
from ludex.core.play import choices
from ludex.core.rules import CHANCE, between, label, position, scene, seat_name, title, turn
from ludex.core.scene import Scene, at_rest
from ludex.web.pages.page import Query
from ludex.web.pages.setup import GUEST, YOU
from ludex.web.parts import layout
from ludex.web.parts.board import Board, Offer, shared_offer
from ludex.web.parts.hats_panel import HatsPanel
from ludex.web.parts.invitation import Invitation
from ludex.web.parts.keyboard import keys_line, share_keyboard
from ludex.web.parts.manual import Numbers, manual
from ludex.web.parts.move_log import log_of, public_agents
from ludex.web.state.access import Refused
from ludex.web.state.catalogue import texts_of, write_rules
from ludex.web.state.chance_preview import luck_matters, odds_shapes
from ludex.web.state.server_state import ServerState

REFRESH_DELAY = 0.01  # seconds within which changes are shown together
CONFIRM_SECONDS = 5.0  # within which a second press resigns


class MatchPage:
    """One browser's view of a match."""

    def __init__(self, server: ServerState, query: Query) -> None:
        live, key = server[query["name"]], query.get("key", "")
        self.server, self.live, self.match, self.key = server, live, live.match, key
        self.mine = sorted(live.seats_of(key))
        self.shown, self.epoch = len(self.match.plies), live.epoch
        self.client, self.stale = ui.context.client, False
        self.resign_pressed = -CONFIRM_SECONDS  # when Resign was last pressed
        name = title(self.match.rules)
        with layout.frame(name):
            with ui.element("div").classes("lx-title"):
                layout.heading(name)
                ui.label(self.players_line()).classes("lx-soft")
            with ui.element("div").classes("lx-play"):
                left = ui.element("div")
                with ui.element("div").classes("lx-side"):
                    with layout.sheet():
                        self.status = ui.label().classes("lx-status").props('aria-live="polite"')
                        self.clock = ui.label().classes("lx-soft lx-small")
                        self.note = ui.label().classes("lx-soft lx-small")
                        self.archive_link = ui.link("", "").classes("lx-small")
                        moves = ui.element("div").classes("lx-moves")
                        moves.props('role="group" aria-label="Moves you may choose"')
                        self.buttons()
                    if live.guests and self.key == live.owner:
                        self.invite()
                    self.numbers = Numbers(self.match.rules)
                    self.hats = HatsPanel(server, live)
                    with layout.sheet():
                        layout.heading("Moves", 2)
                        self.log = ui.html(sanitize=False, tag="ol").classes("lx-log")
                        self.log.props('tabindex="0" aria-label="Moves so far"')
                        words = "The position as text"
                        ui.label(words).classes("lx-soft lx-small").style("margin-top: 0.6rem")
                        self.where = ui.label().classes("lx-soft lx-mono")
                        self.where.style("overflow-wrap: anywhere")
                with ui.element("div").classes("lx-below"):
                    self.numbers.add_tables()
                    manual(self.match.rules, folded=True)
                with left:
                    self.board = Board(
                        self.picture(len(self.match.plies) - 1),
                        f"The board of {name}",
                        self.offers(),
                        self.shown - 1,
                        self.odds_matter(),
                        moves,
                    ).listen(self.on_key, self.choose, self.preview)
        if live.limit is not None:
            ui.timer(0.5, self.tick)
        live.listeners.append(self.schedule_refresh)
        self.client.on_delete(self.leave)
        self.show_status()

    def players_line(self) -> str:
        """Return one line with the players."""
        people = {HUMAN: "a person"}
        names = [
            f"{seat_name(self.match.rules, seat)}:"
            f" {'you' if seat in self.mine else people.get(text, text)}"
            for seat, text in enumerate(public_agents(self.live))
        ]
        changed = write_rules(texts_of(self.match.rules))
        return ", ".join(names) + (f" ({changed[:80]})" if changed else "")

    def buttons(self) -> None:
        """Add the buttons below the moves."""
        with ui.element("div").classes("lx-bar").style("margin-top: 0.9rem"):
            if self.mine:
                self.undo_button = layout.secondary("Undo", self.undo, "undo")
                self.hint_button = layout.secondary("Hint", self.hint, "lightbulb")
                self.resign_button = layout.secondary("Resign", self.resign, "flag")
                self.again_button = layout.primary("Again", self.rematch, "replay")
            layout.secondary("New", lambda: ui.navigate.to(self.setup_address()), "add")
            analyse = layout.secondary("Understand", self.understand, "insights")
            analyse.props('aria-label="Understand this match"')
        if self.mine:
            line = keys_line(self.match.rules, self.match.plies[0].state, self.mine)
            ui.label(line).classes("lx-soft lx-small lx-keys").style("margin-top: 0.7rem")

    def setup_address(self) -> str:
        """Return the address of a form filled in as for this match."""
        live, owned = self.live, self.live.keys.get(self.live.owner, set())
        who = [
            (YOU if seat in owned else GUEST) if text == HUMAN else text
            for seat, text in enumerate(live.requested_agents)
        ]
        return layout.address(
            f"/play/{live.game.name}",
            rules=write_rules(texts_of(self.match.rules)),
            who="|".join(who),
            limit="" if live.limit is None else f"{live.limit:g}",
        )

    def invite(self) -> None:
        """Show the links for guests."""
        with layout.sheet():
            layout.heading("Invite", 2)
            for seat, key in self.live.guests.items():
                words = f"Whoever opens this link is {seat_name(self.match.rules, seat)}:"
                Invitation(words, layout.address(f"/match/{self.live.id}", key=key))

    # Display. ----------------------------------------------------------------------------------

    def offers(self) -> list[Offer]:
        """Return the actions this browser may choose now."""
        live = self.live
        offered = [
            Offer(seat, action, label(self.match.rules, self.match.state, action))
            for seat in live.seats_to_move(self.key)
            for action in choices(self.match.rules, self.match.state, seat)
        ]
        if share_keyboard(self.match.rules, self.mine):
            return [shared_offer(one, seat_name(self.match.rules, one.seat)) for one in offered]
        return offered

    def picture(self, number: int) -> Scene:
        """Return the scene of a ply; a match that ended early shows no choices."""
        ply = self.match.plies[number]
        seen = scene(self.match.rules, ply.state, ply.move)
        return at_rest(seen) if self.live.ended_early else seen

    def odds_matter(self) -> bool:
        """Return whether to show odds before a choice."""
        return any(
            luck_matters(self.match.rules, self.match.state, one.action) for one in self.offers()
        )

    def schedule_refresh(self) -> None:
        """Schedule a refresh; changes in quick succession share one."""
        if not self.stale:
            self.stale = True
            asyncio.get_running_loop().call_later(REFRESH_DELAY, self.refresh)

    def refresh(self) -> None:
        """Show everything since the last refresh."""
        live = self.live
        self.stale = False
        if self.client.is_deleted:
            return
        with self.client:
            if live.epoch != self.epoch:
                self.epoch, self.shown = live.epoch, len(self.match.plies)
            first = min(self.shown, len(self.match.plies) - 1)
            for number in range(first, len(self.match.plies)):
                last = number == len(self.match.plies) - 1
                ply = self.match.plies[number]
                waits = 900 if turn(self.match.rules, ply.state) == CHANCE else 450
                fresh = number >= max(self.shown, 1)
                before = self.match.plies[number - 1].state
                self.board.show(
                    self.picture(number),
                    self.offers() if last else (),
                    number,
                    waits if fresh else 0,
                    last and self.odds_matter(),
                    between(self.match.rules, before, ply.move) if fresh else (),
                )
            self.shown = len(self.match.plies)
            self.show_status()

    def show_status(self) -> None:
        """Show the state of the match."""
        live = self.live
        self.status.text = self.status_text()
        self.status.classes(add="lx-yours" if live.seats_to_move(self.key) else "")
        if not live.seats_to_move(self.key):
            self.status.classes(remove="lx-yours")
        self.log.content = log_of(self.match)
        self.where.text = position(self.match.rules, self.match.state)
        self.show_archive()
        self.hats.refresh()
        if self.mine:
            asked = bool(live.seats_to_move(self.key))
            self.hint_button.set_enabled(asked)
            self.resign_button.set_visibility(not self.match.over)
            self.again_button.set_visibility(self.match.over)
            self.again_button.text = "Join the next match" if live.successor else "Again"
            fixed = bool(live.guests) or live.limit is not None
            self.undo_button.set_enabled(len(self.match.plies) > 1 and not fixed)
        self.tick()

    def show_archive(self) -> None:
        """Deactivate the board of a match that ended early, and link to the stored match."""
        live = self.live
        self.board.set_inactive(live.ended_early)
        self.note.text = live.storage_error
        self.archive_link.set_visibility(bool(live.stored_as))
        if live.stored_as:
            self.archive_link.text = f"Kept as match {live.stored_as}: look at it again"
            self.archive_link.props["href"] = f"/watch/record/{live.stored_as}"

    def status_text(self) -> str:
        """Return the status line above the moves."""
        live = self.live
        if self.match.over:
            return live.result_for(self.key)
        asked = live.seats_to_move(self.key)
        if asked:
            names = " and ".join(seat_name(self.match.rules, seat) for seat in asked)
            return f"Your turn, {names}"
        waiting = [seat for seat, future in live.pending.items() if not future.done()]
        if waiting:
            names = " and ".join(seat_name(self.match.rules, seat) for seat in waiting)
            chosen = "You have chosen. " if set(live.pending) & set(self.mine) else ""
            return f"{chosen}Waiting for {names}"
        return "Thinking …"

    def tick(self) -> None:
        """Show the clock."""
        left = self.live.deadline
        self.clock.text = "" if left is None else f"{max(0.0, left - time.time()):.0f} s left"

    # Actions. ---------------------------------------------------------------------------------

    def choose(self, seat: int, action: int, ply: int) -> None:
        """Choose an action."""
        with self.show_refusals():
            self.live.choose(self.key, seat, action, ply)

    def undo(self) -> None:
        """Take back the last move."""
        with self.show_refusals():
            self.live.take_back(self.key)

    def resign(self) -> None:
        """Resign on the second press."""
        if time.monotonic() - self.resign_pressed > CONFIRM_SECONDS:
            self.resign_pressed = time.monotonic()
            self.resign_button.text = "Really resign?"
            ui.timer(CONFIRM_SECONDS, self.cancel_resign, once=True)
            return
        self.cancel_resign()
        with self.show_refusals():
            self.live.resign(self.key)

    def cancel_resign(self) -> None:
        """Forget the first press of Resign."""
        self.resign_pressed = -CONFIRM_SECONDS
        self.resign_button.text = "Resign"

    async def rematch(self) -> None:
        """Start the next match with the same players."""
        with layout.errors_shown(), layout.busy(self.again_button):
            new = await self.server.rematch(self.live)
            key = new.owner if self.key == self.live.owner else new.guests.get(self.mine[0], "")
            ui.navigate.to(layout.address(f"/match/{new.id}", key=key))

    def understand(self) -> None:
        """Open the viewer of this match."""
        number = len(self.match.plies) - 1
        ui.navigate.to(layout.address(f"/watch/match/{self.live.id}", ply=str(number)))

    @contextlib.contextmanager
    def show_refusals(self):  # type: ignore[no-untyped-def]
        """Show why an action was refused, and the current state of the match."""
        try:
            yield
        except Refused as error:
            layout.show_error(error)
            self.refresh()

    async def hint(self) -> None:
        """Highlight a best move."""
        live, ply = self.live, len(self.match.plies)
        asked = live.seats_to_move(self.key)
        if not asked:
            return
        self.note.text = "Looking ahead …"
        try:
            found = await self.server.hint(live.query(), self.note_compiling)
        except ValueError as error:
            self.note.text = str(error)
            return
        evaluation = next((one for one in found if one.seat == asked[0]), None)
        if len(self.match.plies) != ply or evaluation is None:
            return
        shares = evaluation.policy or evaluation.values
        action = max(shares, key=lambda one: shares[one])
        words = label(self.match.rules, self.match.state, action)
        worth = evaluation.values.get(action, evaluation.value)
        self.note.text = f"Hint: {words}, worth {worth:+.2f} to you ({evaluation.how})."
        self.board.hint(asked[0], action)

    def note_compiling(self, game: str) -> None:
        """Show that a hint waits for compilation."""
        if not self.client.is_deleted:
            self.note.text = f"Preparing, once: compiling {game or 'what it needs'} …"

    def preview(self, seat: int, action: int) -> None:
        """Show the odds of an action before it is chosen."""
        live = self.live
        if seat not in live.seats_to_move(self.key) or action not in choices(
            self.match.rules, self.match.state, seat
        ):
            return
        self.numbers.show(label(self.match.rules, self.match.state, action))
        if luck_matters(self.match.rules, self.match.state, action):
            self.board.overlay(odds_shapes(self.match.rules, self.match.state, action))

    async def on_key(self, key: str) -> None:
        """Handle a shortcut key."""
        if not self.mine:
            return
        if key == "u":
            self.undo()
        elif key == "h":
            await self.hint()

    def leave(self) -> None:
        """Remove the listener."""
        if self.schedule_refresh in self.live.listeners:
            self.live.listeners.remove(self.schedule_refresh)
