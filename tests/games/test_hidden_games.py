"""The examples with hidden information agree with naive twins and with OpenSpiel."""

import random
from typing import Any

import pytest

from ludex.core.play import choosers, legal_moves
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    apply,
    information_state,
    initial,
    pair,
    part,
    position,
    read_position,
    returns,
    turn,
)
from tests.games.test_twins import follow, texts, twin_of
from tests.lines import variant

pytestmark = pytest.mark.plain

# Rules, and how many random lines are compared under them.
VARIANTS: list[tuple[str, dict[str, Any], int]] = [
    ("kuhn", {}, 100),
    ("leduc", {}, 400),
    ("liars_dice", {}, 150),
    ("liars_dice", {"dice": 2, "faces": 3}, 150),
    ("liars_dice", {"dice": 5}, 20),
    ("goofspiel", {}, 100),
    ("goofspiel", {"cards": 3, "order": "random"}, 100),
    ("goofspiel", {"cards": 13, "order": "random", "revealed": "yes"}, 20),
    ("goofspiel", {"cards": 4, "order": "ascending"}, 50),
]


@pytest.mark.unmeasured
@pytest.mark.parametrize(("game", "values", "lines"), VARIANTS)
def test_random_lines_agree_with_the_twin(game: str, values: dict[str, Any], lines: int) -> None:
    rules, known = variant(f"examples/{game}.py", **texts(values)), dict[Any, Any]()
    for seed in range(lines):
        follow(rules, twin_of(game), values, seed, known)


# Our game, and OpenSpiel's, with the worth of a chip there as a share of the most that can be lost.
PEERS: list[tuple[str, dict[str, Any], str, float]] = [
    ("kuhn", {}, "kuhn_poker", 1 / 2),
    ("leduc", {}, "leduc_poker(suit_isomorphism=true)", 1 / 13),
    ("liars_dice", {"faces": 3}, "liars_dice(dice_sides=3)", 1.0),
    ("liars_dice", {"dice": 2, "faces": 2}, "liars_dice(numdice=2,dice_sides=2)", 1.0),
    ("goofspiel", {"cards": 4}, "goofspiel(num_cards=4,imp_info=true,points_order=descending)", 1),
    (
        "goofspiel",
        {"cards": 3, "order": "random"},
        "goofspiel(num_cards=3,imp_info=true,points_order=random)",
        1.0,
    ),
]


class Counts:
    """Histories, those that are over, and information sets of each seat."""

    def __init__(self) -> None:
        self.histories = self.over = 0
        self.sets: tuple[set[Any], set[Any]] = set(), set()


def count_ours(rules: Rules, state: State, found: Counts) -> None:
    found.histories += 1
    mover, moves = turn(rules, state), legal_moves(rules, state)
    if mover == OVER:
        found.over += 1
    elif mover == BOTH:  # OpenSpiel counts the choice of the first seat as a history of its own
        found.histories += len({part(move, 0) for move in moves})
    for seat in choosers(rules, state):
        found.sets[seat].add(information_state(rules, state, seat))
    for move in moves:
        count_ours(rules, apply(rules, state, move), found)


def count_theirs(state: Any, found: Counts) -> None:
    found.histories += 1
    if state.is_terminal():
        found.over += 1
        return
    if not state.is_chance_node():
        seat = state.current_player()
        found.sets[seat].add(state.information_state_string(seat))
    for action in state.legal_actions():
        count_theirs(state.child(action), found)


# With all bids seen, OpenSpiel's information sets forget their order; ours do not.
REVEALED = (
    "goofspiel",
    {"cards": 4, "order": "ascending", "revealed": "yes"},
    "goofspiel(num_cards=4,points_order=ascending)",
    1.0,
)


@pytest.mark.parametrize(("game", "values", "name", "chip"), [*PEERS, REVEALED])
def test_histories_and_information_sets_are_those_of_openspiel(
    game: str, values: dict[str, Any], name: str, chip: float
) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rules, ours, theirs = variant(f"examples/{game}.py", **texts(values)), Counts(), Counts()
    count_ours(rules, initial(rules), ours)
    peer = pyspiel.load_game(name)
    if peer.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        peer = pyspiel.convert_to_turn_based(peer)
    count_theirs(peer.new_initial_state(), theirs)
    assert (ours.histories, ours.over) == (theirs.histories, theirs.over)
    if values != REVEALED[1]:
        assert list(map(len, ours.sets)) == list(map(len, theirs.sets))


@pytest.mark.parametrize(
    ("game", "values", "name", "chip"),
    [
        *PEERS,
        ("liars_dice", {}, "liars_dice", 1.0),
        ("liars_dice", {"dice": 2}, "liars_dice(numdice=2)", 1.0),
        ("goofspiel", {"cards": 13, "order": "random"}, "goofspiel(imp_info=true)", 1.0),
    ],
)
def test_random_lines_are_those_of_openspiel(
    game: str, values: dict[str, Any], name: str, chip: float
) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rules, peer = variant(f"examples/{game}.py", **texts(values)), pyspiel.load_game(name)
    luck, seen = random.Random(1), [dict[State, str](), dict[State, str]()]
    for _ in range(40):
        state, other = initial(rules), peer.new_initial_state()
        while turn(rules, state) != OVER:
            compare(rules, state, other, seen)
            move = luck.choice(legal_moves(rules, state))
            state, other = apply(rules, state, move), follow_there(rules, state, other, move)
        assert other.is_terminal()
        worth = [returns(rules, state, seat) for seat in (0, 1)]
        assert worth == pytest.approx([chip * one for one in other.returns()])


def compare(rules: Rules, state: State, other: Any, seen: list[dict[State, str]]) -> None:
    """Compare the turn, the moves and, by their names there, the information sets."""
    mover = turn(rules, state)
    assert other.is_chance_node() == (mover == CHANCE)
    assert other.is_simultaneous_node() == (mover == BOTH)
    if mover == CHANCE:
        assert [one for one, _ in other.chance_outcomes()] == legal_moves(rules, state)
    for seat in choosers(rules, state):
        assert mover in (seat, BOTH)
        moves = (
            [pair(*both) for both in both_moves(other)] if mover == BOTH else other.legal_actions()
        )
        assert moves == legal_moves(rules, state)
        mine, theirs = information_state(rules, state, seat), other.information_state_string(seat)
        assert seen[seat].setdefault(mine, theirs) == theirs
        assert list(seen[seat].values()).count(theirs) == 1


def both_moves(other: Any) -> list[tuple[int, int]]:
    return [
        (first, second) for first in other.legal_actions(0) for second in other.legal_actions(1)
    ]


def follow_there(rules: Rules, state: State, other: Any, move: int) -> Any:
    if turn(rules, state) == BOTH:
        other.apply_actions([part(move, 0), part(move, 1)])
    else:
        other.apply_action(move)
    return other


POSITIONS = [
    ("kuhn", {}, "JQ - -", "FIRST 'JQ': expected - or J or Q or K or ?"),
    ("kuhn", {}, "K K -", "FIRST and SECOND: expected different cards"),
    ("kuhn", {}, "- K -", "SECOND 'K': expected - until FIRST is dealt"),
    ("kuhn", {}, "K - p", "BETS 'p': expected - until both cards are dealt"),
    ("kuhn", {}, "K Q bbb", "BETS 'bbb': expected - or p or b"),
    ("leduc", {}, "K K K rc -", "expected at most 2 of one rank"),
    ("leduc", {}, "- K - - -", "SECOND 'K': expected - until FIRST is dealt"),
    ("leduc", {}, "K - - c -", "BETS1 'c': expected - until both cards are dealt"),
    ("leduc", {}, "K Q J cr -", "PUBLIC 'J': expected - until the first round ends with a call"),
    ("leduc", {}, "K Q ? cc -", "PUBLIC '?': expected - or J or Q or K"),
    ("leduc", {}, "K Q - cc c", "BETS2 'c': expected - until the public card is dealt"),
    ("leduc", {}, "K Q - rrr -", "BETS1 'rrr': 'r' is not legal there"),
    ("leduc", {}, "K Q - ccc -", "BETS1 'ccc': 'c' is not legal there"),
    ("leduc", {}, "K Q - x -", "BETS1 'x': expected f or c or r"),
    ("liars_dice", {}, "7 1 -", "FIRST '7': expected at most 1 of 123456 in order, or as many ?"),
    ("liars_dice", {}, "12 1 -", "FIRST '12': expected at most 1 of 123456"),
    ("liars_dice", {"dice": 2}, "21 1 -", "FIRST '21': expected 12, in order"),
    ("liars_dice", {"dice": 2}, "2? 11 -", "FIRST '2?': expected all dice to be seen, or none"),
    ("liars_dice", {"dice": 2}, "2 1 -", "SECOND '1': expected - until FIRST is rolled"),
    ("liars_dice", {"dice": 2}, "22 1 1x1", "BIDS '1x1': expected - until all dice are rolled"),
    ("liars_dice", {}, "2 1 1x4,1x3", "expected each higher than the one before it"),
    ("liars_dice", {}, "2 1 liar", "BIDS 'liar': expected a bid before liar"),
    ("liars_dice", {}, "2 1 3x1", "BIDS '3x1': expected 1x1 or 1x2"),
    ("goofspiel", {}, "5,5 1 2 2", "PRIZES '5,5': expected different cards"),
    ("goofspiel", {}, "5,3 1 2 2", "PRIZES: expected descending order"),
    ("goofspiel", {}, "5 1 2 2", "PRIZES: expected 2 after 1 round"),
    ("goofspiel", {"order": "random"}, "5 1,2 2,3 22", "PRIZES: expected 2 or 3 after 2 rounds"),
    ("goofspiel", {}, "5,? 1 2 2", "PRIZES '?': expected a whole number from 1 to 5"),
    ("goofspiel", {}, "5,4 - 2 2", "FIRST: expected 1 bids, as many as WINNERS"),
    ("goofspiel", {}, "5,4 1 2 1", "WINNERS '1': 1 and 2 were bid there"),
    ("goofspiel", {}, "5,4,3 1,? 2,3 22", "FIRST '?': expected a whole number from 1 to 5"),
    ("goofspiel", {"revealed": "yes"}, "5,4 ? 2 2", "FIRST: expected no ?, as bids are revealed"),
    ("goofspiel", {"cards": 3}, "3,2,1 1,2 2,3 22", "expected the last round as well"),
]


@pytest.mark.parametrize(("game", "values", "text", "wanted"), POSITIONS)
def test_a_wrong_position_is_refused(
    game: str, values: dict[str, Any], text: str, wanted: str
) -> None:
    with pytest.raises(ValueError) as refused:
        read_position(variant(f"examples/{game}.py", **texts(values)), text)
    assert wanted in str(refused.value)


@pytest.mark.parametrize(
    ("game", "values", "text"),
    [
        ("kuhn", {}, "? ? pb"),
        ("leduc", {}, "? ? J crrc cr"),
        ("liars_dice", {"dice": 5}, "????? 11236 2x3,4x6,liar"),
        ("goofspiel", {}, "5,4,3 ?,? ?,? =2"),
        ("goofspiel", {"order": "random"}, "2,4 1,2 ?,? 22"),
    ],
)
def test_a_position_may_hide_what_is_not_seen(game: str, values: dict[str, Any], text: str) -> None:
    rules = variant(f"examples/{game}.py", **texts(values))
    assert position(rules, read_position(rules, text)) == text
