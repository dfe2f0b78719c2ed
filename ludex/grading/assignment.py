"""An assignment in a TOML file: its tests, opponents and points."""

import os
import re
from pathlib import Path
from typing import Annotated, NamedTuple

from ludex.core.rules import Rules
from ludex.core.time_control import Clocks, read_clocks
from ludex.core.variants import rule_texts
from ludex.external.packages import read_requirements
from ludex.external.paths import with_absolute_paths
from ludex.games import game_rules
from ludex.io.schema import Key, TomlTable, declared_keys, errors_at, load_toml, read_table
from ludex.io.text import first_duplicate, nearest
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
PARTS = 3  # of the nuts document
Amount = Annotated[float, Key(low=0)]
Number = Annotated[int, Key(low=0)]
Share = Annotated[float, Key(low=0, high=1)]


class Test(NamedTuple):
    """A test that earns points."""

    name: str
    points: Amount
    kind: Annotated[str, Key(words=KINDS)] = MATCHES
    agent: str = ""
    """Which agent of the file; empty for the default."""
    opponent: str = "random"
    """The text of an agent; paths are relative to the assignment."""
    called: str = ""
    """The opponent's name for students; empty for its text."""
    seats: Annotated[str, Key(words=SITTING)] = BOTH
    """The agent's seat: both in turn, or always the first or the second."""
    matches: Annotated[int, Key(low=1)] = 10
    win: Share = 1.0
    """The share of a match's points for a win, a draw and a loss."""
    draw: Share = 0.5
    loss: Share = 0.0
    full: Amount = 0.0
    """The sum of these shares that earns full marks, at most `matches`; 0 for all matches."""
    give_up: Number = 0
    """Crashes or timeouts in a row after which the rest counts as lost; 0 for never."""
    train_matches: Number = 0
    """Of a session: training before it, against the same opponent."""
    train_seconds: Amount = 0.0
    seconds: Amount = 0.0
    """Of a session: time after which no further match begins; 0 for no limit."""
    at_least: Number = 0
    """Of a session: fewer matches than these earn nothing."""
    examples: str = ""
    """Of kind examples or rules: doctest lines of the document."""
    compare: str = ""
    """Of kind rules: the methods that must agree with our rules, separated by spaces."""
    cases: Annotated[int, Key(low=1)] = 2000
    """Situations in which each of them is tested."""
    rounds: Number = 0
    """Of a Swiss tournament; 0 for a round robin."""
    visibility: Annotated[str, Key(words=SHOWN)] = "visible"
    part: Annotated[int, Key(low=1, high=PARTS)] = 1
    """Of a transcript: the part of the document that is tested."""
    typed: Annotated[str, Key(words=TYPED)] = ANYTHING
    """Of a transcript: whether answers other than whole numbers are tested too."""

    @property
    def against(self) -> str:
        """The opponent as students see it, without our folders."""
        return self.called or re.sub(r"[^,:=]*/", "", self.opponent)

    def seat(self, number: int) -> int:
        """Return the agent's seat in a match of a series."""
        return number % SEATS if self.seats == BOTH else SITTING.index(self.seats) - 1


class Assignment(NamedTuple):
    """All that marks depend on, apart from the submissions."""

    course: str
    title: str
    clock: str = ""
    seed: int = 1
    rules: tuple[tuple[str, str], ...] = ()
    tests: tuple[Test, ...] = ()
    packages: tuple[str, ...] = ()
    """Packages that submissions may import, as pip names them."""
    folder: str = ""
    """A regular expression that the name of a submitted folder must match; empty for any name."""
    folder_like: str = ""
    """An example of such a name."""
    contributions: bool = False
    """Whether a text file named as the folder must list everybody's contribution."""

    @property
    def is_console(self) -> bool:
        """Whether submissions are console programs, not agents."""
        return any(test.kind == TRANSCRIPT for test in self.tests)

    @property
    def clocks(self) -> Clocks:
        """The time control of agents."""
        return (read_clocks(self.clock) if self.clock else Clocks())._replace(programs=True)

    @property
    def points(self) -> float:
        """The sum of all points."""
        return sum(test.points for test in self.tests)

    def make_rules(self) -> Rules:
        """Return the rules of the game."""
        return game_rules(self.course, dict(self.rules))

    def plan(self, agents: tuple[str, ...], how: str, matches: int, rounds: int = 0) -> Plan:
        """Return a plan of matches with these rules, seed and clocks, in one of the formats."""
        game, rules, seed, clocks = self.course, self.rules, self.seed, self.clocks
        return Plan(game, rules, agents, SEATS, how, matches, rounds, seed, clocks)


TEST_KEYS = declared_keys(Test)
KEYS = declared_keys(Assignment) | {
    "rules": Key(TomlTable, {}),
    "tests": Key(list[TomlTable], text="[[tests]]", low=1),
    "packages": Key(list[str], [], 'such as ["termcolor"]'),
}


def courses() -> list[str]:
    """Return the courses with an included assignment."""
    return sorted(file.stem for file in HERE.glob("*.toml"))


def find(text: str) -> Path:
    """Return the file of an assignment, by a course or a path."""
    if text in courses():
        return HERE / f"{text}.toml"
    if not text.endswith(".toml"):
        known = ", ".join(courses())
        raise ValueError(
            f"no course {text!r}{nearest(text, courses())} (there are {known}, or a path FILE.toml)"
        )
    return Path(text)


def read(path: Path) -> Assignment:
    """Read an assignment from a file; a ValueError names the wrong place."""
    place = f"assignment {str(path)!r}"
    given = load_toml(path, place)
    folder = Path(os.path.abspath(path)).parent
    with errors_at(place):
        values = read_table(given, KEYS)
        tests = []
        for number, table in enumerate(values["tests"], start=1):
            with errors_at(f"test {number}"):
                tests.append(read_test(table, folder))
        twice = first_duplicate([test.name for test in tests])
        if twice is not None:
            raise ValueError(f"two tests have one name, {twice!r}")
        values["tests"] = tuple(tests)
        values["rules"] = tuple(rule_texts(values["rules"], "rules.").items())
        values["packages"] = read_requirements(values["packages"])
        found = Assignment(**values)
        if found.clock:
            read_clocks(found.clock)
        check_folder(found)
    return found


def check_folder(given: Assignment) -> None:
    """Refuse an invalid pattern of folder names, or an example that does not match it."""
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


def read_test(given: TomlTable, folder: Path) -> Test:
    """Read a test from its table, with paths of its opponent relative to the folder."""
    test = Test(**read_table(given, TEST_KEYS))
    if test.full > test.matches:
        raise ValueError(
            f"full is {test.full:g}: expected at most matches, which is {test.matches}"
        )
    return test._replace(opponent=with_absolute_paths(test.opponent, folder))
