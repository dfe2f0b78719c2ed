"""Rules: change every parameter of a game, see the effect, save it as a TOML file."""

import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.validation_element import ValidationElement
from nicegui.elements.mixins.value_element import ValueElement

from ludex.agents.registry import default_agent
from ludex.core import rules as ask
from ludex.core import variants
from ludex.core.rules import Grid
from ludex.io.text import many
from ludex.stats import wilson
from ludex.tournaments.job import MatchJob, play_job
from ludex.tournaments.plan import SERIES, Pairing, Plan
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board
from ludex.web.parts.rule_field import rule_field
from ludex.web.parts.upload import decode_text, file_button
from ludex.web.state.catalogue import rules_line, texts_of
from ludex.web.state.server_state import ServerState

USES = {
    "Play": "/play",
    "Watch": "/watch",
    "Tournament": "/tournament",
    "Understand": "/understand",
    "Train": "/train",
}
QUICK = 30  # matches, enough to see roughly which seat is favoured


class RulesPage(GamePage):
    """The rules of a game as editable fields and tables."""

    path = "/rules"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        rules = self.rules
        self.usual = ask.rule_values(type(rules)())
        self.fields: dict[str, Any] = {}
        self.wrong: dict[str, str] = {}  # what was typed and refused, by rule
        self.cell_errors: dict[str, ui.label] = {}
        lead = "Change any rule of a game; changes are highlighted."
        with layout.frame(f"Rules of {ask.title(rules)}", "/rules", lead):
            with layout.row().style("margin: 1.1rem 0"):
                self.game_picker()
            with layout.div("lx-play"):
                with layout.div(), layout.sheet():
                    self.single_fields()
                with layout.div("lx-side lx-beside"):
                    with layout.sheet():
                        layout.heading("Your changes", 2)
                        self.summary = ui.label().classes("lx-note")
                        self.summary.style("white-space: pre-line")
                        with layout.row("0.9rem"):
                            self.prove_button = layout.primary("Who wins?", self.prove, "gavel")
                            self.try_button = layout.secondary("Try some matches", self.try_matches)
                        self.truth, self.tried = (
                            ui.label().style("margin-top: 0.8rem").props('aria-live="polite"')
                            for _ in range(2)
                        )
                    uses = self.uses = [self.prove_button, self.try_button]
                    with layout.sheet():
                        layout.heading("Use these rules", 2)
                        with layout.row():
                            for text, path in USES.items():
                                uses.append(layout.secondary(text, partial(self.use, path)))
                            uses.append(layout.secondary("Save as TOML", self.save, "download"))
                            file_button("Open a file", self.open_file)
                            layout.secondary("Reset to the usual rules", f"/rules/{self.game}")
                    self.board = Board(ask.scene(rules, ask.initial(rules)), "The first position")
                with layout.div("lx-below"):
                    for grid in ask.grids_of(rules):
                        with layout.sheet():
                            self.grid(grid)
        self.show_values()
        self.show_changes()

    def single_fields(self) -> None:
        """Add the fields of the rules outside tables."""
        layout.heading(ask.title(self.rules), 2)
        values = ask.rule_values(self.rules)
        with layout.div("lx-form lx-numbers"):
            for key, rule in variants.single_rules(self.rules).items():
                field = self.fields[key] = rule_field(key, rule, values[key], values[key])
                change = lambda k=key, f=field: self.change(k, str(f.value))  # noqa: E731
                if rule.words:
                    field.on_value_change(change)
                else:
                    field.on("change", change)

    def grid(self, grid: Grid) -> None:
        """Add a table of rule fields."""
        table = variants.rule_table(self.rules)
        layout.heading(layout.capitalize(grid.text), 2)
        region = layout.div("lx-scroll lx-wide")
        region.props(f'tabindex=0 role=region aria-label="{grid.text}"')
        with region, ui.element("table").classes("lx-grid-table"):
            with ui.element("tr"):
                ui.element("th")
                for column in grid.columns:
                    self.header_cell(column)
            for row, keys in variants.keys_of(grid).items():
                with ui.element("tr"):
                    self.header_cell(row)
                    for key in keys:
                        with ui.element("td"):
                            span = variants.range_text(table[key], self.usual[key])
                            self.fields[key] = self.number_field(key, span)

    def number_field(self, key: str, span: str) -> ui.element:
        """Return the field of a rule in a table: a plain input, because there are hundreds."""
        field = ui.element("input").props(f'inputmode=numeric aria-label="{key}"')
        field.props["title"] = span
        act = lambda event: self.change(key, str(event.args))  # noqa: E731
        return field.on("change", act, js_handler="(e) => emit(e.target.value)")

    def header_cell(self, text: str) -> None:
        """Add a header cell."""
        label = ui.label(text).classes("lx-small lx-soft")
        label.tag = "th"

    def change(self, key: str, text: str) -> None:
        """Change one rule, or show an error at its field, which keeps what was typed."""
        text = text.strip()[:40]
        rule, before = variants.rule_table(self.rules)[key], self.rules
        given = dict(texts_of(self.rules)) | {key: text}
        if text == variants.write_value(rule, self.usual[key]):
            given.pop(key)
        try:
            self.rules = self.server.catalogue.rules(self.game, given)
        except ValueError as error:
            self.wrong[key] = text
            self.show_field_error(key, str(error).removeprefix(f"rule {key}: "))
            self.show_changes()
            return
        if self.rules == before and key not in self.wrong:
            return
        if self.wrong.pop(key, None) is not None:
            self.show_field_error(key, "")
        self.board.show(ask.scene(self.rules, ask.initial(self.rules)))
        self.show_changes()
        ui.navigate.history.replace(self.address())
        self.keep_in_links()
        self.show_values(key)
        for other, typed in list(self.wrong.items()):
            self.change(other, typed)  # it may fit the rules as they are now

    def show_field_error(self, key: str, words: str) -> None:
        """Show why the value of a field is refused, or nothing if it is not."""
        field = self.fields[key]
        if isinstance(field, ValidationElement):
            field.error = words or None
            return
        if key in self.cell_errors:
            self.cell_errors.pop(key).delete()
        field.classes(**{"add" if words else "remove": "lx-wrong"})
        field.props["aria-invalid"] = "true" if words else "false"
        if words:
            field.props["value"] = self.wrong[key]
            with field.parent_slot:
                label = self.cell_errors[key] = ui.label(words).classes("lx-cell-error")
                label.props("role=alert")

    def show_values(self, typed: str = "") -> None:
        """Show the current value in every field that is not wrong, marked if it is not the default.

        `typed` names the field whose content in the browser differs from what was sent to it.
        """
        values, table = ask.rule_values(self.rules), variants.rule_table(self.rules)
        for key, field in self.fields.items():
            if key in self.wrong:
                continue
            text = variants.write_value(table[key], values[key])
            changed = values[key] != self.usual[key]
            if isinstance(field, ValueElement):
                field.value = text
            elif field.props.get("value") != text or key == typed:
                field.props["value"] = text
                field.update()
            if changed != ("lx-changed" in field.classes):
                field.classes(**{"add" if changed else "remove": "lx-changed"})

    def show_changes(self) -> None:
        """List the rules that differ from the defaults, and what has to be corrected first."""
        for button in self.uses:
            button.set_enabled(not self.wrong)
        self.truth.text = self.tried.text = ""
        texts = texts_of(self.rules)
        shown = rules_line(texts[:12])
        more = f" and {len(texts) - 12} more" if len(texts) > 12 else ""
        lines = [shown + more] if texts else []
        if self.wrong:
            lines.append(f"Not a valid value yet: {', '.join(self.wrong)}.")
        self.summary.text = "\n".join(lines) or "These are the usual rules."

    async def prove(self) -> None:
        """Show who wins with best play, if that can be found quickly."""
        rules, self.truth.text = self.rules, "Proving who wins …"
        with layout.busy(self.prove_button):
            truth = await self.server.evaluations.known_value(
                self.server.catalogue[self.game].source, texts_of(rules)
            )
        if rules != self.rules:
            return
        more = " Some matches show who is favoured." if truth["value"] is None else ""
        self.truth.text = f"{layout.capitalize(truth['words'])}.{more}"

    async def try_matches(self) -> None:
        """Play some matches of an agent against itself and show each seat's share."""
        rules, level, seats = self.rules, default_agent(self.rules), ask.seats(self.rules)
        source, won = self.server.catalogue[self.game].source, [0.0] * seats
        plan = Plan(source, texts_of(rules), (level,) * seats, seats, SERIES, QUICK, 0, 7)
        with layout.errors_shown(), layout.busy(self.try_button):
            for number in range(QUICK):
                # All matches have different luck, since equals need not swap seats.
                job = MatchJob(plan, (Pairing(number, tuple(range(seats)), number),))
                returns = (await self.server.workers.do(play_job, job))[0].returns
                best = [seat for seat, one in enumerate(returns) if one == max(returns)]
                for seat in best:
                    won[seat] += 1 / len(best)
                if rules != self.rules:
                    return
                shares = []
                for seat, points in enumerate(won):
                    low, high = (100 * end for end in wilson(points / (number + 1), number + 1))
                    share = 100 * points / (number + 1)
                    name = ask.seat_name(rules, seat)
                    shares.append(f"{name} {share:.0f} % ({low:.0f} to {high:.0f})")
                played = many(number + 1, "match")
                self.tried.text = f"{played} of {level} against itself: {', '.join(shares)}."

    def use(self, path: str) -> None:
        """Open another page about the game by these rules."""
        ui.navigate.to(self.address(path))

    def save(self) -> None:
        """Download the rules as a file."""
        text = variants.write_toml(type(self.rules)(), self.rules)
        ui.download(f"# Rules of {self.game}\n{text}".encode(), f"{self.game}.toml")

    async def open_file(self, name: str, content: bytes) -> None:
        """Load the rules from a file."""
        with layout.errors_shown(), tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_text(decode_text(name, content), encoding="utf-8")
            rules = self.server.catalogue.rules(self.game, variants.read_toml(path))
            ui.navigate.to(self.address(rules=rules))
