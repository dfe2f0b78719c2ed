"""The arena course: a module with the game as a student wrote it, played by alpha-beta.

Every position is told to the student's own state, so that a rule that is wrong in the file can
mislead its search and nothing else.
"""

from typing import Any

LIGHT = "Spark Snake Needle Hard Top Gemini Magnet Shadow Mega".split()
WILY = "Metal Quick Air Crash Flash Bubble Wood Heat Gamma".split()
DEPTH = 2  # the limit where none is given; the search looks one ply further


def full(name: str) -> str:
    """Return a robot's name as the document has it."""
    return name if name == "Gamma" else f"{name} Man"


class Manner:
    """Asks the search of the course about the game of a file."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        from AlphaBeta_Full import Minimax  # type: ignore[import-not-found]

        name, _, depth = ("Game", "", word) if word.isdigit() else word.partition(":")
        self.game = getattr(module, name or "Game")(depthlimit=int(depth or DEPTH))
        self.search = Minimax(self.game)

    def begin(self, greeting: dict[str, Any]) -> None:
        """Start another match, of which there is nothing to know."""

    def state(self, position: str) -> Any:
        """Return a position as a state of the file."""
        lives, others, champion, other, weapons, seat = position.split()
        state = self.game.initial_state()
        health: dict[str, int] = {}
        for names, numbers, fighter, side in (
            (LIGHT, lives, champion, "light"),
            (WILY, others, other, "wily"),
        ):
            living = dict(zip(map(full, names), map(int, numbers.split(",")), strict=True))
            health |= living
            inside = "" if fighter == "-" else full(fighter.capitalize())
            roster = [name for name, life in living.items() if life > 0 and name != inside]
            setattr(state, f"{side}_champ", inside)
            setattr(state, f"{side}_roster", like(getattr(state, f"{side}_roster"), roster))
        state.healths = type(state.healths)(health)
        won = [] if weapons == "-" else [full(name.capitalize()) for name in weapons.split(",")]
        first = list(state.mega_weapons)
        state.mega_weapons = like(state.mega_weapons, [*first, *won])
        state.maxs_turn = seat == "0"
        return state

    def move(self, request: dict[str, Any]) -> Any:
        """Return the champion that the search sends."""
        state = self.state(request["position"])
        maxs = self.game.is_maxs_turn(state)
        decide = self.search.minimax_decision_max if maxs else self.search.minimax_decision_min
        answer = decide(state).move
        label = str(answer).removesuffix(" Man").lower()
        return label if label in request["moves"] else answer


def like(sample: Any, names: list[str]) -> Any:
    """Return names in a collection of the kind that a file uses."""
    return type(sample)(names) if isinstance(sample, list | tuple | set | frozenset) else names
