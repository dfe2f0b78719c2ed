"""The page of the REST API, generated from its OpenAPI description, without external assets."""

import html
import json
import re
from collections.abc import Callable
from typing import Any

from fastapi import Request
from nicegui import ui

from ludex.web import PORT
from ludex.web.parts import layout
from ludex.web.parts.html_table import html_table

EXAMPLE = """\
curl -s HERE/api/games/nuts/state
curl -s 'HERE/api/games/nuts/best?agent=hard&position=7+0'
curl -s HERE/api/matches -H 'Content-Type: application/json' \\
     -d '{"game": "nuts", "agents": ["human", "easy"]}'
curl -s HERE/api/matches/MATCH/moves -H 'Content-Type: application/json' \\
     -d '{"key": "KEY", "move": "take 2", "wait": 5}'"""
MATCH_WORDS = "The third answer has the match's name (MATCH) and the key of the seat (KEY)."
BEARER = "-H 'Authorization: Bearer ACCESS-KEY'"
ACCESS_WORDS = (
    "This server has an access key: send it with every request, in the header `Authorization`, in"
    " place of `ACCESS-KEY`. It is in the address that `ludex serve` printed, after `?access=`."
)
HOST_HEADER = re.compile(r"[\w.:\[\]-]{1,200}")


def register(description: Callable[[], dict[str, Any]], with_key: bool) -> None:
    """Register the page for an OpenAPI description of a server with or without an access key."""

    @ui.page("/docs")
    def docs(request: Request) -> None:
        spec = description()
        host = request.headers.get("host", "")
        here = host if HOST_HEADER.fullmatch(host) else f"localhost:{PORT}"
        with layout.frame("REST API"):
            layout.heading("REST API")
            layout.lead(
                "Games, positions and matches as JSON over HTTP, for programs in any language."
            )
            with layout.sheet().style("margin-top: 1.2rem"):
                layout.heading("By example", 2)
                if with_key:
                    ui.html(prose(ACCESS_WORDS), sanitize=False)
                example = html.escape(example_text(here, with_key))
                ui.html(f"<pre>{example}</pre>", sanitize=False).classes("lx-mono lx-wide").props(
                    'tabindex=0 role=region aria-label="Example"'
                )
                layout.note(MATCH_WORDS)
                ui.link("OpenAPI description", "/openapi.json")
            for path, methods in spec["paths"].items():
                for method, one in methods.items():
                    endpoint(path, method, one, spec.get("components", {}).get("schemas", {}))


def example_text(here: str, with_key: bool) -> str:
    """Return the commands for a server at an address, with a header for its access key."""
    text = EXAMPLE.replace("HERE", here)
    return text.replace("curl -s", f"curl -s {BEARER} \\\n    ") if with_key else text


def endpoint(path: str, method: str, spec: dict[str, Any], schemas: dict[str, Any]) -> None:
    """Add an endpoint with its parameters."""
    with layout.sheet():
        name = code(f"{method.upper()} {path}")
        ui.html(name, sanitize=False, tag="h2").classes("lx-mono")
        ui.html(prose(spec.get("description", spec.get("summary", ""))), sanitize=False)
        rows = [
            (one["name"], one["schema"], one.get("description", ""), one.get("required", False))
            for one in spec.get("parameters", [])
        ]
        content = spec.get("requestBody", {}).get("content", {}).get("application/json", {})
        if content:
            body = schemas[str(content["schema"]["$ref"]).rpartition("/")[2]]
            words = f"A JSON object. {body.get('description', '')}"
            ui.html(prose(words), sanitize=False).classes("lx-soft lx-small")
            rows += [
                (name, one, one.get("description", ""), name in body.get("required", ()))
                for name, one in body["properties"].items()
            ]
        if rows:
            table = [
                (code(name), html.escape(kind(schema, needed)), prose(words))
                for name, schema, words, needed in rows
            ]
            shown = html_table(("parameter", "type", "meaning"), table)
            ui.html(shown, sanitize=False).classes("lx-scroll")


def code(text: str) -> str:
    """Return a text as code in HTML."""
    return f"<code>{html.escape(text)}</code>"


def prose(words: str) -> str:
    """Return text as HTML, with backticked parts as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words))


def kind(schema: dict[str, Any], needed: bool = False) -> str:
    """Describe the type of a value and its default."""
    kinds = [one.get("type", "value") for one in schema.get("anyOf", [schema])]
    words = " or ".join(str(one) for one in kinds)
    if needed:
        return f"{words}, required"
    usual = schema.get("default")
    shown = "empty" if usual in ("", [], {}) else json.dumps(usual)
    return words if usual is None else f"{words}, {shown} by default"
