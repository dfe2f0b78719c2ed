"""The tables of the documents, as Markdown; cog puts them there (`make docs`)."""

import ast
import inspect
import tomllib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from ludex.agents.registry import AGENTS, LEVELS
from ludex.cli import COMMANDS, cli
from ludex.core.options import options_of
from ludex.core.options import range_text as range_text_of
from ludex.core.rules import (
    DECLARED,
    actions,
    clock,
    grids_of,
    initial,
    kind_of,
    levels_of,
    outcomes,
    position,
    rule_values,
    styles_of,
    title,
)
from ludex.core.scene import Shape
from ludex.core.time_control import clock_words, read_clocks
from ludex.core.variants import keys_of, range_text, rule_table, single_rules, write_value
from ludex.games import GAMES, find, game_rules
from ludex.render.svg import PALETTE, SHAPE_KINDS

ROOT = Path(__file__).parents[2]
PERFT = ROOT / "tests" / "perft.toml"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table."""
    head = list(head)
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def games(folder: str) -> str:
    """Return the games with links to their pages, which lie in a folder."""
    rows = [
        (f"[{title(find(name))}]({folder}/{name}.md)", f"`{name}`", kind_of(find(name)))
        for name in GAMES
    ]
    return table(("game", "name", "kind"), rows)


def rules(name: str) -> str:
    """Return the rules of a game that can be changed: single ones first, then those in grids."""
    standard = game_rules(name)
    known, values = rule_table(standard), rule_values(standard)
    rows = [
        (f"`{key}`", write_value(rule, values[key]), range_text(rule, values[key]), rule.text)
        for key, rule in single_rules(standard).items()
    ]
    parts = [table(("rule", "default", "range", "meaning"), rows)]
    for grid in grids_of(standard):
        rows_of_keys = keys_of(grid)
        key = rows_of_keys[grid.rows[0]][0]
        span = range_text(known[key], values[key])
        parts.append(f"{capital(grid.text)}; named ROW-COLUMN, such as `{key}`; {span}:")
        lines = [(row, *(str(values[key]) for key in keys)) for row, keys in rows_of_keys.items()]
        parts.append(table(("", *grid.columns), lines))
    return "\n\n".join(parts)


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def sizes(name: str) -> str:
    """Return the initial position and the numbers of actions and outcomes of a game."""
    standard = game_rules(name)
    first = position(standard, initial(standard))
    numbers = f"{actions(standard)} actions and {outcomes(standard) or 'no'} chance outcomes"
    return f"The initial position is `{first}`; there are {numbers}."


def counts(name: str) -> str:
    """Return the lines of play of a game with its standard rules, by depth."""
    entries: list[dict[str, Any]] = tomllib.loads(PERFT.read_text(encoding="utf-8"))["count"]
    [entry] = [one for one in entries if one["game"] == name]
    rows = [(str(depth), f"{lines:,}") for depth, lines in enumerate(entry["counts"], 1)]
    return table(("plies", "lines of play"), rows)


def time(name: str) -> str:
    """Return the default time control of external programs in a game."""
    had = clock_words(read_clocks(clock(game_rules(name))))
    who = "[External programs](../external.md)"
    return f"{who} have {had}; computing and sleeping count.\n`--clock none` turns the limit off."


def contract() -> str:
    """Return everything that `ludex/core/rules/` declares, in its order, with defaults."""
    rows = []
    for name, ask in DECLARED.items():
        default = inspect.unwrap(ask)
        # The standard rules are those of the game itself.
        words = [word for word in inspect.signature(default).parameters if word != "standard"]
        shown = name if name.isupper() else f"{name}({', '.join(words)})"
        text = " ".join((default.__doc__ or "").split())
        rows.append((f"`{shown}`", text, default_text(inspect.getsource(default))))
    return table(("name", "contract", "default"), rows)


# Defaults that are more than one short expression, in words.
IN_WORDS = {
    "actions": "required",
    "legal": "derived from `moves`",
    "moves": "derived from `legal`",
    "possible": "derived from `chance`",
    "position": "the fields of the state, separated by spaces; the ints of a tuple by commas",
    "read_position": "reads what `position` writes by default",
    "resample": "found by listing the game",
    "scene": "the text of `render`",
    "rule_values": "the fields of the rules",
    "make_rules": "replaces fields of the standard rules",
    "name_of": "the name of the file or folder",
    "title": "the short name",
    "view": "the ints of the state",
    "view_shape": "one row of as many columns as a state has ints",
}


# What each kind of shape draws.
KINDS = {
    "panel": "a rectangle with a thin edge, the background of a picture",
    "box": "a rectangle with rounded corners",
    "pill": "a rectangle with round ends",
    "frame": "the outline of a box",
    "disc": "a filled ellipse",
    "ring": "the outline of an ellipse",
    "line": "a line from its place",
    "dots": "a dotted line from its place",
    "text": "its text in one line",
    "bold": "its text in bold",
    "mono": "its text in letters of equal width, with all spaces",
    "path": "its text as an SVG path in a box from -50 to 50, filled",
    "die": "a die that shows the number in its text, or no pips",
    "person": "an icon of a person",
    "burst": "an icon of an explosion",
    "crown": "an icon of a crown",
}


def shape_kinds() -> str:
    """Return every kind of shape."""
    assert set(KINDS) == set(SHAPE_KINDS), set(KINDS) ^ set(SHAPE_KINDS)
    return table(("kind", "draws"), ((f"`{name}`", KINDS[name]) for name in SHAPE_KINDS))


def shape_fields() -> str:
    """Return the fields of a shape with their defaults, from the source of the class."""
    [shape] = ast.parse(inspect.getsource(Shape)).body
    assert isinstance(shape, ast.ClassDef)
    rows = []
    for field, words in zip(shape.body[1::2], shape.body[2::2], strict=True):
        assert isinstance(field, ast.AnnAssign) and isinstance(words, ast.Expr)
        default = f"`{ast.unparse(field.value)}`" if field.value else "required"
        text = " ".join(ast.literal_eval(words.value).split())
        rows.append((f"`{ast.unparse(field.target)}`", default, text))
    return table(("field", "default", "meaning"), rows)


def colours() -> str:
    """Return the names of all colours."""
    return ", ".join(f"`{name}`" for name in PALETTE)


def default_text(source: str) -> str:
    """Return the default in the source of a question."""
    [function] = ast.parse(source).body
    assert isinstance(function, ast.FunctionDef)
    if function.name in IN_WORDS:
        return IN_WORDS[function.name]
    *_, answer = function.body
    if isinstance(answer, ast.Raise):
        return "required"
    assert isinstance(answer, ast.Return) and answer.value is not None
    return f"`{ast.unparse(answer.value)}`"


def agents() -> str:
    """Return the agents with a sentence and their options."""
    rows = []
    for name, kind in AGENTS.items():
        known = [
            f"`{key}` {one.text} ({range_text_of(one)})" for key, one in options_of(kind).items()
        ]
        rows.append((f"`{name}`", sentence(kind), "; ".join(known)))
    return table(("agent", "description", "options"), rows)


def sentence(kind: type[Any]) -> str:
    """Return the first line of what a class says about itself."""
    return (inspect.getdoc(kind) or "").partition("\n")[0]


def levels() -> str:
    """Return the levels of each game."""
    rows = [
        (name, *(f"`{levels_of(find(name)).get(level, '')}`" for level in LEVELS)) for name in GAMES
    ]
    return table(("game", *LEVELS), rows)


def styles() -> str:
    """Return the options that games add to searching agents."""
    rows = [
        (name, f"`{option}`", ", ".join(f"`{word}`" for word in words))
        for name in GAMES
        for option, words in styles_of(find(name)).items()
    ]
    return table(("game", "option", "values, the default first"), rows)


def commands() -> str:
    """Return every command of `ludex` with its usage, its examples and its options."""
    context = click.Context(cli, info_name="ludex")
    return "\n\n".join(part for name in COMMANDS for part in command(name, cli, context))


def command(name: str, group: Any, outer: click.Context, level: int = 2) -> Iterator[str]:
    """Yield the parts of a command's section, and those of its own commands."""
    this = group.get_command(outer, name)
    context = click.Context(this, info_name=name, parent=outer)
    yield f"{'#' * level} {context.command_path}"
    for paragraph in inspect.cleandoc(this.help).split("\n\n"):
        is_code = paragraph.startswith("\b\n")
        yield f"```text\n{paragraph[2:]}\n```" if is_code else " ".join(paragraph.split())
    usage = " ".join(this.collect_usage_pieces(context))
    yield f"Usage: `{context.command_path} {usage}`"
    options = [one for one in this.params if isinstance(one, click.Option)]
    rows = [option_row(*record) for one in options if (record := one.get_help_record(context))]
    if rows:
        yield table(("option", "effect"), rows)
    for inner in this.list_commands(context) if isinstance(this, click.Group) else ():
        yield from command(inner, this, context, level + 1)


def option_row(option: str, effect: str) -> tuple[str, str]:
    """Return an option and its effect; a bar would end the cell."""
    kind = option.replace("INTEGER RANGE", "INTEGER").replace("FLOAT RANGE", "NUMBER")
    return f"`{kind.replace('|', '/')}`", " ".join(effect.replace("|", "/").split())
