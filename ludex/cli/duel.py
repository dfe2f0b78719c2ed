"""A match of arena at the console, with the names of robots as in the course."""

from ludex.cli.console_match import ConsoleMatch
from ludex.core.play import normalise_label, parse
from ludex.games.arena.robots import full_name


class ArenaMatch(ConsoleMatch):
    """Accepts `Shadow Man` for `shadow`."""

    def action(self, seat: int, text: str) -> int:
        """Return the action of a number or a robot."""
        if text.isascii() and text.isdigit():
            return super().action(seat, text)
        try:
            return parse(
                self.rules, self.match.state, normalise_label(text).removesuffix(" man"), seat
            )
        except ValueError:
            names = [full_name(name) for name in self.match.legal_moves(seat)]
            raise ValueError(f"{text!r}: expected one of {', '.join(names)}") from None
