"""Watch: agents against agents, or any past match."""

from collections.abc import Sequence

from fastapi import Response
from nicegui import ui

from ludex.agents.registry import default_agent
from ludex.core.rules import Rules, seat_name, seats, title
from ludex.io.text import many
from ludex.match.record import Record, read_record
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.pages.viewer import show_match
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.layout import busy, frame, heading, lead, primary, sheet, show_error
from ludex.web.parts.not_found import error_response
from ludex.web.parts.upload import decode_text, file_button
from ludex.web.state import limits
from ludex.web.state.archive import public_record
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import ServerState

LATEST = 12  # stored matches listed
PATIENCE = 20.0  # seconds to wait for a slow store


def register(server: ServerState) -> None:
    """Register the pages."""
    game_page(server, "/watch", show)

    @ui.page("/watch/match/{name}")
    async def match(name: str, ply: str = "") -> Response | None:
        try:
            live = server[name]
        except ValueError as error:
            return error_response(error)
        await show_match(server, live, ply)
        return None

    @ui.page("/watch/record/{event}/{number}", response_timeout=PATIENCE)
    async def record(event: str, number: str, ply: str = "") -> Response | None:
        try:
            live = await server.open_stored(event, number)
        except ValueError as error:
            return error_response(error)
        await show_match(server, live, ply)
        return None


async def show(server: ServerState, game: str, rules: Rules, query: Query) -> None:
    """Show the form, and the latest matches once the browser is connected."""
    form = WatchForm(server, game, rules)
    await ui.context.client.connected()
    await form.list_latest()


def read_seed(text: str | None) -> int | None:
    """Return the seed typed by a visitor; None if there is none."""
    given = (text or "").strip()
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 19):
        raise ValueError(f"seed {given[:20]!r}: expected a whole number of at most 18 digits")
    return int(given)


def winner_text(agents: Sequence[str], returns: Sequence[float]) -> str:
    """Return the result in a few words, with the winning agent's name."""
    best = [seat for seat, worth in enumerate(returns) if worth == max(returns)]
    if len(best) > 1:
        return "a draw"
    winner = agents[best[0]]
    return f"{winner} won" if list(agents).count(winner) == 1 else f"seat {best[0] + 1} won"


def match_line(name: str, record: Record) -> str:
    """Return one line about a match: its players and winner."""
    agents = public_record(record).agents
    return f"{name}: {' – '.join(agents)}: {winner_text(agents, record.returns)}"


class WatchForm:
    """The form: start a match of agents, or open a record."""

    def __init__(self, server: ServerState, game: str, rules: Rules) -> None:
        self.server, self.game, self.rules = server, game, rules
        with frame(f"Watch {title(rules)}", "/watch"):
            heading("Watch")
            lead("Agents play one another; step through their match as it goes on.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                with ui.element("div"), sheet():
                    heading("Agent against agent", 2)
                    with ui.element("div").classes("lx-form"):
                        game_picker(server, game, "/watch")
                        offered = [*agents_for(rules), *server.trained_agents(game)]
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
        """Add the upload of records."""
        heading("A record", 2)
        words = "A match that was saved on its page, or a file of ludex match or history."
        ui.label(words).classes("lx-soft lx-small")
        file_button("Open a record", self.open_file).style("margin-top: 0.8rem")
        self.found = ui.element("div").classes("lx-moves").style("margin-top: 0.8rem")

    def seat(self, seat: int, offered: list[str]) -> AgentField:
        """Return the agent field of a seat."""
        return AgentField(offered, default_agent(self.rules), seat_name(self.rules, seat))

    async def start(self) -> None:
        """Start the match and open it."""
        try:
            seed = read_seed(self.seed.value)
            with busy(self.button):
                live = await self.server.open_match(
                    *(self.game, self.rules, [one.text for one in self.agents], set()), seed=seed
                )
        except ValueError as error:
            show_error(error)
            return
        ui.navigate.to(f"/watch/match/{live.id}")

    async def list_latest(self) -> None:
        """List links to the latest matches."""
        source = self.server.catalogue[self.game].source
        try:
            found = await self.server.archive.latest(source, LATEST)
        except ValueError as error:
            found, words = [], str(error)
        else:
            words = "Nothing yet for this game."
        with self.latest:
            for name, record in found:
                ui.link(match_line(name, record), f"/watch/record/{name}").classes("lx-small")
            if not found:
                ui.label(words).classes("lx-soft lx-small")

    async def open_file(self, name: str, content: bytes) -> None:
        """Show the record in a file, or list them if there are several."""
        try:
            text = decode_text(name, content)
            lines = [line for line in text.split("\n") if line.strip()]
            if not 0 < len(lines) <= limits.RECORDS:
                said = f"expected 1 to {limits.RECORDS} records, one in a line"
                raise ValueError(f"{name} has {many(len(lines), 'line')}: {said}")
            records = [read_record(line) for line in lines]
        except ValueError as error:
            show_error(error)
            return
        if len(records) == 1:
            await self.show_record(records[0])
            return
        self.found.clear()
        with self.found:
            for number, record in enumerate(records, 1):
                link = ui.button(match_line(str(number), record), color=None)
                link.props("flat no-caps dense").classes("lx-second")
                link.on("click", lambda _, one=record: self.show_record(one))

    async def show_record(self, record: Record) -> None:
        """Open a record in the viewer."""
        try:
            live = await self.server.open_record(record)
        except ValueError as error:
            show_error(error)
            return
        ui.navigate.to(f"/watch/match/{live.id}")
