"""Whoever looks at a page, and may read what the programs saved with this browser say."""

import json
from collections.abc import Callable, Iterable

from nicegui import ui

from ludex.io.keys import new_key
from ludex.web.parts import layout
from ludex.web.state.access import Visitor
from ludex.web.state.programs import PREFIX
from ludex.web.state.reader import Reader
from ludex.web.state.server_state import ServerState

KEY_NAME = "lx-programs"  # in the browser's storage: the key of whoever saves programs with it


class BrowserReader(Reader):
    """The reader at a page, who is known once the browser is asked."""

    def __init__(self, server: ServerState) -> None:
        super().__init__(server.programs, Visitor.of(ui.context.client.request))

    async def recognize(self) -> None:
        """Ask the browser for its key, which is made the first time."""
        asked = f"localStorage['{KEY_NAME}'] ||= {json.dumps(new_key())}"
        kept = await layout.browser_text(asked)
        self.visitor = self.visitor._replace(key=kept[:40])

    async def opener(self) -> str:
        """Return the name under which the visitor starts something."""
        if not self.visitor.on_server:
            await self.recognize()
        return self.visitor.name

    async def opener_with(self, agents: Iterable[str]) -> str:
        """Return the name under which a match of these agents is opened."""
        uses_programs = any(text.startswith(PREFIX) for text in agents)
        return await self.opener() if uses_programs else self.visitor.name

    def recognize_later(self, agents: Iterable[str], when: str, show: Callable[[], None]) -> None:
        """Ask a browser that may not read all agents of a match when it is connected; then show."""
        if all(self.may_read(text, when) for text in agents):
            return

        async def ask() -> None:
            await self.recognize()
            show()

        ui.timer(0.0, ask, once=True)
