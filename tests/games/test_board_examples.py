"""Othello, Hex and Breakthrough, by examples and beside OpenSpiel."""

from typing import Any

import pytest

from ludex.core.perft import counts
from ludex.core.play import legal_moves, read_state
from ludex.core.rules import OVER, estimate, initial, label, margin, position, returns, turn
from tests.lines import replay, variant

pytestmark = pytest.mark.plain

OTHELLO, HEX, BREAKTHROUGH = (f"examples/{name}.py" for name in ("othello", "hex", "breakthrough"))


def labels(rules: Any, state: Any) -> set[str]:
    return {label(rules, state, move) for move in legal_moves(rules, state)}


@pytest.mark.parametrize(
    ("game", "values", "theirs", "depth"),
    [
        (OTHELLO, {}, "othello", 5),
        (HEX, {}, "hex(swap=true)", 2),
        (HEX, {"size": 3}, "hex(num_rows=3,num_cols=3,swap=true)", 5),
        (HEX, {"size": 4, "swap": 0}, "hex(num_rows=4,num_cols=4)", 3),
        (BREAKTHROUGH, {}, "breakthrough", 3),
        (BREAKTHROUGH, {"size": 5}, "breakthrough(rows=5,columns=5)", 4),
        (BREAKTHROUGH, {"size": 4}, "breakthrough(rows=4,columns=4)", 5),
    ],
)
def test_counts_are_those_of_openspiel(
    game: str, values: dict[str, int], theirs: str, depth: int
) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rules = variant(game, **values)

    def lines(state: Any, plies: int) -> int:
        actions = [] if state.is_terminal() else state.legal_actions()
        if plies == 1:
            return len(actions)
        return sum(lines(state.child(action), plies - 1) for action in actions)

    first = pyspiel.load_game(theirs).new_initial_state()
    wanted = [lines(first, plies) for plies in range(1, depth + 1)]
    assert counts(rules, initial(rules), depth) == wanted


# Othello. ----------------------------------------------------------------------------------------


def test_the_first_discs_of_othello_are_those_of_the_book() -> None:
    rules = variant(OTHELLO)
    rows = "......../......../......../...ox.../...xo.../......../......../........"
    assert position(rules, initial(rules)) == f"{rows} 0"
    assert labels(rules, initial(rules)) == {"d3", "c4", "f5", "e6"}


def test_a_disc_turns_over_what_it_encloses_in_every_direction() -> None:
    rules = variant(OTHELLO, size=6)
    star = "x.x.x./.ooo../xo.ox./.ooo../x.x.x./...... 0"
    assert (
        position(rules, replay(rules, "c3", start=read_state(rules, star)))
        == "x.x.x./.xxx../xxxxx./.xxx../x.x.x./...... 1"
    )


def test_a_line_that_ends_at_the_edge_is_not_enclosed() -> None:
    # The row above a line is another row: nothing goes around the edge.
    rules = variant(OTHELLO)
    edge = "......oo/x......./......../......../......../......../......../........ 0"
    assert turn(rules, read_state(rules, edge)) == OVER
    corner = "......../......../......../......../......../.....x../......o./........ 0"
    assert labels(rules, read_state(rules, corner)) == {"h8"}


def test_only_a_player_without_a_square_passes() -> None:
    rules = variant(OTHELLO, size=4)
    state = read_state(rules, "xo../..../..../.... 1")
    assert labels(rules, state) == {"pass"}
    after = replay(rules, "pass", start=state)
    assert position(rules, after) == "xo../..../..../.... 0"
    assert labels(rules, after) == {"c1"}


def test_most_discs_win() -> None:
    rules = variant(OTHELLO, size=4)
    lead, draw = (read_state(rules, f"{row}/..../..../.... 0") for row in ("xx.o", "x..o"))
    assert (turn(rules, lead), margin(rules, lead)) == (OVER, 1)
    assert [returns(rules, lead, seat) for seat in (0, 1)] == [1.0, -1.0]
    assert [returns(rules, draw, seat) for seat in (0, 1)] == [0.0, 0.0]


def test_a_corner_is_worth_more_than_choice() -> None:
    rules = variant(OTHELLO)
    empty = "......../" * 3
    middle = f"{empty}...ox.../...xo.../......../......../"
    with_corner = read_state(rules, f"{middle}x....... 0")
    assert estimate(rules, with_corner, 0) == -estimate(rules, with_corner, 1) == 10 / 128


def test_an_odd_size_is_refused() -> None:
    with pytest.raises(ValueError, match="size 5: expected 4, 6 or 8"):
        variant(OTHELLO, size=5)


# Hex. --------------------------------------------------------------------------------------------


def test_red_joins_the_rows_and_blue_the_columns() -> None:
    rules = variant(HEX, size=3)
    red = replay(rules, "b1", "a1", "b2", "a2", "a3")
    assert turn(rules, red) == OVER and returns(rules, red, 0) == 1.0
    blue = replay(rules, "a1", "a3", "c3", "b2", "a2", "c1")
    assert turn(rules, blue) == OVER and returns(rules, blue, 1) == 1.0


def test_cells_that_only_look_close_are_not_joined() -> None:
    # a1 and b2 have no side in common, b1 and a2 have.
    rules = variant(HEX, size=3)
    assert turn(rules, read_state(rules, "r../.r./..r 1")) == 1
    assert turn(rules, read_state(rules, "..r/.r./r.. 1")) == OVER


def test_a_stone_joins_what_was_apart() -> None:
    rules = variant(HEX)
    rows = ["....r......"] * 11
    rows[5] = "." * 11
    state = read_state(rules, f"{'/'.join(rows)} 0")
    assert turn(rules, state) == 0
    assert turn(rules, replay(rules, "e6", start=state)) == OVER
    assert turn(rules, replay(rules, "f6", start=state)) == 1


def test_a_swap_gives_blue_the_mirrored_stone() -> None:
    rules = variant(HEX, size=3)
    state = replay(rules, "c1", "swap")
    assert position(rules, state) == ".../.../b.. 0"
    assert "swap" not in labels(rules, state)
    assert "swap" not in labels(rules, replay(rules, "c1", "c2"))
    assert "swap" not in labels(rules, replay(rules, "c1", "c2", "a1"))
    assert "swap" not in labels(variant(HEX, size=3, swap=0), replay(rules, "c1"))


@pytest.mark.parametrize(
    ("game", "text", "wanted"),
    [
        (HEX, "r../r../r.. 0", "SEAT '0': expected the other seat, since Red has won"),
        (HEX, "r../.../... 2", "SEAT '2': expected a whole number from 0 to 1"),
        (HEX, "x../.../... 0", "ROW 'x..': expected 3 cells of '.', 'r' and 'b'"),
        (BREAKTHROUGH, "w.../..../..../b... 0", "since White has won"),
        (BREAKTHROUGH, "..../..../..../.... 1", "since Black has won"),
        (BREAKTHROUGH, "w.../..../.... 1", "expected 4 rows with '/' between, not 3"),
        (OTHELLO, "..../..../..../...w 1", "ROW '...w': expected 4 cells of '.', 'x' and 'o'"),
    ],
)
def test_a_position_that_cannot_be_is_refused(game: str, text: str, wanted: str) -> None:
    rules = variant(game, size=3 if game == HEX else 4)
    with pytest.raises(ValueError) as refused:
        read_state(rules, text)
    assert wanted in str(refused.value)


# Breakthrough. -----------------------------------------------------------------------------------


def test_pieces_capture_aslant_only() -> None:
    rules = variant(BREAKTHROUGH, size=4)
    state = read_state(rules, "b.../.bb./.ww./w... 0")
    assert labels(rules, state) == {"a1-a2", "b2-a3", "b2xc3", "c2xb3", "c2-d3"}
    assert position(rules, replay(rules, "b2xc3", start=state)) == "b.../.bw./..w./w... 1"
    black = read_state(rules, "b.../.bb./.ww./w... 1")
    assert labels(rules, black) == {"a4-a3", "b3-a2", "b3xc2", "c3xb2", "c3-d2"}


def test_the_far_row_or_the_last_capture_wins() -> None:
    rules = variant(BREAKTHROUGH, size=4)
    far = replay(rules, "c3-d4", start=read_state(rules, "b.../..w./..../.... 0"))
    last = replay(rules, "b2xa1", start=read_state(rules, "..../..../.b../w... 1"))
    assert turn(rules, far) == turn(rules, last) == OVER
    assert (returns(rules, far, 0), returns(rules, last, 1)) == (1.0, 1.0)


def test_pieces_past_the_middle_count_half_as_much_again() -> None:
    rules = variant(BREAKTHROUGH, size=4)
    state = read_state(rules, "bb../w.../..../w... 0")
    assert estimate(rules, state, 0) == -estimate(rules, state, 1) == 1 / 64
