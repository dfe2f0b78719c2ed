"""Agents: one's own programs, uploaded or typed here, and tried at once; and the built-in ones."""

import contextlib
import html
import json
from collections.abc import Iterator
from functools import partial

from nicegui import ui

from ludex.core.rules import title
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.agent_table import agent_table
from ludex.web.parts.dialogs import ask, ask_text
from ludex.web.parts.program_example import NEEDS, SIGNATURE, example_program
from ludex.web.parts.upload import decode_text, file_button
from ludex.web.state import limits
from ludex.web.state.catalogue import texts_of
from ludex.web.state.programs import PREFIX
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import trial_match


class AgentsPage(GamePage):
    """Write or upload a program, try it, play against it; and the agents that come with Ludex."""

    path = "/agents"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        self.saved = self.uploaded = "", ""
        """The name and content of what is in the editor and of the last upload, as they are kept.

        Nothing else is replaced without asking.
        """
        self.program = query.get("program", "")
        self.local = server.access.local
        lead = "Your own programs play here, each in a sandbox. A file needs one function, choose."
        with layout.frame(f"Agents for {title(self.rules)}", "/agents", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                with layout.div():
                    self.editor_form() if self.local else None
                with layout.div("lx-side"):
                    with layout.sheet():
                        layout.heading("Test result", 2)
                        self.result = layout.status()
                        self.output = ui.html(sanitize=False, tag="pre").classes("lx-output")
                        self.output.props('tabindex="0" role="region" aria-label="Output"')
                    with layout.sheet():
                        layout.heading("Your programs", 2)
                        self.game_picker()
                        self.listed = layout.div().style("margin: 0.8rem 0")
                        refuse = partial(self.show_result, "The upload")
                        file_button("Upload a Python file", self.upload, refuse)
                    with layout.sheet():
                        layout.heading("What a program needs", 2)
                        ui.html(SIGNATURE, sanitize=False, tag="pre").classes("lx-output")
                        layout.note(NEEDS).style("margin-top: 0.5rem")
                with layout.div("lx-below"), layout.sheet():
                    layout.heading("Built-in agents", 2)
                    table = ui.html(agent_table(self.rules), sanitize=False).classes("lx-scroll")
                    table.props('tabindex="0" role="region" aria-label="Built-in agents"')
                    layout.note("Options follow a colon, as in mcts:sims=2000.")
        self.list_programs()
        self.result.text = "Nothing tried yet."

    def editor_form(self) -> None:
        """Add the editor, with a program, a copy of one, or an example in it."""
        programs = self.server.programs
        content = programs.content(self.program)
        name = programs.unused_name(self.program if content else f"mine-{self.game}.py")
        if content is None:
            content = example_program(self.rules)
        elif self.program not in programs.given:
            name = self.program
        self.saved = name, content
        is_save = "(e) => lx.savePressed(e) && emit()"
        with layout.sheet().on("keydown.capture", self.save, js_handler=is_save):
            layout.heading("Editor", 2)
            self.code = ui.codemirror(content, language="Python", line_wrapping=True)
            self.code.classes("lx-code").props["aria-label"] = "The program"
            with layout.row("0.8rem"):
                self.name = ui.input("file name", value=name).props("outlined dense")
                self.button = layout.primary("Save and try it", self.save, "play_arrow")
                self.discard_button = layout.secondary("Discard the draft", self.discard, "undo")
            self.discard_button.set_visibility(False)
            words = "Ctrl+S or Ctrl+Enter does so, too. This browser keeps text that is not saved."
            layout.note(words).style("margin-top: 0.6rem")
        self.keep_draft = f"lx.keepDraft({self.code.id}, {self.name.id})"
        self.code.on("update:value", js_handler=f"() => {self.keep_draft}")
        self.name.on("change", js_handler=f"() => {self.keep_draft}")

    @property
    def draft(self) -> str:
        """The name of the draft in the browser's storage, as JavaScript."""
        return json.dumps(f"lx-draft {self.game} {self.program}")

    async def load(self) -> None:
        """Restore what was typed and not saved."""
        if not self.local:
            return
        with contextlib.suppress(TimeoutError, ValueError, TypeError):
            asked = f"lx.draft = {self.draft}, localStorage.getItem(lx.draft)"
            text, name = json.loads(await ui.run_javascript(asked, timeout=5.0))
            if text != self.saved[1]:
                self.code.value, self.name.value = str(text), str(name)
                self.discard_button.set_visibility(True)
                ui.notify("Text that you had not saved is back.", position="top")

    def discard(self) -> None:
        """Go back to what is saved, or to the example."""
        self.name.value, self.code.value = self.saved
        self.forget_draft()

    def forget_draft(self, keep: str = "") -> None:
        """Remove the draft from the browser, or keep it under the name of the current program."""
        self.discard_button.set_visibility(False)
        ui.run_javascript(f"localStorage.removeItem(lx.draft); lx.draft = {self.draft}; {keep}")

    def list_programs(self) -> None:
        """List all programs, each with the game it was tried with and what can be done with it."""
        self.listed.clear()
        tried = self.server.programs.tried_games()
        with self.listed:
            for name in self.server.programs.paths():
                with layout.div().style("margin-bottom: 0.7rem"):
                    with layout.row():
                        ui.label(name).classes("lx-mono")
                        if tried.get(name) in self.server.catalogue.games:
                            layout.note(f"tried with {self.server.catalogue[tried[name]].title}")
                    with layout.row("0.2rem"):
                        self.program_buttons(name)
            if not self.server.programs.paths():
                layout.note("None yet.")

    def program_buttons(self, name: str) -> None:
        """Add what can be done with a program."""
        against = self.address("/play", against=f"{PREFIX}{name}")
        layout.secondary("Play", against, label=f"Play against {name}").props("dense")
        given = name in self.server.programs.given
        acts: dict[str, layout.Act] = {}
        if self.local and self.server.programs.content(name) is not None:
            acts["Copy" if given else "Edit"] = self.address(program=name)
        if self.local and not given:
            acts |= {"Rename": lambda: self.rename(name), "Delete": lambda: self.delete(name)}
        for text, act in acts.items():
            layout.secondary(text, act, label=f"{text} {name}").props("dense")

    async def rename(self, name: str) -> None:
        """Ask for another name of a program."""
        if other := await ask_text(f"Rename {name}", "file name", name, "Rename"):
            with layout.errors_shown():
                self.server.programs.rename(name, other)
                self.move_editor(name, other)

    async def delete(self, name: str) -> None:
        """Delete a program, if that is confirmed."""
        words = "Stored matches stay; they name it as it was."
        if await ask(f"Delete {name}?", words, "Delete"):
            with layout.errors_shown():
                self.server.programs.delete(name)
                self.move_editor(name, "")

    def move_editor(self, name: str, other: str) -> None:
        """Let the editor follow its program to another name, or to none; its text stays."""
        if name == self.program:
            self.saved = other, self.saved[1] if other else ""
            self.name.value = other or name
            self.open_as(other, self.keep_draft)
        self.list_programs()

    def open_as(self, name: str, keep: str = "") -> None:
        """Let the editor and the address name a program."""
        self.program = name
        self.forget_draft(keep)
        ui.navigate.history.replace(self.address(program=name))

    async def upload(self, name: str, content: bytes) -> None:
        """Keep and try an uploaded file."""
        with self.refusal_shown(name):
            await self.keep(name, decode_text(name, content))

    async def save(self) -> None:
        """Keep and try what is in the editor."""
        if "loading" in self.button.props:
            return
        name = str(self.name.value or "").strip()
        with layout.busy(self.button), self.refusal_shown(name):
            await self.keep(name, str(self.code.value), editor=True)

    @contextlib.contextmanager
    def refusal_shown(self, name: str) -> Iterator[None]:
        """Show a ValueError as the result of a try."""
        try:
            yield
        except ValueError as error:
            self.show_result(name, without_paths(str(error)))

    def show_result(self, name: str, words: str, output: str = "") -> None:
        """Show how a program did, and what it printed."""
        for start in (f"agent {name!r}: ", f"{name}: ", f"{name} "):
            words = words.removeprefix(start)
        self.result.text = f"{name}: {words}"
        self.output.content = html.escape(output)

    async def keep(self, name: str, content: str, editor: bool = False) -> None:
        """Keep a program and let it play a match; ask before another one is replaced."""
        server = self.server
        server.programs.check_name(name)
        there, own = server.programs.content(name), self.saved if editor else self.uploaded
        if there not in (None, content) and (name, there) != own:
            other = f"Save as {server.programs.unused_name(name)}"
            words = "There is another program of this name. It would be lost."
            answer = await ask(f"Replace {name}?", words, "Replace", other)
            if not answer:
                return
            name = name if answer == "Replace" else other.removeprefix("Save as ")
        text = server.programs.save(name, content)
        server.programs.note_tried(name, self.game)
        self.list_programs()
        if editor:
            self.saved, self.name.value = (name, content), name
            self.open_as(name)
        else:
            self.uploaded = name, content
        self.show_result(name, "plays a match against random …")
        with self.refusal_shown(name):
            path, _ = await server.prepare_agent(self.game, self.rules, text)
            given = server.catalogue[self.game].source, texts_of(self.rules), path
            words, output = await server.workers.do(trial_match, *given, seconds=limits.TRIAL)
            self.show_result(name, without_paths(words), output)
