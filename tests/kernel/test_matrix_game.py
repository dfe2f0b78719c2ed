"""Matrix games are solved as by a linear program that shares no code with ours."""

import functools

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.sparse import block_diag

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


def span(game: np.ndarray) -> float:
    """Return the scale of a game, which errors are measured by."""
    return max(1.0, float(np.ptp(game)))


def program_values(games: list[np.ndarray]) -> list[float]:
    """Return the most that the row player of each game can guarantee, by scipy.

    The games are the blocks of one linear program: starting it takes longer than solving a game.
    """
    costs = [[0.0] * len(game) + [-1.0] for game in games]
    limits = [np.hstack([-game.T / span(game), np.ones((game.shape[1], 1))]) for game in games]
    found = linprog(
        c=np.concatenate(costs),
        A_ub=block_diag(limits),
        b_ub=np.zeros(sum(map(len, limits))),
        A_eq=block_diag([[[1.0] * len(game) + [0.0]] for game in games]),
        b_eq=np.ones(len(games)),
        bounds=[(0.0 if cost == 0.0 else None, None) for row in costs for cost in row],
    )
    values = found.x[np.concatenate(costs) < 0.0]
    return [float(value) * span(game) for value, game in zip(values, games, strict=True)]


def program_value(game: np.ndarray) -> float:
    """Return the most that the row player of a game can guarantee, by scipy."""
    return program_value_of(tuple(map(tuple, game.tolist())))


@functools.cache  # the same small games follow from many states
def program_value_of(rows: tuple[tuple[float, ...], ...]) -> float:
    return program_values([np.array(rows)])[0]


def check(game: np.ndarray) -> float:
    """Assert that the mixtures are such, and guarantee the value; return it."""
    value, first, second = solved(game)
    error = 1e-9 * span(game)
    for mixture in (first, second):
        assert (mixture >= 0.0).all()
        assert abs(mixture.sum() - 1.0) < 1e-12
    assert (first @ game).min() >= value - error
    assert (game @ second).max() <= value + error
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
    games = [game for _ in range(130) for game in kinds(rng)]
    for game, value in zip(games, program_values(games), strict=True):
        # The program's own tolerance is 1e-7; ours is asserted in `check`.
        assert check(game) == pytest.approx(value, abs=2e-7 * span(game)), game


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
        games = [rng.uniform(-1.0, 1.0, shape), rng.integers(-1, 2, shape) * 1.0]
        assert [check(game) for game in games] == pytest.approx(program_values(games), abs=1e-6)


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


# Of droids on a board of 6 x 6: entries of 1 beside entries of 1e-12, for which every pivot is bad.
UNEVEN = np.array(
    [
        [-9.35437752e-09, -9.58572197e-12, -1.68665603e-11, -6.59561156e-11, 0.0],
        [-3.24110975e-05, -8.09081793e-13, -4.79766897e-11, -1.33475591e-11, -1.0],
        [-1.33475591e-11, -1.31807755e-11, -9.88000891e-12, -1.31806844e-11, -1.0],
        [-6.13359633e-08, -1.10391587e-11, -9.58987495e-12, -1.53425979e-07, 0.0],
        [8.87204132e-01, -2.68400606e-04, -9.48654820e-05, 8.96996483e-01, -9.50496898e-05],
    ]
)


def test_what_a_pure_strategy_guarantees_is_never_lost() -> None:
    first, second = np.zeros((2, 5))
    value = solve(UNEVEN, 5, 5, first, second, np.zeros((7, 7)))
    maximin, minimax = UNEVEN.min(axis=1).max(), UNEVEN.max(axis=0).min()
    assert maximin <= value <= minimax
    assert (first @ UNEVEN).min() >= maximin
    assert (UNEVEN @ second).max() <= minimax
