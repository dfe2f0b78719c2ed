"""A field to choose an agent, from a list or as text; the text is used as typed."""

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.elements.mixins.value_element import ValueElement

from ludex.web.parts import layout
from ludex.web.state.public_text import without_paths

Check = Callable[[str], object]
"""Raises a ValueError that says what is wrong with a text."""


class AgentField(ValueElement[str], component="agent_field.js"):
    """A text field with suggestions, whose value follows every keystroke.

    A wrong value is reported below the field as soon as the field is left.
    """

    VALUE_PROP = "value"
    LOOPBACK = False

    def __init__(
        self,
        offered: Mapping[str, str] | Iterable[str],
        value: str,
        label: str,
        hint: str = "",
        check: Check = str,
    ) -> None:
        """Offer agents: a list of texts, or a mapping from texts to captions."""
        super().__init__(value=value)
        self.check = check
        self.on("left", self.is_valid)
        self.on("taken", self.is_valid)
        self.set_offered(offered)
        self._props["label"] = label
        self._props["hint"] = hint

    def set_offered(
        self, offered: Mapping[str, str] | Iterable[str], without: Collection[str] = ()
    ) -> None:
        """Offer other agents, and suggest all of them, except some."""
        self.offered = (
            dict(offered) if isinstance(offered, Mapping) else {text: text for text in offered}
        )
        self.offer(without)

    def offer(self, without: Collection[str] = ()) -> None:
        """Suggest all agents on offer, except some."""
        self.props["options"] = [
            [text, caption] for text, caption in self.offered.items() if text not in without
        ]

    @property
    def text(self) -> str:
        """The text of the field, stripped."""
        return str(self.value or "").strip()

    def is_valid(self) -> bool:
        """Check the text, and show below the field what is wrong with it, if anything."""
        words = ""
        if self.text:
            try:
                self.check(self.text)
            except ValueError as error:
                words = without_paths(str(error))
                named = words.startswith(f"{self.text.partition(':')[0]} ")  # in lower case
                words = words if named else layout.capitalize(words)
        self.props["error"] = words
        return not words

    def _event_args_to_value(self, e: Any) -> str:
        return str(e.args or "")

    def _handle_value_change(self, value: Any) -> None:
        super()._handle_value_change(value)
        self.props["error"] = ""
        if self._send_update_on_value_change:
            self.run_method("updateValue")


class AgentsField(Element):
    """A list of agents, each with a remove button, and a field to add one."""

    def __init__(
        self,
        offered: Mapping[str, str] | Iterable[str],
        value: Iterable[str],
        label: str,
        check: Check = str,
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """Offer agents, and choose some; `on_change` is called when others are chosen."""
        super().__init__("div")
        self.classes("lx-agents")
        self.chosen: list[str] = []
        self.on_change: Callable[[], None] = lambda: None
        with self:
            self.chips = layout.row().props("role=group")
            self.chips.props["aria-label"] = label
            self.more = AgentField(offered, "", "Add an agent", "Press Enter to add it", check)
            self.more.on("taken", self.take)
        self.value = list(value)
        self.on_change = on_change

    @property
    def value(self) -> list[str]:
        """The agents chosen, including the one being typed."""
        typed = self.more.text
        return [*self.chosen, typed] if typed and typed not in self.chosen else list(self.chosen)

    @value.setter
    def value(self, texts: list[str]) -> None:
        self.chosen = list(dict.fromkeys(texts))
        self.more.value = ""
        self.more.offer(self.chosen)
        self.chips.clear()
        with self.chips:
            for text in self.chosen:
                chip = ui.button(text, icon="close", color=None)
                chip.props("flat no-caps dense").classes("lx-second")
                chip.props["aria-label"] = f"Remove {text}"  # may contain quotes
                chip.on("click", lambda _, one=text: self.drop(one))
        self.on_change()

    def set_offered(self, offered: Mapping[str, str] | Iterable[str]) -> None:
        """Offer other agents; those chosen stay."""
        self.more.set_offered(offered, self.chosen)

    def take(self) -> bool:
        """Add the agent in the field, if any; return whether none is refused.

        A part of a single name on offer stands for it.
        """
        typed, names = self.more.text.lower(), [name for name, _ in self.more.props["options"]]
        alike = [name for name in names if typed and typed in name.lower()]
        if not self.more.is_valid() and len(alike) == 1:
            self.more.value = alike[0]
        if self.more.text in self.chosen:
            self.more.props["error"] = f"{self.more.text} is already chosen"
        elif self.more.is_valid():
            self.value = self.value
            return True
        self.more.run_method("selectText")
        return False

    def drop(self, text: str) -> None:
        """Remove an agent; keep what is being typed."""
        typed = self.more.text
        self.value = [one for one in self.chosen if one != text]
        self.more.value = typed
