"""`ludex games`: the games, and the rules of one."""

from types import ModuleType
from typing import Any

import click
from rich.markup import escape

from ludex.cli.options import as_json, plain_table, print_json, screen
from ludex.games import all_names, find, name_of, rules_class, summary, title
from ludex.rules import Grid, seats
from ludex.variant import range_text, rule_table, rule_values, write_value


@click.command()
@click.argument("name", required=False)
@as_json
def games(name: str | None, as_json: bool) -> None:
    """List the games, or the rules of one.

    \b
    ludex games
    ludex games arena
    ludex games ./mygame.py --json
    """
    if name is not None:
        game = find(name)
        print_json(facts(game)) if as_json else show_rules(game)
    elif as_json:
        print_json([facts_or_fault(one) for one in all_names()])
    else:
        table = plain_table("game", "title", "kind")
        for one in all_names():
            table.add_row(one, *described(one))
        screen().print(table)


def described(name: str) -> tuple[str, str]:
    """Return title and kind of a game, or why an installed one cannot be used."""
    try:
        game = find(name)
    except ValueError as error:
        return escape(str(error)), ""
    return title(game), str(getattr(game, "KIND", ""))


def facts_or_fault(name: str) -> dict[str, Any]:
    """Return the facts of a game, or why an installed one cannot be used."""
    try:
        return facts(find(name))
    except ValueError as error:
        return {"game": name, "fault": str(error)}


def facts(game: ModuleType) -> dict[str, Any]:
    """Return what programs want to know of a game."""
    rules = rules_class(game)()
    values = rule_values(rules)
    return {
        "game": name_of(game),
        "title": title(game),
        "kind": getattr(game, "KIND", ""),
        "version": getattr(game, "VERSION", 1),
        "seats": seats(rules),
        "summary": summary(game),
        "rules": {
            key: {
                "default": write_value(rule, values[key]),
                "range": range_text(rule, values[key]),
                "text": rule.text,
            }
            for key, rule in rule_table(rules).items()
        },
    }


def show_rules(game: ModuleType) -> None:
    """Print every rule with its default, its range and a sentence; grids as tables."""
    rules = rules_class(game)()
    grids: tuple[Grid, ...] = getattr(game, "GRIDS", ())
    in_grids = {f"{row}-{column}" for grid in grids for row in grid.rows for column in grid.columns}
    console, table, values = screen(), rule_table(rules), rule_values(rules)
    console.print(f"[bold]{escape(title(game))}[/]\n{escape(summary(game))}\n")
    lines = plain_table("rule", "default", "range", "what it is")
    for key, rule in table.items():
        if key not in in_grids:
            shown = write_value(rule, values[key])
            lines.add_row(key, shown, range_text(rule, values[key]), escape(rule.text))
    console.print(lines)
    for grid in grids:
        key = f"{grid.rows[0]}-{grid.columns[0]}"
        console.print(
            f"\n{grid.text}: ROW-COLUMN, such as [bold]{key}[/],"
            f" {range_text(table[key], values[key])}"
        )
        drawn = plain_table("", *grid.columns)
        for row in grid.rows:
            drawn.add_row(row, *(str(values[f"{row}-{column}"]) for column in grid.columns))
        console.print(drawn)
