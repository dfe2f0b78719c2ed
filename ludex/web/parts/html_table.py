"""Tables as HTML."""

from collections.abc import Iterable, Sequence

from nicegui import ui


def html_table(
    head: Iterable[str],
    rows: Sequence[Sequence[str]],
    look: str = "",
    row_heads: bool = False,
    row_looks: Sequence[str] = (),
) -> str:
    """Return a table of cells that are HTML already.

    `look` and `row_looks` are classes; with `row_heads` the first column is one of heads.
    """
    first = "th" if row_heads else "td"
    lines = ["<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>"]
    for (start, *cells), name in zip(rows, row_looks or [""] * len(rows), strict=True):
        opened = f'<tr class="{name}">' if name else "<tr>"
        rest = "".join(f"<td>{cell}</td>" for cell in cells)
        lines.append(f"{opened}<{first}>{start}</{first}>{rest}</tr>")
    return f'<table class="lx-table {look}">{"".join(lines)}</table>'


def table_box(label: str, content: str = "") -> ui.html:
    """Return a place for a table, which is scrolled sideways if it is too wide, by keys as well."""
    box = ui.html(content, sanitize=False).classes("lx-scroll")
    return box.props(f'tabindex=0 role=region aria-label="{label}"')
