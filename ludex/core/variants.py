"""The rules of a game as named values: parsing them from text and TOML, and listing them."""

import fnmatch
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ludex.core import rules as ask
from ludex.core.rules import LARGEST, Grid, Rule, Rules, Value
from ludex.io.schema import errors_at, fits, load_toml
from ludex.io.text import nearest, read_int, read_ints, read_word, toml_value


def rule_table(rules: Rules) -> dict[str, Rule]:
    """Return every rule of a game; one that the game does not describe may be any int."""
    described = ask.rules_of(rules)
    return {key: described.get(key, Rule(-LARGEST, LARGEST, "")) for key in ask.rule_values(rules)}


def keys_of(grid: Grid) -> dict[str, list[str]]:
    """Return the rules of a grid, for each row in the order of the columns."""
    return {row: [f"{row}-{column}" for column in grid.columns] for row in grid.rows}


def single_rules(rules: Rules) -> dict[str, Rule]:
    """Return the rules that are in no grid."""
    tables = map(keys_of, ask.grids_of(rules))
    in_grids = {key for table in tables for keys in table.values() for key in keys}
    return {key: rule for key, rule in rule_table(rules).items() if key not in in_grids}


def read_rules(standard: Rules, texts: Mapping[str, str]) -> Rules:
    """Return rules from values given as text; a ValueError lists what is valid.

    A key may be a pattern (`*-mega`), which stands for all rules that match it.
    """
    table, values = rule_table(standard), ask.rule_values(standard)
    given: dict[str, Value] = {}
    for pattern, text in texts.items():
        keys = fnmatch.filter(table, pattern)
        if not keys:
            some = ", ".join(list(table)[:12]) + (", …" if len(table) > 12 else "")
            raise ValueError(f"no rule {pattern!r}{nearest(pattern, table)} (there are {some})")
        for key in keys:
            given[key] = read_value(table[key], key, text, values[key])
    return ask.make_rules(standard, given)


def rules_from(standard: Rules, values: Mapping[str, Any]) -> Rules:
    """Return rules from Python values: numbers, words, or sequences of numbers."""
    return read_rules(standard, {key: rule_text(value) for key, value in values.items()})


def rule_text(value: Any) -> str:
    """Return the value of a rule as text; a whole number may come as a float."""
    if isinstance(value, tuple | list):
        return ",".join(map(rule_text, value))
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def read_value(rule: Rule, key: str, text: str, like: Value) -> Value:
    """Return the value of one rule from its text."""
    if rule.words:
        return rule.low + read_word(text, f"rule {key}:", rule.words)
    if isinstance(like, tuple):
        return tuple(read_ints(text, f"rule {key}:", [(rule.low, rule.high)] * len(like)))
    return read_int(text, f"rule {key}:", rule.low, rule.high)


def write_value(rule: Rule, value: Value) -> str:
    """Return the value of one rule as the text that `read_value` reads."""
    if rule.words:
        return rule.words[int(value) - rule.low]  # type: ignore[arg-type]
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return str(value)


def rule_changes(standard: Rules, rules: Rules) -> dict[str, str]:
    """Return the rules that differ from the standard ones, as `read_rules` takes them."""
    table, usual = rule_table(standard), ask.rule_values(standard)
    return {
        key: write_value(table[key], value)
        for key, value in ask.rule_values(rules).items()
        if value != usual[key]
    }


def range_text(rule: Rule, like: Value) -> str:
    """Return the allowed values of a rule, in words."""
    if rule.words:
        return " or ".join(rule.words)
    if rule.low <= -LARGEST:
        return "any number"
    span = f"{rule.low} to {rule.high}"
    return f"{len(like)} numbers, {span}" if isinstance(like, tuple) else span


def read_pairs(pairs: Iterable[str]) -> dict[str, str]:
    """Return keys and values from texts of the form KEY=VALUE."""
    texts: dict[str, str] = {}
    for text in pairs:
        key, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"rule {text!r}: expected KEY=VALUE")
        texts.pop(key.strip(), None)  # a repeated key also overrides a pattern in between
        texts[key.strip()] = value.strip()
    return texts


def read_toml(path: Path) -> dict[str, str]:
    """Return keys and values from a TOML file of rules."""
    place = f"rules file {str(path)!r}"
    table = load_toml(path, place)
    with errors_at(place):
        return rule_texts(table)


def rule_texts(table: Mapping[str, Any], prefix: str = "") -> dict[str, str]:
    """Return keys and values of a TOML table; a ValueError puts the prefix before the key."""
    texts = {}
    for key, value in table.items():
        if isinstance(value, dict):
            raise ValueError(f"expected rules such as nuts = 12, not a table [{prefix}{key}]")
        if not fits(value, int | str | list):
            wanted = "expected a whole number, a word or a list"
            raise ValueError(f"{prefix}{key} is {value!r}: {wanted}")
        texts[key] = ",".join(map(str, value)) if isinstance(value, list) else str(value)
    return texts


def write_toml(standard: Rules, rules: Rules) -> str:
    """Return the rules that differ from the standard ones as TOML."""
    table, values = rule_table(standard), ask.rule_values(rules)
    changed = rule_changes(standard, rules).items()
    shown = {key: text if table[key].words else values[key] for key, text in changed}
    return "".join(f"{key} = {toml_value(value)}\n" for key, value in shown.items())
