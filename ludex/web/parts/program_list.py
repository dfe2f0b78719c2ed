"""The programs on the page Agents: a visitor's own, and those of others."""

from collections.abc import Callable

from nicegui import ui

from ludex.web.parts import layout
from ludex.web.parts.dialogs import ask, ask_text
from ludex.web.state.access import Visitor
from ludex.web.state.catalogue import tournament_agents
from ludex.web.state.programs import PREFIX, file_name
from ludex.web.state.server_state import ServerState

WITH = {"Play": "against ", "Tournament": "with "}
"""What stands between the word on a button and the name of a program, for screen readers."""


class ProgramList:
    """Two lists of programs, each with what the visitor may do with it."""

    def __init__(
        self,
        server: ServerState,
        visitor: Visitor,
        game: str,
        address: Callable[..., str],
        on_move: Callable[[str, str], None],
    ) -> None:
        """Link to the addresses of pages; tell `on_move` the old and new name, or "" for none."""
        self.server, self.visitor, self.game = server, visitor, game
        self.address, self.on_move = address, on_move

    def add_own(self) -> None:
        """Add the place of the visitor's own programs."""
        self.own = layout.div().style("margin: 0.8rem 0")

    def add_others(self) -> None:
        """Add the section of the programs of others."""
        with layout.sheet() as self.others_sheet:
            layout.heading("Programs of others", 2)
            layout.note("They can be chosen wherever agents are, as program:NAME.")
            self.others = layout.div().style("margin-top: 0.8rem")

    def refresh(self) -> None:
        """List all programs."""
        programs = self.server.programs
        own = [name for name in programs.paths() if programs.is_own(name, self.visitor)]
        others = [name for name in programs.paths() if name not in own]
        self.others_sheet.set_visibility(bool(others))
        for place, names in ((self.own, own), (self.others, others)):
            place.clear()
            with place:
                self.add_programs(names)
        if not own:
            with self.own:
                layout.note("None yet.")

    def add_programs(self, names: list[str]) -> None:
        """Add programs, each with the game that it was last tried with."""
        tried, games = self.server.programs.tried.read(), self.server.catalogue.games
        for name in names:
            with layout.div("lx-program"):
                with layout.row():
                    ui.label(name).classes("lx-mono")
                    if tried.get(name) in games:
                        layout.note(f"for {games[tried[name]].title}")
                with layout.row("0.3rem"):
                    self.add_buttons(name)

    def add_buttons(self, name: str) -> None:
        """Add what the visitor may do with a program."""
        programs, text = self.server.programs, f"{PREFIX}{name}"
        acts: dict[str, layout.Act] = {
            "Play": self.game_address(name, "/play", against=text),
            "Watch": self.game_address(name, "/watch", who=text),
            "Tournament": self.game_address(name, "/tournament", agents=self.rivals(name)),
        }
        if self.visitor.on_server and programs.content(name) is not None:
            acts["Copy" if name in programs.given else "Edit"] = self.address(program=name)
        if programs.may_change(name, self.visitor):
            acts |= {"Rename": lambda: self.rename(name), "Delete": lambda: self.delete(name)}
        for word, act in acts.items():
            label = f"{word} {WITH.get(word, '')}{name}"
            layout.secondary(word, act, label=label)

    def game_of(self, name: str) -> str:
        """Return the game that a program was last tried with, or else that of the page."""
        tried = self.server.programs.tried.read().get(name, "")
        return tried if tried in self.server.catalogue.games else self.game

    def game_address(self, name: str, path: str, **query: str) -> str:
        """Return the address of a page about the game of a program."""
        game = self.game_of(name)
        if game == self.game:  # whose rules may be changed
            return self.address(path, **query)
        return layout.address(f"{path}/{game}", **query)

    def rivals(self, name: str) -> str:
        """Return the agents of a tournament with a program."""
        rules = self.server.catalogue.rules(self.game_of(name))
        return tournament_agents(rules, f"{PREFIX}{name}")

    async def rename(self, name: str) -> None:
        """Ask for another name of a program."""

        def take(text: str) -> None:
            other = file_name(text)
            self.server.programs.rename(name, other, self.visitor)
            self.on_move(name, other)
            self.refresh()

        await ask_text(f"Rename {name}", "file name", name, "Rename", take)

    async def delete(self, name: str) -> None:
        """Delete a program, if that is confirmed."""
        words = "Stored matches stay; they name it as it was."
        if await ask(f"Delete {name}?", words, "Delete"):
            with layout.errors_shown():
                self.server.programs.delete(name, self.visitor)
                self.on_move(name, "")
                self.refresh()
