"""`ludex class`, as an instructor and a student use it."""

import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from ludex.classroom import client
from ludex.classroom.classroom import open_class
from ludex.classroom.people import person_named, person_of_token
from ludex.classroom.programs import check_result, find_program
from ludex.cli.classroom import show_program
from tests.classrooms import CHANCY, CRASHING, LAST
from tests.commands import facts, refused, run

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, source in {"ann": CHANCY, "bob": LAST, "cy": CRASHING}.items():
        (tmp_path / f"{name}.py").write_text(source)
    return tmp_path


def new(*more: str) -> None:
    words = "class new ai --game nuts --rule nuts=11 --house random --matches 4 --seed 1"
    result = run(*words.split(), *more)
    assert result.exit_code == 0, result.output


def test_a_class_from_the_first_command_to_the_final(place: Path) -> None:
    new()
    (place / "students.csv").write_text("name,reference\nAnn,12\nBob,13\nCy,14\n")
    words = "class people ai --csv students.csv --out links.csv --address https://lab.example"
    assert "https" not in run(*words.split()).stdout  # links are in the file alone
    links = (place / "links.csv").read_text().splitlines()
    assert (place / "links.csv").stat().st_mode & 0o077 == 0
    token = links[1].rpartition("#")[2]
    ann = person_of_token(open_class("ai"), token)
    assert ann is not None and ann.name == "Ann"
    made = facts("class", "submit", "ai", "ann.py", "--token", token)
    assert (made["name"], made["state"]) == ("Ann #1", "waiting")
    for name in ("bob", "cy"):
        assert run("class", "submit", "ai", f"{name}.py", "--as", name.title()).exit_code == 0
    assert facts("class", "status", "ai")["waiting"] == 3
    assert "jobs done" in run("class", "work", "ai", "--until-idle").stdout
    rows = facts("class", "ladder", "ai")
    assert {row["name"] for row in rows} == {"random", "Ann #1", "Bob #1"}
    assert "random (house)" in run("class", "ladder", "ai").stdout
    known = facts("class", "program", "ai", "Bob #1")
    assert sum(one["wins"] + one["losses"] for one in known["results"]) == 4
    assert known["analysed"] >= 1 and known["worst"][0]["name"] == "blunder"
    shown = run("class", "program", "ai", "Bob #1").stdout
    assert "endings: " in shown and "instead of" in shown and "for a decision" in shown
    assert "being played" in run("class", "final", "ai", "--start", "--matches", "2").stdout
    run("class", "work", "ai", "--until-idle")
    ended = run("class", "final", "ai", "--out", "final.zip").stdout
    assert "final: 6 of 6 matches; ended" in ended and "random (house)" in ended
    again = run("class", "repeat", "final.zip", "--processes", "1")
    assert again.exit_code == 0 and "ai: final: all 6 matches as before" in again.stdout
    assert "random (house)" in again.stdout and "Ann #1 (house)" not in again.stdout
    assert run("class", "results", "ai").stdout.splitlines()[3].startswith("Cy,14,1,refused,1,")
    assert run("class", "results", "ai", "--out", "g.json").exit_code == 0
    assert json.loads((place / "g.json").read_text())["12"]["score"] >= 1.0


def test_a_final_is_cancelled_and_started_again() -> None:
    new()
    run("class", "people", "ai", "--add", "Ann")
    run("class", "submit", "ai", "ann.py", "--as", "Ann")
    run("class", "work", "ai", "--until-idle")
    words = ("class", "final", "ai", "--start", "--matches", "2")
    assert run(*words).exit_code == 0
    assert "expected one of them" in refused(*words, "--cancel")
    assert "final: 0 of 2 matches; cancelled " in run("class", "final", "ai", "--cancel").stdout
    assert "no final is being played" in refused("class", "final", "ai", "--cancel")
    again = facts(*words)
    assert (again["id"], again["cancelled"], again["ended"]) == (2, False, "")


def test_mistakes_are_counted_in_plain_english(capsys: pytest.CaptureFixture[str]) -> None:
    nothing = {"state": "valid", "playing": True, "reason": "", "results": [], "faults": {}}
    nothing |= {"decisions": 0, "worst": []}
    show_program({**nothing, "analysed": 2, "mistakes": {"blunder": 2, "slip": 1}})
    assert "2 blunders, 1 slip in 2 analysed matches" in capsys.readouterr().out


def test_what_is_wrong_is_said_in_one_line() -> None:
    new()
    run("class", "people", "ai", "--add", "Ann")
    assert "'none' is no folder of a class" in refused("class", "ladder", "none")
    assert "'x.py': there is no such file" in refused("class", "submit", "ai", "x.py")
    assert "whose program is it?" in refused("class", "submit", "ai", "ann.py")
    assert "whose program is it?" in refused("class", "submit", "ai", "ann.py", "--token", "x")
    assert "--token: expected" in refused("class", "submit", "http://127.0.0.1:1", "ann.py")
    assert "or an address with http" in refused("class", "submit", "127.0.0.1:1", "ann.py")
    assert "nobody here is called 'An'" in refused("class", "people", "ai", "--lock", "An")
    assert "'Ann' is in the class" in refused("class", "people", "ai", "--add", "Ann")
    assert "there is no program 'Ann'" in refused("class", "program", "ai", "Ann")
    assert "there is no final yet" in refused("class", "final", "ai")
    assert "ends in .csv or .json" in refused("class", "results", "ai", "--out", "x.txt")
    assert "'soon': expected a time" in refused("class", "set", "ai", "--deadline", "soon")
    assert "No such command 'paly'" in refused("class", "paly")
    assert "has a class already" in refused("class", "new", "ai", "--game", "nuts")


def test_people_are_changed_by_name() -> None:
    new()
    [ann] = facts("class", "people", "ai", "--add", "Ann [b]", "--role", "guest")
    assert ann["role"] == "guest" and "/class/enter#" in ann["link"]
    run("class", "people", "ai", "--lock", "Ann [b]")
    run("class", "people", "ai", "--extend", "Ann [b]", "2999-01-01")
    shown = run("class", "people", "ai").stdout
    assert "Ann [b]" in shown and "locked out, until 2999-01-01 23:59 UTC" in shown
    assert "the link of Ann [b]: http" in run("class", "people", "ai", "--renew", "Ann [b]").stdout
    words = ("class", "people", "ai", "--extend", "Ann [b]", "none")
    assert facts(*words)[0]["extension"] == ""
    assert facts("class", "people", "ai", "--unlock", "Ann [b]")[0]["active"]


def test_a_list_that_a_spreadsheet_has_saved_is_read_or_refused_in_words(place: Path) -> None:
    new()
    (place / "a.csv").write_text("name;role\nAnn;student\n")
    assert [one["name"] for one in facts("class", "people", "ai", "--csv", "a.csv")] == ["Ann"]
    (place / "b.csv").write_bytes("name\nJürgen\n".encode("latin-1"))
    assert "b.csv: expected UTF-8" in refused("class", "people", "ai", "--csv", "b.csv")
    (place / "c.csv").write_text("Surname\nBo\n")
    said = refused("class", "people", "ai", "--csv", "c.csv")
    assert "c.csv: columns Surname: expected name and, if you like, role, reference" in said


def test_settings_are_shown_and_changed() -> None:
    new("--deadline", "2026-12-01", "--guests")
    assert facts("class", "set", "ai")["deadline"] == "2026-12-01T23:59:59Z"
    changed = facts("class", "set", "ai", "--daily", "3", "--no-guests")
    assert (changed["daily"], changed["guests"]) == (3, False)
    shown = run("class", "set", "ai").stdout
    assert "2026-12-01 23:59 UTC" in shown
    for given in ("2026-11-30 18:00", "2026-11-30 18:00 UTC", "2026-11-30T19:00+01:00"):
        changed = facts("class", "set", "ai", "--deadline", given)
        assert changed["deadline"] == "2026-11-30T18:00:00Z"
    assert facts("class", "set", "ai", "--deadline", "none")["deadline"] == ""
    assert facts("class", "set", "ai", "--clock", "turn=2")["clock"] == "turn=2"
    assert facts("class", "set", "ai", "--clock", "game")["clock"] == ""
    assert "daily      3" in shown and "guests     no" in shown
    assert run("class", "new", "other", "--game", "nuts").exit_code == 0
    shown = run("class", "set", "other").stdout
    assert "deadline   none" in shown and "clock      that of the game" in shown


def test_a_refused_program_shows_why(place: Path) -> None:
    new()
    run("class", "people", "ai", "--add", "Cy")
    run("class", "submit", "ai", "cy.py", "--as", "Cy")
    run("class", "work", "ai", "--until-idle")
    opened = open_class("ai")
    found = check_result(opened, find_program(opened, 2), person_named(opened, "Cy"))
    assert found.reason.startswith("CRASHED: ZeroDivisionError")
    shown = run("class", "program", "ai", "Cy #1").stdout
    assert shown.startswith("was refused: CRASHED: ZeroDivisionError") and "endings" not in shown
    assert facts("class", "program", "ai", "Cy #1")["state"] == "refused"


def test_a_served_class_is_asked_with_the_token(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, str, bytes | None]] = []
    checked = "valid"

    def answer(url: str, token: str, body: bytes | None = None, headers: object = None) -> object:
        asked.append((url, token, body))
        if body:
            return {"person": "Ann", "program": 7, "name": "Ann #1", "state": "waiting"}
        return {"program": 7, "name": "Ann #1", "state": checked, "reason": "", "output": "hi\n"}

    monkeypatch.setattr(client, "ask", answer)
    monkeypatch.setattr("ludex.cli.classroom_people.WAIT", 0.0)
    monkeypatch.setenv("LUDEX_TOKEN", "key")
    shown = run("class", "submit", "https://lab.example/", "ann.py", "--wait")
    assert shown.stdout == "handed in for Ann: Ann #1 is valid and plays\nit printed:\nhi\n"
    (url, token, body), (later, _, none) = asked
    assert url == "https://lab.example/api/class/programs" and token == "key"
    assert body is not None and CHANCY.encode() in body and b'filename="ann.py"' in body
    assert later == f"{url}/7" and none is None and "key" not in url + later
    checked = "refused"
    for place_named in ("https://lab.example/class", "https://lab.example/class/enter#other"):
        shown = run("class", "submit", place_named, "ann.py", "--wait")
        assert shown.exit_code == 1 and "for Ann: Ann #1 was refused" in shown.stdout
    assert {url for url, *_ in asked[2::2]} == {url}
    assert [token for _, token, _ in asked[2::2]] == ["key", "other"]


def test_a_program_is_handed_in_for_the_owner_of_the_token_who_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    new()
    [ann, _] = facts("class", "people", "ai", "--add", "Ann", "--add", "Bob")
    monkeypatch.setenv("LUDEX_TOKEN", ann["link"].rpartition("#")[2])
    shown = run("class", "submit", "ai", "ann.py").stdout
    assert shown == "handed in for Ann: Ann #1 waits to be checked\n"
    assert facts("class", "submit", "ai", "bob.py", "--as", "Bob")["person"] == "Bob"


def test_a_server_that_does_not_answer_is_said() -> None:
    said = refused("class", "submit", "http://127.0.0.1:1", "ann.py", "--token", "key")
    assert "http://127.0.0.1:1 does not answer: Connection refused" in said and "key" not in said


def test_no_example_puts_a_token_into_the_history() -> None:
    shown = run("class", "submit", "--help").stdout
    assert "read -rs LUDEX_TOKEN" in shown and "LUDEX_TOKEN=" not in shown


@contextmanager
def answering(answer: bytes) -> Iterator[str]:
    """Yield the address of a server that answers one request with these bytes."""

    def serve() -> None:
        connection, _ = listening.accept()
        with connection:
            connection.recv(1)  # of a request
            connection.sendall(answer)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(1 << 16):  # until the client has read the answer
                pass

    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10.0)
        server = Thread(target=serve)
        server.start()
        yield "http://{}:{}".format(*listening.getsockname())
        server.join()


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (b"SSH-2.0-OpenSSH_9.7\r\n", "SSH-2.0-OpenSSH_9.7"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{", "1 bytes read, 8 more expected"),
    ],
)
def test_a_server_that_does_not_speak_http_is_said(answer: bytes, words: str) -> None:
    with answering(answer) as address:
        said = refused("class", "submit", address, "ann.py", "--token", "key")
    assert f"{address} does not answer in HTTP: " in said and words in said


def test_a_refusal_that_breaks_off_is_told_by_its_code() -> None:
    with answering(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 9\r\n\r\n{") as address:
        said = refused("class", "submit", address, "ann.py", "--token", "key")
    assert "the server answers 502 Bad Gateway" in said


def test_an_address_that_is_none_is_said() -> None:
    said = refused("class", "submit", "http://lab.example:port", "ann.py", "--token", "key")
    assert "http://lab.example:port does not answer: nonnumeric port: 'port'" in said
