"""HTML pages from templates, with automatic escaping."""

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, select_autoescape


def render_template(template: Path, **facts: Any) -> str:
    """Render a template with values, which are escaped unless they are `Markup`."""
    environment = Environment(
        loader=FileSystemLoader(template.parent),
        autoescape=select_autoescape(["html"]),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template(template.name).render(**facts)
