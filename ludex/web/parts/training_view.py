"""A training on a page: progress, learning curve, table, and controls."""

from typing import Any

from nicegui import ui

from ludex.agents.training import evaluation_opponent
from ludex.analysis.decision_sample import DECISIONS
from ludex.io.text import many
from ludex.web.parts import layout
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.job_view import JobView
from ludex.web.parts.learned_table import table_html
from ludex.web.parts.review import AXIS, BLUE, GREY, ORANGE
from ludex.web.state.catalogue import tournament_agents, write_rules
from ludex.web.state.learned_table import NOTHING_LEARNED, WEIGHTS
from ludex.web.state.public_text import public_agent
from ludex.web.state.server_state import ServerState
from ludex.web.state.start_training import check_training_limit, start_copy, train_on
from ludex.web.state.training_job import Curve, TrainingJob, TrainingProgress


def open_training(job: TrainingJob) -> None:
    """Open the page of a training with its access key."""
    rules = write_rules(job.request.texts)
    there = layout.address(f"/train/{job.game}", rules=rules, lesson=job.name, key=job.key)
    ui.navigate.to(there)


class TrainingView(JobView):
    """A training: progress, learning curve, learned table, and controls."""

    job: TrainingJob

    def __init__(self, server: ServerState, job: TrainingJob, key: str) -> None:
        super().__init__(job, key, f"lx-train-{job.name}")
        self.server, self.reader = server, BrowserReader(server)
        self.points, self.known = -1, NOTHING_LEARNED
        rules = write_rules(job.request.texts)
        with layout.sheet():
            self.add_progress(f"{job.request.learner} learns {server.catalogue[job.game].title}")
            self.chart = ui.echart(curve_chart((), "")).style("width: 100%; height: 20rem")
            self.chart.props('role="img" aria-label="Learning curve"')
            self.lines = layout.note().style("margin-bottom: 0.6rem")
            with layout.row():
                self.add_controls()
                self.more = layout.number_field("more matches", str(job.request.matches))
                self.more.style("max-width: 9rem")
                self.more_button = layout.secondary("Train on", self.train_on, "play_arrow")
                self.copy_button = layout.secondary("Train on from here", self.copy, "fork_right")
                play = layout.address(f"/play/{job.game}", rules=rules, against=job.agent)
                self.play_button = layout.primary("Play against it", play, "sports_esports")
                rivals = tournament_agents(server.catalogue.rules(job.game), job.agent)
                contest = layout.address(f"/tournament/{job.game}", rules=rules, agents=rivals)
                self.contest_button = layout.secondary("Tournament", contest)
                layout.secondary("All trainings", layout.address(f"/train/{job.game}", rules=rules))
            self.about = layout.note().style("margin-top: 0.8rem")
        with layout.sheet():
            layout.heading("What it knows", 2)
            self.table = ui.html(table_html(self.known), sanitize=False)
        self.refresh()

    def refresh(self) -> None:
        """Show the current progress."""
        job, progress = self.job, self.job.progress
        self.show_progress(progress_line(progress))
        self.numbers.set_visibility(not progress.failed)
        self.bar.set_visibility(bool(progress.total))
        there = job.request.path.exists() and not progress.failed
        self.show_controls(there)
        for button in (self.play_button, self.contest_button):
            button.set_visibility(not progress.failed)
            button.set_enabled(there)
        self.about.text = "Nothing was learned." if progress.failed else self.agent_text()
        if len(progress.curve) != self.points:
            self.points = len(progress.curve)
            self.chart.options.clear()
            learner = job.request.learner.partition(":")[0]
            opponent = public_agent(evaluation_opponent(learner, job.request.against))
            self.chart.options.update(curve_chart(progress.curve, opponent))
            self.chart.update()
            self.lines.text = lines_text(progress.curve, opponent)
        if progress.known != self.known:
            self.known = progress.known
            self.table.content = table_html(self.known)

    def show_controls(self, there: bool) -> None:
        """Show the buttons for what this browser may do; `there` tells whether there is a file."""
        job, ended = self.job, not self.job.running and not self.job.progress.failed
        own, other = self.mine and ended, not self.mine and ended and there
        self.stop_button.set_visibility(self.may_stop and job.running)
        self.go_button.set_visibility(own and job.left > 0)
        self.more_button.set_visibility(own and not job.left)
        self.copy_button.set_visibility(other)
        self.more.set_visibility(other or (own and not job.left))

    def agent_text(self) -> str:
        """Return which agent plays from it, and how it can be trained on."""
        job = self.job
        words = f"The agent is {job.agent}; it plays wherever an agent is asked for."
        if not self.mine:
            return f"{words} Train on from here learns on in a copy of it."
        if job.running or not job.left:
            return words
        goal = job.request.matches
        return f"{words} Resume goes on to {goal:,} matches: {job.left:,} are left."

    def resume(self) -> None:
        """Train the matches that are left."""
        with layout.errors_shown():
            check_training_limit(self.server, self.job.opener)
            self.job.resume(self.key)

    def train_on(self) -> None:
        """Train for as many more matches as the field says."""
        with layout.errors_shown():
            train_on(self.server, self.job, self.key, str(self.more.value))

    async def copy(self) -> None:
        """Train on in a copy that belongs to this browser."""
        with layout.errors_shown():
            opener = await self.reader.opener()
            open_training(start_copy(self.server, self.job, str(self.more.value), opener))


def progress_line(progress: TrainingProgress) -> str:
    """Return one line about the progress of a training."""
    goal = f" of {progress.total:,}" if progress.total > progress.done else ""
    noun = "match" if progress.done == 1 and not goal else "matches"
    kind = "pattern" if progress.known.kind == WEIGHTS else "state"
    line = f"{progress.done:,}{goal} {noun}, {many(progress.states, kind)} known"
    speed = (progress.done - progress.first) / max(progress.seconds, 1e-9)
    if progress.over or speed <= 0.0:
        return line
    return f"{line}, {speed:,.{0 if speed >= 10 else 1}f} matches a second"


def lines_text(curve: Curve, opponent: str) -> str:
    """Return what the lines of the chart are, if there are two."""
    if all(best is None for *_, best in curve):
        return ""
    return (
        f"Blue: the share of the points against {opponent}, with its 95 % interval. Dashed orange:"
        f" the share of best moves, by the exact solution of the game, in {DECISIONS} decisions"
        " that stay the same."
    )


def curve_chart(curve: Curve, opponent: str) -> dict[str, Any]:
    """Return a chart of a learning curve with its interval, and of the share of best moves."""
    low = [[max(matches, 1), round(one, 4)] for matches, _, one, _, _ in curve]
    band = [[max(matches, 1), round(high - one, 4)] for matches, _, one, high, _ in curve]
    share = [[max(matches, 1), round(one, 4)] for matches, one, *_ in curve]
    best = [[max(matches, 1), round(one, 4)] for matches, *_, one in curve if one is not None]
    label = "share" if best else f"share against {opponent}"
    edge = {"type": "line", "stack": "band", "symbol": "none", "lineStyle": {"opacity": 0},
            "silent": True, "stackStrategy": "all"}  # fmt: skip
    return {
        "animation": False,
        "grid": {"left": 48, "right": 20, "top": 34, "bottom": 44},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "log", "name": "matches", "nameLocation": "middle", "nameGap": 28,
                  "nameTextStyle": {"color": GREY}, **AXIS},
        "yAxis": {"type": "value", "min": 0, "max": 1, "name": label,
                  "nameTextStyle": {"align": "left", "color": GREY}, **AXIS},
        "series": [
            {**edge, "data": low},
            {**edge, "data": band, "areaStyle": {"color": BLUE, "opacity": 0.18}},
            {"type": "line", "data": share, "symbolSize": 6, "name": "share",
             "lineStyle": {"width": 2.5, "color": BLUE}, "itemStyle": {"color": BLUE}},
            {"type": "line", "data": best, "symbolSize": 6, "name": "best moves",
             "lineStyle": {"width": 2.5, "color": ORANGE, "type": "dashed"},
             "itemStyle": {"color": ORANGE}},
        ],
    }  # fmt: skip
