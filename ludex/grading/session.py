"""A session: one process learns from many matches, and then plays those that count."""

import hashlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ludex.agents.registry import Agent, make_agent
from ludex.core.rules import Rules, initial
from ludex.core.time_control import Clocks
from ludex.external.log import last_part
from ludex.external.persistent import PersistentAgent, make_persistent
from ludex.grading.assignment import BOTH, Assignment, Test
from ludex.grading.score import PRINTED, RAN_OUT, Mark, Result, gives_up, scored
from ludex.io.files import write_text
from ludex.io.plural import many
from ludex.kernel.jit import thinking_time
from ludex.match.record import read_record, write
from ludex.match.runner import play_match
from ludex.match.session import Match
from ludex.match.warm_up import warm_up
from ludex.tournaments.job import make_record
from ludex.tournaments.plan import SERIES, Pairing, fingerprint

Tell = Callable[[Test, int, int, str], None]
"""Told the test, how many matches of it are played, out of how many, and what else they are."""
TRAINING = 1  # added to the seed of matches that do not count
WALL = 2.0  # times the seconds of training, the most that they may take by the wall


class Session(NamedTuple):
    """What is to be played."""

    assignment: Assignment
    test: Test
    agent: str
    """As text: a path, perhaps with the name of a class behind it."""

    def key(self) -> str:
        """Return a hash of all that the result depends on."""
        files = [fingerprint(text) for text in (self.agent, self.test.opponent)]
        facts = [self.assignment[:5], self.test, files]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def mark_of(
    session: Session,
    rules: Rules,
    desk: Path,
    over: Callable[[], bool],
    tell: Tell = lambda *told: None,
) -> Mark:
    """Return the mark of a session; one that was played to its end is not played again."""
    kept = desk / f"session-{session.key()}.jsonl"
    if kept.exists():
        first, *lines = kept.read_text(encoding="utf-8").splitlines()
        return marked(session.test, lines, json.loads(first))
    lines, notes, late = played(session, rules, over, tell)
    if not late:
        text = "\n".join([json.dumps(notes, ensure_ascii=False), *lines])
        write_text(kept, f"{text}\n")
    return marked(session.test, lines, notes)._replace(late=late)


def marked(test: Test, lines: list[str], notes: list[str]) -> Mark:
    """Return the mark of matches whose records are given."""
    results = [result_of(test.seat(number), line) for number, line in enumerate(lines)]
    lost = tuple(line for line, one in zip(lines, results, strict=True) if one.worth < 0)
    return scored(test, results, notes)._replace(lost=lost)


def result_of(seat: int, line: str) -> Result:
    """Return what a recorded match was to the agent at a seat."""
    record = read_record(line)
    output = record.output[seat] if record.output else ""
    return Result(seat, record.returns[seat], record.ending, record.seat, record.words, output)


def played(
    session: Session, rules: Rules, over: Callable[[], bool], tell: Tell
) -> tuple[list[str], list[str], bool]:
    """Return the records of matches that count, what is to be said, and whether time ran out."""
    test = session.test
    agent, other = make_persistent(session.agent, rules), make_agent(test.opponent, rules)
    warm_up(rules, [agent, other])
    meeting = Meeting(session, rules, agent, other, over, tell)
    try:
        trained, failure = meeting.train()
        lines, late = meeting.counted()
    finally:
        agent.dismiss()
    learns = test.train_matches or test.train_seconds
    notes = [f"{many(trained, 'match')} of training before"] if learns else []
    if failure is not None:
        notes += failure_notes(failure)
    return lines, notes + [RAN_OUT] * late, late


class Meeting(NamedTuple):
    """The two who play a session, what says that time is up, and who is told of each match."""

    session: Session
    rules: Rules
    agent: PersistentAgent
    other: Agent
    over: Callable[[], bool]
    tell: Tell

    def train(self) -> tuple[int, Match | None]:
        """Let the agent learn from matches that do not count.

        Return how many it has played, and the last one if the agent ended it against the rules.

        The seconds are those in which the agent thinks, within a limit by the wall. It stops as
        well when the agent says that it is done, or ends a match against the rules.
        """
        test, assignment = self.session.test, self.session.assignment
        most = test.train_matches or (math.inf if test.train_seconds else 0)
        failure: Match | None = None
        done, thought, watch = 0, 0.0, Stopwatch(WALL * test.train_seconds)
        seed = assignment.seed + TRAINING
        self.agent.training = True
        while done < most and thought < (test.train_seconds or math.inf) and not watch.over():
            seat = test.seat(done)
            match = self.match(seat, seed, done, assignment.clocks)
            done += 1
            thought += match.seconds[seat]
            self.tell(test, done, test.train_matches, ", training")
            failure = match if match.offender == seat else None
            if failure or self.agent.training_done or self.over():
                break
        self.agent.training = False
        return done, failure

    def counted(self) -> tuple[list[str], bool]:
        """Return the records of the matches that count, and whether the time to grade ran out."""
        session, test = self.session, self.session.test
        plan = session.assignment.plan((session.agent, test.opponent), SERIES, test.matches)
        lines: list[str] = []
        results: list[Result] = []
        watch = Stopwatch(test.seconds)
        for number in range(test.matches):
            if self.over():
                return lines, True
            if watch.over() or gives_up(test, results):
                break
            seat = test.seat(number)
            table = number // 2 if test.seats == BOTH else number  # both seats share their luck
            pairing = Pairing(number, (0, 1) if seat == 0 else (1, 0), table)
            match = self.match(seat, plan.seed, table, plan.clocks)
            lines.append(write(make_record(plan, pairing, match)))
            fault = match.offender, match.words
            results.append(Result(seat, match.returns[seat], match.ending, *fault))
            self.tell(test, len(lines), test.matches, "")
        return lines, False

    def match(self, seat: int, seed: int, table: int, clocks: Clocks) -> Match:
        """Return a match in which the agent sits at a seat."""
        seated = [self.agent, self.other] if seat == 0 else [self.other, self.agent]
        return play_match(self.rules, initial(self.rules), seated, seed, table, clocks)


def failure_notes(match: Match) -> list[str]:
    """Return how an agent ended its training, with the end of what it printed, if anything."""
    printed = match.output[match.offender] if match.output else ""
    said = ["It printed:", last_part(printed, PRINTED)] if printed else []
    return [f"training ended {match.ending}: {match.words}", *said]


class Stopwatch:
    """Says when so many seconds are over; 0 never are."""

    def __init__(self, seconds: float) -> None:
        self.end = thinking_time() + seconds if seconds else math.inf

    def over(self) -> bool:
        """Return whether they are."""
        return thinking_time() > self.end
