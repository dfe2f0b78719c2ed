"""An assignment in a TOML file: its tests, opponents and points."""

import os
import re
from pathlib import Path
from typing import Any, NamedTuple

from ludex.core.time_control import Clocks, read_clocks
from ludex.core.variants import rule_texts
from ludex.external.packages import read_requirements
from ludex.external.paths import placed
from ludex.io.parsing import nearest
from ludex.io.toml import WORDS, table_in
from ludex.tournaments.plan import Plan

HERE = Path(__file__).parent / "assignments"
MATCHES, SESSION, EXAMPLES, TOURNAMENT = "matches", "session", "examples", "tournament"
RULES, MANUAL, TRANSCRIPT = "rules", "manual", "transcript"
KINDS = (MATCHES, SESSION, EXAMPLES, RULES, TOURNAMENT, MANUAL, TRANSCRIPT)
PLAYED = (MATCHES, SESSION, TOURNAMENT)
"""Kinds of test that need an agent."""
SEATS = 2  # of every match that counts
BOTH, FIRST, SECOND = "both", "first", "second"
SITTING = (BOTH, FIRST, SECOND)
SHOWN = ("visible", "hidden", "after_due_date", "after_published")
ANYTHING, INTEGERS = "anything", "integers"
TYPED = (ANYTHING, INTEGERS)
# What numbers must not fall below.
LEAST = {
    "points": 0,
    "matches": 1,
    "train_matches": 0,
    "train_seconds": 0,
    "seconds": 0,
    "at_least": 0,
    "give_up": 0,
    "full": 0,
    "rounds": 0,
    "cases": 1,
    "part": 1,
}
PARTS = 3  # of the nuts document


class Test(NamedTuple):
    """Something that points are given for."""

    name: str
    points: float
    kind: str = MATCHES
    agent: str = ""
    """Which agent of the file; the usual one if it is empty."""
    opponent: str = "random"
    """As text; a path is that of a file beside the assignment."""
    called: str = ""
    """What students read of the opponent; its text if it is empty."""
    seats: str = BOTH
    """Where the agent sits: by turns at both, or always at the first or the second."""
    matches: int = 10
    win: float = 1.0
    """The share of the points that a match brings which is won, drawn or lost."""
    draw: float = 0.5
    loss: float = 0.0
    full: float = 0.0
    """The sum of these shares that earns full marks, fewer than `matches`; 0 if all must be won."""
    give_up: int = 0
    """After so many crashes or late moves in a row the rest counts as lost; 0 for never."""
    train_matches: int = 0
    """Of a session: how long the agent may learn before, against the same opponent."""
    train_seconds: float = 0.0
    seconds: float = 0.0
    """Of a session: after how long no further match begins; 0 for never."""
    at_least: int = 0
    """Of a session: how many matches must be played, or nothing is given."""
    examples: str = ""
    """Lines as in a document, of kind examples or rules."""
    compare: str = ""
    """Of kind rules: the methods that must agree with our rules, with spaces between."""
    cases: int = 2000
    """In how many situations each of them is asked."""
    rounds: int = 0
    """Of a tournament by the Swiss system; 0 lets all meet all."""
    visibility: str = "visible"
    part: int = 1
    """Of a transcript: the part of the document that is tried."""
    typed: str = ANYTHING
    """Of a transcript: whether answers that are no whole numbers are tried, too."""

    @property
    def against(self) -> str:
        """Whom the agent meets, in words for students: without our folders."""
        return self.called or re.sub(r"[^,:=]*/", "", self.opponent)

    def seat(self, number: int) -> int:
        """Return the seat of the agent in a match of a series."""
        return number % SEATS if self.seats == BOTH else SITTING.index(self.seats) - 1


class Assignment(NamedTuple):
    """All that marks depend on, apart from what is submitted."""

    course: str
    title: str
    clock: str = ""
    seed: int = 1
    rules: tuple[tuple[str, str], ...] = ()
    tests: tuple[Test, ...] = ()
    packages: tuple[str, ...] = ()
    """What submissions may import, as pip names it."""
    folder: str = ""
    """A regular expression that the name of a submitted folder must match; empty for any name."""
    folder_like: str = ""
    """An example of such a name."""
    contributions: bool = False
    """Whether a text file named as the folder must say who has done what."""

    @property
    def is_console(self) -> bool:
        """Whether what is submitted is a console program, which is no agent."""
        return any(test.kind == TRANSCRIPT for test in self.tests)

    @property
    def clocks(self) -> Clocks:
        """How long agents may think."""
        return read_clocks(self.clock) if self.clock else Clocks()

    @property
    def points(self) -> float:
        """What everything together is worth."""
        return sum(test.points for test in self.tests)

    def plan(self, agents: tuple[str, ...], how: str, matches: int, rounds: int = 0) -> Plan:
        """Return the order to play matches by its rules, seed and clocks, in one of the formats."""
        game, rules, seed, clocks = self.course, self.rules, self.seed, self.clocks
        return Plan(game, rules, agents, SEATS, how, matches, rounds, seed, clocks)


def ours() -> list[str]:
    """Return the courses whose assignments we have."""
    return sorted(file.stem for file in HERE.glob("*.toml"))


def find(text: str) -> Path:
    """Return the file of an assignment: that of a course of ours, or a path."""
    if text in ours():
        return HERE / f"{text}.toml"
    if not text.endswith(".toml"):
        known = ", ".join(ours())
        raise ValueError(
            f"no course {text!r}{nearest(text, ours())} (there are {known}, or a path FILE.toml)"
        )
    return Path(text)


def read(path: Path) -> Assignment:
    """Return the assignment in a file; a ValueError names the place that is wrong."""
    place = f"assignment {str(path)!r}"
    given = table_in(path, place)
    tests = given.pop("tests", [])
    rules = given.pop("rules", {})
    if not isinstance(tests, list) or not tests:
        raise ValueError(f"{place}: expected some [[tests]]")
    if not isinstance(rules, dict):
        raise ValueError(f"{place}: rules is {rules!r}: expected a table")
    folder = Path(os.path.abspath(path)).parent
    made = [test_of(f"{place}: test {number}", one) for number, one in enumerate(tests, 1)]
    made = [test._replace(opponent=placed(test.opponent, folder)) for test in made]
    names = [test.name for test in made]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(f"{place}: two tests have one name, {twice!r}")
    packages = given.pop("packages", [])
    if not isinstance(packages, list) or not all(isinstance(one, str) for one in packages):
        raise ValueError(f'{place}: packages is {packages!r}: expected texts such as ["termcolor"]')
    found = Assignment(
        **checked(place, given, Assignment),
        rules=tuple(rule_texts(rules, f"{place}: rules.").items()),
        tests=tuple(made),
    )
    try:
        if found.clock:
            read_clocks(found.clock)
        check_folder(found)
        return found._replace(packages=read_requirements(packages))
    except ValueError as error:
        raise ValueError(f"{place}: {error}") from error


def check_folder(given: Assignment) -> None:
    """Refuse a pattern of folder names that is none, and an example that does not match it."""
    try:
        fits = re.fullmatch(given.folder or ".*", given.folder_like)
    except re.error as error:
        raise ValueError(
            f"folder is {given.folder!r}: expected a regular expression ({error})"
        ) from error
    if given.folder_like and not (given.folder and fits):
        raise ValueError(
            f"folder_like is {given.folder_like!r}: expected a name that matches folder,"
            f" {given.folder!r}"
        )


def test_of(place: str, given: Any) -> Test:
    """Return a test from its table."""
    if not isinstance(given, dict):
        raise ValueError(f"{place}: expected a table")
    test = Test(**checked(place, given, Test))
    worded = {"kind": KINDS, "seats": SITTING, "visibility": SHOWN, "typed": TYPED}
    for name, words in worded.items():
        if getattr(test, name) not in words:
            said = f"{name} is {getattr(test, name)!r}"
            raise ValueError(f"{place}: {said}: expected one of {', '.join(words)}")
    for name, least in LEAST.items():
        if getattr(test, name) < least:
            said = f"{name} is {getattr(test, name):g}"
            raise ValueError(f"{place}: {said}: expected at least {least}")
    if test.part > PARTS:
        raise ValueError(f"{place}: part is {test.part}: expected at most {PARTS}")
    for name in ("win", "draw", "loss"):
        if not 0.0 <= getattr(test, name) <= 1.0:
            said = f"{name} is {getattr(test, name):g}"
            raise ValueError(f"{place}: {said}: expected a share from 0 to 1")
    if test.full > test.matches:
        said = f"full is {test.full:g}"
        raise ValueError(f"{place}: {said}: expected at most matches, which is {test.matches}")
    return test


def checked(place: str, given: dict[str, Any], shape: type[Any]) -> dict[str, Any]:
    """Return values whose names and types are those of the fields of a class."""
    wanted = {
        name: kind
        for name, kind in shape.__annotations__.items()
        if kind in (str, int, float, bool)
    }
    values: dict[str, Any] = {}
    for name, value in given.items():
        if name not in wanted:
            known = ", ".join(wanted)
            raise ValueError(f"{place}: no key {name!r}{nearest(name, wanted)} ({known})")
        if wanted[name] is float and type(value) is int:
            value = float(value)
        if type(value) is not wanted[name]:
            raise ValueError(f"{place}: {name} is {value!r}: expected {WORDS[wanted[name]]}")
        values[name] = value
    lacking = [name for name in wanted if name not in {*values, *shape._field_defaults}]
    if lacking:
        raise ValueError(f"{place}: {lacking[0]} is missing")
    return values
