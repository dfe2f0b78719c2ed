"""Programs that are handed in over HTTP: by a form, by the command line, and too large."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from ludex.classroom.client import PROGRAMS
from ludex.classroom.people import add_people
from ludex.classroom.programs import programs_of, source_files
from ludex.web.classroom.desk import Desk
from tests.browsing import serving
from tests.classrooms import CRASHING, FIRST, handed_in, small_class
from tests.classvisit import PEOPLE, STAFF, Class, ask_class, open_people

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Class]:
    made = small_class(tmp_path, kibibytes=10, files=3)
    add_people(made, PEOPLE + STAFF)
    made.close()
    opened = open_people(tmp_path / "ai")
    yield opened
    opened.classroom.close()


def bearer(own: Class) -> dict[str, str]:
    return {"Authorization": f"Bearer {own.token(own.ann)}"}


def send(own: Class, *files: tuple[str, bytes], **headers: str) -> httpx.Response:
    """Hand in files as Ann."""

    async def story(client: httpx.AsyncClient, desk: Desk) -> httpx.Response:
        given = [("file", one) for one in files]
        return await client.post(PROGRAMS, files=given, headers={**bearer(own), **headers})

    answer: httpx.Response = ask_class(story, own.classroom)
    return answer


def test_a_file_is_handed_in(own: Class) -> None:
    answer = send(own, ("mine.py", FIRST.encode()))
    assert answer.status_code == 201
    made = {"person": "Ann", "program": 2, "name": "Ann #1", "state": "waiting"}
    assert answer.json() == made


def test_a_folder_is_handed_in_without_its_caches(own: Class) -> None:
    cache = ("mine/__pycache__/agent.pyc", b"\0")
    answer = send(own, ("mine/agent.py", FIRST.encode()), ("mine/.git/config", b"x"), cache)
    assert answer.status_code == 201, answer.text
    (program,) = programs_of(own.classroom, own.ann.id)
    assert list(source_files(own.classroom, program, own.ann)) == ["agent.py"]


def test_a_folder_cannot_leave_its_place(own: Class) -> None:
    answer = send(own, ("mine/agent.py", FIRST.encode()), ("mine/../../x.py", b"x = 1"))
    assert answer.status_code == 400
    assert list(answer.json()) == ["error"]
    assert programs_of(own.classroom, own.ann.id) == []


def test_too_many_files_are_refused(own: Class) -> None:
    answer = send(own, *((f"mine/{number}.py", b"x = 1") for number in range(4)))
    assert answer.status_code == 400
    assert answer.json() == {"error": "expected a form with at most 3 files"}


def test_a_form_without_a_file_is_refused(own: Class) -> None:
    async def story(client: httpx.AsyncClient, desk: Desk) -> httpx.Response:
        return await client.post(PROGRAMS, data={"x": "1"}, headers=bearer(own))

    answer = ask_class(story, own.classroom)
    assert answer.status_code == 400
    assert answer.json() == {"error": "expected a file in the field 'file' of a form"}


def test_a_quota_is_told(own: Class) -> None:
    own.classroom.change(daily=1)
    assert send(own, ("mine.py", FIRST.encode())).status_code == 201
    answer = send(own, ("mine.py", FIRST.encode()))
    assert answer.status_code == 409
    assert "at most 1 hand-in within a day" in answer.json()["error"]


def test_the_owner_reads_why_a_program_was_refused(own: Class) -> None:
    program = handed_in(own.classroom, own.ann, CRASHING)

    async def story(client: httpx.AsyncClient, desk: Desk) -> httpx.Response:
        return await client.get(f"{PROGRAMS}/{program.id}", headers=bearer(own))

    said = ask_class(story, own.classroom).json()
    assert said["state"] == "refused"
    assert "ZeroDivisionError" in said["reason"] and "secret" in said["output"]


def test_the_command_line_hands_in_to_a_server_that_may_stand_behind_a_proxy(
    own: Class, tmp_path: Path
) -> None:
    own.classroom.close()
    file = tmp_path / "mine.py"
    file.write_text(FIRST)
    token = own.token(own.ann)
    name = "lab.example.org"
    words = ["class", "serve", str(tmp_path / "ai"), "--processes", "1", "--name", name]
    proxy = {"Host": name, "X-Forwarded-Proto": "https", "Origin": f"https://{name}"}
    with serving(tmp_path / "data", words, os.environ) as address:
        said = subprocess.run(
            [sys.executable, "-m", "ludex", "class", "submit", address, str(file), "--wait"],
            env={**os.environ, "LUDEX_TOKEN": token},
            capture_output=True,
            text=True,
        )
        entered = httpx.post(f"{address}/class/enter", json={"token": token}, headers=proxy)
    assert (said.returncode, said.stderr) == (0, "")
    assert "Ann #1" in said.stdout and "valid" in said.stdout
    assert entered.status_code == 200
    assert "secure" in entered.headers["set-cookie"].lower().split("; ")
