"""Watching: agents against agents, or any match that was played."""

from typing import Any

from nicegui import events, ui

from ludex.agents import default_agent
from ludex.games import title
from ludex.record import Record, read_record
from ludex.rules import Rules, game_of, seat_name, seats
from ludex.web import limits
from ludex.web.archive import public
from ludex.web.catalogue import agents_for
from ludex.web.frame import (
    busy,
    complain,
    frame,
    heading,
    lead,
    nothing_here,
    primary,
    secondary,
    sheet,
)
from ludex.web.hall import Hall
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.pages.viewer import view
from ludex.web.tasks import without_paths

LATEST = 12  # matches of the store in the list
PATIENCE = 20.0  # seconds for a store that is slow


def register(hall: Hall) -> None:
    """Make the pages."""
    game_page(hall, "/watch", choose)

    @ui.page("/watch/match/{name}")
    async def match(name: str, ply: str = "") -> None:
        try:
            table = hall[name]
        except ValueError as error:
            nothing_here(str(error))
            return
        await view(hall, table, ply)

    @ui.page("/watch/record/{event}/{number}", response_timeout=PATIENCE)
    async def record(event: str, number: str, ply: str = "") -> None:
        try:
            table = await hall.stored(event, number)
        except ValueError as error:
            nothing_here(without_paths(str(error)))
            return
        await view(hall, table, ply)


async def choose(hall: Hall, game: str, rules: Rules, query: Query) -> None:
    """Show the form, and then what was played last."""
    form = Chooser(hall, game, rules)
    await ui.context.client.connected()
    await form.tell_latest()


def read_seed(text: str | None) -> int | None:
    """Return the seed that somebody typed; None if there is none."""
    given = (text or "").strip()
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 19):
        raise ValueError(f"seed {given[:20]!r}: expected a whole number of at most 18 digits")
    return int(given)


def told(name: str, record: Record) -> str:
    """Return a match in a few words: who met, and what it was worth to each."""
    worth = " ".join(f"{value:+g}" for value in record.returns)
    return f"{name}: {' – '.join(public(record).agents)} ({worth})"


class Chooser:
    """The form: which agents play, or which record is shown."""

    def __init__(self, hall: Hall, game: str, rules: Rules) -> None:
        self.hall, self.game, self.rules = hall, game, rules
        with frame(f"Watch {title(game_of(rules))}", "/watch"):
            heading("Watch")
            lead("Agents play one another; step through their match as it goes on.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                with ui.element("div"), sheet():
                    heading("Agent against agent", 2)
                    with ui.element("div").classes("lx-form"):
                        game_picker(hall, game, "/watch")
                        offered = [*agents_for(rules), *hall.trainings(game)]
                        self.agents = [self.seat(seat, offered) for seat in range(seats(rules))]
                        seed = ui.input("seed", placeholder="any").props("outlined dense")
                        self.seed = seed.props('inputmode="numeric"')
                    with ui.element("div").classes("lx-bar").style("margin-top: 1.1rem"):
                        self.button = primary("Start the match", self.start, "play_arrow")
                        self.button.props("autofocus")
                with ui.element("div").classes("lx-side"):
                    with sheet():
                        heading("Played last", 2)
                        self.latest = (
                            ui.element("div").classes("lx-moves").style("max-height: none")
                        )
                        self.latest.props('role="group" aria-label="Matches of the store"')
                    with sheet():
                        self.record_form()

    def record_form(self) -> None:
        """Ask for a file."""
        heading("A record", 2)
        words = "A match that was saved on its page, or a file of ludex match or history."
        ui.label(words).classes("lx-soft lx-small")
        upload = ui.upload(
            on_upload=self.upload,
            on_rejected=lambda: complain("expected one file of at most 256 KiB"),
            max_file_size=limits.BODY,
            max_files=1,
            auto_upload=True,
        )
        upload.props('accept=".json,.jsonl"').style("display: none")
        secondary("Open a record", lambda: upload.run_method("pickFiles"), "upload_file").style(
            "margin-top: 0.8rem"
        )
        self.found = ui.element("div").classes("lx-moves").style("margin-top: 0.8rem")

    def seat(self, seat: int, offered: list[str]) -> Any:
        """Return the choice of who sits on a seat."""
        choice = ui.select(
            offered,
            value=default_agent(self.rules),
            label=seat_name(self.rules, seat),
            with_input=True,
            new_value_mode="add-unique",
        )
        return choice.props("outlined dense options-dense")

    async def start(self) -> None:
        """Let the agents play."""
        try:
            seed = read_seed(self.seed.value)
            with busy(self.button):
                table = await self.hall.open(
                    *(self.game, self.rules, [str(one.value) for one in self.agents], set()),
                    seed=seed,
                )
        except ValueError as error:
            complain(error)
            return
        ui.navigate.to(f"/watch/match/{table.id}")

    async def tell_latest(self) -> None:
        """List what was played last, each a link."""
        source = self.hall.catalogue[self.game].source
        try:
            found = await self.hall.archive.latest(source, LATEST)
        except ValueError as error:
            found, words = [], str(error)
        else:
            words = "Nothing yet for this game."
        with self.latest:
            for name, record in found:
                ui.link(told(name, record), f"/watch/record/{name}").classes("lx-small")
            if not found:
                ui.label(words).classes("lx-soft lx-small")

    async def upload(self, event: events.UploadEventArguments) -> None:
        """Show a record, or the list of those in the file."""
        try:
            text = (await event.file.read()).decode()
            lines = [line for line in text.split("\n") if line.strip()]
            if not 0 < len(lines) <= limits.RECORDS:
                said = f"expected 1 to {limits.RECORDS} records, one in a line"
                raise ValueError(f"a file of {len(lines)} lines: {said}")
            records = [read_record(line) for line in lines]
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        if len(records) == 1:
            await self.open(records[0])
            return
        self.found.clear()
        with self.found:
            for number, record in enumerate(records, 1):
                link = ui.button(told(str(number), record), color=None)
                link.props("flat no-caps dense").classes("lx-second")
                link.on("click", lambda _, one=record: self.open(one))

    async def open(self, record: Record) -> None:
        """Show the match of a record."""
        try:
            table = await self.hall.recorded(record)
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        ui.navigate.to(f"/watch/match/{table.id}")
