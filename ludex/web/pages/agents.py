"""One's own programs as agents: uploaded, or typed here, and tried at once."""

import html

from nicegui import ui

from ludex.core.play import choosers, legal_moves
from ludex.core.rules import initial, label, position, title
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.upload import decode_text, file_button
from ludex.web.state import limits
from ludex.web.state.catalogue import texts_of
from ludex.web.state.programs import PREFIX
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import trial_match

EXAMPLE = '''"""An agent for {title}."""

import random


def choose(position, moves, seconds):
    """Return one of the moves.

    The first position is {position!r}{some}.
    """
    print("I may choose from", len(moves), "moves")
    return random.choice(moves)
'''


class AgentsPage(GamePage):
    """The form: write or upload a program, try it, play against it."""

    path = "/agents"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        lead = "Your own programs play here, each in a sandbox. A file needs one function, choose."
        with layout.frame(f"Agents for {title(self.rules)}", "/agents", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                with layout.div():
                    self.editor_form(query.get("program", "")) if server.access.local else None
                    with layout.sheet():
                        layout.heading("Tried", 2)
                        self.result = layout.status()
                        self.output = ui.html(sanitize=False, tag="pre").classes("lx-output")
                        self.output.props('tabindex="0" role="region" aria-label="Output"')
                with layout.div("lx-side"), layout.sheet():
                    layout.heading("Programs", 2)
                    self.game_picker()
                    self.listed = layout.div().style("margin: 0.8rem 0")
                    file_button("Upload a Python file", self.upload)
        self.list_programs()
        self.result.text = "Nothing yet."

    def editor_form(self, name: str) -> None:
        """Add the editor, with a program or an example in it."""
        paths = self.server.programs.paths()
        code = paths[name].read_text(encoding="utf-8") if name in paths else self.example()
        with layout.sheet():
            layout.heading("Write one", 2)
            self.code = ui.codemirror(code, language="Python", line_wrapping=True)
            self.code.classes("lx-code").props["aria-label"] = "The program"
            with layout.row("0.8rem"):
                self.name = ui.input("file name", value=name or "mine.py").props("outlined dense")
                self.button = layout.primary("Save and try it", self.save, "play_arrow")

    def example(self) -> str:
        """Return a program that plays at random."""
        state = initial(self.rules)
        moves = legal_moves(self.rules, state) if choosers(self.rules, state) else []
        labels = [label(self.rules, state, one) for one in moves[:3]]
        some = f"; moves are such as {', '.join(map(repr, labels))}" if labels else ""
        where = position(self.rules, state)
        return EXAMPLE.format(title=title(self.rules), position=where, some=some)

    def list_programs(self) -> None:
        """List all programs, with links to play."""
        self.listed.clear()
        with self.listed:
            for name in self.server.programs.paths():
                with layout.row("0.3rem"):
                    ui.label(name).classes("lx-mono").style("flex: 1 1 8rem")
                    against = self.address("/play", against=f"{PREFIX}{name}")
                    layout.secondary("Play", against, label=f"Play against {name}")
                    if self.server.access.local:
                        edit = self.address(program=name)
                        layout.secondary("Edit", edit, label=f"Edit {name}")
            if not self.server.programs.paths():
                layout.note("None yet.")

    async def upload(self, name: str, content: bytes) -> None:
        """Keep and try an uploaded file."""
        with layout.errors_shown():
            await self.keep(name, decode_text(name, content))

    async def save(self) -> None:
        """Keep and try what is in the editor."""
        with layout.errors_shown(), layout.busy(self.button):
            await self.keep(str(self.name.value or "").strip(), str(self.code.value))

    async def keep(self, name: str, content: str) -> None:
        """Keep a program and let it play a match."""
        server, text = self.server, self.server.programs.save(name, content)
        self.list_programs()
        self.result.text = f"{name} plays a match against random …"
        self.output.content = ""
        try:
            path, _ = await server.prepare_agent(self.game, self.rules, text)
            given = server.catalogue[self.game].source, texts_of(self.rules), path
            words, output = await server.workers.do(trial_match, *given, seconds=limits.TRIAL)
        except ValueError as error:
            words, output = without_paths(str(error)), ""
        self.result.text = layout.capitalize(words)
        self.output.content = html.escape(output)
