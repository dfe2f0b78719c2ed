"""People come in by tokens that nobody else can read."""

import re
from pathlib import Path

import pytest

from ludex.classroom.classroom import Classroom
from ludex.classroom.people import (
    INSTRUCTOR,
    STUDENT,
    NewPerson,
    add_people,
    link,
    people_of,
    person_named,
    person_of_token,
    read_people,
    renew_token,
    set_active,
    write_links,
)
from ludex.classroom.sessions import log_in, log_out, person_of_session
from tests.classrooms import small_class

pytestmark = pytest.mark.plain


@pytest.fixture
def classroom(tmp_path: Path) -> Classroom:
    return small_class(tmp_path)


def test_a_token_belongs_to_one_person(classroom: Classroom) -> None:
    [(ann, token), (bob, other)] = add_people(classroom, [NewPerson("Ann"), NewPerson("Bob")])
    assert person_of_token(classroom, token) == ann and person_of_token(classroom, other) == bob
    assert person_of_token(classroom, "") is None and person_of_token(classroom, token[:-1]) is None


def test_tokens_and_sessions_are_kept_as_hashes_alone(classroom: Classroom, tmp_path: Path) -> None:
    [(_, token)] = add_people(classroom, [NewPerson("Ann")])
    session = log_in(classroom, token)
    assert session is not None
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    content = b"".join(file.read_bytes() for file in files)
    assert b"Ann" in content and len(files) > 1
    assert token.encode() not in content and session[1].encode() not in content


def test_a_new_token_ends_what_the_old_one_began(classroom: Classroom) -> None:
    [(ann, token)] = add_people(classroom, [NewPerson("Ann")])
    session = log_in(classroom, token)
    assert session is not None and person_of_session(classroom, session[1]) == ann
    fresh = renew_token(classroom, ann.id)
    assert person_of_token(classroom, fresh) == ann
    assert person_of_token(classroom, token) is None
    assert person_of_session(classroom, session[1]) is None


def test_who_is_locked_out_comes_in_by_nothing(classroom: Classroom) -> None:
    [(ann, token)] = add_people(classroom, [NewPerson("Ann")])
    session = log_in(classroom, token)
    assert session is not None
    set_active(classroom, ann.id, False)
    assert person_of_token(classroom, token) is None and log_in(classroom, token) is None
    set_active(classroom, ann.id, True)
    assert person_of_session(classroom, session[1]) is None  # it has ended for good
    assert person_of_token(classroom, token) == ann


def test_logging_out_ends_one_session(classroom: Classroom) -> None:
    [(ann, token)] = add_people(classroom, [NewPerson("Ann")])
    first, second = log_in(classroom, token), log_in(classroom, token)
    assert first is not None and second is not None
    log_out(classroom, first[1])
    assert person_of_session(classroom, first[1]) is None
    assert person_of_session(classroom, second[1]) == ann


def test_an_old_session_has_ended(classroom: Classroom, monkeypatch: pytest.MonkeyPatch) -> None:
    [(_, token)] = add_people(classroom, [NewPerson("Ann")])
    monkeypatch.setattr("ludex.classroom.sessions.SECONDS", -1.0)
    session = log_in(classroom, token)
    assert session is not None and person_of_session(classroom, session[1]) is None


def test_people_are_read_from_csv_and_their_links_written(classroom: Classroom) -> None:
    text = "\N{BYTE ORDER MARK}name,reference,role\nAnn,12,\nProf. Ada,,instructor\n"
    made = add_people(classroom, read_people(text))
    assert [(one.name, one.role, one.reference) for one in people_of(classroom)] == [
        ("Ann", STUDENT, "12"),
        ("Prof. Ada", INSTRUCTOR, ""),
    ]
    lines = write_links(made, "https://lab.example/").splitlines()
    assert lines[0] == "name,role,reference,link"
    assert lines[1] == f"Ann,student,12,https://lab.example/class/enter#{made[0][1]}"


def test_a_link_sends_its_token_to_no_server() -> None:
    before, _, token = link("https://lab.example", "abc").partition("#")
    assert token == "abc" and "abc" not in before


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("student\nAnn\n", "columns student: expected name and, if you like, role, reference"),
        ("name,role\nAnn,boss\n", "role 'boss' (there are instructor, student, guest)"),
        ("name\nAnn\nAnn\n", "'Ann' is there twice"),
        ("name\n \n", "name '': expected 1 to 60 printable characters"),
        ('name\n"An\u202en"\n', "expected 1 to 60 printable characters"),
        ('name\n"Ann\n', "is not CSV"),
    ],
)
def test_people_who_cannot_be_added_leave_the_class_as_it_was(
    classroom: Classroom, text: str, words: str
) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        add_people(classroom, read_people(text))
    assert people_of(classroom) == []


def test_a_name_is_taken_once_and_the_nearest_is_offered(classroom: Classroom) -> None:
    add_people(classroom, [NewPerson("Annika")])
    with pytest.raises(ValueError, match="'Annika' is in the class already"):
        add_people(classroom, [NewPerson("Bob"), NewPerson("Annika")])
    assert [one.name for one in people_of(classroom)] == ["Annika"]
    with pytest.raises(ValueError, match="nobody here is called 'Anika'; did you mean 'Annika'"):
        person_named(classroom, "Anika")
