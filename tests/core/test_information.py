"""What seats and spectators see where a game hides something."""

from typing import Any

import pytest

from ludex.agents.registry import make_agent
from ludex.core.choice import Choice
from ludex.core.information import SPECTATOR, seen_by, sees_move
from ludex.core.play import parse, read_state
from ludex.core.rules import Rules, State, features, imperfect_information, position
from ludex.games import game_rules
from ludex.match.runner import play_match

pytestmark = pytest.mark.plain

KUHN = "examples/kuhn.py"


def test_a_seat_sees_its_own_card_alone() -> None:
    rules = game_rules(KUHN)
    state = read_state(rules, "K J b")
    assert position(rules, seen_by(rules, state, 0)) == "K ? b"
    assert position(rules, seen_by(rules, state, 1)) == "? J b"
    assert position(rules, seen_by(rules, state, SPECTATOR)) == "? ? b"


def test_the_end_is_seen_whole() -> None:
    rules = game_rules(KUHN)
    state = read_state(rules, "K J bb")
    assert seen_by(rules, state, SPECTATOR) == state


def test_nothing_is_hidden_by_default() -> None:
    rules = game_rules("nuts")
    state = read_state(rules, "7 0")
    assert not imperfect_information(rules)
    assert seen_by(rules, state, SPECTATOR) == state
    assert sees_move(rules, state, 0, SPECTATOR)


def test_a_deal_is_seen_by_who_gets_the_card() -> None:
    rules = game_rules(KUHN)
    state = read_state(rules, "- - -")
    deal = parse(rules, state, "deal Q")
    assert sees_move(rules, state, deal, 0)
    assert not sees_move(rules, state, deal, 1)
    assert not sees_move(rules, state, deal, SPECTATOR)


def test_bets_are_seen_by_all() -> None:
    rules = game_rules(KUHN)
    state = read_state(rules, "Q J -")
    bet = parse(rules, state, "bet")
    assert all(sees_move(rules, state, bet, viewer) for viewer in (0, 1, SPECTATOR))


def test_learners_see_what_the_seat_sees() -> None:
    rules = game_rules(KUHN)
    one, other, mine = (read_state(rules, text) for text in ("Q J -", "Q K -", "K Q -"))
    assert features(rules, one, 0) == features(rules, other, 0) != features(rules, mine, 0)


class Spy:
    """Passes, and keeps the positions that it was shown."""

    policy_known = False

    def __init__(self) -> None:
        self.shown: list[str] = []

    def consider(self, rules: Rules, state: State, seat: int, rng: Any) -> Choice:
        self.shown.append(position(rules, state))
        return Choice(0)


def test_agents_are_shown_only_what_their_seat_sees() -> None:
    rules = game_rules(KUHN)
    spies = Spy(), Spy()
    match = play_match(rules, read_state(rules, "K J -"), spies, seed=1)
    assert [spy.shown for spy in spies] == [["K ? -"], ["? J p"]]
    assert position(rules, match.state) == "K J pp"


def test_searches_refuse_and_name_those_that_can_play() -> None:
    rules = game_rules(KUHN)
    with pytest.raises(ValueError, match=r"needs to see the whole state.*those that can: random"):
        make_agent("alphabeta", rules)
