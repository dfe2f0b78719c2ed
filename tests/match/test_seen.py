"""A match in progress as a seat or a spectator sees it."""

import pytest

from ludex.core.information import SPECTATOR
from ludex.core.rules import CHANCE
from ludex.games import game_rules
from ludex.match.seen import HIDDEN, match_seen_by
from ludex.match.session import Match

pytestmark = pytest.mark.plain

KUHN = "examples/kuhn.py"


def kuhn(*moves: str) -> Match:
    """Return a match of Kuhn poker after some moves, the deals included."""
    match = Match(game_rules(KUHN), seed=1, chance="manual")
    for move in moves:
        match.push(move)
    return match


def test_a_seat_sees_its_own_card_and_every_bet() -> None:
    match = kuhn("deal K", "deal J", "pass")
    assert match_seen_by(match, 0).position == "K ? p"
    assert match_seen_by(match, 0).labels == ["deal K", HIDDEN, "pass"]
    assert match_seen_by(match, 1).position == "? J p"
    assert match_seen_by(match, 1).labels == [HIDDEN, "deal J", "pass"]


def test_a_spectator_sees_no_card() -> None:
    seen = match_seen_by(kuhn("deal K", "deal J", "pass"), SPECTATOR)
    assert seen.position == "? ? p"
    assert seen.labels_by_seat(1) == [(CHANCE, HIDDEN)]
    assert seen.labels == [HIDDEN, HIDDEN, "pass"]
    assert "K" not in seen.svg() + seen.board() + repr(seen)


def test_no_earlier_state_and_no_seed_is_left_in_what_is_seen() -> None:
    seen = match_seen_by(kuhn("deal K", "deal J", "pass"), 1)
    assert [ply.state.first for ply in seen.plies] == [0, 4, 4, 4]
    assert [ply.luck for ply in seen.plies] == [None] * 4
    assert (seen.seed, seen.moves) == (0, (-1, 0, 0))


def test_only_the_own_moves_are_listed() -> None:
    match = kuhn("deal K", "deal J")
    assert match_seen_by(match, 0).legal_moves() == ["pass", "bet"]
    assert match_seen_by(match, 1).legal_moves() == []
    assert match_seen_by(match, 1).legal_moves(0) == []
    assert match_seen_by(kuhn("deal K"), 1).legal_moves() == []


def test_a_finished_match_is_seen_whole() -> None:
    match = kuhn("deal K", "deal J", "bet", "fold")
    assert match_seen_by(match, SPECTATOR) is match
    resigned = kuhn("deal K", "deal J")
    resigned.forfeit("resigned", (0,))
    assert match_seen_by(resigned, 1) is resigned


def test_a_game_that_hides_nothing_is_the_match_itself() -> None:
    match = Match(game_rules("nuts"))
    assert match_seen_by(match, SPECTATOR) is match


def test_there_is_no_record_of_what_is_seen() -> None:
    with pytest.raises(ValueError, match="recorded after its end"):
        match_seen_by(kuhn("deal K"), 0).record()
