"""`ludex lab`: run experiments and write reports."""

import functools
import math
from pathlib import Path
from typing import Any

import click

from ludex.cli import console, options, words
from ludex.cli.lab_run import RunSettings, report_folder, run_and_report, write_report
from ludex.core.variants import read_pairs, read_toml
from ludex.games import is_path
from ludex.lab.api import available_experiments, past_experiment, past_experiments
from ludex.lab.spec.game_file import short_name


class Scale(click.FloatRange):
    """A factor, not NaN."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Parse a factor."""
        factor: float = super().convert(value, param, ctx)
        if math.isnan(factor):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return factor


SCALE = Scale(min=0, min_open=True, max=1000)


@click.group()
def lab() -> None:
    """Run experiments and write reports.

    \b
    ludex lab list
    ludex lab run arena-first-move
    ludex lab balance arena --sweep gamma=60:140:4
    ludex lab report arena-first-move --out report
    """


def lab_options(command: options.Command) -> options.Command:
    """Add the options of running and storing an experiment to a command, as `settings`."""

    @click.option("--seed", type=options.SEED, help="Seed; the file's.")
    @options.pool
    @click.option("--scale", type=SCALE, default=1.0, help="Multiply the matches.")
    @click.option("--fresh", is_flag=True, help="Ignore stored results.")
    @out_option
    @options.db
    @options.device
    @functools.wraps(command)
    def wrapped(**given: Any) -> Any:
        console.announce_compiling()
        settings = RunSettings(**{name: given.pop(name) for name in RunSettings._fields})
        return command(settings=settings, **given)

    return wrapped


out_option = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder of the report; reports/NAME.",
)


@lab.command("list")
@options.db
@options.as_json
def list_all(db: str | None) -> None:
    """List the included experiments, and those that were run.

    \b
    ludex lab list
    """
    ours, past = available_experiments(), past_experiments(db)
    if console.json_wanted():
        console.print_json({"experiments": ours, "runs": past})
        return
    table = console.table("experiment", "kind", "game", "what it asks")
    for one in ours:
        mark = f" (needs the extra {one['needs']})" if one["needs"] else ""
        table.add_row(one["name"], one["kind"], one["game"], one["title"] + mark)
    console.show(table)
    if past:
        console.show("\nrun so far (ludex lab report NUMBER)")
        runs = console.table("number", "experiment", "game", "what differs", "ended")
        for one in past:
            ended = console.minute(one["ended"]) if one["ended"] else "not finished"
            game = Path(one["game"]).stem if is_path(one["game"]) else one["game"]
            runs.add_row(str(one["number"]), one["name"], game, one["differs"], ended)
        console.show(runs)


@lab.command()
@click.argument("named", metavar="NAME|FILE")
@lab_options
@options.as_json
def run(named: str, settings: RunSettings) -> None:
    """Run or resume an experiment, and write its report.

    Results are stored as they arrive, so that an interrupted experiment is resumed.

    \b
    ludex lab run nuts-training
    ludex lab run my.toml --scale 0.1 --out report
    """
    run_and_report(named, settings)


@lab.command()
@click.argument("game", type=words.GAME)
@options.rules
@click.option(
    "--sweep", "sweeps", multiple=True, metavar="KEY=LOW:HIGH:STEP", help="At most two sweeps."
)
@click.option(
    "--level",
    "levels",
    multiple=True,
    metavar="AGENT",
    help="The players, the weakest first; random and the game's levels, or a search.",
)
@click.option("--matches", type=click.IntRange(min=0), help="Matches per cell of the win table.")
@click.option(
    "--vary",
    multiple=True,
    metavar="KEY=LOW:HIGH:STEP",
    help="Search for the smallest change of these rules that balances (needs the extra lab).",
)
@click.option("--trials", type=click.IntRange(min=6), help="Sets of rules to try.")
@lab_options
@options.as_json
def balance(game: str, settings: RunSettings, **given: Any) -> None:
    """Measure the balance of a game, along changing rules, or search for rules that balance it.

    \b
    ludex lab balance nuts --matches 20
    ludex lab balance arena --sweep gamma=60:140:4 --sweep heal=0:10
    ludex lab balance arena --vary gamma=60:140 --vary heal=0:10 --trials 60
    ludex lab balance ./mygame.py
    """
    pairs, file = given.pop("pairs"), given.pop("file")
    vary, sweeps = ranges(given.pop("vary"), "--vary"), ranges(given.pop("sweeps"), "--sweep")
    if vary and sweeps:
        raise ValueError("--vary and --sweep: expected one of them")
    if given["trials"] and not vary:
        raise ValueError("--trials: a search needs --vary KEY=LOW:HIGH")
    kind, name = "mend" if vary else "balance", short_name(game)
    order: dict[str, Any] = {
        "kind": kind,
        "game": game,
        "title": f"{'Mending the balance' if vary else 'The balance'} of {name}",
        "rules": (read_toml(file) if file else {}) | read_pairs(pairs),
    }
    given |= {"levels": list(given["levels"]), "vary": vary, "sweep": sweeps}
    order |= {key: value for key, value in given.items() if value not in (None, [], {})}
    run_and_report(order, settings)


@lab.command()
@click.argument("named", metavar="NAME|FILE|NUMBER")
@click.option("--scale", type=SCALE, help="Scale of the run.")
@click.option("--seed", type=options.SEED, help="Seed of the run.")
@out_option
@options.db
@options.as_json
def report(
    named: str, scale: float | None, seed: int | None, out: Path | None, db: str | None
) -> None:
    """Write the report of a past experiment again, without running anything.

    NUMBER is one of those shown by ludex lab list.

    \b
    ludex lab report arena-first-move
    ludex lab report 3 --out report
    """
    if named.isdigit() and (scale is not None or seed is not None):
        raise ValueError("--scale and --seed are for a NAME or a FILE; a NUMBER has its own")
    changes = {} if named.isdigit() else {"scale": 1.0 if scale is None else scale, "seed": seed}
    findings = past_experiment(int(named) if named.isdigit() else named, db, **changes)
    with report_folder(out, findings.outcome.experiment) as folder:
        write_report(findings, folder, None)


def ranges(texts: tuple[str, ...], name: str) -> dict[str, str]:
    """Return keys and ranges from texts of the form KEY=RANGE."""
    found: dict[str, str] = {}
    for text in texts:
        key, equals, values = text.partition("=")
        if not equals or not key or not values:
            raise ValueError(f"{name} {text!r}: expected KEY=LOW:HIGH:STEP")
        if key in found:
            raise ValueError(f"{name}: {key} is there twice")
        found[key] = values
    return found
