"""Mega Man Battle Arena, by the sample play of its document."""

import pytest

from ludex.core.play import choices, read_state
from ludex.core.rules import OVER, Rules, State, initial, label, position, returns, scene, turn
from tests.lines import replay, variant

pytestmark = pytest.mark.plain

RULES = variant("arena")


def labels(rules: Rules, state: State) -> list[str]:
    return [label(rules, state, action) for action in choices(rules, state, state.seat)]


def position_after(*moves: str) -> list[str]:
    return position(RULES, replay(RULES, *moves)).split()


def test_the_sample_play_of_the_document() -> None:
    assert position_after("shadow")[2:] == ["shadow", "-", "-", "1"]
    # Shadow Man wins this battle with 14 life points remaining.
    lives, theirs, *rest = position_after("shadow", "bubble")
    assert lives == "30,30,30,30,30,30,30,14,30"
    assert theirs == "30,30,30,30,30,0,30,30,99"
    assert rest == ["shadow", "-", "-", "0"]
    # Needle Man replaces him without a battle.
    assert position_after("shadow", "bubble", "needle")[2:] == ["needle", "-", "-", "1"]
    # Metal Man wins with 16 life points remaining.
    lives, theirs, *rest = position_after("shadow", "bubble", "needle", "metal")
    assert lives == "30,30,0,30,30,30,30,14,30"
    assert theirs == "16,30,30,30,30,0,30,30,99"
    assert rest == ["-", "metal", "-", "0"]
    # Mega Man wins with 15, heals by 5 up to 20, and has Metal Man's weapon.
    lives, theirs, *rest = position_after("shadow", "bubble", "needle", "metal", "mega")
    assert lives == "30,30,0,30,30,30,30,14,20"
    assert theirs == "0,30,30,30,30,0,30,30,99"
    assert rest == ["mega", "-", "metal", "1"]


def test_gamma_enters_only_when_the_others_are_gone() -> None:
    assert "gamma" not in labels(RULES, replay(RULES, "shadow"))
    alone = read_state(RULES, "30,30,30,30,30,30,30,30,30 0,0,0,0,0,0,0,0,99 mega - - 1")
    assert labels(RULES, alone) == ["gamma"]
    early = variant("arena", **{"gamma-after": 0})
    assert "gamma" in labels(early, replay(early, "shadow"))


def test_mega_man_heals_when_he_defends_too() -> None:
    state = read_state(RULES, "0,0,0,0,0,0,0,0,30 1,0,0,0,0,0,0,30,99 mega - - 1")
    # Metal Man strikes first for 1; one blow of Mega Man kills him: 30 - 1 + 5.
    after = replay(RULES, "metal", start=state)
    assert position(RULES, after) == "0,0,0,0,0,0,0,0,34 0,0,0,0,0,0,0,30,99 mega - metal 0"


def test_healing_has_no_ceiling_unless_a_rule_sets_one() -> None:
    start = "0,0,0,0,0,0,0,0,40 1,0,0,0,0,0,0,30,99 mega - air,bubble 1"
    free = replay(RULES, "metal", start=read_state(RULES, start))
    assert free.mega == 44
    capped = variant("arena", ceiling=41)
    assert replay(capped, "metal", start=read_state(capped, start)).mega == 41
    low = variant("arena", ceiling=10)
    assert replay(low, "metal", start=read_state(low, start)).mega == 39


def test_mega_man_uses_his_best_weapon() -> None:
    start = "0,0,0,0,0,0,0,0,30 0,0,0,0,0,0,30,0,99 - wood {} 0"
    # Heat Man's weapon kills Wood Man at the first blow; his own takes 30 blows.
    armed = replay(RULES, "mega", start=read_state(RULES, start.format("heat")))
    assert armed.mega == 35
    bare = replay(RULES, "mega", start=read_state(RULES, start.format("-")))
    assert bare.mega == 30 - 29 + 5


def test_a_side_with_nobody_left_has_lost() -> None:
    state = read_state(RULES, "0,0,0,0,0,0,0,0,1 0,0,0,0,0,0,0,0,99 - gamma - 0")
    over = replay(RULES, "mega", start=state)
    assert turn(RULES, over) == OVER
    assert [returns(RULES, over, seat) for seat in (0, 1)] == [-1.0, 1.0]


def test_wily_can_move_first() -> None:
    rules = variant("arena", first="wily")
    assert labels(rules, initial(rules))[0] == "metal"


def test_a_pattern_sets_many_rules() -> None:
    rules = variant("arena", **{"*-mega": 30})
    state = replay(rules, "mega", "heat")
    assert position(rules, state).split()[0].endswith(",0")


def test_the_writing_is_not_lost_on_the_board_of_a_phone() -> None:
    rules = variant("arena")
    drawn = scene(rules, initial(rules))
    phone = 362 / drawn.width
    writing = [one for one in drawn.shapes if one.kind in ("text", "bold")]
    assert min(one.height for one in writing) * phone > 6
    names = [one for one in writing if one.id.startswith(("name-", "number-", "seat-"))]
    assert len(names) > 30 and min(one.height for one in names) * phone > 7
