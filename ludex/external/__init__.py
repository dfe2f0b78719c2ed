"""External programs as agents, each in its own process."""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludex.core.choice import Choice
from ludex.core.play import choices
from ludex.core.rules import (
    Rules,
    State,
    clock,
    label,
    name_of,
    position,
    rule_values,
    seats,
    why_illegal,
)
from ludex.core.termination import CRASHED, ILLEGAL, OUT_OF_TIME, WHERE, Offence, repr_of, shorten
from ludex.core.time_control import DAY, WALL_FACTOR, Clocks, read_clocks
from ludex.core.variants import rule_table
from ludex.external import packages, sandbox
from ludex.external.interface import Submission, find_submission
from ludex.external.launch import memory, start_process
from ludex.external.process import Process

PROTOCOL = 1
START = 30.0  # seconds until it must be ready
STARTS = ("./", "../", "/", "~")


def names_file(text: str) -> bool:
    """Return whether the text of an agent names a file or folder."""
    named = text.partition(":")[0]
    return text.startswith(STARTS) or text in (".", "..") or named.endswith(".py")


def make_foreign(text: str, rules: Rules) -> "Foreign":
    """Return the agent in a file or folder; a ValueError says in one line why there is none."""
    submission = find_submission(text, name_of(rules))
    memory()  # what is wrong with it is no fault of the program
    packages.layer()
    confined = sandbox.is_wanted()
    if confined and sandbox.is_hidden(submission.file):
        raise ValueError(
            f"agent {text!r}: {submission.file.name} is closed to others, and the sandbox runs it"
            " as another user (chmod a+r opens it)"
        )
    return Foreign(text, submission, confined, read_clocks(clock(rules)))


@dataclass
class Foreign:
    """Asks somebody's program, which has a process of its own for every match."""

    text: str
    submission: Submission
    confined: bool
    usual: Clocks
    """How long it may think where nobody says it."""
    process: Process | None = field(default=None, repr=False, compare=False)
    thought: float = 0.0
    """How many seconds of CPU time and idle time the last decision took."""
    log: str = ""
    """What it printed in the last match; a long one lacks its middle."""
    policy_known = False

    def begin_match(
        self, rules: Rules, seat: int, rng: np.random.Generator, clocks: Clocks
    ) -> None:
        """Start a process and wait until it is ready."""
        self.kill()
        self.log = ""
        self.start()
        self.greet(greeting(rules, seat, rng, clocks))

    def start(self) -> None:
        """Start the process, which is not spoken to."""
        self.process = start_process(self.submission, self.confined)

    def greet(self, first: dict[str, Any]) -> dict[str, Any]:
        """Say which match begins, and return what the process answers when it is ready."""
        assert self.process is not None
        try:
            answer = wait_until_ready(self.process, first)
        except Offence as offence:
            late = offence.ending == OUT_OF_TIME
            words = f"was not ready after {START:g} s" if late else offence.words
            self.kill()
            raise Offence(CRASHED, words) from None
        return answer

    def consider_within(
        self,
        rules: Rules,
        state: State,
        seat: int,
        rng: np.random.Generator,
        seconds: float,
        wall: float,
    ) -> Choice:
        """Return what the program answers in time, or raise its offence.

        `seconds` limits its CPU time and idle time together, `wall` the wall time.
        """
        self.thought = 0.0
        if self.process is None:
            self.begin_match(rules, seat, rng, self.usual)
        assert self.process is not None
        allowed = min(max(seconds, 0.0), DAY)
        labels = {label(rules, state, action): action for action in choices(rules, state, seat)}
        request = {
            "position": position(rules, state),
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
            self.kill()  # whoever has given up a match answers nothing more
        if "move" not in answer and "odd" not in answer:
            raise complaint(answer, "no move")
        move = answer.get("move")
        if not isinstance(move, str) or move not in labels:
            raise illegal(rules, state, seat, answer)
        return Choice(labels[move])

    def consider(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> Choice:
        """Return what the program answers by its usual clocks, as if every decision were a turn."""
        seconds = min(self.usual[:3])
        return self.consider_within(rules, state, seat, rng, seconds, WALL_FACTOR * seconds)

    def end_match(
        self, rules: Rules, state: State, ending: str, returns: tuple[float, ...]
    ) -> None:
        """Tell the program how the match has ended."""
        if self.process is not None:
            self.process.leave(farewell(rules, state, ending, returns))

    def close(self) -> None:
        """End the process; for an agent that stays, only the match has ended."""
        self.kill()

    def kill(self) -> None:
        """End the process, with all that it has started."""
        if self.process is not None:
            self.process.kill()
            self.log = self.process.log.text
            self.process = None


def bare_greeting(seed: int = 1) -> dict[str, Any]:
    """Return the first words to a program that is asked something else than to play a match."""
    return {"ludex": PROTOCOL, "seed": seed}


def wait_until_ready(process: Process, first: dict[str, Any]) -> dict[str, Any]:
    """Say the first words to a process, and return its answer, which says that it is ready."""
    answer = process.answer(first, START)
    if answer.get("ready") is not True:
        raise complaint(answer, "not ready")
    return answer


def greeting(rules: Rules, seat: int, rng: np.random.Generator, clocks: Clocks) -> dict[str, Any]:
    """Return the first words to a program: which game, which rules, which seat."""
    table = rule_table(rules)
    named = {
        key: table[key].words[int(value) - table[key].low]  # type: ignore[arg-type]
        if table[key].words
        else value
        for key, value in rule_values(rules).items()
    }
    limits = {
        name: None if math.isinf(limit) else limit
        for name, limit in zip(("decision", "turn", "match"), clocks[:3], strict=True)
    }
    return {
        "ludex": PROTOCOL,
        "game": name_of(rules),
        "rules": named,
        "seat": seat,
        "seats": seats(rules),
        "seed": int(rng.random() * 2**32),
        "clocks": limits,
    }


def farewell(rules: Rules, state: State, ending: str, returns: tuple[float, ...]) -> dict[str, Any]:
    """Return the last words of a match."""
    return {"end": ending, "position": position(rules, state), "returns": list(returns)}


def illegal(rules: Rules, state: State, seat: int, answer: dict[str, Any]) -> Offence:
    """Return the offence of a move that is none: what was wrong with it, and in which position."""
    move = answer.get("move")
    words = why_illegal(rules, state, seat, move) if isinstance(move, str) else ""
    if not words:
        odd = answer if "odd" in answer else {"odd": repr_of(move)}
        words = complaint(odd, "no move").words
    return Offence(ILLEGAL, f"{shorten(words)}{WHERE}{position(rules, state)}")


def complaint(answer: dict[str, Any], lacks: str) -> Offence:
    """Return the offence of an answer that is none."""
    if "error" in answer:
        place = ""
        if isinstance(answer.get("line"), int):
            place = f" (line {answer['line']} of {answer.get('file')})"
        bring = packages.hint(str(answer["error"]))
        return Offence(CRASHED, shorten(f"{answer['error']}{bring}{place}"))
    if "odd" in answer:
        wanted = f" (expected {answer['wanted']})" if answer.get("wanted") else ""
        words = f"answered {answer['odd']}, which is not a move here{wanted}"
        return Offence(ILLEGAL, shorten(words))
    return Offence(ILLEGAL, f"answered {repr_of(answer)}: {lacks}")
