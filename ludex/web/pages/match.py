"""A match in the browser: the board, the legal moves, the history, and the other players."""

import json
import time

from nicegui import ui

from ludex.core import rules as ask
from ludex.core.play import choices
from ludex.core.rules import BOTH, CHANCE
from ludex.core.scene import Scene
from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board, Offer, shared_offer
from ludex.web.parts.hats_panel import HatsPanel
from ludex.web.parts.invitation import Invitations
from ludex.web.parts.keyboard import share_keyboard
from ludex.web.parts.live_view import LiveView
from ludex.web.parts.manual import Numbers, manual
from ludex.web.parts.match_controls import MatchControls
from ludex.web.parts.move_log import log_of, players_line
from ludex.web.parts.move_preview import luck_matters, preview_shapes
from ludex.web.parts.people_panel import PeoplePanel
from ludex.web.parts.program_output import ProgramOutput
from ludex.web.state.server_state import ServerState


class MatchPage(LiveView):
    """One browser's view of a match."""

    def __init__(self, server: ServerState, query: Query) -> None:
        live, key = server[query["name"]], query.get("key", "")
        super().__init__(server, live, key)
        self.mine = sorted(live.seats_of(key))
        self.shown, self.epoch = len(self.match.plies), live.epoch
        self.celebrated = self.match.over
        self.noted: tuple[object, ...] = ()  # when the note was last emptied
        offers = self.offers()
        self.drawn: tuple[object, ...] = live.epoch, self.shown, self.match.over, offers
        name = ask.title(self.match.rules)
        with layout.frame(name):
            with layout.div("lx-title"):
                layout.heading(name)
                ui.label(players_line(live, self.mine)).classes("lx-soft")
            with layout.div("lx-play"):
                left = layout.div()
                with layout.div("lx-side"):
                    with layout.sheet():
                        self.status = layout.status()
                        self.clock = layout.note()
                        self.controls = MatchControls(server, live, key)
                        self.note = self.controls.note
                        moves = layout.div("lx-moves")
                        moves.props('role="group" aria-label="Moves you may choose"')
                        self.archive_link = ui.link("", "").classes("lx-small")
                    self.invitations = Invitations(server, live, key)
                    self.people = PeoplePanel(live, key)
                    self.numbers = Numbers(self.match.rules)
                    self.hats = HatsPanel(server, live)
                    with layout.sheet():
                        layout.heading("Moves", 2)
                        self.log = ui.html(sanitize=False, tag="ol").classes("lx-log")
                        self.log.props('tabindex="0" aria-label="Moves so far"')
                        layout.note("The position as text").style("margin-top: 0.6rem")
                        self.where = ui.label().classes("lx-soft lx-mono")
                        self.where.style("overflow-wrap: anywhere")
                with layout.div("lx-below"):
                    self.output = ProgramOutput(live)
                    self.numbers.add_tables()
                    manual(self.match.rules, live.game.name, folded=True)
                with left:
                    self.board = Board(
                        self.picture(self.shown - 1),
                        f"The board of {name}",
                        offers,
                        self.shown - 1,
                        self.odds_matter(offers),
                        moves,
                    ).listen(self.controls.on_key, self.choose, self.preview, self.settled)
        self.controls.on_hint = self.board.hint
        if self.controls.switch is not None:
            self.controls.switch.board = self.board
        if live.limit is not None:
            ui.timer(0.5, self.show_clock)
        self.show_status()

    def picture(self, number: int) -> Scene:
        """Return the scene of a ply."""
        return self.mark_own_plate(super().picture(number))

    def mark_own_plate(self, scene: Scene) -> Scene:
        """Return a scene with "(you)" on the plate of the one who plays here."""
        names = {f"seat-{seat + 1}-name" for seat in self.mine} if len(self.mine) == 1 else set()
        shapes = (
            one._replace(text=f"{one.text} (you)") if one.id in names else one
            for one in scene.shapes
        )
        return scene._replace(shapes=tuple(shapes))

    def offers(self) -> list[Offer]:
        """Return the actions this browser may choose now."""
        rules, state = self.match.rules, self.match.state
        offered = [
            Offer(seat, action, ask.label(rules, state, action))
            for seat in self.live.seats_to_move(self.key)
            for action in choices(rules, state, seat)
        ]
        if share_keyboard(rules, self.mine):
            return [shared_offer(one, ask.seat_name(rules, one.seat)) for one in offered]
        return offered

    def odds_matter(self, offers: list[Offer]) -> bool:
        """Return whether to show odds before a choice."""
        rules, state = self.match.rules, self.match.state
        return any(luck_matters(rules, state, one.action) for one in offers)

    async def show_changes(self) -> None:
        """Show every ply since the last refresh."""
        plies, rules = self.match.plies, self.match.rules
        if self.live.epoch != self.epoch:
            self.epoch, self.shown = self.live.epoch, len(plies)
        moving, offers = 0.0, self.offers()
        drawn = self.epoch, len(plies), self.match.over, offers
        if drawn == self.drawn:  # somebody came or went: the focus on the board stays
            self.show_status_after(moving)
            return
        self.drawn = drawn
        for number in range(min(self.shown, len(plies) - 1), len(plies)):
            last, fresh = number == len(plies) - 1, number >= max(self.shown, 1)
            ply, before = plies[number], plies[number - 1].state
            pace = 900 if ask.turn(rules, ply.state) == CHANCE else 450
            moving += self.board.show(
                self.picture(number),
                offers if last else (),
                number,
                pace if fresh else 0,
                last and self.odds_matter(offers),
                map(self.mark_own_plate, ask.between(rules, before, ply.move) if fresh else ()),
            )
        self.shown = len(plies)
        self.controls.refresh()
        self.show_status_after(moving)
        await self.controls.show_values()

    def show_status(self) -> None:
        """Show the state of the match."""
        live, asked = self.live, self.live.seats_to_move(self.key)
        self.status.text = self.status_text()
        self.status.classes(**{"add" if asked else "remove": "lx-yours"})
        self.log.content = log_of(self.match)
        self.where.text = ask.position(self.match.rules, self.match.state)
        self.board.set_inactive(live.ended_early)
        stage = live.epoch, len(self.match.plies), self.match.over, live.storage_error
        if stage != self.noted:  # a hint stays when somebody merely comes or goes
            self.noted = stage
            self.note.text, self.controls.effect.text = live.storage_error, ""
        self.archive_link.set_visibility(bool(live.stored_as))
        if live.stored_as:
            self.archive_link.text = f"Saved as match {live.stored_as}: watch it again"
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
        returns = self.match.returns
        if max(returns) > min(returns):
            winners = [seat for seat, value in enumerate(returns) if value == max(returns)]
            here = json.dumps(any(seat in self.mine for seat in winners))
            ui.run_javascript(f"lx.celebrate({self.board.id}, {winners}, {here})")

    def status_text(self) -> str:
        """Return the status line above the moves."""
        live = self.live
        if self.match.over:
            return live.result_for(self.key)
        waiting = [seat for seat, future in live.pending.items() if not future.done()]
        seats = live.seats_to_move(self.key) or waiting
        names = " and ".join(ask.seat_name(self.match.rules, seat) for seat in seats)
        if live.seats_to_move(self.key):
            return f"Your turn, {names}"
        chosen = "You have chosen. " if set(live.pending) & set(self.mine) else ""
        return f"{chosen}Waiting for {names}" if waiting else "Thinking …"

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
        offered = seat in self.live.seats_to_move(self.key)
        if not offered or action not in choices(rules, state, seat):
            return
        words = ask.label(rules, state, action)
        self.numbers.show(words)
        if ask.turn(rules, state) == BOTH:
            return  # it depends on the other seat
        self.board.overlay(preview_shapes(rules, state, action))
        effects = " ".join(ask.events(rules, state, action))
        self.controls.effect.text = f"{layout.capitalize(words)}: {effects}" if effects else ""
