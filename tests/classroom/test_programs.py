"""Hand-ins: versions, quotas and deadlines, and who may read what."""

from pathlib import Path

import pytest

from ludex.classroom.classroom import Classroom, new_class, open_class
from ludex.classroom.people import (
    GUEST,
    NewPerson,
    add_people,
    person_named,
    set_active,
    set_extension,
)
from ludex.classroom.programs import (
    check_result,
    hand_in,
    playing_programs,
    programs_of,
    source_files,
    withdraw,
)
from ludex.classroom.settings import plain_time, read_time, time_text
from ludex.io.keys import Refused
from tests.classrooms import (
    CRASHING,
    FIRST,
    HANGING,
    ILLEGAL,
    LAST,
    enrol,
    handed_in,
    instructor,
    small_class,
)

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    return small_class(tmp_path)


def test_the_newest_valid_version_plays_and_all_are_kept(classroom: Classroom) -> None:
    [ann] = enrol(classroom, "Ann")
    for source in (FIRST, LAST, CRASHING):
        handed_in(classroom, ann, source)
    versions = programs_of(classroom, ann.id)
    assert [(one.name, one.state, one.playing) for one in versions] == [
        ("Ann #3", "refused", False),
        ("Ann #2", "valid", True),
        ("Ann #1", "valid", False),
    ]
    assert [one.name for one in playing_programs(classroom)] == ["Ann #2", "random"]
    assert source_files(classroom, versions[2], ann) == {"mine.py": FIRST.encode()}


FAULTS = {
    "crash": (CRASHING, "CRASHED: ZeroDivisionError: division by zero (line 3 of mine.py)"),
    "illegal": (ILLEGAL, "ILLEGAL: took 9, where 1 to 3 may be taken"),
    "syntax": ("def choose(:\n", "mine.py line 1: invalid syntax"),
    "lacking": ("x = 1\n", "mine.py lacks a function choose(position, moves, seconds)"),
    "import": (f"import nothing_here\n{FIRST}", "CRASHED: ModuleNotFoundError: No module named"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_program_that_cannot_play_is_refused_with_the_reason(
    classroom: Classroom, name: str, tmp_path: Path
) -> None:
    [ann] = enrol(classroom, "Ann")
    source, words = FAULTS[name]
    made = handed_in(classroom, ann, source)
    found = check_result(classroom, made, ann)
    assert found.state == "refused" and found.reason.startswith(words)
    assert "/" not in found.reason.removesuffix("0/1")
    if name == "crash":
        assert found.output.startswith("secret\nTraceback") and "1 / 0" in found.output
        assert len(found.records) == 1  # the second match would say the same


def test_a_program_that_hangs_is_refused(classroom: Classroom) -> None:
    classroom.change(clock="decision=0.2")
    [ann] = enrol(classroom, "Ann")
    made = handed_in(classroom, ann, HANGING)
    reason = check_result(classroom, made, ann).reason
    assert reason == "OUT_OF_TIME: the decision clock of 0.2 s ran out"


def test_source_and_output_are_for_the_owner_and_instructors(classroom: Classroom) -> None:
    ann, bob = enrol(classroom, "Ann", "Bob")
    made = handed_in(classroom, ann, LAST)
    for viewer in (ann, instructor(classroom)):
        assert check_result(classroom, made, viewer).output.startswith("secret")
        assert source_files(classroom, made, viewer)
    for other in (bob, None):
        for read in (check_result, source_files):
            with pytest.raises(Refused, match="only its owner"):
                read(classroom, made, other)
    with pytest.raises(Refused, match="only its owner"):
        withdraw(classroom, made, bob)
    withdraw(classroom, made, ann)
    assert [one.name for one in playing_programs(classroom)] == ["random"]


def test_quotas_hold_for_each_person(classroom: Classroom) -> None:
    ann, bob = enrol(classroom, "Ann", "Bob")
    for _ in range(2):
        hand_in(classroom, ann, "mine.py", FIRST.encode())
    with pytest.raises(Refused, match="2 hand-ins of yours wait to be checked; hand in after"):
        hand_in(classroom, ann, "mine.py", FIRST.encode())
    classroom.change(waiting=9, daily=2)
    with pytest.raises(Refused, match="at most 2 hand-ins within a day"):
        hand_in(classroom, ann, "mine.py", FIRST.encode())
    assert hand_in(classroom, bob, "mine.py", FIRST.encode()).name == "Bob #1"
    assert len(programs_of(classroom, ann.id)) == 2


@pytest.mark.parametrize("when", ["2030-01-01T23:59:59Z", "2030-01-01T00:00:00Z"])
def test_a_time_is_read_as_it_is_shown(when: str) -> None:
    assert read_time(plain_time(when)) == when
    assert read_time(time_text(when)) == f"{when[:16]}:00Z"


def test_after_the_deadline_only_an_extension_helps(classroom: Classroom) -> None:
    ann, bob = enrol(classroom, "Ann", "Bob")
    classroom.change(deadline="2020-01-01T12:00+01:00")
    with pytest.raises(Refused, match="the deadline was 2020-01-01 11:00 UTC"):
        hand_in(classroom, ann, "mine.py", FIRST.encode())
    set_extension(classroom, bob.id, "2999-01-01")
    hand_in(classroom, person_named(classroom, "Bob"), "mine.py", FIRST.encode())


def test_programs_of_who_is_locked_out_do_not_play(classroom: Classroom) -> None:
    [ann] = enrol(classroom, "Ann")
    for source in (FIRST, LAST):
        handed_in(classroom, ann, source)
    set_active(classroom, ann.id, False)
    assert [one.name for one in playing_programs(classroom)] == ["random"]
    set_active(classroom, ann.id, True)
    assert [one.name for one in playing_programs(classroom)] == ["Ann #2", "random"]


def test_guests_only_watch(classroom: Classroom) -> None:
    [(guest, _)] = add_people(classroom, [NewPerson("Guest", GUEST)])
    with pytest.raises(Refused, match="guests only watch"):
        hand_in(classroom, guest, "mine.py", FIRST.encode())


def test_a_class_is_opened_again_with_what_was_set(tmp_path: Path) -> None:
    made = small_class(tmp_path, files=7)
    assert open_class(tmp_path / "ai").settings == made.settings
    assert open_class(made.url).seed == 1
    for place in ("ai", "ai/class.toml"):  # nobody else of this machine may read them
        assert (tmp_path / place).stat().st_mode & 0o077 == 0


def test_settings_that_are_wrong_change_nothing(classroom: Classroom) -> None:
    for changes, words in (
        ({"game": "trap"}, "game stays as it is"),
        ({"house": ["easyy"]}, "no agent 'easyy'"),
        ({"house": ["./mine.py"]}, "expected a built-in one"),
        ({"deadline": "soon"}, "'soon': expected a time"),
        ({"daily": 0}, "daily is 0: expected"),
        ({"clock": "turns=1"}, "no clock 'turns'"),
        ({"colour": 1}, "no key 'colour'"),
    ):
        with pytest.raises(ValueError, match=words):
            classroom.change(**changes)
    assert classroom.settings == open_class(classroom.url).settings


def test_what_is_no_class_is_said(tmp_path: Path, classroom: Classroom) -> None:
    with pytest.raises(ValueError, match="is no folder of a class"):
        open_class(tmp_path)
    with pytest.raises(ValueError, match="has a class already"):
        small_class(tmp_path)
    with pytest.raises(ValueError, match="there is a class in this database"):
        new_class(tmp_path / "other", "nuts", {}, url=classroom.url)
    with pytest.raises(ValueError, match="a class is for games of 2 seats, not 3"):
        new_class(tmp_path / "three", "aeroplane", {"seats": "3"})
