"""The analysis of a match: its value over time, and the errors."""

import asyncio
from collections.abc import Callable
from itertools import groupby
from typing import Any, NamedTuple

from nicegui import background_tasks, ui

from ludex.core.play import choosers
from ludex.core.rules import seat_name, seats
from ludex.io.text import MINUS, many
from ludex.solve.evaluation import Evaluation
from ludex.web.parts import layout
from ludex.web.parts.fault_filter import Side
from ludex.web.parts.faults import MARKS, NO_FAULTS, Faults, faults_at
from ludex.web.parts.move_list import Go
from ludex.web.parts.numbers import unsigned
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.server_state import ServerState

BLUE = "#2E6FD0"
ORANGE = "#C2571A"
GREY = "#7d879b"  # legible on light and dark
PAUSE = 0.3  # seconds between two looks at a running match
PIN = 34  # pixels; pins of one ply stand side by side
PINS = {"blunder": PIN, "mistake": 28, "slip": 22}  # what is worse is seen first
LOOKING = "Looking for mistakes …"
WITH_MINUS = f"value => String(value).replace('-', '{MINUS}')"
AXIS_NUMBER = f"value => value.toLocaleString('en-US').replace('-', '{MINUS}')"
AXIS = {
    "axisLine": {"lineStyle": {"color": GREY}},
    "axisLabel": {"color": GREY, "hideOverlap": True, ":formatter": AXIS_NUMBER},
    "splitLine": {"lineStyle": {"color": "rgba(125,135,155,.22)"}},
}


class Wanted(NamedTuple):
    """A mistake that is looked for: the next one after a ply, or the last before it."""

    at: int
    step: int
    """1 or -1."""
    side: Side


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
        self.faults = NO_FAULTS
        self.started = False
        self.wanted: Wanted | None = None
        self.judged = 0  # the plies before this one are evaluated
        self.error = ""  # why a position could not be evaluated
        with layout.sheet():
            layout.heading("The whole match", 2)
            with layout.row():
                self.button = layout.secondary("Judge every move", self.start, "query_stats")
                self.summary = layout.note().props('aria-live="polite"')
            self.chart_box = layout.div()

    def start(self) -> None:
        """Evaluate every decision in the background, once."""
        if self.started:
            return
        self.started = True
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
                self.judged = at + 1
                await self.show(number, len(places))

    async def show(self, done: int, total: int) -> None:
        """Show the evaluations so far."""
        self.faults = {
            (one.ply, one.seat): one
            for at, found in sorted(self.found.items())
            for one in faults_at(at, found, self.match.actions_at(at))
        }
        with self.client:
            self.chart.options.clear()
            self.chart.options.update(self.curve())
            self.chart.update()
            self.summary.text = self.tally(done, total)
            self.on_faults(self.faults)
            await self.go_to_wanted()

    async def seek(self, wanted: Wanted) -> None:
        """Go to a mistake; if nothing is evaluated yet, that begins."""
        self.wanted = wanted
        self.start()
        await self.go_to_wanted()
        if self.wanted is not None:
            layout.notify(LOOKING)  # the summary may be off the screen

    async def go_to_wanted(self) -> None:
        """Go to the fault that is looked for, as soon as it is known."""
        if self.wanted is None:
            return
        at, step, side = self.wanted
        plies = [ply for ply, seat in self.faults if seat in side.seats]
        if step > 0:
            found = min((ply for ply in plies if ply > at), default=None)
        else:
            known = all(place < self.judged for place in self.decisions() if place < at)
            found = max((ply for ply in plies if known and ply < at), default=None)
        if found is not None:
            await self.go(found)
        elif self.up_to_date:
            await self.wrap_around(at, step, side, plies)
        elif not plies:
            self.summary.text = LOOKING

    async def wrap_around(self, at: int, step: int, side: Side, plies: list[int]) -> None:
        """Go on from the other end of the match, and say so, or that there is no mistake."""
        self.wanted = None
        if not plies:
            layout.notify(f"No mistake{side.of} in this match")
            return
        found, end = (min(plies), "beginning") if step > 0 else (max(plies), "end")
        only, on = f"No other mistake{side.of}", f"On from the {end}: no more mistakes{side.of}"
        layout.notify(only if found == at else on)
        await self.go(found)

    @property
    def up_to_date(self) -> bool:
        """Whether every decision so far has been evaluated."""
        return all(place < self.judged for place in self.decisions())

    def tally(self, done: int, total: int) -> str:
        """Return the number of errors of each seat."""
        exact = all(one.exact for found in self.found.values() for one in found)
        words = []
        for seat in range(seats(self.match.rules)):
            kinds = [one.kind for one in self.faults.values() if one.seat == seat]
            counted = ", ".join(many(kinds.count(kind), kind) for kind in MARKS)
            words.append(f"{seat_name(self.match.rules, seat)}: {counted}")
        going = "" if done == total else f" ({done} of {total})"
        some = f" Not all could be judged: {self.error}." if self.error else ""
        how = "exact" if exact else "estimated"
        return f"{'; '.join(words)}; {how}{going}. Every point opens its position.{some}"

    def curve(self) -> dict[str, Any]:
        """Return a chart of the value for seat 0 over time, with the bad moves marked."""
        two = seats(self.match.rules) == 2
        points = []
        for at, found in sorted(self.found.items()):
            if two or found[0].seat == 0:
                sign = 1.0 if found[0].seat == 0 else -1.0
                points.append([at, round(sign * found[0].value + 0.0, 4)])
        marks = self.pins(points)
        if self.match.over and points:
            points.append([len(self.match.plies) - 1, round(self.match.returns[0] + 0.0, 4)])
        name = seat_name(self.match.rules, 0)
        return {
            "animation": False,
            # Leaves room above the highest point for its mark and the axis name.
            "grid": {"left": 44, "right": 24, "top": 62, "bottom": 34},
            "tooltip": {"trigger": "axis", ":valueFormatter": WITH_MINUS},
            "xAxis": {"type": "value", "min": 0, "max": max(1, len(self.match.plies) - 1), **AXIS},
            "yAxis": {"type": "value", "min": -1, "max": 1, "name": f"value for {name}", **AXIS,
                      "nameGap": 40, "nameTextStyle": {"align": "left", "color": GREY}},
            "series": [
                {
                    "type": "line", "step": "end", "data": points, "symbolSize": 8,
                    "lineStyle": {"width": 2.5, "color": BLUE}, "itemStyle": {"color": BLUE},
                    "areaStyle": {"color": BLUE, "opacity": 0.12},
                    "markPoint": {"data": marks, "symbol": "pin",
                                  "itemStyle": {"color": ORANGE}, "label": {"color": "#fff"}},
                }
            ],
        }  # fmt: skip

    def pins(self, points: list[list[Any]]) -> list[dict[str, Any]]:
        """Return a pin for each fault, where the curve is at its ply."""
        pins = []
        for ply, faults in groupby(self.faults.values(), lambda one: one.ply):
            height = next((value for at, value in reversed(points) if at <= ply), 0.0)
            for number, one in enumerate(faults):
                who = seat_name(self.match.rules, one.seat)
                pins.append(
                    {
                        "coord": [ply, height],
                        "value": one.mark,
                        "name": f"{who}: {one.kind}, costs {unsigned(one.loss)}",
                        "symbolOffset": [number * PIN, 0],
                        "symbolSize": PINS[one.kind],
                    }
                )
        return pins

    async def on_click(self, event: Any) -> None:
        """Go to the ply of the clicked point or pin."""
        data = event.data["coord"] if isinstance(event.data, dict) else event.data
        if isinstance(data, list) and data and isinstance(data[0], int | float):
            await self.go(int(data[0]))
