"""The trap course: a class `PlayerAI` with `getMove(grid)` and `getTrap(grid)`."""

import operator
from typing import Any

VALUES = {".": 0, "x": -1, "1": 1, "2": 2}


class Adapter:
    """Asks a `PlayerAI`, which has a board of its own for every question."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.made = getattr(module, word or "PlayerAI")
        self.begin(greeting)

    def begin(self, greeting: dict[str, Any]) -> None:
        """Sit down with a new player."""
        from Grid import Grid  # type: ignore[import-not-found]

        self.grid, self.size = Grid, int(greeting["rules"]["size"])
        self.number = int(greeting["seat"]) + 1
        self.player = self.made()
        self.place: Any = (0 if self.number == 1 else self.size - 1, self.size // 2)
        self.tell("setPosition", self.place)
        self.tell("setPlayerNum", self.number)

    def tell(self, name: str, value: Any) -> None:
        """Tell the player something, by its own method or as the attribute that stands for it."""
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
        # It has stepped, or the match begins in the middle.
        if grid.find(self.number) != self.place:
            self.place = grid.find(self.number)
            self.tell("setPosition", self.place)
        answer = self.player.getMove(grid) if stepping else self.player.getTrap(grid)
        label = labelled("step" if stepping else "throw", answer)
        self.wanted = "" if label else "row and column, a pair of whole numbers"
        return label or answer


def labelled(verb: str, answer: Any) -> str:
    """Return the label of a cell: a pair of whole numbers of any kind."""
    try:
        row, column = answer
        return f"{verb} {operator.index(row)},{operator.index(column)}"
    except (TypeError, ValueError):
        return ""
