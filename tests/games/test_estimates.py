"""What the games guess about their positions, for search."""

import itertools
from typing import Any

import numpy as np
import pytest

from ludex.core.play import read_state
from ludex.core.rules import (
    CHANCE,
    OVER,
    Rules,
    candidates,
    estimate,
    estimate_as,
    foreseen,
    moves,
    position,
    possible,
    seats,
    turn,
)
from ludex.core.search_profile import STYLE_BITS
from ludex.games import GAMES, find
from ludex.games.aeroplane.estimates import MOVES_LEFT as LEFT
from ludex.games.trap.cells import CELLS, free_cells, neighbours, spread
from ludex.kernel.bits import members
from ludex.kernel.jit import compiled
from tests.lines import random_states, variant

pytestmark = pytest.mark.plain

VARIANTS = (
    *((game, {}) for game in GAMES),
    ("trap", {"size": 4}),
    ("arena", {"gamma_after": 3, "mega": 999, "quick": 127, "hard-crash": 127, "mega-air-wood": 0}),
    ("aeroplane", {"seats": 3, "planes": 2}),
    ("aeroplane", {"seats": 4, "stacks": "block"}),
)
TRAP = variant("trap")
ARENA = variant("arena")
AEROPLANE = variant("aeroplane")


def style(rules: Rules, **words: str) -> int:
    """Return the style that these words of a game's STYLES make."""
    options: dict[str, tuple[str, ...]] = find("trap").STYLES if rules is TRAP else {}
    return sum(
        options[key].index(word) << STYLE_BITS * list(options).index(key)
        for key, word in words.items()
    )


def styles(game: str) -> list[int]:
    """Return every style that a game has."""
    counts = [range(len(words)) for words in getattr(find(game), "STYLES", {}).values()]
    return [
        sum(number << STYLE_BITS * place for place, number in enumerate(numbers))
        for numbers in itertools.product(*counts)
    ]


@compiled
def guesses(rules: Any, state: Any, style: int, told: Any) -> None:
    """Fill an array with all that a search asks a game about a state."""
    for seat in range(seats(rules)):
        told[seat] = estimate_as(rules, state, seat, style)
        told[4 + seat] = estimate(rules, state, seat)
    mover = turn(rules, state)
    if mover == CHANCE:
        told[8] = foreseen(rules, state, style)
    elif mover >= 0:
        told[8] = candidates(rules, state, mover, style)


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "changes"), VARIANTS)
def test_estimates_are_strictly_inside_the_returns(game: str, changes: dict[str, Any]) -> None:
    rules = variant(game, **changes)
    for seed, number in itertools.product(range(2), styles(game)):
        for state in random_states(rules, seed, plies=150):
            for seat in range(seats(rules)):
                assert -1.0 < estimate_as(rules, state, seat, number) < 1.0


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "changes"), VARIANTS)
def test_what_one_seat_expects_the_others_lose(game: str, changes: dict[str, Any]) -> None:
    rules = variant(game, **changes)
    for state in random_states(rules, 3, plies=300):
        total = sum(estimate(rules, state, seat) for seat in range(seats(rules)))
        assert total == pytest.approx(0.0, abs=1e-9)


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "changes"), VARIANTS)
def test_compiled_guesses_are_the_interpreted_ones(game: str, changes: dict[str, Any]) -> None:
    rules = variant(game, **changes)
    told = np.zeros((2, 9))
    for number in styles(game):
        for state in random_states(rules, 4, plies=60):
            told[:] = 0.0
            guesses(rules, state, number, told[0])
            getattr(guesses, "py_func", guesses)(rules, state, number, told[1])
            assert (told[0] == told[1]).all()


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "changes"), VARIANTS)
def test_a_search_looks_at_some_of_what_is_lawful(game: str, changes: dict[str, Any]) -> None:
    rules = variant(game, **changes)
    for number in styles(game):
        for state in random_states(rules, 5, plies=200):
            mover = turn(rules, state)
            if mover == OVER:
                continue
            if mover == CHANCE:
                looked, legal_moves = foreseen(rules, state, number), possible(rules, state)
            else:
                seat = max(mover, 0)
                looked = candidates(rules, state, seat, number)
                legal_moves = moves(rules, state, seat)
            assert set(members(looked)) <= set(members(legal_moves)) and members(looked)


# Trap. -------------------------------------------------------------------------------------------

# Seat 0 in the corner has two steps: to (0,1), from where it has three (one is back), and to
# (1,0), with three again. Seat 1 in the other corner has three steps, with 5 + 5 + 8 from there.
CORNERS = "1.x..../.x...../x....../......./......./......./......2"


def test_the_scores_of_the_document() -> None:
    state = read_state(TRAP, f"{CORNERS} 0 step")
    # From (0,1): (0,0), (1,0), (1,2). From (1,0): (0,0), (0,1), (2,1).
    for name, mine, theirs in (
        ("is", (2 - 3) / 9, (3 - 2) / 9),
        ("ais", (2 - 2 * 3) / 17, (3 - 2 * 2) / 17),
        ("ocls", (6 - 18) / 65, (18 - 6) / 65),
    ):
        for seat, expected in enumerate((mine, theirs)):
            found = estimate_as(TRAP, state, seat, style(TRAP, estimate=name))
            assert found == pytest.approx(expected), (name, seat)


def test_free_counts_the_steps_of_who_is_at_turn() -> None:
    number = style(TRAP, estimate="free")
    for seat, steps in ((0, 2), (1, 3)):
        state = read_state(TRAP, f"{CORNERS} {seat} step")
        assert estimate_as(TRAP, state, seat, number) == pytest.approx(steps / 9)
        assert estimate_as(TRAP, state, 1 - seat, number) == pytest.approx(-steps / 9)


def test_area_is_what_trap_estimates_by_default() -> None:
    state = read_state(TRAP, f"{CORNERS} 0 step")
    assert estimate(TRAP, state, 0) == estimate_as(TRAP, state, 0, 0) != 0.0
    assert style(TRAP, estimate="area") == 0


@pytest.mark.parametrize("size", range(3, 8))
def test_cells_spread_to_their_neighbours(size: int) -> None:
    rules = variant("trap", size=size)
    board = (1 << size * size) - 1
    for cell in range(size * size):
        assert spread(rules, 1 << cell) & board == neighbours(rules, cell) | 1 << cell
    assert board < 1 << CELLS


@pytest.mark.parametrize("phase", ("step", "throw"))
@pytest.mark.parametrize("seat", (0, 1))
@pytest.mark.parametrize(
    ("wide", "narrow"),
    (
        # A wall leaves seat 0 two rows, or four.
        (
            "......./...1.../......./......./xxxxxxx/...2.../.......",
            "......./...1.../xxxxxxx/......./......./...2.../.......",
        ),
        # The same steps now, but a dead end behind them.
        (
            "...1.../xx...xx/......./......./......./......./...2...",
            "...1.../xx...xx/xxxxxxx/......./......./......./...2...",
        ),
        # The middle is nearer to everything than the corner.
        (
            "......./......./......./...1.../......./......./...2...",
            "1....../......./......./......./......./......./...2...",
        ),
    ),
)
def test_more_room_is_better(wide: str, narrow: str, seat: int, phase: str) -> None:
    values = [
        estimate(TRAP, read_state(TRAP, f"{board} {seat} {phase}"), 0) for board in (wide, narrow)
    ]
    assert values[0] > values[1] + 0.01


@pytest.mark.unmeasured
@pytest.mark.parametrize("name", ("area", "is", "ais", "ocls", "free"))
def test_a_board_turned_around_is_worth_the_same_to_the_other_seat(name: str) -> None:
    number = style(TRAP, estimate=name)
    turned = str.maketrans("12", "21")
    for state in random_states(TRAP, 6):
        if turn(TRAP, state) != CHANCE:
            board, seat, phase = position(TRAP, state).split()
            other = read_state(TRAP, f"{board[::-1].translate(turned)} {1 - int(seat)} {phase}")
            for one in (0, 1):
                found = estimate_as(TRAP, other, 1 - one, number)
                assert found == pytest.approx(estimate_as(TRAP, state, one, number), abs=1e-12)


@pytest.mark.parametrize("name", ("area", "is", "ocls", "free"))
def test_every_score_but_the_aggressive_one_is_even(name: str) -> None:
    number = style(TRAP, estimate=name)
    for state in random_states(TRAP, 7):
        assert estimate_as(TRAP, state, 0, number) == -estimate_as(TRAP, state, 1, number)


def test_near_throws_aim_around_the_opponent() -> None:
    state = read_state(TRAP, "1....../......./......./......./......./.....x./......2 0 throw")
    near = members(candidates(TRAP, state, 0, style(TRAP, throws="near")))
    assert near == [41, 47]
    assert len(members(candidates(TRAP, state, 0, style(TRAP, throws="all")))) == 47


def test_near_leaves_every_step() -> None:
    state = read_state(TRAP, f"{CORNERS} 1 step")
    assert candidates(TRAP, state, 1, 0) == moves(TRAP, state, 1)


def test_a_search_may_count_on_the_target_alone() -> None:
    state = read_state(TRAP, "1....../......./......./......./......./......./......2 0 land:3,3")
    assert members(foreseen(TRAP, state, style(TRAP, chance="target"))) == [24]
    assert len(members(foreseen(TRAP, state, style(TRAP, chance="full")))) == 9
    assert members(free_cells(TRAP, state))[:2] == [1, 2]


# Arena. ------------------------------------------------------------------------------------------


def arena(light: str, wily: str, weapons: str = "-") -> float:
    """Return what these lives are worth to Light."""
    champions = {"hard": light.split(",")[3], "mega": light.split(",")[8]}
    champion = next(name for name, life in champions.items() if life != "0")
    return float(estimate(ARENA, read_state(ARENA, f"{light} {wily} {champion} - {weapons} 1"), 0))


def test_the_arena_counts_blows() -> None:
    # Hard Man takes 15 blows of 2. Metal Man takes 8 of 4 (7.5 on average), Gamma 99 / 4.
    assert arena("0,0,0,30,0,0,0,0,0", "30,0,0,0,0,0,0,0,99") == pytest.approx(
        (15 - 129 / 4) / (15 + 129 / 4 + 1)
    )


def test_who_strikes_harder_counts_by_life() -> None:
    # Hard Man (4) with 30 and Mega Man (1) with 10 strike Metal Man for 130 / 40 on average.
    mine = 30 / 2 + 10 / 1
    theirs = 30 * 40 / 130 + 99 * 40 / 130
    assert arena("0,0,0,30,0,0,0,0,10", "30,0,0,0,0,0,0,0,99") == pytest.approx(
        (mine - theirs) / (mine + theirs + 1)
    )


def test_gamma_strikes_when_he_may_enter() -> None:
    # One blow of Mega Man with his bubble lead deals 10.
    assert arena("0,0,0,0,0,0,0,0,30", "0,0,0,0,0,0,0,0,99", "bubble") == pytest.approx(
        (15 - 9.9) / (15 + 9.9 + 1)
    )


def test_a_weapon_and_a_life_are_worth_something() -> None:
    light, wily = "0,0,0,30,0,0,0,0,30", "0,30,30,30,30,30,30,30,99"
    assert arena(light, wily, "metal") > arena(light, wily)
    assert arena(light.replace("30", "29"), wily) < arena(light, wily)
    assert arena(light, wily.replace("99", "98")) > arena(light, wily)


# Aeroplane. --------------------------------------------------------------------------------------


def aeroplane(blue: str, green: str, seat: int = 0) -> float:
    """Return what these planes are worth to Blue."""
    return float(estimate(AEROPLANE, read_state(AEROPLANE, f"B:{blue} G:{green} - {seat}"), 0))


def test_nobody_is_ahead_at_the_start() -> None:
    assert aeroplane("h,h,h,h", "h,h,h,h") == 0.0


@pytest.mark.parametrize(
    ("better", "worse"),
    (
        ("l,h,h,h", "h,h,h,h"),
        ("20,h,h,h", "19,h,h,h"),
        ("home,h,h,h", "f5,h,h,h"),
        ("18,h,h,h", "l,h,h,h"),
    ),
)
def test_progress_is_better(better: str, worse: str) -> None:
    assert aeroplane(better, "h,h,h,h") > aeroplane(worse, "h,h,h,h")


def test_a_plane_that_can_be_caught_is_worth_less() -> None:
    # Green's step 1 is Blue's step 27: a Green plane there has Blue's step 30 three ahead.
    assert aeroplane("30,h,h,h", "1,h,h,h") < aeroplane("30,h,h,h", "5,h,h,h") - 0.05
    # It flies from its step 18 over Blue's stretch at 3, from 14 by a jump.
    assert aeroplane("f3,h,h,h", "13,h,h,h") < aeroplane("f2,h,h,h", "13,h,h,h") - 0.05


def test_a_stack_that_blocks_is_not_in_danger() -> None:
    values = []
    for stacks in ("capture", "block"):
        rules = variant("aeroplane", stacks=stacks)
        values.append(estimate(rules, read_state(rules, "B:30,30,h,h G:1,h,h,h - 1"), 0))
    assert values[0] < values[1] - 0.05


def test_the_moves_left_are_those_of_a_lone_plane() -> None:
    # In the stretch one roll in six brings it home; the hangar waits six rolls for a six.
    assert LEFT[57] == 0.0
    assert LEFT[52:57] == pytest.approx([6.0] * 5)
    assert LEFT[0] == pytest.approx(LEFT[1] + 6.0)
    # From step 50 a roll of six is home at once, the others lead into the stretch.
    assert LEFT[51] == pytest.approx(6.0)
