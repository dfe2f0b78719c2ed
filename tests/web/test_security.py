"""Who may talk to the server: foreign hosts and origins, frames, and the access key."""

import asyncio
import logging
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, WebSocket

from ludex.web.addresses import addresses, welcome
from ludex.web.rest.security import Security
from ludex.web.state.access import Access

pytestmark = pytest.mark.plain
KEY = "a key of some length"
HOST = "127.0.0.1:8642"
HOME = f"http://{HOST}"


class Visitor:
    """Somebody before a server with a page, a REST address and a websocket; keeps cookies."""

    def __init__(self, key: str = "", names: tuple[str, ...] = ()) -> None:
        app = FastAPI()
        app.get("/watch")(lambda: "page")
        app.post("/api/matches")(lambda: "match")

        @app.websocket("/socket")
        async def socket(websocket: WebSocket) -> None:
            await websocket.accept()

        app.add_middleware(Security, access=Access.at("127.0.0.1", key, names))
        self.app, self.cookies = app, httpx.Cookies()

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, cookies=self.cookies) as client:
                answer = await client.request(method, f"{HOME}{path}", **more)
                self.cookies = client.cookies
                return answer

        return asyncio.run(ask())

    def get(self, path: str = "/watch", **more: Any) -> httpx.Response:
        return self.ask("GET", path, **more)

    def post(self, **more: Any) -> httpx.Response:
        return self.ask("POST", "/api/matches", **more)

    def opens_socket(self, **headers: str) -> bool:
        """Return whether a websocket is accepted."""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent: list[Any] = []
        scope = {
            "type": "websocket",
            "path": "/socket",
            "query_string": b"",
            "headers": [
                (name.encode(), value.encode())
                for name, value in {"host": HOST, "cookie": cookies, **headers}.items()
            ],
        }

        async def receive() -> dict[str, str]:
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            sent.append(message["type"])

        asyncio.run(self.app(scope, receive, send))
        return bool(sent[0] == "websocket.accept")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example:8642", "a[b", ""])
def test_a_foreign_host_reaches_neither_pages_nor_rest_nor_websocket(host: str) -> None:
    client = Visitor()
    assert client.get(headers={"host": host}).status_code == 421
    refused = client.post(headers={"host": host})
    assert refused.status_code == 421
    assert "--name" in refused.json()["error"]
    assert not client.opens_socket(host=host)


@pytest.mark.parametrize("host", ["localhost:8642", "127.0.0.1:8642", "[::1]:8642", "10.1.2.3"])
def test_addresses_and_own_names_are_served(host: str) -> None:
    client = Visitor()
    assert client.get(headers={"host": host}).status_code == 200
    assert client.opens_socket(host=host)


def test_a_name_can_be_added() -> None:
    client = Visitor(names=("Lab.Example",))
    assert client.get(headers={"host": "lab.example"}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:9999", "null", "http://["]
)
def test_a_foreign_origin_reaches_neither_pages_nor_rest_nor_websocket(origin: str) -> None:
    client = Visitor()
    assert client.get(headers={"origin": origin}).status_code == 403
    assert client.post(headers={"origin": origin}).status_code == 403
    assert not client.opens_socket(origin=origin)


def test_the_own_origin_is_served() -> None:
    client = Visitor()
    assert client.post(headers={"origin": HOME}).status_code == 200
    assert client.opens_socket(origin=HOME)


def test_no_answer_can_be_framed() -> None:
    client = Visitor(KEY)
    for answer in (client.get(), Visitor().get(), Visitor().get("/nowhere")):
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["content-security-policy"] == "frame-ancestors 'none'"


@pytest.mark.parametrize("given", [None, "wrong", "", KEY[:-1]])
def test_without_the_key_nothing_is_reached(given: str | None) -> None:
    client = Visitor(KEY)
    query = {} if given is None else {"access": given}
    asked = client.get(params=query)
    assert asked.status_code == 401
    assert 'type="password"' in asked.text
    assert KEY not in asked.text
    client.cookies.set("ludex-8642", given or "")
    assert client.post(params=query).json() == {
        "error": "this server needs its access key"
        if given is None
        else "that is not the access key of this server"
    }
    bearer = {"authorization": f"Bearer {given or ''}"}
    assert client.get(headers=bearer).status_code == 401
    assert not client.opens_socket()


def test_the_key_in_an_address_becomes_a_cookie() -> None:
    client = Visitor(KEY)
    came = client.get(params={"match": "7 1", "access": KEY})
    assert came.status_code == 303
    assert came.headers["location"] == "/watch?match=7+1"
    assert {"HttpOnly", "SameSite=lax"} <= set(came.headers["set-cookie"].split("; "))
    assert client.get().status_code == 200
    assert client.opens_socket()


def test_the_form_for_the_key_keeps_the_rest_of_the_address() -> None:
    asked = Visitor(KEY).get(params={"match": '"><script>', "access": "wrong"})
    assert 'name="match" value="&quot;&gt;&lt;script&gt;"' in asked.text
    assert "wrong" not in asked.text


def test_programs_send_the_key_as_a_bearer_token() -> None:
    client = Visitor(KEY)
    bearer = {"authorization": f"Bearer {KEY}"}
    assert client.post(headers=bearer).status_code == 200
    assert not client.cookies


def test_a_redirect_never_leads_to_another_site() -> None:
    came = Visitor(KEY).get(f"//evil.example/?access={KEY}")
    assert came.headers["location"].startswith("/evil.example")


def test_the_key_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    client = Visitor(KEY)
    with caplog.at_level(logging.DEBUG):
        for query in ({"access": KEY}, {"access": KEY + "x"}, {}):
            client.get(params=query)
        client.opens_socket()
    ours = [record for record in caplog.records if not record.name.startswith("httpx")]
    assert [one for one in ours if KEY in one.getMessage()] == []


def test_a_server_beyond_this_machine_says_who_can_come_in() -> None:
    text = welcome("0.0.0.0", addresses("0.0.0.0", 8642, KEY), KEY)
    assert "everyone with the key" in text
    assert f"http://127.0.0.1:8642/?access={KEY}" in text
    assert "0.0.0.0" not in text
    assert "EVERYONE" in welcome("0.0.0.0", addresses("0.0.0.0", 8642), "")
    assert welcome("127.0.0.1", addresses("127.0.0.1", 1), "").startswith("Ludex is at http://127")
