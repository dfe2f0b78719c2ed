"""The way back to one's seat in a match, for a browser that has opened it with its key."""

import json
from collections.abc import Mapping

from nicegui import ui

from ludex.web.parts import layout
from ludex.web.state.live_match import LiveMatch

SEATS = "lx.seats().map(([match, key]) => `${match} ${key}`).join('\\n')"
LONGEST = 2000  # letters of the answer that are read


def remember_seat(match: str, key: str) -> None:
    """Let this browser keep the key of a match; no other one gets it."""
    ui.run_javascript(f"lx.rememberSeat({json.dumps(match)}, {json.dumps(key)})")


def offer_seat(live: LiveMatch) -> None:
    """Add a link to one's seat in a match, once the browser has been asked for its key."""

    async def ask() -> None:
        key = (await layout.browser_text(f"lx.seatKey({json.dumps(live.id)})"))[:40]
        if live.seats_of(key):
            add_link("Back to your seat", live, key)

    with layout.div():
        ui.timer(0.0, ask, once=True)


def offer_latest_seat(matches: Mapping[str, LiveMatch], game: str) -> None:
    """Add a link to the latest match of a game in which this browser has a seat, if one goes on."""

    async def ask() -> None:
        for line in (await layout.browser_text(SEATS))[:LONGEST].splitlines():
            name, _, key = line.partition(" ")
            live = matches.get(name)
            if live and live.game.name == game and not live.match.over and live.seats_of(key):
                add_link("Back to your match", live, key)
                return

    with layout.div():
        ui.timer(0.0, ask, once=True)


def add_link(text: str, live: LiveMatch, key: str) -> None:
    """Add a link that opens a match with a key."""
    ui.link(text, layout.address(f"/match/{live.id}", key=key)).classes("lx-seat")
