"""Views of states, and what holds for all interfaces of other people's tools."""

import importlib
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.adapters.common import choose, new_match, rules_of
from ludex.core.observation import bounds, mask_of, observation_of, write_view
from ludex.core.play import choices, choosers, read_state
from ludex.core.rules import OVER, apply, initial, seats, turn, view_shape
from ludex.core.scene import Scene, Shape
from ludex.games import GAMES, game_rules
from ludex.match.session import Match
from ludex.render.pixels import pixels
from ludex.render.svg import PALETTE, svg
from tests.games.test_outside import GAME
from tests.lines import variant

pytestmark = pytest.mark.plain

ROOT = Path(__file__).parents[2]


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
    for name in [one for one in sys.modules if one.startswith("ludex.adapters.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=rf"pip install 'ludex\[{extra}\]'"):
        importlib.import_module(f"ludex.adapters.{room}")


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


EXAMPLES = tuple(
    f"examples/{name}.py"
    for name in ("tictactoe", "connect_four", "pig", "othello", "hex", "breakthrough")
)


@pytest.mark.parametrize("game", (*GAMES, *EXAMPLES))
def test_every_view_of_our_games_is_designed_and_between_0_and_1(game: str) -> None:
    rules, rng = variant(game), np.random.default_rng(1)
    match = Match(rules, seed=1)
    views = set()
    for _ in range(30):
        for seat in range(seats(rules)):
            planes = observation_of(rules, match.state, seat)
            assert planes.shape == view_shape(rules) and planes.dtype == np.float32
            assert 0.0 <= planes.min() and planes.max() <= 1.0
            views.add(planes.tobytes())
        if match.over:
            break
        legal = {seat: choices(rules, match.state, seat) for seat in match.choosers}
        choose(match, {seat: int(rng.choice(actions)) for seat, actions in legal.items()})
    assert len(views) > 5


def test_a_seat_sees_the_board_from_its_own_side() -> None:
    rules = variant("droids")
    here, there = read_state(rules, "2,1 0,1 4,5 1,0 41"), read_state(rules, "0,1 2,1 5,4 0,1 41")
    assert (observation_of(rules, here, 0) == observation_of(rules, there, 1)).all()
    assert not (observation_of(rules, here, 0) == observation_of(rules, here, 1)).all()
    assert np.argwhere(observation_of(rules, here, 0)[0]).tolist() == [[2, 1]]


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
    first, second = (observation_of(rules, read_state(rules, text), 0) for text in (one, other))
    assert not (first == second).all()


def test_a_game_from_outside_shows_the_fields_of_its_state(tmp_path: Path) -> None:
    file = tmp_path / "little.py"
    file.write_text(GAME)
    rules = rules_of(str(file), {"size": 5})
    assert observation_of(rules, initial(rules), 0).tolist() == [[[5.0]]]
    assert bounds(rules)[2] is np.float64


@pytest.mark.compiled
@pytest.mark.parametrize("game", (*GAMES, *EXAMPLES))
def test_compiled_views_are_the_interpreted_ones(game: str) -> None:
    rules = variant(game)
    state = initial(rules)
    plain = np.zeros(view_shape(rules), np.float32)
    write_view.py_func(rules, state, 1, plain)
    assert (plain == observation_of(rules, state, 1)).all()


def test_a_mask_has_the_legal_actions_of_who_is_to_choose() -> None:
    rules = variant("nuts", nuts=10)
    state = initial(rules)
    assert mask_of(rules, state, 0).tolist() == [1, 1, 1, 0, 0, 0, 0, 0, 0]
    assert not mask_of(rules, state, 1).any()


def test_an_illegal_action_loses_and_two_of_them_draw() -> None:
    match = Match(rules_of("nuts"))
    choose(match, {0: 8})
    assert match.over and match.returns == (-1.0, 1.0) and match.offenders == (0,)
    match = Match(rules_of("droids"))
    choose(match, {0: 77, 1: -1})
    assert match.over and match.returns == (0.0, 0.0) and match.offenders == (0, 1)


def test_a_match_that_is_too_long_is_cut_off() -> None:
    match = Match(rules_of("aeroplane", {"planes": 1}), plies=3)
    while not match.over:
        choose(match, {match.seat: match.legal_numbers(match.seat)[0]})
    assert match.truncated and len(match.moves) == 3 and match.returns == (0.0, 0.0)


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


@pytest.mark.parametrize(
    ("game", "rules", "plies", "words"),
    [
        ("trap", "size=5", 9, "rules 'size=5': expected a dictionary"),
        ("trap", {"size": 5.5}, 9, "rule size: '5.5': expected a whole number"),
        ("nuts", None, 0, "plies 0: expected a whole number of at least 1"),
        ("nuts", None, -5, "plies -5: expected"),
        ("nuts", None, 2.5, "plies 2.5: expected"),
    ],
)
def test_bad_options_are_refused_in_our_words(
    game: str, rules: Any, plies: Any, words: str
) -> None:
    with pytest.raises(ValueError, match=words):
        new_match(rules_of(game, rules), plies)
    assert rules_of("trap", {"size": 5.0}).size == 5


def test_an_action_is_a_whole_number() -> None:
    for action in (1.0, None, "take 2"):
        with pytest.raises(ValueError, match="expected the number of an action"):
            choose(Match(rules_of("nuts")), {0: action})  # type: ignore[dict-item]


# Pixels. -----------------------------------------------------------------------------------------


def colour_at(picture: np.ndarray, x: int, y: int) -> str:
    return "#" + bytes(picture[y, x]).hex().upper()


def test_shapes_are_where_the_svg_has_them() -> None:
    wedge = "M0 50 V-50 A50 50 0 0 1 0 50Z"  # the right half of a disc
    hook = "M-50 -50 H0 C0 -20 0 20 0 50 S-50 50 -50 -50"
    shapes = (
        Shape("box", "box", 25, 20, 30, 20, "red"),
        Shape("turned", "box", 75, 20, 30, 4, "blue", angle=90),
        Shape("disc", "disc", 25, 60, 30, 20, "green"),
        Shape("ring", "ring", 75, 60, 30, 30, "ink", stroke=6),
        Shape("wedge", "path", 25, 95, 20, 20, "nut", wedge),
        Shape("hook", "path", 75, 95, 20, 20, "cyan", hook),
        Shape("line", "line", 10, 115, 40, 0, "red", stroke=6),
        Shape("words", "bold", 75, 115, 0, 30, "blue", "I"),
    )
    picture = pixels(svg(Scene(99, 129, shapes)))
    assert picture.shape == (130, 100, 3) and picture.dtype == np.uint8
    wanted = {
        "red": [(25, 20), (48, 115)],
        "blue": [(75, 8), (75, 115)],
        "green": [(25, 60)],
        "ink": [(75, 45)],
        "nut": [(28, 95)],
        "cyan": [(72, 95)],
        "white": [(64, 20), (12, 52), (75, 60), (22, 95), (33, 88), (78, 95), (60, 115)],
    }
    for colour, places in wanted.items():
        for place in places:
            assert (place, colour_at(picture, *place)) == (place, PALETTE[colour])


def test_arcs_and_smooth_curves_bend_the_right_way() -> None:
    quarter = "M0 0 H50 A50 50 0 0 1 0 50Z"
    waves = "M-50 0 C-50 -60 0 -60 0 0 S50 60 50 0"
    shapes = (
        Shape("quarter", "path", 50, 50, 100, 100, "nut", quarter),
        Shape("waves", "path", 160, 50, 100, 100, "cyan", waves),
    )
    picture = pixels(svg(Scene(220, 100, shapes)))
    assert colour_at(picture, 80, 80) == PALETTE["nut"]
    assert colour_at(picture, 90, 90) == PALETTE["white"]
    assert colour_at(picture, 185, 85) == PALETTE["cyan"]


def test_what_is_seen_through_is_mixed() -> None:
    picture = pixels(svg(Scene(10, 10, (Shape("box", "box", 5, 5, 10, 10, "ink", opacity=0.5),))))
    assert [int(one) for one in picture[5, 5]] == pytest.approx([0x90, 0x97, 0xA4], abs=2)


@pytest.mark.parametrize("path", ["m0 0 5 5", "M0", "M0 0 5 5Z7 8", "5 5"])
def test_a_path_that_pixels_do_not_know_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match="expected M, L, H"):
        pixels(svg(Scene(10, 10, (Shape("path", "path", 5, 5, 10, 10, "ink", path),))))
