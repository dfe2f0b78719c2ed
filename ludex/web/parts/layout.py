"""The layout of every page: header, navigation, style, and shared elements."""

import html
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from nicegui import ui

from ludex.io.text import many
from ludex.web.parts.site import LAB, Site, navigation_html
from ludex.web.state.public_text import without_paths

FILES = ("style.css", "page.js", "logo.svg")
STYLE, SCRIPT, LOGO = (Path(__file__).with_name(one).read_text(encoding="utf-8") for one in FILES)
PATIENCE = 60.0  # seconds that a busy browser has for an answer
Act = Callable[..., Any] | str
"""What a button calls, or the address that it opens."""


def share_files() -> None:
    """Add style sheet and script to all pages at once, so that no session holds a copy."""
    ui.add_css(STYLE, shared=True)
    ui.add_head_html(f"<script>{SCRIPT}</script>", shared=True)


@contextmanager
def frame(title: str, current: str = "", lead_text: str = "", site: Site = LAB) -> Iterator[None]:
    """Wrap a page's content in the layout; `current` is its address in the navigation.

    With a lead, the page begins with its name in the navigation and the lead.
    """
    ui.page_title(f"{title} · {site.name}")
    ui.run_javascript("lx.begin()")
    ui.html('<a class="lx-skip" href="#main">To the content</a>', sanitize=False)
    with ui.element("header").classes("lx-head"), div("lx-head-in"):
        name = html.escape(site.name)  # on a phone only the picture is seen
        logo = f'<a class="lx-logo" href="{site.home}" aria-label="{name}">{LOGO}'
        ui.html(f"{logo}<span>{name}</span></a>", sanitize=False)
        navigation = ui.html(navigation_html(site.pages, current), sanitize=False, tag="nav")
        navigation.classes("lx-nav").props('aria-label="Pages"')
        dark = ui.button(icon="contrast", color=None).props('flat round aria-label="light or dark"')
        dark.classes("lx-quiet lx-dark").on("click", js_handler="() => lx.toggleDark()")
    # NiceGUI's page is already the document's <main>.
    with div("lx-main").props("id=main tabindex=-1"):
        if lead_text:
            heading(dict(site.pages)[current])
            lead(lead_text)
        yield
    ui.html(site.footer, sanitize=False, tag="footer").classes("lx-foot")


def keep_in_navigation(game: str, rules: str) -> None:
    """Let the navigation lead to pages about a game, by rules as in addresses."""
    ui.run_javascript(f"lx.keepInNavigation({json.dumps(address(f'/{game}', rules=rules))})")


def heading(text: str, level: int = 1) -> ui.label:
    """Return a heading."""
    label = ui.label(text)
    label.tag = f"h{level}"
    return label


def lead(text: str) -> ui.label:
    """Return the introduction below a heading."""
    return ui.label(text).classes("lx-lead")


def note(text: str = "") -> ui.label:
    """Return a small, muted text."""
    return ui.label(text).classes("lx-soft lx-small")


def status() -> ui.label:
    """Return the line that says how things stand; screen readers announce its changes."""
    return ui.label().classes("lx-status").props('aria-live="polite"')


def div(classes: str = "") -> ui.element:
    """Return a plain block."""
    return ui.element("div").classes(classes)


def row(top: str = "") -> ui.element:
    """Return a row of controls, with a margin above it."""
    return div("lx-bar").style(f"margin-top: {top}" if top else "")


def sheet() -> ui.element:
    """Return a section with a frame."""
    return ui.element("section").classes("lx-sheet")


def primary(text: str, act: Act, icon: str | None = None, label: str = "") -> ui.button:
    """Return the main button of a page."""
    return button(text, act, icon, label).props("unelevated").classes("lx-first")


def secondary(text: str, act: Act, icon: str | None = None, label: str = "") -> ui.button:
    """Return a less prominent button."""
    return button(text, act, icon, label).props("flat").classes("lx-second")


def button(text: str, act: Act, icon: str | None, label: str) -> ui.button:
    """Return a button that calls a function or opens an address; `label` is for screen readers."""
    on_click = act if callable(act) else lambda: ui.navigate.to(act)
    made = ui.button(text, on_click=on_click, icon=icon, color=None).props("no-caps")
    if label:
        made.props["aria-label"] = label
    return made


def number_field(label: str, value: str = "", placeholder: str = "") -> ui.input:
    """Return a field for a whole number."""
    field = ui.input(label, value=value, placeholder=placeholder or None)
    return field.props('outlined dense inputmode="numeric"')


@contextmanager
def busy(button: ui.button) -> Iterator[None]:
    """Show a spinner on a button meanwhile."""
    button.props(add="loading")
    try:
        yield
    finally:
        button.props(remove="loading")


def compiling_note(line: ui.label) -> Callable[[str], None]:
    """Return a function that says on a line that a game is compiled, while its page is open."""
    client = ui.context.client

    def tell(game: str) -> None:
        if not client.is_deleted:
            line.text = f"One-time setup: compiling {game or 'what it needs'} …"

    return tell


def capitalize(text: str) -> str:
    """Return a text with its first letter in upper case, and the others as they are."""
    return text[:1].upper() + text[1:]


def ago(when: str, now: datetime | None = None) -> str:
    """Return how long ago a time in UTC was, or its date if that is long; empty if unreadable."""
    try:
        then = datetime.fromisoformat(when)
    except ValueError:
        return ""
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    minutes = int(((now or datetime.now(UTC)) - then).total_seconds() // 60)
    if minutes < 1:
        return "just now"
    if minutes < 60:
        return f"{many(minutes, 'minute')} ago"
    if minutes < 24 * 60:
        return f"{many(minutes // 60, 'hour')} ago"
    if minutes < 7 * 24 * 60:
        return f"{many(minutes // (24 * 60), 'day')} ago"
    return date_text(when)


def date_text(when: str) -> str:
    """Return the day of a time in UTC; empty if unreadable."""
    try:
        then = datetime.fromisoformat(when)
    except ValueError:
        return ""
    return f"{then.day} {then:%B %Y}"


def address(path: str, **query: str) -> str:
    """Return an address with its non-empty query parameters."""
    given = {key: value for key, value in query.items() if value}
    return f"{path}?{urlencode(given)}" if given else path


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show a ValueError as a notification; what is left of the block is skipped."""
    try:
        yield
    except ValueError as error:
        show_error(error)


def show_error(error: Exception | str) -> None:
    """Show an error as a notification, without the server's paths."""
    words = without_paths(str(error))
    notify(words, type="warning", multi_line=True, timeout=6000)


def notify(words: str, **options: Any) -> None:
    """Show a notification at the bottom, where it covers no navigation."""
    ui.notify(words, position="bottom", **options)


async def browser_text(script: str) -> str:
    """Return the text that a script has as its value in the browser; empty if there is none."""
    try:
        return str(await ui.run_javascript(script, timeout=PATIENCE) or "")
    except TimeoutError:  # the page was closed
        return ""


def show_error_page(words: str, link: tuple[str, str] | None = None, site: Site = LAB) -> None:
    """Fill the page with an error message; `link` is the text and address of a page that works."""
    with frame("Not found", site=site):
        heading("This address does not work" if link else "There is nothing here")
        lead(capitalize(words))
        with row("1.5rem"):
            if link:
                primary(*link)
            home = (
                "To the games" if site is LAB else f"To the {dict(site.pages)[site.home].lower()}"
            )
            (secondary if link else primary)(home, site.home)
