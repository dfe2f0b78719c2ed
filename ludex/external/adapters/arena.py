"""The arena course: a module with the game as a student wrote it, played by alpha-beta.

Every position is passed to the student's own state, so that a wrong rule in the file misleads
only its own search.
"""

from typing import Any

LIGHT = "Spark Snake Needle Hard Top Gemini Magnet Shadow Mega".split()
WILY = "Metal Quick Air Crash Flash Bubble Wood Heat Gamma".split()
DEPTH = 2  # the default limit; the search looks one ply further


def full_name(name: str) -> str:
    """Return a robot's name as the document has it."""
    return name if name == "Gamma" else f"{name} Man"


class States:
    """Makes states of a file from positions, in the form that the file uses.

    Its own `result` shows whether rosters include the champion in the arena, and whether weapons
    have the full names of their robots.
    """

    def __init__(self, game: Any) -> None:
        self.game = game
        self.keeps_champion = self.short_weapons = False
        try:
            sent = game.result(game.initial_state(), "Mega Man")
            self.keeps_champion = "Mega Man" in sent.light_roster
            self.short_weapons = "Quick" in game.result(sent, "Quick Man").mega_weapons
        except Exception:  # its errors show when it is queried
            return

    def state(self, position: str) -> Any:
        """Return a position as a state of the file."""
        lives, others, champion, other, weapons, seat = position.split()
        state = self.game.initial_state()
        health: dict[str, int] = {}
        for names, numbers, fighter, side in (
            (LIGHT, lives, champion, "light"),
            (WILY, others, other, "wily"),
        ):
            living = dict(zip(map(full_name, names), map(int, numbers.split(",")), strict=True))
            health |= living
            inside = "" if fighter == "-" else full_name(fighter.capitalize())
            away = "" if self.keeps_champion else inside
            roster = [name for name, life in living.items() if life > 0 and name != away]
            setattr(state, f"{side}_champ", inside)
            setattr(state, f"{side}_roster", as_kind(getattr(state, f"{side}_roster"), roster))
        state.healths = type(state.healths)(health)
        won = [] if weapons == "-" else [name.capitalize() for name in weapons.split(",")]
        won = won if self.short_weapons else [full_name(name) for name in won]
        first = list(state.mega_weapons)
        state.mega_weapons = as_kind(state.mega_weapons, [*first, *won])
        state.maxs_turn = seat == "0"
        return state


class Adapter:
    """Plays the game of a file by the search of the course."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        from AlphaBeta_Full import Minimax  # type: ignore[import-not-found]

        name, _, depth = ("Game", "", word) if word.isdigit() else word.partition(":")
        self.game = getattr(module, name or "Game")(depthlimit=int(depth or DEPTH))
        self.state = States(self.game).state
        self.search = Minimax(self.game)

    def move(self, request: dict[str, Any]) -> Any:
        """Return the champion that the search sends."""
        state = self.state(request["position"])
        maxs = self.game.is_maxs_turn(state)
        decide = self.search.minimax_decision_max if maxs else self.search.minimax_decision_min
        answer = decide(state).move
        label = str(answer).removesuffix(" Man").lower()
        return label if label.capitalize() in (*LIGHT, *WILY) else answer


class RulesAdapter:
    """Queries the `Game` of a file."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.game = module.Game(depthlimit=DEPTH)
        self.state = States(self.game).state
        self.first_weapons = list(self.game.initial_state().mega_weapons)

    def answer(self, case: dict[str, Any]) -> dict[str, Any]:
        """Return a method's result, and which fields of its argument it changed."""
        state = self.state(case["position"])
        before = self.fields(state)
        given = [case["action"]] if case["action"] else []
        value = getattr(self.game, case["method"])(state, *given)
        if hasattr(value, "healths"):
            found: Any = self.fields(value)
        elif case["method"] == "actions":
            found = [to_json(one) for one in value]
        else:
            found = to_json(value)
        after = self.fields(state)
        return {
            "returned": found,
            "changed": [name for name in after if after[name] != before[name]],
        }

    def fields(self, state: Any) -> dict[str, Any]:
        """Return a state by its fields, without Mega Man's initial weapons."""
        won = [one for one in state.mega_weapons if one not in self.first_weapons]
        return {
            "healths": {str(name): lifepoints(life) for name, life in state.healths.items()},
            "light_champ": to_json(state.light_champ),
            "wily_champ": to_json(state.wily_champ),
            "light_roster": sorted(map(str, state.light_roster)),
            "wily_roster": sorted(map(str, state.wily_roster)),
            "mega_weapons": sorted(map(str, won)),
            "maxs_turn": to_json(state.maxs_turn),
        }


def lifepoints(life: Any) -> Any:
    """Return life points for JSON, at least 0; the document does not say how low they may go."""
    return max(life, 0) if isinstance(life, int | float) else to_json(life)


def to_json(value: Any) -> Any:
    """Return a value for JSON, as its repr if JSON has no such type."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if hasattr(value, "dtype") and not value.shape:  # a NumPy number
        return value.item()
    return repr(value)[:80]


def as_kind(sample: Any, names: list[str]) -> Any:
    """Return names in the kind of collection that a file uses."""
    return type(sample)(names) if isinstance(sample, list | tuple | set | frozenset) else names
