"""A training on a page: progress, learning curve, table, and controls."""

import contextlib
import json
from typing import Any

from nicegui import ui

from ludex.agents.training import evaluation_opponent
from ludex.io.text import many
from ludex.web.parts.layout import address, heading, primary, secondary, sheet, show_error
from ludex.web.parts.progress import bar, duration
from ludex.web.parts.review import AXIS, BLUE, GREY
from ludex.web.state.access import Refused, key_matches
from ludex.web.state.catalogue import write_rules
from ludex.web.state.learned_table import WEIGHTS, LearnedTable, table_html
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import public_agent, without_paths
from ludex.web.state.training_job import TrainingJob, TrainingProgress
from ludex.web.state.training_jobs import check_room, start_copy

KEY = "lx-train-"  # prefix of the local storage keys of access keys, by name


def open_training(job: TrainingJob) -> None:
    """Open the page of a training with its access key."""
    rules = write_rules(job.request.texts)
    there = address(f"/train/{job.game}", rules=rules, lesson=job.name, key=job.key)
    ui.navigate.to(there)


class TrainingView:
    """A training: progress, learning curve, learned table, and controls."""

    def __init__(self, server: ServerState, job: TrainingJob, key: str) -> None:
        self.server, self.job, self.key = server, job, key
        self.mine = key_matches(job.key, key)
        self.points, self.known = -1, LearnedTable()
        rules = write_rules(job.request.texts)
        with sheet():
            heading(f"{job.request.learner} learns {server.catalogue[job.game].title}", 2)
            self.status = ui.label().classes("lx-status").props('aria-live="polite"')
            self.bar = ui.html(sanitize=False).style("margin: 0.5rem 0 0.4rem")
            self.numbers = ui.label().classes("lx-soft lx-small")
            self.chart = ui.echart(curve_chart([], "")).style("width: 100%; height: 20rem")
            self.chart.props('role="img" aria-label="Learning curve"')
            with ui.element("div").classes("lx-bar"):
                self.stop_button = secondary("Stop", self.stop, "stop")
                self.go_button = secondary("Go on", self.resume, "play_arrow")
                self.copy_button = secondary("Train on from here", self.copy, "fork_right")
                play = address(f"/play/{job.game}", rules=rules, against=job.agent)
                self.play_button = primary(
                    "Play against it", lambda: ui.navigate.to(play), "sports_esports"
                )
                everything = address(f"/train/{job.game}", rules=rules)
                secondary("All trainings", lambda: ui.navigate.to(everything))
            self.about = ui.label().classes("lx-soft lx-small").style("margin-top: 0.8rem")
        if self.mine:
            stored = f"localStorage.setItem({json.dumps(KEY + job.name)}, {json.dumps(key)})"
            ui.run_javascript(stored)
        with sheet():
            heading("What it knows", 2)
            self.table = ui.html(table_html(self.known), sanitize=False)
        ui.timer(0.4, self.refresh)
        self.refresh()

    async def restore_key(self) -> None:
        """Restore the access key from the browser's storage."""
        asked = f"localStorage.getItem({json.dumps(KEY + self.job.name)}) || ''"
        with contextlib.suppress(TimeoutError):
            self.key = str(await ui.run_javascript(asked, timeout=5.0))[:40]
            self.mine = key_matches(self.job.key, self.key)
            self.refresh()

    def refresh(self) -> None:
        """Show the current progress."""
        job, progress = self.job, self.job.progress
        self.status.text = without_paths(progress.words[:1].upper() + progress.words[1:])
        self.numbers.text = progress_line(progress)
        self.bar.content = "" if progress.words == "kept" else bar(progress.share())
        self.numbers.set_visibility(not progress.failed)
        self.bar.set_visibility(bool(progress.goal))
        there = job.request.path.exists() and not progress.failed
        self.stop_button.set_visibility(self.mine and job.running)
        self.go_button.set_visibility(self.mine and not job.running and not progress.failed)
        self.copy_button.set_visibility(not self.mine and not job.running and there)
        self.play_button.set_visibility(not progress.failed)
        self.play_button.set_enabled(there)
        more = "" if self.mine else " Train on from here learns on in a copy of it."
        self.about.text = (
            "Nothing was learned."
            if progress.failed
            else f"The agent is {job.agent}; it plays wherever an agent is asked for.{more}"
        )
        if len(progress.curve) != self.points:
            self.points = len(progress.curve)
            self.chart.options.clear()
            self.chart.options.update(curve_chart(progress.curve, self.opponent_name()))
            self.chart.update()
        if progress.known != self.known:
            self.known = progress.known
            self.table.content = table_html(self.known)

    def opponent_name(self) -> str:
        """Return the agent it is evaluated against."""
        request = self.job.request
        return public_agent(evaluation_opponent(request.learner.partition(":")[0], request.against))

    def stop(self) -> None:
        """Ask it to stop; the learned table is kept."""
        try:
            self.job.stop(self.key)
        except Refused as error:
            show_error(error)

    def resume(self) -> None:
        """Resume for as many matches again."""
        try:
            check_room(self.server)
            self.job.resume(self.key)
        except ValueError as error:
            show_error(error)

    def copy(self) -> None:
        """Continue in a copy that belongs to this browser."""
        try:
            job = start_copy(self.server, self.job)
        except ValueError as error:
            show_error(error)
            return
        open_training(job)


def progress_line(progress: TrainingProgress) -> str:
    """Return one line about the progress of a training."""
    goal = f" of {progress.goal:,}" if progress.goal > progress.matches else ""
    parts = [
        f"{progress.matches:,}{goal} match{'' if progress.matches == 1 and not goal else 'es'}"
    ]
    noun = "pattern" if progress.known.kind == WEIGHTS else "state"
    parts.append(f"{many(progress.states, noun)} known")
    if not progress.done and progress.speed > 0.0:
        parts.append(f"{progress.speed:,.{0 if progress.speed >= 10 else 1}f} matches a second")
    left = progress.left()
    parts += [] if left is None else [f"about {duration(left)} left"]
    return ", ".join(parts)


def curve_chart(curve: list[tuple[int, float, float, float]], opponent: str) -> dict[str, Any]:
    """Return a chart of a learning curve with its interval."""
    low = [[max(matches, 1), round(one, 4)] for matches, _, one, _ in curve]
    band = [[max(matches, 1), round(high - one, 4)] for matches, _, one, high in curve]
    share = [[max(matches, 1), round(one, 4)] for matches, one, _, _ in curve]
    edge = {"type": "line", "stack": "band", "symbol": "none", "lineStyle": {"opacity": 0},
            "silent": True, "stackStrategy": "all"}  # fmt: skip
    return {
        "animation": False,
        "grid": {"left": 48, "right": 20, "top": 34, "bottom": 44},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "log", "name": "matches", "nameLocation": "middle", "nameGap": 28,
                  "nameTextStyle": {"color": GREY}, **AXIS},
        "yAxis": {"type": "value", "min": 0, "max": 1, "name": f"share against {opponent}",
                  "nameTextStyle": {"align": "left", "color": GREY}, **AXIS},
        "series": [
            {**edge, "data": low},
            {**edge, "data": band, "areaStyle": {"color": BLUE, "opacity": 0.18}},
            {"type": "line", "data": share, "symbolSize": 6, "name": "share",
             "lineStyle": {"width": 2.5, "color": BLUE}, "itemStyle": {"color": BLUE}},
        ],
    }  # fmt: skip
