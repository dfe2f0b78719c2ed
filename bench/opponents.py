"""Opponents of our assignments: more search, or more training, must never earn fewer points.

Every ladder lets searchers of rising depth meet the opponent of a test, and prints the share of
its points that each earns, with a 95 % interval. A rung has earned fewer points than one before it
if the two intervals are apart. The rung of the model solution must earn nine tenths.
`python -m bench opponents` plays all of them in some minutes; `python -m bench` leaves it out.
Arena is not here: its assignment fixes the depth, and measures the evaluation.
"""

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ludex.grading import assignment, session
from ludex.grading.assignment import BOTH, SEATS, Assignment, Test
from ludex.grading.score import MatchResult
from ludex.stats import wilson
from ludex.store import Played
from ludex.tournaments.event import play
from ludex.tournaments.plan import SERIES
from ludex.workers.pool import Pool

SOLUTIONS = Path(__file__).parent.parent / "docs" / "solutions"
MATCHES = 100
WANTED = 0.9  # of the points, what the model solution must earn


class Ladder(NamedTuple):
    """A test, and agents that differ in one number."""

    course: str
    test: str
    agent: str
    """As text. With `line` it is a file of the model solution, perhaps with a class behind it."""
    numbers: tuple[int, ...]
    line: str = ""
    """The line of that file in which the number stands; `training` for matches of training."""
    solution: int | None = None
    """The number that the model solution has, if it is among them."""


class Rung(NamedTuple):
    """The share of the points that one agent earned, between the ends of its interval."""

    low: float
    share: float
    high: float


TRAINING = "training"
MINIMAX, HARD = "2.2 MinimaxAgent", "Hard"
ALL = (
    Ladder("droids", MINIMAX, "simultaneous:view=pessimistic,depth={}", (1, 2, 3, 4)),
    Ladder("droids", MINIMAX, "r2d2_hw3.py:MinimaxAgent", (1, 2, 3, 4, 5), "    depth = {}\n", 3),
    Ladder("droids", "2.1 QAgent", "r2d2_hw3.py:QAgent", (0, 400, 1600), TRAINING),
    Ladder("trap", "Easy", "PlayerAI.py", (1, 3, 5), "DEPTH = {}  ", 5),
    Ladder("trap", "Medium", "PlayerAI.py", (1, 3, 5), "DEPTH = {}  ", 5),
    Ladder("trap", HARD, "PlayerAI.py", (1, 2, 3, 4, 5), "DEPTH = {}  ", 5),
    Ladder("trap", HARD, "expectiminimax:depth={}", (1, 2, 3, 4)),
    Ladder("aeroplane", "Random agent", "expectimax:depth={}", (1, 2, 3)),
    Ladder("aeroplane", "Random agent", "MyAgent.py", (0, 1), "MAX_DEPTH = {}\n", 1),
)


def changed(ladder: Ladder, number: int, folder: Path) -> str:
    """Write the model solution with another number, and return it as the text of an agent."""
    name, colon, word = ladder.agent.partition(":")
    source = (SOLUTIONS / ladder.course / name).read_text(encoding="utf-8")
    if ladder.line != TRAINING:
        pattern = re.escape(ladder.line).replace(r"\{\}", r"\d+")
        source, times = re.subn(pattern, ladder.line.format(number), source)
        assert times == 1, f"{name} has no line {ladder.line!r}"
    place = folder / f"{ladder.course}-{number}"
    place.mkdir(mode=0o755, exist_ok=True)
    (place / name).write_text(source, encoding="utf-8")
    return f"{place / name}{colon}{word}"


def in_session(given: Assignment, test: Test, agent: str) -> list[MatchResult]:
    """Return what matches were to a program whose process stays, as it does when it is graded."""
    one = session.Session(given, test, agent)
    lines = session.play_session(one, given.make_rules(), lambda: False, lambda *told: None)[0]
    return [MatchResult.of_record(line, test.seat(number)) for number, line in enumerate(lines)]


def in_series(given: Assignment, test: Test, agent: str) -> list[MatchResult]:
    """Return what matches were to an agent, at the seats that the test gives it."""
    ways = 1 if test.seats == BOTH else SEATS
    plan = given.plan((agent, test.opponent), SERIES, ways * test.matches)
    results: list[MatchResult] = []

    def add(some: list[Played]) -> bool:
        at_seat = [one for one in some if one.agents.index(0) == test.seat(one.number)]
        results.extend(MatchResult.of_record(one.record, test.seat(one.number)) for one in at_seat)
        return False

    play(plan, Pool(processes=1), add)
    return results


def rung(test: Test, results: Sequence[MatchResult]) -> Rung:
    """Return the share of the points that matches bring, with its interval."""
    shares = {1: test.win, 0: test.draw, -1: test.loss}
    total = sum(shares[(one.worth > 0) - (one.worth < 0)] for one in results)
    share = total / len(results)
    low, high = wilson(share, len(results))
    needed = (test.full or test.matches) / test.matches
    return Rung(min(low / needed, 1.0), min(share / needed, 1.0), min(high / needed, 1.0))


def climb(ladder: Ladder, folder: Path, matches: int = MATCHES) -> bool:
    """Play and print a ladder, and return whether no rung has earned fewer points than another."""
    given = assignment.read(assignment.find(ladder.course))
    [test] = [one for one in given.tests if one.name == ladder.test]
    full = test.full / test.matches * matches
    test = test._replace(matches=matches, full=full, seconds=0.0, train_seconds=0.0)
    meets = f"{ladder.course}, {test.name}, against {test.opponent}"
    print(f"{meets}: {ladder.agent} {ladder.line.strip()}")
    best, fine = 0.0, True
    for number in ladder.numbers:
        training = number if ladder.line == TRAINING else 0
        met = test._replace(train_matches=training)
        file = changed(ladder, number, folder) if ladder.line else ""
        if file and test.kind == assignment.SESSION:
            results = in_session(given, met, file)
        else:
            results = in_series(given, met, file or ladder.agent.format(number))
        found = rung(test, results)
        worse = found.high < best
        poor = number == ladder.solution and found.share < WANTED
        wins, draws = (sum(one.worth > 0 for one in results), sum(not one.worth for one in results))
        print(
            f"  {number:4}: {wins} won, {draws} drawn, {len(results) - wins - draws} lost:"
            f" {found.share:.2f} of the points ({found.low:.2f} to {found.high:.2f})"
            f"{', the model solution' if number == ladder.solution else ''}"
            f"{', FEWER POINTS' if worse else ''}{', TOO FEW' if poor else ''}",
            flush=True,
        )
        best = max(best, found.low)
        fine &= not worse and not poor
    return fine


def main() -> bool:
    """Play all ladders, and return whether more search has never earned fewer points."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)  # the sandbox reads submissions as another user
        fine = [climb(ladder, folder) for ladder in ALL]
    print(f"more search never earned fewer points: {'yes' if all(fine) else 'NO'}")
    return all(fine)
