"""A tournament: choose agents, follow the table and the ratings, open any match."""

import html

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.core.rules import Rules, seats, title
from ludex.io.text import many
from ludex.stats import Rating, Tally
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.pages.watch import read_seed, winner_text
from ludex.web.parts.agent_field import AgentsField
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
from ludex.web.state import limits
from ludex.web.state.access import Refused, key_matches
from ludex.web.state.catalogue import agents_for, texts_of, write_rules
from ludex.web.state.server_state import ServerState
from ludex.web.state.tournament_job import TournamentJob, tournament_plan

LAST = 12  # matches listed
MOST = 60  # matches listed of one pair
EMIT_PAIR = (
    "(e) => {const cell = e.target.closest('[data-pair]');"
    " if (cell) emit(cell.dataset.pair.split(' ').map(Number))}"
)


def register(server: ServerState) -> None:
    """Register the pages."""
    game_page(server, "/tournament", show)


def show(server: ServerState, game: str, rules: Rules, query: Query) -> None:
    """Show the form, and a tournament if the address names one."""
    TournamentPage(server, game, rules, query.get("name", ""), query.get("key", ""))


class TournamentPage:
    """The form, beside a tournament."""

    def __init__(self, server: ServerState, game: str, rules: Rules, name: str, key: str) -> None:
        self.server, self.game, self.rules = server, game, rules
        with frame(f"Tournament of {title(rules)}", "/tournament"):
            heading("Tournament")
            lead("Every two agents meet from both sides, with the same luck.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                left = ui.element("div")
                with ui.element("div").classes("lx-side"), sheet():
                    heading("Who takes part", 2)
                    self.form()
            with left:
                if name in server.tournaments:
                    TournamentView(server.tournaments[name], key)
                else:
                    with sheet():
                        heading("Nothing is played yet", 2)
                        ui.label("Pick some agents and start.").classes("lx-soft")

    def form(self) -> None:
        """Add the form."""
        offered = [*agents_for(self.rules), *self.server.trained_agents(self.game)]
        with ui.element("div").classes("lx-form"):
            game_picker(self.server, self.game, "/tournament")
            usual = offered[: max(3, seats(self.rules))]
            self.agents = AgentsField(offered, usual, "agents that take part")
            self.rounds = ui.select([1, 2, 5, 10, 25], value=5, label="rounds")
            self.rounds.props("outlined dense")
            seed = ui.input("seed", placeholder="any").props("outlined dense")
            self.seed = seed.props('inputmode="numeric"')
        with ui.element("div").classes("lx-bar").style("margin-top: 1.1rem"):
            self.button = primary("Start the tournament", self.start, "emoji_events")

    async def start(self) -> None:
        """Start a tournament and open it."""
        names = self.agents.value
        rounds = int(self.rounds.value or 1)
        try:
            check_room(self.server)
            offered = self.server.catalogue[self.game]
            seed = read_seed(self.seed.value)
            plan = tournament_plan(offered, self.rules, names, rounds, seed)
            with busy(self.button):
                made = [
                    await self.server.prepare_agent(self.game, self.rules, one) for one in names
                ]
        except ValueError as error:
            show_error(error)
            return
        plan = plan._replace(agents=tuple(text for text, _ in made))
        job = TournamentJob(plan, names, self.server.workers, self.server.archive)
        self.server.tournaments[job.id] = job
        job.start()
        rules = write_rules(texts_of(self.rules))
        opened = address(f"/tournament/{self.game}", rules=rules, name=job.id, key=job.key)
        ui.navigate.to(opened)


def check_room(server: ServerState) -> None:
    """Raise a ValueError at the limit of running tournaments; drop the oldest finished ones."""
    resting = [name for name, job in server.tournaments.items() if not job.running]
    if len(server.tournaments) - len(resting) >= limits.TOURNAMENTS:
        raise ValueError("enough tournaments go on already; wait for one of them")
    for name in resting[: max(0, len(server.tournaments) + 1 - limits.TOURNAMENTS_KEPT)]:
        del server.tournaments[name]


class TournamentView:
    """A tournament: ratings, cross table, and matches."""

    def __init__(self, job: TournamentJob, key: str) -> None:
        self.job, self.key, self.seen = job, key, -1
        self.mine = key_matches(job.key, key)
        self.pair: tuple[int, int] | None = None  # whose matches are listed; None: the latest
        with sheet():
            heading("Ratings", 2)
            self.status = ui.label().classes("lx-status").props('aria-live="polite"')
            self.ratings = ui.html(sanitize=False).classes("lx-scroll")
            with ui.element("div").classes("lx-bar").style("margin-top: 0.8rem"):
                self.stop_button = secondary("Stop", self.stop, "stop")
            self.place = ui.label().classes("lx-soft lx-small").style("margin-top: 0.8rem")
        with sheet():
            heading("Cross table", 2)
            self.cross = ui.html(sanitize=False).classes("lx-scroll")
            self.cross.props('tabindex=0 role=region aria-label="Cross table"')
            self.cross.on("click", self.list_pair, js_handler=EMIT_PAIR)
            ui.label("A number opens the matches behind it.").classes("lx-soft lx-small")
        with sheet():
            self.listed = heading("The last matches", 2)
            self.matches = ui.element("div").classes("lx-links")
            with ui.element("div").classes("lx-bar").style("margin-top: 0.8rem"):
                number = ui.input("another match").props('outlined dense inputmode="numeric"')
                self.number = number.on("keydown.enter", self.open_match)
                secondary("Open", self.open_match)
                self.all_button = secondary("The last matches", self.list_latest)
        self.show_status()
        ui.timer(0.7, self.refresh)

    def show_status(self) -> None:
        """Show the progress."""
        job = self.job
        done, total = len(job.played), job.total
        state = "running" if job.running else job.words or ("done" if done == total else "stopped")
        self.status.text = f"{done} of {many(total, 'match')}, {state}"
        kept = f"; event {job.event} (ludex history {job.event})" if job.event else ""
        self.place.text = f"Seed {job.plan.seed}{kept}"
        self.stop_button.set_visibility(self.mine and job.running)
        self.all_button.set_visibility(self.pair is not None)

    async def refresh(self) -> None:
        """Show the results since the last refresh."""
        job, done = self.job, len(self.job.played)
        self.show_status()
        if done in (0, self.seen):
            return
        self.seen = done
        stands = await job.standing()
        self.ratings.content = rating_table(job.names, stands.ratings)
        self.cross.content = cross_table_html(job.names, stands.table)
        self.show_matches()

    def list_pair(self, event: GenericEventArguments) -> None:
        """List the matches of the pair in the clicked cell."""
        pair = event.args
        count = range(len(self.job.names))
        if isinstance(pair, list) and len(pair) == 2 and all(one in count for one in pair):
            self.pair = pair[0], pair[1]
            self.show_matches()

    def list_latest(self) -> None:
        """List the latest matches."""
        self.pair = None
        self.show_matches()

    def show_matches(self) -> None:
        """List matches with their winners, the latest first."""
        names, played, pair = self.job.names, self.job.played, self.pair
        if pair is not None:
            played = [match for match in played if {*pair} <= {*match.agents}]
        head = "The last matches" if pair is None else f"{names[pair[0]]} – {names[pair[1]]}"
        self.listed.text = head
        self.all_button.set_visibility(pair is not None)
        self.matches.clear()
        with self.matches:
            for match in reversed(played[-(LAST if pair is None else MOST) :]):
                agents = [names[agent] for agent in match.agents]
                name = f"{self.job.event}/{match.number}"
                said = f"{name}: {' – '.join(agents)}: {winner_text(agents, match.returns)}"
                ui.link(said, f"/watch/record/{name}").classes("lx-small")

    def open_match(self) -> None:
        """Open the match with the number typed, with or without its event."""
        number = str(self.number.value or "").rpartition("/")[2].strip()
        known = {str(match.number) for match in self.job.played}
        if number not in known:
            show_error(f"no match {number[:20]!r} was played: expected 0 to {self.job.total - 1}")
            return
        ui.navigate.to(f"/watch/record/{self.job.event}/{number}")

    def stop(self) -> None:
        """Stop the tournament."""
        try:
            self.job.stop(self.key)
        except Refused as error:
            show_error(error)


def rating_table(names: list[str], ratings: list[Rating]) -> str:
    """Return the ratings as a table."""
    rows = ""
    for place, one in enumerate(ratings, 1):
        name = html.escape(names[one.agent])
        span = f"{one.low:+.0f} to {one.high:+.0f}"
        rows += (
            f"<tr><td>{place}</td><td><b>{name}</b></td><td>{one.elo:+.0f}</td><td>{span}</td></tr>"
        )
    head = "<tr><th></th><th>agent</th><th>Elo</th><th>with 95 % confidence</th></tr>"
    return f'<table class="lx-table">{head}{rows}</table>'


def cross_table_html(agents: list[str], table: list[list[Tally]]) -> str:
    """Return the results of each agent against each other as a table."""
    names = [html.escape(name) for name in agents]
    head = "<tr><th></th>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>"
    rows = ""
    for row, (name, cells) in enumerate(zip(names, table, strict=True)):
        columns = []
        for column, cell in enumerate(cells):
            if not cell.matches:
                columns.append("<td>–</td>")
                continue
            low, high = (f"{100 * end:.0f}" for end in cell.interval)
            columns.append(
                f'<td><button type="button" class="lx-cell" data-pair="{row} {column}"'
                f' title="Matches of {name} and {names[column]}"><b>{100 * cell.share:.0f} %</b>'
                f' <span class="lx-soft lx-small">{low} to {high}<br>{cell.record()}</span>'
                "</button></td>"
            )
        rows += f"<tr><th>{name}</th>{''.join(columns)}</tr>"
    return f'<table class="lx-table">{head}{rows}</table>'
