"""What is drawn at random has the right chances."""

import numpy as np
import pytest

from ludex.core.play import read_state
from ludex.core.rules import CHANCE, OVER, chance, initial, moves, turn
from ludex.core.sampling import draw_moves, draw_outcome, pick, playout
from tests.lines import variant

pytestmark = pytest.mark.plain

DRAWS = 4000


def test_outcomes_come_as_often_as_their_chance() -> None:
    rules = variant("trap")
    state = read_state(rules, "2....../......./......./......./......./...1.../....... 0 land:2,1")
    assert turn(rules, state) == CHANCE
    rng = np.random.default_rng(3)
    seen = np.bincount([draw_outcome(rules, state, rng) for _ in range(DRAWS)], minlength=49)
    for outcome, times in enumerate(seen):
        p = chance(rules, state, outcome)
        # Five standard deviations of a count.
        assert abs(times - DRAWS * p) <= 5 * (DRAWS * p * (1 - p)) ** 0.5 + 1e-9


def test_actions_are_drawn_evenly_and_only_legal_ones() -> None:
    rules = variant("droids")
    state = read_state(rules, "0,0 3,3 5,5 0,0 50")
    rng = np.random.default_rng(4)
    seen = np.bincount([pick(moves(rules, state, 0), rng) for _ in range(DRAWS)], minlength=5)
    assert seen[0] == seen[2] == 0
    third = DRAWS / 3
    assert all(abs(seen[action] - third) < 5 * (third * 2 / 3) ** 0.5 for action in (1, 3, 4))


@pytest.mark.parametrize("game", ["nuts", "arena", "aeroplane", "trap", "droids"])
def test_a_playout_ends_and_a_line_leads_to_the_same_end(game: str) -> None:
    rules = variant(game)
    end = playout(rules, initial(rules), np.random.default_rng(8), 100_000)
    assert turn(rules, end) == OVER
    line = np.zeros(5000, np.int64)
    length = draw_moves(rules, initial(rules), np.random.default_rng(8), line)
    assert playout(rules, initial(rules), np.random.default_rng(8), length) == end
    assert length < 5000


def test_a_line_stops_at_the_end_of_its_array() -> None:
    rules = variant("nuts")
    line = np.zeros(3, np.int64)
    assert draw_moves(rules, initial(rules), np.random.default_rng(0), line) == 3
