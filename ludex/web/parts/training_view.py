"""A training on a page: progress, learning curve, table, and controls."""

import contextlib
import json
from typing import Any

from nicegui import ui

from ludex.agents.training import judge_of
from ludex.io.plural import many
from ludex.web.parts.layout import address, complain, heading, primary, secondary, sheet
from ludex.web.parts.progress import bar, duration
from ludex.web.parts.review import AXIS, BLUE, GREY
from ludex.web.state.access import Refused, fits
from ludex.web.state.catalogue import written
from ludex.web.state.learned_table import WEIGHTS, Knowledge, table_of
from ludex.web.state.server_state import Hall
from ludex.web.state.tasks import shown_agent, without_paths
from ludex.web.state.training_job import Lesson, Report
from ludex.web.state.training_jobs import check_room, train_on

KEY = "lx-train-"  # under which, and the name, a browser remembers what it may stop


def visit(lesson: Lesson) -> None:
    """Go to the page of a training with the key to it."""
    rules = written(lesson.wanted.texts)
    there = address(f"/train/{lesson.game}", rules=rules, lesson=lesson.name, key=lesson.key)
    ui.navigate.to(there)


class LessonView:
    """One training: how far it is, its curve, what it knows, and what can be done with it."""

    def __init__(self, hall: Hall, lesson: Lesson, key: str) -> None:
        self.hall, self.lesson, self.key = hall, lesson, key
        self.mine = fits(lesson.key, key)
        self.points, self.known = -1, Knowledge()
        rules = written(lesson.wanted.texts)
        with sheet():
            heading(f"{lesson.wanted.learner} learns {hall.catalogue[lesson.game].title}", 2)
            self.status = ui.label().classes("lx-status").props('aria-live="polite"')
            self.bar = ui.html(sanitize=False).style("margin: 0.5rem 0 0.4rem")
            self.numbers = ui.label().classes("lx-soft lx-small")
            self.chart = ui.echart(chart([], "")).style("width: 100%; height: 20rem")
            self.chart.props('role="img" aria-label="Learning curve"')
            with ui.element("div").classes("lx-bar"):
                self.stop_button = secondary("Stop", self.stop, "stop")
                self.go_button = secondary("Go on", self.go_on, "play_arrow")
                self.copy_button = secondary("Train on from here", self.copy, "fork_right")
                play = address(f"/play/{lesson.game}", rules=rules, against=lesson.agent)
                self.play_button = primary(
                    "Play against it", lambda: ui.navigate.to(play), "sports_esports"
                )
                everything = address(f"/train/{lesson.game}", rules=rules)
                secondary("All trainings", lambda: ui.navigate.to(everything))
            self.about = ui.label().classes("lx-soft lx-small").style("margin-top: 0.8rem")
        if self.mine:
            stored = f"localStorage.setItem({json.dumps(KEY + lesson.name)}, {json.dumps(key)})"
            ui.run_javascript(stored)
        with sheet():
            heading("What it knows", 2)
            self.table = ui.html(table_of(self.known), sanitize=False)
        ui.timer(0.4, self.look)
        self.look()

    async def claim(self) -> None:
        """Look whether the browser remembers the key, once it is there."""
        asked = f"localStorage.getItem({json.dumps(KEY + self.lesson.name)}) || ''"
        with contextlib.suppress(TimeoutError):
            self.key = str(await ui.run_javascript(asked, timeout=5.0))[:40]
            self.mine = fits(self.lesson.key, self.key)
            self.look()

    def look(self) -> None:
        """Show how far it is."""
        lesson, report = self.lesson, self.lesson.report
        self.status.text = without_paths(report.words[:1].upper() + report.words[1:])
        self.numbers.text = progress(report)
        self.bar.content = "" if report.words == "kept" else bar(report.share())
        self.numbers.set_visibility(not report.failed)
        self.bar.set_visibility(bool(report.goal))
        there = lesson.wanted.path.exists() and not report.failed
        self.stop_button.set_visibility(self.mine and lesson.running)
        self.go_button.set_visibility(self.mine and not lesson.running and not report.failed)
        self.copy_button.set_visibility(not self.mine and not lesson.running and there)
        self.play_button.set_visibility(not report.failed)
        self.play_button.set_enabled(there)
        more = "" if self.mine else " Train on from here learns on in a copy of it."
        self.about.text = (
            "Nothing was learned."
            if report.failed
            else f"The agent is {lesson.agent}; it plays wherever an agent is asked for.{more}"
        )
        if len(report.curve) != self.points:
            self.points = len(report.curve)
            self.chart.options.clear()
            self.chart.options.update(chart(report.curve, self.judge()))
            self.chart.update()
        if report.known != self.known:
            self.known = report.known
            self.table.content = table_of(self.known)

    def judge(self) -> str:
        """Return whom it is measured against."""
        wanted = self.lesson.wanted
        return shown_agent(judge_of(wanted.learner.partition(":")[0], wanted.against))

    def stop(self) -> None:
        """Ask it to stop; what was learned is kept."""
        try:
            self.lesson.stop(self.key)
        except Refused as error:
            complain(error)

    def go_on(self) -> None:
        """Learn as many matches again."""
        try:
            check_room(self.hall)
            self.lesson.go_on(self.key)
        except ValueError as error:
            complain(error)

    def copy(self) -> None:
        """Learn on in a copy, which belongs to whoever asks for it."""
        try:
            lesson = train_on(self.hall, self.lesson)
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        visit(lesson)


def progress(report: Report) -> str:
    """Return in one line how far a training is."""
    goal = f" of {report.goal:,}" if report.goal > report.matches else ""
    told = [f"{report.matches:,}{goal} match{'' if report.matches == 1 and not goal else 'es'}"]
    noun = "pattern" if report.known.kind == WEIGHTS else "state"
    told.append(f"{many(report.states, noun)} known")
    if not report.done and report.speed > 0.0:
        told.append(f"{report.speed:,.{0 if report.speed >= 10 else 1}f} matches a second")
    left = report.left()
    told += [] if left is None else [f"about {duration(left)} left"]
    return ", ".join(told)


def chart(curve: list[tuple[int, float, float, float]], judge: str) -> dict[str, Any]:
    """Return a learning curve with its interval as a chart."""
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
        "yAxis": {"type": "value", "min": 0, "max": 1, "name": f"share against {judge}",
                  "nameTextStyle": {"align": "left", "color": GREY}, **AXIS},
        "series": [
            {**edge, "data": low},
            {**edge, "data": band, "areaStyle": {"color": BLUE, "opacity": 0.18}},
            {"type": "line", "data": share, "symbolSize": 6, "name": "share",
             "lineStyle": {"width": 2.5, "color": BLUE}, "itemStyle": {"color": BLUE}},
        ],
    }  # fmt: skip
