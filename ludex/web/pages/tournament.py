"""A tournament: choose agents, follow the table and the ratings, open any match."""

import html
import math
from functools import partial

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.core.rules import seats, title
from ludex.io.text import many
from ludex.stats import Rating, Tally
from ludex.web.pages.page import GamePage, Query
from ludex.web.pages.watch import read_seed, winner_text
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentsField
from ludex.web.parts.html_table import html_table
from ludex.web.parts.numbers import signed
from ludex.web.state import limits
from ludex.web.state.access import is_on_server, key_matches
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import ServerState
from ludex.web.state.tournament_job import TournamentJob, tournament_plan

LAST = 12  # matches listed
MOST = 60  # matches listed of one pair
EMIT_PAIR = "(e) => { const found = lx.clicked(e, 'pair'); if (found) emit(found) }"


class TournamentPage(GamePage):
    """The form, beside a tournament."""

    path = "/tournament"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        job = server.tournaments.get(query.get("name", ""))
        lead = "Every two agents meet from both sides, with the same luck."
        with layout.frame(f"Tournament of {title(self.rules)}", "/tournament", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                left = layout.div()
                with layout.div("lx-side"), layout.sheet():
                    layout.heading("Who takes part", 2)
                    self.form()
            with left:
                if job is not None:
                    TournamentView(job, query.get("key", ""))
                else:
                    with layout.sheet():
                        layout.heading("No matches yet", 2)
                        ui.label("Pick some agents and start.").classes("lx-soft")

    def form(self) -> None:
        """Add the form."""
        offered = [*agents_for(self.rules), *self.server.own_agents(self.game)]
        with layout.div("lx-form"):
            self.game_picker()
            usual = offered[: max(3, seats(self.rules))]
            self.agents = AgentsField(
                offered,
                usual,
                "agents that take part",
                partial(self.server.check_agent, self.rules),
            )
            self.rounds = ui.select([1, 2, 5, 10, 25], value=5, label="rounds")
            self.rounds.props("outlined dense")
            self.seed = layout.number_field("seed", placeholder="any")
        with layout.row("1.1rem"):
            self.button = layout.primary("Start the tournament", self.start, "emoji_events")

    async def start(self) -> None:
        """Start a tournament and open it."""
        names = self.agents.value
        rounds = int(self.rounds.value or 1)
        with layout.errors_shown(), layout.busy(self.button):
            check_tournament_limit(self.server)
            offered = self.server.catalogue[self.game]
            seed = read_seed(self.seed.value)
            plan = tournament_plan(offered, self.rules, names, rounds, seed)
            made = [await self.server.prepare_agent(self.game, self.rules, one) for one in names]
            plan = plan._replace(agents=tuple(text for text, _ in made))
            job = TournamentJob(plan, names, self.server.workers, self.server.archive)
            self.server.tournaments[job.id] = job
            job.start()
            ui.navigate.to(self.address(name=job.id, key=job.key))


def check_tournament_limit(server: ServerState) -> None:
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
        self.on_server = is_on_server(ui.context.client.request)
        self.may_stop = self.on_server or key_matches(job.key, key)
        self.pair: tuple[int, int] | None = None  # whose matches are listed; None: the latest
        with layout.sheet():
            layout.heading("Ratings", 2)
            self.status = layout.status()
            self.ratings = ui.html(sanitize=False).classes("lx-scroll")
            with layout.row("0.8rem"):
                self.stop_button = layout.secondary("Stop", self.stop, "stop")
            self.place = layout.note().style("margin-top: 0.8rem")
        with layout.sheet():
            layout.heading("Cross table", 2)
            self.cross = ui.html(sanitize=False).classes("lx-scroll")
            self.cross.props('tabindex=0 role=region aria-label="Cross table"')
            self.cross.on("click", self.list_pair, js_handler=EMIT_PAIR)
            layout.note("Every number opens its matches.")
        with layout.sheet():
            self.listed = layout.heading("The last matches", 2)
            self.matches = layout.div("lx-links")
            with layout.row("0.8rem"):
                number = layout.number_field("another match")
                self.number = number.on("keydown.enter", self.open_match)
                layout.secondary("Open", self.open_match)
                self.all_button = layout.secondary("The last matches", self.list_latest)
        self.show_status()
        ui.timer(0.7, self.refresh)

    def show_status(self) -> None:
        """Show the progress."""
        job = self.job
        done, total = len(job.played), job.total
        state = "running" if job.running else job.words or ("done" if done == total else "stopped")
        self.status.text = f"{done} of {many(total, 'match')}, {state}"
        self.status.classes(**{"remove" if job.running else "add": "lx-finished"})
        kept = f"; event {job.event} (ludex history {job.event})" if job.event else ""
        self.place.text = f"Seed {job.plan.seed}{kept}"
        self.stop_button.set_visibility(self.may_stop and job.running)
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
                words = f"{name}: {' – '.join(agents)}: {winner_text(agents, match.returns)}"
                ui.link(words, f"/watch/record/{name}").classes("lx-small")

    def open_match(self) -> None:
        """Open the match with the number typed, with or without its event."""
        number = str(self.number.value or "").rpartition("/")[2].strip()
        known = {str(match.number) for match in self.job.played}
        if number not in known:
            layout.show_error(
                f"no match {number[:20]!r} was played: expected 0 to {self.job.total - 1}"
            )
            return
        ui.navigate.to(f"/watch/record/{self.job.event}/{number}")

    def stop(self) -> None:
        """Stop the tournament."""
        with layout.errors_shown():
            self.job.stop(self.key, self.on_server)


def rating_table(names: list[str], ratings: list[Rating]) -> str:
    """Return the ratings as a table."""
    rows = [
        (
            str(place),
            f"<b>{html.escape(names[one.agent])}</b>",
            signed(one.elo, 0),
            interval_text(one.low, one.high),
        )
        for place, one in enumerate(ratings, 1)
    ]
    return html_table(("", "agent", "Elo", "with 95 % confidence"), rows)


def interval_text(low: float, high: float) -> str:
    """Return the confidence interval of a rating."""
    if math.isinf(low) or math.isinf(high):
        return "not known yet"
    return f"{signed(low, 0)} to {signed(high, 0)}"


def cross_table_html(agents: list[str], table: list[list[Tally]]) -> str:
    """Return the results of each agent against each other as a table."""
    names = [html.escape(name) for name in agents]

    def cell_html(row: int, column: int, cell: Tally) -> str:
        if not cell.matches:
            return "–"
        low, high = (f"{100 * end:.0f}" for end in cell.interval)
        return (
            f'<button type="button" class="lx-cell" data-pair="{row} {column}"'
            f' title="Matches of {names[row]} and {names[column]}"><b>{100 * cell.share:.0f} %</b>'
            f' <span class="lx-soft lx-small">{low} to {high}<br>{cell.record()}</span>'
            "</button>"
        )

    rows = [
        [names[row], *(cell_html(row, column, cell) for column, cell in enumerate(cells))]
        for row, cells in enumerate(table)
    ]
    return html_table(["", *names], rows, row_heads=True)
