"""The way back to one's seat in a match, for a browser that has opened it with its key."""

import json

from nicegui import ui

from ludex.web.parts import layout
from ludex.web.state.live_match import LiveMatch


def remember_seat(match: str, key: str) -> None:
    """Let this browser keep the key of a match; no other one gets it."""
    ui.run_javascript(f"lx.rememberSeat({json.dumps(match)}, {json.dumps(key)})")


def offer_seat(live: LiveMatch) -> None:
    """Add a link to one's seat in a match, once the browser has been asked for its key."""

    async def ask() -> None:
        key = (await layout.browser_text(f"lx.seatKey({json.dumps(live.id)})"))[:40]
        if live.seats_of(key):
            address = layout.address(f"/match/{live.id}", key=key)
            ui.link("Back to your seat", address).classes("lx-seat")

    with layout.div():
        ui.timer(0.0, ask, once=True)
