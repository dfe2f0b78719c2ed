"""The aeroplane course: agents made for a colour, with `get_action(state, die_v)`."""

import operator
from typing import Any


class Manner:
    """Asks an agent of a file."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.module, self.word = module, word
        self.begin(greeting)

    def begin(self, greeting: dict[str, Any]) -> None:
        """Sit down with a new agent."""
        letters = {2: "BG", 3: "RBY", 4: "RBYG"}[int(greeting["seats"])]
        self.block = greeting["rules"]["stacks"] == "block"
        self.agent = getattr(self.module, self.word)(letters[int(greeting["seat"])])

    def state(self, position: str) -> tuple[Any, int]:
        """Return a position as a state of the course, and what was rolled."""
        from GameBoard import GameState, Plane  # type: ignore[import-not-found]

        *sides, roll, seat = position.split()
        planes: dict[str, list[Any]] = {}
        for side in sides:
            colour, _, places = side.partition(":")
            planes[colour] = [Plane(colour, steps(place)) for place in places.split(",")]
        return GameState(planes, list(planes)[int(seat)], int(roll), self.block), int(roll)

    def move(self, request: dict[str, Any]) -> Any:
        """Return the plane that the agent moves."""
        answer = self.agent.get_action(*self.state(request["position"]))
        try:
            label = f"plane {operator.index(answer) + 1}"
        except (TypeError, ValueError):
            label = ""
        self.wanted = "" if label else "the index of a plane that can move"
        return label if label in request["moves"] else answer


def steps(place: str) -> int:
    """Return how many steps a plane has gone: -1 in the hangar, 0 at the launch, 56 at home."""
    special = {"h": -1, "l": 0, "home": 56}
    if place in special:
        return special[place]
    return 50 + int(place[1:]) if place.startswith("f") else int(place)
