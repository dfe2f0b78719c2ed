"""The analysis of a match: its value over time, and the errors."""

import asyncio
import math
from collections.abc import Callable
from typing import Any

from nicegui import background_tasks, ui

from ludex.analysis.evaluator import error_name
from ludex.core.play import choosers
from ludex.core.rules import seat_name, seats
from ludex.io.text import many
from ludex.solve.evaluator import Evaluation
from ludex.web.parts import layout
from ludex.web.parts.move_list import Go
from ludex.web.parts.move_log import Faults
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

BLUE = "#2E6FD0"
GREY = "#7d879b"  # legible on light and dark
PAUSE = 0.3  # seconds between two looks at a running match
MARKS = {"blunder": "??", "mistake": "?", "slip": "?!"}  # chess annotation symbols
AXIS = {
    "axisLine": {"lineStyle": {"color": GREY}},
    "axisLabel": {"color": GREY, "hideOverlap": True},
    "splitLine": {"lineStyle": {"color": "rgba(125,135,155,.22)"}},
}


class Review:
    """The panel that evaluates every move of a match on request."""

    def __init__(
        self, server: ServerState, live: LiveMatch, go: Go, on_faults: Callable[[Faults], None]
    ) -> None:
        """Offer the evaluation; `go` shows a ply, `on_faults` receives the bad moves."""
        self.server, self.live, self.match = server, live, live.match
        self.go, self.on_faults = go, on_faults
        self.client = ui.context.client
        self.found: dict[int, list[Evaluation]] = {}
        self.error = ""  # why a position could not be evaluated
        with layout.sheet():
            layout.heading("The whole match", 2)
            with layout.row():
                self.button = layout.secondary("Judge every move", self.start, "query_stats")
                self.summary = layout.note().props('aria-live="polite"')
            self.chart_box = layout.div()

    def start(self) -> None:
        """Evaluate every decision in the background."""
        self.button.disable()
        with self.chart_box:
            self.chart = ui.echart(self.curve(), on_point_click=self.on_click).classes("lx-chart")
            self.chart.props('role="img" aria-label="Value over time"')
        background_tasks.create(self.evaluate_all())

    def decisions(self) -> list[int]:
        """Return the plies with a decision so far."""
        before = enumerate(self.match.plies[:-1])
        return [at for at, ply in before if choosers(self.match.rules, ply.state)]

    async def evaluate_all(self) -> None:
        """Evaluate one decision after another, updating the chart, to the end of the match."""
        number = 0
        while not self.client.is_deleted:
            places = self.decisions()
            if number >= len(places):
                if self.match.over:
                    return
                await asyncio.sleep(PAUSE)
                continue
            at = places[number]
            try:
                self.found[at] = await self.server.evaluations.of(self.live.query(at))
            except ValueError as error:
                self.error = str(error)  # go on with the others
            number += 1
            if (number % 4 == 0 or number == len(places)) and not self.client.is_deleted:
                self.show(number, len(places))

    def show(self, done: int, total: int) -> None:
        """Show the evaluations so far."""
        with self.client:
            self.chart.options.clear()
            self.chart.options.update(self.curve())
            self.chart.update()
            self.summary.text = self.tally(done, total)
            faults = self.faults()
            self.on_faults({(at, seat): (MARKS[kind], kind) for at, seat, _, kind in faults})

    def faults(self) -> list[tuple[int, int, float, str]]:
        """Return the bad moves: ply, seat, loss, and kind."""
        return [
            (at, one.seat, one.loss(action), error_name(one.loss(action)))
            for at, found in sorted(self.found.items())
            for one in found
            for action in [self.match.actions_at(at).get(one.seat, -1)]
            if action >= 0 and not math.isnan(one.loss(action)) and error_name(one.loss(action))
        ]

    def tally(self, done: int, total: int) -> str:
        """Return the number of errors of each seat."""
        exact = all(one.exact for found in self.found.values() for one in found)
        words = []
        for seat in range(seats(self.match.rules)):
            kinds = [kind for _, who, _, kind in self.faults() if who == seat]
            counted = ", ".join(many(kinds.count(kind), kind) for kind in MARKS)
            words.append(f"{seat_name(self.match.rules, seat)}: {counted}")
        going = "" if done == total else f" ({done} of {total})"
        some = f" Not all could be judged: {self.error}." if self.error else ""
        how = "exact" if exact else "estimated"
        return f"{'; '.join(words)}; {how}{going}. Points can be clicked.{some}"

    def curve(self) -> dict[str, Any]:
        """Return a chart of the value for seat 0 over time, with the bad moves marked."""
        two = seats(self.match.rules) == 2
        points = []
        for at, found in sorted(self.found.items()):
            if two or found[0].seat == 0:
                sign = 1.0 if found[0].seat == 0 else -1.0
                points.append([at, round(sign * found[0].value + 0.0, 4)])
        known = dict((at, value) for at, value in points)
        if self.match.over and points:
            points.append([len(self.match.plies) - 1, round(self.match.returns[0] + 0.0, 4)])
        marks = [
            {
                "coord": [at, known[at]],
                "value": MARKS[kind],
                "name": f"{seat_name(self.match.rules, seat)}: {kind}, loses {loss:.2f}",
            }
            for at, seat, loss, kind in self.faults()
            if at in known
        ]
        name = seat_name(self.match.rules, 0)
        return {
            "animation": False,
            # Leaves room above the highest point for its mark and the axis name.
            "grid": {"left": 44, "right": 24, "top": 62, "bottom": 34},
            "tooltip": {"trigger": "axis"},
            "xAxis": {"type": "value", "min": 0, "max": max(1, len(self.match.plies) - 1), **AXIS},
            "yAxis": {"type": "value", "min": -1, "max": 1, "name": f"value for {name}", **AXIS,
                      "nameGap": 40, "nameTextStyle": {"align": "left", "color": GREY}},
            "series": [
                {
                    "type": "line", "step": "end", "data": points, "symbolSize": 8,
                    "lineStyle": {"width": 2.5, "color": BLUE}, "itemStyle": {"color": BLUE},
                    "areaStyle": {"color": BLUE, "opacity": 0.12},
                    "markPoint": {"data": marks, "symbol": "pin", "symbolSize": 34,
                                  "itemStyle": {"color": "#C2571A"}, "label": {"color": "#fff"}},
                }
            ],
        }  # fmt: skip

    async def on_click(self, event: Any) -> None:
        """Go to the ply of the clicked point."""
        data = event.data if isinstance(event.data, list) else event.value
        if isinstance(data, list) and data and isinstance(data[0], int | float):
            await self.go(int(data[0]))
