"""The buttons of a match: take back, hint, resign, rematch, and other pages."""

import time
from collections.abc import Callable
from contextlib import suppress

from nicegui import background_tasks, ui

from ludex.agents.registry import HUMAN
from ludex.core.rules import label, seats
from ludex.library.warming import HINTS
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import GameLength
from ludex.web.parts import layout
from ludex.web.parts.best_line import line_marks
from ludex.web.parts.keyboard import keys_line, other_keys
from ludex.web.parts.move_values import ValuesSwitch
from ludex.web.parts.numbers import value_words
from ludex.web.state.catalogue import rules_text
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

YOU, GUEST = "you", "a friend by link"
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
            review = layout.secondary("Review", self.review, "insights", "Review this match")
            self.review_button = review
            self.again_button = layout.primary("Rematch", self.rematch, "replay")
        with layout.div("lx-message").props('aria-live="polite"'):
            self.note, self.effect = layout.note(), layout.note()
        if self.mine:
            first, others = self.match.plies[0].state, (live.allows_undo(), live.allows_hints())
            line = keys_line(self.match.rules, first, self.mine, other_keys(*others))
            layout.note(line).classes("lx-keys").style("margin-top: 0.7rem")
            words = '<input type="checkbox" data-remember="lx-forced">'
            words += " Play forced moves automatically"
            box = ui.html(words, sanitize=False, tag="label").classes("lx-soft lx-small")
            ui.run_javascript(f"lx.recall({box.id})")
        self.switch = None
        alone = len(self.mine) == seats(self.match.rules)
        if alone and not live.hides:  # nobody else could be spied on
            self.switch = ValuesSwitch(
                lambda: background_tasks.create(self.show_values()), remembered=False
            )

    def refresh(self) -> None:
        """Enable and show the buttons that can be used now."""
        live, over = self.live, self.match.over
        join = "Join" if self.mine else "Watch"
        self.again_button.text = f"{join} the next match" if live.successor else "Rematch"
        self.again_button.set_visibility(bool(self.mine or live.successor))
        self.again_button.set_enabled(over)
        self.review_button.set_enabled(live.allows_review())
        if self.mine:
            self.hint_button.set_visibility(live.allows_hints())
            self.hint_button.set_enabled(bool(live.seats_to_move(self.key)))
            self.resign_button.set_enabled(not over)
            self.undo_button.set_visibility(live.allows_undo())
            self.undo_button.set_enabled(live.can_take_back(self.key))

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
        if key == "u" and self.live.can_take_back(self.key):
            self.undo()
        elif key == "h" and self.live.allows_hints():
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
        """Open the next match, with the sides swapped; one who plays starts it if need be."""
        with layout.errors_shown(), layout.busy(self.again_button):
            new = await self.server.rematch(self.live) if self.mine else self.live.successor
            if new is not None:
                key = self.live.key_in_successor(self.key)
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
            query = self.live.query()  # values depend on what the seat sees alone
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
        worth = value_words(rules, value, seat, 2, evaluation.exact)
        self.note.text = (
            f"Hint: {label(rules, state, action)}. {hint_text(evaluation, worth, length)}"
        )
        self.on_hint(seat, action)


def hint_text(evaluation: Evaluation, worth: str, length: GameLength) -> str:
    """Return what a hint is worth: how long it takes if that is known, else its value in words."""
    if not evaluation.exact:
        return f"Estimated {worth}, looking {evaluation.how}."
    lasting = length.text(evaluation.value)
    if length.is_decided(evaluation.value):
        lost = "loses, but " if evaluation.value < 0.0 else ""
        return f"It {lost}{lasting} (exact)." if length.exact else f"It {lost}{lasting}."
    return f"Exact {worth}{f', {lasting}' if lasting else ''}."
