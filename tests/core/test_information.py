"""What seats and spectators see where a game hides something."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from ludex.agents.registry import make_agent
from ludex.core.choice import Choice
from ludex.core.information import SPECTATOR, seen_by, sees_move
from ludex.core.play import legal_moves, move_label, parse, read_state
from ludex.core.rules import (
    OVER,
    Rules,
    State,
    apply,
    features,
    imperfect_information,
    initial,
    position,
    turn,
)
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


def test_a_bid_that_others_might_have_made_is_not_told() -> None:
    rules = game_rules("examples/goofspiel.py", {"cards": "4"})
    state = read_state(rules, "4,3,2,1 4 3 1")  # seat 1 has 1, 2 and 4 left; seat 0 cannot know
    assert not sees_move(rules, state, parse(rules, state, "2 4"), 0)


def told_labels(rules: Rules, viewer: int) -> Iterator[tuple[set[str], bool]]:
    """Yield the labels of the last move, for each history of looks, and whether one was told."""
    first = initial(rules)
    looks: tuple[State, ...] = (seen_by(rules, first, viewer),)
    waiting = [(first, looks)]
    labels: dict[tuple[State, ...], set[str]] = defaultdict(set)
    told: dict[tuple[State, ...], bool] = defaultdict(bool)
    known = set(waiting)
    while waiting:
        state, looks = waiting.pop()
        for move in legal_moves(rules, state):
            after = apply(rules, state, move)
            if turn(rules, after) == OVER:
                continue  # the match is seen whole
            later = (*looks, seen_by(rules, after, viewer))
            labels[later].add(move_label(rules, state, move))
            told[later] |= sees_move(rules, state, move, viewer)
            if (after, later) not in known:
                known.add((after, later))
                waiting.append((after, later))
    return ((found, told[looks]) for looks, found in labels.items())


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        ("kuhn", {}),
        ("leduc", {}),
        ("goofspiel", {"cards": "4"}),
        ("liars_dice", {"dice": "2", "faces": "2"}),
    ],
)
@pytest.mark.parametrize("viewer", [0, 1, SPECTATOR])
def test_a_label_says_no_more_than_what_was_seen(
    game: str, changes: dict[str, str], viewer: int
) -> None:
    found = told_labels(game_rules(f"examples/{game}.py", changes), viewer)
    assert not [labels for labels, told in found if told and len(labels) > 1]


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
