"""The lab: the included experiments, the running one, and their reports."""

import html
from collections.abc import Callable
from datetime import UTC, datetime

from fastapi import HTTPException
from fastapi.responses import HTMLResponse
from nicegui import app, ui

from ludex.io.text import many
from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.job_view import JobView, duration
from ludex.web.state import experiment_job as jobs
from ludex.web.state.experiment_job import ExperimentJob, Laboratory
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
SIZE_WORDS = {"hundredth": "1 %", "tenth": "10 %", "whole": "full"}
BACK = """<main>
<script>
const dark = localStorage.getItem("lx-dark");
if (dark !== null) document.documentElement.style.colorScheme = dark === "1" ? "dark" : "light";
</script>
<p><a href="/lab">← Back to the lab</a></p>"""
"""What the lab adds to a report, which is self-contained: the way back, and its light or dark."""


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
        return HTMLResponse(path.read_text(encoding="utf-8").replace("<main>", BACK, 1))


class LabPage:
    """The page: the running experiment, and those on offer."""

    def __init__(self, server: ServerState, query: Query) -> None:
        self.server, self.laboratory = server, server.laboratory
        self.view: ExperimentView | None = None
        self.game = server.catalogue[query["game"]].name if "game" in query else ""
        lead = "Every experiment ends in a report of tables and plots that anyone can reproduce."
        with layout.frame("Lab", "/lab", lead):
            self.running = layout.div().style("margin-top: 1.2rem")
            with layout.row().style("margin: 1.4rem 0 0.9rem"):
                names = {"": "all games"} | self.games()
                go = lambda event: ui.navigate.to(self.address(event.value))  # noqa: E731
                picker = ui.select(names, value=self.game, label="game", on_change=go)
                picker.props("outlined dense").style("min-width: 15rem")
                chosen = query.get("size") if query.get("size") in SIZE_WORDS else "tenth"
                self.size = ui.select(SIZE_WORDS, value=chosen, label="Size")
                self.size.props("outlined dense").style("min-width: 12rem")
                words = "Larger runs give more certain results. One experiment runs at a time."
                layout.note(words).style("flex: 1 1 16rem")
            self.list = layout.div("lx-shelf")
        if self.laboratory.job is not None:
            key = query.get("key", "")
            with self.running:
                self.view = ExperimentView(
                    self.laboratory, self.laboratory.job, key, self.show_experiments
                )
        self.show_experiments()

    def games(self) -> dict[str, str]:
        """Return the titles of the games with experiments, and of this one."""
        shown = {*jobs.games_with_experiments(), self.game}
        games = self.server.catalogue.games.values()
        return {one.name: one.title for one in games if one.name in shown}

    async def load(self) -> None:
        """Show the running experiment and all details once the browser is connected."""
        if self.view is not None and not self.view.key:
            await self.view.restore_key()
        with layout.errors_shown():
            self.laboratory.entries = await self.server.workers.do_in_background(
                jobs.list_experiments, self.laboratory.url, seconds=60.0
            )
        if ui.context.client.is_deleted:
            return
        self.show_experiments()

    def show_experiments(self) -> None:
        """List the experiments with the details loaded so far."""
        self.list.clear()
        with self.list:
            shown = [one for one in self.laboratory.entries if self.game in ("", one.game)]
            for entry in shown:
                self.card(entry)
            if not shown:
                ui.label("There is no experiment about this game yet.").classes("lx-soft")

    def card(self, entry: ExperimentEntry) -> None:
        """Add an experiment with its description, size, and controls."""
        with layout.sheet().classes("lx-order"):
            layout.heading(entry.title, 2)
            ui.label(entry.about).classes("lx-small")
            layout.note(summary_line(entry))
            with layout.row("auto"):
                if entry.lacks:
                    ui.label(f"Not available here: {without_paths(entry.lacks)}").classes(
                        "lx-small"
                    )
                    return
                again = "Resume" if entry.state == "begun" else "Start"
                label = f"{again}: {entry.title}"
                layout.secondary(again, lambda: self.start(entry), "science", label)
                reports = self.laboratory.reports(entry)
                for size, name in reports.items():
                    words = "Report" if size == "whole" else f"Report of {SIZE_WORDS[size]}"
                    link = ui.link(words, f"/lab/report/{name}", new_tab=True)
                    link.props(f'aria-label="{words}: {html.escape(entry.title)}"')
                    layout.note(self.report_line(name))
            layout.note(self.estimate_line(reports))

    def report_line(self, name: str) -> str:
        """Return when a report was made, and how long that took."""
        when, seconds, _ = self.laboratory.made(name)
        made = layout.ago(datetime.fromtimestamp(when, UTC).isoformat())
        return made if seconds is None else f"{made}, in {duration(seconds)}"

    def estimate_line(self, reports: dict[str, str]) -> str:
        """Return how long the full size would take, estimated from the largest run so far."""
        for size in reversed(jobs.SIZES):
            full = self.laboratory.made(reports[size])[2] if size in reports else None
            if size == "whole" and size in reports:
                return ""
            if full is not None:
                return f"The full size would take about {duration(full)}."
        return ""

    def start(self, entry: ExperimentEntry) -> None:
        """Start an experiment and open it."""
        with layout.errors_shown():
            job = self.laboratory.begin(entry, str(self.size.value))
            ui.navigate.to(self.address(self.game, job.key))

    def address(self, game: str, key: str = "") -> str:
        """Return the address of this page for another game, with the same size selected."""
        path = f"/lab/{game}" if game else "/lab"
        return layout.address(path, key=key, size=str(self.size.value))


class ExperimentView(JobView):
    """An experiment's progress, latest findings, and controls."""

    job: ExperimentJob

    def __init__(
        self, laboratory: Laboratory, job: ExperimentJob, key: str, on_report: Callable[[], None]
    ) -> None:
        """Show the experiment; `on_report` is called when its report is ready."""
        super().__init__(job, key, "lx-lab")
        self.laboratory, self.on_report = laboratory, on_report
        self.over = job.progress.over
        self.seen: tuple[str, ...] = ()
        with layout.sheet():
            self.add_progress(job.title)
            self.findings = ui.html(sanitize=False, tag="ol").classes("lx-log lx-findings")
            self.findings.props('tabindex="0" aria-label="The latest results"')
            with layout.row("0.9rem"):
                self.add_controls()
                path = f"/lab/report/{job.name}"
                self.report_button = layout.primary(
                    "Open the report", lambda: ui.navigate.to(path, new_tab=True), "description"
                )
            whose = "Somebody else started it"
            if not self.on_server:
                whose += "; they or a browser on the server's computer can stop it"
            self.others = layout.note(f"{whose}.").style("margin-top: 0.7rem")
        self.refresh()

    def refresh(self) -> None:
        """Show the current progress."""
        job, progress = self.job, self.job.progress
        counts = f"{progress.done:,} of {progress.total:,} tasks"
        tasks = counts if progress.total else "no tasks yet"
        spent = duration(progress.seconds)
        self.show_progress(f"{tasks}, in {spent}" if progress.over else f"{tasks}, {spent} so far")
        if progress.findings != self.seen:
            self.seen = progress.findings
            self.findings.content = "".join(f"<li>{html.escape(one)}</li>" for one in self.seen)
        self.findings.set_visibility(bool(self.seen))
        self.others.set_visibility(not self.mine)
        self.stop_button.set_enabled(self.may_stop)
        self.stop_button.set_visibility(job.running)
        done = progress.words == "done"
        if done and not self.over:
            self.over = True
            self.on_report()
        self.go_button.set_visibility(progress.over and not done)
        self.report_button.set_enabled(done and self.laboratory.page(job.name).is_file())

    def resume(self) -> None:
        """Resume the experiment; this browser may then stop it."""
        with layout.errors_shown():
            job = self.laboratory.begin(self.job.entry, self.job.size)
            ui.navigate.to(layout.address("/lab", key=job.key, size=job.size))


def summary_line(entry: ExperimentEntry) -> str:
    """Return one line about an experiment: its kind, size, and state."""
    words = [f"{entry.name}: {KINDS.get(entry.kind, entry.kind)}"]
    if entry.tasks:
        words.append(f"{many(entry.tasks, 'task')} at full size")
    if entry.timed:
        words.append("one at a time, because time is measured")
    if entry.state:
        words.append(
            "finished at full size" if entry.state == "finished" else "started at full size"
        )
    return "; ".join(words)
