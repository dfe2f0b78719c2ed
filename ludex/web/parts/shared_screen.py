"""One screen for several people who play a game that hides something: each looks in turn."""

from collections.abc import Callable

from ludex.core.information import SPECTATOR
from ludex.web.parts import layout
from ludex.web.state.live_match import LiveMatch


class SharedScreen:
    """Shows what a seat sees once its player asks for it; until then what everybody sees."""

    def __init__(self, live: LiveMatch, key: str, show: Callable[[], None]) -> None:
        """Serve the seats of a key; `show` is called when somebody looks."""
        self.live, self.key, self.show = live, key, show
        self.is_shared = live.hides and len(live.seats_of(key)) > 1
        self.looking = SPECTATOR

    @property
    def covered(self) -> list[int]:
        """The seat to choose next, if its player does not look yet; else nothing."""
        asked = self.live.seats_to_move(self.key)[: int(self.is_shared)]
        return [seat for seat in asked if seat != self.looking]

    @property
    def viewer(self) -> int:
        """The seat whose view is shown, or SPECTATOR."""
        if not self.is_shared:
            return self.live.viewer(self.key)
        return SPECTATOR if self.covered else self.looking

    def seats_to_move(self) -> list[int]:
        """Return the seats that may choose on this screen now."""
        asked = self.live.seats_to_move(self.key)
        return [seat for seat in asked if seat == self.viewer] if self.is_shared else asked

    def add_button(self) -> None:
        """Add the button by which the next player looks."""
        self.button = layout.primary("", self.look, "visibility").style("margin-top: 0.6rem")
        self.refresh()

    def look(self) -> None:
        """Show what the next player sees."""
        self.looking = next(iter(self.covered), self.looking)
        self.show()

    def refresh(self) -> None:
        """Offer the button to the next player, if there is one who does not look yet."""
        self.button.set_visibility(bool(self.covered))
        for seat in self.covered:
            self.button.text = f"{self.live.name(seat)}: press to see your side"
