"""`ludex history`: list, search and export past matches."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
from sqlalchemy import Row

from ludex.cli import console, options, words
from ludex.cli.scores import elo_text, score_table
from ludex.cli.tournament import show_standing
from ludex.io.files import csv_text, write_text
from ludex.io.text import many
from ludex.library.history import PastEvent, event_facts, open_store, past_event
from ludex.library.results import fault_lines
from ludex.store import Store
from ludex.tournaments.plan import SIDES

FEW = 20  # default number of events
COLUMNS = ("event", "match", "game", "seat", "agent", "returns", "ending", "seconds", "decisions")


@click.command()
@click.argument("event", type=int, required=False)
@click.option("--game", type=words.GAME, help="Only events of a game.")
@click.option("--agent", type=words.AGENT, help="Only events in which an agent played.")
@click.option("--limit", type=options.POSITIVE, help=f"Number of events; {FEW}, or all with --out.")
@click.option("--ratings", is_flag=True, help="Show the latest ladder ratings instead.")
@click.option("--all", "every", is_flag=True, help="Include older ratings.")
@click.option(
    "--out",
    type=options.NewFile(),
    metavar="FILE",
    help="Export all matches: .csv has one row per seat, .jsonl the records.",
)
@options.db
@options.as_json
def history(
    event: int | None, ratings: bool, every: bool, out: Path | None, db: str | None, **filters: Any
) -> None:
    """List, search and export past matches.

    \b
    ludex history --game trap
    ludex history 12                    the result and the matches of an event
    ludex history 12 --out event.csv
    ludex history --ratings --all
    """
    game, agent, limit = (filters[name] for name in ("game", "agent", "limit"))
    given = {"--game": game, "--agent": agent, "--limit": limit, "--out": out}
    if event is not None:
        refuse(f"event {event}", given | {"--ratings": ratings}, "--out")
    if ratings:
        refuse("--ratings", given, "--game")
    if every and not ratings:
        raise ValueError("--all is for --ratings (--limit says how many events)")
    store = open_store(db)
    if ratings:
        found = store.ratings_of(game, every)
        console.emit([row._asdict() for row in found], show_ratings, found)
        return
    most = limit or (None if out else FEW)
    past = past_event(event, store) if event is not None else None
    rows = [past.row] if past else store.history(game, agent, most)
    if out is not None:
        written = export(store, rows, out)
        click.echo(f"{many(written, 'match')} in {out}", err=console.json_wanted())
    elif past:
        show_event(past)
    elif console.json_wanted():
        console.print_json([event_facts(row) for row in rows])
    elif rows:
        show_events(rows)
    elif game or agent:
        wanted = " and ".join(repr(one) for one in (game, agent) if one)
        click.echo(f"no event here has {wanted}: ludex history shows what there is")
    else:
        click.echo("nothing was played yet: ludex match nuts best random")


def refuse(what: str, given: dict[str, Any], *fitting: str) -> None:
    """Raise a ValueError if an option was given that is not one of the fitting ones."""
    for name, value in given.items():
        if value and name not in fitting:
            raise ValueError(f"{what} with {name}: expected one of them")


def show_events(rows: list[Row[Any]]) -> None:
    """Print events."""
    table = console.table("event", "began", "game", "format", "matches", "agents")
    for row in rows:
        table.add_row(
            str(row.id),
            console.minute(row.began),
            game_text(row),
            row.format,
            str(row.matches) if row.ended else f"{row.matches}, not finished",
            " ".join(row.agents),
        )
    console.show(console.fit(table, "game", "agents"))


def game_text(row: Row[Any]) -> str:
    """Return the game of an event with its changed rules."""
    return " ".join([row.game, *(f"{key}={value}" for key, value in row.rules.items())])


def show_event(past: PastEvent) -> None:
    """Print an event: what it was, its result, and its matches."""
    row, stands, failed = past.row, past.standing, past.failures
    scores = [won.row(text) for text, won in zip(row.agents, stands.scores, strict=True)]
    if console.json_wanted():
        console.print_json(
            {**past.facts, "scores": scores, "faults": failed, "matches": past.matches}
        )
        return
    ended = f"ended {console.minute(row.ended)}" if row.ended else "not finished"
    for line in (
        f"event {row.id}: {row.format} of {game_text(row)}, seed {row.seed}",
        f"began {console.minute(row.began)}, {ended} (UTC); Ludex {row.source}\n",
    ):
        console.say(line)
    if len(row.agents) > 2:
        show_standing(stands, row.agents, row.format == SIDES)
    else:
        console.show(score_table(scores))
        for line in fault_lines(failed):
            console.say(line)
    table = console.table("match", "agents", "returns", "ending")
    for match in past.played:
        by = f" by {row.agents[match.agents[match.seat]]}: {match.words}" if match.seat >= 0 else ""
        table.add_row(
            f"{row.id}/{match.number}",
            " ".join(row.agents[agent] for agent in match.agents),
            " ".join(f"{value:+g}" for value in match.returns),
            f"{match.ending}{by}",
        )
    console.say("")
    console.show(console.fit(table, "agents", "ending"))


def show_ratings(rows: Sequence[Row[Any]]) -> None:
    """Print ladder ratings."""
    table = console.table("game", "agent", "Elo (95 %)", "matches", "event", "day", "source")
    for row in rows:
        table.add_row(
            f"{row.game} {row.rules}".strip(),
            row.agent,
            elo_text(row.elo, row.low, row.high),
            str(row.matches),
            str(row.event or ""),
            row.day,
            row.source,
        )
    nothing = "no ladder was played yet: ludex ladder nuts"
    console.show(console.fit(table, "game", "agent") if rows else nothing)


def export(store: Store, rows: list[Row[Any]], path: Path) -> int:
    """Write the matches of events to a file, and return how many there are."""
    if path.suffix == ".jsonl":
        lines = [line for row in rows for line in store.records(row.id)]
        write_text(path, "".join(f"{line}\n" for line in lines))
        return len(lines)
    if path.suffix != ".csv":
        raise ValueError(f"--out {str(path)!r}: expected a name that ends in .csv or .jsonl")
    table: list[tuple[object, ...]] = [COLUMNS]
    count = 0
    for row in rows:
        for match in store.matches_of(row.id):
            count += 1
            for seat, agent in enumerate(match.agents):
                seated = (seat, row.agents[agent], match.returns[seat], match.ending)
                spent = (match.seconds[seat], match.decisions[seat])
                table.append((row.id, match.number, row.game, *seated, *spent))
    write_text(path, csv_text(table))
    return count
