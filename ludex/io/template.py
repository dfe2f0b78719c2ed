"""HTML pages from templates, with automatic escaping."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape


def filled(template: Path, **facts: Any) -> str:
    """Return a page: a template with these facts, escaped unless they are `Markup`."""
    environment = Environment(
        loader=FileSystemLoader(template.parent),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template.name).render(**facts)
