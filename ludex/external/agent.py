"""An external program as an agent, and the messages it exchanges with us."""

import math
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import Choice
from ludex.core.play import choices
from ludex.core.rules import Rules, State
from ludex.core.termination import CRASHED, ILLEGAL, OUT_OF_TIME, WHERE, Offence, repr_of, shorten
from ludex.core.time_control import DAY, WALL_FACTOR, Clocks, read_clocks
from ludex.core.variants import rule_table, write_value
from ludex.external import packages, sandbox
from ludex.external.interface import Submission, find_submission
from ludex.external.launch import memory, start_process
from ludex.external.process import Process

PROTOCOL = 1
START_SECONDS = 30.0  # until it must be ready
PATH_PREFIXES = ("./", "../", "/", "~")


def names_file(text: str) -> bool:
    """Return whether the text of an agent names a file or folder."""
    named = text.partition(":")[0]
    return text.startswith(PATH_PREFIXES) or text in (".", "..") or named.endswith(".py")


def make_external(text: str, rules: Rules) -> "ExternalAgent":
    """Return the agent in a file or folder; raise a one-line ValueError if there is none."""
    submission = find_submission(text, ask.name_of(rules))
    memory()  # check the settings here: an error in them is not the program's
    packages.packages_folder()
    confined = sandbox.is_enabled()
    if confined and sandbox.is_unreadable(submission.file):
        raise ValueError(
            f"agent {text!r}: {submission.file.name} is closed to others, and the sandbox runs it"
            " as another user (chmod a+r opens it)"
        )
    return ExternalAgent(text, submission, confined, read_clocks(ask.clock(rules)))


@dataclass
class ExternalAgent:
    """An external program, run in a process of its own for every match."""

    text: str
    submission: Submission
    confined: bool
    default_clocks: Clocks
    """The time control outside a match."""
    process: Process | None = field(default=None, repr=False, compare=False)
    thought: float = 0.0
    """Seconds of CPU time and idle time that the last decision took."""
    log: str = ""
    """Output of the last match; the middle of a long one is left out."""
    policy_known = False

    def begin_match(self, rules: Rules, seat: int, rng: Generator, clocks: Clocks) -> None:
        """Start a process and wait until it is ready."""
        self.kill()
        self.log = ""
        self.start()
        self.greet(greeting(rules, seat, rng, clocks))

    def start(self) -> None:
        """Start the process without greeting it."""
        self.process = start_process(self.submission, self.confined)

    def greet(self, first: dict[str, Any]) -> dict[str, Any]:
        """Send the greeting, and return the answer that the process is ready."""
        assert self.process is not None
        try:
            answer = wait_until_ready(self.process, first)
        except Offence as offence:
            late = offence.ending == OUT_OF_TIME
            words = f"was not ready after {START_SECONDS:g} s" if late else offence.words
            self.kill()
            raise Offence(CRASHED, words) from None
        return answer

    def consider_within(
        self, rules: Rules, state: State, seat: int, rng: Generator, seconds: float, wall: float
    ) -> Choice:
        """Return the program's choice, or raise its offence.

        `seconds` limits its CPU time and idle time together, `wall` the wall time.
        """
        self.thought = 0.0
        if self.process is None:
            self.begin_match(rules, seat, rng, self.default_clocks)
        assert self.process is not None
        allowed = min(max(seconds, 0.0), DAY)
        labels = {ask.label(rules, state, action): action for action in choices(rules, state, seat)}
        request = {
            "position": ask.position(rules, state),
            "moves": list(labels),
            "seconds": allowed,
        }
        process = self.process
        try:
            answer = process.answer(request, min(max(wall, 0.0), WALL_FACTOR * DAY), allowed)
        except Offence:
            self.kill()
            raise
        finally:
            self.thought = process.thought
        if "error" in answer:
            self.kill()  # it has stopped serving
        if "move" not in answer and "odd" not in answer:
            raise answer_offence(answer, "no move")
        move = answer.get("move")
        if not isinstance(move, str) or move not in labels:
            raise illegal_offence(rules, state, seat, answer)
        return Choice(labels[move])

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the program's answer under its default clocks, with each decision as one turn."""
        seconds = min(self.default_clocks[:3])
        return self.consider_within(rules, state, seat, rng, seconds, WALL_FACTOR * seconds)

    def end_match(
        self, rules: Rules, state: State, ending: str, returns: tuple[float, ...]
    ) -> None:
        """Tell the program how the match has ended."""
        if self.process is not None:
            self.process.finish(farewell(rules, state, ending, returns))

    def close(self) -> None:
        """End the process; a persistent agent overrides this."""
        self.kill()

    def kill(self) -> None:
        """Kill the process, with all that it has started."""
        if self.process is not None:
            self.process.kill()
            self.log = self.process.log.text
            self.process = None


@contextmanager
def run_submission(submission: Submission) -> Iterator[Process]:
    """Yield the process of a submission that is ready, and kill it afterwards.

    An offence within the context gets the output of the program as a note.
    """
    process = start_process(submission, sandbox.is_enabled())
    try:
        wait_until_ready(process, bare_greeting())
        yield process
    except Offence as offence:
        process.kill()  # which reads the rest of its output
        offence.add_note(process.log.text)
        raise
    finally:
        process.kill()


def bare_greeting(seed: int = 1) -> dict[str, Any]:
    """Return the greeting for a program that is not going to play a match."""
    return {"ludex": PROTOCOL, "seed": seed}


def wait_until_ready(process: Process, first: dict[str, Any]) -> dict[str, Any]:
    """Send the greeting to a process, and return its answer that it is ready."""
    answer = process.answer(first, START_SECONDS)
    if answer.get("ready") is not True:
        raise answer_offence(answer, "not ready")
    return answer


def greeting(rules: Rules, seat: int, rng: Generator, clocks: Clocks) -> dict[str, Any]:
    """Return the greeting for a match: game, rules, seat, seed and clocks.

    Where something is hidden, the seed is a fresh one: from a number that depends on the seed of
    the match, a program could find that seed, and with it the cards of the others.
    """
    seed = secrets.randbelow(2**32) if ask.imperfect_information(rules) else rng.random() * 2**32
    table = rule_table(rules)
    named = {
        key: write_value(table[key], value) if table[key].words else value
        for key, value in ask.rule_values(rules).items()
    }
    limits = {
        name: None if math.isinf(limit) else limit
        for name, limit in zip(("decision", "turn", "match"), clocks[:3], strict=True)
    }
    return {
        "ludex": PROTOCOL,
        "game": ask.name_of(rules),
        "rules": named,
        "seat": seat,
        "seats": ask.seats(rules),
        "seed": int(seed),
        "clocks": limits,
    }


def farewell(rules: Rules, state: State, ending: str, returns: tuple[float, ...]) -> dict[str, Any]:
    """Return the message that ends a match."""
    return {"end": ending, "position": ask.position(rules, state), "returns": list(returns)}


def illegal_offence(rules: Rules, state: State, seat: int, answer: dict[str, Any]) -> Offence:
    """Return the offence of an illegal move: what is wrong with it, and in which position."""
    move = answer.get("move")
    words = ask.why_illegal(rules, state, seat, move) if isinstance(move, str) else ""
    if not words:
        odd = answer if "odd" in answer else {"odd": repr_of(move)}
        words = answer_offence(odd, "no move").words
    return Offence(ILLEGAL, f"{shorten(words)}{WHERE}{ask.position(rules, state)}")


def answer_offence(answer: dict[str, Any], lacks: str) -> Offence:
    """Return the offence of an answer that is an error, is not a label, or lacks something."""
    if "error" in answer:
        place = ""
        if isinstance(answer.get("line"), int):
            place = f" (line {answer['line']} of {answer.get('file')})"
        bring = packages.install_hint(str(answer["error"]))
        return Offence(CRASHED, shorten(f"{answer['error']}{bring}{place}"))
    if "odd" in answer:
        wanted = f" (expected {answer['wanted']})" if answer.get("wanted") else ""
        words = f"answered {answer['odd']}, which is not a move here{wanted}"
        return Offence(ILLEGAL, shorten(words))
    return Offence(ILLEGAL, f"answered {repr_of(answer)}: {lacks}")
