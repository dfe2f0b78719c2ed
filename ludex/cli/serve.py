"""`ludex serve`: the web lab."""

import socket

import click

from ludex.cli import options
from ludex.web import HOST, PORT

SHORTEST = 12  # characters of an access key


@click.command()
@click.option("--host", default=HOST, show_default=True, help="Address to listen at.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Port."
)
@click.option("--agent", "agents", multiple=True, metavar="FILE", help="Also offer this program.")
@click.option("--game", "games", multiple=True, metavar="FILE", help="Also offer this game.")
@options.db
@click.option(
    "--key", envvar="LUDEX_KEY", help="Access key; by default a new one if others can connect."
)
@click.option("--no-key", is_flag=True, help="Let everyone in who reaches the address.")
@click.option("--name", "names", multiple=True, help="Also answer to this host name.")
@click.option("--open", "show", is_flag=True, help="Open the browser.")
def serve(
    host: str,
    port: int,
    agents: tuple[str, ...],
    games: tuple[str, ...],
    db: str | None,
    key: str | None,
    no_key: bool,
    names: tuple[str, ...],
    show: bool,
) -> None:
    """Open the web lab.

    Play, watch, understand, train and compare in the browser. Finished matches are stored (see
    ludex history).

    Nothing is loaded from other servers. Programs can use the REST API, documented at /docs.
    With a --host other than this machine's own, visitors need the access key that is printed.

    \b
    ludex serve
    ludex serve --port 9000 --game examples/pig.py --db results.db
    ludex serve --host 0.0.0.0
    """
    if no_key and key:
        raise ValueError("expected --key or --no-key, not both")
    if key is not None and len(key) < SHORTEST:
        raise ValueError(
            f"--key: expected at least {SHORTEST} characters, so that it is hard to guess"
        )
    from ludex.web.addresses import check_host_name

    for name in names:
        check_host_name(name)
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        why = error.strerror or error
        raise ValueError(f"cannot listen at {host}:{port}: {why} (--port takes another)") from error
    from ludex.store import Store

    store = Store(db)  # first, so that a wrong URL fails at once
    from ludex.web.app import serve as serve_lab

    given = "" if no_key else key
    serve_lab(host, port, games, show, store, given, names, agents)
