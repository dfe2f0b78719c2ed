"""Explore a game from a position, with the value of every move."""

from typing import Any

from nicegui import ui

from ludex.core import rules as ask
from ludex.core.play import choices, legal_moves
from ludex.core.rules import BOTH, CHANCE, NO_MOVE, OVER, Rules
from ludex.core.scene import Scene
from ludex.core.variants import rule_table, single_rules
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.parts.board import Board, Offer
from ludex.web.parts.insight import Insight
from ludex.web.parts.layout import address, frame, heading, lead, secondary, sheet, show_error
from ludex.web.state.catalogue import parse_rules, texts_of, write_rules
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery


def register(server: ServerState) -> None:
    """Register the pages."""
    game_page(server, "/understand", show)


async def show(server: ServerState, game: str, rules: Rules, query: Query) -> None:
    """Show a position, and evaluate it once the browser is connected."""
    page = Explorer(server, game, rules, query.get("position", ""))
    await ui.context.client.connected()
    await page.explain()


class Explorer:
    """A line of play in which one person chooses for all seats and for chance."""

    def __init__(self, server: ServerState, game: str, rules: Rules, start: str) -> None:
        self.server, self.game, self.rules = server, game, rules
        state = server.parse_position(rules, start) or ask.initial(rules)
        self.line: list[tuple[Any, int]] = [(state, NO_MOVE)]
        self.half: int | None = None  # the choice of seat 0 at a simultaneous move
        with frame(f"Understand {ask.title(rules)}", "/understand"):
            heading("Understand")
            lead("Choose for everybody, luck included, and see what each move is worth.")
            with ui.element("div").classes("lx-bar").style("margin: 1.1rem 0"):
                game_picker(server, game, "/understand")
                self.position = ui.input("position").props("outlined dense").classes("lx-mono")
                self.position.style("flex: 1 1 16rem").on("keydown.enter", self.jump)
                self.changes = ui.input(
                    "rules", value=write_rules(texts_of(rules)).replace(";", " ")
                )
                self.changes.props('outlined dense placeholder="the usual ones"').classes("lx-mono")
                self.changes.style("flex: 1 1 12rem").on("keydown.enter", self.jump)
                secondary("Go there", self.jump)
            some = ", ".join(list(single_rules(rules))[:6])
            words = f"Rules are written as NAME=VALUE with blanks between; there are {some}"
            more = " and more" if len(rule_table(rules)) > 6 else ""
            with ui.element("div").classes("lx-soft lx-small").style("margin: -0.6rem 0 1rem"):
                ui.label(f"{words}{more}.").style("display: inline")
                ui.link("All of them", f"/rules/{game}").style("margin-left: 0.4rem")
            with ui.element("div").classes("lx-play"):
                holder = ui.element("div")
                with ui.element("div").classes("lx-side"):
                    with sheet():
                        self.status = ui.label().classes("lx-status").props('aria-live="polite"')
                        moves = ui.element("div").classes("lx-moves")
                        moves.props('role="group" aria-label="Moves"')
                        with ui.element("div").classes("lx-bar").style("margin-top: 0.9rem"):
                            self.back_button = secondary("Back", self.back, "undo")
                            secondary("Play from here", self.play, "play_arrow")
                    self.insight = Insight(server, game, rules)
                with ui.element("div").classes("lx-below"):
                    self.insight.tree()
                with holder:
                    self.board = Board(
                        ask.scene(rules, state),
                        f"The board of {ask.title(rules)}",
                        self.offers(),
                        list_in=moves,
                    ).listen(self.on_key, self.choose)
        self.show_status()

    @property
    def state(self) -> Any:
        """The current state."""
        return self.line[-1][0]

    def offers(self) -> list[Offer]:
        """Return every action or outcome possible here."""
        rules, state, mover = self.rules, self.state, ask.turn(self.rules, self.state)
        if mover == OVER:
            return []
        if mover == CHANCE:
            return [
                Offer(
                    -1,
                    one,
                    f"{ask.label(rules, state, one)} ({100 * ask.chance(rules, state, one):.3g} %)",
                )
                for one in legal_moves(rules, state)
            ]
        seat = (1 if self.half is not None else 0) if mover == BOTH else mover
        return [
            Offer(seat, one, ask.label(rules, state, one)) for one in choices(rules, state, seat)
        ]

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
        self.line.append((ask.apply(self.rules, self.state, action), action))
        await self.refresh(through=way)

    async def back(self) -> None:
        """Take back one step."""
        if self.half is not None:
            self.half = None
        elif len(self.line) > 1:
            self.line.pop()
        await self.refresh()

    async def on_key(self, key: str) -> None:
        """Handle a shortcut key."""
        if key == "u":
            await self.back()

    async def jump(self) -> None:
        """Go to the position and rules typed in the fields."""
        typed = str(self.position.value or "").strip()
        try:
            given = parse_rules(str(self.changes.value or "").replace(" ", ";"))
            rules = self.server.catalogue.rules(self.game, given)
            if rules != self.rules and typed == ask.position(self.rules, self.state):
                typed = ""  # shown, not typed; it may be invalid under other rules
            state = self.server.parse_position(rules, typed) or ask.initial(rules)
        except ValueError as error:
            show_error(error)
            return
        if rules != self.rules:
            ui.navigate.to(self.address(rules, typed))
            return
        self.line, self.half = [(state, NO_MOVE)], None
        await self.refresh()

    def address(self, rules: Rules, where: str) -> str:
        """Return the address of this page for given rules and position."""
        changes = write_rules(texts_of(rules))
        return address(f"/understand/{self.game}", rules=changes, position=where)

    def play(self) -> None:
        """Open the form for a match from here."""
        rules = write_rules(texts_of(self.rules))
        here = ask.position(self.rules, self.state)
        ui.navigate.to(address(f"/play/{self.game}", rules=rules, position=here))

    async def refresh(self, same: bool = False, through: tuple[Scene, ...] = ()) -> None:
        """Show the current position, and the scenes of the transition to it."""
        here = ask.scene(self.rules, *self.line[-1])
        self.board.show(here, self.offers(), len(self.line) - 1, through=through)
        self.show_status()
        if not same:
            where = (
                ""
                if self.state == ask.initial(self.rules)
                else ask.position(self.rules, self.state)
            )
            ui.navigate.history.replace(self.address(self.rules, where))
            await self.explain()

    def show_status(self) -> None:
        """Show whose turn it is, and the position as text."""
        rules, state, mover = self.rules, self.state, ask.turn(self.rules, self.state)
        if mover == OVER:
            worth = [ask.returns(rules, state, seat) for seat in range(ask.seats(rules))]
            winner = ask.seat_name(rules, worth.index(max(worth)))
            said = "A draw" if max(worth) == min(worth) else f"{winner} wins"
        elif mover == CHANCE:
            said = "Chance: choose what happens"
        else:
            seat = (1 if self.half is not None else 0) if mover == BOTH else mover
            said = f"{ask.seat_name(rules, seat)} to choose"
        self.status.text = said
        self.back_button.set_enabled(len(self.line) > 1 or self.half is not None)
        self.position.value = ask.position(rules, state)

    async def explain(self) -> None:
        """Show the values of the moves."""
        source = self.server.catalogue[self.game].source
        query = PositionQuery.of(source, self.rules, self.state)
        await self.insight.show(query, self.state, {})
