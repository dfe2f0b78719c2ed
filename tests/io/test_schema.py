"""Tables of TOML files are read as their schema says, and refused in one line otherwise."""

from pathlib import Path
from typing import Annotated, Any, NamedTuple

import pytest

from ludex.io.schema import Key, TomlTable, declared_keys, errors_at, fits, load_toml, read_table

pytestmark = pytest.mark.plain


class Order(NamedTuple):
    game: str
    pairs: tuple[tuple[str, str], ...] = ()
    seed: int | None = None
    matches: Annotated[int, Key(low=1)] = 10
    share: Annotated[float, Key(low=0, high=1)] = 0.5
    seats: Annotated[str, Key(words=("both", "first", "second"))] = "both"


KEYS = declared_keys(Order) | {"agents": Key(list[str], [], "who plays", low=1)}


def test_what_is_not_given_has_its_default() -> None:
    wanted = {"game": "nuts", "seed": None, "matches": 10, "share": 0.5, "seats": "both"}
    assert read_table({"game": "nuts"}, KEYS) == wanted | {"agents": []}


def test_a_whole_number_is_read_as_a_float_where_one_is_wanted() -> None:
    assert type(read_table({"game": "nuts", "share": 1}, KEYS)["share"]) is float


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"gaem": 1}, "no key 'gaem'; did you mean 'game'? (there are game, seed, matches, share,"),
        ({"game": 1}, "game is 1: expected a text in quotes"),
        ({}, "game is missing: expected a text in quotes"),
        ({"game": "x", "matches": True}, "matches is True: expected a whole number"),
        ({"game": "x", "matches": 0}, "matches is 0: expected at least 1"),
        ({"game": "x", "share": 1.5}, "share is 1.5: expected a number from 0 to 1"),
        (
            {"game": "x", "seats": "fist"},
            "seats is 'fist': expected one of both, first, second; did you mean 'first'?",
        ),
        ({"game": "x", "agents": ["a", 2]}, "agents has 2: expected a list of texts (who plays)"),
        ({"game": "x", "agents": []}, "agents is []: expected a list of texts"),
        ({"game": "x", "agents": "a"}, "agents is 'a': expected a list of texts (who plays)"),
        ([], "[]: expected a table, such as [rules]"),
    ],
)
def test_a_wrong_table_is_refused_in_one_line(given: Any, words: str) -> None:
    with pytest.raises(ValueError) as raised:
        read_table(given, KEYS)
    assert words in str(raised.value) and "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("value", "kind", "wanted"),
    [
        (1, float, True),
        (True, int, False),
        (True, float, False),
        ({"a": "b"}, dict[str, str], True),
        ({"a": 1}, dict[str, str], False),
        (["a", {"b": 1}], list[str | TomlTable], True),
        (["a", 1], list[str | TomlTable], False),
        ("ab", list[str], False),
        (("a", "b"), tuple[str, ...], True),
        (("a", 1), tuple[str, ...], False),
    ],
)
def test_a_value_fits_a_type_or_does_not(value: Any, kind: Any, wanted: bool) -> None:
    assert fits(value, kind) is wanted


def test_errors_name_every_place_around_them(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^order: agents: none: No such file or directory$"):
        with errors_at("order"), errors_at("agents"):
            open("none").close()
    file = tmp_path / "order.toml"
    file.write_text("a = [")
    with pytest.raises(ValueError, match=r"^my order is not TOML: "):
        load_toml(file, "my order")
