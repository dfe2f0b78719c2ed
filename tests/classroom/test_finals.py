"""A final freezes versions and seeds, and anybody can repeat it."""

import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.classroom.bundle import bundle_table, read_bundle, repeat, write_bundle
from ludex.classroom.classroom import Classroom
from ludex.classroom.finals import cancel_final, final_table, finals_of, find_final, start_final
from ludex.classroom.jobs import take
from ludex.classroom.matches import matches_of
from ludex.classroom.play import give_up, play_match_job
from ludex.classroom.programs import Program, hand_in, playing_programs
from ludex.classroom.results import final_results
from ludex.classroom.worker import work_once
from ludex.external.sandbox import UNSAFE
from ludex.workers.pool import Pool
from tests.classrooms import CHANCY, FIRST, LAST, enrol, handed_in, play_all, small_class

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


def two_students(folder: Path) -> Classroom:
    made = small_class(folder, matches=2)
    ann, bob = enrol(made, "Ann", "Bob")
    handed_in(made, ann, CHANCY), handed_in(made, bob, LAST)
    return made


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    return two_students(tmp_path)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Classroom]:
    """Return a class that has played its final, for tests that change nothing in it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(UNSAFE, "1")
        classroom = two_students(tmp_path_factory.mktemp("played"))
        start_final(classroom, "finale", matches=4)
        play_all(classroom)
    yield classroom
    classroom.close()


@pytest.fixture
def bundle(played: Classroom, tmp_path: Path) -> Path:
    path = tmp_path / "final.zip"
    write_bundle(played, find_final(played), path)
    return path


def tell_nobody(done: int, total: int) -> None:
    """Report nothing."""


def test_everybody_plays_everybody_and_points_decide(played: Classroom) -> None:
    final = find_final(played)
    assert final.played == final.total == 12 and final.ended and finals_of(played) == [final]
    table = final_table(played, final)
    assert [row.matches for row in table] == [8, 8, 8] and sum(row.points for row in table) == 12
    assert [row.points for row in table] == sorted((row.points for row in table), reverse=True)
    assert table[0].rank == 1


def test_later_hand_ins_do_not_enter_a_final(classroom: Classroom) -> None:
    final = start_final(classroom, matches=2)
    assert (final.played, final.total, final.ended) == (0, 6, "")
    [cy] = enrol(classroom, "Cy")
    handed_in(classroom, cy, FIRST)
    assert find_final(classroom).programs == final.programs and len(final.programs) == 3


def test_a_final_is_repeated_from_its_file_alone(
    bundle: Path, played: Classroom, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    before = [row[:4] for row in final_table(played, find_final(played))]
    names = {1: 0, 2: 1, 3: 2}  # programs are counted from 0 in a bundle
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path / "elsewhere"))
    found, players = read_bundle(bundle)
    assert [one.name for one in players] == ["random", "Ann #1", "Bob #1"]
    again = repeat(found, players, Pool(1), tell_nobody)
    assert again.different == [] and again.table == bundle_table(found)
    assert [row[:4] for row in again.table] == [(a, names[b], c, d) for a, b, c, d in before]


def test_a_match_that_goes_differently_is_found(bundle: Path) -> None:
    found, players = read_bundle(bundle)
    changed = found.pairs[0]._replace(digest="other")
    found = found._replace(pairs=(changed, found.pairs[1]))
    assert repeat(found, players, Pool(1), tell_nobody).different == [changed]


def change(path: Path, edit: Callable[[dict[str, Any]], object], swap: bool = False) -> Path:
    """Return a copy of a bundle with other facts, or with its programs swapped."""
    other = path.with_name("other.zip")
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(other, "w") as new:
        names = [one for one in old.namelist() if one.startswith("programs/")]
        swapped = dict(zip(names, reversed(names), strict=True)) if swap else {}
        for name in old.namelist():
            data = old.read(swapped.get(name, name))
            if name == "final.json":
                facts = json.loads(data)
                edit(facts)
                data = json.dumps(facts).encode()
            new.writestr(name, data)
    return other


WRONG: dict[str, Callable[[dict[str, Any]], object]] = {
    "that this Ludex knows": lambda facts: facts.update({"ludex class": 9}),
    "one that is installed": lambda facts: facts["settings"].update(game="./evil.py"),
    "version 99 of the game": lambda facts: facts.update(version=99),
    "entrants 0 and 7": lambda facts: facts["pairs"].append([0, 7, 1, 1.0, ""]),
    "the name of a file": lambda facts: facts["entrants"][1].update(single="../x.py"),
    "not a final tournament": lambda facts: facts["entrants"][1].update(content="../x"),
    "not a final tournament: 'pairs'": lambda facts: facts.pop("pairs"),
    "1 where a text was expected": lambda facts: facts["entrants"].append({"name": 1}),
    "a built-in one": lambda facts: facts["entrants"][0].update(agent="./evil.py"),
}


def test_a_bundle_that_is_wrong_is_refused(bundle: Path) -> None:
    for words, edit in WRONG.items():
        with pytest.raises(ValueError, match=words):
            read_bundle(change(bundle, edit))


def test_programs_that_were_exchanged_are_refused(bundle: Path) -> None:
    with pytest.raises(ValueError, match="is not what was handed in"):
        read_bundle(change(bundle, lambda facts: None, swap=True))


def test_what_is_no_bundle_is_said(tmp_path: Path) -> None:
    (tmp_path / "x.zip").write_text("hello")
    with pytest.raises(ValueError, match="not a final tournament: File is not a zip file"):
        read_bundle(tmp_path / "x.zip")


def test_a_final_begins_only_when_all_are_checked(classroom: Classroom) -> None:
    with pytest.raises(ValueError, match="there is no final yet"):
        find_final(classroom)
    with pytest.raises(ValueError, match="3 matches of each two programs: expected an even number"):
        start_final(classroom, matches=3)
    [cy] = enrol(classroom, "Cy")
    hand_in(classroom, cy, "mine.py", FIRST.encode())
    with pytest.raises(ValueError, match="Cy #1 waits to be checked"):
        start_final(classroom)


def test_house_agents_alone_have_no_final(tmp_path: Path) -> None:
    classroom = small_class(tmp_path, house=["random", "greedy"])
    with pytest.raises(ValueError, match="no program of the class plays yet"):
        start_final(classroom)
    assert not finals_of(classroom)


def test_one_final_is_played_at_a_time(classroom: Classroom, tmp_path: Path) -> None:
    first = start_final(classroom, matches=2)
    with pytest.raises(ValueError, match="is still being played: 0 of 6"):
        write_bundle(classroom, first, tmp_path / "x.zip")
    with pytest.raises(ValueError, match="final is still being played: 0 of 6 matches; cancel"):
        start_final(classroom)
    assert finals_of(classroom) == [first]
    play_all(classroom)
    assert start_final(classroom, "another", matches=2).id != first.id


def test_a_final_that_is_cancelled_keeps_its_matches_and_another_may_start(
    classroom: Classroom, tmp_path: Path
) -> None:
    first = start_final(classroom, matches=2)
    work_once(classroom, "worker")
    with classroom.transaction() as connection:
        job = take(connection, "slow")
    assert job is not None and job.final == first.id
    stopped = cancel_final(classroom)
    assert (stopped.id, stopped.cancelled, stopped.played, stopped.total) == (first.id, True, 2, 6)
    assert stopped.ended and sum(row.matches for row in final_table(classroom, stopped)) == 4
    assert not play_match_job(classroom, job)  # it was being played
    play_all(classroom)
    assert find_final(classroom) == stopped and not final_results(classroom)
    assert [one.final for one in matches_of(classroom, None)].count(first.id) == 2
    with pytest.raises(ValueError, match="final was cancelled: 2 of 6"):
        write_bundle(classroom, stopped, tmp_path / "x.zip")
    second = start_final(classroom, "another", matches=2)
    assert second.id != first.id and not second.cancelled
    play_all(classroom)
    assert find_final(classroom).played == 6 and len(final_results(classroom)) == 3


def test_a_final_that_has_ended_is_neither_cancelled_nor_hidden_by_one_that_was(
    classroom: Classroom,
) -> None:
    with pytest.raises(ValueError, match="no final is being played"):
        cancel_final(classroom)
    first = start_final(classroom, matches=2)
    play_all(classroom)
    with pytest.raises(ValueError, match="no final is being played"):
        cancel_final(classroom)
    before = final_results(classroom)
    second = start_final(classroom, "by mistake", matches=2)
    with pytest.raises(ValueError, match="it has ended"):
        cancel_final(classroom, first.id)
    assert cancel_final(classroom).id == second.id
    assert find_final(classroom).id == first.id and final_results(classroom) == before


def test_a_final_ends_even_if_its_last_job_fails(classroom: Classroom) -> None:
    first = start_final(classroom, matches=2)
    for left in (2, 1, 0):
        with classroom.transaction() as connection:
            job = take(connection, "worker")
        assert job is not None and job.final == first.id
        give_up(classroom, job, "no luck")
        assert bool(find_final(classroom).ended) == (left == 0)
    assert start_final(classroom, "another", matches=2).id != first.id


def test_two_finals_that_are_started_at_the_same_time_are_one(
    classroom: Classroom, monkeypatch: pytest.MonkeyPatch
) -> None:
    def playing_after_another(given: Classroom) -> list[Program]:
        monkeypatch.setattr("ludex.classroom.finals.playing_programs", playing_programs)
        start_final(given, "faster", matches=2)
        return playing_programs(given)

    monkeypatch.setattr("ludex.classroom.finals.playing_programs", playing_after_another)
    with pytest.raises(ValueError, match="faster is still being played: 0 of 6"):
        start_final(classroom, "slower", matches=2)
    assert [one.name for one in finals_of(classroom)] == ["faster"]
