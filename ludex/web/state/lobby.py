"""The lobby: which matches are being played now, by whom, and how many watch."""

import time
from collections.abc import Mapping
from typing import NamedTuple

from ludex.core.rules import BOTH, CHANCE, title
from ludex.web.state.live_match import LiveMatch

FRESH = 1.0  # seconds for which all pages share one list


class RunningMatch(NamedTuple):
    """What everybody may know of a match: no keys, and no choice before it is made."""

    id: str
    title: str
    players: tuple[str, ...]
    moves: int
    turn: str
    spectators: int


class Lobby:
    """The running matches of a server."""

    def __init__(self, matches: Mapping[str, LiveMatch]) -> None:
        self.matches = matches
        self.listed, self.made = list[RunningMatch](), -FRESH

    def running(self) -> list[RunningMatch]:
        """Return the matches that are being played, the latest first; none that is abandoned."""
        if time.monotonic() - self.made >= FRESH:
            self.made = time.monotonic()
            self.listed = [
                describe(live)
                for live in reversed(list(self.matches.values()))
                if live.task is not None and not live.match.over and not live.is_abandoned()
            ]
        return self.listed


def describe(live: LiveMatch) -> RunningMatch:
    """Return a match as others see it."""
    match, people = live.match, live.people
    name, players = title(match.rules), tuple(live.player_names())
    return RunningMatch(
        live.id, name, players, len(match.plies) - 1, turn_text(live), people.spectators
    )


def turn_text(live: LiveMatch) -> str:
    """Return whose turn it is; where both choose, not who has done so."""
    turn = live.match.turn
    if turn == BOTH:
        return "both choose"
    return "chance" if turn == CHANCE else f"{live.name(turn)} to move"
