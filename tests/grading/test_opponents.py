"""The ladders by which the opponents of our assignments are measured."""

from pathlib import Path

import pytest

from bench import opponents
from ludex.grading import assignment
from ludex.grading.score import MatchResult

LADDERS = [pytest.param(one, id=f"{one.course}-{one.agent[-20:]}") for one in opponents.ALL]


@pytest.mark.plain
@pytest.mark.parametrize("ladder", LADDERS)
def test_a_ladder_names_a_test_and_the_number_of_the_model_solution(
    ladder: opponents.Ladder, tmp_path: Path
) -> None:
    given = assignment.read(assignment.find(ladder.course))
    assert [one.name for one in given.tests].count(ladder.test) == 1
    if ladder.line:
        file = opponents.changed(ladder, ladder.solution or 0, tmp_path).partition(":")[0]
        own = opponents.SOLUTIONS / ladder.course / Path(file).name
        same = Path(file).read_text(encoding="utf-8") == own.read_text(encoding="utf-8")
        assert same == (ladder.solution is not None or ladder.line == opponents.TRAINING)


@pytest.mark.plain
def test_beyond_full_marks_nothing_more_is_earned() -> None:
    test = assignment.Test("x", 20.0, matches=100, full=80.0)
    results = [MatchResult(0, 1.0 if one < 90 else -1.0, "BY_RULES", -1, "") for one in range(100)]
    assert opponents.rung(test, results).share == 1.0
    found = opponents.rung(test, results[50:])
    assert found.low < found.share == 1.0 == found.high
    assert opponents.rung(test, results[80:]).share == 0.625


@pytest.mark.plain
def test_a_series_gives_a_result_for_each_match_at_the_seat_of_the_test() -> None:
    given = assignment.read(assignment.find("trap"))._replace(rules=(("size", "3"),))
    test = assignment.Test("x", 20.0, opponent="random", matches=3, seats=assignment.BOTH)
    results = opponents.in_series(given, test, "random")
    assert [one.seat for one in results] == [0, 1, 0]
    assert all(one.worth in (-1.0, 1.0) for one in results)
