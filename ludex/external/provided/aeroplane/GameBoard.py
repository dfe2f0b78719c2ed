"""The board of Aeroplane Chess: planes, squares, and states that follow from one another."""

import copy
from enum import StrEnum
from functools import total_ordering

from utils import COLORS, ENTRY, FS, JUMP_POINT, NUM_SQUARES, OPPONENT, TOTAL_STEPS, TRACK_STEPS

JUMP = 4  # squares to the next one of the same color
FLIGHT = 12
FLIGHT_STEP = 18  # of a plane's own steps, the jump point
CROSSED = 3  # where a flight crosses the final stretch of the opposite color
STRETCH = 7  # places of a final stretch in the display


class PosType(StrEnum):
    """The kinds of places; each equals its name as a string."""

    Hangar = "Hangar"
    Launch = "Launch"
    Main = "Main"
    Final = "Final"
    Finish = "Finish"


class Plane:
    """A plane of a color: where it is, and how many of its own 56 steps it has gone.

    `pos` is the square (0 to 51) on the main track and the place (1 to 6, which is home) on the
    final stretch; it is -1 in the hangar and in the launch area.
    """

    def __init__(self, color, ind):
        self.color = color
        self.ind = ind
        self.back_to_hangar()

    def back_to_hangar(self):
        """Wait for a six."""
        self.pos_type, self.pos, self.total_steps = PosType.Hangar, -1, 0

    def launch(self):
        """Leave the hangar for the launch area."""
        self.pos_type, self.pos, self.total_steps = PosType.Launch, -1, 0

    def finish(self):
        """Come home."""
        self.pos_type, self.pos = PosType.Finish, TOTAL_STEPS - TRACK_STEPS
        self.total_steps = TOTAL_STEPS

    def move(self, steps):
        """Go some steps; those beyond home are walked back. Jumps are a matter of the state."""
        self.total_steps = self.steps_after(steps)
        if self.total_steps == TOTAL_STEPS:
            self.finish()
        elif self.total_steps > TRACK_STEPS:
            self.pos_type, self.pos = PosType.Final, self.total_steps - TRACK_STEPS
        else:
            self.pos_type, self.pos = PosType.Main, square_of(self.color, self.total_steps)

    def steps_after(self, steps):
        """Return how many steps the plane will have gone after some more."""
        total = self.total_steps + steps
        return total if total <= TOTAL_STEPS else 2 * TOTAL_STEPS - total

    def is_on_hangar(self):
        """Return whether it waits for a six."""
        return self.pos_type == PosType.Hangar

    def is_on_launch(self):
        """Return whether it is in the launch area."""
        return self.pos_type == PosType.Launch

    def is_on_main_track(self):
        """Return whether it is on one of the 52 squares."""
        return self.pos_type == PosType.Main

    def is_on_final_stretch(self):
        """Return whether it is on the final stretch, but not home."""
        return self.pos_type == PosType.Final

    def is_finished(self):
        """Return whether it is home."""
        return self.pos_type == PosType.Finish

    def copy(self):
        """Return a plane of its own at the same place."""
        plane = Plane.__new__(type(self))
        plane.__dict__.update(self.__dict__)
        return plane

    def __repr__(self):
        return f"Plane({self.color}{self.ind} {self.pos_type} {self.pos})"


def square_of(color, steps):
    """Return the square of a color's own step on the main track."""
    return (ENTRY[color] + steps - 1) % NUM_SQUARES


class Square:
    """A square of the main track, or a place of a final stretch."""

    def __init__(self, ind, is_final_stretch, color):
        self.ind = ind
        self.is_final_stretch = is_final_stretch
        self.color = color

    def is_jump_point(self):
        """Return whether planes of its color fly from here."""
        return not self.is_final_stretch and JUMP_POINT[self.color] == self.ind

    def __str__(self):
        return self.color


SQUARES = [Square(ind, False, COLORS[ind % len(COLORS)]) for ind in range(NUM_SQUARES)]
FINAL_STRETCHES = {color: [Square(ind, True, color) for ind in range(STRETCH)] for color in COLORS}


class GameBoard:
    """The squares, and the planes that stand on them; as a string, the display."""

    def __init__(self, planes):
        self.planes = list(planes)
        self.squares = SQUARES
        self.final_stretches = FINAL_STRETCHES

    def __str__(self):
        colors = [color for color in COLORS if any(plane.color == color for plane in self.planes)]
        marks = {ENTRY[color]: "E" for color in colors} | {FS[color]: "F" for color in colors}
        main = [plane for plane in self.planes if plane.is_on_main_track()]
        lines = ["=" * 33 + "Main track" + "=" * 62]
        lines.append(" ".join(marks.get(ind, " ") for ind in range(NUM_SQUARES)))
        lines += rows(self.squares, main)
        lines.append("=" * 40 + "Final Stretches" + "=" * 50)
        for color in colors:
            lines.append("=" * 45 + color + "=" * 59)
            final = [p for p in self.planes if p.color == color and p.is_on_final_stretch()]
            lines += rows(self.final_stretches[color], final)
        return "\n".join(lines)


def rows(squares, planes):
    """Return three lines: the colors of squares, how many planes stand there, and whose."""
    here = [[plane.color for plane in planes if plane.pos == square.ind] for square in squares]
    return [
        " ".join(map(str, squares)),
        " ".join(str(len(there)) if there else " " for there in here),
        " ".join(there[0] if there else " " for there in here),
    ]


class Players(list):
    """The players in the order of their turns; also found by their color."""

    def __getitem__(self, key):
        if isinstance(key, str):
            return next(player for player in self if player.color == key)
        return super().__getitem__(key)


@total_ordering
class GameState:
    """Whose turn it is (a color), what was rolled, and where all planes are.

    States are equal if the turn and the planes are; what was rolled is not looked at.
    """

    block = False  # whether two planes of a color on a square cannot be caught

    def __init__(self, players, turn):
        self.players = Players(players)
        self.turn = turn if isinstance(turn, str) else self.players[turn].color
        self.die_roll = None

    @property
    def gameboard(self):
        """The board with all planes."""
        return GameBoard(plane for player in self.players for plane in player.planes)

    def get_turn_player(self):
        """Return the player whose turn it is."""
        return self.players[self.turn]

    def get_opponent(self, player):
        """Return the player of the opposite color, or else the next one."""
        others = [other for other in self.players if other.color != player.color]
        facing = [other for other in others if other.color == OPPONENT[player.color]]
        return (facing or others)[0]

    def get_planes(self, pos):
        """Return the planes on a square of the main track."""
        return [
            plane
            for player in self.players
            for plane in player.planes
            if plane.pos == pos and plane.is_on_main_track()
        ]

    def get_movable_planes(self, die):
        """Return the indices of the planes that may move after a roll."""
        return self.get_turn_player().get_movable_planes(die)

    def is_win(self, color):
        """Return whether all planes of a color are home."""
        return self.players[color].get_remaining_planes_count() == 0

    def is_lose(self, color):
        """Return whether another color has all planes home."""
        return any(self.is_win(other.color) for other in self.players if other.color != color)

    def generate_successor(self, action, die, show_event=False):
        """Return the state after the player at turn has moved a plane, or None of them.

        After a six it is the same player's turn.
        """
        state = copy.copy(self)
        state.players = Players(copy.deepcopy(player) for player in self.players)
        state.die_roll = None
        if action is not None:
            state._move(state.get_turn_player().planes[action], die, show_event)
        if die != 6:
            colors = [player.color for player in self.players]
            state.turn = colors[(colors.index(self.turn) + 1) % len(colors)]
        return state

    def catch_planes(self, plane, show_event=False):
        """Send home all planes of other colors on the square of a plane, and return them."""
        caught = []
        if plane.is_on_main_track():
            caught = [other for other in self.get_planes(plane.pos) if other.color != plane.color]
        self._send_back(plane, caught, show_event)
        return caught

    def _move(self, plane, die, show_event):
        if plane.is_on_hangar():
            plane.launch()
            return
        if self._is_blocked(plane, plane.steps_after(die)):
            tell(show_event, f"{plane.color} plane {plane.ind} is blocked!")
            return
        plane.move(die)
        self.catch_planes(plane, show_event)
        if plane.is_on_main_track() and plane.total_steps % JUMP == 2:  # a square of its color
            self._jump(plane, show_event)
        if plane.is_finished():
            tell(show_event, f"{plane.color} player got a plane finished!")

    def _jump(self, plane, show_event):
        flies = plane.total_steps in (FLIGHT_STEP - JUMP, FLIGHT_STEP)
        steps = JUMP + FLIGHT if flies else JUMP
        if self._is_blocked(plane, plane.total_steps + steps):
            return
        tell(show_event, f"{plane.color} plane {plane.ind} {'flies' if flies else 'jumps'}!")
        plane.move(steps)
        if flies:
            self._send_back(plane, self._crossed(OPPONENT[plane.color]), show_event)
        self.catch_planes(plane, show_event)

    def _crossed(self, color):
        return [
            plane
            for player in self.players
            for plane in player.planes
            if player.color == color and plane.is_on_final_stretch() and plane.pos == CROSSED
        ]

    def _send_back(self, plane, caught, show_event):
        for other in caught:
            other.back_to_hangar()
            tell(show_event, f"{plane.color} caught a plane of {other.color}!")

    def _is_blocked(self, plane, steps):
        if not self.block or steps > TRACK_STEPS:
            return False
        there = [other.color for other in self.get_planes(square_of(plane.color, steps))]
        return any(color != plane.color and there.count(color) > 1 for color in there)

    def _key(self):
        planes = [
            (plane.color, plane.pos_type, plane.total_steps)
            for player in self.players
            for plane in player.planes
        ]
        return self.turn, tuple(planes)

    def __eq__(self, other):
        return self._key() == other._key() if isinstance(other, GameState) else NotImplemented

    def __lt__(self, other):
        return self._key() < other._key() if isinstance(other, GameState) else NotImplemented

    def __hash__(self):
        return hash(self._key())


def tell(show_event, text):
    """Print what has happened, if it is wanted."""
    if show_event:
        print(text)


def __getattr__(name):
    """Return Player and Game, which are in Game.py, to those who look for them here."""
    if name in ("Game", "Player"):
        import Game

        return getattr(Game, name)
    raise AttributeError(f"GameBoard has no {name}")
