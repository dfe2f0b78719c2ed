"""Matches that start at a position which shows only what a seat sees."""

import pytest

import ludex
from ludex.core.play import read_state
from ludex.core.rules import position
from ludex.games import game_rules
from ludex.match.whole_state import whole_state
from tests.commands import run

pytestmark = pytest.mark.plain

KUHN, GOOFSPIEL = "examples/kuhn.py", "examples/goofspiel.py"
DICE = "examples/liars_dice.py"


def starts(game: str, text: str, **changed: str) -> set[str]:
    """Return the positions from which matches with several seeds start."""
    rules = game_rules(game, changed)
    state = read_state(rules, text)
    return {position(rules, whole_state(rules, state, seed)) for seed in range(20)}


def test_what_the_seat_to_move_does_not_see_is_drawn() -> None:
    assert starts(KUHN, "? Q b") == {"J Q b", "K Q b"}
    assert starts(KUHN, "K ? pb") == {"K J pb", "K Q pb"}
    assert starts(DICE, "? 2 1x1", faces="2") == {"1 2 1x1", "2 2 1x1"}


def test_what_both_choose_at_once_is_drawn_for_the_seat_that_sees_it() -> None:
    assert starts(GOOFSPIEL, "3,2,1 1 ? 2", cards="3") == {"3,2,1 1 2 2", "3,2,1 1 3 2"}


@pytest.mark.parametrize("text", ["- - -", "K - -", "K Q b", "K Q bp"])
def test_a_whole_position_stays_as_it_is(text: str) -> None:
    assert starts(KUHN, text) == {text}


def test_a_position_that_no_seat_to_move_sees_is_refused() -> None:
    for text in ("K ? b", "? ? b"):
        with pytest.raises(ValueError, match="kuhn does not lead to"):
            starts(KUHN, text)


def test_a_game_that_hides_nothing_starts_anywhere() -> None:
    assert starts("nuts", "7 0") == {"7 0"}


def test_a_match_at_the_console_ends_with_cards_that_were_dealt() -> None:
    arguments = ("play", KUHN, "random", "human", "--position", "? Q b", "--seed", "1")
    shown = run(*arguments, "--no-store", given="call\n").stdout
    assert "Player 1 ?" in shown.partition("Player 2: call")[0]
    assert "?" not in shown.partition("Player 2: call")[2]


def test_a_match_of_the_library_starts_with_cards_that_were_dealt() -> None:
    match = ludex.load(KUHN).new_match("? Q b", seed=1)
    assert match.position in ("J Q b", "K Q b")
