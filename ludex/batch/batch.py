"""Many matches of a game at once, on the cores of the CPU or on a graphics card.

Both devices run the same code and draw the same random numbers: the same seed and the same
actions give the same states on either.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ludex.batch.devices import open_device
from ludex.batch.policies import policy_of
from ludex.batch.stepping import FINISHED, GOING_ON, Boards, Terms
from ludex.core import rules as ask
from ludex.core.observation import bounds
from ludex.core.rules import BOTH, Rules, State
from ludex.core.time_control import PLIES
from ludex.io.text import whole_number
from ludex.kernel.bits import as_word
from ludex.kernel.counter_rng import stream_of
from ludex.kernel.jit import compiled
from ludex.kernel.tuples import flatten, unflatten

Chooser = Callable[["Batch"], Any]
"""A function that returns an action for each board, which is ignored where it is not to move."""
FUNCTIONS = ", or a function that takes the batch and returns an action for each board"


@compiled
def fill_streams(seed, keys):
    """Write the key of the stream of each board."""
    for board in range(len(keys)):
        keys[board] = stream_of(seed, board)


Kinds = tuple[tuple[tuple[int, ...], Any], ...]
"""The shapes and types of arrays."""


class Options(NamedTuple):
    """Extras of a batch, for adapters."""

    draw_seat: bool = False
    """Each match opens a random seat, although all seats have agents."""
    hints: bool = False
    """Shaping rewards of the game are added up for the open seat."""


NO_OPTIONS = Options()


class Outcome(NamedTuple):
    """The result of a step for the lowest open seat of each board."""

    rewards: Any
    """The returns if the match is over, plus shaping rewards if the options ask for them."""
    over: Any
    """Whether the match has ended, also by an illegal action."""
    cut: Any
    """Whether the match was cut off."""
    illegal: Any
    """Whether it ended by an illegal action."""
    seats: Any
    """The seat that the other fields refer to."""


def bits_of(seats: Iterable[int]) -> int:
    """Return seats as bits."""
    return sum(1 << seat for seat in seats)


class Batch:
    """Matches side by side, on boards numbered from 0.

    Seats without an agent are open: `step` takes their actions, and goes on to the next decision of
    an open seat, playing chance and agents in between. A match that has ended keeps its last state
    until the next step, which starts a new one and ignores its action.

    Arrays that it returns have a row for each board. They stay valid until the next step, and on a
    card they are shared with other libraries by DLPack.
    """

    def __init__(
        self,
        rules: Rules,
        boards: int,
        device: str = "cpu",
        seed: int = 0,
        agents: Mapping[int, str | Chooser] | None = None,
        plies: int = PLIES,
        options: Options = NO_OPTIONS,
    ) -> None:
        self.rules, self.first = rules, ask.initial(rules)
        self.seat_count = int(ask.seats(rules))
        if not isinstance(agents, Mapping | None):
            raise ValueError(f"agents {agents!r}: expected a dictionary of agents by seat")
        given = dict(agents or {})
        for seat in given:
            self.check_seat(seat, "agents: ")
        self.choosers = {seat: one for seat, one in given.items() if callable(one)}
        texts = {seat: one for seat, one in given.items() if not callable(one)}
        policies = tuple(
            policy_of(texts[seat], rules, FUNCTIONS) if seat in texts else None
            for seat in range(self.seat_count)
        )
        self.plies, self.options = whole_number("plies", plies), options
        self.open = bits_of(seat for seat in range(self.seat_count) if seat not in texts)
        self.device = open_device(device, rules, self.first, policies)
        self.size = whole_number("boards", boards)
        self.boards, self.kinds = self.new_boards(), self.kinds_of_results()
        self.no_actions = self.device.zeros((self.size,), np.int32)
        self.terms: dict[tuple[int, bool], Terms] = {}
        self.written: dict[tuple[str, tuple[int, ...]], tuple[Any, ...]] = {}
        self.fresh: set[tuple[str, tuple[int, ...]]] = set()
        self.reset(seed)

    def new_boards(self) -> Boards:
        """Return boards on which no match has begun."""
        zeros, size = self.device.zeros, self.size
        return Boards(
            fields=zeros((len(flatten(self.first)), size), np.int64),
            keys=zeros((size,), np.int64),
            plies=zeros((size,), np.int32),
            open=self.device.put(np.full(size, self.open, np.int8)),
            ends=self.device.put(np.full(size, FINISHED, np.int8)),
            seats=zeros((size,), np.int8),
            hints=zeros((size if self.options.hints else 0,), np.float64),
        )

    def kinds_of_results(self) -> dict[str, Kinds]:
        """Return the shapes and types of the arrays that a device writes, by what writes them."""
        size, rules = self.size, self.rules
        view = (size, *map(int, ask.view_shape(rules))), bounds(rules)[2]
        outcome = np.float64, np.bool_, np.bool_, np.bool_, np.int8
        return {
            "view": (view,),
            "mask": (((size, int(ask.actions(rules))), np.int8),),
            "sample": (((size,), np.int32),),
            "score": (((size, self.seat_count), np.float64),),
            "settle": tuple(((size,), kind) for kind in outcome),
        }

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return (
            f"<Batch of {self.size:,} matches of {ask.name_of(self.rules)} on {self.device.name}>"
        )

    def check_seat(self, seat: Any, where: str = "") -> None:
        """Raise a ValueError unless the game has this seat: compiled code checks no number."""
        if not hasattr(seat, "__index__") or seat not in range(self.seat_count):
            raise ValueError(f"{where}no seat {seat!r} (there are 0 to {self.seat_count - 1})")

    # Playing. ------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, boards: Any = None) -> None:
        """Restart all matches, or those on some boards; with a seed, from its random streams."""
        chosen = np.full(self.size, boards is None)
        if boards is not None:
            chosen[boards] = True
        before = None if chosen.all() else np.array(self.ends)
        if seed is not None:
            keys = np.zeros(self.size, np.int64)
            fill_streams(as_word(whole_number("seed", seed, 0)), keys)
            self.boards = self.boards._replace(keys=self.device.put(keys))
        # Other matches that have ended would restart, too. As if still in progress, they do not:
        # no seat is to move there.
        self.put_ends(np.where(chosen, FINISHED, GOING_ON))
        self.advance(self.no_actions, self.no_actions, 0, restart=True)
        if before is not None:
            self.put_ends(np.where(chosen, np.asarray(self.ends), before))
        self.let_choosers_play()

    def put_ends(self, ends: np.ndarray) -> None:
        """Change the status of all matches."""
        self.boards = self.boards._replace(ends=self.device.put(ends.astype(np.int8)))

    def step(self, actions: Any, others: Any = None) -> None:
        """Take an action on each board, that of the seat to move.

        Where both seats choose at once and both are open, `others` are the actions of seat 1. An
        illegal action loses the match.
        """
        mine = self.open & ~bits_of(self.choosers)
        if others is None and ask.at_once(self.rules) and mine & 3 == 3:
            raise ValueError(
                f"both seats of {ask.name_of(self.rules)} are open: expected two arrays of actions,"
                " as in step(first, second)"
            )
        first = self.device.actions(actions, self.size)
        second = first if others is None else self.device.actions(others, self.size)
        if ask.at_once(self.rules):
            first, second = self.with_choosers(first, second)
        self.advance(first, second, mine, restart=True)
        self.let_choosers_play()

    def advance(self, first: Any, second: Any, acting: int, restart: bool) -> None:
        """Step the boards on which some of these seats are to move, and those to be restarted."""
        terms = self.terms.setdefault(
            (acting, restart), Terms(self.plies, self.options.draw_seat, acting, restart)
        )
        self.device.step(self.boards, terms, first, second)
        self.fresh.clear()

    def with_choosers(self, first: Any, second: Any) -> tuple[Any, Any]:
        """Return the actions of seats 0 and 1 at simultaneous moves, some of them of functions."""
        asked = {
            seat: self.device.actions(one(self), self.size) for seat, one in self.choosers.items()
        }
        return asked.get(0, first), asked.get(1, second)

    def let_choosers_play(self) -> None:
        """Ask functions for the actions of their seats, until none of them is to move."""
        while self.choosers and (waiting := self.waiting()):
            if BOTH in waiting:
                self.advance(
                    *self.with_choosers(self.no_actions, self.no_actions), 3, restart=False
                )
            for seat in waiting & self.choosers.keys():
                chosen = self.device.actions(self.choosers[seat](self), self.size)
                self.advance(chosen, chosen, 1 << seat, restart=False)

    def waiting(self) -> set[int]:
        """Return the seats of functions to move on any board; BOTH if they have both seats."""
        own = {*self.choosers} | ({BOTH} if {0, 1} <= self.choosers.keys() else set())
        return own & {*np.unique(np.asarray(self.seats)).tolist()}

    # Looking. ------------------------------------------------------------------------------------

    @property
    def seats(self) -> Any:
        """The seat to move on each board, BOTH (-2), or OVER (-3) where the match has ended."""
        return self.device.public(self.boards.seats)

    @property
    def ends(self) -> Any:
        """The status of each match.

        0 while it is in progress, 1 once it is over, 2 if it was cut off, and 3 plus the number of
        the seat that lost by an illegal action; for both seats at once, a number above these.
        """
        return self.device.public(self.boards.ends)

    @property
    def returns(self) -> Any:
        """The returns of all seats, 0 while a match is in progress."""
        (returns,) = self.lazily("score", (), self.kinds["score"])
        return returns

    @property
    def outcome(self) -> Outcome:
        """The result of the last step for the lowest open seat of each board."""
        return Outcome(*self.lazily("settle", (), self.kinds["settle"]))

    def views(self, seat: int | None = None) -> Any:
        """Return observations of a seat, or of the open seat to move; else of the first open.

        Once `masks` was asked for, too, both are written together.
        """
        given = (self.viewer(seat),)
        view, mask = ("view", given), ("mask", given)
        masks = self.written.get(mask, ()) if self.fresh.isdisjoint({view, mask}) else ()
        if masks:
            self.fresh.add(mask)
        (planes,) = self.lazily(*view, self.kinds["view"], *masks)
        return planes

    def masks(self, seat: int | None = None) -> Any:
        """Return the legal actions of a seat, by default of that of `views`; all if it has none."""
        (masks,) = self.lazily("mask", (self.viewer(seat),), self.kinds["mask"])
        return masks

    def sample(self, seat: int | None = None) -> Any:
        """Return random legal actions of a seat, by default that of `views`; 0 if it has none."""
        (actions,) = self.lazily("sample", (self.viewer(seat),), self.kinds["sample"])
        return actions

    def viewer(self, seat: int | None) -> int:
        """Return a seat as compiled code takes it: -1 for the one whose view is meant."""
        if seat is None:
            return -1
        self.check_seat(seat)
        return seat

    def lazily(
        self, name: str, given: tuple[int, ...], kinds: Kinds, *others: Any
    ) -> tuple[Any, ...]:
        """Return arrays that the device writes when they are first asked for after a step.

        Others are written together with them.
        """
        key = name, given
        if key not in self.written:
            self.written[key] = tuple(self.device.zeros(*kind) for kind in kinds)
        if key not in self.fresh:
            getattr(self.device, name)(self.boards, *given, *self.written[key], *others)
            self.fresh.add(key)
        return self.written[key]

    @property
    def states(self) -> np.ndarray:
        """The states as rows of ints, in the memory of the CPU."""
        return np.ascontiguousarray(np.asarray(self.device.public(self.boards.fields)).T)

    def state(self, board: int) -> State:
        """Return the state of one board."""
        return unflatten(self.first, self.states[board].tolist())
