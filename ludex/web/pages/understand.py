"""Explore a game from a position, with the value of every move."""

import json
from contextlib import suppress
from typing import Any

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.core import rules as ask
from ludex.core.play import choices, legal_moves, position_parts
from ludex.core.rules import BOTH, CHANCE, NO_MOVE, OVER, Rules, State
from ludex.core.scene import Scene
from ludex.core.variants import rule_table, single_rules
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board, Offer
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.field_errors import FieldError, errors_below
from ludex.web.parts.insight import Insight
from ludex.web.parts.keyboard import keys_line
from ludex.web.state.catalogue import parse_rules, rules_text
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery


def position_help(rules: Rules) -> str:
    """Return one line about how a position is written, with the first one as the example."""
    parts, example = position_parts(rules), ask.position(rules, ask.initial(rules))
    seat = next((one for one in parts if one.upper() == "SEAT"), "")
    who = f". {seat} 0 is {ask.seat_name(rules, 0)}" if seat else ""
    return f"{' '.join(parts)}, for example {example}{who}" if parts else f"For example {example}"


class Explorer(GamePage):
    """A line of play in which one person chooses for all seats and for chance."""

    path = "/understand"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        rules = self.rules
        try:
            state = server.parse_position(rules, query.get("position", ""))
        except ValueError as error:
            example = ask.position(rules, ask.initial(rules))
            raise ValueError(f"{error}; for example {example!r}") from error
        # The states visited, each with the move that led to it, and the one shown; the history of
        # the browser has the same.
        self.visited: list[tuple[Any, int]] = [(state, NO_MOVE)]
        self.at = 0
        self.half: int | None = None  # the choice of seat 0 at a simultaneous move
        lead = "Choose every player's moves, and chance too, and see what each move is worth."
        with layout.frame(f"Understand {ask.title(rules)}", "/understand", lead):
            with layout.row("1.1rem").style("margin-bottom: 1.1rem"):
                self.game_picker()
            with layout.div("lx-play"):
                holder = layout.div()
                with layout.div("lx-side"):
                    with layout.sheet():
                        self.status = layout.status()
                        moves = layout.div("lx-moves")
                        moves.props('role="group" aria-label="Moves"')
                        with layout.row("0.9rem"):
                            self.back_button = layout.secondary("Back", self.back, "undo")
                            words = "Play from here"
                            self.play_button = layout.secondary(words, self.play, "play_arrow")
                        keys = keys_line(rules, state, [], "U goes back.")
                        layout.note(keys).classes("lx-keys").style("margin-top: 0.7rem")
                    self.insight = Insight(
                        server, BrowserReader(server), self.game, rules, values_on=True
                    )
                with layout.div("lx-below"):
                    self.insight.tree()
                    self.add_fields()
                with holder:
                    name = f"The board of {ask.title(rules)}"
                    board = Board(ask.scene(rules, state), name, self.offers(), list_in=moves)
                    self.board = board.listen(self.on_key, self.choose)
                    self.insight.switch.board = self.board
        given = json.dumps(query.get("position", ""))
        ui.run_javascript(f"lx.startHistory({given})")
        ui.on("history", self.travel)
        self.show_status()

    def add_fields(self) -> None:
        """Add the fields for the position and the rules, each with its help."""
        rules = self.rules
        with layout.sheet():
            layout.heading("Position and rules", 2)
            fields = layout.row().style("align-items: flex-start")
        with fields:
            self.position = ui.input("position").props("outlined dense input-class=lx-mono")
            self.position.style("flex: 1 1 16rem").on("keydown.enter", self.jump)
            self.changes = ui.input("rules", value=rules_text(rules).replace(";", " "))
            self.changes.props('outlined dense placeholder="the usual ones" input-class=lx-mono')
            self.changes.props("bottom-slots")
            self.changes.style("flex: 1 1 12rem").on("keydown.enter", self.jump)
            some = ", ".join(list(single_rules(rules))[:6])
            more = " and more" if len(rule_table(rules)) > 6 else ""
            words = f"NAME=VALUE, separated by spaces. Available: {some}{more}."
            with self.changes.add_slot("hint"):
                ui.label(words).style("display: inline")
                ui.link("See all rules", self.address("/rules")).style("margin-left: 0.4rem")
            layout.secondary("Show", self.jump)

    @property
    def state(self) -> Any:
        """The current state."""
        return self.visited[self.at][0]

    @property
    def chooser(self) -> int:
        """The seat to choose, one after the other at a simultaneous move; CHANCE or OVER."""
        mover = ask.turn(self.rules, self.state)
        return int(self.half is not None) if mover == BOTH else mover

    def offers(self) -> list[Offer]:
        """Return every action or outcome possible here."""
        rules, state, seat = self.rules, self.state, self.chooser
        if seat == OVER:
            return []
        if seat == CHANCE:
            odds = {one: 100 * ask.chance(rules, state, one) for one in legal_moves(rules, state)}
            return [
                Offer(-1, one, f"{ask.label(rules, state, one)} ({percent:.3g} %)")
                for one, percent in odds.items()
            ]
        actions = choices(rules, state, seat)
        return [Offer(seat, one, ask.label(rules, state, one)) for one in actions]

    async def choose(self, seat: int, action: int, ply: int) -> None:
        """Play an action or outcome."""
        if (seat, action) not in [offer[:2] for offer in self.offers()]:
            return
        if ask.turn(self.rules, self.state) == BOTH:
            if self.half is None:
                self.half = action
                await self.refresh(same=True)
                return
            action, self.half = int(ask.pair(self.half, action)), None
        way = ask.between(self.rules, self.state, action)
        await self.visit(ask.apply(self.rules, self.state, action), action, way)

    async def visit(self, state: State, move: int, through: tuple[Scene, ...] = ()) -> None:
        """Go on to a state that a move leads to, and add it to the history."""
        self.visited[self.at + 1 :] = [(state, move)]
        self.at, self.half = self.at + 1, None
        where = "" if state == ask.initial(self.rules) else ask.position(self.rules, state)
        address = json.dumps(self.address(position=where))
        ui.run_javascript(f"lx.pushHistory({self.at}, {address})")
        await self.refresh(through=through)

    async def back(self) -> None:
        """Go one position back; a single choice of a simultaneous move is taken back first."""
        if self.half is None and self.at > 0:
            self.at -= 1
            ui.run_javascript(f"lx.goInHistory({self.at})")
        self.half = None
        await self.refresh()

    async def travel(self, event: GenericEventArguments) -> None:
        """Show the position to which the browser went back or forward.

        After a reload the page does not know it, and begins a new list.
        """
        match event.args:
            case [int(step), str(position)]:
                pass
            case _:
                return
        with suppress(FieldError), errors_below(self.position):
            state = self.server.parse_position(self.rules, position)
            if 0 <= step < len(self.visited) and self.visited[step][0] == state:
                self.at = step
            else:
                self.visited, self.at = [(state, NO_MOVE)], 0
                ui.run_javascript("lx.numberHistory(0)")
            self.half = None
            await self.refresh()

    async def on_key(self, key: str) -> None:
        """Handle a shortcut key."""
        if key == "u":
            await self.back()

    async def jump(self) -> None:
        """Go to the position and rules typed in the fields."""
        typed = str(self.position.value or "").strip()
        self.position.error = None
        with suppress(FieldError), errors_below(self.changes):
            given = parse_rules(str(self.changes.value or "").replace(" ", ";"))
            rules = self.server.catalogue.rules(self.game, given)
            if rules != self.rules and not self.stays(rules, typed):
                typed = ""
            with errors_below(self.position):
                state = self.server.parse_position(rules, typed)
                if rules != self.rules:
                    ui.navigate.to(self.address(rules=rules, position=typed))
                    return
                await self.visit(state, NO_MOVE)

    def stays(self, rules: Rules, typed: str) -> bool:
        """Return whether a position is kept under other rules: if it was typed, or is valid."""
        if typed != ask.position(self.rules, self.state):
            return True
        try:
            self.server.parse_position(rules, typed)
        except ValueError:
            return False
        return bool(self.state != ask.initial(self.rules))

    def play(self) -> None:
        """Open the form for a match from here."""
        here = ask.position(self.rules, self.state)
        ui.navigate.to(self.address("/play", position=here))

    async def refresh(self, same: bool = False, through: tuple[Scene, ...] = ()) -> None:
        """Show the current position, and the scenes of the transition to it."""
        here = ask.scene(self.rules, *self.visited[self.at])
        self.board.show(here, self.offers(), self.at, through=through)
        self.show_status()
        if same:
            self.insight.switch.redraw()
        else:
            await self.load()

    def show_status(self) -> None:
        """Show whose turn it is, and the position as text."""
        rules, state, seat = self.rules, self.state, self.chooser
        if seat == OVER:
            returns = [ask.returns(rules, state, seat) for seat in range(ask.seats(rules))]
            winner = ask.seat_name(rules, returns.index(max(returns)))
            words = "A draw" if max(returns) == min(returns) else f"{winner} wins"
        elif seat == CHANCE:
            words = "Chance: choose what happens"
        else:
            words = f"{ask.seat_name(rules, seat)} to choose"
        self.status.text = words
        self.back_button.set_enabled(self.at > 0 or self.half is not None)
        self.play_button.set_enabled(seat != OVER)
        self.position.value = ask.position(rules, state)
        self.position.props["hint"] = position_help(rules)

    async def load(self) -> None:
        """Show the values of the moves."""
        source = self.server.catalogue[self.game].source
        query = PositionQuery.of(source, self.rules, self.state)
        await self.insight.show(query, self.state, {})
