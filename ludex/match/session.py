"""A match in progress: states, moves, random outcomes, the seat to move, and the result.

Everything that plays drives this one class: the runner of series, the console, the web, the
adapters for other tools, and notebooks. They find out who chooses what; what follows is here.
"""

import secrets
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from ludex.core.play import choices, choosers, describe, lawful, move_label, parse
from ludex.core.rules import (
    BOTH,
    CHANCE,
    NO_MOVE,
    OVER,
    Rules,
    State,
    apply,
    events,
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
    turn,
)
from ludex.core.sampling import draw_outcome
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.core.time_control import PLIES
from ludex.games import source_of
from ludex.match.luck import Luck
from ludex.match.record import Record, facts_of, replayed

NOBODY = -1
Move = int | str | tuple[int | str, int | str]
"""A move by its number or its label; where both seats choose at once, one for each."""


class Ply(NamedTuple):
    """A state, the move that led to it, and how long those who chose it have thought."""

    state: State
    move: int = NO_MOVE
    seconds: tuple[float, ...] = ()
    luck: list[Any] | None = None
    """Where the random numbers were on arrival, if moves may be taken back."""


class Match:
    """One match from a state to its end, move by move.

    `push` and `pop` take labels such as "take 2", numbers, or, where both seats choose at once, a
    pair. After a decision, chance is drawn up to the next one, unless `chance` is "manual". The
    same seed repeats the luck, also after `pop`. A match without `undo` is quicker.
    """

    state: State
    """The state now."""
    turn: int
    """The seat that is to choose, or CHANCE, BOTH or OVER."""

    def __init__(
        self,
        rules: Rules,
        start: State | None = None,
        seed: int | None = None,
        table: int = 0,
        chance: str = "auto",
        plies: int = PLIES,
        undo: bool = True,
    ) -> None:
        if chance not in ("auto", "manual"):
            raise ValueError(f"chance {chance!r}: expected 'auto' or 'manual'")
        self.rules = rules
        self.seed = secrets.randbelow(2**32) if seed is None else seed
        self.table = table
        count = int(seats(rules))
        self.luck = Luck(self.seed, table, count)
        self.automatic, self.most, self.undo = chance == "auto", plies, undo
        self.plies: list[Ply] = []
        self.seconds, self.decisions = [0.0] * count, [0] * count
        """How long each seat has thought, and about how many decisions."""
        self.ending, self.words = "", ""
        self.offenders: tuple[int, ...] = ()
        self.output: tuple[str, ...] = ()
        """What somebody's program at each seat has printed, or nothing if none has."""
        self.asked = 0  # for which seat, where both choose at once
        self.arrive(Ply(initial(rules) if start is None else start))
        self.settle()

    # What there is to see. --------------------------------------------------------------------

    @property
    def position(self) -> str:
        """The state as one line of text, which `Game.new_match` takes."""
        return position(self.rules, self.state)

    @property
    def last_move(self) -> int:
        """The move that led to the state, or NO_MOVE."""
        return self.plies[-1].move

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves that were played, outcomes of chance included."""
        return tuple(ply.move for ply in self.plies[1:])

    @property
    def times(self) -> tuple[tuple[float, ...], ...]:
        """For each move, how many seconds those who chose it have thought; none by chance."""
        return tuple(ply.seconds for ply in self.plies[1:])

    @property
    def labels(self) -> list[str]:
        """All moves that were played, as people call them."""
        before = zip(self.plies, self.moves, strict=False)
        return [move_label(self.rules, ply.state, move) for ply, move in before]

    @property
    def choosers(self) -> tuple[int, ...]:
        """The seats that are to choose: one, both, or none at chance and at the end."""
        return (0, 1) if self.turn == BOTH else (self.turn,) if self.turn >= 0 else ()

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
    def truncated(self) -> bool:
        """Whether the match was cut off because it was too long."""
        return self.ending == TRUNCATED

    @property
    def offender(self) -> int:
        """Who ended the match against the rules or resigned, or -1."""
        return self.offenders[0] if self.offenders else NOBODY

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
    def winner(self) -> int:
        """Who has won, the first of several, or -1 after a draw and before the end."""
        worth = self.returns
        return worth.index(max(worth)) if max(worth) > min(worth) else NOBODY

    @property
    def result(self) -> str:
        """How the match has ended, in one line; nothing before its end."""
        if not self.over:
            return ""
        drawn = self.winner == NOBODY
        said = "A draw" if drawn else f"{seat_name(self.rules, self.winner)} wins"
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
        from rich.text import Text  # only those who look need to draw

        return Text.from_markup(render(self.rules, self.state, self.last_move)).plain

    def svg(self) -> str:
        """Return the position drawn as an SVG picture."""
        from ludex.render.svg import svg

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
        if seconds:
            for seat, thought in zip(self.choosers, seconds, strict=True):
                self.add_thinking(seat, thought)
        self.arrive(Ply(apply(self.rules, self.state, move), move, seconds))

    def add_thinking(self, seat: int, seconds: float) -> None:
        """Count a decision of a seat, also one that came to no move."""
        self.seconds[seat] += seconds
        self.decisions[seat] += 1

    def arrive(self, ply: Ply) -> None:
        """Add a ply, and remember the luck on arrival, where moves may be taken back."""
        self.plies.append(ply._replace(luck=self.luck.save()) if self.undo else ply)
        self.look()

    def look(self) -> None:
        """See whose turn it is; the match ends where the rules end it, or where it is too long."""
        self.state = self.plies[-1].state
        self.turn = int(turn(self.rules, self.state))
        if self.turn == OVER:
            self.ending = BY_RULES
        elif len(self.plies) > self.most:
            self.ending, self.turn = TRUNCATED, OVER

    def settle(self) -> None:
        """Draw chance up to the next decision, where that is automatic."""
        while self.automatic and self.turn == CHANCE:
            self.push_chance()

    def push_chance(self) -> int:
        """Draw an outcome of chance, make it the next move, and return it."""
        outcome = int(draw_outcome(self.rules, self.state, self.luck.chance))
        self.apply(outcome)
        return outcome

    def pop(self) -> None:
        """Take back the last decision and what chance made of it; the same luck comes again."""
        if len(self.plies) == 1:
            raise ValueError("there is no move to take back")
        ply = len(self.plies) - 2
        while self.automatic and ply and turn(self.rules, self.plies[ply].state) == CHANCE:
            ply -= 1
        self.rewind(ply)

    def take_back(self, mine: Collection[int]) -> bool:
        """Go back to the last decision of one of these seats; return whether there was one."""
        for ply in range(len(self.plies) - 2, -1, -1):
            if not set(choosers(self.rules, self.plies[ply].state)).isdisjoint(mine):
                self.rewind(ply)
                return True
        return False

    def rewind(self, ply: int) -> None:
        """Go back to where so many moves were made; the same luck comes again."""
        saved = self.plies[ply].luck
        if saved is None:
            raise ValueError("in this match no move is taken back")
        while len(self.plies) > ply + 1:
            thought = self.plies.pop().seconds
            acting = choosers(self.rules, self.plies[-1].state) if thought else ()
            for seat, seconds in zip(acting, thought, strict=True):
                self.seconds[seat] -= seconds
                self.decisions[seat] -= 1
        self.luck.restore(saved)
        self.ending, self.offenders, self.words = "", (), ""
        self.look()
        self.settle()

    def forfeit(self, ending: str, offenders: Sequence[int], words: str = "") -> None:
        """End the match otherwise than by the rules, against those who are to blame for it."""
        self.ending, self.offenders, self.words = ending, tuple(offenders), words
        self.turn = OVER

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

    def labels_by_seat(self, number: int) -> list[tuple[int, str]]:
        """Return who made a move, counted from 1, and what it is called; CHANCE stands for luck."""
        before, move = self.plies[number - 1].state, self.plies[number].move
        made = self.actions_at(number - 1) or {CHANCE: move}
        return [(seat, label(self.rules, before, action)) for seat, action in made.items()]

    def events(self, number: int) -> list[str]:
        """Return what a move, counted from 1, brought about."""
        return events(self.rules, self.plies[number - 1].state, self.plies[number].move)

    # Keeping. ---------------------------------------------------------------------------------

    def record(self, agents: Sequence[str], when: str) -> Record:
        """Return the match as data that replays it, with who sat where and when it ended."""
        return Record(
            **facts_of(self.rules, source_of(game_of(self.rules))),
            agents=tuple(agents),
            seed=self.seed,
            table=self.table,
            start=position(self.rules, self.plies[0].state),
            moves=self.moves,
            times=tuple(tuple(round(one, 6) for one in took) for took in self.times),
            ending=self.ending or TRUNCATED,
            seat=self.offender,
            words=self.words,
            returns=self.returns,
            end=self.position,
            when=when,
            output=self.output,
        )

    @classmethod
    def from_record(cls, record: Record) -> "Match":
        """Return a match that was played; a ValueError names the move that fails."""
        rules, line = replayed(record)
        match = cls(rules, line[0], record.seed, record.table, "manual", len(line), undo=False)
        for move, seconds in zip(record.moves, record.times, strict=True):
            match.apply(move, seconds)
        match.forfeit(record.ending, (record.seat,) if record.seat >= 0 else (), record.words)
        match.output = record.output
        return match
