"""A tournament on a page: ratings, errors, cross table, and matches."""

import html

from nicegui import ui
from nicegui.events import GenericEventArguments

from ludex.core.termination import BLAMELESS
from ludex.io.text import many, signed
from ludex.stats import Rating, Tally
from ludex.store import Played
from ludex.web.pages.watch import winner_text
from ludex.web.parts import layout
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.html_table import html_table
from ludex.web.parts.job_view import ControlledView, time_left
from ludex.web.parts.numbers import interval_text
from ludex.web.state.catalogue import rules_line
from ludex.web.state.tournament_job import ErrorCounts, Quote, TournamentJob, error_counts

LAST = 12  # matches listed
MOST = 60  # matches listed of one pair
EMIT_PAIR = "(e) => { const found = lx.clicked(e, 'pair'); if (found) emit(found) }"


CROSS_TABLE = (
    "The share of the points with its 95 % interval, and matches won, drawn and lost."
    " Every cell opens its matches."
)


class TournamentView(ControlledView):
    """A tournament: ratings, cross table, and matches."""

    job: TournamentJob

    def __init__(
        self,
        job: TournamentJob,
        reader: BrowserReader,
        resume: layout.Act,
        key: str,
        address: str,
        pair: str = "",
    ) -> None:
        """Show a tournament at an address, with the matches of a pair as 0-2, or the latest."""
        super().__init__(job, key, f"lx-tournament-{job.id}")
        self.reader, self.address, self.seen = reader, address, -1
        self.reader.recognize_later(job.plan.agents, job.began, self.show_anew)
        self.pair = read_pair(pair.split("-"), len(job.names))
        """Whose matches are listed; None: the latest."""
        with layout.sheet():
            layout.heading("Ratings", 2)
            self.status = layout.status()
            self.ratings = scrolling_table("Ratings")
            with layout.row("0.8rem"):
                self.stop_button = layout.secondary("Stop", self.stop, "stop")
                self.go_button = layout.secondary("Resume", resume, "play_arrow")
                layout.secondary("All tournaments", address.partition("?")[0])
            self.place = layout.note().style("margin-top: 0.8rem; overflow-wrap: anywhere")
        with layout.sheet():
            layout.heading("Cross table", 2)
            self.cross = scrolling_table("Cross table")
            self.cross.on("click", self.list_pair, js_handler=EMIT_PAIR)
            layout.note(CROSS_TABLE)
        with layout.sheet() as self.match_sheet:
            self.listed = layout.heading("The last matches", 2)
            self.matches = layout.div("lx-links").style("flex-direction: column")
            with layout.row("0.8rem"):
                number = layout.number_field("match number")
                self.number = number.on("keydown.enter", self.open_match)
                layout.secondary("Open", self.open_match)
                self.all_button = layout.secondary("The last matches", self.list_matches)
        self.show_status()
        ui.timer(0.7, self.refresh)

    async def restore_key(self) -> None:
        """Restore the access key of a tournament that is not over, and show its controls."""
        if self.job.left:
            await super().restore_key()
            self.show_status()

    def show_status(self) -> None:
        """Show the progress."""
        job = self.job
        done, total = len(job.played), job.total
        over = job.words or ("done" if done == total else self.with_host("stopped"))
        state = f"running{time_left(job.progress)}" if job.running else over
        self.status.text = f"{done} of {many(total, 'match')}, {state}"
        kept = f"; stored as event {job.event} (ludex history {job.event})" if job.event else ""
        rules = rules_line(job.plan.rules)
        self.place.text = f"Rules: {rules or 'the usual ones'}; seed {job.plan.seed}{kept}"
        self.stop_button.set_visibility(self.may_stop and job.running)
        self.go_button.set_visibility(self.may_stop and not job.running and bool(job.left))
        self.all_button.set_visibility(self.pair is not None)

    async def refresh(self) -> None:
        """Show the results since the last refresh."""
        job, done = self.job, len(self.job.played)
        self.show_status()
        if done in (0, self.seen):
            return
        self.seen = done
        stands = await job.standing()
        errors = error_counts(stands, self.quote)
        self.ratings.content = rating_table(job.names, stands.ratings, errors)
        order = [one.agent for one in stands.ratings]
        self.cross.content = cross_table_html(job.names, stands.table, order)
        self.show_matches()

    def show_anew(self) -> None:
        """Show all results with the next refresh, as the reader is known by now."""
        self.seen = -1

    def quote(self, agent: int, ending: str, words: str) -> str:
        """Return why an agent forfeited a match, as far as the reader may know."""
        job = self.job
        return self.reader.fault(job.plan.agents[agent], ending, words, job.began)

    def list_pair(self, event: GenericEventArguments) -> None:
        """List the matches of the pair in the clicked cell."""
        numbers = event.args if isinstance(event.args, list) else []
        if pair := read_pair([str(one) for one in numbers], len(self.job.names)):
            self.list_matches(pair)
            to = f"getHtmlElement({self.match_sheet.id}).scrollIntoView({{block: 'start'}})"
            ui.run_javascript(f"setTimeout(() => {to}, 50)")

    def list_matches(self, pair: tuple[int, int] | None = None) -> None:
        """List the matches of a pair, also in the address, or the latest ones."""
        self.pair = pair
        self.show_matches()
        mark = "&" if "?" in self.address else "?"
        query = f"{mark}pair={pair[0]}-{pair[1]}" if pair else ""
        ui.navigate.history.replace(f"{self.address}{query}")

    def show_matches(self) -> None:
        """List matches with their winners, those with the highest numbers first."""
        names, pair = self.job.names, self.pair
        played = sorted(self.job.played, key=lambda match: -match.number)
        if pair is not None:
            played = [match for match in played if {*pair} <= {*match.agents}]
        head = "The last matches" if pair is None else f"{names[pair[0]]} – {names[pair[1]]}"
        self.listed.text = head
        self.all_button.set_visibility(pair is not None)
        self.matches.clear()
        with self.matches:
            for match in played[: LAST if pair is None else MOST]:
                name = f"{self.job.event}/{match.number}"
                with layout.div("lx-small"):
                    ui.link(f"{name}: {match_text(names, match)}", self.match_address(match.number))
                    if forfeit := forfeit_text(names, match, self.quote):
                        ui.label(forfeit).classes("lx-blunder")

    def match_address(self, number: int | str) -> str:
        """Return the address of a match, from where one finds back here."""
        pair = f"{self.pair[0]}-{self.pair[1]}" if self.pair else "all"
        return layout.address(f"/watch/record/{self.job.event}/{number}", pair=pair)

    def open_match(self) -> None:
        """Open the match with the number typed, with or without its event."""
        number = str(self.number.value or "").rpartition("/")[2].strip()
        known = {str(match.number) for match in self.job.played}
        if number not in known:
            layout.show_error(
                f"no match {number[:20]!r}: expected a number from 0 to {self.job.total - 1}"
            )
            return
        ui.navigate.to(self.match_address(number))


def scrolling_table(label: str) -> ui.html:
    """Return the place for a table, with a shadow where it goes on beyond the edge."""
    place = ui.html(sanitize=False).classes("lx-scroll lx-wide").props("tabindex=0 role=region")
    place.props["aria-label"] = label
    return place


def read_pair(texts: list[str], count: int) -> tuple[int, int] | None:
    """Return the numbers of two of the agents; None if the texts are not such numbers."""
    known = {str(number): number for number in range(count)}
    if len(texts) != 2 or not all(text in known for text in texts):
        return None
    return known[texts[0]], known[texts[1]]


def match_text(names: list[str], match: Played) -> str:
    """Return who played a match and who won."""
    agents = [names[agent] for agent in match.agents]
    return f"{' – '.join(agents)}: {winner_text(agents, match.returns)}"


def forfeit_text(names: list[str], match: Played, quote: Quote) -> str:
    """Return which agent forfeited a match, and why; empty if none did."""
    if match.ending in BLAMELESS or match.seat < 0:
        return ""
    agent = match.agents[match.seat]
    return f"{names[agent]} forfeited: {quote(agent, match.ending, match.words)}"


def rating_table(names: list[str], ratings: list[Rating], errors: ErrorCounts) -> str:
    """Return the ratings as a table, with the errors of agents below their names."""
    rows = [
        (
            str(place),
            f"<b>{html.escape(names[one.agent])}</b>{errors_html(*errors.get(one.agent, (0, '')))}",
            signed(one.elo, 0),
            interval_text(one.low, one.high),
        )
        for place, one in enumerate(ratings, 1)
    ]
    return html_table(("", "agent", "Elo", "95 % interval"), rows)


def errors_html(count: int, words: str) -> str:
    """Return how many matches an agent forfeited, and one of its errors."""
    if not count:
        return ""
    said = f"{'for example: ' * (count > 1)}{html.escape(words)}"
    return f'<div class="lx-small lx-blunder"><b>{many(count, "error")}</b>, {said}</div>'


def cross_table_html(agents: list[str], table: list[list[Tally]], order: list[int]) -> str:
    """Return the results of each agent against each other as a table, in an order of agents."""
    names = [html.escape(name) for name in agents]

    def cell_html(row: int, column: int, cell: Tally) -> str:
        if not cell.matches:
            return "–"
        low, high = (f"{100 * end:.0f}" for end in cell.interval)
        return (
            f'<button type="button" class="lx-cell" data-pair="{row} {column}"'
            f' title="Matches of {names[row]} and {names[column]}"><b>{100 * cell.share:.0f} %</b>'
            f' <span class="lx-soft lx-small lx-unbroken">{low} to {high}<br>{cell.record()}</span>'
            "</button>"
        )

    rows = [
        [names[row], *(cell_html(row, column, table[row][column]) for column in order)]
        for row in order
    ]
    return html_table(["", *(names[column] for column in order)], rows, row_heads=True)
