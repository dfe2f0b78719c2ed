"""`ludex inspect`: show what was learned."""

from pathlib import Path
from typing import Any

import click

from ludex.agents.training import accuracy_text, share_sentence
from ludex.cli import console, options, words
from ludex.core.play import value_text
from ludex.core.rules import Rules, seats
from ludex.learn.accuracy import Accuracy
from ludex.library import inspection


@click.command()
@click.argument("file", type=options.PATH)
@click.option("--position", "given", metavar="TEXT", help="Show what is known about a position.")
@click.option("--game", type=words.GAME, help="The game, if the file leaves it open.")
@click.option("--top", type=click.IntRange(min=0), help="Rows; 10, or all if there are few hats.")
@options.as_json
def inspect(file: Path, given: str | None, game: str | None, top: int | None) -> None:
    """Show what an agent has learned.

    Hats are shown as a table, one row per hat with the number of balls for each action; if there
    are too many, and for Q-tables and strategies, the most-visited states; for a learned estimate,
    the largest weights. FILE may be reference or learned, for the included ones.

    \b
    ludex inspect hats.npz
    ludex inspect q.npz --position "2,0 2,3 5,5 0,0 50"
    ludex inspect learned --game trap
    """
    console.announce_compiling()
    found = inspection.inspect(file, given, game, top)
    options.warn_of(found.rules)
    console.emit(found.facts, show, found.rules, found.facts)


def show(rules: Rules, told: dict[str, Any]) -> None:
    """Print what was learned."""
    changed = ", ".join(f"{name}={value}" for name, value in told["rules"].items())
    kinds = {"td": ("changes of", "patterns"), "net": ("gradient steps of", "parameters")}
    what = kinds.get(told["learner"], ("choices in", "states"))
    console.say(
        f"{told['learner']} of {told['game']}{f' ({changed})' if changed else ''}:"
        f" {told['matches']:,} matches against {told['against']}, seed {told['seed']};"
        f" {told['choices']:,} {what[0]} {told['states']:,} {what[1]}"
    )
    if told["options"]:
        options = ", ".join(f"{name}={value}" for name, value in told["options"].items())
        console.say(options)
    if "share" in told:
        words = share_sentence(told["share"], told["interval"], told["opponent"], seats(rules))
        console.say(f"after {told['measured']:,} matches: {words}")
    if "loss" in told:
        accuracy = accuracy_text(Accuracy(told["best_moves"], told["loss"]))
        console.say(f"{accuracy}, by the exact solution")
    if "patterns" in told:
        show_patterns(rules, told)
    elif "seats" in told:
        show_position(told["seats"], told["learner"])
    elif "hats" in told:
        show_hats(told["hats"])
    elif told["learner"] == "hats":
        show_balls(told["visited"])
    else:
        show_values(told["visited"], told["learner"])


def show_patterns(rules: Rules, told: dict[str, Any]) -> None:
    """Print patterns with their weights."""
    names = ("seat",) if "position" in told else ()
    table = console.table(*names, "weight", "visits", "pattern")
    for row in told["patterns"]:
        own = (str(row[name]) for name in names)
        table.add_row(*own, f"{row['weight']:+.3f}", f"{row['visits']:,}", row["pattern"])
    console.show(table)
    if "position" in told:
        console.say(value_text(rules, told["value"], 0, ".4f", exact=False))


def show_position(rows: list[dict[str, Any]], learner: str) -> None:
    """Print what is known about a position: the balls of each learner, values or shares."""
    for row in rows:
        console.say(f"seat {row['seat']} sees {row['seen'] or 'all of it'}")
        if not row["actions"]:
            console.say("  never seen")
            continue
        width = len(next(iter(row["actions"].values()))["known"])
        names = learners(width) if learner == "hats" else [number_name(learner)]
        table = console.table("action", *names, "visits")
        for name, one in row["actions"].items():
            shown = (number_text(learner, number) for number in one["known"])
            table.add_row(name, *shown, f"{one['visits']:,}")
        console.show(table)


def number_name(learner: str) -> str:
    """Return what the number of an action is, in a table that is not of hats."""
    return "share" if learner in ("cfr", "net") else "value"


def number_text(learner: str, number: float) -> str:
    """Return the number of an action: balls, a share of a mixture, or a value."""
    return format(number, {"hats": ",", "cfr": ".3f", "net": ".3f"}.get(learner, "+.3f"))


def learners(count: int) -> list[str]:
    """Return the names of the learners."""
    return [f"learner {number}" for number in range(1, count + 1)]


def show_hats(rows: list[dict[str, Any]]) -> None:
    """Print hats as in the assignment: a row for each hat, a column for each learner."""
    table = console.table("hat", *learners(len(rows[0]["balls"]) if rows else 0))
    for row in rows:
        shown = (", ".join(map(str, balls.values())) for balls in row["balls"])
        table.add_row(row["hat"], *shown)
    console.show(table)


def show_balls(rows: list[dict[str, Any]]) -> None:
    """Print the most-visited hats, with a row for each learner."""
    table = console.table("visits", "hat", "balls, by action")
    for row in rows:
        first = (f"{row['visits']:,}", row["seen"])
        for name, balls in zip(learners(len(row["balls"])), row["balls"], strict=True):
            shown = "  ".join(f"{action}: {count:,}" for action, count in balls.items())
            table.add_row(*first, f"{name}: {shown}")
            first = ("", "")
    console.show(table)


def show_values(rows: list[dict[str, Any]], learner: str) -> None:
    """Print the most-visited states, with the value or share of each action."""
    table = console.table("visits", "state", f"{number_name(learner)}, by action")
    for row in rows:
        known = row["known"].items()
        shown = "  ".join(f"{action}: {number_text(learner, value)}" for action, value in known)
        table.add_row(f"{row['visits']:,}", row["seen"], shown)
    console.show(table)
