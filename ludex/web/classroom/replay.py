"""A match of a class on its board, back and forth, with the mistakes that its analysis found."""

import time
from collections.abc import Sequence
from functools import partial
from typing import Any

from nicegui import ui

from ludex.classroom.mistakes import ANALYSED
from ludex.core import rules as ask
from ludex.core.scene import Scene, at_rest, without_offers
from ludex.core.termination import BY_RULES
from ludex.io.text import many
from ludex.match.session import Match
from ludex.web.parts import layout
from ludex.web.parts.board import Board
from ludex.web.parts.fault_filter import FaultFilter
from ludex.web.parts.faults import Fault
from ludex.web.parts.move_list import MoveList
from ludex.web.parts.move_log import luck_of, result_text
from ludex.web.parts.name_plates import name_plates
from ludex.web.parts.numbers import unsigned
from ludex.web.parts.transport import Steps, Transport

Analysis = dict[str, Any] | None
"""The errors of a match, as `classroom.matches.analysis_of` returns them."""


class Replay:
    """One browser stepping through a match that is over."""

    def __init__(self, match: Match, names: Sequence[str], found: Analysis, start: int) -> None:
        """Show a match from a ply on; `names` are those of the players by seat."""
        self.match, self.names, self.found = match, names, found
        errors = found["errors"] if found else []
        # The errors count moves from 1; a fault is found in the position before its move.
        self.errors = {(one["ply"] - 1, one["seat"]): one for one in errors}
        self.faults = {
            (ply, seat): Fault(ply, seat, one["loss"], one["name"])
            for (ply, seat), one in self.errors.items()
        }
        self.last = len(match.plies) - 1
        self.at, self.moving = min(start, self.last), 0.0

    def add_board(self) -> None:
        """Add the board with its controls."""
        self.board = Board(self.picture(self.at), f"The board of {ask.title(self.match.rules)}")
        self.board.listen(self.on_key)
        steps = Steps(self.go, lambda: self.go(self.last), self.seek_fault, self.play_on)
        faults = partial(FaultFilter, self.match.rules, (), ())
        self.transport = Transport(steps, faults, self.at)

    def add_words(self) -> None:
        """Add what is said of the position."""
        self.status = layout.status()
        self.verdict = ui.label().classes("lx-verdict").props('aria-live="polite"')
        layout.note(analysis_text(self.match, self.found)).style("margin-top: 0.6rem")

    def add_moves(self) -> None:
        """Add the list of moves, in which mistakes are marked."""
        self.list = MoveList(self.match, self.go)
        self.list.faults = self.faults

    def picture(self, number: int) -> Scene:
        """Return the scene of a ply."""
        match, ply = self.match, self.match.plies[number]
        scene = self.named(ask.scene(match.rules, ply.state, ply.move))
        if number < self.last or match.ending == BY_RULES:
            return without_offers(scene)
        best = max(match.returns)
        return at_rest(scene, [seat for seat, one in enumerate(match.returns) if one == best > 0])

    def named(self, scene: Scene) -> Scene:
        """Return a scene with the names of the players."""
        return name_plates(self.match.rules, scene, dict(enumerate(self.names)))

    async def go(self, at: int) -> None:
        """Go to a ply and stop there."""
        self.transport.pause()
        at = min(max(at, 0), self.last)
        ui.run_javascript(f"history.replaceState({{}}, '', location.pathname + '?ply={at}')")
        self.move(at)

    def move(self, at: int) -> None:
        """Show a ply."""
        if at != self.at:
            through: tuple[Scene, ...] = ()
            if at == self.at + 1 and not self.transport.hurried:
                through = tuple(self.named(one) for one in self.match.between(at))
            self.at = at
            seconds = self.board.show(self.picture(at), (), at, 300, through=through)
            self.moving = time.monotonic() + seconds
        self.show()

    async def play_on(self) -> None:
        """Step forward while there are moves left."""
        if time.monotonic() < self.moving:
            return
        if self.at < self.last:
            self.move(self.at + 1)
        else:
            self.transport.pause()

    async def seek_fault(self, step: int) -> None:
        """Go to the next mistake, or with a step of -1 to the previous one."""
        wanted = self.transport.faults.side
        plies = sorted({ply for ply, seat in self.faults if seat in wanted.seats})
        found = [ply for ply in plies if (ply - self.at) * step > 0]
        if found:
            await self.go(found[0] if step > 0 else found[-1])
        else:
            layout.notify(f"No {'other ' * bool(plies)}mistake{wanted.of} in this direction")

    async def on_key(self, key: str) -> None:
        """Handle a shortcut key."""
        if key in (" ", "ArrowRight", "ArrowLeft"):
            await self.go(self.at - 1 if key == "ArrowLeft" else self.at + 1)
        elif key in ("Home", "End"):
            await self.go(0 if key == "Home" else self.last)
        elif key == "p":
            self.transport.toggle()
        elif key in ("n", "b"):
            await self.seek_fault(1 if key == "n" else -1)

    def show(self) -> None:
        """Say what the position is, and what is bad about the next move."""
        self.transport.show(self.at, self.last, True)
        self.list.show(self.at)
        self.status.text = self.status_text()
        here = [one for (ply, _), one in self.errors.items() if ply == self.at]
        self.verdict.text = " ".join(self.fault_text(one) for one in here)

    def status_text(self) -> str:
        """Return the last move, or the result."""
        if self.at == self.last:
            return result_text(self.match, self.match.words)
        if not self.at:
            return "The first position"
        made = self.match.labels_by_seat(self.at)
        words = ", ".join(f"{self.actor(seat)}: {move}" for seat, move in made)
        return f"Move {self.at}, {words}"

    def actor(self, seat: int) -> str:
        """Return the name of who acted, or whose luck it was."""
        return self.names[seat] if seat >= 0 else luck_of(self.match, self.at)

    def fault_text(self, error: dict[str, Any]) -> str:
        """Return which bad move comes next, what it lost, and what was best."""
        lost = f"lost {unsigned(error['loss'])} here"
        move = f"{self.names[error['seat']]} plays {error['move']}"
        return f"Next, {move}: {lost} (a {error['name']}). Best was {error['best']}."


def analysis_text(match: Match, found: Analysis) -> str:
    """Return where the mistakes come from, or why there are none."""
    if found is None and match.ending != BY_RULES:
        why = result_text(match, match.words)
        return f"Only matches that end by the rules are analysed. {why}"
    if found is None:
        return (
            f"This match has not been analysed: only the first {ANALYSED} that a program lost are."
        )
    return f"{many(len(found['errors']), 'mistake')}. {found['source']}"
