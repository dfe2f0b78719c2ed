"""Watch: agents against agents, or any past match."""

from collections.abc import Sequence

from fastapi import Response
from nicegui import ui

from ludex.agents.registry import default_agent
from ludex.core.rules import Rules, seat_name, seats, title
from ludex.io.plural import many
from ludex.match.record import Record, read_record
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.pages.viewer import view
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.layout import (
    busy,
    complain,
    frame,
    heading,
    lead,
    primary,
    sheet,
)
from ludex.web.parts.not_found import absent
from ludex.web.parts.upload import as_text, file_button
from ludex.web.state import limits
from ludex.web.state.archive import public
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import Hall
from ludex.web.state.tasks import without_paths

LATEST = 12  # matches of the store in the list
PATIENCE = 20.0  # seconds for a store that is slow


def register(hall: Hall) -> None:
    """Make the pages."""
    game_page(hall, "/watch", choose)

    @ui.page("/watch/match/{name}")
    async def match(name: str, ply: str = "") -> Response | None:
        try:
            live = hall[name]
        except ValueError as error:
            return absent(error)
        await view(hall, live, ply)
        return None

    @ui.page("/watch/record/{event}/{number}", response_timeout=PATIENCE)
    async def record(event: str, number: str, ply: str = "") -> Response | None:
        try:
            live = await hall.stored(event, number)
        except ValueError as error:
            return absent(error)
        await view(hall, live, ply)
        return None


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


def won(agents: Sequence[str], returns: Sequence[float]) -> str:
    """Return in a few words who has won, by the names of the agents."""
    best = [seat for seat, worth in enumerate(returns) if worth == max(returns)]
    if len(best) > 1:
        return "a draw"
    winner = agents[best[0]]
    return f"{winner} won" if list(agents).count(winner) == 1 else f"seat {best[0] + 1} won"


def told(name: str, record: Record) -> str:
    """Return a match in a few words: who met, and who won."""
    agents = public(record).agents
    return f"{name}: {' – '.join(agents)}: {won(agents, record.returns)}"


class Chooser:
    """The form: which agents play, or which record is shown."""

    def __init__(self, hall: Hall, game: str, rules: Rules) -> None:
        self.hall, self.game, self.rules = hall, game, rules
        with frame(f"Watch {title(rules)}", "/watch"):
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
        file_button("Open a record", self.opened).style("margin-top: 0.8rem")
        self.found = ui.element("div").classes("lx-moves").style("margin-top: 0.8rem")

    def seat(self, seat: int, offered: list[str]) -> AgentField:
        """Return the choice of who sits on a seat."""
        return AgentField(offered, default_agent(self.rules), seat_name(self.rules, seat))

    async def start(self) -> None:
        """Let the agents play."""
        try:
            seed = read_seed(self.seed.value)
            with busy(self.button):
                live = await self.hall.open(
                    *(self.game, self.rules, [one.text for one in self.agents], set()),
                    seed=seed,
                )
        except ValueError as error:
            complain(error)
            return
        ui.navigate.to(f"/watch/match/{live.id}")

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

    async def opened(self, name: str, content: bytes) -> None:
        """Show a record, or the list of those in the file."""
        try:
            text = as_text(name, content)
            lines = [line for line in text.split("\n") if line.strip()]
            if not 0 < len(lines) <= limits.RECORDS:
                said = f"expected 1 to {limits.RECORDS} records, one in a line"
                raise ValueError(f"{name} has {many(len(lines), 'line')}: {said}")
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
            live = await self.hall.recorded(record)
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        ui.navigate.to(f"/watch/match/{live.id}")
