"""The list of the matches that are being played now, which updates itself."""

from nicegui import ui

from ludex.io.text import many
from ludex.web.parts import layout
from ludex.web.parts.seat_link import offer_seat
from ludex.web.state.lobby import Lobby, RunningMatch

MOST = 12  # listed
EVERY = 2.0  # seconds between updates


class RunningMatches:
    """Links to the matches, for whoever wants to watch."""

    def __init__(self, lobby: Lobby) -> None:
        self.lobby = lobby
        self.rows: dict[str, tuple[ui.element, ui.link, ui.label]] = {}
        layout.heading("Being played now", 2)
        self.list = ui.element("ul").classes("lx-running")
        self.rest = layout.note()
        self.refresh()
        ui.timer(EVERY, self.refresh)

    def refresh(self) -> None:
        """Show how the matches stand; a row stays as long as its match, and keeps the focus."""
        found = self.lobby.running()
        shown = {one.id: one for one in found[:MOST]}
        for name in [name for name in self.rows if name not in shown]:
            self.rows.pop(name)[0].delete()
        for place, (name, match) in enumerate(shown.items()):
            if name not in self.rows:
                self.add_row(name, place)
            _, link, line = self.rows[name]
            link.text, line.text = players_text(match), progress_text(match)
        more = f"And {len(found) - MOST} more." if len(found) > MOST else ""
        self.rest.text = more if found else "Nothing is being played now."

    def add_row(self, name: str, place: int) -> None:
        """Add the row of a match at its place in the list."""
        with self.list, ui.element("li") as row:
            link = ui.link("", f"/match/{name}")  # without a key: who opens it watches
            if live := self.lobby.matches.get(name):
                offer_seat(live)
            self.rows[name] = row, link, layout.note()
        row.move(target_index=place)


def players_text(match: RunningMatch) -> str:
    """Return the game and the players."""
    return f"{match.title} · {' – '.join(match.players)}"


def progress_text(match: RunningMatch) -> str:
    """Return how far a match is, and who watches."""
    watching = f", {many(match.spectators, 'spectator')}" if match.spectators else ""
    return f"After {many(match.moves, 'move')}, {match.turn}{watching}"
