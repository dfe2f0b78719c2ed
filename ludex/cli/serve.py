"""`ludex serve`: the web lab."""

import socket

import click

from ludex.cli import options
from ludex.web import HOST, PORT


@click.command()
@click.option("--host", default=HOST, show_default=True, help="Address to listen at.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Port."
)
@click.option("--game", "games", multiple=True, metavar="FILE", help="Also offer this game.")
@options.db
@click.option("--open", "show", is_flag=True, help="Open the browser.")
def serve(host: str, port: int, games: tuple[str, ...], db: str | None, show: bool) -> None:
    """Open the web lab.

    Play, watch, understand, train and compare in the browser. Finished matches are stored (see
    ludex history).

    Nothing is loaded from other servers. Programs can use the REST API, documented at /docs.

    \b
    ludex serve
    ludex serve --port 9000 --game examples/pig.py --db results.db
    """
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        why = error.strerror or error
        raise ValueError(f"cannot listen at {host}:{port}: {why} (--port takes another)") from error
    from ludex.store import Store

    store = Store(db)  # first, so that a wrong URL fails at once
    from ludex.web.app import serve as serve_lab

    serve_lab(host, port, games, show, store)
