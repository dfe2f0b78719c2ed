"""Plain pages for those who cannot be served: no script, nothing else to load."""

from pathlib import Path
from string import Template

from fastapi.responses import HTMLResponse

TEMPLATE = Template(Path(__file__).with_name("notice.html").read_text(encoding="utf-8"))


def notice(title: str, content: str, status: int, **headers: str) -> HTMLResponse:
    """Return a page with a title and some HTML; `_` in the name of a header is a hyphen."""
    page = TEMPLATE.substitute(title=title, content=content)
    return HTMLResponse(page, status, {name.replace("_", "-"): headers[name] for name in headers})
