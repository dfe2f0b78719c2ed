"""`ludex analyse`: each decision of a match against the truth."""

from pathlib import Path
from typing import Any

import click

from ludex.analysis.decisions import Analysis
from ludex.analysis.decisions import analyse as analysed
from ludex.cli.options import (
    announce_compiling,
    as_json,
    patiently,
    plain_table,
    print_json,
    screen,
)
from ludex.cli.progress import telling
from ludex.cli.recorded import chosen_record, db_option, match_option
from ludex.files import write_text
from ludex.judge import DEPTH, ERRORS
from ludex.record import rules_of
from ludex.rules import seat_name


@click.command()
@click.argument("record")
@match_option
@click.option(
    "--depth",
    type=click.IntRange(2, 20),
    default=DEPTH,
    help=f"How far to search where there is no exact value; {DEPTH}.",
)
@click.option(
    "--page", type=click.Path(path_type=Path), metavar="FILE.html", help="Write a page as well."
)
@db_option
@as_json
def analyse(
    record: str, number: int | None, depth: int, page: Path | None, db: str | None, as_json: bool
) -> None:
    """Say where a match was won and lost.

    Each decision is compared with the exact solution where there is one, and with a deep search
    elsewhere. What dice and other chance gave is told apart from what the agents did.
    RECORD is a file of records, or EVENT/MATCH in the store (see ludex history).

    \b
    ludex match nuts best random --matches 2 --out two.jsonl
    ludex analyse two.jsonl --match 2 --page two.html
    """
    announce_compiling()
    found = chosen_record(record, number, db)
    with telling() as tell:
        analysis = patiently(
            analysed, found, depth, lambda done, total: tell("positions", done, total)
        )
    if page is not None:
        from ludex.analysis.page import page as written

        write_text(page, written(analysis))
    if as_json:
        print_json(facts(analysis))
    else:
        show(analysis)


def facts(analysis: Analysis) -> dict[str, Any]:
    """Return what programs want to know of an analysis."""
    return {
        "agents": list(analysis.record.agents),
        "judge": analysis.judge,
        "exact": analysis.exact,
        "course": list(analysis.course),
        "decisions": [one._asdict() for one in analysis.decisions],
        "luck": [one._asdict() for one in analysis.lucks],
        "seats": [
            {**one._asdict(), "error": one.error, "accuracy": one.accuracy}
            for one in analysis.balances
        ],
    }


def show(analysis: Analysis) -> None:
    """Print an analysis for people."""
    console = screen()
    record = analysis.record
    rules = rules_of(record)
    table = plain_table("move", "seat", "did", "best", "value", "lost", "")
    for one in analysis.decisions:
        table.add_row(
            str(one.ply),
            seat_name(rules, one.seat),
            one.move,
            one.best if one.loss else "",
            f"{one.value:+.4f}",
            f"{one.loss:.4f}" if one.loss else "",
            one.name,
        )
    console.print(table)
    console.print(f"\njudged by {analysis.judge}{'' if analysis.exact else ', which may err'}")
    kinds = [name for name, _ in ERRORS]
    total = plain_table("seat", "agent", "choices", "flawless", "lost for each", *kinds, "luck")
    for seat, balance in enumerate(analysis.balances):
        total.add_row(
            seat_name(rules, seat),
            record.agents[seat],
            str(balance.choices),
            f"{100 * balance.accuracy:.0f} %",
            f"{balance.error:.4f}",
            *(str(balance.names[kind]) for kind in kinds),
            f"{balance.luck:+.4f}",
        )
    console.print(total)
