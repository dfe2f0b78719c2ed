"""A tournament: choose agents, follow the table and the ratings, open any match."""

import html

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.core.rules import Rules, seats, title
from ludex.io.plural import many
from ludex.stats import Cell, Rating
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.pages.watch import read_seed, won
from ludex.web.parts.agent_field import AgentsField
from ludex.web.parts.layout import (
    address,
    busy,
    complain,
    frame,
    heading,
    lead,
    primary,
    secondary,
    sheet,
)
from ludex.web.state import limits
from ludex.web.state.access import Refused, fits
from ludex.web.state.catalogue import agents_for, texts_of, written
from ludex.web.state.server_state import Hall
from ludex.web.state.tournament_job import Contest, ordered

LAST = 12  # matches in the list
MOST = 60  # matches of two agents in the list
CLICKED = (
    "(e) => {const cell = e.target.closest('[data-pair]');"
    " if (cell) emit(cell.dataset.pair.split(' ').map(Number))}"
)


def register(hall: Hall) -> None:
    """Make the pages."""
    game_page(hall, "/tournament", show)


def show(hall: Hall, game: str, rules: Rules, query: Query) -> None:
    """Show the form, and a tournament if the address names one."""
    Arena(hall, game, rules, query.get("name", ""), query.get("key", ""))


class Arena:
    """The form, and the tournament that goes on."""

    def __init__(self, hall: Hall, game: str, rules: Rules, name: str, key: str) -> None:
        self.hall, self.game, self.rules = hall, game, rules
        with frame(f"Tournament of {title(rules)}", "/tournament"):
            heading("Tournament")
            lead("Every two agents meet from both sides, with the same luck.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                left = ui.element("div")
                with ui.element("div").classes("lx-side"), sheet():
                    heading("Who takes part", 2)
                    self.form()
            with left:
                if name in hall.contests:
                    ContestView(hall.contests[name], key)
                else:
                    with sheet():
                        heading("Nothing is played yet", 2)
                        ui.label("Pick some agents and start.").classes("lx-soft")

    def form(self) -> None:
        """Ask who takes part."""
        offered = [*agents_for(self.rules), *self.hall.trainings(self.game)]
        with ui.element("div").classes("lx-form"):
            game_picker(self.hall, self.game, "/tournament")
            usual = offered[: max(3, seats(self.rules))]
            self.agents = AgentsField(offered, usual, "agents that take part")
            self.rounds = ui.select([1, 2, 5, 10, 25], value=5, label="rounds")
            self.rounds.props("outlined dense")
            seed = ui.input("seed", placeholder="any").props("outlined dense")
            self.seed = seed.props('inputmode="numeric"')
        with ui.element("div").classes("lx-bar").style("margin-top: 1.1rem"):
            self.button = primary("Start the tournament", self.start, "emoji_events")

    async def start(self) -> None:
        """Start a tournament and show it."""
        names = self.agents.value
        rounds = int(self.rounds.value or 1)
        try:
            check_room(self.hall)
            offered = self.hall.catalogue[self.game]
            seed = read_seed(self.seed.value)
            plan = ordered(offered, self.rules, names, rounds, seed)
            with busy(self.button):
                made = [await self.hall.agent(self.game, self.rules, one) for one in names]
        except ValueError as error:
            complain(error)
            return
        plan = plan._replace(agents=tuple(text for text, _ in made))
        contest = Contest(plan, names, self.hall.workers, self.hall.archive)
        self.hall.contests[contest.id] = contest
        contest.start()
        rules = written(texts_of(self.rules))
        opened = address(f"/tournament/{self.game}", rules=rules, name=contest.id, key=contest.key)
        ui.navigate.to(opened)


def check_room(hall: Hall) -> None:
    """Raise a ValueError if enough tournaments go on, and forget the oldest that do not."""
    resting = [name for name, contest in hall.contests.items() if not contest.running]
    if len(hall.contests) - len(resting) >= limits.SERIES:
        raise ValueError("enough tournaments go on already; wait for one of them")
    for name in resting[: max(0, len(hall.contests) + 1 - limits.CONTESTS)]:
        del hall.contests[name]


class ContestView:
    """A tournament: ratings, the cross table, the last matches."""

    def __init__(self, contest: Contest, key: str) -> None:
        self.contest, self.key, self.seen = contest, key, -1
        self.mine = fits(contest.key, key)
        self.pair: tuple[int, int] | None = None  # whose matches are listed; the last ones if None
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
            self.cross.on("click", self.clicked, js_handler=CLICKED)
            ui.label("A number opens the matches behind it.").classes("lx-soft lx-small")
        with sheet():
            self.listed = heading("The last matches", 2)
            self.matches = ui.element("div").classes("lx-links")
            with ui.element("div").classes("lx-bar").style("margin-top: 0.8rem"):
                number = ui.input("another match").props('outlined dense inputmode="numeric"')
                self.number = number.on("keydown.enter", self.open)
                secondary("Open", self.open)
                self.all_button = secondary("The last matches", self.all)
        self.tell()
        ui.timer(0.7, self.look)

    def tell(self) -> None:
        """Say how far it is."""
        contest = self.contest
        done, total = len(contest.played), contest.total
        state = (
            "running"
            if contest.running
            else contest.words or ("done" if done == total else "stopped")
        )
        self.status.text = f"{done} of {many(total, 'match')}, {state}"
        kept = f"; event {contest.event} (ludex history {contest.event})" if contest.event else ""
        self.place.text = f"Seed {contest.plan.seed}{kept}"
        self.stop_button.set_visibility(self.mine and contest.running)
        self.all_button.set_visibility(self.pair is not None)

    async def look(self) -> None:
        """Show what has been played since the last time."""
        contest, done = self.contest, len(self.contest.played)
        self.tell()
        if done in (0, self.seen):
            return
        self.seen = done
        stands = await contest.standing()
        self.ratings.content = rating_table(contest.names, stands.ratings)
        self.cross.content = cross_table_html(contest.names, stands.table)
        self.show_matches()

    def clicked(self, event: GenericEventArguments) -> None:
        """List the matches of the two agents of a cell."""
        pair = event.args
        count = range(len(self.contest.names))
        if isinstance(pair, list) and len(pair) == 2 and all(one in count for one in pair):
            self.pair = pair[0], pair[1]
            self.show_matches()

    def all(self) -> None:
        """List the last matches again."""
        self.pair = None
        self.show_matches()

    def show_matches(self) -> None:
        """List matches, the last first, each with who won."""
        names, played, pair = self.contest.names, self.contest.played, self.pair
        if pair is not None:
            played = [match for match in played if {*pair} <= {*match.agents}]
        head = "The last matches" if pair is None else f"{names[pair[0]]} – {names[pair[1]]}"
        self.listed.text = head
        self.all_button.set_visibility(pair is not None)
        self.matches.clear()
        with self.matches:
            for match in reversed(played[-(LAST if pair is None else MOST) :]):
                agents = [names[agent] for agent in match.agents]
                name = f"{self.contest.event}/{match.number}"
                said = f"{name}: {' – '.join(agents)}: {won(agents, match.returns)}"
                ui.link(said, f"/watch/record/{name}").classes("lx-small")

    def open(self) -> None:
        """Open the match whose number was typed, with its event or without."""
        number = str(self.number.value or "").rpartition("/")[2].strip()
        known = {str(match.number) for match in self.contest.played}
        if number not in known:
            complain(f"no match {number[:20]!r} was played: expected 0 to {self.contest.total - 1}")
            return
        ui.navigate.to(f"/watch/record/{self.contest.event}/{number}")

    def stop(self) -> None:
        """Leave the rest unplayed."""
        try:
            self.contest.stop(self.key)
        except Refused as error:
            complain(error)


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


def cross_table_html(agents: list[str], table: list[list[Cell]]) -> str:
    """Return how each agent did against each other one, as a table."""
    names = [html.escape(name) for name in agents]
    head = "<tr><th></th>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>"
    rows = ""
    for row, (name, cells) in enumerate(zip(names, table, strict=True)):
        told = []
        for column, cell in enumerate(cells):
            if cell.share is None:
                told.append("<td>–</td>")
                continue
            low, high = (f"{100 * end:.0f}" for end in cell.interval)
            score = f"{cell.wins}-{cell.draws}-{cell.losses}"
            told.append(
                f'<td><button type="button" class="lx-cell" data-pair="{row} {column}"'
                f' title="Matches of {name} and {names[column]}"><b>{100 * cell.share:.0f} %</b>'
                f' <span class="lx-soft lx-small">{low} to {high}<br>{score}</span></button></td>'
            )
        rows += f"<tr><th>{name}</th>{''.join(told)}</tr>"
    return f'<table class="lx-table">{head}{rows}</table>'
