"""A match in the browser: the board, what may be chosen, what was played, and who else is there."""

import asyncio
import contextlib
import html
import time

from nicegui import ui

from ludex.games import title
from ludex.play import choices, lawful
from ludex.rules import (
    BOTH,
    CHANCE,
    apply,
    between,
    chance,
    game_of,
    label,
    position,
    scene,
    seat_name,
    turn,
)
from ludex.web.board import Board, Offer
from ludex.web.catalogue import texts_of, written
from ludex.web.frame import address, complain, frame, heading, nothing_here, secondary, sheet
from ludex.web.hall import Hall
from ludex.web.hatstand import HatStand
from ludex.web.key import Refused
from ludex.web.table import Table
from ludex.web.tasks import without_paths

SHOWN = 200  # plies in the list
TOGETHER = 0.01  # seconds within which what happens is shown at once
KEYS = "Keys: 1 to 9 choose, arrows and Enter too; U takes back, H gives a hint."


def register(hall: Hall) -> None:
    """Make the page."""

    @ui.page("/match/{name}")
    def match(name: str, key: str = "") -> None:
        try:
            table = hall[name]
        except ValueError as error:
            nothing_here(str(error))
            return
        View(hall, table, key)


def luck_matters(table: Table, seat: int, action: int) -> bool:
    """Return whether an action leads to chance whose outcomes are not all as likely."""
    if turn(table.rules, table.state) == BOTH:
        return False
    after = apply(table.rules, table.state, action)
    if turn(table.rules, after) != CHANCE:
        return False
    odds = [float(chance(table.rules, after, one)) for one in lawful(table.rules, after)]
    return max(odds) - min(odds) > 1e-9


class View:
    """What one browser sees of a table."""

    def __init__(self, hall: Hall, table: Table, key: str) -> None:
        self.hall, self.table, self.key = hall, table, key
        self.mine = sorted(table.seats_of(key))
        self.shown, self.epoch = len(table.plies), table.epoch
        self.client, self.stale = ui.context.client, False
        name = title(game_of(table.rules))
        with frame(name):
            with ui.element("div").classes("lx-title"):
                heading(name)
                ui.label(self.who()).classes("lx-soft")
            with ui.element("div").classes("lx-play"):
                left = ui.element("div")
                with ui.element("div").classes("lx-side"):
                    with sheet():
                        self.status = ui.label().classes("lx-status").props('aria-live="polite"')
                        self.clock = ui.label().classes("lx-soft lx-small")
                        self.note = ui.label().classes("lx-soft lx-small")
                        moves = ui.element("div").classes("lx-moves")
                        moves.props('role="group" aria-label="Moves you may choose"')
                        self.buttons()
                    if table.guests and self.key == table.owner:
                        self.invitation()
                    self.hats = HatStand(hall, table)
                    with sheet():
                        heading("Moves", 2)
                        self.log = ui.html(sanitize=False, tag="ol").classes("lx-log")
                        self.log.props('tabindex="0" aria-label="Moves so far"')
                        self.where = ui.label().classes("lx-soft lx-mono")
                        self.where.style("overflow-wrap: anywhere; margin-top: 0.6rem")
                with left:
                    self.board = Board(
                        scene(table.rules, table.state, table.plies[-1].move),
                        f"The board of {name}",
                        self.offers(),
                        on_choose=self.choose,
                        on_preview=self.preview,
                        on_key=self.pressed,
                        ply=self.shown - 1,
                        asks=self.asks(),
                        steered=True,
                        list_in=moves,
                    )
        if table.limit is not None:
            ui.timer(0.5, self.tick)
        table.listeners.append(self.noted)
        self.client.on_delete(self.leave)
        self.words()

    def who(self) -> str:
        """Return who plays, in one line."""
        names = [
            f"{seat_name(self.table.rules, seat)}: {'you' if seat in self.mine else text}"
            for seat, text in enumerate(shown_agents(self.table))
        ]
        changed = written(texts_of(self.table.rules))
        return ", ".join(names) + (f" ({changed[:80]})" if changed else "")

    def buttons(self) -> None:
        """Add what can be done besides moving."""
        with ui.element("div").classes("lx-bar").style("margin-top: 0.9rem"):
            if self.mine:
                self.undo_button = secondary("Undo", self.undo, "undo")
                self.hint_button = secondary("Hint", self.hint, "lightbulb")
                self.resign_button = secondary("Resign", self.resign, "flag")
            again = address(f"/play/{self.table.game.name}", rules=self.rules_text())
            secondary("New", lambda: ui.navigate.to(again), "add")
            analyse = secondary("Understand", self.understand, "insights")
            analyse.props('aria-label="Understand this match"')
        if self.mine:
            ui.label(KEYS).classes("lx-soft lx-small lx-keys").style("margin-top: 0.7rem")

    def rules_text(self) -> str:
        """Return the changed rules for a link."""
        return written(texts_of(self.table.rules))

    def invitation(self) -> None:
        """Say how others come to their seats."""
        with sheet():
            heading("Invite", 2)
            for seat, key in self.table.guests.items():
                path = address(f"/match/{self.table.id}", key=key)
                ui.label(f"Whoever opens this link is {seat_name(self.table.rules, seat)}:")
                ui.link(path, path).classes("lx-mono lx-guest").style("overflow-wrap: anywhere")
                script = f"() => navigator.clipboard.writeText(location.origin + {path!r})"
                copy = secondary("Copy the link", lambda: None, "content_copy")
                copy.on("click", js_handler=script).style("margin-top: 0.5rem")

    # What is seen. ----------------------------------------------------------------------------

    def offers(self) -> list[Offer]:
        """Return what this browser may choose now."""
        table = self.table
        return [
            Offer(seat, action, label(table.rules, table.state, action))
            for seat in table.asks(self.key)
            for action in choices(table.rules, table.state, seat)
        ]

    def asks(self) -> bool:
        """Return whether odds are worth showing before a choice."""
        offers = self.offers()
        return bool(offers) and luck_matters(self.table, offers[0].seat, offers[0].action)

    def noted(self) -> None:
        """Take note that something has happened; several things soon after are shown together."""
        if not self.stale:
            self.stale = True
            asyncio.get_running_loop().call_later(TOGETHER, self.refresh)

    def refresh(self) -> None:
        """Show all that has happened since the last time."""
        table = self.table
        self.stale = False
        if self.client.is_deleted:
            return
        with self.client:
            if table.epoch != self.epoch:
                self.epoch, self.shown = table.epoch, len(table.plies)
            first = min(self.shown, len(table.plies) - 1)
            for number in range(first, len(table.plies)):
                last = number == len(table.plies) - 1
                state, move, _ = table.plies[number]
                waits = 900 if turn(table.rules, state) == CHANCE else 450
                fresh = number >= max(self.shown, 1)
                before = table.plies[number - 1].state
                self.board.show(
                    scene(table.rules, state, move),
                    self.offers() if last else (),
                    number,
                    waits if fresh else 0,
                    last and self.asks(),
                    between(table.rules, before, move) if fresh else (),
                )
            self.shown = len(table.plies)
            self.words()

    def words(self) -> None:
        """Say how the match stands."""
        table = self.table
        self.status.text = self.state_in_words()
        self.status.classes(add="lx-yours" if table.asks(self.key) else "")
        if not table.asks(self.key):
            self.status.classes(remove="lx-yours")
        self.log.content = log_of(table)
        self.where.text = position(table.rules, table.state)
        self.note.text = table.kept
        self.hats.follow()
        if self.mine:
            asked = bool(table.asks(self.key))
            self.hint_button.set_enabled(asked)
            self.resign_button.set_enabled(not table.over)
            fixed = bool(table.guests) or table.limit is not None
            self.undo_button.set_enabled(len(table.plies) > 1 and not fixed)
        self.tick()

    def state_in_words(self) -> str:
        """Return the line above the moves."""
        table = self.table
        if table.over:
            return table.result()
        asked = table.asks(self.key)
        if asked:
            names = " and ".join(seat_name(table.rules, seat) for seat in asked)
            return f"Your turn, {names}"
        waiting = [seat for seat, hope in table.wanted.items() if not hope.done()]
        if waiting:
            names = " and ".join(seat_name(table.rules, seat) for seat in waiting)
            chosen = "You have chosen. " if set(table.wanted) & set(self.mine) else ""
            return f"{chosen}Waiting for {names}"
        return "Thinking …"

    def tick(self) -> None:
        """Show the clock."""
        left = self.table.deadline
        self.clock.text = "" if left is None else f"{max(0.0, left - time.time()):.0f} s left"

    # What people do. --------------------------------------------------------------------------

    def choose(self, seat: int, action: int, ply: int) -> None:
        """Choose an action."""
        with self.complaining():
            self.table.choose(self.key, seat, action, ply)

    def undo(self) -> None:
        """Take back the last move."""
        with self.complaining():
            self.table.take_back(self.key)

    def resign(self) -> None:
        """Give up."""
        with self.complaining():
            self.table.resign(self.key)

    def understand(self) -> None:
        """Look at the match move by move."""
        number = len(self.table.plies) - 1
        ui.navigate.to(address(f"/watch/match/{self.table.id}", ply=str(number)))

    @contextlib.contextmanager
    def complaining(self):  # type: ignore[no-untyped-def]
        """Say what was refused, and show how the match really stands."""
        try:
            yield
        except Refused as error:
            complain(error)
            self.refresh()

    async def hint(self) -> None:
        """Point at a best move."""
        table, ply = self.table, len(self.table.plies)
        asked = table.asks(self.key)
        if not asked:
            return
        self.note.text = "Looking ahead …"
        try:
            found = await self.hall.opinions(table.asked())
        except ValueError as error:
            self.note.text = str(error)
            return
        opinion = next((one for one in found if one.seat == asked[0]), None)
        if len(table.plies) != ply or opinion is None:
            return
        shares = opinion.policy or opinion.values
        action = max(shares, key=lambda one: shares[one])
        words = label(table.rules, table.state, action)
        worth = opinion.values.get(action, opinion.value)
        self.note.text = f"Hint: {words}, worth {worth:+.2f} to you ({opinion.how})."
        self.board.hint(asked[0], action)

    def preview(self, seat: int, action: int) -> None:
        """Show the odds of an action before it is chosen."""
        table = self.table
        if seat not in table.asks(self.key) or action not in choices(
            table.rules, table.state, seat
        ):
            return
        if luck_matters(table, seat, action):
            after = apply(table.rules, table.state, action)
            there = {shape.id for shape in scene(table.rules, table.state).shapes}
            new = (one for one in scene(table.rules, after).shapes if one.id not in there)
            self.board.odds(new)

    async def pressed(self, key: str) -> None:
        """Do what a key stands for."""
        if not self.mine:
            return
        if key == "u":
            self.undo()
        elif key == "h":
            await self.hint()

    def leave(self) -> None:
        """Stop listening."""
        if self.noted in self.table.listeners:
            self.table.listeners.remove(self.noted)


def shown_agents(table: Table) -> list[str]:
    """Return the agents' texts without the folders of the server."""
    return [without_paths(text) for text in table.agents]


def log_of(table: Table) -> str:
    """Return the list of moves, the last ones if there are many."""
    lines = []
    for number in range(max(1, len(table.plies) - SHOWN), len(table.plies)):
        said = []
        for seat, words in table.told(number):
            text = html.escape(words)
            if seat == CHANCE:
                said.append(f'<span class="lx-luck">chance: {text}</span>')
            else:
                said.append(f"{html.escape(seat_name(table.rules, seat))}: <b>{text}</b>")
        lines.append(
            f'<li><span class="lx-number">{number}</span><span>{", ".join(said)}</span></li>'
        )
    return "".join(reversed(lines)) or '<li><span></span><span class="lx-soft">none yet</span></li>'
