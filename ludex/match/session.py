"""A match in progress: states, moves, random outcomes, the seat to move, and the result.

Everything that plays drives this one class: series, the console, the web lab, the adapters for
other frameworks, and notebooks. They decide who chooses; the session does the rest.
"""

from collections.abc import Collection, Sequence
from typing import Protocol

from ludex.core import rules as ask
from ludex.core.limits import ONLY_INTS, state_faults
from ludex.core.play import choices, choosers, describe, legal_moves, parse
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.core.sampling import draw_outcome
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.core.time_control import PLIES
from ludex.match.luck import Luck, chosen_seed
from ludex.match.record import Record, replay_states
from ludex.match.view import MatchView, Ply


class HasAction(Protocol):
    """The decision of a player."""

    @property
    def action(self) -> int:
        """Its number."""


Action = int | str | HasAction
Move = Action | tuple[Action, Action]
"""A move by its number or its label; where both seats choose at once, one for each."""


class Match(MatchView):
    """One match from a state to its end, move by move.

    `push` takes a label such as "take 2", a number, a `Decision` or, where both choose, a pair.
    After a decision, chance is drawn up to the next one, unless `chance` is "manual". The same seed
    repeats all random numbers, also after `pop`. A match without `undo` is faster.
    """

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
        self.seed = chosen_seed(seed)
        self.table = table
        count = int(ask.seats(rules))
        self.luck = Luck(self.seed, table, count)
        self._automatic, self._most, self._undo = chance == "auto", plies, undo
        self.asked = 0
        self.seconds, self.decisions = [0.0] * count, [0] * count
        self.ending, self.offenders, self.words, self.output = "", (), "", ()
        state = ask.initial(rules) if start is None else start
        self.plies = [Ply(state, luck=self.luck.save() if undo else None)]
        self._update()
        self.draw_chance()

    def push(self, move: Move, seconds: tuple[float, ...] = ()) -> None:
        """Make a move, given by its number or label; a ValueError says why it is not legal."""
        self.apply(self._number_of(move), seconds or (0.0,) * len(self.choosers))
        self.draw_chance()

    def apply(self, move: int, seconds: tuple[float, ...] = ()) -> None:
        """Make a move given by its number, which is not checked, and draw no chance after it."""
        if seconds:
            for seat, thought in zip(self.choosers, seconds, strict=True):
                self.seconds[seat] += thought
                self.decisions[seat] += 1
        saved = self.luck.save() if self._undo else None
        self.plies.append(Ply(ask.apply(self.rules, self.state, move), move, seconds, saved))
        self._update()

    def _update(self) -> None:
        """Update state and turn; end the match by the rules, or after too many plies."""
        self.state = self.plies[-1].state
        if not isinstance(self.state, tuple) or {*map(type, self.state)} != ONLY_INTS:
            self._check_fields()
        self.turn = mover = int(ask.turn(self.rules, self.state))
        if mover == OVER:
            self.ending = BY_RULES
        elif len(self.plies) > self._most:
            self.ending, self.turn = TRUNCATED, OVER

    def _check_fields(self) -> None:
        """Raise a ValueError if the state is none that agents can take."""
        for fault in state_faults(self.rules, self.state):
            name, source = ask.name_of(self.rules), "apply" if len(self.plies) > 1 else "initial"
            raise ValueError(f"{name} cannot be played: {source} returned {fault}")

    def draw_chance(self) -> None:
        """Draw chance up to the next decision, if that is automatic."""
        while self._automatic and self.turn == CHANCE:
            self.push_chance()

    def push_chance(self) -> int:
        """Draw an outcome of chance, make it the next move, and return it."""
        outcome = int(draw_outcome(self.rules, self.state, self.luck.chance))
        self.apply(outcome)
        return outcome

    def pop(self) -> None:
        """Undo the last decision and the chance after it; random numbers will repeat."""
        if len(self.plies) == 1:
            raise ValueError("there is no move to take back")
        ply = len(self.plies) - 2
        while self._automatic and ply and ask.turn(self.rules, self.plies[ply].state) == CHANCE:
            ply -= 1
        self._rewind(ply)

    def take_back(self, mine: Collection[int]) -> bool:
        """Undo up to the last decision of one of these seats; return whether there was one."""
        for ply in range(len(self.plies) - 2, -1, -1):
            if not set(choosers(self.rules, self.plies[ply].state)).isdisjoint(mine):
                self._rewind(ply)
                return True
        return False

    def _rewind(self, ply: int) -> None:
        """Return to the position after `ply` moves; the random numbers repeat from there."""
        saved = self.plies[ply].luck
        if saved is None:
            raise ValueError("this match was created without undo")
        while len(self.plies) > ply + 1:
            thought = self.plies.pop().seconds
            acting = choosers(self.rules, self.plies[-1].state) if thought else ()
            for seat, seconds in zip(acting, thought, strict=True):
                self.seconds[seat] -= seconds
                self.decisions[seat] -= 1
        self.luck.restore(saved)
        self.ending, self.offenders, self.words = "", (), ""
        self._update()
        self.draw_chance()

    def forfeit(self, ending: str, offenders: Sequence[int], words: str = "") -> None:
        """End the match other than by the rules, as a loss for the offenders."""
        self.ending, self.offenders, self.words = ending, tuple(offenders), words
        self.turn = OVER

    def _number_of(self, move: Move) -> int:
        """Return the number of a move; a ValueError says what is expected."""
        if self.over:
            raise ValueError(f"the match is over: {self.result}")
        if isinstance(move, str):
            return self._parse(move)
        if isinstance(move, tuple) and self.turn != BOTH:
            raise ValueError(f"{move!r}: expected one move, as only one seat chooses here")
        if isinstance(move, tuple) and len(move) == 2:
            return int(ask.pair(*(self.action_of(one, seat) for seat, one in enumerate(move))))
        if self.turn == BOTH and (isinstance(move, tuple) or hasattr(move, "action")):
            raise ValueError("expected a pair of moves, as both seats choose here")
        move = getattr(move, "action", move)
        if move not in legal_moves(self.rules, self.state):
            here = describe(self.rules, self.state)
            raise ValueError(f"{move!r} is not the number of a move here: {here}")
        return int(move)

    def _parse(self, text: str) -> int:
        """Return the move of a label; a ValueError also says where chance has drawn already."""
        try:
            return parse(self.rules, self.state, text)
        except ValueError as error:
            before = self.plies[-2:][0].state
            if not self._automatic or ask.turn(self.rules, before) != CHANCE:
                raise
            names = (ask.label(self.rules, before, one) for one in legal_moves(self.rules, before))
            drawn = "; chance has drawn already (chance='manual' lets you choose)"
            raise ValueError(f"{error}{drawn if text in names else ''}") from None

    def action_of(self, action: Action, seat: int) -> int:
        """Return the number of a seat's action; a ValueError says what is expected."""
        action = getattr(action, "action", action)
        if isinstance(action, str):
            return parse(self.rules, self.state, action, seat)
        if action not in choices(self.rules, self.state, seat):
            who, here = ask.seat_name(self.rules, seat), describe(self.rules, self.state)
            raise ValueError(f"{action!r} is not an action of {who} here: {here}")
        return int(action)

    @classmethod
    def from_record(cls, record: Record) -> "Match":
        """Return the match of a record; raise a ValueError if it does not replay."""
        rules, line = replay_states(record)
        match = cls(rules, line[0], record.seed, record.table, "manual", len(line), undo=False)
        for move, seconds in zip(record.moves, record.times, strict=True):
            match.apply(move, seconds)
        match.forfeit(record.ending, (record.seat,) if record.seat >= 0 else (), record.words)
        match.output = record.output
        return match
