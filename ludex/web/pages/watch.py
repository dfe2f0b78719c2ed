"""Watching: agents against agents, or any match, back and forth, with what the moves were worth."""

import asyncio
import json
from typing import Any

from nicegui import background_tasks, events, ui

from ludex.agents import default_agent
from ludex.games import title
from ludex.rules import Rules, game_of, scene, seat_name, seats
from ludex.web import limits
from ludex.web.board import Board
from ludex.web.catalogue import agents_for, parsed, texts_of, written
from ludex.web.frame import (
    address,
    busy,
    complain,
    frame,
    heading,
    lead,
    nothing_here,
    primary,
    secondary,
    sheet,
)
from ludex.web.hall import Hall
from ludex.web.insight import Insight
from ludex.web.pages.match import log_of, shown_agents
from ludex.web.pages.understand import game_picker
from ludex.web.review import Review
from ludex.web.table import Table

TOGETHER = 0.2  # seconds within which new moves are told at once
SPEEDS = {"slow": 1.6, "normal": 0.8, "fast": 0.35}


def register(hall: Hall) -> None:
    """Make the pages."""

    @ui.page("/watch")
    def first() -> None:
        watch(next(iter(hall.catalogue.games)))

    @ui.page("/watch/{game}")
    def watch(game: str, rules: str = "") -> None:
        try:
            Chooser(hall, game, hall.catalogue.rules(game, parsed(rules)))
        except ValueError as error:
            nothing_here(str(error))

    @ui.page("/watch/match/{name}")
    async def viewer(name: str, ply: int = 0) -> None:
        try:
            view = Viewer(hall, hall[name], ply)
        except ValueError as error:
            nothing_here(str(error))
            return
        await ui.context.client.connected()
        await view.explain()


class Chooser:
    """The form: which agents play, or which record is shown."""

    def __init__(self, hall: Hall, game: str, rules: Rules) -> None:
        self.hall, self.game, self.rules = hall, game, rules
        with frame(f"Watch {title(game_of(rules))}", "/watch"):
            heading("Watch")
            lead("Agents play one another; step through their match as it goes on.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                with ui.element("div"), sheet():
                    heading("Agent against agent", 2)
                    with ui.element("div").classes("lx-form"):
                        game_picker(hall, game, "/watch")
                        offered = [*agents_for(rules), *hall.trainings(game)]
                        self.agents = [self.seat(seat, offered) for seat in range(seats(rules))]
                        seed = ui.input("seed", placeholder="any").props("outlined dense")
                        self.seed = seed.props('inputmode="numeric"')
                    with ui.element("div").classes("lx-bar").style("margin-top: 1.1rem"):
                        self.button = primary("Start the match", self.start, "play_arrow")
                        self.button.props("autofocus")
                with ui.element("div").classes("lx-side"), sheet():
                    heading("A record", 2)
                    ui.label("A match that was saved on its page.").classes("lx-soft lx-small")
                    upload = ui.upload(
                        on_upload=self.upload,
                        on_rejected=lambda: complain("expected one file of at most 256 KiB"),
                        max_file_size=limits.BODY,
                        max_files=1,
                        auto_upload=True,
                    )
                    upload.props('accept=".json"').style("display: none")
                    secondary(
                        "Open a record", lambda: upload.run_method("pickFiles"), "upload_file"
                    ).style("margin-top: 0.8rem")

    def seat(self, seat: int, offered: list[str]) -> Any:
        """Return the choice of who sits on a seat."""
        choice = ui.select(
            offered,
            value=default_agent(self.rules),
            label=seat_name(self.rules, seat),
            with_input=True,
            new_value_mode="add-unique",
        )
        return choice.props("outlined dense options-dense")

    async def start(self) -> None:
        """Let the agents play."""
        seed = (self.seed.value or "").strip()
        try:
            if seed and not (seed.isascii() and seed.isdigit() and len(seed) < 20):
                raise ValueError(f"seed {seed[:20]!r}: expected a whole number")
            with busy(self.button):
                table = await self.hall.open(
                    *(self.game, self.rules, [str(one.value) for one in self.agents], set()),
                    seed=int(seed) if seed else None,
                )
        except ValueError as error:
            complain(error)
            return
        ui.navigate.to(f"/watch/match/{table.id}")

    async def upload(self, event: events.UploadEventArguments) -> None:
        """Show a record."""
        try:
            table = self.hall.recorded(json.loads((await event.file.read()).decode()))
        except (ValueError, RecursionError) as error:
            complain(f"not a record: {error}")
            return
        ui.navigate.to(f"/watch/match/{table.id}")


class Viewer:
    """One browser's way through a match."""

    def __init__(self, hall: Hall, table: Table, ply: int) -> None:
        self.hall, self.table = hall, table
        self.at = min(max(ply, 0), len(table.plies) - 1)
        self.client, self.stale, self.following = ui.context.client, False, False
        rules = table.rules
        name = title(game_of(rules))
        with frame(f"Watch {name}", "/watch"):
            with ui.element("div").classes("lx-title"):
                heading(name)
                agents = zip(range(seats(rules)), shown_agents(table), strict=True)
                ui.label(", ".join(f"{seat_name(rules, s)}: {a}" for s, a in agents)).classes(
                    "lx-soft"
                )
            with ui.element("div").classes("lx-play"):
                with ui.element("div"):
                    self.board = Board(
                        *(self.scene(), f"The board of {name}"),
                        on_key=self.pressed,
                        steered=True,
                    )
                    self.transport()
                with ui.element("div").classes("lx-side"):
                    with sheet():
                        self.status = ui.label().classes("lx-status").props('aria-live="polite"')
                        with ui.element("div").classes("lx-bar").style("margin-top: 0.8rem"):
                            secondary("Save", self.save, "download")
                            again = address(
                                f"/watch/{table.game.name}", rules=written(texts_of(rules))
                            )
                            secondary("New", lambda: ui.navigate.to(again), "add")
                    self.insight = Insight(hall, table.game.name, rules)
                    with sheet():
                        heading("Moves", 2)
                        self.log = ui.html(sanitize=False, tag="ol").classes("lx-log")
                        self.log.props('tabindex="0" aria-label="Moves so far"')
                with ui.element("div").classes("lx-below"):
                    Review(hall, table, self.go)
                    self.insight.tree()
        self.timer = ui.timer(SPEEDS["normal"], self.run, active=ply == 0)
        table.listeners.append(self.grown)
        self.client.on_delete(self.leave)
        self.words()

    # Going back and forth. --------------------------------------------------------------------

    def transport(self) -> None:
        """Add the buttons below the board."""
        with ui.element("div").classes("lx-transport"):
            icons = (
                ("skip_previous", "To the start", lambda: self.go(0)),
                ("chevron_left", "Back", lambda: self.go(self.at - 1)),
                ("play_arrow", "Play or pause", self.toggle),
                ("chevron_right", "Step", lambda: self.go(self.at + 1)),
                ("skip_next", "To the end", self.to_end),
            )
            for icon, name, act in icons:
                button = ui.button(icon=icon, on_click=act, color=None)
                button.props(f'flat aria-label="{name}"').classes("lx-second")
                if icon == "play_arrow":
                    self.play_button = button
            most = max(1, len(self.table.plies) - 1)
            self.slider = ui.slider(min=0, max=most, value=self.at, on_change=self.slid)
            self.slider.props('aria-label="Move number"')
            self.count = ui.label().classes("lx-soft lx-small")
            speed = ui.select(list(SPEEDS), value="normal", label="speed", on_change=self.paced)
            speed.props("outlined dense").style("min-width: 6.5rem")
        keys = ui.label("Space steps, the arrows go back and forth, P plays.")
        keys.classes("lx-soft lx-small lx-keys")

    async def go(self, at: int) -> None:
        """Go to a ply and stop there."""
        self.timer.deactivate()
        self.following = False
        await self.move(at)

    async def to_end(self) -> None:
        """Go to the last ply, and follow a match that goes on."""
        await self.go(len(self.table.plies) - 1)
        self.following = True

    async def move(self, at: int) -> None:
        """Show a ply."""
        at = min(max(at, 0), len(self.table.plies) - 1)
        if at == self.at:
            self.words()
            return
        self.at = at
        self.board.show(self.scene(), (), at, 300)
        self.words()
        await self.explain()

    async def run(self) -> None:
        """Go on by one, while there is something to go on to."""
        if self.at < len(self.table.plies) - 1:
            await self.move(self.at + 1)
        elif self.table.over:
            self.timer.deactivate()
            self.words()

    def toggle(self) -> None:
        """Play or pause."""
        if self.timer.active:
            self.timer.deactivate()
        else:
            self.timer.activate()
        self.words()

    def paced(self, event: Any) -> None:
        """Change the speed."""
        self.timer.interval = SPEEDS[event.value]

    async def slid(self, event: Any) -> None:
        """Follow the slider."""
        if int(event.value) != self.at:
            await self.go(int(event.value))

    async def pressed(self, key: str) -> None:
        """Do what a key stands for."""
        if key in (" ", "ArrowRight"):
            await self.go(self.at + 1)
        elif key == "ArrowLeft":
            await self.go(self.at - 1)
        elif key == "p":
            self.toggle()

    # What is seen. ----------------------------------------------------------------------------

    def scene(self) -> Any:
        """Return the scene of this ply."""
        ply = self.table.plies[self.at]
        return scene(self.table.rules, ply.state, ply.move)

    def grown(self) -> None:
        """Take note of new moves; several soon after one another are told together."""
        if not self.stale:
            self.stale = True
            asyncio.get_running_loop().call_later(TOGETHER, self.look)

    def look(self) -> None:
        """Look at the match again."""
        background_tasks.create(self.count_anew())

    async def count_anew(self) -> None:
        """Say how many moves there are now, and show the last one if that is wanted."""
        self.stale = False
        if self.client.is_deleted:
            return
        with self.client:
            last = len(self.table.plies) - 1
            self.at = min(self.at, last)
            if self.following and self.at < last:
                await self.move(last)
            else:
                self.words()

    def words(self) -> None:
        """Say where we are."""
        last = len(self.table.plies) - 1
        self.slider._props["max"] = max(1, last)
        self.slider.value = self.at
        self.slider.update()
        self.count.text = f"{self.at} of {last}{'' if self.table.over else ' …'}"
        self.play_button.props(f"icon={'pause' if self.timer.active else 'play_arrow'}")
        if self.at == last and self.table.over:
            self.status.text = self.table.result()
        elif self.at:
            told = [
                f"{seat_name(self.table.rules, seat) if seat >= 0 else 'chance'}: {words}"
                for seat, words in self.table.told(self.at)
            ]
            self.status.text = ", ".join(told)
        else:
            self.status.text = "The first position"
        self.log.content = log_of(self.table)

    async def explain(self) -> None:
        """Say what the moves are worth here, and what was played."""
        at = self.at
        await self.insight.show(
            self.table.asked(at), self.table.plies[at].state, self.table.played(at)
        )

    def save(self) -> None:
        """Give the match as a file."""
        text = json.dumps(self.table.record())
        ui.download(text.encode(), f"{self.table.game.name}-{self.table.id}.json")

    def leave(self) -> None:
        """Stop listening."""
        if self.grown in self.table.listeners:
            self.table.listeners.remove(self.grown)
