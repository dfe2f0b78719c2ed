"""The controls below a board to step through a match: buttons, a slider, and the speed."""

from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple

from nicegui import ui

from ludex.web.parts import layout
from ludex.web.parts.fault_filter import FaultFilter

SPEEDS = {"slow": 1.6, "normal": 0.8, "fast": 0.35}
KEYS = "Arrows, Home and End move; Space steps; P plays; N and B go to mistakes."


class Steps(NamedTuple):
    """What the controls do."""

    go: Callable[[int], Awaitable[None]]
    """Goes to a ply."""
    to_end: Callable[[], Awaitable[None]]
    seek_fault: Callable[[int], Awaitable[None]]
    """Goes to the next mistake, or with -1 to the previous one."""
    play_on: Callable[[], Awaitable[None]]
    """Is called at every step of the playback."""


class Transport:
    """The controls, and the ply they show."""

    def __init__(self, steps: Steps, faults: Callable[[], FaultFilter], at: int) -> None:
        """Add the controls at a ply, with a field for the side whose mistakes are wanted.

        Playback begins by itself at the first ply.
        """
        self.steps, self.at = steps, at
        with layout.div("lx-transport"):
            self.add_button("skip_previous", "To the start", lambda: steps.go(0))
            self.add_button("chevron_left", "Back", lambda: steps.go(self.at - 1))
            self.play_button = self.add_button("play_arrow", "Play or pause", self.toggle)
            self.add_button("chevron_right", "Step", lambda: steps.go(self.at + 1))
            self.add_button("skip_next", "To the end", steps.to_end)
            self.slider = ui.slider(min=0, max=max(1, at), value=at, on_change=self.on_slide)
            self.slider.props('aria-label="Move number"')
            self.count = layout.note()
            speed = ui.select(list(SPEEDS), value="normal", label="speed", on_change=self.set_speed)
            speed.props("outlined dense").style("min-width: 6.5rem")
        with layout.row("0.5rem").classes("lx-seek"):
            layout.secondary("Previous mistake", lambda: steps.seek_fault(-1))
            layout.secondary("Next mistake", lambda: steps.seek_fault(1))
            self.faults = faults()
            layout.note(KEYS).classes("lx-keys").style("flex: 1 1 12rem")
        self.timer = ui.timer(SPEEDS["normal"], steps.play_on, active=at == 0)

    def add_button(self, icon: str, name: str, act: Callable[[], Any]) -> ui.button:
        """Add a button with an icon."""
        button = ui.button(icon=icon, on_click=act, color=None)
        return button.props(f'flat aria-label="{name}"').classes("lx-second")

    @property
    def playing(self) -> bool:
        """Whether the match is played back."""
        return bool(self.timer.active)

    @property
    def hurried(self) -> bool:
        """Whether it is played back too fast for transitions."""
        return self.playing and self.timer.interval < SPEEDS["normal"]

    def toggle(self) -> None:
        """Play or pause."""
        self.timer.active = not self.timer.active
        self.show_playing()

    def pause(self) -> None:
        """Stop the playback."""
        self.timer.deactivate()
        self.show_playing()

    def show_playing(self) -> None:
        """Show whether the match is played back."""
        self.play_button.props(f"icon={'pause' if self.playing else 'play_arrow'}")

    def set_speed(self, event: Any) -> None:
        """Change the speed."""
        self.timer.interval = SPEEDS[event.value]

    async def on_slide(self, event: Any) -> None:
        """Go where the slider was moved."""
        if int(event.value) != self.at:
            await self.steps.go(int(event.value))

    def show(self, at: int, last: int, over: bool) -> None:
        """Show a ply, of a match that has so many."""
        self.at = at
        self.slider._props["max"] = max(1, last)
        self.slider.value = at
        self.slider.update()
        self.count.text = f"{at} of {last}{'' if over else ' …'}"
        self.show_playing()
