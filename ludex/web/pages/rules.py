"""Rules: change every parameter of a game, see the effect, save it as a TOML file."""

import tempfile
from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.elements.mixins.value_element import ValueElement

from ludex.agents.registry import default_agent
from ludex.core import rules as ask
from ludex.core.rules import Grid, Rules
from ludex.core.variants import (
    keys_of,
    range_text,
    read_toml,
    rule_table,
    single_rules,
    write_toml,
    write_value,
)
from ludex.io.text import many
from ludex.stats import wilson
from ludex.tournaments.job import Job, play_job
from ludex.tournaments.plan import SERIES, Pairing, Plan
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.parts.board import Board
from ludex.web.parts.layout import (
    address,
    busy,
    frame,
    heading,
    lead,
    primary,
    secondary,
    sheet,
    show_error,
)
from ludex.web.parts.upload import file_button
from ludex.web.state.catalogue import texts_of, write_rules
from ludex.web.state.server_state import ServerState

QUICK = 30  # matches, enough to see roughly which seat is favoured


def register(server: ServerState) -> None:
    """Register the pages."""
    game_page(server, "/rules", show)


def show(server: ServerState, game: str, rules: Rules, query: Query) -> None:
    """Show the rules given in the address."""
    RulesPage(server, game, rules)


class RulesPage:
    """The rules of a game as editable fields and tables."""

    def __init__(self, server: ServerState, game: str, rules: Rules) -> None:
        self.server, self.game, self.rules = server, game, rules
        self.usual = ask.rule_values(type(rules)())
        self.fields: dict[str, Any] = {}
        with frame(f"Rules of {ask.title(rules)}", "/rules"):
            heading("Rules")
            lead("Every number of a game can be changed. What differs from the usual is marked.")
            with ui.element("div").classes("lx-bar").style("margin: 1.1rem 0"):
                game_picker(server, game, "/rules")
            with ui.element("div").classes("lx-play"):
                with ui.element("div"), sheet():
                    self.single_fields()
                with ui.element("div").classes("lx-side lx-beside"):
                    with sheet():
                        heading("What this changes", 2)
                        self.summary = ui.label().classes("lx-note")
                        with ui.element("div").classes("lx-bar").style("margin-top: 0.9rem"):
                            self.prove_button = primary("Who wins?", self.prove, "gavel")
                            self.try_button = secondary("Try some matches", self.try_matches)
                        self.truth, self.tried = self.answer_label(), self.answer_label()
                    with sheet():
                        heading("Use them", 2)
                        with ui.element("div").classes("lx-bar"):
                            secondary("Play", self.play, "play_arrow")
                            secondary("Save as TOML", self.save, "download")
                            file_button("Open a file", self.open_file)
                            usual = f"/rules/{game}"
                            secondary("The usual rules", lambda: ui.navigate.to(usual))
                    self.board = Board(ask.scene(rules, ask.initial(rules)), "The first position")
                with ui.element("div").classes("lx-below"):
                    for grid in ask.grids_of(rules):
                        with sheet():
                            self.grid(grid)
        self.show_values()
        self.show_changes()

    def answer_label(self) -> ui.label:
        """Return an empty label for a result."""
        return ui.label().style("margin-top: 0.8rem").props('aria-live="polite"')

    def single_fields(self) -> None:
        """Add the fields of the rules outside tables."""
        heading(ask.title(self.rules), 2)
        values = ask.rule_values(self.rules)
        with ui.element("div").classes("lx-form lx-numbers"):
            for key, rule in single_rules(self.rules).items():
                text = write_value(rule, values[key])
                if rule.words:
                    field: Any = ui.select(list(rule.words), value=text, label=key)
                    field.on_value_change(lambda event, k=key: self.change(k, str(event.value)))
                else:
                    field = ui.input(key, value=text)
                    field.on("change", lambda event, k=key, f=field: self.change(k, str(f.value)))
                hint = f"{rule.text} ({range_text(rule, values[key])})".replace('"', "'")
                field.props(f'outlined dense hint="{hint}"')
                self.fields[key] = field

    def grid(self, grid: Grid) -> None:
        """Add a table of rule fields."""
        heading(grid.text[:1].upper() + grid.text[1:], 2)
        region = ui.element("div").classes("lx-scroll lx-wide")
        region.props(f'tabindex=0 role=region aria-label="{grid.text}"')
        with region, ui.element("table").classes("lx-grid-table"):
            with ui.element("tr"):
                ui.element("th")
                for column in grid.columns:
                    self.header_cell(column)
            for row, keys in keys_of(grid).items():
                with ui.element("tr"):
                    self.header_cell(row)
                    for key in keys:
                        with ui.element("td"):
                            self.fields[key] = self.number_field(key)

    def number_field(self, key: str) -> ui.element:
        """Return the field of a rule in a table: a plain input, because there are hundreds."""
        field = ui.element("input").props(f'inputmode=numeric aria-label="{key}"')
        act = lambda event: self.change(key, str(event.args))  # noqa: E731
        return field.on("change", act, js_handler="(e) => emit(e.target.value)")

    def text(self, key: str) -> str:
        """Return the value of a rule as text."""
        return write_value(rule_table(self.rules)[key], ask.rule_values(self.rules)[key])

    def header_cell(self, text: str) -> None:
        """Add a header cell."""
        label = ui.label(text).classes("lx-small lx-soft")
        label.tag = "th"

    def change(self, key: str, text: str) -> None:
        """Change one rule, or show an error; then show the rules in force."""
        text = text.strip()[:40]
        if text == self.text(key):
            return
        given = {**dict(texts_of(self.rules)), key: text}
        if write_value(rule_table(self.rules)[key], self.usual[key]) == text:
            given.pop(key)
        try:
            self.rules = self.server.catalogue.rules(self.game, given)
        except ValueError as error:
            show_error(error)
            self.show_values(key)
            return
        self.show_values(key)
        self.board.show(ask.scene(self.rules, ask.initial(self.rules)))
        self.show_changes()
        here = address(f"/rules/{self.game}", rules=write_rules(texts_of(self.rules)))
        ui.navigate.history.replace(here)

    def show_values(self, typed: str = "") -> None:
        """Show the current value in every field, marked if it is not the default.

        `typed` names the field whose content in the browser differs from what was sent to it.
        """
        values, table = ask.rule_values(self.rules), rule_table(self.rules)
        for key, field in self.fields.items():
            text = write_value(table[key], values[key])
            changed = values[key] != self.usual[key]
            if isinstance(field, ValueElement):
                field.value = text
            elif field.props.get("value") != text or key == typed:
                field.props["value"] = text
                field.update()
            if changed != ("lx-changed" in field.classes):
                field.classes(**{"add" if changed else "remove": "lx-changed"})

    def show_changes(self) -> None:
        """List the rules that differ from the defaults."""
        texts = texts_of(self.rules)
        shown = ", ".join(f"{key} = {text}" for key, text in texts[:12])
        more = f" and {len(texts) - 12} more" if len(texts) > 12 else ""
        self.summary.text = f"{shown}{more}" if texts else "These are the usual rules."
        self.truth.text = self.tried.text = ""

    async def prove(self) -> None:
        """Show who wins with best play, if that can be found quickly."""
        rules = self.rules
        with busy(self.prove_button):
            truth = await self.server.known_value(self.game, rules)
        if rules != self.rules:
            return
        said = str(truth["words"])
        more = " Some matches show who is favoured." if truth["value"] is None else ""
        self.truth.text = f"{said[:1].upper()}{said[1:]}.{more}"

    async def try_matches(self) -> None:
        """Play some matches of an agent against itself and show each seat's share."""
        rules, level, won = self.rules, default_agent(self.rules), [0.0] * ask.seats(self.rules)
        plan = quick_plan(self.server.catalogue[self.game].source, rules, level)
        with busy(self.try_button):
            for number in range(QUICK):
                try:
                    work = self.server.workers.do(play_job, match_job(plan, number))
                    worth = (await work)[0].returns
                except ValueError as error:
                    show_error(error)
                    return
                best = [seat for seat, one in enumerate(worth) if one == max(worth)]
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
                said = f"{played} of {level} against itself: {', '.join(shares)}."
                self.tried.text = said

    def play(self) -> None:
        """Open the form for a match by these rules."""
        rules = write_rules(texts_of(self.rules))
        ui.navigate.to(address(f"/play/{self.game}", rules=rules))

    def save(self) -> None:
        """Download the rules as a file."""
        text = write_toml(type(self.rules)(), self.rules)
        ui.download(text.encode(), f"{self.game}.toml")

    async def open_file(self, name: str, content: bytes) -> None:
        """Load the rules from a file."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(content)
            try:
                rules = self.server.catalogue.rules(self.game, read_toml(path))
            except ValueError as error:
                show_error(error)
                return
        ui.navigate.to(address(f"/rules/{self.game}", rules=write_rules(texts_of(rules))))


def quick_plan(source: str, rules: Rules, level: str) -> Plan:
    """Return the plan of a series of an agent against itself."""
    places = ask.seats(rules)
    return Plan(source, texts_of(rules), (level,) * places, places, SERIES, QUICK, 0, 7)


def match_job(plan: Plan, number: int) -> Job:
    """Return a job for one match; all have different luck, since equals need not swap seats."""
    return Job(plan, (Pairing(number, tuple(range(plan.seats)), number),))
