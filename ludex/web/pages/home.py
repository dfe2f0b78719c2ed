"""The home page: every game as a card with an animation."""

from nicegui import background_tasks, ui

from ludex.web.pages.page import Query
from ludex.web.parts import layout
from ludex.web.parts.board import Board
from ludex.web.parts.demo import animation
from ludex.web.state.catalogue import OfferedGame
from ludex.web.state.experiment_job import games_with_experiments
from ludex.web.state.server_state import ServerState

PACE = 1100  # milliseconds per scene


def show_home(server: ServerState, query: Query) -> None:
    """Show the page."""
    with layout.frame("Games", "/"):
        layout.heading("A laboratory for small games")
        layout.lead("Play them, watch agents play, and see what every move is worth.")
        with layout.div("lx-cards"):
            for game in server.catalogue.games.values():
                card(server, game)


def card(server: ServerState, game: OfferedGame) -> None:
    """Add a game's card."""
    rules = server.catalogue.rules(game.name)
    with ui.element("article").classes("lx-sheet lx-card"):
        with layout.div("lx-card-picture").props("inert"):  # no stop for Tab
            first, frames = animation(rules)
            Board(first, f"A picture of {game.title}").loop(frames, PACE)
        with layout.div("lx-card-words"):
            layout.heading(game.title, 2)
            ui.label(layout.capitalize(game.summary)).classes("lx-small")
            layout.note(game.kind)
            known = ui.label("Checking what is known …").classes("lx-known")
            with layout.div("lx-card-row"):
                layout.primary("Play", f"/play/{game.name}", label=f"Play {game.title}")
                pages = [("Watch", "watch"), ("Understand", "understand"), ("Guide", "guide")]
                pages += [("Lab", "lab")] if game.name in games_with_experiments() else []
                for name, path in pages:
                    layout.secondary(name, f"/{path}/{game.name}", label=f"{name} {game.title}")

    async def show_known_value() -> None:
        truth = await server.evaluations.known_value(game.source, ())
        known.text = layout.capitalize(str(truth["words"]))
        known.classes(add="lx-true" if truth["value"] is not None else "")

    background_tasks.create(show_known_value())
