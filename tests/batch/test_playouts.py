"""Monte Carlo evaluation: what actions are worth in matches that are played on."""

import json
import math
import weakref
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.analysis.playouts import playout_evaluation
from ludex.batch import series
from ludex.batch.cores import Cores
from ludex.core import rules as ask
from ludex.core.play import choices, legal_moves
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.kernel.tuples import unflatten
from ludex.match.whole_state import draw_many
from tests.commands import run
from tests.lines import replay, variant

pytestmark = pytest.mark.plain


def mean_at_random(rules: Rules, state: State, seat: int) -> float:
    """Return the exact mean return of a seat if all moves are drawn at random."""
    mover = ask.turn(rules, state)
    if mover == OVER:
        return float(ask.returns(rules, state, seat))
    moves = legal_moves(rules, state)
    after = [mean_at_random(rules, ask.apply(rules, state, one), seat) for one in moves]
    if mover == CHANCE:
        chances = [ask.chance(rules, state, one) for one in moves]
        return sum(p * value for p, value in zip(chances, after, strict=True))
    return sum(after) / len(after)


@pytest.mark.parametrize(
    ("game", "position", "seat"),
    [("nuts", "7 1", 1), *(("droids", "2,0 2,3 1,1 0,0 2", seat) for seat in (0, 1))],
)
def test_values_are_means_of_random_play_within_their_errors(
    game: str, position: str, seat: int
) -> None:
    chosen = ludex.load(game)
    state, rules = chosen.state_at(position), chosen.rules
    found = playout_evaluation(rules, state, seat, 1500, "random", 1, "cpu")
    assert abs(found.value - mean_at_random(rules, state, seat)) < 4 * found.error
    at_once = ask.turn(rules, state) == BOTH
    for action in choices(rules, state, seat):
        moves = legal_moves(rules, state)
        own = [one for one in moves if (ask.part(one, seat) if at_once else one) == action]
        after = [mean_at_random(rules, ask.apply(rules, state, one), seat) for one in own]
        assert abs(found.values[action] - np.mean(after)) <= 4 * found.errors[action]


def test_the_errors_are_those_of_the_mean() -> None:
    found = ludex.load("nuts").playouts("7 0", matches=400, seed=1, progress=False)
    for action, value in found.values.items():
        assert found.errors[action] == pytest.approx(np.sqrt((1 - value**2) / 399))
    assert found.error == pytest.approx(np.sqrt((1 - found.value**2) / 399))


def test_matches_are_kept_no_longer_than_their_action(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[weakref.ref[np.ndarray]] = []

    def watched(*given: Any, **options: Any) -> Any:
        assert not [one for one in kept if one() is not None]
        found = series.play_matches(*given, **options)
        kept.append(weakref.ref(found.returns))
        return found

    monkeypatch.setattr("ludex.analysis.playouts.play_matches", watched)
    rules = variant("nuts")
    playout_evaluation(rules, ask.initial(rules), 0, 9, "random", 1, "cpu")
    assert len(kept) == 4


def test_progress_is_told_within_an_action(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int, int]] = []
    make = Cores.__init__

    def small(self: Cores, *given: Any) -> None:
        make(self, *given)
        self.portion = 60

    monkeypatch.setattr(Cores, "__init__", small)
    monkeypatch.setattr(series, "PORTION_SECONDS", math.inf)
    rules, tell = variant("nuts"), lambda *told: seen.append(told)
    playout_evaluation(rules, ask.initial(rules), 0, 100, "random", 1, "cpu", tell)
    assert seen == [("matches", done, 400) for done in (60, 100, 200, 300, 400)]


# Hidden information. -----------------------------------------------------------------------------


def test_what_the_seat_does_not_see_has_no_influence() -> None:
    """With the king, the other card is a jack or a queen, whatever it is in this state."""
    rules = variant("examples/kuhn.py")
    both = [replay(rules, "deal K", f"deal {card}") for card in "JQ"]
    one, other = (playout_evaluation(rules, state, 0, 200, "random", 3, "cpu") for state in both)
    assert one == other
    drawn = draw_many(rules, both[0], 0, np.random.default_rng(1), 400)
    states = [unflatten(both[0], column) for column in drawn.T.tolist()]
    assert abs(states.count(both[0]) - 200) < 4 * np.sqrt(100)
    assert states.count(both[0]) + states.count(both[1]) == 400


def test_values_of_a_hidden_game_are_means_over_what_may_be_hidden() -> None:
    rules = variant("examples/kuhn.py")
    both = [replay(rules, "deal Q", f"deal {card}") for card in "JK"]
    found = playout_evaluation(rules, both[0], 0, 4000, "random", 3, "cpu")
    wanted = np.mean([mean_at_random(rules, state, 0) for state in both])
    assert abs(found.value - wanted) < 4 * found.error


def test_a_game_too_large_to_list_draws_by_its_own_function() -> None:
    rules = variant("examples/liars_dice.py")
    state = ask.initial(rules)
    while ask.turn(rules, state) == CHANCE:
        state = ask.apply(rules, state, legal_moves(rules, state)[0])
    seat = int(ask.turn(rules, state))
    drawn = draw_many(rules, state, seat, np.random.default_rng(1), 30)
    seen = ask.information_state(rules, state, seat)
    for column in drawn.T.tolist():
        assert ask.information_state(rules, unflatten(state, column), seat) == seen
    assert len({*map(bytes, drawn.T.copy())}) > 1


# The library and the command. --------------------------------------------------------------------


def test_a_table_and_a_line_say_what_was_found() -> None:
    found = ludex.load("nuts").playouts("9 0", matches=40, seed=2, device="cpu")
    assert [*found.table[0]] == ["player", "move", "value", "loss", "error"]
    assert [row["value"] for row in found.table] == sorted(found.values.values(), reverse=True)
    assert repr(found).startswith("<Playouts: '9 0' has value ")
    assert repr(found).endswith("for Player 1, in 40 matches by random>")
    with pytest.raises(ValueError, match="no seat chooses here"):
        ludex.load("examples/pig.py").playouts("0 0 0 0 1")
    with pytest.raises(ValueError, match="matches 1: expected a whole number, at least 2"):
        ludex.load("nuts").playouts(matches=1)
    with pytest.raises(ValueError, match="matches 1,000,000,000: expected at most 20,000,000"):
        ludex.load("nuts").playouts(matches=10**9)


def test_the_command_explains_by_playouts() -> None:
    given = ("explain", "nuts", "--position", "8 0", "--playouts", "60", "--seed", "4")
    told = json.loads(run(*given, "--json").stdout)
    found = ludex.load("nuts").playouts("8 0", matches=60, seed=4)
    assert {row["action"]: row["value"] for row in told["actions"]} == found.values
    assert {row["action"]: row["error"] for row in told["actions"]} == found.errors
    assert told["values"] == [{"seat": 0, "value": found.value, "error": found.error}]
    assert not any(row["exact"] for row in told["actions"])
    assert min(row["loss"] for row in told["actions"]) == 0.0
    shown = run(*given, "--device", "cpu").stdout.splitlines()
    assert shown[0] == (
        "8 0; mean return of the seat to move over 60 matches played by random after each action"
    )
    assert shown[-2] == (
        f"if random also chooses for Player 1: {found.value:+.6f}, error {found.error:.6f}"
    )
    assert shown[-1].endswith("s on cpu; seed 4")


def test_the_command_names_the_device_that_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludex.core.devices.why_no_card", lambda: "no NVIDIA card was found")
    given = ("explain", "droids", "--playouts", "9", "--device", "auto", "--json")
    told = json.loads(run(*given).stdout)
    assert told["device"] == "cpu"
    assert [row["seat"] for row in told["values"]] == [0, 1]
    assert {row["seat"] for row in told["actions"]} == {0, 1}


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (("--device", "cpu"), "--device is for --playouts: expected both"),
        (("--agent", "greedy"), "--agent is for --playouts: expected both"),
        (("--playouts", "9", "--depth", "3"), "--depth and --playouts: expected one of them"),
        (("--playouts", "9", "--agent", "mcts"), "'mcts' does not play many matches at once"),
    ],
)
def test_options_that_do_not_go_together_are_refused(given: tuple[str, ...], words: str) -> None:
    answer = run("explain", "nuts", *given)
    assert answer.exit_code == 2 and answer.stderr.startswith(f"ludex: {words}")


def test_the_command_plays_no_more_matches_than_a_series_has() -> None:
    answer = run("explain", "nuts", "--playouts", "20000001")
    assert answer.exit_code == 2 and "20000001 is not in the range 2<=x<=20000000" in answer.stderr
