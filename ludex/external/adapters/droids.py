"""The droids course: agents with `get_best_move(self_droid, adv_droid, score_change, training)`."""

import inspect
from typing import Any

STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
LABELS = {f"MOVE_{way.upper()}": way for way in STEPS} | {"SHOOT": "shoot"}
USUAL = ("MinimaxAgent", "QAgent")


class Droid:
    """A droid as the document describes it, for agents to inspect and to try moves on.

    Agents get this one, not the one in their file, as the document says. Its actions are those of
    the file, so that they compare equal to what agents know.
    """

    def __init__(
        self, rows: int, cols: int, location: tuple[int, int], shots: int, actions: Any
    ) -> None:
        self.rows, self.cols = rows, cols
        self.location, self.shots = location, shots
        self.actions = actions

    def copy(self) -> "Droid":
        """Return an independent copy."""
        return Droid(self.rows, self.cols, self.location, self.shots, self.actions)

    def target(self, move: Any) -> tuple[int, int] | None:
        """Return the cell that a move leads to, or None."""
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


class Adapter:
    """One of the agents of a file, which learns from all matches of its process."""

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

    def training_done(self) -> bool:
        """Return whether the agent has trained enough, by a method or an attribute."""
        said = getattr(self.agent, "training_done", False)
        return bool(said() if callable(said) else said)

    def ask(self, position: str) -> Any:
        """Return the agent's answer to a position."""
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
        """Return the label of the agent's action."""
        answer = self.ask(request["position"])
        label = LABELS.get(str(getattr(answer, "name", "")), "")
        self.wanted = "" if label else "one of Action, such as Action.MOVE_UP"
        return label or answer

    def end(self, request: dict[str, Any]) -> None:
        """Show the agent the last state and its last gain, ignoring the answer, and clear it."""
        if request["end"] in ("BY_RULES", "TRUNCATED"):
            self.ask(request["position"])
        self.agent.clear()


class RulesAdapter:
    """Queries the `R2Droid` of a file."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.module = module

    def answer(self, case: dict[str, Any]) -> dict[str, Any]:
        """Return a method's result, and both droids after the call."""
        cells, shots = case["cells"], case["shots"]
        mine, other = (
            self.module.R2Droid(case["rows"], case["columns"], tuple(cells[one]), shots[one])
            for one in (0, 1)
        )
        found: dict[str, Any] = {}
        action = self.module.Action[case["action"]] if case["action"] else None
        if case["method"] == "copy":
            found = self.try_copy(mine, action, case)
        elif case["method"] == "move_location":
            mine.move_location(action)
        elif case["method"] == "shoot":
            found["returned"] = to_json(mine.shoot(other, action))
        elif case["method"] == "available_actions":
            found["returned"] = names(mine.available_actions())
        for name, droid in (("droid", mine), ("other", other)):
            found |= {
                f"{name}.location": to_json(droid.location),
                f"{name}.shots": to_json(droid.shots),
            }
        return found

    def try_copy(self, mine: Any, action: Any, case: dict[str, Any]) -> dict[str, Any]:
        """Return what a copy is, and whether it acts as a newly made droid does.

        Then change the droid, and after it the copy; neither may affect the other.
        """
        made = (case["rows"], case["columns"])
        copy = mine.copy()
        found = {"copy.location": to_json(copy.location), "copy.shots": to_json(copy.shots)}
        again = self.module.R2Droid(*made, mine.location, mine.shots)
        one, two = (
            self.try_methods(droid, self.module.R2Droid(*made, tuple(case["cells"][1]), 1), action)
            for droid in (copy, again)
        )
        found["acts as a droid made anew"] = one == two
        before, acted = (mine.location, mine.shots), (copy.location, copy.shots)
        mine.location, mine.shots = made, 99
        found["changes with the droid"] = (copy.location, copy.shots) != acted
        mine.location, mine.shots = before
        copy.location, copy.shots = made, 98
        return found

    def try_methods(self, droid: Any, other: Any, action: Any) -> list[Any]:
        """Return what the methods of a droid do; each has its own test for errors."""
        found: list[Any] = []
        for method in (
            lambda: names(droid.available_actions()),
            lambda: droid.move_location(action),
            lambda: droid.shoot(other, action),
        ):
            try:
                found.append(to_json(method()))
            except Exception as error:
                found.append(type(error).__name__)
            found += [to_json(droid.location), to_json(droid.shots)]
        return found


def names(actions: Any) -> list[str]:
    """Return the sorted names of actions."""
    return sorted(str(getattr(one, "name", one)) for one in actions)


def to_json(value: Any) -> Any:
    """Return a value for JSON, a pair as a list, and as its repr if JSON has no such type."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, tuple) and len(value) == 2:
        return [to_json(one) for one in value]
    if hasattr(value, "dtype") and not value.shape:  # a NumPy number
        return value.item()
    return repr(value)[:80]
