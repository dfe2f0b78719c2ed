"""The trap course: a class `PlayerAI` with `getMove(grid)` and `getTrap(grid)`."""

import operator
from typing import Any

VALUES = {".": 0, "x": -1, "1": 1, "2": 2}


class Adapter:
    """A `PlayerAI`, which gets a new board for every request."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.player_class = getattr(module, word or "PlayerAI")
        self.begin(greeting)

    def begin(self, greeting: dict[str, Any]) -> None:
        """Create a new player for a match."""
        from Grid import Grid  # type: ignore[import-not-found]

        self.grid, self.size = Grid, int(greeting["rules"]["size"])
        self.number = int(greeting["seat"]) + 1
        self.player = self.player_class()
        self.place: Any = (0 if self.number == 1 else self.size - 1, self.size // 2)
        self.set_value("setPosition", self.place)
        self.set_value("setPlayerNum", self.number)

    def set_value(self, name: str, value: Any) -> None:
        """Set a value of the player, by its method or else by its attribute."""
        method = getattr(self.player, name, None)
        if method is not None:
            method(value)
        else:
            setattr(self.player, {"setPosition": "pos", "setPlayerNum": "player_num"}[name], value)

    def board(self, position: str) -> Any:
        """Return the board of a position."""
        grid = self.grid(self.size)
        for row, cells in enumerate(position.split()[0].split("/")):
            for column, mark in enumerate(cells):
                grid.setCellValue((row, column), VALUES[mark])
        return grid

    def move(self, request: dict[str, Any]) -> Any:
        """Return where the player steps or throws."""
        position = request["position"]
        grid = self.board(position)
        stepping = position.endswith(" step")
        # It has stepped, or the match starts from a given position.
        if grid.find(self.number) != self.place:
            self.place = grid.find(self.number)
            self.set_value("setPosition", self.place)
        answer = self.player.getMove(grid) if stepping else self.player.getTrap(grid)
        label = cell_label("step" if stepping else "throw", answer)
        self.wanted = "" if label else "row and column, a pair of whole numbers"
        return label or answer


def cell_label(verb: str, answer: Any) -> str:
    """Return the label of a cell: a pair of whole numbers of any kind."""
    try:
        row, column = answer
        return f"{verb} {operator.index(row)},{operator.index(column)}"
    except (TypeError, ValueError):
        return ""
