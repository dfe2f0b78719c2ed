"""Rules are read from text and TOML, strictly, and written back."""

from pathlib import Path
from typing import Any

import pytest

from ludex.core.rules import grids_of, rule_values
from ludex.core.variants import (
    keys_of,
    range_text,
    read_pairs,
    read_rules,
    read_toml,
    rule_changes,
    rule_table,
    single_rules,
    write_toml,
    write_value,
)
from ludex.games import GAMES, game_rules
from tests.lines import variant

pytestmark = pytest.mark.plain


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", GAMES)
def test_every_rule_is_described_and_its_default_is_in_its_range(game: str) -> None:
    standard = game_rules(game)
    values = rule_values(standard)
    for key, rule in rule_table(standard).items():
        assert rule.text, key
        again = read_rules(standard, {key: write_value(rule, values[key])})
        assert rule_values(again)[key] == values[key]
        assert range_text(rule, values[key]) != "any number"


@pytest.mark.parametrize(
    ("game", "values"),
    [
        ("nuts", {"nuts": "50", "most": "5"}),
        ("arena", {"gamma": "140", "spark-metal": "9", "mega-heat-wood": "0", "first": "wily"}),
        ("aeroplane", {"seats": "4", "stacks": "block"}),
        ("trap", {"size": "5"}),
        ("droids", {"rows": "5", "start1": "0,0", "start2": "4,3"}),
    ],
)
def test_changed_rules_are_written_as_toml_and_read_back(
    game: str, values: dict[str, str], tmp_path: Path
) -> None:
    standard = game_rules(game)
    rules = read_rules(standard, values)
    assert rule_changes(standard, rules) == values
    file = tmp_path / "rules.toml"
    file.write_text(write_toml(standard, rules))
    assert read_rules(standard, read_toml(file)) == rules


@pytest.mark.parametrize(
    ("game", "values", "wanted"),
    [
        ("nuts", {"nutz": 1}, "no rule 'nutz'; did you mean 'nuts'? (there are nuts, most)"),
        ("nuts", {"nuts": 9}, "rule nuts: '9': expected a whole number from 10 to 100"),
        ("nuts", {"nuts": "many"}, "rule nuts: 'many': expected a whole number from 10 to 100"),
        ("aeroplane", {"stacks": "pass"}, "rule stacks: 'pass': expected capture or block"),
        ("droids", {"start1": "2"}, "expected 2 numbers with commas between"),
        ("droids", {"start1": "3,0", "rows": 3}, "start1 '3,0' is off a 3 x 4 board"),
        ("droids", {"start1": "2,3"}, "must be two cells"),
        ("arena", {"spark-mettal": 3}, "did you mean 'spark-metal'?"),
        ("arena", {"metal-mega": 0}, "rule metal-mega: '0': expected a whole number from 1 to 127"),
    ],
)
def test_bad_rules_are_refused(game: str, values: dict[str, Any], wanted: str) -> None:
    with pytest.raises(ValueError) as refused:
        variant(game, **values)
    assert wanted in str(refused.value)


def test_pairs_need_an_equals_sign() -> None:
    assert read_pairs(["a=1", "b = 2"]) == {"a": "1", "b": "2"}
    with pytest.raises(ValueError, match="rule 'a': expected KEY=VALUE"):
        read_pairs(["a"])


@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        (None, "No such file"),
        ("nuts = ", "is not TOML"),
        ("nuts = 2.5", "nuts is 2.5: expected a whole number, a word or a list"),
        ("[rules]\nnuts = 12", "expected rules such as nuts = 12, not a table [rules]"),
        ("nuts = true", "nuts is True: expected a whole number, a word or a list"),
    ],
)
def test_bad_rules_files_are_refused(content: str | None, wanted: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.toml"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ValueError) as refused:
        read_toml(file)
    assert wanted in str(refused.value)
    assert str(file) in str(refused.value)


def test_a_rule_stands_in_one_grid_or_in_none() -> None:
    rules = variant("arena")
    grids = [keys_of(grid) for grid in grids_of(rules)]
    assert grids[0]["spark"][:2] == ["spark-metal", "spark-quick"]
    in_grids = [key for grid in grids for keys in grid.values() for key in keys]
    assert sorted([*in_grids, *single_rules(rules)]) == sorted(rule_table(rules))
    assert single_rules(variant("nuts")) == rule_table(variant("nuts"))
