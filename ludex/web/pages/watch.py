"""Watch: a match that is being played, agents against agents, or any past match."""

from collections.abc import Sequence

from nicegui import ui

from ludex.agents.registry import default_agent
from ludex.core.rules import seat_name, seats, title
from ludex.io.text import many
from ludex.match.record import Record, read_record
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.field_errors import errors_below, field_errors_shown
from ludex.web.parts.running_matches import RunningMatches
from ludex.web.parts.upload import decode_text, file_button
from ludex.web.state import limits
from ludex.web.state.archive import public_record
from ludex.web.state.catalogue import agents_for
from ludex.web.state.public_text import player_name
from ludex.web.state.server_state import ServerState

SOME = 12  # stored matches listed at first, and with each press of More
ALL = ""  # the filter that shows the matches of all games


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


def winner_text(players: Sequence[str], returns: Sequence[float], seats: Sequence[str] = ()) -> str:
    """Return the result in a few words, with the winner's name; `seats` has those of the seats."""
    best = [seat for seat, worth in enumerate(returns) if worth == max(returns)]
    if len(best) > 1:
        return "a draw"
    (seat,) = best
    if list(players).count(players[seat]) == 1:
        return f"{players[seat]} won"
    return f"{seats[seat] if seats else f'Player {seat + 1}'} won"


def match_line(record: Record, seats: Sequence[str] = ()) -> str:
    """Return one line about a match: its players, its winner, and how long ago it was played."""
    players = [player_name(text) for text in record.agents]
    when = layout.ago(record.when)
    line = f"{' – '.join(players)}: {winner_text(players, record.returns, seats)}"
    return f"{line}, {when}" if when else line


class WatchForm(GamePage):
    """The running matches, and the form: start a match of agents, or open a record."""

    path = "/watch"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        self.reader = BrowserReader(server)
        self.who = query.get("who", "").split("|") if query.get("who") else []
        self.agents: list[AgentField] = []
        lead = "Let agents play each other, and step through the match as it goes on."
        with layout.frame(f"Watch {title(self.rules)}", "/watch", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                with layout.div(), layout.sheet():
                    self.match_form(query.get("seed", ""))
                with layout.div("lx-side"):
                    with layout.sheet():
                        RunningMatches(server.lobby)
                    with layout.sheet():
                        self.recent_list()
                    with layout.sheet():
                        self.record_form()

    def match_form(self, seed: str) -> None:
        """Add the fields of a match of agents."""
        layout.heading("Agent against agent", 2)
        with layout.div("lx-form"):
            self.game_picker()
        self.agents_box = layout.div("lx-form").style("margin-top: 0.9rem")
        self.agent_fields()
        with layout.div("lx-form").style("margin-top: 0.9rem"):
            self.seed = layout.number_field("seed", seed, placeholder="any")
            self.seed.on("blur", self.keep_choice)
        self.rules_fields()
        with layout.row("1.1rem"):
            self.button = layout.primary("Start the match", self.start, "play_arrow")
            self.wait = layout.note()

    def agent_fields(self) -> None:
        """Add a field for the agent of each seat."""
        self.who = [one.text for one in self.agents] or self.who
        chosen, usual = dict(enumerate(self.who)), default_agent(self.rules)
        self.agents_box.clear()
        with self.agents_box:
            self.agents = [
                AgentField(
                    self.offered_agents(),
                    chosen.get(seat) or usual,
                    seat_name(self.rules, seat),
                    check=lambda text: self.server.check_agent(self.rules, text),
                )
                for seat in range(seats(self.rules))
            ]
        for one in self.agents:
            one.on("left", self.keep_choice)
            one.on("taken", self.keep_choice)

    def offered_agents(self) -> list[str]:
        """Return the agents that can play by the rules."""
        return [*agents_for(self.rules), *self.server.own_agents(self.game)]

    def keep_choice(self) -> None:
        """Keep what is chosen in the address, so that it is there again after Back."""
        who = "|".join(one.text for one in self.agents)
        address = self.address(who=who, seed=str(self.seed.value or "").strip())
        ui.navigate.history.replace(address)

    def rules_changed(self) -> None:
        """Offer the agents that can play by the changed rules, in as many fields as needed."""
        if len(self.agents) != seats(self.rules):
            self.agent_fields()
        else:
            for one in self.agents:
                one.set_offered(self.offered_agents())
        self.keep_choice()

    def recent_list(self) -> None:
        """Add the list of stored matches, with a filter by game."""
        layout.heading("Recent matches", 2)
        games = {one.name: one.title for one in self.server.catalogue.games.values()}
        offered = {ALL: "all games", **games}
        self.filter = ui.select(offered, value=self.game, label="show", on_change=self.load)
        self.filter.props("outlined dense").style("margin-bottom: 0.7rem")
        self.recent = ui.element("ul").classes("lx-running").props('aria-label="Stored matches"')
        self.nothing = layout.note()
        self.more = layout.secondary("More", self.show_more, "expand_more").props("dense")
        self.more.set_visibility(False)
        self.listed = SOME

    def record_form(self) -> None:
        """Add the upload of records."""
        layout.heading("Open a saved match", 2)
        words = "A match saved from its page, or a file from ludex match or ludex history."
        layout.note(words)
        file_button("Choose a file", self.open_file).style("margin-top: 0.8rem")
        self.found = layout.div("lx-moves").style("margin-top: 0.8rem")

    async def start(self) -> None:
        """Start the match and open it."""
        agents = [one.text for one in self.agents]
        with field_errors_shown(), self.reader.reasons_told(), layout.busy(self.button):
            self.rules = self.rules_form.read()
            with errors_below(self.seed):
                seed = read_seed(self.seed.value)
            self.keep_choice()
            tell = layout.compiling_note(self.wait)
            given = self.game, self.rules, agents, set[int]()
            opener = await self.reader.opener_with(agents)
            live = await self.server.open_match(*given, seed=seed, tell=tell, opener=opener)
            ui.navigate.to(f"/watch/match/{live.id}")

    async def show_more(self) -> None:
        """Show more of the stored matches."""
        self.listed += SOME
        await self.load()

    async def load(self) -> None:
        """List links to the latest matches, unless others are asked for meanwhile."""
        asked = game, listed = self.filter.value, self.listed
        source = self.server.catalogue[game].source if game else None
        try:
            found = await self.server.archive.latest(source, listed + 1)
            words = "" if found else "Nothing yet for this game." if game else "Nothing yet."
        except ValueError as error:
            found, words = [], str(error)
        if asked != (self.filter.value, self.listed):
            return
        self.nothing.text = words
        self.more.set_visibility(len(found) > listed)
        self.recent.clear()
        with self.recent:
            for name, record in found[:listed]:
                self.recent_row(name, record)

    def recent_row(self, name: str, record: Record) -> None:
        """Add a row about a stored match."""
        game, names = self.game_of(record)
        with ui.element("li"):
            line = f"{game} · {match_line(record, names)}"
            ui.link(line, f"/watch/record/{name}").classes("lx-small")
            layout.note(f"Match {name}, {layout.date_text(record.when)}".removesuffix(", "))

    def game_of(self, record: Record) -> tuple[str, list[str]]:
        """Return the title of the game of a record, and its seats' names if it is offered here."""
        try:
            game = self.server.catalogue.game_of_record(record.game)
            rules = self.server.catalogue.rules(game.name, record.rules)
        except ValueError:  # from a file, or of another version
            return public_record(record).game, []
        return game.title, [seat_name(rules, seat) for seat in range(len(record.agents))]

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
                    layout.secondary(f"{number}: {match_line(record)}", show).props("dense")

    async def show_record(self, record: Record) -> None:
        """Open a record in the viewer."""
        with layout.errors_shown():
            live = await self.server.open_record(record)
            ui.navigate.to(f"/watch/match/{live.id}")
