"""The aeroplane course: agents created for a colour, with `get_action(state, die_v)`.

The handout modules are `utils`, `GameBoard`, `Game` and `Agent`. If a folder brings its own, the
states that its agent sees are made of its own classes. Those differ in details, such as whether
a turn is a colour or a number, so the ways to create a state are tried until one works.
"""

import builtins
import copy
import enum
import importlib
import importlib.util
import operator
import os
import sys
import types
from collections.abc import Callable
from functools import partial
from typing import Any

MODULES = ("utils", "GameBoard", "Game", "Agent")
LETTERS = {2: "BG", 3: "RBY", 4: "RBYG"}
ENTRY = {"R": 39, "B": 0, "Y": 13, "G": 26}
SQUARES, TRACK, HOME = 52, 50, 56

# Builds a state from the steps of each player's planes, and the seat to move.
Builder = Callable[[list[list[int]], int], Any]

# Forms in which a file may hold its players, and in which it may express a turn.
CONTAINERS: tuple[Callable[[list[Any]], Any], ...] = (
    list,
    lambda players: {player.color: player for player in players},
)
TURNS: tuple[Callable[[list[Any], int], Any], ...] = (
    lambda players, seat: players[seat].color,
    lambda players, seat: seat,
    lambda players, seat: players[seat],
)


def prepare() -> None:
    """Import the handout modules, and yield their names to files that the agent brings.

    They import one another first, so that our `GameBoard` never uses a `utils` of the agent.
    """
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    provided = os.path.join(here, "provided", "aeroplane")
    sys.path.insert(0, provided)
    ours = {name: importlib.import_module(name) for name in MODULES}
    sys.path.remove(provided)
    for name in MODULES:
        del sys.modules[name]
    for name, module in ours.items():
        spec = importlib.util.find_spec(name)
        if spec is None or spec.origin == module.__file__:
            sys.modules[name] = module
    if importlib.util.find_spec("colorama") is None:
        sys.modules["colorama"] = plain_colorama()
    builtins.input = lambda prompt="": ""  # a display that waits for Enter does not


def plain_colorama() -> types.ModuleType:
    """Return a stand-in for colorama, in which all colours are empty strings."""

    class Plain:
        def __getattr__(self, name: str) -> str:
            return ""

    names = ("init", "deinit", "reinit", "just_fix_windows_console")
    module = types.ModuleType("colorama")
    vars(module).update({name: lambda *given, **named: None for name in names})
    vars(module).update({name: Plain() for name in ("Fore", "Back", "Style", "Cursor")})
    return module


class Adapter:
    """An agent of a file."""

    def __init__(self, module: Any, greeting: dict[str, Any], word: str) -> None:
        self.module, self.word = module, word
        self.begin(greeting)

    def begin(self, greeting: dict[str, Any]) -> None:
        """Create a new agent for a match."""
        letters = LETTERS[int(greeting["seats"])]
        self.agent = getattr(self.module, self.word)(letters[int(greeting["seat"])])
        self.board = StateFactory(self.module, letters, greeting["rules"]["stacks"] == "block")

    def state(self, position: str) -> tuple[Any, int]:
        """Return a position as a state of the course, and the roll."""
        *sides, roll, seat = position.split()
        places = [[steps(place) for place in side[2:].split(",")] for side in sides]
        state = self.board.state(places, int(seat))
        state.die_roll = int(roll)
        return state, int(roll)

    def move(self, request: dict[str, Any]) -> Any:
        """Return the plane that the agent moves."""
        answer = self.agent.get_action(*self.state(request["position"]))
        try:
            label = f"plane {operator.index(answer) + 1}"
        except (TypeError, ValueError):
            label = ""
        self.wanted = "" if label else "the index of a plane that can move"
        return label or answer


class StateFactory:
    """The classes that an agent knows, and how its states are built."""

    def __init__(self, module: Any, letters: str, block: bool) -> None:
        self.letters = letters
        self.agent = lookup(module, "RandomAgent")  # of all players, for simulated matches
        names = ("GameState", "Player", "Plane")
        self.game_state, self.player, self.plane = (lookup(module, name) for name in names)
        if hasattr(self.game_state, "block"):
            self.game_state.block = block
        self.state = self.working_builder()

    def working_builder(self) -> Builder:
        """Return the first builder whose states know whose turn it is."""
        ways: list[Builder] = [
            partial(self.build_state, hold, turn) for hold in CONTAINERS for turn in TURNS
        ]
        trouble: Exception = ValueError("whose turn it is cannot be told from get_movable_planes")
        for way in [*ways, self.copy_state]:
            try:
                if self.knows_turn(way):
                    return way
            except Exception as error:  # their classes may raise anything
                trouble = error
        raise ValueError("no GameState(players, turn) could be made") from trouble

    def knows_turn(self, way: Builder) -> bool:
        """Return whether the first player alone can move where only its plane can."""
        places = [[0, -1, -1, -1], *([-1] * 4 for _ in self.letters[1:])]
        movable = [list(way(places, seat).get_movable_planes(1)) for seat in range(len(places))]
        return movable == [[0], *([] for _ in places[1:])]

    def build_state(self, hold: Any, turn: Any, places: list[list[int]], seat: int) -> Any:
        """Return a state built from players in some container, and a turn."""
        players = [
            self.player(letter, self.agent(letter) if self.agent else None)
            for letter in self.letters
        ]
        for player in players:
            if not isinstance(player.planes[0], self.plane):  # they come from different modules
                player.planes = [self.plane(player.color, ind) for ind in range(4)]
        put_planes(players, places)
        return self.game_state(hold(players), turn(players, seat))

    def copy_state(self, places: list[list[int]], seat: int) -> Any:
        """Return a modified copy of the first state of the agent's own `Game`."""
        if not hasattr(self, "first"):
            game = importlib.import_module("Game").Game(len(self.letters))
            self.first = next(one for one in vars(game).values() if hasattr(one, "players"))
        state = copy.deepcopy(self.first)
        held = state.players
        players = list(held.values() if isinstance(held, dict) else held)
        put_planes(players, places)
        kinds = [turn(players, seat) for turn in TURNS]
        state.turn = next((one for one in kinds if type(one) is type(state.turn)), kinds[0])
        return state


def lookup(module: Any, name: str) -> Any:
    """Return what a name means in an agent's file or the modules around it, or None."""
    if hasattr(module, name):
        return getattr(module, name)
    for place in ("GameBoard", "Game", "Agent"):
        if hasattr(importlib.import_module(place), name):
            return getattr(sys.modules[place], name)
    return None


def put_planes(players: list[Any], places: list[list[int]]) -> None:
    """Move new planes to their places; planes that the position lacks are home."""
    for player, all_steps in zip(players, places, strict=True):
        spare = len(player.planes) - len(all_steps)
        for plane, gone in zip(player.planes, [*all_steps, *[HOME] * spare], strict=True):
            put(plane, gone)


def put(plane: Any, gone: int) -> None:
    """Move a plane from the hangar by a number of steps, with its own methods if they suffice."""
    if gone < 0:
        return
    hangar = plane.pos_type
    plane.launch()
    for _ in range(gone):
        plane.move(1)
    if gone == HOME and not plane.is_finished():
        plane.finish()
    kind, question, pos = place_of(plane.color, gone)
    there = getattr(plane, "total_steps", None) == gone or plane.pos == pos
    if not there or not getattr(plane, question)():
        # Its methods do more than step, such as jump: set the attributes instead.
        plane.pos_type, plane.pos, plane.total_steps = place_kind(hangar, kind), pos, gone


def place_of(colour: str, gone: int) -> tuple[str, str, int]:
    """Return the kind of place after some steps, the method that tests for it, and `pos`."""
    if gone == 0:
        return "Launch", "is_on_launch", -1
    if gone <= TRACK:
        return "Main", "is_on_main_track", (ENTRY[colour] + gone - 1) % SQUARES
    if gone < HOME:
        return "Final", "is_on_final_stretch", gone - TRACK
    return "Finish", "is_finished", HOME - TRACK


def place_kind(hangar: Any, kind: str) -> Any:
    """Return a kind of place in the style of an agent's modules, as their hangar shows it."""
    if isinstance(hangar, enum.Enum):
        fitting = [one for one in type(hangar) if one.name.lower().startswith(kind.lower())]
        return fitting[0] if fitting else kind
    text = str(hangar)
    return kind.upper() if text.isupper() else kind.lower() if text.islower() else kind


def steps(place: str) -> int:
    """Return the steps of a plane: -1 in the hangar, 0 at the launch, 56 at home."""
    special = {"h": -1, "l": 0, "home": HOME}
    if place in special:
        return special[place]
    return TRACK + int(place[1:]) if place.startswith("f") else int(place)
