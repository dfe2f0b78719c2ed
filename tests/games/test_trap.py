"""AI Squid Game: Trap!, by the figures of its document."""

import pytest

from ludex.core.play import choices, legal_moves, read_state
from ludex.core.rules import CHANCE, OVER, chance, label, position, returns, turn
from tests.lines import replay, variant

pytestmark = pytest.mark.plain

RULES = variant("trap")
THREE = variant("trap", size=3)


def odds(text: str) -> dict[str, float]:
    state = read_state(RULES, text)
    return {
        label(RULES, state, one): chance(RULES, state, one) for one in legal_moves(RULES, state)
    }


def test_the_figure_of_the_document() -> None:
    # The thrower stands on (5,3) and aims at (2,1): five steps away.
    found = odds("2....../......./......./......./......./...1.../....... 0 land:2,1")
    assert found.pop("land 2,1") == pytest.approx(0.8)
    assert len(found) == 8
    assert all(p == pytest.approx(0.025) for p in found.values())


def test_a_throw_at_a_neighbour_cannot_miss() -> None:
    assert odds("1....../......./......./......./......./......./......2 0 land:0,1") == {
        "land 0,1": 1.0
    }


def test_cells_beside_the_target_that_hold_a_player_are_left_out() -> None:
    found = odds("1....../..2..../......./......./......./......./....... 0 land:1,1")
    assert found.pop("land 1,1") == pytest.approx(0.95)
    assert set(found) == {f"land {cell}" for cell in ("0,1", "0,2", "1,0", "2,0", "2,1", "2,2")}
    assert all(p == pytest.approx(0.05 / 6) for p in found.values())


def test_existing_traps_share_the_miss() -> None:
    free = odds("1....../......./......./......./......./......./......2 0 land:3,3")
    trapped = odds("1....../......./..x.x../......./......./......./......2 0 land:3,3")
    assert free == trapped


def test_a_turn_is_a_step_a_throw_and_a_landing() -> None:
    state = replay(RULES, "step 1,3")
    assert position(RULES, state).endswith("0 throw")
    state = replay(RULES, "throw 5,3", start=state)
    assert turn(RULES, state) == CHANCE
    assert position(RULES, state).endswith("0 land:5,3")
    state = replay(RULES, "land 5,2", start=state)
    assert position(RULES, state) == (
        "......./...1.../......./......./......./..x..../...2... 1 step"
    )


def test_a_throw_may_aim_at_a_trap_but_not_at_a_player() -> None:
    state = read_state(RULES, "1x...../......./......./......./......./......./......2 0 throw")
    targets = {label(RULES, state, action) for action in choices(RULES, state, 0)}
    assert len(targets) == 47
    assert "throw 0,1" in targets
    assert not targets & {"throw 0,0", "throw 6,6"}


def test_a_step_alone_can_enclose() -> None:
    # Seat 1 sits in the corner; seat 0 steps onto its last free neighbour.
    state = read_state(THREE, ".1./x../2x. 0 step")
    over = replay(THREE, "step 1,1", start=state)
    assert position(THREE, over) == ".../x1./2x. 0 throw"
    assert turn(THREE, over) == OVER
    assert [returns(THREE, over, seat) for seat in (0, 1)] == [1.0, -1.0]


def test_a_landing_can_enclose() -> None:
    state = read_state(THREE, "..1/x../2x. 0 throw")
    over = replay(THREE, "throw 1,1", "land 1,1", start=state)
    assert turn(THREE, over) == OVER
    assert returns(THREE, over, 1) == -1.0


def test_the_thrower_is_not_lost_before_its_own_turn() -> None:
    # Both are enclosed by the landing; the seat that is next to step has lost.
    state = read_state(THREE, "1x./xx./..2 0 land:1,2")
    over = replay(THREE, "land 2,1", start=read_state(THREE, "1x./xxx/..2 0 land:2,1"))
    assert turn(THREE, state) == CHANCE
    assert turn(THREE, over) == OVER
    assert [returns(THREE, over, seat) for seat in (0, 1)] == [1.0, -1.0]
