"""`ludex history`: what was played, and finding and exporting it."""

import csv
import io
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Row

from ludex.cli.options import as_json, plain_table, print_json, screen
from ludex.cli.recorded import db_option
from ludex.files import write_text
from ludex.store import Played, Store

COLUMNS = ("event", "match", "game", "seat", "agent", "returns", "ending", "seconds", "decisions")


@click.command()
@click.argument("event", type=int, required=False)
@click.option("--game", help="Only events of a game.")
@click.option("--agent", help="Only events in which an agent played.")
@click.option("--limit", type=click.IntRange(min=1), default=20, help="How many events; 20.")
@click.option("--ratings", is_flag=True, help="The ratings of the ladders instead.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Export all matches: .csv has a row for each seat, .jsonl the records.",
)
@db_option
@as_json
def history(
    event: int | None,
    game: str | None,
    agent: str | None,
    limit: int,
    ratings: bool,
    out: Path | None,
    db: str | None,
    as_json: bool,
) -> None:
    """Find and export what was played.

    \b
    ludex history --game trap
    ludex history 12                    the matches of an event
    ludex history 12 --out event.csv
    """
    store = Store(db)
    if ratings and out is not None:
        raise ValueError("--ratings with --out: expected one of them (--ratings --json prints all)")
    if ratings:
        show_ratings(store, game, as_json)
        return
    rows = [one_event(store, event)] if event is not None else store.history(game, agent, limit)
    if out is not None:
        written = export(store, rows, out)
        click.echo(f"{written} matches in {out}", err=as_json)
    elif event is not None:
        show_matches(store, rows[0], as_json)
    elif as_json:
        print_json([facts(row) for row in rows])
    elif rows:
        show_events(rows)
    elif game or agent:
        wanted = " and ".join(repr(one) for one in (game, agent) if one)
        click.echo(f"no event here has {wanted}: ludex history shows what there is")
    else:
        click.echo("nothing was played yet: ludex match nuts best random")


def one_event(store: Store, number: int) -> Row[Any]:
    """Return an event of the store."""
    row = store.event(number)
    if row is None:
        raise ValueError(f"the store has no event {number}: ludex history shows what it has")
    return row


def facts(row: Row[Any]) -> dict[str, Any]:
    """Return what programs want to know of an event."""
    names = ("id", "game", "rules", "format", "agents", "seed", "source", "began", "ended")
    counted = {"matches": row.matches} if hasattr(row, "matches") else {}
    return {name: getattr(row, name) for name in names} | counted


def show_events(rows: list[Row[Any]]) -> None:
    """Print events for people."""
    table = plain_table("event", "began", "game", "format", "matches", "agents", "")
    for row in rows:
        rules = "".join(f" {key}={value}" for key, value in row.rules.items())
        table.add_row(
            str(row.id),
            row.began.replace("T", " ").removesuffix("Z"),
            f"{row.game}{rules}",
            row.format,
            str(row.matches),
            " ".join(row.agents),
            "" if row.ended else "not finished",
        )
    screen().print(table)


def show_matches(store: Store, row: Row[Any], as_json: bool) -> None:
    """Print the matches of an event."""
    played = store.played(row.id)
    if as_json:
        print_json({**facts(row), "matches": [match_facts(row, match) for match in played]})
        return
    table = plain_table("match", "agents", "returns", "ending")
    for match in played:
        table.add_row(
            f"{row.id}/{match.number}",
            " ".join(row.agents[agent] for agent in match.agents),
            " ".join(f"{value:+g}" for value in match.returns),
            match.ending,
        )
    screen().print(table)


def match_facts(row: Row[Any], match: Played) -> dict[str, Any]:
    """Return what programs want to know of a match."""
    return {
        "match": f"{row.id}/{match.number}",
        "agents": [row.agents[agent] for agent in match.agents],
        "returns": list(match.returns),
        "ending": match.ending,
        "seconds": list(match.seconds),
        "decisions": list(match.decisions),
    }


def show_ratings(store: Store, game: str | None, as_json: bool) -> None:
    """Print the ratings of all ladders, or of one game."""
    rows = store.rated(game)
    if as_json:
        print_json([row._asdict() for row in rows])
        return
    table = plain_table("game", "agent", "Elo", "95 %", "matches", "day", "source")
    for row in rows:
        interval = f"{row.low:+.0f} to {row.high:+.0f}"
        name = f"{row.game} {row.rules}".strip()
        table.add_row(
            name, row.agent, f"{row.elo:+.0f}", interval, str(row.matches), row.day, row.source
        )
    screen().print(table if rows else "no ladder was played yet: ludex ladder nuts")


def export(store: Store, rows: list[Row[Any]], path: Path) -> int:
    """Write the matches of events to a file, and return how many there are."""
    if path.suffix == ".jsonl":
        lines = [line for row in rows for line in store.records(row.id)]
        write_text(path, "".join(f"{line}\n" for line in lines))
        return len(lines)
    if path.suffix != ".csv":
        raise ValueError(f"--out {str(path)!r}: expected a name that ends in .csv or .jsonl")
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for row in rows:
        for match in store.played(row.id):
            count += 1
            for seat, agent in enumerate(match.agents):
                seated = (seat, row.agents[agent], match.returns[seat], match.ending)
                spent = (match.seconds[seat], match.decisions[seat])
                writer.writerow((row.id, match.number, row.game, *seated, *spent))
    write_text(path, text.getvalue())
    return count
