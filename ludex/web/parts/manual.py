"""How to play a game, in a few sentences, with its tables."""

import html
from collections.abc import Mapping

from nicegui import ui

from ludex.core.rules import Rules, grids_of, rule_values
from ludex.core.variants import keys_of, rule_table, write_value
from ludex.games import how_to_play
from ludex.web.parts.layout import heading, sheet


def manual(rules: Rules, folded: bool = False) -> None:
    """Add a sheet with how the game is played; folded it is one line that opens."""
    said = "".join(f"<li>{html.escape(line)}</li>" for line in how_to_play(rules))
    words = f'<ul class="lx-how">{said}</ul>'
    with sheet():
        if folded:
            collapsible("How to play", words)
        else:
            heading("How to play", 2)
            ui.html(words, sanitize=False)


def collapsible(name: str, inside: str) -> None:
    """Add a line that opens and closes what is inside."""
    kept = f"<summary>{html.escape(name)}</summary>{inside}"
    ui.html(kept, sanitize=False, tag="details").classes("lx-folder")


class Numbers:
    """The numbers of a game's tables that are about one name, such as the blows of a robot."""

    def __init__(self, rules: Rules) -> None:
        """Add a sheet, if the game has tables."""
        self.rules = rules
        values, table = rule_values(rules), rule_table(rules)
        self.texts = {key: write_value(rule, values[key]) for key, rule in table.items()}
        self.names = [*dict.fromkeys(name for grid in grids_of(rules) for name in grid.rows)]
        if self.names:
            with sheet():
                self.picker = ui.select(self.names, value=self.names[0], label="numbers of")
                self.picker.props("outlined dense options-dense").on_value_change(self.draw)
                self.shown = ui.html(sanitize=False).style("margin-top: 0.6rem")
            self.draw()

    def add_tables(self) -> None:
        """Add a sheet with the tables, folded."""
        if self.names:
            with sheet():
                for grid in grids_of(self.rules):
                    said = grid.text[:1].upper() + grid.text[1:]
                    collapsible(said, grid_table_html(keys_of(grid), grid.columns, self.texts))

    def show(self, name: str) -> None:
        """Show the numbers of a name, if there are any."""
        if name in self.names:
            self.picker.value = name

    def draw(self) -> None:
        """Draw the numbers of the name that is picked."""
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
        heads = f"<tr><th></th><th>{shown} → it</th><th>it → {shown}</th></tr>"
        rows = "".join(
            f"<tr><th>{html.escape(other)}</th><td>{to}</td><td>{back}</td></tr>"
            for other, (to, back) in found.items()
        )
        self.shown.content = f'<table class="lx-table lx-tight">{heads}{rows}</table>'


def grid_table_html(
    keys: Mapping[str, list[str]], columns: tuple[str, ...], texts: Mapping[str, str]
) -> str:
    """Return a table of a game, to read."""
    heads = "".join(f"<th>{html.escape(column)}</th>" for column in columns)
    rows = "".join(
        f"<tr><th>{html.escape(row)}</th>{''.join(f'<td>{texts[key]}</td>' for key in own)}</tr>"
        for row, own in keys.items()
    )
    return (
        '<div class="lx-wide" tabindex="0" role="region" aria-label="The whole table">'
        f'<table class="lx-table lx-tight lx-grid-table"><tr><th></th>{heads}</tr>{rows}</table>'
        "</div>"
    )
