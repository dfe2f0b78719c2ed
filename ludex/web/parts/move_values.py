"""The values of moves as badges, on the board and in lists, and the switch that shows them."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from nicegui import ui

from ludex.analysis.evaluator import error_name
from ludex.core.choice import CLOSE
from ludex.io.text import MINUS, signed
from ludex.solve.evaluation import Evaluation
from ludex.web.parts.best_line import LineMark
from ludex.web.parts.board import Board, MoveValue
from ludex.web.parts.numbers import unsigned

BEST = "✓"  # the sign of the best moves
MEMORY = "lx-values"  # where the browser keeps whether the switch is on
RECALLED = "values-recalled"  # emitted by a browser that keeps it, with "1" or "0"
# No click: that would focus the switch, and scroll a phone to it.
RECALL = f"if ('{MEMORY}' in localStorage) emitEvent('{RECALLED}', localStorage['{MEMORY}'])"


def move_value(evaluation: Evaluation, action: int) -> MoveValue:
    """Return the badge of an action that was evaluated."""
    loss, kind = evaluation.loss(action), error_name(evaluation.loss(action)) or "best"
    values = evaluation.values.values()
    if max(values) - min(values) < CLOSE and len(values) > 1:
        kind, sign = "equal", "="
        lost = evaluation.exact and max(values) < CLOSE - 1.0
        words = "every move loses" if lost else "as good as every other"
    elif kind == "best":
        sign, words = (BEST, "best") if loss < CLOSE else ("≈", "nearly best")
    else:
        cost = unsigned(loss)
        sign, words = f"{MINUS}{cost}", f"costs {cost}"
    how = "exact" if evaluation.exact else "estimated"
    words += f", value {signed(evaluation.values[action], 2)}, {how}"
    return MoveValue(evaluation.seat, action, kind, sign, evaluation.exact, words)


def move_values(found: list[Evaluation]) -> list[MoveValue]:
    """Return the badges of all actions that were evaluated."""
    return [
        move_value(one, action)
        for one in found
        for action, value in one.values.items()
        if not math.isnan(value)
    ]


def badge(value: MoveValue) -> str:
    """Return a badge as HTML."""
    look = f"lx-worth lx-worth-{value.kind}{'' if value.exact else ' lx-worth-guess'}"
    return f'<span class="{look}" title="{value.words}">{value.sign}</span>'


class ValuesSwitch:
    """A switch for the values of moves and the best line on a board."""

    def __init__(
        self,
        on_change: Callable[[], Any] = lambda: None,
        remembered: bool = True,
        on_at_first: bool = False,
    ) -> None:
        """Add the switch; `on_change` is called after it was used.

        If the choice is `remembered`, the browser keeps it for other pages, and for this one.
        """
        self.board: Board | None = None
        self.found: list[Evaluation] = []
        self.marks: list[LineMark] = []
        self.faults: Mapping[tuple[int, int], str] = {}
        """The symbols of the bad moves that were played here, by seat and action."""
        self.on_change, self.remembered = on_change, remembered
        words = "Show values and the best line on the board"
        self.switch = ui.switch(words, value=on_at_first, on_change=self.changed)
        self.switch.props("dense").classes("lx-soft lx-small")
        if remembered:
            ui.on(RECALLED, lambda event: self.switch.set_value(event.args == "1"))
            ui.run_javascript(RECALL)

    @property
    def on(self) -> bool:
        """Whether values are wanted."""
        return bool(self.switch.value)

    @property
    def shows_moves(self) -> bool:
        """Whether the board needs the shapes of moves: for values, or for a bad move."""
        return self.on or bool(self.faults)

    def clear(self) -> None:
        """Forget what was shown, before the board shows another position."""
        self.found, self.marks, self.faults = [], [], {}

    def show(self, found: list[Evaluation], marks: list[LineMark]) -> None:
        """Show the values and the best line of a position on the board, if the switch is on."""
        self.found, self.marks = found, marks
        self.redraw()

    def redraw(self) -> None:
        """Show the same again; if the switch is off, bad moves and the best instead, or nothing."""
        if self.board is not None:
            self.board.show_values(self.badges())
            self.board.show_line(self.marks if self.on else [])

    def badges(self) -> list[MoveValue]:
        """Return the badges to show; a bad move that was played has its symbol."""
        badges = [
            one._replace(sign=self.faults.get((one.seat, one.action), one.sign))
            for one in move_values(self.found)
        ]
        told = {*self.faults.values(), BEST} if self.faults else set()
        return badges if self.on else [one for one in badges if one.sign in told]

    async def changed(self) -> None:
        """Show or hide the values, and remember that if wanted."""
        if self.remembered:
            ui.run_javascript(f"localStorage.setItem('{MEMORY}', '{int(self.on)}')")
        self.redraw()
        self.on_change()
