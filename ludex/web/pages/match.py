"""A match in the browser: the board, the legal moves, the history, and the other players."""

import json
import time

from nicegui import ui

from ludex.agents.registry import HUMAN
from ludex.core import rules as ask
from ludex.core.play import choices
from ludex.core.rules import BOTH, CHANCE
from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board, Offer, shared_offer
from ludex.web.parts.hats_panel import HatsPanel
from ludex.web.parts.invitation import Invitations
from ludex.web.parts.keyboard import share_keyboard
from ludex.web.parts.live_view import LiveView
from ludex.web.parts.manual import Numbers, manual
from ludex.web.parts.match_controls import MatchControls
from ludex.web.parts.move_log import log_of, luck_of, players_line, result_for
from ludex.web.parts.move_preview import luck_matters, preview_shapes
from ludex.web.parts.people_panel import PeoplePanel
from ludex.web.parts.program_output import ProgramOutput
from ludex.web.parts.seat_link import offer_seat, remember_seat
from ludex.web.parts.shared_screen import SharedScreen
from ludex.web.state.server_state import ServerState


class MatchPage(LiveView):
    """One browser's view of a match."""

    def __init__(self, server: ServerState, query: Query) -> None:
        live, key = server[query["name"]], query.get("key", "")
        self.screen = SharedScreen(live, key, self.schedule_refresh)
        super().__init__(server, live, key)
        self.mine = sorted(live.seats_of(key))
        self.shown, self.epoch = len(self.match.plies), live.epoch
        self.sent = self.shown - 1
        self.celebrated = self.match.over
        self.noted: tuple[object, ...] = ()  # when the note was last emptied
        offers = self.offers()
        self.drawn: tuple[object, ...] = self.drawing(offers)
        name = ask.title(self.match.rules)
        with layout.frame(name):
            with layout.div("lx-title"):
                layout.heading(name)
                self.players = ui.label(players_line(live, self.mine)).classes("lx-soft")
            if not self.mine:
                offer_seat(live)
            self.invitations = Invitations(server, live, key)
            with layout.div("lx-play"):
                left = layout.div()
                with layout.div("lx-side"):
                    with layout.sheet():
                        self.status = layout.status()
                        self.screen.add_button()
                        self.clock = layout.note()
                        self.controls = MatchControls(server, live, key)
                        self.note = self.controls.note
                        moves = layout.div("lx-moves")
                        moves.props('role="group" aria-label="Moves you may choose"')
                        self.archive_link = ui.link("", "").classes("lx-small")
                    self.people = PeoplePanel(live, key)
                    with self.people.sheet:
                        self.invitations.add_button()
                    self.numbers = Numbers(self.match.rules)
                    self.hats = HatsPanel(server, live)
                    self.add_log()
                with layout.div("lx-below"):
                    self.output = ProgramOutput(live, self.reader)
                    self.numbers.add_tables()
                    manual(self.match.rules, live.game.name, folded=True)
                with left:
                    self.board = self.make_board(name, offers, moves)
        if self.mine:
            remember_seat(live.id, key)
        else:
            self.client.on_connect(self.accept)  # programs that preview links do not connect
        self.controls.on_hint = self.board.hint
        if self.controls.switch is not None:
            self.controls.switch.board = self.board
        if live.limit is not None:
            ui.timer(0.5, self.show_clock)
        self.show_status()

    def make_board(self, name: str, offers: list[Offer], moves: ui.element) -> Board:
        """Add the board of a game at the last ply, with the moves to choose in their own place."""
        last = self.shown - 1
        shown = self.picture(last), f"The board of {name}", offers, last, self.odds_matter(offers)
        controls = self.controls.on_key, self.choose, self.preview, self.settled, self.shows
        return Board(*shown, moves).listen(*controls)

    @property
    def viewer(self) -> int:
        """The seat that the match is shown to, or SPECTATOR."""
        return self.screen.viewer

    def accept(self) -> None:
        """Go to the seat of an invitation that gives a key of its own."""
        key = self.live.accept(self.key)
        if key != self.key:
            with self.client:
                ui.navigate.to(layout.address(f"/match/{self.live.id}", key=key))

    def add_log(self) -> None:
        """Add the list of moves and the position as text."""
        with layout.sheet():
            layout.heading("Moves", 2)
            self.log = ui.html(sanitize=False, tag="ol").classes("lx-log")
            self.log.props('tabindex="0" aria-label="Moves so far"')
            layout.note("The position as text").style("margin-top: 0.6rem")
            self.where = ui.label().classes("lx-soft lx-mono")
            self.where.style("overflow-wrap: anywhere")

    def offers(self) -> list[Offer]:
        """Return the actions this browser may choose now."""
        rules, state = self.match.rules, self.match.state
        offered = [
            Offer(seat, action, ask.label(rules, state, action))
            for seat in self.screen.seats_to_move()
            for action in choices(rules, state, seat)
        ]
        if share_keyboard(rules, self.mine) and not self.screen.is_shared:
            return [shared_offer(one, ask.seat_name(rules, one.seat)) for one in offered]
        return offered

    def drawing(self, offers: list[Offer]) -> tuple[object, ...]:
        """Return what the board shows: it is drawn again if that changes."""
        names = tuple(self.live.people.names.items())
        plies, over = len(self.match.plies), self.match.over
        return self.live.epoch, plies, over, offers, names, self.viewer

    def odds_matter(self, offers: list[Offer]) -> bool:
        """Return whether to show odds before a choice; what is hidden may change them."""
        rules, state = self.match.rules, self.match.state
        return not self.live.hides and any(luck_matters(rules, state, one.action) for one in offers)

    async def show_changes(self) -> None:
        """Show every ply since the last refresh."""
        plies, rules = self.match.plies, self.match.rules
        if self.live.epoch != self.epoch:
            self.epoch, self.shown = self.live.epoch, len(plies)
        moving, offers = 0.0, self.offers()
        drawn = self.drawing(offers)
        if drawn == self.drawn:  # somebody came or went: the focus on the board stays
            self.people.refresh()
            self.invitations.refresh()
            self.show_status_after(moving)
            return
        self.drawn = drawn
        for number in range(min(self.shown, len(plies) - 1), len(plies)):
            last, fresh = number == len(plies) - 1, number >= max(self.shown, 1)
            pace = 900 if ask.turn(rules, plies[number].state) == CHANCE else 450
            moving += self.board.show(
                self.picture(number),
                offers if last else (),
                number,
                pace if fresh else 0,
                last and self.odds_matter(offers),
                self.transition_scenes(number) if fresh else (),
            )
        first, rested = self.shown, self.settling is None
        self.shown, self.sent = len(plies), len(plies) - 1
        self.show_status_after(moving)
        if rested:
            self.shows(first, 0)  # before the board says so
        await self.controls.show_values()

    def name_move(self, ply: int) -> None:
        """Say who made the move of a ply, and which."""
        made = self.match.labels_by_seat(ply)
        names = [
            self.live.name(seat) if seat >= 0 else luck_of(self.match, ply) for seat, _ in made
        ]
        self.status.text = layout.capitalize(
            ", ".join(f"{who}: {one[1]}" for who, one in zip(names, made, strict=True))
        )
        self.status.classes(remove="lx-yours")

    def show_status(self) -> None:
        """Show the state of the match."""
        live, asked = self.live, self.screen.seats_to_move()
        self.screen.refresh()
        self.status.text, self.players.text = self.status_text(), players_line(self.live, self.mine)
        self.status.classes(**{"add" if asked else "remove": "lx-yours"})
        self.status.classes(**{"add" if self.match.over else "remove": "lx-finished"})
        self.log.content = log_of(self.match)
        self.where.text = ask.position(self.match.rules, self.match.state)
        self.board.set_inactive(live.ended_early)
        stage = live.epoch, len(self.match.plies), self.match.over, live.storage_error
        if stage != self.noted:  # a hint stays when somebody merely comes or goes
            self.noted = stage
            self.note.text, self.controls.effect.text = live.storage_error, ""
            self.numbers.forget()
        self.archive_link.set_visibility(bool(live.stored_as))
        if live.stored_as:
            day = layout.date_text(live.ended)
            self.archive_link.text = f"Saved as match {live.stored_as}, {day}: watch it again"
            self.archive_link.props["href"] = f"/watch/record/{live.stored_as}"
        self.hats.refresh()
        self.output.refresh()
        self.people.refresh()
        self.controls.refresh()
        self.show_clock()
        self.invitations.refresh()
        if self.match.over and not self.celebrated:
            self.celebrate()
        self.celebrated = self.match.over

    def celebrate(self) -> None:
        """Let the winner's plate glow, with confetti if the winner plays in this browser."""
        if winners := self.winners():
            here = json.dumps(any(seat in self.mine for seat in winners))
            ui.run_javascript(f"lx.celebrate({self.board.id}, {winners}, {here})")

    def status_text(self) -> str:
        """Return the status line above the moves."""
        live = self.live
        if self.match.over:
            return result_for(live, self.key, self.reader.words(live))
        for seat in self.screen.covered:
            return f"{live.name(seat)} is next; the others look away"
        waiting = [seat for seat, future in live.pending.items() if not future.done()]
        seats = self.screen.seats_to_move() or waiting
        names = " and ".join(live.name(seat) for seat in seats)
        if self.screen.seats_to_move():
            prompt = ask.prompt(self.match.rules, self.match.state)
            return f"Your turn, {names}{f': {prompt}' if prompt else ''}"
        chosen = "You have chosen. " if set(live.pending) & set(self.mine) else ""
        if waiting:
            return f"{chosen}Waiting for {names}"
        agents = [live.name(seat) for seat in self.match.choosers if live.agents[seat] != HUMAN]
        if not agents:
            return "Thinking …"
        return f"{chosen}{' and '.join(agents)} {'are' if len(agents) > 1 else 'is'} thinking …"

    def show_clock(self) -> None:
        """Show the seconds left."""
        left = self.live.deadline
        self.clock.text = "" if left is None else f"{max(0.0, left - time.time()):.0f} s left"

    def choose(self, seat: int, action: int, ply: int) -> None:
        """Choose an action; if it is refused, show how the match stands."""
        with layout.errors_shown():
            self.live.choose(self.key, seat, action, ply)
        self.drawn = ()  # the board offers nothing until it is told to
        self.schedule_refresh()

    def preview(self, seat: int, action: int) -> None:
        """Show what an action would do: where it leads, how likely, and with what effect."""
        rules, state = self.match.rules, self.match.state
        offered = seat in self.screen.seats_to_move()
        if not offered or action not in choices(rules, state, seat):
            return
        words = ask.label(rules, state, action)
        self.numbers.show(words)
        if ask.turn(rules, state) == BOTH or self.live.hides:
            return  # it depends on the other seat, or on what is hidden
        self.board.overlay(preview_shapes(rules, state, action))
        effects = " ".join(ask.events(rules, state, action))
        self.controls.effect.text = f"{layout.capitalize(words)}: {effects}" if effects else ""
