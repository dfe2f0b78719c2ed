"""The buttons of a match: take back, hint, resign, rematch, and other pages."""

import time
from collections.abc import Callable
from contextlib import suppress

from nicegui import background_tasks, ui

from ludex.agents.registry import HUMAN
from ludex.core.rules import label, seats
from ludex.web.parts import layout
from ludex.web.parts.best_line import line_marks
from ludex.web.parts.keyboard import keys_line
from ludex.web.parts.move_values import ValuesSwitch
from ludex.web.parts.numbers import value_words
from ludex.web.state.catalogue import rules_text
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import HINTS

YOU, GUEST = "you", "a person by link"
CONFIRM_SECONDS = 5.0  # within which a second press resigns


class MatchControls:
    """The buttons, for the holder of a key."""

    def __init__(self, server: ServerState, live: LiveMatch, key: str) -> None:
        """Add the buttons, and below them a note for hints, whose place is kept free."""
        self.server, self.live, self.match, self.key = server, live, live.match, key
        self.on_hint: Callable[[int, int], None] = lambda seat, action: None
        self.mine = sorted(live.seats_of(key))
        self.resign_pressed = -CONFIRM_SECONDS  # when Resign was last pressed
        with layout.row("0.9rem"):
            if self.mine:
                self.undo_button = layout.secondary("Undo", self.undo, "undo")
                self.hint_button = layout.secondary("Hint", self.hint, "lightbulb")
                self.resign_button = layout.secondary("Resign", self.resign, "flag")
                self.resign_button.classes("lx-resign")
            layout.secondary("New", self.setup_address(), "add")
            layout.secondary("Review", self.review, "insights", "Review this match")
            if self.mine:
                self.again_button = layout.primary("Again", self.rematch, "replay")
        with layout.div("lx-message").props('aria-live="polite"'):
            self.note, self.effect = layout.note(), layout.note()
        if self.mine:
            line = keys_line(self.match.rules, self.match.plies[0].state, self.mine)
            layout.note(line).classes("lx-keys").style("margin-top: 0.7rem")
            words = '<input type="checkbox"> Make a move by itself if it is the only one'
            box = ui.html(words, sanitize=False, tag="label").classes("lx-soft lx-small")
            ui.run_javascript(f"lx.remember({box.id}, 'lx-forced')")
        self.switch = None
        if len(self.mine) == seats(self.match.rules):  # nobody else could be spied on
            self.switch = ValuesSwitch(lambda: background_tasks.create(self.show_values()))

    def refresh(self) -> None:
        """Enable and show the buttons that can be used now."""
        if self.mine:
            live, over = self.live, self.match.over
            self.hint_button.set_enabled(bool(live.seats_to_move(self.key)))
            self.resign_button.set_enabled(not over)
            self.again_button.set_enabled(over)
            self.again_button.text = "Join the next match" if live.successor else "Again"
            fixed = bool(live.guests) or live.limit is not None
            self.undo_button.set_enabled(len(self.match.plies) > 1 and not fixed)

    async def show_values(self) -> None:
        """Show the values of the moves on the board, if that is wanted and nobody has moved."""
        switch, ply = self.switch, len(self.match.plies)
        if switch is None:
            return
        switch.clear()
        if not switch.on or not self.live.seats_to_move(self.key):
            return
        with suppress(ValueError):  # then there is nothing to show
            await self.server.preparation.wait(self.live.game.name, HINTS)
            query, evaluations = self.live.query(), self.server.evaluations
            found = await evaluations.hint(query)
            length = await evaluations.length(query, found)
            line = await evaluations.best_line(query, found, length)
            if len(self.match.plies) == ply:
                rules, state = self.match.rules, self.match.state
                switch.show(found, line_marks(rules, state, found, line))

    async def on_key(self, key: str) -> None:
        """Handle a shortcut key."""
        if self.mine and key == "u":
            self.undo()
        elif self.mine and key == "h":
            await self.hint()

    def setup_address(self) -> str:
        """Return the address of a form filled in as for this match."""
        live, owned = self.live, self.live.keys.get(self.live.owner, set())
        who = [
            (YOU if seat in owned else GUEST) if text == HUMAN else text
            for seat, text in enumerate(live.requested_agents)
        ]
        path, rules = f"/play/{live.game.name}", rules_text(self.match.rules)
        limit = "" if live.limit is None else f"{live.limit:g}"
        return layout.address(path, rules=rules, who="|".join(who), limit=limit)

    def review(self) -> None:
        """Open the viewer of this match."""
        path, number = f"/watch/match/{self.live.id}", len(self.match.plies) - 1
        ui.navigate.to(layout.address(path, ply=str(number), key=self.key))

    def undo(self) -> None:
        """Take back the last move."""
        with layout.errors_shown():
            self.live.take_back(self.key)

    def resign(self) -> None:
        """Resign on the second press."""
        if time.monotonic() - self.resign_pressed > CONFIRM_SECONDS:
            self.resign_pressed = time.monotonic()
            self.resign_button.text = "Sure?"
            self.resign_button.classes("lx-sure").props('aria-label="Sure? Press again to resign"')
            ui.timer(CONFIRM_SECONDS, self.cancel_resign, once=True)
            return
        self.cancel_resign()
        with layout.errors_shown():
            self.live.resign(self.key)

    def cancel_resign(self) -> None:
        """Forget the first press of Resign."""
        self.resign_pressed = -CONFIRM_SECONDS
        self.resign_button.text = "Resign"
        self.resign_button.classes(remove="lx-sure").props(remove="aria-label")

    async def rematch(self) -> None:
        """Start the next match with the same players."""
        with layout.errors_shown(), layout.busy(self.again_button):
            new = await self.server.rematch(self.live)
            key = new.owner if self.key == self.live.owner else new.guests.get(self.mine[0], "")
            ui.navigate.to(layout.address(f"/match/{new.id}", key=key))

    async def hint(self) -> None:
        """Show a best move with its value, unless the match goes on meanwhile."""
        asked, ply = self.live.seats_to_move(self.key), len(self.match.plies)
        if not asked:
            return
        preparation = self.server.preparation
        self.note.text = preparation.words() or "Looking ahead …"
        try:
            await preparation.wait(self.live.game.name, HINTS)
            tell = layout.compiling_note(self.note)
            query = self.live.query()
            found = await self.server.evaluations.hint(query, tell)
            length = await self.server.evaluations.length(query, found)
        except ValueError as error:
            self.note.text = str(error)
            return
        seat, rules, state = asked[0], self.match.rules, self.match.state
        evaluation = next((one for one in found if one.seat == seat), None)
        if len(self.match.plies) != ply or evaluation is None:
            return
        action = length.preferred(evaluation)
        value = evaluation.values.get(action, evaluation.value)
        words = f"{label(rules, state, action)}, {value_words(rules, value, seat, 2)}"
        lasting = length.text(evaluation.value)
        self.note.text = f"Hint: {words}{f', {lasting}' if lasting else ''}; {evaluation.how}."
        self.on_hint(seat, action)
