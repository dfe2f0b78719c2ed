"""An experiment on a page: progress, latest results, and controls."""

import html
from collections.abc import Callable

from nicegui import ui

from ludex.web.parts import layout
from ludex.web.parts.job_view import JobView, duration
from ludex.web.state.experiment_job import ExperimentJob, Laboratory
from ludex.web.state.experiments import ExperimentEntry

SIZE_WORDS = {"hundredth": "1 %", "tenth": "10 %", "whole": "full"}


class ExperimentView(JobView):
    """An experiment's progress, latest findings, and controls."""

    job: ExperimentJob

    def __init__(
        self,
        laboratory: Laboratory,
        job: ExperimentJob,
        key: str,
        begin: Callable[[ExperimentEntry, str], None],
    ) -> None:
        """Show an experiment; `begin` starts it again."""
        super().__init__(job, key, "lx-lab")
        self.laboratory, self.begin = laboratory, begin
        self.seen: tuple[str, ...] = ()
        with layout.sheet():
            self.add_progress(f"{job.title} ({SIZE_WORDS[job.size]})")
            self.findings = ui.html(sanitize=False, tag="ol").classes("lx-log lx-findings")
            self.findings.props('tabindex="0" aria-label="The latest results"')
            with layout.row("0.9rem"):
                self.add_controls()
                path = f"/lab/report/{job.name}"
                self.report_button = layout.primary("Open the report", path, "description")
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
        self.others.set_visibility(job.running and not self.mine)
        self.stop_button.set_enabled(self.may_stop)
        self.stop_button.set_visibility(job.running)
        done = progress.words == "done"
        self.go_button.set_visibility(progress.over and not done and self.may_stop)
        self.report_button.set_enabled(done and self.laboratory.page(job.name).is_file())

    def resume(self) -> None:
        """Resume the experiment; this browser may then stop it."""
        self.begin(self.job.entry, self.job.size)
