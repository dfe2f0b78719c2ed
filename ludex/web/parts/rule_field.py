"""A field to change one rule."""

from typing import Any

from nicegui import ui

from ludex.core import variants


def rule_field(key: str, rule: Any, value: Any, usual: Any) -> Any:
    """Return a field with the value of a rule, and its range as a hint."""
    text, span = variants.write_value(rule, value), variants.range_text(rule, usual)
    label = rule.label or key
    field: Any = (
        ui.select(list(rule.words), value=text, label=label)
        if rule.words
        else ui.input(label, value=text)
    )
    field.props("outlined dense").props["hint"] = f"{rule.text} ({span})" if rule.text else span
    return field
