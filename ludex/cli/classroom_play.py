"""`ludex class`: serve a class, play its matches, and show who is better."""

import json
import socket
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from ludex.classroom.bundle import bundle_table, read_bundle, write_bundle
from ludex.classroom.bundle import repeat as repeat_final
from ludex.classroom.classroom import Classroom, open_class
from ludex.classroom.finals import (
    Final,
    FinalRow,
    cancel_final,
    final_table,
    find_final,
    start_final,
)
from ludex.classroom.ladder import ladder_rows
from ludex.classroom.programs import programs_of
from ludex.classroom.results import class_csv, gradescope_results
from ludex.classroom.supervisor import Workers, work_on_cluster
from ludex.classroom.worker import release_vanished
from ludex.classroom.worker import work as work_here
from ludex.cli import console, options
from ludex.cli.scores import elo_text, json_number
from ludex.io.files import write_text
from ludex.io.text import many
from ludex.library.progress import progress_bar
from ludex.web import HOST, PORT
from ludex.workers.pool import MOST_WORKERS, Pool

FOLDER = click.argument("place", metavar="CLASS")


@click.command()
@FOLDER
@click.option("--host", default=HOST, show_default=True, help="Address to listen at.")
@click.option(
    "--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="Port."
)
@click.option("--name", "names", multiple=True, help="Also answer to this host name.")
@click.option(
    "--processes",
    type=click.IntRange(0, MOST_WORKERS),
    help="Workers on this machine; one per core but one. With 0 others do the work.",
)
@options.unsafe
def serve(place: str, host: str, port: int, names: tuple[str, ...], processes: int | None) -> None:
    """Serve the pages of a class, and let its programs play.

    Workers that die are started again. Whatever is killed, nothing is lost: the same command goes
    on where it stopped.

    \b
    ludex class serve ai
    ludex class serve ai --host 0.0.0.0 --name lab.example.org
    """
    opened = open_class(place)
    try:
        socket.create_server((host, port)).close()
    except OSError as error:
        why = error.strerror or error
        raise ValueError(f"cannot listen at {host}:{port}: {why} (--port takes another)") from error
    from ludex.web.classroom import serve_class

    workers = None if processes == 0 else Workers(opened, processes or 0)
    if workers:
        workers.start()
    try:
        console.warn(f"the class {opened.name}: http://{host}:{port}/class")
        serve_class(opened, host, port, names)
    finally:
        if workers:
            workers.stop()


@click.command()
@FOLDER
@options.pool
@click.option("--until-idle", is_flag=True, help="End when nothing is left to play.")
@options.unsafe
def work(place: str, pool: Pool, until_idle: bool) -> None:
    """Check and play the programs of a class.

    A server has workers of its own; more of them may run beside it, or without it.

    Workers on other machines need the URL of the database, on PostgreSQL.

    \b
    ludex class work ai --until-idle
    ludex class work postgresql://ludex@db/ai --dask tcp://host:8786
    """
    opened = open_class(place)
    if pool.dask:
        for busy in work_on_cluster(opened, pool):
            if until_idle and not busy:
                break
    elif until_idle or pool.processes == 1:
        release_vanished(opened)
        done = work_here(opened, lambda: False, until_idle)
        console.say(f"{many(done, 'job')} done")
    else:
        workers = Workers(opened, pool.processes)
        workers.start()
        try:
            workers.ended.wait()
        finally:
            workers.stop()


@click.command()
@FOLDER
@options.as_json
def ladder(place: str) -> None:
    """Show the ladder of a class.

    A new rank begins at the first program that is certainly worse than one of those above it that
    share a rank; the places say which ranks the results allow.

    \b
    ludex class ladder ai
    """
    opened = open_class(place)
    rows = [
        {
            "rank": row.rank,
            "best": row.best,
            "worst": row.worst,
            "program": row.program.id,
            "name": row.program.name,
            "house": row.program.person is None,
            "elo": row.elo,
            "low": json_number(row.low),
            "high": json_number(row.high),
            "matches": row.matches,
        }
        for row in ladder_rows(opened)
    ]
    console.emit(rows, show_ladder)


def show_ladder(rows: list[dict[str, Any]]) -> None:
    """Print a ladder."""
    table = console.table("rank", "program", "Elo (95 %)", "places", "matches")
    for row in rows:
        best, worst = row["best"], row["worst"]
        places = f"{best} to {worst}" if best < worst else str(best)
        rank, places = (str(row["rank"]), places) if row["matches"] else ("", "")
        table.add_row(rank, escape(name_text(row)), rating_text(row), places, str(row["matches"]))
    console.show(table)


def name_text(row: dict[str, Any]) -> str:
    """Return the name of a program, which tells house agents from others."""
    return f"{row['name']} (house)" if row["house"] else str(row["name"])


def rating_text(row: dict[str, Any]) -> str:
    """Return a rating with its interval."""
    if not row["matches"]:
        return ""
    low, high = row["low"], row["high"]
    return elo_text(
        row["elo"], float("-inf") if low is None else low, float("inf") if high is None else high
    )


@click.command()
@FOLDER
@click.option("--start", is_flag=True, help="Freeze the programs that play now, and begin.")
@click.option("--cancel", is_flag=True, help="End the one that is being played.")
@click.option("--name", default="final", show_default=True, help="Its name.")
@click.option("--matches", type=options.POSITIVE, default=20, help="Of each two programs; 20.")
@click.option("--out", type=options.NewFile(), metavar="FILE.zip", help="Write all that it needs.")
@options.as_json
def final(place: str, start: bool, cancel: bool, name: str, matches: int, out: Path | None) -> None:
    """Start a final tournament, or show the newest one.

    Versions and seeds are frozen when it starts, and everybody plays everybody. The file has the
    programs of all, and ludex class repeat plays it again from there. If it is cancelled, the
    matches that were played stay, but count for no results; another may be started then.

    \b
    ludex class final ai --start --matches 20
    ludex class final ai --out final.zip
    ludex class final ai --cancel
    """
    opened = open_class(place)
    if start and cancel:
        raise ValueError("--start and --cancel: expected one of them")
    if cancel:
        found = cancel_final(opened)
    else:
        found = start_final(opened, name, matches) if start else find_final(opened)
    if out is not None:
        write_bundle(opened, found, out)
    players = programs_of(opened)
    house = {one.id for one in players if one.person is None}
    names = {one.id: one.name for one in players}
    table = final_rows(final_table(opened, found), names, house)
    facts = {**found._asdict(), "programs": list(found.programs), "table": table}
    console.emit(facts, show_final, found, table)


def final_rows(
    rows: list[FinalRow], names: dict[int, str], house: set[int]
) -> list[dict[str, Any]]:
    """Return the table of a final as JSON."""
    return [
        {
            **row._asdict(),
            "name": names[row.program],
            "house": row.program in house,
            "low": json_number(row.low),
            "high": json_number(row.high),
        }
        for row in rows
    ]


def show_final(found: Final, table: list[dict[str, Any]]) -> None:
    """Print a final."""
    show_table(table)
    end = "cancelled" if found.cancelled else "ended"
    state = f"{end} {console.minute(found.ended)}" if found.ended else "being played"
    console.say(f"\n{found.name}: {found.played:,} of {many(found.total, 'match')}; {state}")


def show_table(table: list[dict[str, Any]]) -> None:
    """Print the table of a final."""
    shown = console.table("rank", "program", "points", "matches", "Elo (95 %)")
    for row in table:
        points = f"{row['points']:g}"
        cells = (str(row["rank"]), escape(name_text(row)), points, str(row["matches"]))
        shown.add_row(*cells, rating_text(row))
    console.show(shown)


@click.command()
@click.argument("file", type=options.PATH)
@options.pool
@options.unsafe
@options.as_json
@click.pass_context
def repeat(ctx: click.Context, file: Path, pool: Pool) -> None:
    """Play a final tournament again, and compare.

    Ends with code 1 if a match goes differently. Programs that depend on the time may; so may those
    that draw random numbers in a game with hidden information.

    \b
    ludex class repeat final.zip
    """
    bundle, players = read_bundle(file)
    with progress_bar() as tell:
        found = repeat_final(
            bundle, players, pool, lambda done, total: tell("matches", 2 * done, 2 * total)
        )
    names = {one.id: one.name for one in players}
    house = {one.id for one in players if not one.folder}
    facts = {
        "final": bundle.name,
        "matches": 2 * len(bundle.pairs),
        "different": [[names[one.one], names[one.other], one.seed] for one in found.different],
        "same table": found.table == bundle_table(bundle),
        "table": final_rows(found.table, names, house),
    }
    console.emit(facts, show_repetition)
    if found.different:
        ctx.exit(1)


def show_repetition(facts: dict[str, Any]) -> None:
    """Print what came of repeating a final."""
    show_table(facts["table"])
    if not facts["different"]:
        console.say(f"\n{facts['final']}: all {many(facts['matches'], 'match')} as before")
        return
    console.say(f"\n{facts['final']}: some of {many(facts['matches'], 'match')} went differently")
    for one, other, _ in facts["different"]:
        console.say(f"{one} and {other}")


@click.command()
@FOLDER
@click.option(
    "--out", type=options.NewFile(), metavar="FILE", help="Write .csv, or .json for Gradescope."
)
def results(place: str, out: Path | None) -> None:
    """Print the results of a class, or write them.

    They are CSV, or for a FILE that ends in .json in the format of Gradescope.

    \b
    ludex class results ai --out class.csv
    ludex class results ai --out gradescope.json
    """
    opened = open_class(place)
    if out is None:
        click.echo(class_csv(opened), nl=False)
    else:
        write_text(out, result_text(opened, out))


def result_text(opened: Classroom, out: Path) -> str:
    """Return results in the format that the name of a file tells."""
    if out.suffix == ".csv":
        return class_csv(opened)
    if out.suffix == ".json":
        return json.dumps(gradescope_results(opened), indent=2, ensure_ascii=False) + "\n"
    raise ValueError(f"--out {str(out)!r}: expected a name that ends in .csv or .json")
