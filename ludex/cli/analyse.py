"""`ludex analyse`: the decisions of a match, compared with exact or searched values."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from ludex.analysis import decisions
from ludex.analysis import evaluator as evaluators
from ludex.analysis.decisions import Analysis, Tell
from ludex.analysis.evaluator import DEPTH, DEPTH_MANY, ERRORS, SLOW_DEPTH
from ludex.cli import console, options
from ludex.io.files import write_text
from ludex.kernel.threads import run_interruptibly
from ludex.library.history import find_record
from ludex.library.progress import progress_bar
from ludex.match.record import end_text, rules_of

SHALLOWEST = 2  # search depth
SLOW = 8.0  # seconds before a smaller depth is suggested


@click.command()
@click.argument("record")
@options.match
@click.option(
    "--depth",
    type=click.IntRange(SHALLOWEST, 20),
    help="Search depth where there is no exact value;"
    f" {DEPTH}, {DEPTH_MANY} with more than two seats, or {SLOW_DEPTH} in games of OpenSpiel.",
)
@click.option(
    "--page", type=options.NewFile(), metavar="FILE.html", help="Also write an HTML page."
)
@options.db
@options.as_json
def analyse(
    record: str, number: int | None, depth: int | None, page: Path | None, db: str | None
) -> None:
    """Analyse the decisions of a match.

    Each decision is compared with the exact solution if there is one, and with a deep search
    elsewhere. Luck, from chance or from the draws of mixed strategies, is separated from skill.
    RECORD is a file of records, or EVENT/MATCH in the store (see ludex history).

    \b
    ludex match nuts best random --matches 2 --out two.jsonl
    ludex analyse two.jsonl --match 2 --page two.html
    """
    console.announce_compiling()
    found = find_record(record, number, db)
    with progress_bar() as tell:
        analysis = run_interruptibly(decisions.analyse, found, depth, progress_callback(tell))
    if depth is not None and analysis.exact:
        console.warn(f"--depth {depth} was not needed: the values are exact")
    if page is not None:
        from ludex.analysis import page as pages

        write_text(page, pages.page(analysis))
    console.emit(facts(analysis), show, analysis)


def progress_callback(tell: Callable[[str, int, int], None]) -> Tell:
    """Return a callback that shows progress, and once suggests a smaller depth."""
    began = time.monotonic()
    hinted = False

    def follow(evaluator: evaluators.Evaluator, done: int, total: int) -> None:
        nonlocal hinted
        tell("positions", done, total)
        late = time.monotonic() - began > SLOW
        depth = evaluator.depth if isinstance(evaluator, evaluators.SearchEvaluator) else 0
        if late and not hinted and depth > SHALLOWEST:
            hinted = True
            ahead = evaluators.depth_text(depth)
            console.warn(f"looking {ahead} takes a while: --depth {depth - 1} is quicker")

    return follow


def facts(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as JSON."""
    record = analysis.record
    names = ("game", "rules", "seed", "when", "agents", "ending", "seat", "words", "returns")
    return {
        **{name: getattr(record, name) for name in names},
        "judge": analysis.judge,
        "exact": analysis.exact,
        "depth": analysis.depth,
        "course": list(analysis.course),
        "decisions": [one._asdict() for one in analysis.decisions],
        "luck": [one._asdict() for one in analysis.lucks],
        "seats": [
            {**one._asdict(), "error": one.error, "accuracy": one.accuracy}
            for one in analysis.balances
        ],
    }


def show(analysis: Analysis) -> None:
    """Print an analysis."""
    record = analysis.record
    rules = rules_of(record)
    table = console.table("move", "seat", "did", "best", "value", "lost", "")
    for *texts, error, luck in analysis.table.texts:
        table.add_row(*texts, " ".join(filter(None, (error, luck and f"luck {luck}"))))
    console.show(console.fit(table, "did", "best"))
    console.say(f"\n{end_text(rules, record)}")
    if record.seat >= 0:
        console.show("That decided it, and is no decision that is judged here.")
    console.show(analysis.source)
    total = console.table("seat", "choices", "flawless", "lost for each", *dict(ERRORS), "luck")
    for seat, _, choices, flawless, each, _, *counts, luck in analysis.totals.texts:
        total.add_row(seat, choices, flawless or "-", each or "-", *counts, luck or "-")
    console.show(console.fit(total))
