"""The threats of docs/class-security.md, each with what prevents it."""

import asyncio
import io
import re
import zipfile
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from nicegui import core, ui
from nicegui.testing import User
from starlette.requests import Request
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

from ludex.classroom.client import PROGRAMS
from ludex.classroom.finals import start_final
from ludex.classroom.jobs import take
from ludex.classroom.people import Person, people_of, set_active
from ludex.classroom.programs import programs_of
from ludex.io.keys import Refused
from ludex.web.classroom.app import PAGES, make_outer
from ludex.web.classroom.desk import Desk
from ludex.web.classroom.downloads import make_downloads
from ludex.web.classroom.entry import make_entry
from ludex.web.classroom.gate import Visitor
from ludex.web.classroom.page_owners import bound, bound_connect
from ludex.web.classroom.rest import make_rest
from ludex.web.classroom.rights import HAND_IN, INSTRUCT, WATCH, right_for
from ludex.web.classroom.visit import Visit
from tests.classrooms import FIRST
from tests.classvisit import (
    COOKIE,
    HOME,
    HOST,
    NASTY,
    Class,
    ask,
    ask_class,
    cookies,
    copy_class,
    log_in,
    make_played,
    visit_class,
)
from tests.webvisit import until

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]
FOREIGN = {"Origin": "https://evil.example"}
STUDENT_PAGES = ["/class", "/class/program/2", "/class/matches", "/class/final"]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_played(tmp_path_factory.mktemp("played"))


@pytest.fixture
def own(played: Path, tmp_path: Path) -> Iterator[Class]:
    made = copy_class(played, tmp_path)
    yield made
    made.classroom.close()


# Other sites. -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/class/enter", "/class/leave", PROGRAMS])
def test_another_site_can_send_nothing(own: Class, path: str) -> None:
    answer = ask(own, "POST", path, own.ann, headers=FOREIGN)
    assert (answer.status_code, list(answer.json())) == (403, ["error"])
    assert programs_of(own.classroom, own.ann.id)[0].number == 2


def test_another_name_of_the_server_is_refused(own: Class) -> None:
    assert ask(own, "GET", "/class/enter", headers={"Host": "evil.example"}).status_code == 421


def test_no_site_can_frame_a_class_nor_is_anything_sent_elsewhere(own: Class) -> None:
    headers = ask(own, "GET", "/class/enter").headers
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"


def test_the_cookie_is_for_this_site_alone_and_for_no_script(own: Class) -> None:
    cookie = ask(own, "POST", "/class/enter", json={"token": own.token(own.ann)})
    words = cookie.headers["set-cookie"].lower().split("; ")
    assert {"httponly", "samesite=strict"} <= set(words)
    assert "secure" not in words


def test_behind_tls_the_cookie_is_never_sent_in_the_clear(own: Class) -> None:
    async def story(client: httpx.AsyncClient, desk: Desk) -> httpx.Response:
        client.base_url = httpx.URL(f"https://{HOST}")
        return await client.post("/class/enter", json={"token": own.token(own.ann)})

    answer = ask_class(story, own.classroom)
    assert "secure" in answer.headers["set-cookie"].lower().split("; ")


# Websockets. ------------------------------------------------------------------------------------


class Socket:
    """A websocket to the server of a class, whose application hears its messages."""

    def __init__(self, own: Class, headers: dict[str, str]) -> None:
        self.desk = Desk(own.classroom)
        self.sent: list[str] = []
        self.heard: list[str] = []
        self.waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.headers = {"host": HOST, **headers}

    async def hear(self, websocket: WebSocket) -> None:
        await websocket.accept()
        async for text in websocket.iter_text():
            self.heard.append(text)

    async def send(self, message: Any) -> None:
        self.sent.append(message["type"])

    async def run(self) -> None:
        path, outer = "/_nicegui_ws/socket.io/", make_outer(self.desk, (HOST,))
        outer.router.routes.append(WebSocketRoute(path, self.hear))
        headers = [(name.encode(), text.encode()) for name, text in self.headers.items()]
        scope = {"type": "websocket", "scheme": "ws", "path": path, "query_string": b""}
        await outer({**scope, "headers": headers}, self.waiting.get, self.send)


def talk(own: Class, headers: dict[str, str], *acts: Callable[[Desk], None]) -> Socket:
    """Open a websocket, and send a message after each act, which is heard before the next."""

    async def run() -> Socket:
        socket = Socket(own, headers)
        running = asyncio.create_task(socket.run())
        socket.waiting.put_nowait({"type": "websocket.connect"})
        for number, act in enumerate(acts):
            act(socket.desk)
            socket.waiting.put_nowait({"type": "websocket.receive", "text": str(number)})
            await until(lambda: len(socket.heard) > number or "websocket.close" in socket.sent)  # noqa: B023
        socket.waiting.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await running
        return socket

    return asyncio.run(run())


def cookie_of(own: Class, person: Person) -> dict[str, str]:
    return {"cookie": f"{COOKIE}={cookies(own, person)[COOKIE]}"}


def test_a_websocket_needs_the_origin_of_the_class(own: Class) -> None:
    mine = cookie_of(own, own.ann)
    assert talk(own, {**mine, "origin": HOME}).sent == ["websocket.accept"]
    assert talk(own, {**mine, "origin": "https://evil.example"}).sent == ["websocket.close"]


def test_a_websocket_needs_a_session(own: Class) -> None:
    assert talk(own, {"origin": HOME}).sent == ["websocket.close"]
    assert talk(own, {"cookie": f"{COOKIE}=guessed"}).sent == ["websocket.close"]


def test_a_message_after_a_lock_out_closes_the_websocket(own: Class) -> None:
    def lock(desk: Desk) -> None:
        set_active(own.classroom, own.ann.id, False)
        desk.forget_people()

    socket = talk(own, cookie_of(own, own.ann), lambda desk: None, lock)
    assert socket.heard == ["0"]
    assert socket.sent == ["websocket.accept", "websocket.close"]


def test_nobody_presses_the_buttons_of_a_page_of_another_session(
    own: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    pressed: list[Any] = []

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        page = await user.open("/class/people")
        key = user.http_client.cookies[COOKIE]

        async def press(*given: Any) -> None:
            pressed.append(given[0])

        for sid, cookie in (("ann", cookies(own, own.ann)[COOKIE]), ("ada", key)):
            cookie_line = f"{COOKIE}={cookie}".encode()
            scope = {
                **page.request.scope,
                "headers": [(b"host", b"test"), (b"cookie", cookie_line)],
            }
            environ = {"asgi.scope": scope, "QUERY_STRING": f"client_id={page.id}"}
            monkeypatch.setattr(core.sio, "get_environ", lambda sid, found=environ: found)
            await bound(press)(sid, {"client_id": page.id})
            await bound_connect(press)(sid, environ)

    visit_class(story, own.classroom)
    assert pressed == ["ada", "ada"]


def test_nobody_uploads_to_a_page_of_another_session(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        (upload,) = user.find(ui.upload).elements
        for person, status in ((own.ann, 403), (own.ada, 403)):  # a new session is another one
            await log_in(user, own.token(person))
            files = {"file": ("people.csv", b"name,role\nMallory,instructor\n")}
            answer = await user.http_client.post(upload.props["url"], files=files)
            assert answer.status_code == status
        assert len(people_of(own.classroom)) == 4

    visit_class(story, own.classroom)


def test_an_upload_to_ones_own_page_arrives(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        await user.open("/class/people")
        (upload,) = user.find(ui.upload).elements
        files = {"file": ("people.csv", b"name\nZoe\nYan\n")}
        answer = await user.http_client.post(upload.props["url"], files=files)
        assert answer.status_code == 200
        await user.should_see("2 new links")

    visit_class(story, own.classroom)


# Rights. ----------------------------------------------------------------------------------------


def test_every_page_is_as_closed_as_its_address(own: Class) -> None:
    assert {path: right for path, (right, _) in PAGES.items()} == {
        path: right_for(path) for path in PAGES
    }
    known = {"/class/enter", "/class/enter/known", "/class/leave"}
    desk = Desk(own.classroom)
    routers = (make_entry(desk), make_rest(desk), make_downloads(desk))
    paths = {getattr(one, "path", "") for router in routers for one in router.routes}
    assert {path for path in paths if not right_for(path)} == known


@pytest.mark.parametrize("path", [*PAGES, PROGRAMS, "/", "/watch", "/docs", "/openapi.json"])
def test_a_stranger_gets_nothing(own: Class, path: str) -> None:
    answer = ask(own, "GET", path)
    assert answer.status_code in (303, 401)
    assert answer.headers.get("location", "/class/enter") == "/class/enter"
    assert "Ann" not in answer.text


@pytest.mark.parametrize(
    "path", ["/class/people", "/class/files/class.csv", "/class/files/gradescope.json"]
)
def test_a_student_gets_nothing_of_an_instructor(own: Class, path: str) -> None:
    answer = ask(own, "GET", path, own.ann)
    assert answer.status_code == 403
    assert "4712" not in answer.text


def test_an_instructor_downloads_tables_and_the_final(own: Class) -> None:
    assert "4712" in ask(own, "GET", "/class/files/class.csv", own.ada).text
    assert "4712" in ask(own, "GET", "/class/files/gradescope.json", own.ada).json()
    bundle = ask(own, "GET", "/class/files/final/1", own.ada)
    assert zipfile.ZipFile(io.BytesIO(bundle.content)).testzip() is None
    assert ask(own, "GET", "/class/files/final/1", own.ann).status_code == 403


def test_a_guest_hands_in_nothing(own: Class) -> None:
    answer = ask(own, "POST", PROGRAMS, own.gus, files={"file": ("mine.py", FIRST)})
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("right", "words"),
    [(HAND_IN, "students and instructors"), (INSTRUCT, "instructors only"), (WATCH, "may watch")],
)
def test_an_act_on_an_open_page_needs_the_right_at_that_moment(
    own: Class, right: str, words: str
) -> None:
    async def story(client: httpx.AsyncClient, desk: Desk) -> None:
        line = f"{COOKIE}={cookies(own, own.ada)[COOKIE]}".encode()
        headers = [(b"host", HOST.encode()), (b"cookie", line)]
        scope = {"type": "http", "path": "/", "query_string": b"", "headers": headers}
        visitor = Visitor(own.ada, "")
        visit = Visit(desk, Request({**scope, "path_params": {}, "state": {"visitor": visitor}}))
        assert (await visit.act(right)).id == own.ada.id
        set_active(own.classroom, own.ada.id, False)
        desk.forget_people()
        with pytest.raises(Refused, match=words):
            await visit.act(right)

    ask_class(story, own.classroom)


# What others may not read. ----------------------------------------------------------------------


def test_nobody_reads_the_code_or_the_output_of_others(own: Class) -> None:
    private = ("ZeroDivisionError", "1 / 0", "secret")

    async def story(user: User, desk: Desk) -> None:
        for person, sees in ((own.nasty, False), (own.gus, False), (own.ann, True)):
            await log_in(user, own.token(person))
            page = (await user.http_client.get("/class/program/4")).text
            assert [word in page for word in private] == [sees] * 3
        await log_in(user, own.token(own.nasty))
        answer = await user.http_client.get(f"{PROGRAMS}/4")
        assert answer.json() == {"error": "only its owner may read that"}

    visit_class(story, own.classroom)


def test_the_output_of_a_match_is_for_its_owner(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.nasty))
        rows = (await user.http_client.get("/class/matches")).text
        address = rows.partition("/class/match/")[2].partition('"')[0].rstrip("\\")
        for person, sees in ((own.nasty, True), (own.ann, False)):
            await log_in(user, own.token(person))
            page = (await user.http_client.get(f"/class/match/{address}")).text
            assert ("secret" in page) is sees

    visit_class(story, own.classroom)


def test_names_and_output_are_never_scripts(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        for path in (*STUDENT_PAGES, "/class/people", "/class/program/3", "/class/mine"):
            await user.open(path)
            for one in user.find(ui.html).elements:
                assert NASTY not in one.content
            page = (await user.http_client.get(path)).text
            assert NASTY not in page

    visit_class(story, own.classroom)


def test_the_luck_of_a_match_that_is_played_is_on_no_page(own: Class) -> None:
    start_final(own.classroom, "Another", 2)
    with own.classroom.transaction() as connection:
        job = take(connection, "somebody")
    assert job is not None

    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        for path in (*STUDENT_PAGES, "/class/people"):
            assert str(job.seed) not in (await user.http_client.get(path)).text
        await user.open("/class/matches")
        await user.should_see("1 pair of matches")

    visit_class(story, own.classroom)


# Too much. --------------------------------------------------------------------------------------


def test_one_session_cannot_flood_the_server(own: Class) -> None:
    async def story(client: httpx.AsyncClient, desk: Desk) -> list[int]:
        desk.requests.clock = lambda: 0.0
        return [(await client.get("/class/enter/known")).status_code for _ in range(301)]

    answers = ask_class(story, own.classroom, cookies=cookies(own, own.ann))
    assert answers == [200] * 300 + [429]


def test_one_person_cannot_open_all_pages(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.gus))
        answers = [(await user.http_client.get("/class")).status_code for _ in range(61)]
        assert answers == [200] * 60 + [503]
        assert (await user.http_client.get("/class/enter")).status_code == 200
        await log_in(user, own.token(own.ann))
        await user.open("/class")

    visit_class(story, own.classroom)


def test_a_large_body_is_refused_while_it_is_read(own: Class) -> None:
    own.classroom.change(kibibytes=1)
    read = 0

    async def body() -> AsyncIterator[bytes]:
        nonlocal read
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="a.py"\r\n\r\n'
        for _ in range(10_000):
            read += 1 << 16
            yield bytes(1 << 16)

    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = ask(own, "POST", PROGRAMS, own.ann, content=body(), headers=kind)
    assert (answer.status_code, list(answer.json())) == (413, ["error"])
    assert read < 20 << 20


def test_a_zip_bomb_and_a_link_are_refused(own: Class) -> None:
    bomb, link = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("agent.py", bytes(50 << 20))
    with zipfile.ZipFile(link, "w") as packed:
        made = zipfile.ZipInfo("agent.py")
        made.external_attr = 0o120777 << 16
        packed.writestr(made, "/etc/passwd")
    for data in (bomb, link):
        files = {"file": ("x.zip", data.getvalue())}
        answer = ask(own, "POST", PROGRAMS, own.ann, files=files)
        assert (answer.status_code, list(answer.json())) == (400, ["error"])
    assert programs_of(own.classroom, own.ann.id)[0].number == 2


def test_the_lab_is_not_there(own: Class) -> None:
    async def story(user: User, desk: Desk) -> None:
        await log_in(user, own.token(own.ada))
        for path in ("/watch", "/agents", "/lab", "/api/games", "/docs", "/manual"):
            assert (await user.http_client.get(path)).status_code == 404

    visit_class(story, own.classroom)


def test_every_test_that_the_page_names_is_there() -> None:
    root = Path(__file__).parents[2]
    page = (root / "docs" / "class-security.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(test_(?!class_)\w+)`", page))
    sources = (root / "tests").rglob("test_*.py")
    known = {
        name for one in sources for name in re.findall(r"def (test_\w+)", one.read_text("utf-8"))
    }
    assert named and named <= known
