"""Pictures: what every scene of every game must be, and what the drawer makes of shapes."""

import functools
import importlib.util
import itertools
import random
import re
from pathlib import Path
from types import ModuleType
from typing import NamedTuple
from xml.etree import ElementTree

import pytest

from ludex.core.play import choices, legal_moves, read_state
from ludex.core.rules import BOTH, NO_MOVE, OVER, Rules, State, apply, initial, scene, turn
from ludex.core.scene import Scene, Shape
from ludex.games import game_rules
from ludex.render.svg import PALETTE, SHAPE_KINDS, group, svg

pytestmark = pytest.mark.plain

VARIANTS: list[tuple[str, dict[str, str]]] = [
    ("nuts", {}),
    ("nuts", {"nuts": "10", "most": "1"}),
    ("nuts", {"nuts": "100", "most": "9"}),
    ("arena", {}),
    ("arena", {"gamma-after": "0", "first": "wily"}),
    ("aeroplane", {}),
    ("aeroplane", {"planes": "1"}),
    ("aeroplane", {"seats": "3", "stacks": "block"}),
    ("aeroplane", {"seats": "4", "planes": "3"}),
    ("trap", {}),
    ("trap", {"size": "3"}),
    ("droids", {}),
    ("droids", {"rows": "1", "columns": "9", "shots": "20"}),
    ("droids", {"rows": "9", "columns": "1", "start1": "0,0", "start2": "8,0"}),
    ("droids", {"shots": "0"}),
]


class Moment(NamedTuple):
    """A state of a random line of play, the move that led to it, and its picture."""

    state: State
    last: int
    scene: Scene


def variant(name: str, texts: dict[str, str]) -> Rules:
    return game_rules(name, texts)


@functools.lru_cache(maxsize=None, typed=True)
def random_line(rules: Rules) -> list[Moment]:
    rng = random.Random(7)
    state, last = initial(rules), NO_MOVE
    line = [Moment(state, last, scene(rules, state, last))]
    for _ in range(160):
        moves_here = legal_moves(rules, state)
        if not moves_here:
            break
        last = rng.choice(moves_here)
        state = apply(rules, state, last)
        line.append(Moment(state, last, scene(rules, state, last)))
    return line


def ids(picture: Scene, *starts: str) -> set[str]:
    return {shape.id for shape in picture.shapes if shape.id.startswith(starts)}


def shape_of(picture: Scene, name: str) -> Shape:
    return next(shape for shape in picture.shapes if shape.id == name)


every_game = pytest.mark.parametrize(
    "rules", [pytest.param(variant(*one), id=f"{one[0]} {one[1]}") for one in VARIANTS]
)


@every_game
def test_a_picture_is_xml_with_the_ids_of_its_scene(rules: Rules) -> None:
    for moment in random_line(rules)[::16]:
        root = ElementTree.fromstring(svg(moment.scene, "a game"))
        drawn = [element.get("id") for element in root if element.get("id")]
        assert drawn == [shape.id for shape in moment.scene.shapes]


@every_game
def test_ids_are_unique_within_a_scene(rules: Rules) -> None:
    for moment in random_line(rules):
        names = [shape.id for shape in moment.scene.shapes]
        assert len(names) == len(set(names))


@every_game
def test_the_actions_offered_are_the_legal_ones(rules: Rules) -> None:
    offers_what_is_legal(rules)


@pytest.mark.parametrize(
    ("game", "texts"),
    [
        ("examples/connect_four.py", {}),
        ("examples/connect_four.py", {"columns": "2", "rows": "1"}),
        ("examples/othello.py", {"size": "4"}),
        ("examples/hex.py", {"size": "4"}),
        ("examples/breakthrough.py", {"size": "5"}),
    ],
)
def test_the_example_offers_the_legal_actions_alone(game: str, texts: dict[str, str]) -> None:
    rules = variant(game, texts)
    assert turn(rules, random_line(rules)[-1].state) == OVER
    offers_what_is_legal(rules)


def offers_what_is_legal(rules: Rules) -> None:
    for moment in random_line(rules):
        mover = turn(rules, moment.state)
        for seat in (0, 1) if mover == BOTH else (mover,):
            offered = {
                shape.action
                for shape in moment.scene.shapes
                if shape.action != NO_MOVE and (mover != BOTH or shape.seat == seat)
            }
            assert offered == set(choices(rules, moment.state, seat) if seat >= 0 else ())


@every_game
def test_pieces_keep_their_ids_over_a_move(rules: Rules) -> None:
    line = random_line(rules)
    pieces = ("plane-", "person-", "droid-", "badge-", "emblem-", "cell-", "square-")
    for before, after in itertools.pairwise(line):
        assert ids(before.scene, *pieces) == ids(after.scene, *pieces)
        assert ids(before.scene, "trap-") <= ids(after.scene, "trap-")
        assert ids(after.scene, "nut") <= ids(before.scene, "nut")


@every_game
def test_everything_lies_on_the_panel(rules: Rules) -> None:
    for moment in random_line(rules):
        for shape in moment.scene.shapes:
            assert 0 <= shape.x <= moment.scene.width, shape
            assert 0 <= shape.y <= moment.scene.height, shape


def test_a_nut_counted_from_the_end_takes_that_many() -> None:
    rules = variant("nuts", {})
    picture = scene(rules, read_state(rules, "8 1"), 1)
    actions = [shape_of(picture, f"nut{nut}").action for nut in range(8)]
    assert actions == [-1, -1, -1, -1, -1, 2, 1, 0]


def test_a_take_of_more_nuts_than_are_left_is_offered() -> None:
    rules = variant("nuts", {})
    picture = scene(rules, read_state(rules, "1 0"))
    assert {shape.action for shape in picture.shapes} == {-1, 0, 1, 2}


def test_a_trap_in_the_air_shows_the_odds_of_the_rule_book() -> None:
    rules = variant("trap", {})
    state = read_state(rules, "2....../......./......./......./......./...1.../....... 0 land:2,1")
    texts = [shape.text for shape in scene(rules, state).shapes if shape.id.endswith("-text")]
    assert sorted(texts) == ["2.5%"] * 8 + ["80%"]


def test_only_who_shot_has_beams() -> None:
    rules = variant("droids", {})
    state = read_state(rules, "1,1 3,1 3,4 1,0 38")
    shoot_left = 4 << 6 | 2
    assert ids(scene(rules, state, shoot_left), "beam-") == {"beam-1-row", "beam-1-column"}
    assert ids(scene(rules, state), "beam-") == set()


def test_the_track_is_a_ring_of_52_neighbours() -> None:
    picture = scene(*first("aeroplane"))
    places = [shape_of(picture, f"square-{square}") for square in range(52)]
    assert len({(place.x, place.y) for place in places}) == 52
    for here, following in itertools.pairwise([*places, places[0]]):
        assert max(abs(here.x - following.x), abs(here.y - following.y)) == 40


@pytest.mark.parametrize(("flier", "crossed"), ["RY", "BG", "YR", "GB"])
def test_a_flight_crosses_the_third_square_of_the_facing_stretch(flier: str, crossed: str) -> None:
    rules = variant("aeroplane", {"seats": "4"})
    picture = scene(rules, initial(rules))
    line, third = shape_of(picture, f"flight-{flier}"), shape_of(picture, f"stretch-{crossed}-3")
    middle = line.x + line.width / 2, line.y + line.height / 2
    assert middle == pytest.approx((third.x, third.y), abs=1)


def test_a_champion_leaves_its_row_for_the_arena() -> None:
    rules, state = first("arena")
    before = shape_of(scene(rules, state), "badge-spark")
    after = shape_of(scene(rules, apply(rules, state, 0), 0), "badge-spark")
    assert before.x < 324 < after.x < 576


def first(name: str) -> tuple[Rules, State]:
    rules = variant(name, {})
    return rules, initial(rules)


def test_every_kind_is_drawn_in_every_colour() -> None:
    for kind in SHAPE_KINDS:
        for colour in PALETTE:
            ElementTree.fromstring(group(Shape("a", kind, 0, 0, 10, 10, colour, "1")))


def test_text_is_escaped() -> None:
    name = "<b>&\"'\x00"
    shapes = (Shape(name, "text", 0, 0, text=name), Shape("disc", "disc", 0, 0, text=name))
    root = ElementTree.fromstring(svg(Scene(10, 10, shapes), name))
    shown = name.replace("\x00", "\ufffd")
    assert "".join(root.itertext()).split() == [shown] * 3
    assert root[1].get("id") == shown


def test_numbers_have_at_most_two_decimals() -> None:
    text = group(Shape("a", "box", 1 / 3, -0.001, 2 / 3, 100.0, angle=1 / 7))
    assert re.findall(r"\d+\.\d{3,}", text) == []
    assert "translate(0.33 0) rotate(0.14)" in text


def test_an_action_is_part_of_the_picture() -> None:
    text = group(Shape("a", "disc", 0, 0, action=3, seat=1))
    assert 'data-action="3"' in text
    assert 'data-seat="1"' in text
    assert "data-action" not in group(Shape("a", "disc", 0, 0))


def test_an_unknown_kind_is_refused_with_the_names() -> None:
    with pytest.raises(ValueError, match=r"shape 'a': no kind 'blob' \(there are panel, box, .*"):
        group(Shape("a", "blob", 0, 0))


def test_a_game_brings_an_icon_as_the_kind_of_a_shape() -> None:
    text = group(Shape("a", '\n<path d="M0 0" fill="{main}"/>', 0, 0, 50, 100, "red"))
    assert f'<g transform="scale(0.5 1)"><path d="M0 0" fill="{PALETTE["red"]}"/></g>' in text


def test_an_icon_with_an_unknown_colour_is_refused_with_the_names() -> None:
    with pytest.raises(ValueError, match=r"shape 'a': no colour 'maim' \(there are main, dark, .*"):
        group(Shape("a", '<path fill="{maim}"/>', 0, 0))


@pytest.mark.parametrize("kind", SHAPE_KINDS)
def test_an_unknown_colour_is_refused_with_the_names(kind: str) -> None:
    with pytest.raises(ValueError, match=r"shape 'a': no colour 'mauve' \(there are ink, .*"):
        group(Shape("a", kind, 0, 0, colour="mauve"))


def drawing_script() -> ModuleType:
    path = Path(__file__).parents[2] / "docs" / "pictures.py"
    spec = importlib.util.spec_from_file_location("docs_pictures", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_pictures_of_the_documents_are_fresh() -> None:
    script = drawing_script()
    for name, text in script.pictures().items():
        assert (script.FOLDER / name).read_text(encoding="utf-8") == text, name
