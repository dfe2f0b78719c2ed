"""Views of states, and what holds for all interfaces of other people's tools."""

import importlib
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

from ludex.games import GAMES, game_rules
from ludex.peers.table import Table, rules_of
from ludex.peers.view import bounds, look, mask_of, seen, view_shape
from ludex.play import choices, choosers, read
from ludex.rules import OVER, apply, initial, seats, turn
from tests.lines import variant
from tests.test_outside import GAME

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize(
    ("package", "room", "extra"),
    [
        ("gymnasium", "gym", "gym"),
        ("gymnasium", "vector", "gym"),
        ("pettingzoo", "zoo", "pettingzoo"),
        ("pyspiel", "spiel", "openspiel"),
    ],
)
def test_an_import_without_its_extra_says_which_to_install(
    package: str, room: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [one for one in sys.modules if one.startswith("ludex.peers.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"pip install 'ludex\[{extra}\]'"):
        importlib.import_module(f"ludex.peers.{room}")


def test_ludex_alone_pulls_none_of_them_in() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = " ".join(project["dependencies"])
    extras = project["optional-dependencies"]
    for extra, package in (
        ("gym", "gymnasium"),
        ("pettingzoo", "pettingzoo"),
        ("openspiel", "open_spiel"),
    ):
        assert package not in needed and extras[extra][0].startswith(package)


@pytest.mark.parametrize("game", GAMES)
def test_every_view_of_our_games_is_designed_and_between_0_and_1(game: str) -> None:
    rules, rng = variant(game), np.random.default_rng(1)
    table = Table(rules)
    table.begin(rng)
    views = set()
    for _ in range(30):
        for seat in range(seats(rules)):
            planes = seen(rules, table.state, seat)
            assert planes.shape == view_shape(rules) and planes.dtype == np.float32
            assert 0.0 <= planes.min() and planes.max() <= 1.0
            views.add(planes.tobytes())
        if not table.waiting_for:
            break
        table.choose(
            {seat: int(rng.choice(choices(rules, table.state, seat))) for seat in table.waiting_for}
        )
    assert len(views) > 5


def test_a_seat_sees_the_board_from_its_own_side() -> None:
    rules = variant("droids")
    here, there = read(rules, "2,1 0,1 4,5 1,0 41"), read(rules, "0,1 2,1 5,4 0,1 41")
    assert (seen(rules, here, 0) == seen(rules, there, 1)).all()
    assert not (seen(rules, here, 0) == seen(rules, here, 1)).all()
    assert np.argwhere(seen(rules, here, 0)[0]).tolist() == [[2, 1]]


@pytest.mark.parametrize(
    ("game", "one", "other"),
    [
        ("trap", ".1./.../.2. 0 step", ".1./x../.2. 0 step"),
        ("trap", ".1./.../.2. 0 step", ".1./.../.2. 0 throw"),
        ("aeroplane", "B:h,h,h,h G:h,h,h,h 6 0", "B:h,h,h,h G:h,h,h,l 6 0"),
        ("aeroplane", "B:10,39,h,h G:h,h,h,h 3 0", "B:39,10,h,h G:h,h,h,h 3 0"),
        ("nuts", "21 0", "20 0"),
    ],
)
def test_states_that_differ_look_different(game: str, one: str, other: str) -> None:
    rules = variant(game, size=3) if game == "trap" else variant(game)
    first, second = (seen(rules, read(rules, text), 0) for text in (one, other))
    assert not (first == second).all()


def test_a_game_from_outside_shows_the_fields_of_its_state(tmp_path: Path) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME)
    rules = rules_of(str(file), {"size": 5})
    assert seen(rules, initial(rules), 0).tolist() == [[[5.0]]]
    assert bounds(rules)[2] is np.float64


@pytest.mark.compiled
@pytest.mark.parametrize("game", GAMES)
def test_compiled_views_are_the_interpreted_ones(game: str) -> None:
    rules = variant(game)
    state = initial(rules)
    plain = np.zeros(view_shape(rules), np.float32)
    look.py_func(rules, state, 1, plain)
    assert (plain == seen(rules, state, 1)).all()


def test_a_mask_has_the_legal_actions_of_who_is_to_choose() -> None:
    rules = variant("nuts", nuts=10)
    state = initial(rules)
    assert mask_of(rules, state, 0).tolist() == [1, 1, 1, 0, 0, 0, 0, 0, 0]
    assert not mask_of(rules, state, 1).any()


def test_an_illegal_action_loses_and_two_of_them_draw() -> None:
    table = Table(rules_of("nuts"))
    table.choose({0: 8})
    assert table.over and table.worth == [-1.0, 1.0] and table.illegal == [0]
    table = Table(rules_of("droids"))
    table.choose({0: 77, 1: -1})
    assert table.over and table.worth == [0.0, 0.0]


def test_a_match_that_is_too_long_is_cut_off() -> None:
    table = Table(rules_of("aeroplane", {"planes": 1}), plies=3)
    while table.waiting_for:
        seat = table.waiting_for[0]
        table.choose({seat: choices(table.rules, table.state, seat)[0]})
    assert table.truncated and not table.over and table.plies >= 3 and table.worth == [0.0, 0.0]


def test_rules_are_numbers_words_or_lists() -> None:
    rules = rules_of("droids", {"rows": 5, "start1": (4, 0)})
    assert (rules.rows, rules.start1) == (5, (4, 0))
    assert rules_of("aeroplane", {"stacks": "block"}).stacks == 1
    with pytest.raises(ValueError, match="no rule 'rowz'; did you mean"):
        rules_of("droids", {"rowz": 5})


def test_states_at_the_end_wait_for_nobody() -> None:
    rules = game_rules("nuts")
    state = initial(rules)
    while turn(rules, state) != OVER:
        state = apply(rules, state, choices(rules, state, choosers(rules, state)[0])[-1])
    assert not mask_of(rules, state, 0).any() and not mask_of(rules, state, 1).any()
