"""`ludex games`: list the games, or the rules of one."""

from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from ludex.cli import console, options, words
from ludex.core import rules as ask
from ludex.core.rules import LARGEST, Rule, Rules, Value
from ludex.core.time_control import clock_words, read_clocks
from ludex.core.variants import keys_of, range_text, rule_table, single_rules, write_value
from ludex.games import all_names, find, summary


@click.command()
@click.argument("name", type=words.GAME, required=False)
@options.rules
@options.as_json
def games(name: str | None, pairs: tuple[str, ...], file: Path | None) -> None:
    """List the games, or the rules of one.

    \b
    ludex games
    ludex games arena
    ludex games droids --rule rows=6
    ludex games ./mygame.py --json
    """
    if name is not None:
        rules = options.chosen_rules(name, pairs, file)
        console.emit(facts(rules), show_rules, rules)
    elif pairs or file:
        raise ValueError("--rule and --rules need a game: ludex games GAME --rule KEY=VALUE")
    elif console.json_wanted():
        console.print_json([facts_or_fault(one) for one in all_names()])
    else:
        table = console.table("game", "title", "kind")
        for one in all_names():
            table.add_row(one, *title_and_kind(one))
        console.show(table)


def title_and_kind(name: str) -> tuple[str, str]:
    """Return title and kind of a game, or why it cannot be loaded."""
    try:
        game = find(name)
    except ValueError as error:
        return escape(str(error)), ""
    return ask.title(game), ask.kind_of(game)


def facts_or_fault(name: str) -> dict[str, Any]:
    """Return a game as JSON, or why it cannot be loaded."""
    try:
        return facts(options.chosen_rules(name))
    except ValueError as error:
        return {"game": name, "fault": str(error)}


def facts(rules: Rules) -> dict[str, Any]:
    """Return a game as JSON."""
    game, usual, values = ask.game_of(rules), ask.rule_values(type(rules)()), ask.rule_values(rules)
    return {
        "game": ask.name_of(game),
        "title": ask.title(game),
        "kind": ask.kind_of(game),
        "version": ask.version_of(game),
        "seats": ask.seats(rules),
        "summary": summary(game),
        "clock": ask.clock(rules),
        "rules": {
            key: rule_facts(rule, usual[key], values[key])
            for key, rule in rule_table(rules).items()
        },
    }


def rule_facts(rule: Rule, usual: Value, value: Value) -> dict[str, Any]:
    """Return a rule as JSON: its words, or its range and number of values."""
    bounded = not rule.words and rule.low > -LARGEST
    return {
        "default": write_value(rule, usual),
        "value": write_value(rule, value),
        "low": rule.low if bounded else None,
        "high": rule.high if bounded else None,
        "words": list(rule.words),
        "numbers": len(usual) if isinstance(usual, tuple) else 0 if rule.words else 1,
        "text": rule.text,
    }


def show_rules(rules: Rules) -> None:
    """Print every rule with its default, its range and a sentence; grids as tables.

    If some rules differ from the defaults, their values are shown next to these.
    """
    table, values = rule_table(rules), ask.rule_values(rules)
    game, usual = ask.game_of(rules), ask.rule_values(type(rules)())
    console.show(f"[bold]{escape(ask.title(game))}[/]\n{escape(summary(game))}\n")
    columns = [("default", usual)] + ([("value", values)] if values != usual else [])
    lines = console.table("rule", *(name for name, _ in columns), "range", "what it is")
    for key, rule in single_rules(rules).items():
        shown = [write_value(rule, column[key]) for _, column in columns]
        lines.add_row(key, *shown, range_text(rule, usual[key]), escape(rule.text))
    console.show(lines)
    for grid in ask.grids_of(rules):
        rows = keys_of(grid)
        key = rows[grid.rows[0]][0]
        console.show(
            f"\n{grid.text}: ROW-COLUMN, such as [bold]{key}[/],"
            f" {range_text(table[key], usual[key])}"
        )
        drawn = console.table("", *grid.columns)
        for row, keys in rows.items():
            drawn.add_row(row, *(str(values[key]) for key in keys))
        console.show(drawn)
    had = clock_words(read_clocks(ask.clock(rules)))
    console.show(
        f"\nExternal programs have {had} of CPU time and sleep; --clock none turns the limit off."
    )
