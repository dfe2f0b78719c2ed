"""The lab: the included experiments, the running one, and their reports."""

import functools
import html
from datetime import UTC, datetime

from fastapi import HTTPException
from fastapi.responses import HTMLResponse
from nicegui import app, ui

from ludex.io.text import many
from ludex.web.pages.page import Query
from ludex.web.parts import dialogs, layout
from ludex.web.parts.experiment_view import SIZE_WORDS, ExperimentView
from ludex.web.parts.job_view import duration
from ludex.web.state import experiment_job as jobs
from ludex.web.state.experiment_job import ExperimentJob
from ludex.web.state.experiments import ExperimentEntry
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState

KINDS = {
    "depths": "one decision by algorithm and depth",
    "agents": "agents against opponents",
    "versus": "all against all",
    "strength": "what a larger budget gains",
    "learning": "learning curves",
    "ablation": "what each part of a search saves",
    "balance": "who wins, and how surely",
    "flips": "where the proven winner changes",
    "mend": "the smallest change that balances",
}
RUN_AGAIN = "Run again"
NO_ESTIMATE = (
    "a run at 1 % will tell about how long it takes",
    "how long it takes is not known before a first run",
)
"""Instead of the time of an experiment that was not run here: at a larger size, and at 1 %."""
FOLLOW_INTERVAL = 0.7  # seconds
STATE_WORDS = {"": "", "begun": "not finished", "finished": "finished"}
BACK = """<main>
<script>
const dark = localStorage.getItem("lx-dark");
if (dark !== null) document.documentElement.style.colorScheme = dark === "1" ? "dark" : "light";
</script>
<p><a href="{address}">← Back to the lab</a></p><p class="caption">{made}</p>"""
"""What the lab adds to a report, which is self-contained: the way back, its light or dark, and
when it was made."""


def register_reports(server: ServerState) -> None:
    """Register the route for reports."""

    @app.get("/lab/report/{name}", include_in_schema=False)
    def show_report(name: str) -> HTMLResponse:
        try:
            path = server.laboratory.page(name)
        except ValueError as error:
            raise HTTPException(404) from error
        if not path.is_file():
            raise HTTPException(404)
        when, seconds, *_ = server.laboratory.made(name)
        made = f"Made on {layout.date_text(utc_text(when))}"
        made += "." if seconds is None else f", in {duration(seconds)}."
        size = name.rpartition("-")[2]
        size = size if size in SIZE_WORDS else "whole"
        head = BACK.format(address=layout.address("/lab", size=size), made=made)
        return HTMLResponse(path.read_text(encoding="utf-8").replace("<main>", head, 1))


def utc_text(when: float) -> str:
    """Return a time in seconds since 1970 as text."""
    return datetime.fromtimestamp(when, UTC).isoformat()


class LabPage:
    """The page: the running experiment, and those on offer."""

    def __init__(self, server: ServerState, query: Query) -> None:
        self.server, self.laboratory = server, server.laboratory
        self.view: ExperimentView | None = None
        self.ongoing = False
        self.game = server.catalogue[query["game"]].name if "game" in query else ""
        lead = "Every experiment ends in a report of tables and plots that anyone can reproduce."
        if self.game:
            layout.keep_in_navigation(self.game, "")
        with layout.frame("Lab", "/lab", lead):
            self.running = layout.div().style("margin-top: 1.2rem")
            with layout.row().style("margin: 1.4rem 0 0.9rem"):
                names = {"": "all games"} | self.games()
                go = lambda event: ui.navigate.to(self.address(event.value))  # noqa: E731
                picker = ui.select(names, value=self.game, label="game", on_change=go)
                picker.props("outlined dense").style("min-width: 15rem")
                chosen = query.get("size") if query.get("size") in SIZE_WORDS else "tenth"
                self.size = ui.select(SIZE_WORDS, value=chosen, label="size")
                self.size.props("outlined dense").style("min-width: 12rem")
                self.size.on_value_change(self.size_changed)
                words = "Larger runs give more certain results. One experiment runs at a time."
                layout.note(words).style("flex: 1 1 16rem")
            self.list = layout.div("lx-shelf")
            self.lasting = layout.div()  # for dialogs: the list may be drawn again meanwhile
        if self.laboratory.job is not None:
            self.show_job(self.laboratory.job, query.get("key", ""))
        else:
            self.show_experiments()

    def games(self) -> dict[str, str]:
        """Return the titles of the games with experiments, and of this one."""
        shown = {*jobs.games_with_experiments(), self.game}
        games = self.server.catalogue.games.values()
        return {one.name: one.title for one in games if one.name in shown}

    async def load(self) -> None:
        """Load the key and all details once the browser is connected, and follow what runs."""
        if self.view is not None:
            await self.view.restore_key()
        await self.load_details()
        if not ui.context.client.is_deleted:
            ui.timer(FOLLOW_INTERVAL, self.follow)

    async def load_details(self) -> None:
        """Load the details of all experiments, and show them."""
        with layout.errors_shown():
            self.laboratory.entries = await self.server.workers.do_in_background(
                jobs.list_experiments, self.laboratory.url, seconds=60.0
            )
        if not ui.context.client.is_deleted:
            self.show_experiments()

    async def follow(self) -> None:
        """Show an experiment that was started meanwhile, by anyone, and what has ended."""
        job = self.laboratory.job
        if job is None:
            return
        if self.view is None or self.view.job is not job:
            await self.show_job(job).restore_key()
        elif self.ongoing and not job.running:
            self.ongoing = False
            await self.load_details()

    def show_job(self, job: ExperimentJob, key: str = "") -> ExperimentView:
        """Show an experiment above the others."""
        self.ongoing = job.running
        self.running.clear()
        with self.running:
            self.view = ExperimentView(self.laboratory, job, key, self.begin)
        self.show_experiments()
        return self.view

    def show_experiments(self) -> None:
        """List the experiments with the details loaded so far."""
        self.list.clear()
        with self.list:
            shown = [one for one in self.laboratory.entries if self.game in ("", one.game)]
            for entry in shown:
                self.card(entry, str(self.size.value))
            if not shown:
                ui.label("There is no experiment about this game yet.").classes("lx-soft")

    def size_changed(self) -> None:
        """Show the experiments at the selected size, also in the address."""
        ui.navigate.history.replace(self.address(self.game))
        self.show_experiments()

    def card(self, entry: ExperimentEntry, size: str) -> None:
        """Add an experiment with its description, its state at a size, and controls."""
        reports = self.laboratory.reports(entry)
        with layout.sheet().classes("lx-order"):
            layout.heading(entry.title, 2)
            ui.label(entry.about).classes("lx-small")
            layout.note(f"{entry.name}: {KINDS.get(entry.kind, entry.kind)}")
            if not entry.lacks:
                layout.note(self.size_line(entry, size))
            with layout.row("auto"):
                if entry.lacks:
                    lacks = f"Not available here: {without_paths(entry.lacks)}"
                    ui.label(lacks).classes("lx-small")
                elif self.laboratory.runs(entry, size):
                    ui.label("running").classes("lx-tag lx-exact")
                elif self.laboratory.stopped_by_host(entry, size) and not self.may_resume:
                    ui.label("stopped by the host").classes("lx-tag")
                else:
                    words = start_words(entry, size, size in reports)
                    act = self.run_again if words == RUN_AGAIN else self.begin
                    start = functools.partial(act, entry, size)
                    layout.secondary(words, start, "science", f"{words}: {entry.title}")
                for one, name in reports.items():
                    self.report_link(entry, one, name)

    @property
    def may_resume(self) -> bool:
        """Whether this browser may resume the experiment that is shown above the others."""
        return self.view is not None and self.view.may_stop

    def report_link(self, entry: ExperimentEntry, size: str, name: str) -> None:
        """Add a link to a report, with its age."""
        words = "Report" if size == "whole" else f"Report of {SIZE_WORDS[size]}"
        with layout.div("lx-report"):
            link = ui.link(words, f"/lab/report/{name}")
            link.props(f'aria-label="{words}: {html.escape(entry.title)}"')
            layout.note(layout.ago(utc_text(self.laboratory.made(name)[0])))

    def size_line(self, entry: ExperimentEntry, size: str) -> str:
        """Return the tasks at a size, its state, and how long it took or may take."""
        if size not in entry.sizes:
            return "Loading …"
        details = entry.sizes[size]
        timed = ", one at a time because time is measured" if entry.timed else ""
        words = [many(details.tasks, "task") + timed, STATE_WORDS[details.state]]
        name = self.laboratory.reports(entry).get(size)
        took = self.laboratory.made(name)[1] if name else None
        estimate = self.laboratory.estimate(entry, size)
        if took is not None:
            words.append(f"the last run took {duration(took)}")
        elif estimate is not None and details.state != "finished":
            seconds, run = estimate
            words.append(f"about {duration(seconds)}, judging by the {SIZE_WORDS[run]} run")
        elif not details.state:
            words.append(NO_ESTIMATE[size == "hundredth"])
        return "; ".join(filter(None, words))

    async def run_again(self, entry: ExperimentEntry, size: str) -> None:
        """Start a finished experiment afresh, if that is confirmed."""
        words = f"The results and the report of {entry.title!r} at this size will be replaced."
        with self.lasting:
            if await dialogs.ask("Run it again?", words, RUN_AGAIN):
                self.begin(entry, size, fresh=True)

    def begin(self, entry: ExperimentEntry, size: str, fresh: bool = False) -> None:
        """Start or resume an experiment, and show it; this browser may then stop it."""
        with self.lasting, layout.errors_shown():
            job = self.laboratory.begin(entry, size, fresh)
            self.show_job(job, job.key)
            ui.run_javascript("scrollTo({ top: 0 })")

    def address(self, game: str) -> str:
        """Return the address of this page for another game, with the same size selected."""
        path = f"/lab/{game}" if game else "/lab"
        return layout.address(path, size=str(self.size.value))


def start_words(entry: ExperimentEntry, size: str, has_report: bool) -> str:
    """Return what starting an experiment at a size does."""
    state = entry.sizes[size].state if size in entry.sizes else ""
    if state == "finished":
        return RUN_AGAIN if has_report else "Write the report"
    return "Resume" if state == "begun" else "Start"
