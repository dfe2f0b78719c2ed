"""Motion: what games show between two states, and how a board is told to show it."""

import itertools
import random
from pathlib import Path
from typing import Any

import pytest
from nicegui.testing import User

from ludex.core.play import legal_moves, parse, read_state
from ludex.core.rules import NO_MOVE, Rules, apply, between, initial, scene
from ludex.core.scene import OFFER, TURN, Scene, Shape, at_rest, without_offers
from ludex.games.aeroplane.motion import way
from ludex.render.svg import svg
from ludex.web.parts import board as room
from ludex.web.parts.board import Board, Offer
from ludex.web.state.server_state import ServerState
from tests.lines import random_line, variant
from tests.webvisit import visit

pytestmark = pytest.mark.plain

# Shapes that show nothing but an offer.
MARKS = ("halo-", "offer-", "step-", "frame-")
VARIANTS = (
    variant("nuts"),
    variant("arena", gamma_after=0),
    variant("aeroplane", stacks="block", seats=4),
    variant("aeroplane"),
    variant("trap", size=4),
    variant("droids", rounds=12),
)


def seen(rules: Rules, position: str, label: str) -> tuple[Scene, ...]:
    """Return what is seen of a move."""
    state = read_state(rules, position)
    return between(rules, state, parse(rules, state, label))


def shape(picture: Scene, name: str) -> Shape:
    return next(one for one in picture.shapes if one.id == name)


def names(picture: Scene) -> set[str]:
    return {one.id for one in picture.shapes}


@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: type(rules).__name__)
def test_nothing_can_be_chosen_on_the_way_and_all_of_it_can_be_drawn(rules: Rules) -> None:
    rng = random.Random(5)
    state, drawn = initial(rules), 0
    for _ in range(60):
        if not (moves := legal_moves(rules, state)):
            break
        move = rng.choice(moves)
        for picture in between(rules, state, move):
            assert {one.action for one in picture.shapes} == {NO_MOVE}
            ids = [one.id for one in picture.shapes]
            assert len(set(ids)) == len(ids)
            assert (picture.width, picture.height) == scene(rules, state)[:2]
            drawn += 1
            if drawn % 16 == 1:
                svg(picture)
        state = apply(rules, state, move)
    assert drawn or type(rules).__name__ == "NutsRules"


@pytest.mark.parametrize(
    ("start", "roll", "end", "fields"),
    [
        (0, 6, 1, [1]),  # out of the hangar
        (8, 2, 10, [9, 10]),
        (8, 3, 15, [9, 10, 11, 15]),  # lands on its colour and jumps
        (13, 2, 31, [14, 15, 19, 31]),  # jumps to where it flies
        (17, 2, 35, [18, 19, 31, 35]),  # flies, then jumps
        (55, 5, 54, [56, 57, 56, 55, 54]),  # turns back at home
        (56, 2, 56, [57, 56]),
        (8, 2, 8, []),  # a stack is in its way
        (8, 3, 11, [9, 10, 11]),  # a stack is where it would jump to
    ],
)
def test_a_plane_goes_its_way_field_by_field(
    start: int, roll: int, end: int, fields: list[int]
) -> None:
    assert way(start, roll, end) == fields


def test_a_plane_is_seen_on_every_square_and_rivals_stand_until_it_comes() -> None:
    rules = variant("aeroplane", planes=1)
    flight = seen(rules, "B:16 G:h 2 0", "plane 1")
    places = [shape(one, "plane-B-1")[2:4] for one in flight]
    assert len(set(places)) == len(places) == 3  # one step, the square of the flight, its end
    assert all(shape(one, "die").text == "2" for one in flight)
    assert seen(rules, "B:16 G:h - 0", "roll 3") == ()
    state = read_state(rules, "B:7 G:35 2 0")
    assert apply(rules, state, 0).planes2 == 0, "Green is caught"
    hunt = seen(rules, "B:7 G:35 2 0", "plane 1")
    assert len({shape(one, "plane-G-1")[2:4] for one in hunt}) == 1


def test_champions_trade_blows_until_one_falls() -> None:
    rules = variant("arena")
    everybody = "30,30,30,30,30,30,30,30,30 30,30,30,30,30,30,30,30,99"
    assert seen(rules, f"{everybody} - - - 0", "hard") == ()
    fight = seen(rules, f"{everybody} hard - - 1", "crash")
    lives = [
        (int(shape(one, "number-hard").text), int(shape(one, "number-crash").text)) for one in fight
    ]
    # Crash Man enters, strikes first by 2 and is struck by 7.
    assert lives[:4] == [(30, 30), (28, 30), (28, 23), (26, 23)]
    assert lives[-1] == (20, 0)
    assert all(a[0] >= b[0] and a[1] >= b[1] for a, b in itertools.pairwise(lives))
    assert {"champion-hard", "champion-crash", "fight-1-life"} <= names(fight[0])
    assert "blow-1" in names(fight[1]) and "blow-2" in names(fight[2])
    assert shape(fight[2], "blow-2-lost").text == "−7"
    widths = [shape(one, "fight-1-life").width for one in fight]
    assert widths == sorted(widths, reverse=True) and widths[0] > widths[-1]
    long = seen(rules, f"{everybody} spark - - 1", "quick")
    assert len(long) <= 15, "of a long fight some blows are left out"
    assert shape(long[-1], "number-spark").text == "0"


def test_a_trap_flies_to_its_target_and_from_there_to_where_it_lands() -> None:
    rules = variant("trap", size=4)
    thrown = "1.../..../..../...2 0 land:2,2"
    start, there = seen(rules, thrown, "land 1,2")
    person, ring = shape(start, "person-1"), shape(start, "target")
    assert shape(start, "trap-1,2")[2:4] == person[2:4]
    assert shape(there, "trap-1,2")[2:4] == ring[2:4]
    over = seen(rules, "1.../..x./..../...2 0 land:2,2", "land 1,2")
    assert "flying" in names(over[0]), "one more trap where one lies"
    assert seen(rules, "1.../..../..../...2 0 throw", "throw 2,2") == ()


def test_a_laser_grows_from_the_droid_that_shoots() -> None:
    rules = variant("droids")
    (fired,) = seen(rules, "2,0 2,3 5,5 0,0 50", "shoot up")
    droid, beam = shape(fired, "droid-1"), shape(fired, "beam-1-row")
    assert (beam.x, beam.y, beam.width, beam.height) == (droid.x, droid.y, 8, 8)
    assert shape(fired, "droid-2").y < droid.y, "both stand where they stand in the end"
    assert "hit" not in names(fired)
    assert seen(rules, "2,0 2,3 5,5 0,0 50", "down up") == ()


def test_offers_and_turns_are_left_out() -> None:
    shapes = (
        Shape("a", "disc", 1, 1, action=3),
        *(Shape(one, "ring", 1, 1, shows=one) for one in (OFFER, TURN)),
    )
    picture = Scene(9, 9, shapes)
    assert [(one.id, one.action) for one in without_offers(picture).shapes] == [
        ("a", -1),
        (TURN, -1),
    ]
    assert [(one.id, one.action) for one in at_rest(picture).shapes] == [("a", -1)]


@pytest.mark.unmeasured
@pytest.mark.parametrize("rules", VARIANTS, ids=lambda rules: type(rules).__name__)
def test_where_a_match_was_broken_off_it_is_nobodys_turn(rules: Rules) -> None:
    state = initial(rules)
    for move in random_line(rules, 1)[:40]:
        before, after = names(scene(rules, state)), names(at_rest(scene(rules, state)))
        assert [one for one in before if one.endswith(("-glow", "-frame"))]
        assert not [one for one in after if one.endswith(("-glow", "-frame"))]
        assert not [one for one in after if one.startswith(MARKS)]
        plates = {one.id: one.colour for one in at_rest(scene(rules, state), {1}).shapes}
        if "seat-2" in plates:  # of the winner, who may not have been to move
            assert (plates["seat-1"], plates["seat-2"]) == ("mist", "white")
            assert "seat-2-frame" in plates and "seat-1-frame" not in plates
        state = apply(rules, state, move)


def test_a_board_is_told_the_way_before_the_end(tmp_path: Path) -> None:
    def at(x: float) -> Scene:
        return Scene(900, 900, (Shape("plane", "person", x, 5, 9, 9, action=0),))

    async def story(user: User, server: ServerState) -> None:
        told: list[dict[str, Any]] = []
        await user.open("/rules/nuts")
        with user:
            board = Board(at(0), "a board")
        board.run_method = lambda name, *given: told.extend(given)  # type: ignore
        board.show(at(500), [Offer(0, 0, "go")], 7, through=[at(40), at(200)])
        assert [frame["shapes"][0][2] for frame in told] == [40, 200, 500]
        assert [frame.get("through", False) for frame in told] == [True, True, False]
        assert [len(frame["offers"]) for frame in told] == [0, 0, 1]
        assert room.SHORTEST < told[0]["pace"] < told[1]["pace"] <= room.LONGEST
        told.clear()
        board.show(at(500), (), 8, through=[at(500)])
        assert told[0]["pace"] == room.SHORTEST

    visit(story, tmp_path)
