"""A job on a page: who may control it, its status, progress bar, numbers, and controls."""

import json

from nicegui import ui

from ludex.io.keys import key_matches
from ludex.web.parts import layout
from ludex.web.state.access import is_on_server
from ludex.web.state.job import JobProgress, ProcessJob, ServerJob
from ludex.web.state.public_text import without_paths

HIDE_KEY = """{
  const shown = new URL(location);
  shown.searchParams.delete("key");
  history.replaceState(history.state, "", shown);
}"""
"""Takes the key out of the address, so that the link can be shared without it."""


class ControlledView:
    """What the views of all jobs share; the browser stores the key of a job it has started."""

    def __init__(self, job: ServerJob, key: str, stored_as: str) -> None:
        """Show a job to the holder of a key; `stored_as` names the key in local storage."""
        self.job, self.key, self.stored_as = job, key, json.dumps(stored_as)
        self.on_server = is_on_server(ui.context.client.request)
        if self.mine:
            ui.run_javascript(f"localStorage.setItem({self.stored_as}, {json.dumps(key)})")
        if key:
            ui.run_javascript(HIDE_KEY)

    @property
    def mine(self) -> bool:
        """Whether this browser may control the job."""
        return key_matches(self.job.key, self.key)

    @property
    def may_stop(self) -> bool:
        """Whether this browser may stop the job."""
        return self.mine or self.on_server

    async def restore_key(self) -> None:
        """Restore the access key from the browser's storage, unless it is known."""
        if self.mine:
            return
        kept = await layout.browser_text(f"localStorage.getItem({self.stored_as})")
        self.key = kept[:40]

    def with_host(self, words: str) -> str:
        """Return how a job ended, with the host if the host has stopped it."""
        ended = "stopped by the host" if self.job.stopped_by_host else "stopped"
        return words.replace("stopped", ended, 1) if words.startswith("stopped") else words

    def stop(self) -> None:
        """Ask the job to stop; its results so far are kept."""
        with layout.errors_shown():
            self.job.stop(self.key, self.on_server)


class JobView(ControlledView):
    """A job in its own process."""

    job: ProcessJob

    async def restore_key(self) -> None:
        """Restore the access key from the browser's storage, and show its controls."""
        await super().restore_key()
        self.refresh()

    def add_progress(self, title: str) -> None:
        """Add the heading, the status, the bar and the numbers."""
        layout.heading(title, 2)
        self.status = layout.status()
        self.bar = ui.html(sanitize=False).style("margin: 0.5rem 0 0.4rem")
        self.numbers = layout.note()

    def add_controls(self) -> None:
        """Add the buttons to stop and to resume, and refresh the view from now on."""
        self.stop_button = layout.secondary("Stop", self.stop, "stop")
        self.go_button = layout.secondary("Resume", self.resume, "play_arrow")
        ui.timer(0.4, self.refresh)

    def show_progress(self, numbers: str) -> None:
        """Show the status, the bar, and a line of numbers with the time left."""
        progress = self.job.progress
        self.status.text = without_paths(layout.capitalize(self.with_host(self.job.words)))
        self.status.classes(**{"add" if progress.over else "remove": "lx-finished"})
        self.bar.content = bar(progress.share())
        self.numbers.text = numbers + time_left(progress)

    def refresh(self) -> None:
        """Show the current progress."""
        raise NotImplementedError

    def resume(self) -> None:
        """Resume the job."""
        raise NotImplementedError


def bar(share: float) -> str:
    """Return a progress bar for a share from 0 to 1."""
    percent = 100.0 * min(max(share, 0.0), 1.0)
    return (
        f'<div class="lx-meter" role="progressbar" aria-label="Progress" aria-valuemin="0"'
        f' aria-valuemax="100" aria-valuenow="{percent:.0f}"><i style="width:{percent:.1f}%"></i>'
        "</div>"
    )


def time_left(progress: JobProgress) -> str:
    """Return the end of a line, with the time left if that can be estimated and is not over."""
    left = progress.left()
    return "" if left is None or left < 0.5 else f", about {duration(left)} left"


def duration(seconds: float) -> str:
    """Return a duration in suitable units; from one to ten minutes to ten seconds."""
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    if seconds < 595:
        minutes, tens = divmod(round(seconds / 10), 6)
        return f"{minutes} min {tens}0 s" if tens else f"{minutes} min"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
