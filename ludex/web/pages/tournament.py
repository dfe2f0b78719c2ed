"""A tournament: choose agents and start, or open one that is running or was played."""

import html
import re
from functools import partial
from typing import Any

from nicegui import ui

from ludex.core.rules import seats, title
from ludex.io.text import many
from ludex.tournaments.plan import match_count
from ludex.web.pages.page import GamePage, Query
from ludex.web.pages.tournament_view import TournamentView, scrolling_table
from ludex.web.pages.watch import read_seed
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentsField
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.field_errors import errors_below, field_errors_shown
from ludex.web.parts.html_table import html_table
from ludex.web.state import limits
from ludex.web.state.catalogue import Missing, agents_for, rules_line, write_rules
from ludex.web.state.job import check_room
from ludex.web.state.server_state import ServerState
from ludex.web.state.tournament_job import TournamentJob, stored_tournament, tournament_plan

LISTED = 20  # tournaments
ROUNDS = (1, 2, 5, 10, 25)
NUMBER = re.compile(r"[1-9][0-9]{0,8}")


class TournamentPage(GamePage):
    """The form, beside a tournament or a list of them."""

    path = "/tournament"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        self.query, self.reader = query, BrowserReader(server)
        self.event = query.get("event", "")
        if self.event and not NUMBER.fullmatch(self.event):
            raise Missing("expected the number of an event, such as event=12")
        self.job = self.find_job(query.get("name", ""))
        lead = "Every pair of agents plays from both sides, with the same luck."
        with layout.frame(f"Tournament of {title(self.rules)}", "/tournament", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                self.shown = layout.div()
                with layout.div("lx-side"), layout.sheet():
                    layout.heading("Participants", 2)
                    self.form()
        self.first_values = self.values()
        self.view: TournamentView | None = None
        with self.shown:
            if self.job is not None:
                self.show(self.job)
            else:
                self.list_sheet()

    def find_job(self, name: str) -> TournamentJob | None:
        """Return a tournament of this server run, by its event or name."""
        jobs = self.server.tournaments
        found = [job for job in jobs.values() if self.event and str(job.event) == self.event]
        return found[-1] if found else jobs.get(name)

    def show(self, job: TournamentJob) -> None:
        """Show a tournament, and its participants in the form unless the visitor has edited it."""
        if self.values() == self.first_values:
            self.fill_form(job)
        known = {"event": str(job.event)} if job.event else {"name": job.id}
        texts = self.query.get("key", ""), self.address(**known), self.query.get("pair", "")
        self.view = TournamentView(job, self.reader, partial(self.resume, job), *texts)

    def values(self) -> tuple[Any, ...]:
        """Return what the form says."""
        return self.agents.value, self.rounds.value, self.seed.value

    def fill_form(self, job: TournamentJob) -> None:
        """Fill the form with the participants of a tournament."""
        self.agents.value = job.names
        rounds = max(1, job.plan.matches // max(1, job.plan.seats))
        if rounds not in self.rounds.options:
            self.rounds.set_options([*ROUNDS, rounds])
        self.rounds.value = rounds
        self.seed.value = self.query.get("seed", "")[:20]

    def list_sheet(self) -> None:
        """Add the place for the list of tournaments."""
        with layout.sheet():
            layout.heading("Loading …" if self.event else "Tournaments", 2)
            self.listed = layout.div()

    async def load(self) -> None:
        """Show a tournament of the store, or list those there are."""
        if self.view is not None:
            await self.view.restore_key()
        elif self.event:
            row, played = await self.server.archive.tournament(int(self.event))
            if self.server.catalogue.game_of_record(row.game).name != self.game:
                raise Missing(f"tournament {self.event} is one of another game")
            names = [self.server.programs.public_text(text) for text in row.agents]
            given = self.server.workers, self.server.archive
            self.shown.clear()
            with self.shown:
                self.show(stored_tournament(row, played, names, *given))
        else:
            await self.list_tournaments()

    async def list_tournaments(self) -> None:
        """List the running tournaments and the past ones of all games, newest first."""
        with layout.errors_shown():
            found = await self.server.archive.tournaments(LISTED)
            running = {job.event for job in self.server.tournaments.values() if job.running}
            rows = []
            for row in found:
                try:
                    game = self.server.catalogue.game_of_record(row.game)
                except Missing:
                    continue
                names = [self.server.programs.public_text(text) for text in row.agents]
                rules = write_rules(tuple(row.rules.items()))
                there = layout.address(f"{self.path}/{game.name}", rules=rules, event=str(row.id))
                state = "running" if row.id in running else "done" if row.ended else "stopped"
                cells = (game.title, rules_line(row.rules.items()), ", ".join(names))
                about, changes, who = (html.escape(text) for text in cells)
                rows.append(
                    (
                        f'<a href="{html.escape(there)}">{html.escape(layout.ago(row.began))}</a>',
                        f'{about}<br><span class="lx-soft lx-small">{changes}</span>',
                        who,
                        f"{row.matches}, {state}",
                    )
                )
            with self.listed:
                if rows:
                    head = ("when", "game", "agents", "matches")
                    scrolling_table("Tournaments").content = html_table(head, rows)
                else:
                    words = "None yet. Pick some agents and start."
                    ui.label(words).classes("lx-soft")

    def form(self) -> None:
        """Add the form, with the agents and the rounds of the address."""
        offered = self.participants()
        with layout.div("lx-form"):
            self.game_picker()
            given = [text for text in self.query.get("agents", "").split("|") if text]
            self.agents = AgentsField(
                offered,
                given[: limits.AGENTS] or list(offered)[: max(3, seats(self.rules))],
                "agents that take part",
                lambda text: self.server.check_agent(self.rules, text),
                self.show_count,
            )
            rounds = self.query.get("rounds", "")
            usual = int(rounds) if rounds in map(str, ROUNDS) else 5
            self.rounds = ui.select([*ROUNDS], value=usual, label="rounds")
            self.rounds.props("outlined dense").on_value_change(self.show_count)
            self.seed = layout.number_field("seed", self.query.get("seed", "")[:20], "any")
        self.rules_fields()
        self.count = layout.note().style("margin-top: 0.8rem").props('aria-live="polite"')
        self.show_count()
        with layout.row("0.6rem"):
            self.button = layout.primary("Start the tournament", self.start, "emoji_events")
        self.wait = layout.note().style("margin-top: 0.6rem").props('aria-live="polite"')

    def show_count(self) -> None:
        """Show how many matches the chosen agents and rounds make, or why they cannot play."""
        offered, names = self.server.catalogue[self.game], self.agents.chosen
        try:
            plan = tournament_plan(offered, self.rules, names, int(self.rounds.value or 1), 1)
            self.count.text = f"{many(match_count(plan), 'match')} in all"
        except ValueError as error:
            self.count.text = layout.capitalize(str(error))

    def participants(self) -> dict[str, str]:
        """Return the agents on offer, with captions."""
        own = self.server.own_agents(self.game)
        return agents_for(self.rules) | {text: text for text in own}

    def rules_changed(self) -> None:
        """Offer the agents that can play by the changed rules."""
        self.agents.set_offered(self.participants())
        self.show_count()
        if self.job is None and not self.event:
            ui.navigate.history.replace(self.address())

    async def start(self) -> None:
        """Start a tournament and open it; going back finds the form as it was."""
        if not self.agents.take():
            return
        names = self.agents.value
        rounds = int(self.rounds.value or 1)
        with field_errors_shown(), self.reader.reasons_told(), layout.busy(self.button):
            self.rules = self.rules_form.read()
            opener = await self.reader.opener()
            make_tournament_room(self.server, opener)
            offered = self.server.catalogue[self.game]
            with errors_below(self.seed):
                seed = read_seed(self.seed.value)
            plan = tournament_plan(offered, self.rules, names, rounds, seed)
            plan = plan._replace(agents=await self.prepare(names))
            job = TournamentJob(plan, names, self.server.workers, self.server.archive)
            job.opener = opener
            await job.register()
            self.server.tournaments[job.id] = job
            job.start()
            typed = str(self.seed.value or "").strip()
            if self.view is None:
                back = self.address(agents="|".join(names), rounds=str(rounds), seed=typed)
                ui.navigate.history.replace(back)
            ui.navigate.to(self.address(event=str(job.event), seed=typed, key=job.key))

    async def resume(self, job: TournamentJob) -> None:
        """Play the matches of a tournament that are left, if this browser controls it."""
        with layout.errors_shown(), self.reader.reasons_told():
            if self.view is None or not self.view.on_server:
                job.check(self.view.key if self.view else "")
            make_tournament_room(self.server, job.opener)
            await self.prepare(job.names)
            self.server.tournaments[job.id] = job
            job.start()

    async def prepare(self, names: list[str]) -> tuple[str, ...]:
        """Prepare agents, and say so meanwhile; return their texts for workers."""
        made = []
        try:
            for number, name in enumerate(names, start=1):
                place = f"{number} of {len(names)}"
                self.wait.text = f"Preparing {name} ({place}); compiling may take a while …"
                text, _ = await self.server.prepare_agent(self.game, self.rules, name)
                made.append(text)
        finally:
            self.wait.text = ""
        return tuple(made)


def make_tournament_room(server: ServerState, opener: str) -> None:
    """Drop the oldest finished tournaments; raise a ValueError at the limit of running ones."""
    check_room(server.tournaments.values(), "tournament", limits.TOURNAMENTS, opener)
    resting = [name for name, job in server.tournaments.items() if not job.running]
    for name in resting[: max(0, len(server.tournaments) + 1 - limits.TOURNAMENTS_KEPT)]:
        del server.tournaments[name]
