"""How to play a game, in a few sentences, with its tables."""

import html

from nicegui import ui

from ludex.core.rules import Rules, grids_of, rule_values
from ludex.core.variants import keys_of, rule_table, write_value
from ludex.games import how_to_play
from ludex.web.parts import layout
from ludex.web.parts.evaluation_html import note_html
from ludex.web.parts.html_table import html_table
from ludex.web.state.catalogue import rules_text


def manual(rules: Rules, game: str = "", folded: bool = False) -> None:
    """Add how to play; `game` links to its guide, and `folded` makes it collapsible."""
    words = how_to_play_html(rules)
    with layout.sheet():
        if folded:
            collapsible("How to play", words)
        else:
            layout.heading("How to play", 2)
            ui.html(words, sanitize=False)
        if game:
            guide = layout.address(f"/guide/{game}", rules=rules_text(rules))
            ui.link("The whole guide", guide).classes("lx-small")


def how_to_play_html(rules: Rules) -> str:
    """Return how to play as a list."""
    said = "".join(f"<li>{html.escape(line)}</li>" for line in how_to_play(rules))
    return f'<ul class="lx-how">{said}</ul>'


def collapsible(name: str, inside: str) -> None:
    """Add a collapsible block of HTML."""
    kept = f"<summary>{html.escape(name)}</summary>{inside}"
    ui.html(kept, sanitize=False, tag="details").classes("lx-folder")


POINT = "Point at a choice on the board, or select a name."


class Numbers:
    """The numbers in a game's tables about one name, such as a robot."""

    def __init__(self, rules: Rules) -> None:
        """Add the panel, if the game has tables."""
        self.rules = rules
        self.pointed_at = ""
        values, table = rule_values(rules), rule_table(rules)
        self.texts = {key: write_value(rule, values[key]) for key, rule in table.items()}
        self.names = [*dict.fromkeys(name for grid in grids_of(rules) for name in grid.rows)]
        if self.names:
            with layout.sheet():
                self.picker = ui.select(self.names, value=self.names[0], label="matchups of")
                self.picker.props("outlined dense options-dense").on_value_change(self.draw)
                self.shown = ui.html(sanitize=False).style("margin-top: 0.6rem")
                self.shown.classes("lx-steady")
            self.draw()

    def add_tables(self) -> None:
        """Add the whole tables, collapsed."""
        if self.names:
            with layout.sheet():
                for grid in grids_of(self.rules):
                    head = ["", *map(html.escape, grid.columns)]
                    rows = [
                        [html.escape(row), *(self.texts[key] for key in keys)]
                        for row, keys in keys_of(grid).items()
                    ]
                    table = html_table(head, rows, "lx-tight lx-grid-table", row_heads=True)
                    region = 'class="lx-wide" tabindex="0" role="region"'
                    whole = f'<div {region} aria-label="The whole table">{table}</div>'
                    collapsible(layout.capitalize(grid.text), whole)

    def show(self, name: str) -> None:
        """Select a name that was pointed at, if the tables have it."""
        if name in self.names:
            self.pointed_at = self.picker.value = name

    def forget(self) -> None:
        """Select the name no longer that was pointed at; one that a person selected stays."""
        if self.pointed_at and self.picker.value == self.pointed_at:
            self.pointed_at, self.picker.value = "", None

    def draw(self) -> None:
        """Show the numbers of the selected name, or how to select one."""
        if not self.picker.value:
            self.shown.content = note_html(POINT)
            return
        name = str(self.picker.value)
        found: dict[str, list[str]] = {}
        for grid in grids_of(self.rules):
            if name in grid.rows:
                for column in grid.columns:
                    found.setdefault(column, ["", ""])[0] = self.texts[f"{name}-{column}"]
            if name in grid.columns:
                for row in grid.rows:
                    found.setdefault(row, ["", ""])[1] = self.texts[f"{row}-{name}"]
        shown = html.escape(name)
        head = ("", f"{shown} → it", f"it → {shown}")
        rows = [(html.escape(other), to, back) for other, (to, back) in found.items()]
        self.shown.content = html_table(head, rows, "lx-tight", row_heads=True)
