"""Watch: a match that is being played, agents against agents, or any past match."""

from collections.abc import Sequence
from functools import partial

from nicegui import ui

from ludex.agents.registry import default_agent
from ludex.core.rules import seat_name, seats, title
from ludex.io.text import many
from ludex.match.record import Record, read_record
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.running_matches import RunningMatches
from ludex.web.parts.upload import decode_text, file_button
from ludex.web.state import limits
from ludex.web.state.archive import public_record
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import ServerState

LATEST = 12  # stored matches listed


def read_seed(text: str | None) -> int | None:
    """Return the seed typed by a visitor; None if there is none."""
    given = (text or "").strip()
    if not given:
        return None
    if not (given.isascii() and given.isdigit() and len(given) < 19):
        raise ValueError(f"seed {given[:20]!r}: expected a whole number of at most 18 digits")
    return int(given)


def read_records(name: str, content: bytes) -> list[Record]:
    """Return the records of an uploaded file; raise a ValueError if it is not one of records."""
    lines = [line for line in decode_text(name, content).split("\n") if line.strip()]
    if not 0 < len(lines) <= limits.RECORDS:
        words = f"expected 1 to {limits.RECORDS} records, one in a line"
        raise ValueError(f"{name} has {many(len(lines), 'line')}: {words}")
    return [read_record(line) for line in lines]


def winner_text(agents: Sequence[str], returns: Sequence[float]) -> str:
    """Return the result in a few words, with the winning agent's name."""
    best = [seat for seat, worth in enumerate(returns) if worth == max(returns)]
    if len(best) > 1:
        return "a draw"
    winner = agents[best[0]]
    return f"{winner} won" if list(agents).count(winner) == 1 else f"seat {best[0] + 1} won"


def match_line(name: str, record: Record) -> str:
    """Return one line about a match: its players, its winner, and when it was played."""
    agents = public_record(record).agents
    when = layout.ago(record.when)
    line = f"{name}: {' – '.join(agents)}: {winner_text(agents, record.returns)}"
    return f"{line}, {when}" if when else line


class WatchForm(GamePage):
    """The running matches, and the form: start a match of agents, or open a record."""

    path = "/watch"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        rules = self.rules
        lead = "Let agents play each other, and step through the match as it goes on."
        with layout.frame(f"Watch {title(rules)}", "/watch", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                with layout.div(), layout.sheet():
                    layout.heading("Agent against agent", 2)
                    with layout.div("lx-form"):
                        self.game_picker()
                        offered = [*agents_for(rules), *server.own_agents(self.game)]
                        usual, check = default_agent(rules), partial(server.check_agent, rules)
                        self.agents = [
                            AgentField(offered, usual, seat_name(rules, seat), check=check)
                            for seat in range(seats(rules))
                        ]
                        self.seed = layout.number_field("seed", placeholder="any")
                    with layout.row("1.1rem"):
                        button = layout.primary("Start the match", self.start, "play_arrow")
                        self.button = button.props("autofocus")
                        self.wait = layout.note()
                with layout.div("lx-side"):
                    with layout.sheet():
                        RunningMatches(server.lobby)
                    with layout.sheet():
                        layout.heading("Played last", 2)
                        self.latest = layout.div("lx-moves").style("max-height: none")
                        self.latest.props('role="group" aria-label="Matches of the store"')
                    with layout.sheet():
                        self.record_form()

    def record_form(self) -> None:
        """Add the upload of records."""
        layout.heading("A record", 2)
        words = "A match saved from its page, or a file from ludex match or ludex history."
        layout.note(words)
        file_button("Open a record", self.open_file).style("margin-top: 0.8rem")
        self.found = layout.div("lx-moves").style("margin-top: 0.8rem")

    async def start(self) -> None:
        """Start the match and open it."""
        agents = [one.text for one in self.agents]
        with layout.errors_shown(), layout.busy(self.button):
            seed = read_seed(self.seed.value)
            tell = layout.compiling_note(self.wait)
            given = self.game, self.rules, agents, set[int]()
            live = await self.server.open_match(*given, seed=seed, tell=tell)
            ui.navigate.to(f"/watch/match/{live.id}")

    async def load(self) -> None:
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
                layout.note(words)

    async def open_file(self, name: str, content: bytes) -> None:
        """Show the record in a file, or list them if there are several."""
        with layout.errors_shown():
            records = read_records(name, content)
            if len(records) == 1:
                await self.show_record(records[0])
                return
            self.found.clear()
            with self.found:
                for number, record in enumerate(records, 1):
                    show = lambda one=record: self.show_record(one)  # noqa: E731
                    layout.secondary(match_line(str(number), record), show).props("dense")

    async def show_record(self, record: Record) -> None:
        """Open a record in the viewer."""
        with layout.errors_shown():
            live = await self.server.open_record(record)
            ui.navigate.to(f"/watch/match/{live.id}")
