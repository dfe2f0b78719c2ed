"""A tournament: pick agents, let them meet, see the table and the ratings grow, open any match."""

import html

from nicegui import ui

from ludex.games import title
from ludex.rules import Rules, game_of, initial, position, seats
from ludex.web import limits
from ludex.web.catalogue import agents_for, parsed, texts_of, written
from ludex.web.contest import Contest
from ludex.web.frame import (
    address,
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
from ludex.web.pages.understand import game_picker

LAST = 12  # matches in the list


def register(hall: Hall) -> None:
    """Make the pages."""

    @ui.page("/tournament")
    def first() -> None:
        tournament(next(iter(hall.catalogue.games)))

    @ui.page("/tournament/{game}")
    def tournament(game: str, rules: str = "", name: str = "") -> None:
        try:
            Arena(hall, game, hall.catalogue.rules(game, parsed(rules)), name)
        except ValueError as error:
            nothing_here(str(error))


class Arena:
    """The form, and the tournament that goes on."""

    def __init__(self, hall: Hall, game: str, rules: Rules, name: str) -> None:
        self.hall, self.game, self.rules = hall, game, rules
        with frame(f"Tournament of {title(game_of(rules))}", "/tournament"):
            heading("Tournament")
            lead("Every two agents meet from both sides, with the same luck.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                left = ui.element("div")
                with ui.element("div").classes("lx-side"), sheet():
                    heading("Who takes part", 2)
                    self.form()
            with left:
                if name in hall.contests:
                    ContestView(hall, hall.contests[name])
                else:
                    with sheet():
                        heading("Nothing is played yet", 2)
                        ui.label("Pick some agents and start.").classes("lx-soft")

    def form(self) -> None:
        """Ask who takes part."""
        offered = [*agents_for(self.rules), *self.hall.trainings(self.game)]
        with ui.element("div").classes("lx-form"):
            game_picker(self.hall, self.game, "/tournament")
            agents = ui.select(
                offered, value=offered[: max(3, seats(self.rules))], label="agents", multiple=True,
                with_input=True, new_value_mode="add-unique",
            )  # fmt: skip
            self.agents = agents.props("outlined dense use-chips options-dense")
            self.rounds = ui.select([1, 2, 5, 10, 25], value=5, label="rounds")
            self.rounds.props("outlined dense")
        with ui.element("div").classes("lx-bar").style("margin-top: 1.1rem"):
            self.button = primary("Start the tournament", self.start, "emoji_events")

    async def start(self) -> None:
        """Start a tournament and show it."""
        names = [str(one) for one in self.agents.value]
        rounds = int(self.rounds.value or 1)
        running = sum(contest.running for contest in self.hall.contests.values())
        try:
            if running >= limits.SERIES:
                raise ValueError("enough tournaments go on already; wait or stop one")
            offered = self.hall.catalogue[self.game]
            contest = Contest(offered, self.rules, names, rounds, self.hall.workers)
            with busy(self.button):
                made = [await self.hall.agent(self.game, self.rules, one) for one in names]
        except ValueError as error:
            complain(error)
            return
        while len(self.hall.contests) >= limits.CONTESTS:
            self.hall.contests.pop(next(iter(self.hall.contests))).stop()
        self.hall.contests[contest.id] = contest
        contest.start([text for text, _ in made])
        rules = written(texts_of(self.rules))
        ui.navigate.to(address(f"/tournament/{self.game}", rules=rules, name=contest.id))


class ContestView:
    """A tournament: ratings, the cross table, the last matches."""

    def __init__(self, hall: Hall, contest: Contest) -> None:
        self.hall, self.contest, self.seen = hall, contest, -1
        with sheet():
            heading("Ratings", 2)
            self.status = ui.label().classes("lx-status").props('aria-live="polite"')
            self.ratings = ui.html(sanitize=False).classes("lx-scroll")
            with ui.element("div").classes("lx-bar").style("margin-top: 0.8rem"):
                self.stop_button = secondary("Stop", self.stop, "stop")
        with sheet():
            heading("Cross table", 2)
            self.cross = ui.html(sanitize=False).classes("lx-scroll")
            self.cross.props('tabindex=0 role=region aria-label="Cross table"')
        with sheet():
            heading("The last matches", 2)
            self.matches = ui.element("div").classes("lx-moves").style("max-height: none")
        ui.timer(0.7, self.look)
        self.look()

    def look(self) -> None:
        """Show how far it is."""
        contest = self.contest
        done, total = len(contest.played), len(contest.todo)
        state = (
            "running"
            if contest.running
            else contest.words or ("done" if done == total else "stopped")
        )
        self.status.text = f"{done} of {total} matches, {state}"
        self.stop_button.set_enabled(contest.running)
        if done == self.seen:
            return
        self.seen = done
        self.ratings.content = rating_table(contest)
        self.cross.content = cross_table_html(contest)
        self.matches.clear()
        with self.matches:
            for number in range(done - 1, max(-1, done - 1 - LAST), -1):
                who = " – ".join(contest.names[agent] for agent in contest.played[number].agents)
                link = ui.button(f"{number + 1}: {who}", color=None)
                link.props("flat no-caps dense").classes("lx-second")
                link.on("click", lambda _, at=number: self.open(at))

    def open(self, number: int) -> None:
        """Open a match."""
        contest, meeting = self.contest, self.contest.played[number]
        table = self.hall.recorded(
            {
                "game": contest.game.name,
                "rules": dict(texts_of(contest.rules)),
                "start": position(contest.rules, initial(contest.rules)),
                "agents": [contest.names[agent] for agent in meeting.agents],
                "moves": list(meeting.moves),
                "ending": meeting.ending,
            }
        )
        ui.navigate.to(f"/watch/match/{table.id}")

    def stop(self) -> None:
        """Leave the rest unplayed."""
        self.contest.stop()


def rating_table(contest: Contest) -> str:
    """Return the ratings as a table."""
    rows = ""
    for place, one in enumerate(contest.ratings() if contest.played else [], 1):
        name = html.escape(contest.names[one.agent])
        span = f"{one.low:+.0f} to {one.high:+.0f}"
        rows += (
            f"<tr><td>{place}</td><td><b>{name}</b></td><td>{one.elo:+.0f}</td><td>{span}</td></tr>"
        )
    head = "<tr><th></th><th>agent</th><th>Elo</th><th>with 95 % confidence</th></tr>"
    return f'<table class="lx-table">{head}{rows}</table>'


def cross_table_html(contest: Contest) -> str:
    """Return how each agent did against each other one, as a table."""
    names = [html.escape(name) for name in contest.names]
    head = "<tr><th></th>" + "".join(f"<th>{name}</th>" for name in names) + "</tr>"
    rows = ""
    for name, cells in zip(names, contest.table(), strict=True):
        told = []
        for cell in cells:
            if cell.share is None:
                told.append("<td>–</td>")
                continue
            low, high = (f"{100 * end:.0f}" for end in cell.interval)
            score = f"{cell.wins}-{cell.draws}-{cell.losses}"
            told.append(
                f'<td><b>{100 * cell.share:.0f} %</b> <span class="lx-soft lx-small">'
                f"{low} to {high}<br>{score}</span></td>"
            )
        rows += f"<tr><th>{name}</th>{''.join(told)}</tr>"
    return f'<table class="lx-table">{head}{rows}</table>'
