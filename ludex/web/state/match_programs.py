"""The programs of visitors in a match: each has a process of its own, and needs a place."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from ludex.core.rules import BOTH, Rules, seat_name, seats
from ludex.core.termination import CRASHED, ILLEGAL, OUT_OF_TIME, Offence
from ludex.external.agent import ExternalAgent, make_external
from ludex.io.keys import Refused
from ludex.match.runner import UNLIMITED, Referee
from ludex.match.session import Match
from ludex.web.state import limits
from ludex.web.state.programs import PREFIX
from ludex.web.state.public_text import without_paths

FAULTS = {CRASHED: "failed", ILLEGAL: "broke the rules", OUT_OF_TIME: "took too long"}
"""What a program did that forfeits a match."""
RETRY = 1.0  # seconds between attempts to get places after a restart of the server


class Forfeit(Exception):
    """A seat has lost other than by the rules."""

    def __init__(self, ending: str, seat: int, words: str) -> None:
        self.ending, self.seat, self.words = ending, seat, words


class Unplayable(ValueError):
    """A program cannot play; why is only for those who may read its source."""

    def __init__(self, text: str, reason: str) -> None:
        super().__init__(f"{text} cannot play here; its owner can read why")
        self.text, self.reason = text, reason


class ProgramPlaces:
    """The places for programs that play live matches at once, which all matches share."""

    def __init__(self) -> None:
        self.holders: list[MatchPrograms] = []

    def take(self, programs: "MatchPrograms") -> None:
        """Give all programs of a match a place, those of abandoned matches if need be.

        Raise Refused if there are too few.
        """
        if programs in self.holders or not programs.agents:
            return
        if self.refusal(programs):
            own = [one for one in self.holders if one.opener == programs.opener]
            for one in own if self.is_visitors_limit(programs) else list(self.holders):
                if one.is_abandoned():
                    one.close()
        if words := self.refusal(programs):
            raise Refused(words)
        self.holders.append(programs)

    def refusal(self, programs: "MatchPrograms") -> str:
        """Return why the programs of a match find no room beside the others, if they do not."""
        if self.is_visitors_limit(programs):
            most = f"{limits.VISITOR_PROGRAMS} programs may play at once in matches of one visitor"
            return f"{most}: end one of yours, or try again when it has ended"
        if sum(len(one.agents) for one in (*self.holders, programs)) > limits.PLAYING_PROGRAMS:
            most = f"{limits.PLAYING_PROGRAMS} programs may play at once on this server"
            return f"{most}: try again when one of their matches has ended"
        return ""

    def is_visitors_limit(self, programs: "MatchPrograms") -> bool:
        """Return whether the visitor who opened a match would have too many programs playing."""
        own = [one for one in self.holders if one.opener == programs.opener]
        count = sum(len(one.agents) for one in (*own, programs))
        return bool(programs.opener) and count > limits.VISITOR_PROGRAMS

    def free(self, programs: "MatchPrograms") -> None:
        """Free the places of a match, if it has any."""
        if programs in self.holders:
            self.holders.remove(programs)


class MatchPrograms:
    """The programs at the seats of one match, started when they are first asked."""

    def __init__(
        self,
        match: Match,
        agents: Mapping[int, ExternalAgent],
        places: ProgramPlaces,
        is_abandoned: Callable[[], bool] = lambda: False,
        opener: str = "",
    ) -> None:
        """Seat the programs; those of a match that is abandoned may lose their places.

        `opener` is the visitor who has opened the match, if not the host.
        """
        self.match, self.places, self.is_abandoned = match, places, is_abandoned
        self.opener = opener
        self.agents = dict(agents)
        self.started: set[int] = set()
        self.printed: dict[int, str] = {}
        """What each had printed when the last move was made."""
        self.referee = self.new_referee()

    def new_referee(self) -> Referee:
        """Return what asks the programs for their moves."""
        found = [self.agents.get(seat) for seat in range(seats(self.match.rules))]
        return Referee(self.match, found, UNLIMITED)

    def take_places(self) -> None:
        """Take the places that the programs need, or raise Refused."""
        self.places.take(self)

    async def choice(self, seat: int) -> tuple[int, float]:
        """Return the choice of a program and its seconds, or raise Forfeit.

        Wait for a place; a program that lost its place while it was thinking is asked again.
        """
        name = seat_name(self.match.rules, seat)
        while not self.match.over:  # the other seat may end it
            referee = self.referee
            try:
                self.take_places()
                return await asyncio.to_thread(self.ask, seat)
            except Refused:
                await asyncio.sleep(RETRY)
            except Offence as offence:
                if referee is self.referee:
                    words = f"{name}'s program {FAULTS[offence.ending]}"
                    words += f" ({without_paths(offence.words)})."
                    raise Forfeit(offence.ending, seat, words) from offence
        raise Forfeit(CRASHED, seat, f"{name}: the match is over")

    def ask(self, seat: int) -> tuple[int, float]:
        """Return a program's action and its seconds, or raise its Offence; runs in a thread."""
        referee, started = self.referee, self.started
        agent: Any = referee.agents[seat]
        try:
            if seat not in started:
                if not self.agents[seat].submission.file.exists():
                    raise Offence(CRASHED, "its file was renamed or deleted")
                started.add(seat)
                referee.seat(seat)
            if referee is not self.referee:
                raise Offence(CRASHED, "the match was stopped")
            return referee.action(seat), referee.thought.get(seat, 0.0)
        finally:
            if referee is not self.referee:  # closed while the process was being started
                agent.kill()

    def close(self) -> None:
        """End the programs and free their places; one that is asked again is started afresh."""
        self.places.free(self)
        if not self.started:
            return
        before, ended = self.agents, self.referee
        # A thread may still use the former ones.
        self.agents = {seat: replace(agent, process=None) for seat, agent in before.items()}
        self.referee, self.started = self.new_referee(), set()
        ended.close()
        for seat, agent in before.items():
            self.agents[seat].log = agent.log

    def output(self, seat: int) -> str:
        """Return what the program at a seat has printed, if there is one.

        While both seats choose, it is what was printed before: a program may print its choice.
        """
        if seat not in self.agents:
            return dict(enumerate(self.match.output)).get(seat, "")
        if self.match.turn == BOTH and not self.match.over:
            return self.printed.get(seat, "")
        return self.text_of(seat)

    def text_of(self, seat: int) -> str:
        """Return all that a program has printed so far."""
        agent = self.agents[seat]
        return str(agent.process.log.text if agent.process else agent.log)

    def note_output(self) -> None:
        """Remember what is printed by now, when a move has been made."""
        self.printed = {seat: self.text_of(seat) for seat in self.agents}


def make_programs(rules: Rules, texts: list[str], paths: list[str]) -> dict[int, ExternalAgent]:
    """Return the programs among the agents of a match by seat, checked; raise a ValueError.

    `texts` are as requested: a path in them is never run, only one that `program:` stands for.
    """
    return {
        seat: make_program(rules, text, path)
        for seat, (text, path) in enumerate(zip(texts, paths, strict=True))
        if text.startswith(PREFIX)
    }


def make_program(rules: Rules, text: str, path: str) -> ExternalAgent:
    """Return the program of a text, whose file is at a path, or raise Unplayable."""
    try:
        return make_external(path, rules)
    except ValueError as error:
        raise Unplayable(text, str(error)) from error
