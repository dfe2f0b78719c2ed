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
from ludex.grading.score import PRINTED, RAN_OUT, Mark, MatchResult, award_records, gives_up
from ludex.io.files import write_text
from ludex.io.text import many
from ludex.kernel.jit import thinking_time
from ludex.match.record import write
from ludex.match.runner import play_match
from ludex.match.session import Match
from ludex.match.warm_up import warm_up
from ludex.tournaments.job import make_record
from ludex.tournaments.plan import SERIES, Pairing, fingerprint

Tell = Callable[[Test, int, int, str], None]
"""Called with the test, how many matches are played, out of how many, and a label for them."""
TRAINING = 1  # added to the seed of training matches
WALL = 2.0  # limit of wall time, in multiples of the training time


class Session(NamedTuple):
    """A test to be played in one process."""

    assignment: Assignment
    test: Test
    agent: str
    """As text: a path, optionally with the name of a class."""

    def key(self) -> str:
        """Return a hash of all that the result depends on."""
        files = [fingerprint(text) for text in (self.agent, self.test.opponent)]
        facts = [self.assignment[:5], self.test, files]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()[:16]


def mark_of(
    session: Session,
    rules: Rules,
    workspace: Path,
    over: Callable[[], bool],
    tell: Tell = lambda *told: None,
) -> Mark:
    """Return the mark of a session; a completed one is not played again."""
    kept = workspace / f"session-{session.key()}.jsonl"
    if kept.exists():
        first, *lines = kept.read_text(encoding="utf-8").splitlines()
        return award_records(session.test, lines, json.loads(first))
    lines, notes, late = play_session(session, rules, over, tell)
    if not late:
        text = "\n".join([json.dumps(notes, ensure_ascii=False), *lines])
        write_text(kept, f"{text}\n")
    return award_records(session.test, lines, notes, late)


def play_session(
    session: Session, rules: Rules, over: Callable[[], bool], tell: Tell
) -> tuple[list[str], list[str], bool]:
    """Play a session: return the records that count, notes, and whether time ran out."""
    test = session.test
    agent, other = make_persistent(session.agent, rules), make_agent(test.opponent, rules)
    warm_up(rules, [agent, other])
    encounter = Encounter(session, rules, agent, other, over, tell)
    try:
        trained, failure = encounter.train()
        lines, late = encounter.play_counted()
    finally:
        agent.dismiss()
    learns = test.train_matches or test.train_seconds
    notes = [f"{many(trained, 'match')} of training before"] if learns else []
    if failure is not None:
        notes += failure_notes(failure)
    return lines, notes + [RAN_OUT] * late, late


class Encounter(NamedTuple):
    """The two agents of a session, with its time limit and progress callback."""

    session: Session
    rules: Rules
    agent: PersistentAgent
    other: Agent
    over: Callable[[], bool]
    tell: Tell

    def train(self) -> tuple[int, Match | None]:
        """Play training matches: return their number, and the last one if the agent failed in it.

        The agent's thinking time counts, within a limit of wall time. Training also stops when
        the agent says that it is done, or fails.
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

    def play_counted(self) -> tuple[list[str], bool]:
        """Play the matches that count: return their records, and whether grading time ran out."""
        session, test = self.session, self.session.test
        plan = session.assignment.plan((session.agent, test.opponent), SERIES, test.matches)
        lines: list[str] = []
        results: list[MatchResult] = []
        watch = Stopwatch(test.seconds)
        for number in range(test.matches):
            if self.over():
                return lines, True
            if watch.over() or gives_up(test, results):
                break
            seat = test.seat(number)
            table = number // 2 if test.seats == BOTH else number  # both seats share the luck
            pairing = Pairing(number, (0, 1) if seat == 0 else (1, 0), table)
            match = self.match(seat, plan.seed, table, plan.clocks)
            lines.append(write(make_record(plan, pairing, match)))
            results.append(MatchResult.of_record(lines[-1], seat))
            self.tell(test, len(lines), test.matches, "")
        return lines, False

    def match(self, seat: int, seed: int, table: int, clocks: Clocks) -> Match:
        """Play a match with the agent at a seat."""
        seated = [self.agent, self.other] if seat == 0 else [self.other, self.agent]
        return play_match(self.rules, initial(self.rules), seated, seed, table, clocks)


def failure_notes(match: Match) -> list[str]:
    """Return how an agent failed in training, with the end of its output, if any."""
    printed = match.output[match.offender] if match.output else ""
    said = ["It printed:", last_part(printed, PRINTED)] if printed else []
    return [f"training ended {match.ending}: {match.words}", *said]


class Stopwatch:
    """A time limit in seconds; 0 for none."""

    def __init__(self, seconds: float) -> None:
        self.end = thinking_time() + seconds if seconds else math.inf

    def over(self) -> bool:
        """Return whether the time is up."""
        return thinking_time() > self.end
