"""Agents: one's own programs, uploaded or typed here, and tried at once; and the built-in ones."""

import asyncio
import contextlib
import html
import json
from collections.abc import Iterator
from functools import partial

from nicegui import ui

from ludex.core.rules import title
from ludex.io.keys import new_key
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.agent_table import agent_table
from ludex.web.parts.browser_reader import KEY_NAME
from ludex.web.parts.dialogs import ask
from ludex.web.parts.documents import MANUAL
from ludex.web.parts.program_example import NEEDS, SIGNATURE, example_program
from ludex.web.parts.program_list import ProgramList
from ludex.web.parts.upload import decode_text, file_button
from ludex.web.state import limits
from ludex.web.state.access import Visitor, is_on_server
from ludex.web.state.catalogue import texts_of
from ludex.web.state.match_programs import Unplayable
from ludex.web.state.programs import PREFIX, file_name
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import trial_match

NO_EDITOR = "Programs are edited in a browser on the server's own machine only."


class AgentsPage(GamePage):
    """Write or upload a program, try it, play against it; and the agents that come with Ludex."""

    path = "/agents"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        self.saved = self.uploaded = "", ""
        """The name and content of what is in the editor and of the last upload, as they are kept.

        Nothing else is replaced without asking.
        """
        self.trial: object = None  # the last one
        on_server = is_on_server(ui.context.client.request)
        self.key_restored, self.restoring = on_server, asyncio.Lock()
        visitor = Visitor(new_key(), on_server)
        self.programs = ProgramList(server, visitor, self.game, self.address, self.move_editor)
        self.program = query.get("program", "") if on_server else ""
        lead = "Your own programs play here, each in a sandbox. A file needs one function, choose."
        with layout.frame(f"Agents for {title(self.rules)}", "/agents", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                if on_server:  # nobody else may read a program
                    self.editor_form()
                with layout.div("lx-side"):
                    with layout.sheet():
                        layout.heading("Test result", 2)
                        self.result = layout.status()
                        self.output = ui.html(sanitize=False, tag="pre").classes("lx-output")
                        self.output.props('tabindex="0" role="region" aria-label="Output"')
                    with layout.sheet():
                        layout.heading("Your programs", 2)
                        self.game_picker()
                        self.programs.add_own()
                        refuse = partial(self.show_result, "The upload")
                        file_button("Upload a Python file", self.upload, refuse)
                        if not on_server:
                            layout.note(NO_EDITOR).style("margin-top: 0.5rem")
                    self.programs.add_others()
                    with layout.sheet():
                        layout.heading("What a program needs", 2)
                        ui.html(SIGNATURE, sanitize=False, tag="pre").classes("lx-output")
                        layout.note(NEEDS).style("margin-top: 0.5rem")
                        ui.link("More about programs", f"{MANUAL}/external").classes("lx-small")
                with layout.div("lx-below"), layout.sheet():
                    layout.heading("Built-in agents", 2)
                    table = ui.html(agent_table(self.rules), sanitize=False).classes("lx-wide")
                    table.props('tabindex="0" role="region" aria-label="Built-in agents"')
                    layout.note("Options follow a colon, as in mcts:sims=2000.")
        self.programs.refresh()
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
            with layout.div().style("margin-top: 0.6rem"):
                layout.note("Keys: Ctrl+S or Ctrl+Enter saves and tries it.").classes("lx-keys")
                layout.note("This browser keeps text that is not saved.")
        self.fields = f"{self.code.id}, {self.name.id}"
        self.keep_draft = f"lx.keepDraft({self.fields})"
        self.code.on("update:value", js_handler=f"() => {self.keep_draft}")
        self.name.on("change", js_handler=f"() => {self.keep_draft}")

    @property
    def draft(self) -> str:
        """The name of the draft in the browser's storage, as JavaScript."""
        return json.dumps(f"lx-draft {self.game} {self.program}")

    @property
    def visitor(self) -> Visitor:
        """Whoever looks at the page."""
        return self.programs.visitor

    async def load(self) -> None:
        """Restore what was typed and not saved, or the key to the programs of this browser."""
        if self.visitor.on_server:
            await self.restore_draft()
        else:
            await self.restore_key()

    async def restore_key(self) -> None:
        """Find out, once, which programs this browser has saved; it stores a key for them."""
        async with self.restoring:
            if self.key_restored:
                return
            asked = f"localStorage['{KEY_NAME}'] ||= {json.dumps(self.visitor.key)}"
            if key := await layout.browser_text(asked):
                self.programs.visitor = self.visitor._replace(key=key[:40])
                self.programs.refresh()
            self.key_restored = True

    async def restore_draft(self) -> None:
        """Restore what was typed and not saved."""
        draft = await layout.browser_text(f"lx.openDraft({self.draft}, {self.fields})")
        with contextlib.suppress(ValueError, TypeError):  # there is no draft
            text, name = json.loads(draft)
            if text != self.saved[1]:
                self.code.value, self.name.value = str(text), str(name)
                self.discard_button.set_visibility(True)
                layout.notify("Text that you had not saved is back.")

    def discard(self) -> None:
        """Go back to what is saved, or to the example."""
        self.name.value, self.code.value = self.saved
        self.forget_draft()

    def forget_draft(self, keep: str = "") -> None:
        """Remove the draft from the browser, or keep it under the name of the current program."""
        self.discard_button.set_visibility(False)
        ui.run_javascript(f"localStorage.removeItem(lx.draft); lx.draft = {self.draft}; {keep}")

    def move_editor(self, name: str, other: str) -> None:
        """Let the editor follow its program to another name, or to none; its text stays."""
        if name == self.program:
            self.saved = other, self.saved[1] if other else ""
            self.name.value = other or name
            self.open_as(other, self.keep_draft)

    def open_as(self, name: str, keep: str = "") -> None:
        """Let the editor and the address name a program."""
        self.program = name
        self.forget_draft(keep)
        ui.navigate.history.replace(self.address(program=name))

    async def upload(self, name: str, content: bytes) -> None:
        """Keep and try an uploaded file, under another name if its own is somebody else's."""
        with self.refusal_shown(name):
            text = decode_text(name, content)
            await self.restore_key()
            free = self.server.programs.own_name(name, self.visitor)
            kept = await self.keep(free, text)
            if kept == free != name:
                layout.notify(f"{name} is somebody else's program; yours is {free}.")
            await self.try_program(kept)

    async def save(self) -> None:
        """Keep and try what is in the editor."""
        if "loading" in self.button.props:
            return
        name = file_name(str(self.name.value or ""))
        with self.refusal_shown(name):
            with layout.busy(self.button):
                kept = await self.keep(name, str(self.code.value), editor=True)
            await self.try_program(kept)

    @contextlib.contextmanager
    def refusal_shown(self, name: str) -> Iterator[None]:
        """Show a ValueError as the result of a try."""
        try:
            yield
        except ValueError as error:
            self.trial = None  # its result would replace this one
            self.show_result(name, str(error))

    def show_result(self, name: str, words: str, output: str = "") -> None:
        """Show how a program did, and what it printed."""
        words = without_paths(words)
        for start in (f"agent {name!r}: ", f"{name!r}: ", f"{name}: "):
            words = words.removeprefix(start)
        self.result.text = words if words.startswith(f"{name} ") else f"{name}: {words}"
        self.output.content = html.escape(output)
        shown = f"getHtmlElement({self.result.id})?.scrollIntoView({{block: 'nearest'}})"
        self.result.client.run_javascript(shown)

    async def keep(self, name: str, content: str, editor: bool = False) -> str:
        """Keep a program and return its name; ask before another one is replaced.

        Return an empty name if nothing was kept.
        """
        await self.restore_key()
        server = self.server
        server.programs.check_name(name, self.visitor)
        there, own = server.programs.content(name), self.saved if editor else self.uploaded
        if there not in (None, content) and (name, there) != own:
            other = f"Save as {server.programs.unused_name(name)}"
            whose = "another" if server.programs.is_own(name, self.visitor) else "somebody else's"
            words = f"There is {whose} program of this name. It would be lost."
            answer = await ask(f"Replace {name}?", words, "Replace", other)
            if not answer:
                return ""
            name = name if answer == "Replace" else other.removeprefix("Save as ")
        server.programs.save(name, content, self.visitor)
        server.programs.tried.set(name, self.game)
        self.programs.refresh()
        if editor:
            self.saved, self.name.value = (name, content), name
            self.open_as(name)
        else:
            self.uploaded = name, content
        return name

    async def try_program(self, name: str) -> None:
        """Let a program play a match, and show its result unless another was tried meanwhile."""
        if not name:
            return
        self.show_result(name, f"plays a match against random, {limits.TRIAL:.0f} s at most …")
        trial = self.trial = object()
        words, output = await self.trial_result(f"{PREFIX}{name}")
        if trial is self.trial:
            self.show_result(name, words, output)

    async def trial_result(self, text: str) -> tuple[str, str]:
        """Return how a program did in a match against random, and what it printed."""
        server = self.server
        try:
            path, _ = await server.prepare_agent(self.game, self.rules, text)
            given = server.catalogue[self.game].source, texts_of(self.rules), path
            found: tuple[str, str] = await server.workers.do(
                trial_match, *given, seconds=limits.TRIAL
            )
            return found
        except Unplayable as error:  # whoever saves a program may read it
            return error.reason, ""
        except ValueError as error:
            return str(error), ""
