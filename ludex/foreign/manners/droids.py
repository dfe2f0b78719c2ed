"""The droids course: agents with `get_best_move(self_droid, adv_droid, score_change, training)`."""

import inspect
import sys
import types
from typing import Any

LABELS = {
    "MOVE_UP": "up",
    "MOVE_DOWN": "down",
    "MOVE_LEFT": "left",
    "MOVE_RIGHT": "right",
    "SHOOT": "shoot",
}
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
USUAL = ("MinimaxAgent", "QAgent")


class Droid:
    """A droid as the document describes it, for agents to look at and to try moves with.

    Agents see ours, not the one in their file, as the document says. Its actions are those of
    the file, so that they are equal to what the agents know.
    """

    def __init__(
        self, rows: int, cols: int, location: tuple[int, int], shots: int, actions: Any
    ) -> None:
        self.rows, self.cols = rows, cols
        self.location, self.shots = location, shots
        self.actions = actions

    def copy(self) -> "Droid":
        """Return a droid of its own that is the same."""
        return Droid(self.rows, self.cols, self.location, self.shots, self.actions)

    def target(self, move: Any) -> tuple[int, int] | None:
        """Return the cell to which a move leads, or None if it leads nowhere."""
        down, right = STEPS.get(LABELS.get(move.name, ""), (0, 0))
        row, column = self.location[0] + down, self.location[1] + right
        inside = 0 <= row < self.rows and 0 <= column < self.cols
        return (row, column) if inside and (down, right) != (0, 0) else None

    def move_location(self, move: Any) -> None:
        """Step, if the move is a step that no wall blocks."""
        self.location = self.target(move) or self.location

    def shoot(self, other: Any, move: Any) -> bool:
        """Shoot, if the move is a shot and one is left, and return whether it hits."""
        if move.name != "SHOOT" or self.shots <= 0:
            return False
        self.shots -= 1
        return bool(self.location[0] == other.location[0] or self.location[1] == other.location[1])

    def available_actions(self) -> set[Any]:
        """Return what the droid can do."""
        steps = {move for move in self.actions if self.target(move) is not None}
        return steps | {move for move in self.actions if move.name == "SHOOT" and self.shots > 0}


class Manner:
    """Asks one of the agents of a file, which learns from all matches of its process."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.module = module
        name = word or next(one for one in USUAL if hasattr(module, one))
        self.agent = getattr(module, name)()
        wanted = inspect.signature(self.agent.get_best_move).parameters
        self.arguments = 4 if "training" in wanted or len(wanted) >= 4 else 3
        self.begin(greeting)

    def begin(self, greeting: dict[str, Any]) -> None:
        """Start another match."""
        self.rows, self.columns = greeting["rules"]["rows"], greeting["rules"]["columns"]
        self.seat = int(greeting["seat"])
        self.training = bool(greeting.get("training", False))
        self.lead = 0
        self.agent.clear()

    def ask(self, position: str) -> Any:
        """Return what the agent wants to do."""
        parts = [part.split(",") for part in position.split()]
        cells, (shots, points) = parts[:2], parts[2:4]
        droids = [
            Droid(
                self.rows,
                self.columns,
                (int(cells[seat][0]), int(cells[seat][1])),
                int(shots[seat]),
                self.module.Action,
            )
            for seat in (self.seat, 1 - self.seat)
        ]
        lead = int(points[self.seat]) - int(points[1 - self.seat])
        change, self.lead = lead - self.lead, lead
        given = (*droids, change, self.training)[: self.arguments]
        return self.agent.get_best_move(*given)

    def move(self, request: dict[str, Any]) -> Any:
        """Return what the agent does."""
        answer = self.ask(request["position"])
        label = LABELS.get(str(getattr(answer, "name", "")), "")
        self.wanted = "" if label else "one of Action, such as Action.MOVE_UP"
        return label if label in request["moves"] else answer

    def end(self, request: dict[str, Any]) -> None:
        """Show the agent the last state with its last gain, whatever it answers, and clear it."""
        if request["end"] in ("BY_RULES", "TRUNCATED"):
            self.ask(request["position"])
        self.agent.clear()


def prepare() -> None:
    """Let a file import what draws windows, where there is none: nothing is drawn here."""
    for name in ("tkinter", "pygame"):
        try:
            __import__(name)
        except ImportError:
            sys.modules[name] = Nothing(name)


class Nothing(types.ModuleType):
    """A module whose names are there and do nothing."""

    __all__: list[str] = []  # noqa: RUF012

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return type(name, (), {})
