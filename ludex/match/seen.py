"""A match in progress as a seat or a spectator sees it, in games that hide something from them."""

import functools
from collections.abc import Sequence

from ludex.core import rules as ask
from ludex.core.information import seen_by, sees_move
from ludex.core.rules import CHANCE, NO_MOVE, imperfect_information
from ludex.core.scene import Scene
from ludex.match.record import Record
from ludex.match.view import MatchView, Ply

HIDDEN = "hidden"
"""The label of a move that the viewer cannot tell."""
CACHED = 20_000  # moves, of all matches

# Rules and states of two games may be equal as tuples.
cached_sees_move = functools.lru_cache(maxsize=CACHED, typed=True)(sees_move)


def match_seen_by(match: MatchView, viewer: int) -> MatchView:
    """Return a match as a seat, or SPECTATOR, sees it: itself at its end, or if nothing is hidden.

    Ask again after every move.
    """
    open_to_all = match.over or not imperfect_information(match.rules)
    return match if open_to_all else SeenMatch(match, viewer)


class SeenMatch(MatchView):
    """A match as it stands, with only what a seat, or SPECTATOR, sees of it.

    A move that the viewer cannot tell is NO_MOVE. Labels are those of the states as they are seen;
    the events of a move are for everybody who can tell it.
    """

    def __init__(self, match: MatchView, viewer: int) -> None:
        self._match, self.viewer = match, viewer
        self.rules, self.seed, self.table = match.rules, 0, 0
        self.plies = [self._seen_ply(number) for number in range(len(match.plies))]
        self.state, self.turn, self.asked = self.plies[-1].state, match.turn, viewer
        self.seconds, self.decisions = list(match.seconds), list(match.decisions)
        self.ending, self.offenders, self.words = match.ending, match.offenders, match.words
        self.output = ()

    def _seen_ply(self, number: int) -> Ply:
        """Return a ply with its state as it is seen, and its move if that can be told."""
        rules, (state, move, seconds, _) = self.rules, self._match.plies[number]
        seen = seen_by(rules, state, self.viewer)
        if number == 0:
            return Ply(seen)
        told = cached_sees_move(rules, self._match.plies[number - 1].state, move, self.viewer)
        return Ply(seen, move if told else NO_MOVE, seconds)

    @property
    def labels(self) -> list[str]:
        """The labels of all moves that were played, as far as they can be told."""
        made = (self.labels_by_seat(number) for number in range(1, len(self.plies)))
        return [" ".join(words for _, words in one) for one in made]

    def legal_numbers(self, seat: int | None = None) -> list[int]:
        """Return the actions of the viewer's own seat; nothing for any other."""
        own = self.viewer in self.choosers and seat in (None, self.viewer)
        return super().legal_numbers(self.viewer) if own else []

    def actions_at(self, ply: int) -> dict[int, int]:
        """Return what each seat chose after `ply` moves; NO_MOVE if the viewer cannot tell."""
        made = self._match.actions_at(ply)
        told = bool(made) and self.plies[ply + 1].move != NO_MOVE
        return {
            seat: action if told or seat == self.viewer else NO_MOVE
            for seat, action in made.items()
        }

    def labels_by_seat(self, number: int) -> list[tuple[int, str]]:
        """Return the seats, or CHANCE, that made a move (counted from 1), with its labels."""
        before = self.plies[number - 1].state
        made = self.actions_at(number - 1) or {CHANCE: self.plies[number].move}
        return [
            (seat, HIDDEN if action == NO_MOVE else ask.label(self.rules, before, action))
            for seat, action in made.items()
        ]

    def events(self, number: int) -> list[str]:
        """Return the events caused by a move, counted from 1, if the viewer can tell the move."""
        return self._match.events(number) if self.plies[number].move != NO_MOVE else []

    def between(self, number: int) -> Sequence[Scene]:
        """Return nothing: a game draws these scenes from whole states."""
        return ()

    def record(
        self, agents: Sequence[str] = (), when: str = "", game: str = "", clock: str = ""
    ) -> Record:
        """Refuse: a record holds everything."""
        raise ValueError("a match with hidden information is recorded after its end")
