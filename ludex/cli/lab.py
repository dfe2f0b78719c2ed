"""`ludex lab`: run experiments and write reports."""

import functools
import math
from pathlib import Path
from typing import Any

import click

from ludex.cli.lab_run import conduct, finish, ready, usual_folder
from ludex.cli.options import (
    Command,
    announce_compiling,
    as_json,
    plain_table,
    pool_options,
    print_json,
    screen,
    when,
)
from ludex.cli.recorded import db_option
from ludex.core.variants import read_pairs, read_toml
from ludex.lab.kinds import missing_extra
from ludex.lab.reader import (
    differences,
    make_experiment,
    read_experiment,
    resolved,
    shipped,
    told_apart,
)
from ludex.lab.runner import recalled
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.game_file import is_file, short_name
from ludex.library.history import open_store
from ludex.store.notebook import Notebook


class Scale(click.FloatRange):
    """A factor; what is no number is not one."""

    def convert(self, value: Any, param: Any, ctx: Any) -> float:
        """Return the factor of a text."""
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


def lab_options(command: Command) -> Command:
    """Give a command the options of where an experiment runs, is kept and is reported."""

    @click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed; the file's.")
    @pool_options
    @click.option(
        "--scale",
        type=SCALE,
        default=1.0,
        help="Multiply the matches.",
    )
    @click.option("--fresh", is_flag=True, help="Ignore stored results.")
    @out_option
    @db_option
    @functools.wraps(command)
    def wrapped(**given: Any) -> Any:
        announce_compiling()
        return command(**given)

    return wrapped


out_option = click.option(
    "--out",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Folder of the report; reports/NAME.",
)


@lab.command("list")
@db_option
@as_json
def list_all(db: str | None, as_json: bool) -> None:
    """List the included experiments, and those that were run.

    \b
    ludex lab list
    """
    ours = [read_experiment(name) for name in shipped()]
    past = Notebook(open_store(db)).experiments()
    if as_json:
        told = [
            {
                "name": one.name,
                "kind": one.kind,
                "game": one.game,
                "title": one.title,
                "needs": missing_extra(one.kind),
            }
            for one in ours
        ]
        runs = [
            {
                "number": row.id,
                "name": row.name,
                "kind": row.kind,
                "game": row.game,
                "title": row.ordered["title"],
                "differs": differs(row),
                "began": row.began,
                "ended": row.ended,
            }
            for row in past
        ]
        print_json({"experiments": told, "runs": runs})
        return
    console = screen()
    table = plain_table("experiment", "kind", "game", "what it asks")
    for one in ours:
        extra = missing_extra(one.kind)
        mark = f" (needs the extra {extra})" if extra else ""
        table.add_row(one.name, one.kind, one.game, one.title + mark)
    console.print(table)
    if past:
        console.print("\nrun so far (ludex lab report NUMBER)")
        runs_table = plain_table("number", "experiment", "game", "what differs", "ended")
        for row in past:
            ended = when(row.ended) if row.ended else "not finished"
            runs_table.add_row(str(row.id), row.name, short(row.game), differs(row), ended)
        console.print(runs_table)


def differs(row: Any) -> str:
    """Return what tells a run apart from others of its name; nothing if its game is gone."""
    try:
        return differences(resolved(Experiment(**row.ordered)))
    except (ValueError, TypeError, KeyError):  # of another Ludex, or about a file that is no more
        return ""


def short(game: str) -> str:
    """Return what a table calls a game."""
    return Path(game).stem if is_file(game) else game


@lab.command()
@click.argument("named", metavar="NAME|FILE")
@lab_options
@as_json
def run(named: str, scale: float, seed: int | None, as_json: bool, **venue: Any) -> None:
    """Run or resume an experiment, and write its report.

    Results are stored as they arrive, so that an interrupted experiment is resumed.

    \b
    ludex lab run nuts-training
    ludex lab run my.toml --scale 0.1 --out report
    """
    conduct(read_experiment(named, scale, seed), as_json, **venue)


@lab.command()
@click.argument("game")
@click.option("--rule", "pairs", multiple=True, metavar="KEY=VALUE", help="Change a rule.")
@click.option("--rules", "file", type=click.Path(path_type=Path), help="Rules from a file.")
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
@as_json
def balance(
    game: str,
    pairs: tuple[str, ...],
    file: Path | None,
    sweeps: tuple[str, ...],
    levels: tuple[str, ...],
    matches: int | None,
    vary: tuple[str, ...],
    trials: int | None,
    scale: float,
    seed: int | None,
    as_json: bool,
    **venue: Any,
) -> None:
    """Measure the balance of a game, along changing rules, or search for rules that balance it.

    \b
    ludex lab balance nuts --matches 20
    ludex lab balance arena --sweep gamma=60:140:4 --sweep heal=0:10
    ludex lab balance arena --vary gamma=60:140 --vary heal=0:10 --trials 60
    ludex lab balance ./mygame.py
    """
    if vary and sweeps:
        raise ValueError("--vary and --sweep: expected one of them")
    if trials and not vary:
        raise ValueError("--trials: a search needs --vary KEY=LOW:HIGH")
    kind, name = "mend" if vary else "balance", short_name(game)
    told: dict[str, Any] = {
        "kind": kind,
        "game": game,
        "title": f"{'Mending the balance' if vary else 'The balance'} of {name}",
        "rules": (read_toml(file) if file else {}) | read_pairs(pairs),
    }
    given: dict[str, Any] = {"vary": swept(vary, "--vary"), "sweep": swept(sweeps, "--sweep")}
    given |= {"levels": list(levels), "matches": matches, "trials": trials}
    told |= {key: value for key, value in given.items() if value not in (None, [], {})}
    experiment = make_experiment(f"{name}-{kind}", told, scale, seed)
    conduct(told_apart(experiment), as_json, **venue)


@lab.command()
@click.argument("named", metavar="NAME|FILE|NUMBER")
@click.option("--scale", type=SCALE, help="Scale of the run.")
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Seed of the run.")
@out_option
@db_option
@as_json
def report(
    named: str,
    scale: float | None,
    seed: int | None,
    out: Path | None,
    db: str | None,
    as_json: bool,
) -> None:
    """Write the report of a past experiment again, without running anything.

    NUMBER is one of those shown by ludex lab list.

    \b
    ludex lab report arena-first-move
    ludex lab report 3 --out report
    """
    notebook = Notebook(open_store(db))
    if named.isdigit():
        if scale is not None or seed is not None:
            raise ValueError("--scale and --seed are for a NAME or a FILE; a NUMBER has its own")
        row = notebook.experiment(int(named))
        if row is None:
            raise ValueError(f"no experiment {named}: ludex lab list shows those there are")
        experiment = resolved(Experiment(**row.ordered))
    else:
        experiment = read_experiment(named, 1.0 if scale is None else scale, seed)
    outcome = recalled(experiment, notebook)
    with ready(out or usual_folder(experiment)) as folder:
        finish(outcome, folder, as_json, None)


def swept(texts: tuple[str, ...], name: str) -> dict[str, str]:
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
