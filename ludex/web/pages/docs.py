"""The page of the REST interface, made from its OpenAPI description; nothing is loaded for it."""

import html
import json
from collections.abc import Callable
from typing import Any

from nicegui import ui

from ludex.web.frame import frame, heading, lead, sheet

EXAMPLE = """\
curl -s localhost:8642/api/games/nuts/state
curl -s 'localhost:8642/api/games/nuts/best?agent=hard&position=7+0'
curl -s localhost:8642/api/matches -H 'content-type: application/json' \\
     -d '{"game": "nuts", "agents": ["human", "easy"]}'
curl -s localhost:8642/api/matches/MATCH/moves -H 'content-type: application/json' \\
     -d '{"key": "KEY", "move": "take 2", "wait": 5}'"""


def register(description: Callable[[], dict[str, Any]]) -> None:
    """Make the page of an OpenAPI description."""

    @ui.page("/docs")
    def docs() -> None:
        with frame("REST interface"):
            heading("Programs play too")
            lead("Everything here is also JSON over HTTP, for programs in any language.")
            with sheet().style("margin-top: 1.2rem"):
                heading("By example", 2)
                ui.html(f"<pre>{html.escape(EXAMPLE)}</pre>", sanitize=False).classes(
                    "lx-mono lx-scroll"
                ).props('tabindex=0 role=region aria-label="Example"')
                ui.link("The description for programs (OpenAPI)", "/openapi.json")
            for path, methods in description()["paths"].items():
                for method, told in methods.items():
                    endpoint(path, method, told)


def endpoint(path: str, method: str, told: dict[str, Any]) -> None:
    """Add one endpoint: what it does and what it takes."""
    with sheet():
        name = f"<code>{method.upper()} {html.escape(path)}</code>"
        ui.html(name, sanitize=False, tag="h2").classes("lx-mono")
        ui.label(told.get("description", told.get("summary", "")))
        rows = [
            (one["name"], one["schema"], one.get("description", ""))
            for one in told.get("parameters", [])
        ]
        content = told.get("requestBody", {}).get("content", {}).get("application/json", {})
        if content:
            rows.append(("body", content["schema"], "a JSON object"))
        if rows:
            lines = "".join(
                f"<tr><td><code>{html.escape(name)}</code></td><td>{html.escape(kind(schema))}</td>"
                f"<td>{html.escape(words)}</td></tr>"
                for name, schema, words in rows
            )
            head = "<tr><th>takes</th><th>kind</th><th>meaning</th></tr>"
            ui.html(f'<table class="lx-table">{head}{lines}</table>', sanitize=False).classes(
                "lx-scroll"
            )


def kind(schema: dict[str, Any]) -> str:
    """Return in a word what a value is."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    usual = f", {json.dumps(schema['default'])} if missing" if "default" in schema else ""
    return str(schema.get("type", "value")) + usual
