"""The lab: the included experiments, the running one, and their reports."""

import contextlib
import html
from collections.abc import Callable

from fastapi import HTTPException, Response
from fastapi.responses import HTMLResponse
from nicegui import app, ui

from ludex.web.parts.layout import (
    address,
    complain,
    frame,
    heading,
    lead,
    primary,
    secondary,
    sheet,
)
from ludex.web.parts.not_found import absent
from ludex.web.parts.progress import bar, duration
from ludex.web.state.access import Refused, fits
from ludex.web.state.experiment_job import SIZES, Laboratory, Study, shelf, studied
from ludex.web.state.experiment_order import Order
from ludex.web.state.server_state import Hall
from ludex.web.state.tasks import without_paths

KINDS = {
    "depths": "one decision by algorithm and depth",
    "agents": "agents against opponents",
    "versus": "all against all",
    "strength": "what a larger budget buys",
    "learning": "learning curves",
    "ablation": "what each part of a search saves",
    "balance": "who wins, and how surely",
    "flips": "where the proven winner changes",
    "mend": "the smallest change that balances",
}
SIZE_WORDS = {"hundredth": "a hundredth", "tenth": "a tenth", "whole": "all"}
BACK = '<main>\n<p><a href="/lab">← The lab</a></p>'
KEY = "lx-lab"  # under which a browser remembers what it may stop


def register(hall: Hall) -> None:
    """Make the pages, and what serves the reports."""
    url = hall.archive.store.engine.url.render_as_string(hide_password=False)
    laboratory = Laboratory(hall.folder, url)
    app.on_shutdown(laboratory.close)

    @ui.page("/lab")
    async def everything(key: str = "", size: str = "") -> None:
        await Shelf(hall, laboratory, "", key, size).fill()

    @ui.page("/lab/{game}")
    async def of_game(game: str, key: str = "", size: str = "") -> Response | None:
        try:
            name = hall.catalogue[game].name
        except ValueError as error:
            return absent(error)
        await Shelf(hall, laboratory, name, key, size).fill()
        return None

    @app.get("/lab/report/{name}", include_in_schema=False)
    def report(name: str) -> HTMLResponse:
        try:
            path = laboratory.page(name)
        except ValueError as error:
            raise HTTPException(404) from error
        if not path.is_file():
            raise HTTPException(404)
        # The page needs nothing else, so it knows no way back by itself.
        return HTMLResponse(path.read_text(encoding="utf-8").replace("<main>", BACK, 1))


class Shelf:
    """The page: what is running, and what could be."""

    def __init__(self, hall: Hall, laboratory: Laboratory, game: str, key: str, size: str) -> None:
        self.hall, self.laboratory, self.game, self.key = hall, laboratory, game, key
        with frame("Lab", "/lab"):
            heading("Lab")
            lead("Experiments end as a page of tables and plots that anyone can repeat.")
            self.running = ui.element("div").style("margin-top: 1.2rem")
            with ui.element("div").classes("lx-bar").style("margin: 1.4rem 0 0.9rem"):
                names = {"": "all games"} | self.games()
                go = lambda event: ui.navigate.to(self.address(event.value))  # noqa: E731
                picker = ui.select(names, value=game, label="game", on_change=go)
                picker.props("outlined dense").style("min-width: 15rem")
                sizes = {size: f"{words} of it" for size, words in SIZE_WORDS.items()}
                wanted = size if size in sizes else "tenth"
                self.size = ui.select(sizes, value=wanted, label="how much")
                self.size.props("outlined dense").style("min-width: 12rem")
                words = "A report says more the more was played. One experiment runs at a time."
                ui.label(words).classes("lx-soft lx-small").style("flex: 1 1 16rem")
            self.list = ui.element("div").classes("lx-shelf")
        self.lay_out()

    def games(self) -> dict[str, str]:
        """Return the titles of the games that have experiments, and of this one."""
        wanted = {*studied(), self.game}
        games = self.hall.catalogue.games.values()
        return {one.name: one.title for one in games if one.name in wanted}

    async def fill(self) -> None:
        """Show what is running, and what each experiment takes, once the browser is there."""
        await ui.context.client.connected()
        if not self.key:
            with contextlib.suppress(TimeoutError):
                asked = ui.run_javascript(f"localStorage.getItem('{KEY}') || ''", timeout=5.0)
                self.key = str(await asked)[:40]
        study = self.laboratory.study
        if study is not None:
            self.show(study)
        try:
            work = self.hall.workers.do_aside(shelf, self.laboratory.url, seconds=60.0)
            self.laboratory.orders = await work
        except ValueError as error:
            complain(without_paths(str(error)))
        if ui.context.client.is_deleted:
            return  # whoever asked has gone
        self.lay_out()

    def lay_out(self) -> None:
        """Show the experiments as far as they are known."""
        self.list.clear()
        with self.list:
            shown = [one for one in self.laboratory.orders if self.game in ("", one.game)]
            for order in shown:
                self.card(order)
            if not shown:
                ui.label("There is no experiment about this game yet.").classes("lx-soft")

    def card(self, order: Order) -> None:
        """Add an experiment: what it asks, what it takes, what can be done with it."""
        with sheet().classes("lx-order"):
            heading(order.title, 2)
            ui.label(order.about).classes("lx-small")
            ui.label(takes(order)).classes("lx-soft lx-small")
            with ui.element("div").classes("lx-bar").style("margin-top: auto"):
                if order.lacks:
                    ui.label(f"Not here: {without_paths(order.lacks)}").classes("lx-small")
                    return
                again = "Go on" if order.state == "begun" else "Start"
                button = secondary(again, lambda: self.start(order), "science")
                button.props(f'aria-label="{again}: {html.escape(order.title)}"')
                for size, name in self.laboratory.reports(order).items():
                    words = "Report" if size == "whole" else f"Report of {SIZE_WORDS[size]}"
                    link = ui.link(words, f"/lab/report/{name}", new_tab=True)
                    link.props(f'aria-label="{words}: {html.escape(order.title)}"')

    def start(self, order: Order) -> None:
        """Start an experiment and show it."""
        try:
            study = self.laboratory.begin(order, str(self.size.value))
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        ui.navigate.to(self.address(self.game, study.key))

    def address(self, game: str, key: str = "") -> str:
        """Return the address of the shelf of a game, on which as much is to be run as on this."""
        path = f"/lab/{game}" if game else "/lab"
        return address(path, key=key, size=str(self.size.value))

    def show(self, study: Study) -> None:
        """Show the experiment that is running, or was the last to run."""
        with self.running:
            StudyView(self.laboratory, study, self.key, self.lay_out)
        if fits(study.key, self.key):
            ui.run_javascript(f"localStorage.setItem('{KEY}', '{study.key}')")


class StudyView:
    """One experiment: how far it is, what it has found, and what can be done with it."""

    def __init__(
        self, laboratory: Laboratory, study: Study, key: str, ended: Callable[[], None]
    ) -> None:
        """Show it; `ended` is called when there is a new report."""
        self.laboratory, self.study, self.key, self.ended = laboratory, study, key, ended
        self.over = study.report.over
        self.mine = fits(study.key, key)
        self.seen: tuple[str, ...] = ()
        with sheet():
            heading(study.title, 2)
            self.status = ui.label().classes("lx-status").props('aria-live="polite"')
            self.bar = ui.html(sanitize=False).style("margin: 0.5rem 0 0.4rem")
            self.numbers = ui.label().classes("lx-soft lx-small")
            self.findings = ui.html(sanitize=False, tag="ol").classes("lx-log lx-findings")
            self.findings.props('tabindex="0" aria-label="What was found out last"')
            with ui.element("div").classes("lx-bar").style("margin-top: 0.9rem"):
                self.stop_button = secondary("Stop", self.stop, "stop")
                self.go_button = secondary("Go on", self.go_on, "play_arrow")
                path = f"/lab/report/{study.name}"
                self.report_button = primary(
                    "Open the report", lambda: ui.navigate.to(path, new_tab=True), "description"
                )
            if not self.mine:
                words = "Somebody else has started it, and only they can stop it."
                ui.label(words).classes("lx-soft lx-small").style("margin-top: 0.7rem")
        self.timer = ui.timer(0.4, self.look)
        self.look()

    def look(self) -> None:
        """Show how far it is."""
        study, report = self.study, self.study.report
        self.status.text = without_paths(report.words[:1].upper() + report.words[1:])
        self.bar.content = bar(report.done / max(report.total, 1))
        left = report.left()
        told = [f"{report.done:,} of {report.total:,} tasks" if report.total else "no tasks yet"]
        spent = duration(report.seconds)
        told += [f"in {spent}" if report.over else f"{spent} so far"]
        told += [] if left is None else [f"about {duration(left)} left"]
        self.numbers.text = ", ".join(told)
        if report.findings != self.seen:
            self.seen = report.findings
            self.findings.content = "".join(f"<li>{html.escape(one)}</li>" for one in self.seen)
        self.findings.set_visibility(bool(self.seen))
        self.stop_button.set_enabled(self.mine)
        self.stop_button.set_visibility(study.running)
        done = report.words == "done"
        if done and not self.over:
            self.over = True
            self.ended()
        self.go_button.set_visibility(report.over and not done)
        self.report_button.set_enabled(done and self.laboratory.page(study.name).is_file())

    def stop(self) -> None:
        """Ask it to stop; what was found out is kept."""
        try:
            self.study.stop(self.key)
        except Refused as error:
            complain(error)

    def go_on(self) -> None:
        """Go on with it where it stopped; whoever does so may stop it again."""
        size = next((one for one in SIZES if self.study.name.endswith(f"-{one}")), "whole")
        source = self.study.wanted.source
        orders = {one.source: one for one in self.laboratory.orders}
        try:
            if source not in orders:
                raise ValueError("this experiment is no longer here")
            study = self.laboratory.begin(orders[source], size)
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        ui.navigate.to(address("/lab", key=study.key, size=size))


def takes(order: Order) -> str:
    """Return in one line what an experiment is and what it takes."""
    said = [f"{order.name}: {KINDS.get(order.kind, order.kind)}"]
    if order.tasks:
        said.append(f"{order.tasks:,} task{'' if order.tasks == 1 else 's'} for all of it")
    if order.timed:
        said.append("one at a time, because time is measured")
    if order.state:
        said.append("all of it is done" if order.state == "finished" else "begun")
    return "; ".join(said)
