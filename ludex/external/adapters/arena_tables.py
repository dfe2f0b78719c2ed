"""The arena course programs on a file: both searches at the initial state, and full games.

Unlike in a match, the game is the file's own from its first state to its last.
"""

import contextlib
import importlib
import io
import json
import time
from typing import Any

DECISIONS = ("minimax_decision_min", "minimax_decision_max")


class Adapter:
    """Searches and plays the game of a file, as the handout programs do."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.module = module
        self.players: list[tuple[Any, Any]] = []  # game and searcher of Light and Wily
        self.state: Any = None

    def move(self, request: dict[str, Any]) -> str:
        """Return the answer to a request as JSON."""
        ask = {"search": self.search, "start": self.start, "ply": self.ply}[request["ask"]]
        return json.dumps(ask(request))

    def player(self, searcher: str, limit: int) -> tuple[Any, Any]:
        """Return a game with a depth limit, and its searcher from a module."""
        game = self.module.Game(depthlimit=limit)
        return game, importlib.import_module(searcher).Minimax(game)

    def search(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a searcher's result at the initial state."""
        game, searcher = self.player(request["searcher"], request["limit"])
        state = game.initial_state()
        began = time.perf_counter()
        found = decide(game, searcher, state)
        return {
            "seconds": time.perf_counter() - began,
            "nodes": int(found.nodes),
            "value": float(found.value),
            "move": str(found.move),
        }

    def start(self, request: dict[str, Any]) -> dict[str, Any]:
        """Begin a full game between two depth limits, Light's first."""
        self.players = [self.player("AlphaBeta_Full", limit) for limit in request["limits"]]
        self.state = self.players[0][0].initial_state()
        return {}

    def ply(self, request: dict[str, Any]) -> dict[str, Any]:
        """Play one move, and return it with the lives that it changed; at the end, who won."""
        rules = self.players[0][0]
        if rules.is_terminal(self.state):
            said = io.StringIO()
            with contextlib.redirect_stdout(said):
                rules.congratulate(self.state)
            return {"words": said.getvalue()}
        side = 0 if rules.is_maxs_turn(self.state) else 1
        before = dict(self.state.healths)
        name = decide(*self.players[side], self.state).move
        self.state = rules.result(self.state, name)
        lives = [
            (str(robot), int(before[robot]), int(life))
            for robot, life in self.state.healths.items()
            if life != before.get(robot, life)
        ]
        return {"side": side, "move": str(name), "lives": lives}


def decide(game: Any, searcher: Any, state: Any) -> Any:
    """Return a searcher's decision for the side to move."""
    return getattr(searcher, DECISIONS[bool(game.is_maxs_turn(state))])(state)
