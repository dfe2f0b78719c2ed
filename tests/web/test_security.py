"""Who may talk to the server: foreign hosts and origins, frames, and the access key."""

import asyncio
import logging
from typing import Any

import httpx
import pytest
from fastapi import FastAPI, Request, WebSocket

from ludex.web.addresses import (
    LOCAL_LINK,
    NO_NETWORK,
    addresses,
    check_host_name,
    hosts_for_others,
    link_for_others,
    welcome,
)
from ludex.web.pages.docs import example_text
from ludex.web.rest.security import Security
from ludex.web.state.access import Access, is_on_server

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
        app.get("/api/games")(lambda: "games")

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


@pytest.mark.parametrize("name", ["lab", "Lab-2.example.org", "my_pc.local", "10.1.2.3", "::2"])
def test_host_names_and_addresses_can_be_names_of_a_server(name: str) -> None:
    check_host_name(name)


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
    asked = client.get(params=query, follow_redirects=True)
    assert asked.status_code == 401
    assert asked.url == f"{HOME}/watch", "a wrong key does not stay in the address"
    assert 'type="password"' in asked.text
    assert KEY not in asked.text
    client.cookies = httpx.Cookies({} if given is None else {"ludex-8642": given})
    assert client.post(params=query).json() == {
        "error": "this server needs its access key; send it in the header Authorization: Bearer KEY"
        if given is None
        else "wrong access key"
    }
    title = "A key is needed" if given is None else "Wrong key"
    assert f"<h1>{title}</h1>" in asked.text
    bearer = {"authorization": f"Bearer {given or ''}"}
    assert client.get(headers=bearer).status_code == 401
    refused = Visitor(KEY).post(headers=bearer)
    assert (refused.status_code, refused.json()) == (401, {"error": "wrong access key"})
    assert not client.opens_socket()


def test_the_key_in_an_address_becomes_a_cookie() -> None:
    client = Visitor(KEY)
    came = client.get(params={"match": "7 1", "access": KEY})
    assert came.status_code == 303
    assert came.headers["location"] == "/watch?match=7+1"
    assert {"HttpOnly", "SameSite=lax"} <= set(came.headers["set-cookie"].split("; "))
    assert client.get().status_code == 200
    assert client.opens_socket()


def test_spaces_around_a_pasted_key_do_not_matter() -> None:
    client = Visitor(KEY)
    came = client.get(params={"access": f" {KEY}\t"}, follow_redirects=True)
    assert (came.status_code, str(came.url)) == (200, f"{HOME}/watch")
    assert Visitor(KEY).get("/api/games", params={"access": f"{KEY} "}).status_code == 200


def test_a_browser_with_the_key_of_an_earlier_server_is_told_that_it_changed() -> None:
    client = Visitor(KEY)
    client.cookies.set("ludex-8642", "the key of an earlier server")
    asked = client.get()
    assert asked.status_code == 401
    assert "the key of the server has changed" in asked.text
    assert client.get(params={"access": KEY}, follow_redirects=True).status_code == 200


def test_a_wrong_key_in_an_address_does_not_shut_out_a_browser_that_has_the_right_one() -> None:
    client = Visitor(KEY)
    client.get(params={"access": KEY})
    assert client.get(params={"access": "wrong"}).status_code == 200
    assert client.get().status_code == 200


def test_the_form_for_the_key_keeps_the_rest_of_the_address() -> None:
    asked = Visitor(KEY).get(
        params={"match": '"><script>', "access": "not-it"}, follow_redirects=True
    )
    assert 'name="match" value="&quot;&gt;&lt;script&gt;"' in asked.text
    assert "not-it" not in asked.text


def test_programs_send_the_key_as_a_bearer_token() -> None:
    client = Visitor(KEY)
    bearer = {"authorization": f"Bearer {KEY}"}
    assert client.post(headers=bearer).status_code == 200
    assert not client.cookies


def test_the_key_in_an_address_of_the_rest_api_is_answered_at_once() -> None:
    answer = Visitor(KEY).get("/api/games", params={"access": KEY})
    assert (answer.status_code, answer.json()) == (200, "games")


@pytest.mark.parametrize(
    ("peer", "host", "on_server"),
    [
        ("127.0.0.1", HOST, True),
        ("::1", "[::1]:8642", True),
        ("::ffff:127.0.0.1", "localhost", True),
        ("10.1.2.3", HOST, False),
        ("127.0.0.1", "lab.example", False),
    ],
)
def test_a_browser_on_the_server_is_told_from_guests_and_proxies(
    peer: str, host: str, on_server: bool
) -> None:
    assert is_on_server(request(host, peer)) == on_server
    assert not is_on_server(None)


def request(host: str, peer: str = "127.0.0.1") -> Request:
    """Return a request to a host."""
    scope = {"type": "http", "method": "GET", "scheme": "http", "path": "/", "query_string": b""}
    return Request(scope | {"client": (peer, 5), "headers": [(b"host", host.encode())]})


@pytest.mark.parametrize(
    ("host", "base", "names", "link", "warning"),
    [
        ("0.0.0.0", HOST, (), "http://10.1.2.3:8642/match/7", ""),
        ("0.0.0.0", HOST, ("lab.example",), "http://lab.example:8642/match/7", ""),
        ("10.9.9.9", "localhost:8642", (), "http://10.9.9.9:8642/match/7", ""),
        ("0.0.0.0", "10.4.4.4:8642", ("lab.example",), "http://10.4.4.4:8642/match/7", ""),
        ("127.0.0.1", HOST, (), f"{HOME}/match/7", LOCAL_LINK),
        ("127.0.0.1", "lab.example", ("lab.example",), "http://lab.example/match/7", ""),
    ],
)
def test_a_link_for_others_has_an_address_that_they_can_open(
    host: str,
    base: str,
    names: tuple[str, ...],
    link: str,
    warning: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ludex.web.addresses.own_addresses", lambda: ["10.1.2.3"])
    access = Access.at(host, KEY, names, *hosts_for_others(host, names))
    assert link_for_others(request(base), "/match/7", access) == (link, warning)


def test_a_link_for_others_says_that_there_is_no_network() -> None:
    access = Access.at("0.0.0.0", KEY, ())
    assert link_for_others(request(HOST), "/match/7", access) == (f"{HOME}/match/7", NO_NETWORK)


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
    text = welcome("0.0.0.0", addresses("0.0.0.0", 8642, KEY, ["lab.example", "::2"]), KEY)
    assert "everyone with the key" in text
    assert f"http://127.0.0.1:8642/?access={KEY}" in text
    assert f"http://lab.example:8642/?access={KEY}" in text
    assert f"http://[::2]:8642/?access={KEY}" in text
    assert "0.0.0.0" not in text
    assert "EVERYONE" in welcome("0.0.0.0", addresses("0.0.0.0", 8642, "", []), "")
    local = welcome("127.0.0.1", addresses("127.0.0.1", 1, "", ["lab.example"]), "")
    assert local.startswith("Ludex is at http://127.0.0.1:1/ and http://lab.example:1/ ")


@pytest.mark.parametrize("with_key", [False, True])
def test_the_examples_for_programs_send_the_access_key_where_there_is_one(with_key: bool) -> None:
    text = example_text(HOST, with_key)
    assert text.count("curl -s") == 4
    assert text.count("-H 'Authorization: Bearer ACCESS-KEY'") == (4 if with_key else 0)
