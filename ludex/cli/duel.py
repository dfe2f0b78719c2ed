"""A match of arena at the console, with the names of robots as in the course."""

from ludex.cli.console_match import Table
from ludex.core.play import choices, parse, plain
from ludex.core.rules import label
from ludex.games.arena.robots import full_name


class Duel(Table):
    """Takes `Shadow Man` for `shadow`."""

    def action(self, seat: int, text: str) -> int:
        """Return the action of a number or a robot."""
        if text.isascii() and text.isdigit():
            return super().action(seat, text)
        try:
            return parse(self.rules, self.state, plain(text).removesuffix(" man"), seat)
        except ValueError:
            actions = choices(self.rules, self.state, seat)
            names = [full_name(label(self.rules, self.state, action)) for action in actions]
            raise ValueError(f"{text!r}: expected one of {', '.join(names)}") from None
