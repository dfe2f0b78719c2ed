"""Matrix games are solved as by a linear program that shares no code with ours."""

import numpy as np
import pytest
from scipy.optimize import linprog

from ludex.kernel.matrix_game import solve

SIZE = 8


def solved(game: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Return value and mixtures; the matrix and the scratch are larger than they need be."""
    rows, columns = game.shape
    matrix = np.full((rows + 1, columns + 2), np.nan)
    matrix[:rows, :columns] = game
    first, second = np.full(rows + 1, np.nan), np.full(columns + 1, np.nan)
    value = solve(matrix, rows, columns, first, second, np.full((rows + 3, columns + 3), np.nan))
    assert np.array_equal(matrix[:rows, :columns], game)
    return float(value), first[:rows], second[:columns]


def program_value(game: np.ndarray) -> float:
    """Return the most that the row player can guarantee, by scipy."""
    rows, columns = game.shape
    found = linprog(
        c=[0.0] * rows + [-1.0],
        A_ub=np.hstack([-game.T, np.ones((columns, 1))]),
        b_ub=[0.0] * columns,
        A_eq=[[1.0] * rows + [0.0]],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return float(-found.fun)


def check(game: np.ndarray) -> float:
    """Assert that the mixtures are such, and guarantee the value; return it."""
    value, first, second = solved(game)
    span = max(1.0, float(game.max() - game.min()))
    for mixture in (first, second):
        assert (mixture >= 0.0).all()
        assert mixture.sum() == pytest.approx(1.0, abs=1e-12)
    assert (first @ game).min() >= value - 1e-9 * span
    assert (game @ second).max() <= value + 1e-9 * span
    return value


def shapes(rng: np.random.Generator) -> tuple[int, int]:
    return int(rng.integers(1, SIZE + 1)), int(rng.integers(1, SIZE + 1))


def doubled(game: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a game in which some rows and columns are copies of others."""
    rows, columns = game.shape
    return np.asarray(game[rng.integers(0, rows, rows)][:, rng.integers(0, columns, columns)])


def kinds(rng: np.random.Generator) -> list[np.ndarray]:
    """Return random games: smooth, with many ties, degenerate, and nearly so."""
    shape = shapes(rng)
    ties = rng.integers(-1, 2, shape).astype(float)
    constant = rng.integers(-2, 3, shape).astype(float)
    constant[rng.integers(0, shape[0])] = rng.integers(-2, 3)
    low_rank = rng.integers(-2, 3, (shape[0], 1)) * rng.integers(-2, 3, (1, shape[1])) * 1.0
    square = rng.integers(-3, 4, (shape[0], shape[0])) * 1.0
    return [
        rng.uniform(-1.0, 1.0, shape),
        ties,
        constant,
        doubled(ties, rng),
        low_rank,
        square - square.T,
        rng.integers(0, 2, shape) * 1.0,
        ties + rng.uniform(-1.0, 1.0, shape) * 10.0 ** -rng.integers(4, 16),
        rng.uniform(-1.0, 1.0, shape) * 10.0 ** rng.integers(-6, 6),
    ]


@pytest.mark.compiled
@pytest.mark.parametrize("part", range(4))
def test_thousands_of_games_agree_with_a_linear_program(part: int) -> None:
    rng = np.random.default_rng(part)
    for _ in range(130):
        for game in kinds(rng):
            span = max(1.0, float(game.max() - game.min()))
            # The program's own tolerance is 1e-7; ours is asserted in `check`.
            assert check(game) == pytest.approx(program_value(game), abs=2e-7 * span), game


@pytest.mark.compiled
def test_mixtures_guarantee_the_value_of_a_hundred_thousand_games() -> None:
    rng = np.random.default_rng(9)
    for _ in range(12_000):
        for game in kinds(rng):
            check(game)


@pytest.mark.compiled
def test_games_larger_than_eight_by_eight_are_solved() -> None:
    rng = np.random.default_rng(3)
    for shape in ((20, 20), (63, 63), (63, 5), (2, 63)):
        for game in (rng.uniform(-1.0, 1.0, shape), rng.integers(-1, 2, shape) * 1.0):
            assert check(game) == pytest.approx(program_value(game), abs=1e-6)


def test_compiled_and_interpreted_solutions_are_the_same() -> None:
    rng = np.random.default_rng(7)
    plain = getattr(solve, "py_func", solve)
    for _ in range(30):
        for game in kinds(rng):
            rows, columns = game.shape
            first, second = np.zeros(rows), np.zeros(columns)
            value = plain(game, rows, columns, first, second, np.zeros((rows + 2, columns + 2)))
            fast, first_fast, second_fast = solved(game)
            assert value == fast
            assert np.array_equal(first, first_fast) and np.array_equal(second, second_fast)


def test_rock_paper_scissors_is_a_third_each() -> None:
    value, first, second = solved(np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]))
    assert value == pytest.approx(0.0, abs=1e-12)
    assert first == pytest.approx([1 / 3] * 3)
    assert second == pytest.approx([1 / 3] * 3)


def test_matching_pennies_is_a_half_each() -> None:
    value, first, second = solved(np.array([[1.0, -1.0], [-1.0, 1.0]]))
    assert (value, *first, *second) == pytest.approx((0.0, 0.5, 0.5, 0.5, 0.5))


def test_mixtures_are_as_uneven_as_the_game() -> None:
    # p = (d - c) / (a - b - c + d) for [[a, b], [c, d]]; here 3/7, and 2/7 for the columns.
    value, first, second = solved(np.array([[3.0, -1.0], [-2.0, 1.0]]))
    assert (value, first[0], second[0]) == pytest.approx((1 / 7, 3 / 7, 2 / 7))


def test_the_first_saddle_point_is_taken() -> None:
    value, first, second = solved(np.array([[1.0, 2.0, 0.0], [3.0, 4.0, 3.0], [3.0, 3.0, 3.0]]))
    assert value == 3.0
    assert first.tolist() == [0.0, 1.0, 0.0]
    assert second.tolist() == [1.0, 0.0, 0.0]


def test_dominated_actions_are_not_played() -> None:
    value, first, second = solved(
        np.array([[1.0, -1.0, 5.0], [-1.0, 1.0, 5.0], [-2.0, -2.0, -9.0]])
    )
    assert value == pytest.approx(0.0)
    assert first == pytest.approx([0.5, 0.5, 0.0])
    assert second == pytest.approx([0.5, 0.5, 0.0])


def test_a_single_choice_is_no_choice() -> None:
    value, first, second = solved(np.array([[0.25]]))
    assert (value, first.tolist(), second.tolist()) == (0.25, [1.0], [1.0])
    assert check(np.array([[1.0, -3.0, 2.0]])) == -3.0
    assert check(np.array([[1.0], [-3.0], [2.0]])) == 2.0
