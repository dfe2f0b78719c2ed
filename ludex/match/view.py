"""The read-only side of a match: its moves, whose turn it is, its result and its record."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from ludex.core import rules as ask
from ludex.core.play import choices, choosers, describe, legal_moves, move_label
from ludex.core.rules import BOTH, CHANCE, NO_MOVE, Rules, State
from ludex.core.rules.display import board_text
from ludex.core.scene import Scene
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.core.variants import rule_changes
from ludex.games import source_of
from ludex.match.record import UNFINISHED, Record, now

NOBODY = -1


class Ply(NamedTuple):
    """A state, the move that led to it, and the thinking time of those who chose it."""

    state: State
    move: int = NO_MOVE
    seconds: tuple[float, ...] = ()
    luck: list[Any] | None = None
    """The states of the generators on arrival, if moves can be undone."""


class MatchView:
    """The read-only part of `session.Match`."""

    rules: Rules
    seed: int
    table: int
    """Seeds the random numbers, together with `seed`."""
    plies: list[Ply]
    state: State
    """The current state."""
    turn: int
    """The seat to move, or CHANCE, BOTH or OVER."""
    seconds: list[float]
    """The thinking time of each seat, including a decision that forfeited the match."""
    decisions: list[int]
    ending: str
    """How the match ended; empty before its end."""
    offenders: tuple[int, ...]
    """The seats that broke the rules or resigned."""
    words: str
    output: tuple[str, ...]
    """The output of the external program at each seat; empty if there is none."""
    asked: int
    """The seat to choose for in simultaneous moves."""

    @property
    def position(self) -> str:
        """The state as one line of text, which `Game.new_match` takes."""
        return ask.position(self.rules, self.state)

    @property
    def last_move(self) -> int:
        """The move that led to the state, or NO_MOVE."""
        return self.plies[-1].move

    @property
    def moves(self) -> tuple[int, ...]:
        """All moves that were played, outcomes of chance included."""
        return tuple([ply.move for ply in self.plies[1:]])

    @property
    def times(self) -> tuple[tuple[float, ...], ...]:
        """For each move, the thinking time of each seat that chose; empty for chance."""
        return tuple([ply.seconds for ply in self.plies[1:]])

    @property
    def labels(self) -> list[str]:
        """The labels of all moves that were played."""
        before = zip(self.plies, self.moves, strict=False)
        return [move_label(self.rules, ply.state, move) for ply, move in before]

    @property
    def choosers(self) -> tuple[int, ...]:
        """The seats to move: one, both, or none at chance and at the end."""
        return (0, 1) if self.turn == BOTH else (self.turn,) if self.turn >= 0 else ()

    @property
    def seat(self) -> int:
        """The seat to move, or -1; in simultaneous moves, the one that is asked."""
        waiting = self.choosers
        return self.asked if self.asked in waiting else waiting[0] if waiting else NOBODY

    @property
    def over(self) -> bool:
        """Whether the match has ended, by the rules or otherwise."""
        return bool(self.ending)

    @property
    def truncated(self) -> bool:
        """Whether the match ended because it had too many plies."""
        return self.ending == TRUNCATED

    @property
    def offender(self) -> int:
        """The seat that broke the rules or resigned, or -1."""
        return self.offenders[0] if self.offenders else NOBODY

    @property
    def returns(self) -> tuple[float, ...]:
        """The return of each seat, from -1 to 1; all 0 before the end."""
        count = int(ask.seats(self.rules))
        if self.offenders:
            others = count - len(self.offenders)
            share = len(self.offenders) / others if others else 0.0
            loss = -1.0 if others else 0.0
            return tuple(loss if seat in self.offenders else share for seat in range(count))
        if self.ending != BY_RULES:
            return (0.0,) * count
        return tuple(float(ask.returns(self.rules, self.state, seat)) for seat in range(count))

    @property
    def winner(self) -> int:
        """The winner, the first of several, or -1 after a draw and before the end."""
        returns = self.returns
        return returns.index(max(returns)) if max(returns) > min(returns) else NOBODY

    @property
    def result(self) -> str:
        """The result in one line; empty before the end."""
        if not self.over:
            return ""
        drawn = self.winner == NOBODY
        text = "A draw" if drawn else f"{ask.seat_name(self.rules, self.winner)} wins"
        return f"{text}: {self.words}" if self.words else f"{text}."

    def legal_moves(self, seat: int | None = None) -> list[str]:
        """Return the labels of all moves here or, for a seat, of its actions."""
        if self.over:
            return []
        if seat is None:
            return [move_label(self.rules, self.state, one) for one in self.legal_numbers()]
        return [ask.label(self.rules, self.state, one) for one in self.legal_numbers(seat)]

    def legal_numbers(self, seat: int | None = None) -> list[int]:
        """Return the numbers of all moves here or, for a seat, of its actions."""
        if self.over:
            return []
        if seat is None:
            return legal_moves(self.rules, self.state)
        if seat not in self.choosers:
            raise ValueError(f"seat {seat} is not to choose: {describe(self.rules, self.state)}")
        return choices(self.rules, self.state, seat)

    def board(self) -> str:
        """Return the position drawn as text."""
        return board_text(self.rules, self.state, self.last_move)

    def svg(self) -> str:
        """Return the position drawn as an SVG picture."""
        from ludex.render.svg import svg

        return svg(ask.scene(self.rules, self.state, self.last_move), self.position)

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        name = ask.name_of(self.rules)
        return f"<Match of {name}: {self.result or describe(self.rules, self.state)}>"

    def actions_at(self, ply: int) -> dict[int, int]:
        """Return what each seat chose after `ply` moves; empty at chance and at the end."""
        if ply + 1 >= len(self.plies):
            return {}
        acting, move = choosers(self.rules, self.plies[ply].state), self.plies[ply + 1].move
        return {seat: ask.part(move, seat) if len(acting) == 2 else move for seat in acting}

    def labels_by_seat(self, number: int) -> list[tuple[int, str]]:
        """Return the seats, or CHANCE, that made a move (counted from 1), with its labels."""
        before, move = self.plies[number - 1].state, self.plies[number].move
        made = self.actions_at(number - 1) or {CHANCE: move}
        return [(seat, ask.label(self.rules, before, action)) for seat, action in made.items()]

    def events(self, number: int) -> list[str]:
        """Return the events caused by a move, counted from 1."""
        return ask.events(self.rules, self.plies[number - 1].state, self.plies[number].move)

    def between(self, number: int) -> Sequence[Scene]:
        """Return the scenes of an animation to a ply, counted from 1."""
        return ask.between(self.rules, self.plies[number - 1].state, self.plies[number].move)

    def record(
        self, agents: Sequence[str] = (), when: str = "", game: str = "", clock: str = ""
    ) -> Record:
        """Return the record of the match, with its agents and when it ended.

        By default these are the names of the seats, and now; `game` is how any process finds it. A
        match in progress is recorded as unfinished.
        """
        seats = range(ask.seats(self.rules))
        return Record(
            game=game or source_of(ask.game_of(self.rules)),
            version=ask.version_of(ask.game_of(self.rules)),
            rules=rule_changes(type(self.rules)(), self.rules),
            agents=tuple(agents or (ask.seat_name(self.rules, seat) for seat in seats)),
            seed=self.seed,
            table=self.table,
            start=ask.position(self.rules, self.plies[0].state),
            moves=self.moves,
            times=tuple([tuple([round(one, 6) for one in took]) for took in self.times]),
            ending=self.ending or TRUNCATED,
            seat=self.offender,
            words=self.words if self.over else UNFINISHED,
            returns=self.returns,
            end=self.position,
            when=when or now(),
            output=self.output,
            clock=clock,
        )
