"""Matches on the ladder: who loses and why, and what each viewer sees of it."""

from pathlib import Path

import pytest

from ludex.classroom.classroom import Classroom
from ludex.classroom.facts import program_facts
from ludex.classroom.matches import HIDDEN, MatchRow, analysis_of, matches_of, record_for
from ludex.classroom.people import Person
from ludex.classroom.play import digest, play_pair, player
from ludex.classroom.programs import Program, check_result
from ludex.external import sandbox
from ludex.match.record import replay_states, write
from tests.classrooms import (
    CHANCY,
    FIRST,
    LAST,
    enrol,
    handed_in,
    instructor,
    play_all,
    small_class,
)

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]
# They play well in their check, and fail in a position that comes only with other luck.
LATER = """
def choose(position, moves, seconds):
    print("secret")
    if {when}:
        {fail}
    return moves[0]
"""
FAILS = {
    "CRASHED": ("raise RuntimeError('my plan')", "RuntimeError: my plan (line 5 of mine.py)"),
    "ILLEGAL": ("return 'my plan'", "answered 'my plan', which is not a move here"),
    "OUT_OF_TIME": ("while True: pass", "the decision clock of 0.3 s ran out"),
}


def traitor(fail: str) -> str:
    """Return a program that fails against an opponent who has taken one nut."""
    return LATER.format(when="position.startswith('10 ')", fail=fail)


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    # The check is against greedy, which takes three at first.
    return small_class(tmp_path, house=["greedy"], clock="decision=0.3", matches=4)


def faults_of(classroom: Classroom, viewer: Person | None, program: Program) -> list[MatchRow]:
    return [row for row in matches_of(classroom, viewer, program.id) if row.offender >= 0]


@pytest.mark.parametrize("ending", FAILS)
def test_a_program_that_fails_loses_and_its_owner_reads_why(
    classroom: Classroom, ending: str
) -> None:
    ann, bob = enrol(classroom, "Ann", "Bob")
    fail, words = FAILS[ending]
    bad, good = handed_in(classroom, ann, traitor(fail)), handed_in(classroom, bob, FIRST)
    assert bad.state == good.state == "valid"
    play_all(classroom)
    row = faults_of(classroom, ann, bad)[0]
    assert row.ending == ending and words in row.words
    lost = row.seats[row.offender]
    assert lost.program == bad.id and lost.returns == -1.0
    assert program_facts(classroom, bad.id).faults[ending] >= 1
    record, _ = record_for(classroom, ann, row.job, row.number)
    assert record.words == row.words and "secret" in record.output[row.offender]
    for other in (bob, None):
        assert faults_of(classroom, other, bad)[0].words == HIDDEN
        line = write(record_for(classroom, other, row.job, row.number)[0])
        assert "my plan" not in line and "secret" not in line and "mine.py" not in line
    assert faults_of(classroom, instructor(classroom), bad)[0].words == row.words


def test_a_pair_of_matches_swaps_the_seats_and_shares_the_luck(classroom: Classroom) -> None:
    ann, bob = enrol(classroom, "Ann", "Bob")
    handed_in(classroom, ann, CHANCY), handed_in(classroom, bob, FIRST)
    play_all(classroom)
    second, first = matches_of(classroom, None, limit=2)
    assert [one.name for one in first.seats] == [one.name for one in reversed(second.seats)]
    records = [record_for(classroom, None, row.job, row.number)[0] for row in (first, second)]
    assert records[0].seed == records[1].seed and records[0].table == records[1].table == 0
    for record in records:
        assert replay_states(record) and record.seed != classroom.seed


def test_records_name_programs_and_no_paths(classroom: Classroom) -> None:
    [ann] = enrol(classroom, "Ann")
    handed_in(classroom, ann, LAST)
    play_all(classroom)
    row = matches_of(classroom, ann)[0]
    record, players = record_for(classroom, ann, row.job, row.number)
    assert sorted(record.agents) == ["Ann #1", "greedy"]
    assert [one.name for one in players] == list(record.agents)
    assert "/" not in write(record).replace("\\/", "")


def test_an_unknown_match_is_said(classroom: Classroom) -> None:
    with pytest.raises(ValueError, match="there is no match 7/1"):
        record_for(classroom, None, 7, 1)


def test_a_lost_match_is_analysed_against_the_truth(classroom: Classroom) -> None:
    ann, bob = enrol(classroom, "Ann", "Bob")
    program = handed_in(classroom, ann, LAST)
    handed_in(classroom, bob, CHANCY)
    play_all(classroom)
    facts = program_facts(classroom, program.id)
    assert facts.analysed and facts.mistakes["blunder"] >= 1 and facts.decisions > 0
    worst = facts.worst[0]
    found = analysis_of(classroom, worst.job, worst.number)
    assert found is not None and found["exact"] and worst.loss == 2.0
    assert worst.ply in [one["ply"] for one in found["errors"]]
    assert analysis_of(classroom, 999, 0) is None
    assert sum(tally.matches for tally in facts.results.values()) == sum(facts.endings.values())


def test_the_worst_mistakes_are_different_ones(classroom: Classroom) -> None:
    ann, bob = enrol(classroom, "Ann", "Bob")
    program = handed_in(classroom, ann, LAST)
    handed_in(classroom, bob, FIRST)
    play_all(classroom)
    facts = program_facts(classroom, program.id)
    moves = [(one.position, one.move) for one in facts.worst]
    assert len(set(moves)) == len(moves) < sum(facts.mistakes.values())


def test_programs_play_in_the_sandbox_and_reach_nothing(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    if sandbox.fault():
        pytest.skip(sandbox.fault())
    monkeypatch.delenv(sandbox.UNSAFE)
    database = classroom.url.removeprefix("sqlite:///")
    probe = f"""
import os, socket
def choose(position, moves, seconds):
    seen = [os.path.exists({database!r}), os.path.exists({str(Path(database).parent)!r})]
    seen.append(any("LUDEX" in name for name in os.environ))
    try:
        socket.create_connection(("127.0.0.1", 22), 1)
        seen.append(True)
    except OSError:
        seen.append(False)
    seen.append(os.path.exists("/submission/../other.py") or len(os.listdir("/submission")) > 1)
    print(seen)
    return moves[0]
"""
    [ann] = enrol(classroom, "Ann")
    made = handed_in(classroom, ann, probe)
    output = check_result(classroom, made, ann).output
    assert output.splitlines()[0] == str([False] * 5)


def test_the_same_seed_plays_the_same_pair_again(classroom: Classroom) -> None:
    [ann] = enrol(classroom, "Ann")
    made = handed_in(classroom, ann, CHANCY)
    one, other = player(classroom, made.id), player(classroom, 1)
    pairs = (play_pair(classroom.settings, one, other, seed) for seed in (5, 5, 6, 7, 8))
    played = [digest(list(pair)) for pair in pairs]
    assert played[0] == played[1] and len(set(played)) > 1
