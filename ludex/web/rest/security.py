"""Who may talk to the server: the host, the origin and the access key of every request.

This holds for pages, the REST API and websockets alike. Nothing is answered under a name that is
not the server's (DNS rebinding), to the script of another site, or inside its frames.
"""

import ipaddress
from html import escape
from http import HTTPStatus
from urllib.parse import urlencode, urlsplit

from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from ludex.io.keys import key_matches
from ludex.web.rest.notice import notice
from ludex.web.state.access import PARAMETER, Access

FOR_PROGRAMS = ("/api/", "/health", "/openapi.json")
YEAR, MINUTE = 365 * 24 * 3600, 60
FRAMES = "frame-ancestors 'none'"
HEADERS = {
    "X-Frame-Options": "DENY",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}
STALE = "<p>The key that this browser sent is wrong, or the key of the server has changed.</p>"
FORM = f"""<p>Enter the access key. Whoever started the server can give it to you.</p>
<form>{{rest}}<input name="{PARAMETER}" type="password" aria-label="access key" autofocus>
<button>Enter</button></form>"""


class Security:
    """Middleware that refuses what comes from elsewhere, and asks for the access key."""

    def __init__(self, app: ASGIApp, access: Access, policy: str = FRAMES) -> None:
        """Guard an application; `policy` is the Content-Security-Policy of its answers."""
        self.app, self.access = app, access
        self.headers = {"Content-Security-Policy": policy, **HEADERS}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or let the application do it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self.refusal(HTTPConnection(scope))
        if refusal is not None and scope["type"] == "websocket":
            await WebSocketClose(1008)(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(self.headers)
            await send(message)

        await (refusal or self.app)(scope, receive, send_safely)

    def refusal(self, asked: HTTPConnection) -> Response | None:
        """Return why a request is not served, or None if it is."""
        host, origin = asked.headers.get("host", ""), asked.headers.get("origin")
        if not self.is_own(host):
            return refuse(asked, HTTPStatus.MISDIRECTED_REQUEST, UNKNOWN_HOST)
        # A page that was opened from a file has the origin "null", which has no host either.
        if origin is not None and origin.partition("://")[2] != host:
            return refuse(asked, HTTPStatus.FORBIDDEN, FOREIGN_ORIGIN)
        return self.ask_for_key(asked) if self.access.key else None

    def is_own(self, host: str) -> bool:
        """Return whether a Host header names this server: an address, or one of its names."""
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return name in self.access.names
        return True

    def ask_for_key(self, asked: HTTPConnection) -> Response | None:
        """Return None if the request has the key, otherwise a page that asks for it.

        A page with a key in its address redirects to the address without it and sets a cookie: the
        key, or if it is wrong an empty one, which lets the next page say so.
        """
        cookie = f"ludex-{asked.url.port or 80}"  # the ports of a host share their cookies
        kept = asked.cookies.get(cookie)
        scheme, _, bearer = asked.headers.get("authorization", "").partition(" ")
        typed = asked.query_params.get(PARAMETER)
        sent = [bearer if scheme.lower() == "bearer" else None, typed, kept]
        right = [one is not None and self.fits(one) for one in sent]
        if typed is not None and not right[0] and not is_for_program(asked):
            if right[1]:
                return without_key(asked, cookie, self.access.key, YEAR)
            if not right[2]:
                return without_key(asked, cookie, "", MINUTE)
        if any(right):  # programs may keep no cookies, nor follow redirects
            return None
        wrong = any(one is not None for one in sent)
        return refuse(asked, HTTPStatus.UNAUTHORIZED, WRONG_KEY if wrong else NO_KEY)

    def fits(self, key: str) -> bool:
        """Return whether a key opens the server; spaces around it, as copied, do not matter."""
        return any(key_matches(self.access.key, one) for one in (key, key.strip()))


UNKNOWN_HOST = "this server does not answer to that name; the option --name adds one"
FOREIGN_ORIGIN = "this server does not talk to pages of other sites"
NO_KEY = "this server needs its access key; send it in the header Authorization: Bearer KEY"
WRONG_KEY = "wrong access key"


def without_key(asked: HTTPConnection, cookie: str, value: str, seconds: int) -> Response:
    """Return a redirect to the same address without its key, which sets a cookie."""
    rest = [pair for pair in asked.query_params.multi_items() if pair[0] != PARAMETER]
    address = asked.url.path + (f"?{urlencode(rest)}" if rest else "")
    # Never "//other.site", which a browser would take for another host.
    answer = RedirectResponse("/" + address.lstrip("/"), HTTPStatus.SEE_OTHER)
    answer.set_cookie(cookie, value, seconds, httponly=True, samesite="lax")
    return answer


def is_for_program(asked: HTTPConnection) -> bool:
    """Return whether a program rather than a page expects the answer."""
    return asked.scope["path"].startswith(FOR_PROGRAMS) or asked.scope.get("method") != "GET"


def refuse(asked: HTTPConnection, status: HTTPStatus, words: str) -> Response:
    """Return a refusal: a page for people, a line of JSON for programs."""
    if is_for_program(asked):
        return JSONResponse({"error": words}, status)
    if status != HTTPStatus.UNAUTHORIZED:
        return notice("Not here", f"<p>{words[0].upper()}{words[1:]}.</p>", status)
    rest = [
        f'<input type="hidden" name="{escape(name)}" value="{escape(value)}">'
        for name, value in asked.query_params.multi_items()
        if name != PARAMETER
    ]
    title, why = ("Wrong key", STALE) if words == WRONG_KEY else ("A key is needed", "")
    return notice(title, why + FORM.format(rest="".join(rest)), status)
