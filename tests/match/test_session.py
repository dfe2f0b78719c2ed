"""One session for all matches: luck that comes again, moves that are taken back, records."""

from typing import Any

import pytest

from ludex.agents.registry import Random, make_agent
from ludex.core.rules import initial
from ludex.core.termination import CRASHED, RESIGNED
from ludex.core.time_control import Clocks
from ludex.match.runner import Referee, play_match
from ludex.match.session import Match
from tests.lines import variant

pytestmark = pytest.mark.plain


@pytest.mark.parametrize(
    ("game", "rules", "agents", "moves"),
    [
        ("trap", {"size": 3}, ("random", "mcts:sims=5"), (4, 6, 6, 8, 7, 7, 5, 4, 4)),
        ("droids", {"rounds": 4}, ("random", "random"), (193, 196, 258, 194)),
    ],
)
def test_the_luck_of_a_seed_and_a_table_never_changes(
    game: str, rules: dict[str, int], agents: tuple[str, ...], moves: tuple[int, ...]
) -> None:
    chosen = variant(game, **rules)
    seated = [make_agent(text, chosen) for text in agents]
    assert play_match(chosen, initial(chosen), seated, seed=7, table=3).moves == moves


def test_agents_and_dice_repeat_themselves_after_a_move_is_taken_back() -> None:
    match = Match(variant("trap", size=5), seed=4, chance="manual")
    referee = Referee(match, [Random(), Random()], Clocks())
    lines = []
    for _ in range(3):
        while len(match.moves) < 12:
            referee.move()
        lines.append(match.moves)
        for _ in range(3):
            assert match.take_back([1])
    assert lines[0] == lines[1] == lines[2] and len(match.moves) < 8


def test_an_editor_offers_no_internals_of_a_match() -> None:
    named = {name for name in dir(Match(variant("nuts"), seed=1)) if not name.startswith("_")}
    for_people = """board choosers decisions ending events from_record labels last_move legal_moves
        legal_numbers moves offender offenders output over plies pop position push record result
        returns rules seat seconds seed state svg table take_back times truncated turn winner words
        """
    for_drivers = """action_of actions_at apply asked between draw_chance forfeit labels_by_seat
        luck push_chance"""
    assert named == {*for_people.split(), *for_drivers.split()}


def test_only_the_seats_that_ask_take_back_their_moves() -> None:
    match = Match(variant("nuts"), seed=1)
    match.push("take 1")
    assert not match.take_back([1]) and match.take_back([0]) and match.moves == ()


def test_a_match_without_undo_takes_nothing_back() -> None:
    match = Match(variant("nuts"), undo=False)
    match.push("take 1")
    with pytest.raises(ValueError, match="created without undo"):
        match.pop()
    assert match.moves == (0,)


@pytest.mark.parametrize("offenders", [(), (1,)])
def test_a_record_becomes_the_match_again(offenders: tuple[int, ...]) -> None:
    match = Match(variant("aeroplane", planes=1), seed=2, table=5)
    for _ in range(4):
        match.push(match.legal_moves()[0], seconds=(0.5,))
    match.forfeit(RESIGNED if offenders else CRASHED, offenders, "it is late")
    record = match.record(["me", "you"], "2026-01-01T00:00:00Z")
    again = Match.from_record(record)
    assert again.record(record.agents, record.when) == record
    assert (again.seconds, again.decisions) == (match.seconds, match.decisions)


def test_another_ones_move_ends_the_turn_of_an_agent() -> None:
    class Slow(Random):
        thought = 1.0

    match = Match(variant("nuts"), seed=1)
    referee = Referee(match, [None, Slow()], Clocks(turn=1.5))
    for _ in range(3):
        referee.push(0)
        referee.move()
    assert match.seconds == [0.0, 3.0] and match.decisions == [3, 3]


@pytest.mark.parametrize("move", [(), ("up",), ("up", "up", "up")])
def test_where_both_choose_only_a_pair_is_a_move(move: Any) -> None:
    match = Match(variant("droids"))
    with pytest.raises(ValueError, match="expected a pair of moves, as both seats choose here"):
        match.push(move)
