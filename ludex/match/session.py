"""A match in progress: states, moves, random outcomes, the seat to move, and the result.

Everything that plays drives this one class: series, the console, the web lab, the adapters for
other frameworks, and notebooks.
"""

import secrets
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from rich.text import Text

from ludex.core.play import choices, choosers, describe, lawful, move_label, parse, read
from ludex.core.rules import (
    BOTH,
    CHANCE,
    NO_MOVE,
    OVER,
    Rules,
    State,
    apply,
    game_of,
    initial,
    label,
    name_of,
    pair,
    part,
    position,
    render,
    returns,
    scene,
    seat_name,
    seats,
    title,
    turn,
)
from ludex.core.sampling import draw_outcome
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.core.time_control import PLIES
from ludex.match.record import Record, facts_of
from ludex.render.svg import svg

NOBODY = -1
Move = int | str | tuple[int | str, int | str]
"""A move by its number or its label; where both seats choose at once, one for each."""


class Ply(NamedTuple):
    """A state, the move that led to it, and how long those who chose it have thought."""

    state: State
    move: int = NO_MOVE
    seconds: tuple[float, ...] = ()


class Luck:
    """The random numbers of a match: a stream for chance, and one for each seat's own choices.

    They follow from a seed and the number of the table, so that matches of one seed differ.
    """

    def __init__(self, seed: int, table: int, count: int) -> None:
        # The seed comes last, because it may take the room of several numbers.
        self.streams = [np.random.default_rng((own, table, seed)) for own in range(1 + count)]

    @property
    def chance(self) -> np.random.Generator:
        """The stream of chance."""
        return self.streams[0]

    def of(self, seat: int) -> np.random.Generator:
        """Return the stream of a seat."""
        return self.streams[1 + seat]

    def save(self) -> list[Any]:
        """Return where every stream is."""
        return [stream.bit_generator.state for stream in self.streams]

    def restore(self, saved: list[Any]) -> None:
        """Go back to where every stream was."""
        for stream, state in zip(self.streams, saved, strict=True):
            stream.bit_generator.state = state


class Match:
    """One match from a state to its end, move by move.

    `push` and `pop` take labels such as "take 2", numbers, or, where both seats choose at once, a
    pair. After a decision, chance is drawn up to the next one, unless `chance` is "manual". The
    same seed repeats the luck, also after `pop`.
    """

    def __init__(
        self,
        rules: Rules,
        start: State | None = None,
        seed: int | None = None,
        table: int = 0,
        chance: str = "auto",
        plies: int = PLIES,
    ) -> None:
        if chance not in ("auto", "manual"):
            raise ValueError(f"chance {chance!r}: expected 'auto' or 'manual'")
        self.rules = rules
        self.seed = secrets.randbelow(2**32) if seed is None else seed
        self.table = table
        self.luck = Luck(self.seed, table, int(seats(rules)))
        self.most = plies
        self.plies = [Ply(initial(rules) if start is None else start)]
        self.saved: list[list[Any]] = []  # the luck before every move
        self.ending, self.words = "", ""
        self.offenders: tuple[int, ...] = ()
        self.automatic = chance == "auto"
        self.asked = 0  # for which seat, where both choose at once
        self.settle()

    # What there is to see. --------------------------------------------------------------------

    @property
    def state(self) -> State:
        """The state now."""
        return self.plies[-1].state

    @property
    def position(self) -> str:
        """The state as one line of text, which `Game.new_match` takes."""
        return position(self.rules, self.state)

    @property
    def last_move(self) -> int:
        """The move that led to the state, or NO_MOVE."""
        return self.plies[-1].move

    @property
    def moves(self) -> list[int]:
        """All moves that were played, outcomes of chance included."""
        return [ply.move for ply in self.plies[1:]]

    @property
    def labels(self) -> list[str]:
        """All moves that were played, as people call them."""
        before = zip(self.plies, self.moves, strict=False)
        return [move_label(self.rules, ply.state, move) for ply, move in before]

    @property
    def turn(self) -> int:
        """The seat that is to choose, or CHANCE, BOTH or OVER."""
        return OVER if self.ending else int(turn(self.rules, self.state))

    @property
    def choosers(self) -> tuple[int, ...]:
        """The seats that are to choose: one, both, or none at chance and at the end."""
        return () if self.ending else choosers(self.rules, self.state)

    @property
    def seat(self) -> int:
        """The seat to choose for, or -1; where both choose at once, the one that is asked."""
        waiting = self.choosers
        return self.asked if self.asked in waiting else waiting[0] if waiting else NOBODY

    @property
    def over(self) -> bool:
        """Whether the match has ended, by the rules or otherwise."""
        return bool(self.ending)

    @property
    def returns(self) -> tuple[float, ...]:
        """What the match is worth to each seat, -1 to 1; all 0 before its end."""
        count = int(seats(self.rules))
        if self.offenders:
            others = count - len(self.offenders)
            share = len(self.offenders) / others if others else 0.0
            loss = -1.0 if others else 0.0
            return tuple(loss if seat in self.offenders else share for seat in range(count))
        if self.ending != BY_RULES:
            return (0.0,) * count
        return tuple(float(returns(self.rules, self.state, seat)) for seat in range(count))

    @property
    def result(self) -> str:
        """How the match has ended, in one line; nothing before its end."""
        if not self.over:
            return ""
        worth = self.returns
        best = seat_name(self.rules, worth.index(max(worth)))
        said = "A draw" if max(worth) == min(worth) else f"{best} wins"
        return f"{said}: {self.words}" if self.words else f"{said}."

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """Return the labels of all moves here or, for a seat, of its actions."""
        if self.over:
            return []
        if seat is None:
            return [move_label(self.rules, self.state, one) for one in self.legal_numbers()]
        return [label(self.rules, self.state, one) for one in self.legal_numbers(seat)]

    def legal_numbers(self, seat: int | None = None) -> list[int]:
        """Return the numbers of the same."""
        if self.over:
            return []
        if seat is None:
            return lawful(self.rules, self.state)
        if seat not in self.choosers:
            raise ValueError(f"seat {seat} is not to choose: {describe(self.rules, self.state)}")
        return choices(self.rules, self.state, seat)

    def board(self) -> str:
        """Return the position drawn as text."""
        return Text.from_markup(render(self.rules, self.state, self.last_move)).plain

    def svg(self) -> str:
        """Return the position drawn as an SVG picture."""
        return svg(scene(self.rules, self.state, self.last_move), self.position)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        name = name_of(game_of(self.rules))
        return f"<Match of {name}: {self.result or describe(self.rules, self.state)}>"

    # Playing. ---------------------------------------------------------------------------------

    def push(self, move: Move, seconds: tuple[float, ...] = ()) -> None:
        """Make a move, given by its number or label; a ValueError says why it is not legal."""
        self.apply(self.number_of(move), seconds)
        self.settle()

    def apply(self, move: int, seconds: tuple[float, ...] = ()) -> None:
        """Make a lawful move, given by its number, and nothing else."""
        self.saved.append(self.luck.save())
        self.plies.append(Ply(apply(self.rules, self.state, move), move, seconds))
        self.close_if_over()

    def settle(self) -> None:
        """Draw chance up to the next decision, where that is automatic, and see the end."""
        self.close_if_over()
        while self.automatic and self.turn == CHANCE:
            self.push_chance()

    def push_chance(self) -> int:
        """Draw an outcome of chance, make it the next move, and return it."""
        saved = self.luck.save()
        outcome = int(draw_outcome(self.rules, self.state, self.luck.chance))
        self.apply(outcome)
        self.saved[-1] = saved
        return outcome

    def close_if_over(self) -> None:
        """End the match where the rules do, or where it is too long."""
        if turn(self.rules, self.state) == OVER:
            self.ending = BY_RULES
        elif len(self.plies) > self.most:
            self.ending = TRUNCATED

    def pop(self) -> None:
        """Take back the last decision and what chance made of it; the same luck comes again."""
        if len(self.plies) == 1:
            raise ValueError("there is no move to take back")
        self.ending, self.offenders, self.words = "", (), ""
        self.drop()
        while self.automatic and turn(self.rules, self.state) == CHANCE and len(self.plies) > 1:
            self.drop()
        self.settle()

    def drop(self) -> None:
        """Take back the last move alone."""
        self.plies.pop()
        self.luck.restore(self.saved.pop())

    def forfeit(self, ending: str, offenders: Sequence[int], words: str = "") -> None:
        """End the match against seats that broke its rules, ran out of time or resigned."""
        self.ending, self.offenders, self.words = ending, tuple(offenders), words

    def number_of(self, move: Move) -> int:
        """Return the number of a move; a ValueError says what is expected."""
        if self.over:
            raise ValueError(f"the match is over: {self.result}")
        if isinstance(move, str):
            return parse(self.rules, self.state, move)
        if isinstance(move, tuple):
            if self.turn != BOTH:
                raise ValueError(f"{move!r}: expected one move, as only one seat chooses here")
            return int(pair(*(self.action_of(one, seat) for seat, one in enumerate(move))))
        if move not in lawful(self.rules, self.state):
            here = describe(self.rules, self.state)
            raise ValueError(f"{move!r} is not the number of a move here: {here}")
        return int(move)

    def action_of(self, action: int | str, seat: int) -> int:
        """Return the number of a seat's action; a ValueError says what is expected."""
        if isinstance(action, str):
            return parse(self.rules, self.state, action, seat)
        if action not in choices(self.rules, self.state, seat):
            who, here = seat_name(self.rules, seat), describe(self.rules, self.state)
            raise ValueError(f"{action!r} is not an action of {who} here: {here}")
        return int(action)

    def actions_at(self, ply: int) -> dict[int, int]:
        """Return what each seat chose after so many moves; nobody did at chance and at the end."""
        if ply + 1 >= len(self.plies):
            return {}
        state, move = self.plies[ply].state, self.plies[ply + 1].move
        both = turn(self.rules, state) == BOTH
        return {seat: part(move, seat) if both else move for seat in choosers(self.rules, state)}

    # Keeping. ---------------------------------------------------------------------------------

    def record(self, agents: Sequence[str], when: str) -> Record:
        """Return the match as data that replays it, with who sat where and when it ended."""
        return Record(
            **facts_of(self.rules, name_of(game_of(self.rules))),
            agents=tuple(agents),
            seed=self.seed,
            table=self.table,
            start=position(self.rules, self.plies[0].state),
            moves=tuple(self.moves),
            times=tuple(tuple(round(one, 6) for one in ply.seconds) for ply in self.plies[1:]),
            ending=self.ending or TRUNCATED,
            seat=self.offenders[0] if self.offenders else NOBODY,
            words=self.words,
            returns=self.returns,
            end=self.position,
            when=when,
        )

    @classmethod
    def from_position(cls, rules: Rules, text: str, **rest: Any) -> "Match":
        """Return a match that begins at a position given as text."""
        return cls(rules, read(rules, text), **rest)

    @property
    def title(self) -> str:
        """What is played, for people."""
        return title(game_of(self.rules))
