"""The board of the droids program in a browser: one page with a picture and key handling."""

import http.server
import json
import secrets
import threading
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ludex.courses.droids import Show, round_text
from ludex.io.template import render_template

PAGE = Path(__file__).with_name("droids_page.html")
BUTTONS = (("w", "up"), ("s", "down"), ("a", "left"), ("d", "right"), (" ", "space"))


def page_html(show: Show) -> str:
    """Return the page, with buttons for devices without a keyboard."""
    keys = [key for key, _ in BUTTONS] + [f"arrow{way}" for _, way in BUTTONS[:4]]
    return render_template(PAGE, keys=keys, buttons=BUTTONS if show.people else BUTTONS[-1:])


def page_state(show: Show) -> dict[str, str]:
    """Return the contents of the page as JSON."""
    return {
        "picture": show.match.svg(),
        "words": show.words or round_text(show),
        "help": show.help(),
        "position": show.match.position,
    }


class DroidsServer(http.server.ThreadingHTTPServer):
    """A local server of the page, at a secret address."""

    daemon_threads = True

    def __init__(self, show: Show, port: int = 0) -> None:
        self.show, self.key = show, secrets.token_urlsafe(9)
        self.turns = threading.Lock()
        super().__init__(("127.0.0.1", port), RequestHandler)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"http://127.0.0.1:{self.server_address[1]}/{self.key}/"


class RequestHandler(http.server.BaseHTTPRequestHandler):
    """Answers one request."""

    server: DroidsServer

    def do_GET(self) -> None:
        """Send the page."""
        if self.path == f"/{self.server.key}/":
            self.reply("text/html; charset=utf-8", page_html(self.server.show))
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """Press a key, and send the new contents."""
        start = f"/{self.server.key}/press/"
        if not self.path.startswith(start):
            self.send_error(404)
            return
        with self.server.turns:
            key = unquote(self.path.removeprefix(start))[:20]
            heard = self.server.show.press(key) if key else ""
            now = page_state(self.server.show)
            self.reply("application/json", json.dumps(now | ({"words": heard} if heard else {})))

    def reply(self, kind: str, text: str) -> None:
        """Send a text."""
        data = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Log no requests."""
