"""A form for the rules of a game, with errors below the fields they are about."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ludex.core import variants
from ludex.core.rules import Rules, rule_values
from ludex.web.parts.field_errors import errors_below
from ludex.web.parts.rule_field import rule_field
from ludex.web.state.catalogue import Catalogue, texts_of

RULE = re.compile(r"rule '?([\w-]+)'?: ")
"""How a message about one rule begins."""


class RulesForm:
    """Fields for the rules outside tables."""

    def __init__(
        self, catalogue: Catalogue, game: str, rules: Rules, on_change: Callable[[], Any]
    ) -> None:
        """Add the fields; `on_change` is called after an input."""
        self.catalogue, self.game, self.rules = catalogue, game, rules
        self.fields: dict[str, Any] = {}
        values, usual = rule_values(rules), rule_values(type(rules)())
        for key, rule in variants.single_rules(rules).items():
            field = self.fields[key] = rule_field(key, rule, values[key], usual[key])
            field.on("update:model-value" if rule.words else "blur", on_change)

    @property
    def has_tables(self) -> bool:
        """Whether the game has rules in tables, which have no field here."""
        return len(rule_values(self.rules)) > len(self.fields)

    def read(self) -> Rules:
        """Return the rules in the form, which shows them; raise a FieldError or a ValueError."""
        table, before = variants.single_rules(self.rules), rule_values(self.rules)
        changed = dict(texts_of(self.rules))
        given = {key: str(field.value).strip() for key, field in self.fields.items()}
        for key, field in self.fields.items():
            with errors_below(field), shorter_message():
                variants.read_value(table[key], key, given[key], before[key])
        # A default that depends on other rules follows them unless it was changed itself.
        kept = {
            key: text
            for key, text in (changed | given).items()
            if key not in self.fields
            or text != variants.write_value(table[key], before[key])
            or key in changed
        }
        self.rules = self.make_rules(kept)
        values = rule_values(self.rules)
        for key, rule in variants.single_rules(self.rules).items():
            self.fields[key].value = variants.write_value(rule, values[key])
        return self.rules

    def make_rules(self, texts: dict[str, str]) -> Rules:
        """Return rules from their texts; a message about one of them is shown at its field."""
        try:
            return self.catalogue.rules(self.game, texts)
        except ValueError as error:
            found = RULE.match(str(error))
            if found and found[1] in self.fields:
                with errors_below(self.fields[found[1]]), shorter_message():
                    raise
            raise


@contextmanager
def shorter_message() -> Iterator[None]:
    """Raise a ValueError about a rule without the rule's name, which its field has."""
    try:
        yield
    except ValueError as error:
        raise ValueError(RULE.sub("", str(error), count=1)) from error
