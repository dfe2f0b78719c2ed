"""A job in its own process on a page: status, progress bar, numbers, and controls."""

import contextlib
import json

from nicegui import ui

from ludex.web.parts import layout
from ludex.web.state.access import is_on_server, key_matches
from ludex.web.state.job import ProcessJob
from ludex.web.state.public_text import without_paths


class JobView:
    """What the views of jobs share; the browser stores the key of a job it has started."""

    def __init__(self, job: ProcessJob, key: str, stored_as: str) -> None:
        """Show a job to the holder of a key; `stored_as` names the key in local storage."""
        self.job, self.key, self.stored_as = job, key, json.dumps(stored_as)
        self.on_server = is_on_server(ui.context.client.request)
        if self.mine:
            ui.run_javascript(f"localStorage.setItem({self.stored_as}, {json.dumps(key)})")

    @property
    def mine(self) -> bool:
        """Whether this browser may control the job."""
        return key_matches(self.job.key, self.key)

    @property
    def may_stop(self) -> bool:
        """Whether this browser may stop the job."""
        return self.mine or self.on_server

    async def restore_key(self) -> None:
        """Restore the access key from the browser's storage."""
        asked = f"localStorage.getItem({self.stored_as}) || ''"
        with contextlib.suppress(TimeoutError):
            self.key = str(await ui.run_javascript(asked, timeout=5.0))[:40]
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
        self.status.text = without_paths(layout.capitalize(progress.words))
        self.status.classes(**{"add" if progress.over else "remove": "lx-finished"})
        self.bar.content = bar(progress.share())
        left = progress.left()
        self.numbers.text = numbers + ("" if left is None else f", about {duration(left)} left")

    def refresh(self) -> None:
        """Show the current progress."""
        raise NotImplementedError

    def resume(self) -> None:
        """Resume the job."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ask the job to stop; its results so far are kept."""
        with layout.errors_shown():
            self.job.stop(self.key, self.on_server)


def bar(share: float) -> str:
    """Return a progress bar for a share from 0 to 1."""
    percent = 100.0 * min(max(share, 0.0), 1.0)
    return (
        f'<div class="lx-meter" role="progressbar" aria-label="Progress" aria-valuemin="0"'
        f' aria-valuemax="100" aria-valuenow="{percent:.0f}"><i style="width:{percent:.1f}%"></i>'
        "</div>"
    )


def duration(seconds: float) -> str:
    """Return a duration in a suitable unit."""
    if seconds < 100:
        return f"{seconds:.0f} s"
    if seconds < 6000:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"
