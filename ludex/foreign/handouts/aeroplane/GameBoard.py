"""The board of Aeroplane Chess: planes, and states that follow from one another.

A plane's place is "h" in the hangar, "l" in the launch area, an own step from 1 to 50 on the track,
"f1" to "f5" on the final stretch, or "home". Squares of the track are counted from 0 to 51.
"""

COLORS = "RBYG"
FIRST_SQUARE = {"R": 39, "B": 0, "Y": 13, "G": 26}
FACING = {"R": "Y", "Y": "R", "B": "G", "G": "B"}
HOME = 56
FLIGHT = 18


class Plane:
    """A plane of a color, by how many steps it has gone: -1 in the hangar, 0 at the launch."""

    def __init__(self, color, steps=-1):
        self.color = color
        self.steps = steps

    def copy(self):
        """Return a plane of its own at the same place."""
        return Plane(self.color, self.steps)

    @property
    def in_hangar(self):
        """Whether it waits for a six."""
        return self.steps == -1

    @property
    def finished(self):
        """Whether it is home."""
        return self.steps == HOME

    @property
    def on_track(self):
        """Whether it stands on one of the 52 squares."""
        return 1 <= self.steps <= 50

    @property
    def square(self):
        """The square of the track, or None."""
        return (FIRST_SQUARE[self.color] + self.steps - 1) % 52 if self.on_track else None

    @property
    def stretch(self):
        """The place on the final stretch, 1 to 6, or None."""
        return self.steps - 50 if self.steps > 50 else None


class GameState:
    """Whose turn it is, what was rolled, and where all planes are."""

    def __init__(self, planes, turn, die=None, block=False):
        self.planes = planes  # the planes of each color, in the order of the turns
        self.turn = turn  # a color
        self.die = die
        self.block = block  # whether two planes on a square cannot be caught

    def copy(self):
        """Return a state of its own that is the same."""
        planes = {color: [plane.copy() for plane in own] for color, own in self.planes.items()}
        return GameState(planes, self.turn, self.die, self.block)

    def get_movable_planes(self, die_v):
        """Return the indices of the planes that the color at turn may move after a roll."""
        own = self.planes[self.turn]
        return [
            index
            for index, plane in enumerate(own)
            if not plane.finished and (not plane.in_hangar or die_v == 6)
        ]

    def is_win(self, color):
        """Return whether all planes of a color are home."""
        return all(plane.finished for plane in self.planes[color])

    def is_lose(self, color):
        """Return whether another color has all planes home."""
        return any(self.is_win(other) for other in self.planes if other != color)

    def generate_successor(self, action, die_v):
        """Return the state after the color at turn has moved a plane, or None of them."""
        state = self.copy()
        state.die = None
        if action is not None:
            state._move(state.planes[self.turn][action], die_v)
        if die_v != 6:
            colors = list(self.planes)
            state.turn = colors[(colors.index(self.turn) + 1) % len(colors)]
        return state

    def _move(self, plane, die_v):
        if plane.in_hangar:
            plane.steps = 0
            return
        start = plane.steps
        landed = start + die_v
        landed = landed if landed <= HOME else 2 * HOME - landed
        if self._blocked(plane.color, landed):
            return
        plane.steps = landed
        self._catch(plane)
        if not plane.on_track or landed % 4 != 2:
            return
        end, flies = landed + 4, False
        if landed == FLIGHT:
            end, flies = landed + 16, True
        elif end == FLIGHT:
            end, flies = landed + 16, True
        if self._blocked(plane.color, end):
            return
        plane.steps = end
        if flies:
            for other in self.planes.get(FACING[plane.color], ()):
                if other.stretch == 3:
                    other.steps = -1
        self._catch(plane)

    def _others(self, color):
        return [plane for other, own in self.planes.items() if other != color for plane in own]

    def _blocked(self, color, steps):
        here = Plane(color, steps).square
        if not self.block or here is None:
            return False
        there = [plane.color for plane in self._others(color) if plane.square == here]
        return any(there.count(other) >= 2 for other in there)

    def _catch(self, plane):
        if plane.on_track:
            for other in self._others(plane.color):
                if other.square == plane.square:
                    other.steps = -1


def new_state(colors="BG", planes=4):
    """Return the state before the first roll."""
    return GameState({color: [Plane(color) for _ in range(planes)] for color in colors}, colors[0])
