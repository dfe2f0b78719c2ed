"""Our games inside OpenSpiel, and its games inside Ludex."""

import json
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from ludex.agents.registry import make_agent
from ludex.cli import cli
from ludex.core.play import choosers, read_state
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    apply,
    chance,
    estimate,
    initial,
    label,
    name_of,
    pair,
    position,
    possible,
    returns,
    seats,
    turn,
)
from ludex.core.termination import BY_RULES
from ludex.games import find, game_rules
from ludex.kernel.bits import members
from ludex.match.runner import play_match
from tests.games.test_outside import GAME
from tests.lines import random_states, replay

pytest.importorskip("pyspiel", reason="open_spiel is not installed: pip install ludex[openspiel]")

import pyspiel
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, minimax

from ludex.adapters.spiel import register

pytestmark = pytest.mark.plain

register()

SMALL = (
    "ludex_nuts(nuts=10)",
    "ludex_arena",
    "ludex_aeroplane(seats=3,planes=1)",
    "ludex_trap(size=4,plies=30)",
    "ludex_droids(rounds=8)",
)


@pytest.mark.parametrize("text", SMALL)
def test_every_game_passes_the_random_simulations(
    text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(text), num_sims=1, serialize=True, verbose=False)


def test_parameters_are_rules() -> None:
    game = pyspiel.load_game("ludex_droids(rows=6,start1=2;0)")
    assert (game.rules.rows, game.rules.start1, game.rules.start2) == (6, (2, 0), (3, 3))
    assert pyspiel.load_game("ludex_aeroplane(stacks=block)").rules.stacks == 1


def test_a_match_that_is_too_long_is_a_draw() -> None:
    state = pyspiel.load_game("ludex_trap(plies=2)").new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0, 0.0]


def test_observations_are_our_views() -> None:
    game = pyspiel.load_game("ludex_trap(size=3)")
    observer = game.make_py_observer()
    state = game.new_initial_state()
    state.apply_action(4)
    observer.set_from(state, 0)
    assert np.argwhere(observer.dict["board"][1]).tolist() == [[1, 1]]
    assert "throw" in state.observation_string(0)


def test_what_is_not_legal_is_refused_and_changes_nothing() -> None:
    nuts = pyspiel.load_game("ludex_nuts").new_initial_state()
    droids = pyspiel.load_game("ludex_droids(rows=2,columns=2)").new_initial_state()
    with pytest.raises(ValueError, match=r"8 is not one of \[0, 1, 2\]: 21 0"):
        nuts.apply_action(8)
    with pytest.raises(ValueError, match="2 is not one of"):
        droids.apply_actions([2, 4])
    assert (nuts.history(), droids.history()) == ([], [])
    dice = pyspiel.load_game("ludex_aeroplane").new_initial_state()
    with pytest.raises(ValueError, match="6 is not one of"):
        dice.apply_action(6)


def test_information_states_of_kuhn_poker_are_theirs() -> None:
    (name,) = register("examples/kuhn.py")
    ours, theirs = pyspiel.load_game(name), pyspiel.load_game("kuhn_poker")
    kinds = pyspiel.GameType.Information
    assert ours.get_type().information == kinds.IMPERFECT_INFORMATION
    assert len(policy.TabularPolicy(ours).states) == len(policy.TabularPolicy(theirs).states)
    ours_gap, their_gap = (
        exploitability.nash_conv(one, policy.UniformRandomPolicy(one)) for one in (ours, theirs)
    )
    assert 2 * ours_gap == pytest.approx(their_gap)  # we pay half, so that the most is 1


def test_a_player_observes_what_the_seat_sees() -> None:
    (name,) = register("examples/kuhn.py")
    states = [pyspiel.load_game(name).new_initial_state() for _ in range(2)]
    for state, dealt in zip(states, ([2, 0], [2, 1]), strict=True):
        for card in dealt:
            state.apply_action(card)
    for player, same in ((0, True), (1, False)):
        for kind in ("information_state", "observation"):
            texts = [getattr(one, f"{kind}_string")(player) for one in states]
            arrays = [getattr(one, f"{kind}_tensor")(player) for one in states]
            assert (texts[0] == texts[1]) == (arrays[0] == arrays[1]) == same
    assert states[0].information_state_string(0) == "Player 1: K ? -; Player 1 to move"
    nobody = pyspiel.IIGObservationType(True, False, pyspiel.PrivateInfoType.NONE)
    public = states[0].get_game().make_py_observer(nobody)
    assert public.string_from(states[0], 0) == "? ? -; Player 1 to move"


def test_games_and_states_are_pickled() -> None:
    game = pyspiel.load_game("ludex_droids(rows=2,columns=2,start1=1;0)")
    state = game.new_initial_state()
    state.apply_actions([0, 4])
    again, there = pickle.loads(pickle.dumps((game, state)))
    assert (str(again), str(there)) == (str(game), str(state))
    assert again.rules == game.rules and there.history() == [0, 4]


def test_another_game_of_the_same_name_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "twin.py").write_text(GAME)
    monkeypatch.chdir(tmp_path)
    assert register("one/twin.py") == register("one/twin.py") == ["ludex_twin"]
    with pytest.raises(ValueError, match=r"'two/twin\.py' is not the game that is ludex_twin"):
        register("two/twin.py")
    monkeypatch.chdir("/")
    assert len(pyspiel.load_game("ludex_twin").new_initial_state().legal_actions()) > 0


def test_plies_that_are_no_number_of_decisions_are_refused() -> None:
    with pytest.raises(ValueError, match="plies -1: expected a whole number of at least 1"):
        pyspiel.load_game("ludex_nuts(plies=-1)")


# Their algorithms agree with ours. ---------------------------------------------------------------


class OfAgent(policy.Policy):
    """The policy of one of our agents, in a game made turn-based by OpenSpiel."""

    def __init__(self, game: Any, rules: Rules, text: str) -> None:
        super().__init__(game, [0, 1])
        self.rules, self.agent = rules, make_agent(text, rules)

    def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
        """Return the mixture of a seat; what the other has just chosen is no part of the state."""
        ours, history = initial(self.rules), state.history()
        for first, second in zip(history[::2], history[1::2], strict=False):
            ours = apply(self.rules, ours, pair(first, second))
        seat, rng = state.current_player(), np.random.default_rng(0)
        mixture = self.agent.consider(self.rules, ours, seat, rng).mixture
        return {action: mixture.get(action, 0.0) for action in state.legal_actions()}


@pytest.mark.unmeasured
@pytest.mark.parametrize("text", ["random", "greedy"])
def test_nash_conv_is_what_ludex_exploit_says(text: str) -> None:
    changes = {"rows": 2, "columns": 2, "shots": 1, "rounds": 3}
    inside = ",".join(f"{key}={value}" for key, value in changes.items())
    game = pyspiel.load_game(f"ludex_droids({inside})")
    turns = pyspiel.convert_to_turn_based(game)
    theirs = exploitability.nash_conv(turns, OfAgent(turns, game.rules, text))
    options = [part for key, value in changes.items() for part in ("--rule", f"{key}={value}")]
    shown = CliRunner().invoke(cli, ["exploit", "droids", text, *options, "--json"])
    ours = -sum(one["value"] for one in json.loads(shown.stdout)["seats"])
    assert theirs == pytest.approx(ours, abs=1e-9) and ours > 0.1


@pytest.mark.unmeasured
@pytest.mark.parametrize("line", [[], ["step 1,1", "throw 0,0", "land 0,0"]])
def test_their_expectiminimax_is_ours(line: list[str]) -> None:
    game = pyspiel.load_game("ludex_trap(size=3)")
    state, rules = game.new_initial_state(), game.rules
    for text in line:
        state.apply_action(next(one for one in range(9) if label(rules, state.state, one) == text))
    seat = state.current_player()

    def guess(there: Any) -> float:
        if there.is_terminal():
            return float(there.player_return(seat))
        if there.is_chance_node():  # a throw is seen to land, also at the last depth
            return float(sum(p * guess(there.child(one)) for one, p in there.chance_outcomes()))
        return float(estimate(rules, there.state, seat))

    for depth in (1, 2, 3):
        theirs, _ = minimax.expectiminimax(state, depth, guess, seat)
        agent = make_agent(f"expectiminimax:depth={depth},throws=all", rules)
        ours = agent.consider(rules, state.state, seat, np.random.default_rng(0)).value
        assert theirs == pytest.approx(ours, abs=1e-9)


# Their games inside Ludex. -----------------------------------------------------------------------


def rules_of(name: str) -> Rules:
    return game_rules(f"openspiel:{name}")


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "kuhn_poker", "nim(pile_sizes=1;2;3)", "matrix_rps", "pig", "maedn"]
)
def test_a_random_line_of_play_keeps_the_contract(name: str) -> None:
    rules = rules_of(name)
    for state in [*random_states(rules, 1)][:40]:
        assert read_state(rules, position(rules, state)) == state
        mover = turn(rules, state)
        if mover == CHANCE:
            bits = possible(rules, state)
            total = sum(chance(rules, state, outcome) for outcome in members(bits))
            assert total == pytest.approx(1.0)
        elif mover == OVER:
            worth = [returns(rules, state, seat) for seat in range(seats(rules))]
            assert sum(worth) == pytest.approx(0.0) and max(map(abs, worth)) <= 1.0


def test_their_tic_tac_toe_has_the_lines_of_ours() -> None:
    shown = CliRunner().invoke(cli, ["count", "openspiel:tic_tac_toe", "--depth", "3", "--json"])
    assert json.loads(shown.stdout)["counts"] == [9, 72, 504]


def test_searches_play_their_games() -> None:
    rules = rules_of("tic_tac_toe")
    state = replay(rules, "x(1,1)", "o(0,1)", "x(0,0)", "o(2,1)")
    rng = np.random.default_rng(1)
    for text in ("alphabeta:depth=1", "minimax:depth=1", "mcts:sims=200"):
        choice = make_agent(text, rules).consider(rules, state, 0, rng)
        assert label(rules, state, choice.action) == "x(2,2)"


@pytest.mark.parametrize("name", ["kuhn_poker", "goofspiel(num_cards=4,points_order=descending)"])
def test_matches_of_their_games_end_by_the_rules(name: str) -> None:
    rules = rules_of(name)
    agents = [make_agent("greedy", rules), make_agent("random", rules)]
    assert play_match(rules, initial(rules), agents, 1).ending == BY_RULES


@pytest.mark.parametrize("name", ["laser_tag(horizon=60)", "coop_box_pushing(horizon=30)"])
def test_there_is_room_for_a_match_that_takes_as_long_as_it_may(name: str) -> None:
    for seed in range(3):
        assert len(list(random_states(rules_of(name), seed))) > 90


def test_what_a_game_would_hide_is_said_to_be_seen() -> None:
    for command in (["games", "openspiel:kuhn_poker"], ["solve", "openspiel:kuhn_poker"]):
        assert "what this game hides is seen by all here" in CliRunner().invoke(cli, command).stderr
    assert CliRunner().invoke(cli, ["games", "openspiel:tic_tac_toe"]).stderr == ""


def test_both_choose_at_once_in_their_games() -> None:
    rules = rules_of("matrix_rps")
    state = initial(rules)
    assert turn(rules, state) == BOTH and choosers(rules, state) == (0, 1)
    after = replay(rules, "Paper Rock")
    assert returns(rules, after, 0) == 1.0 and position(rules, after) == "1,0"


def test_a_record_knows_their_game_by_its_name() -> None:
    assert name_of(find("openspiel:kuhn_poker")) == "openspiel:kuhn_poker"


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tic_tac_tow", "did you mean 'tic_tac_toe'"),
        ("chess", "it has 4674 actions; expected at most 1024"),
        ("solitaire", "it is for one player"),
        ("mfg_crowd_modelling", "mean field"),
        ("phantom_go(board_size=)", "does not load"),
        ("nfg_game", "does not load"),
    ],
)
def test_what_cannot_be_played_is_refused_in_one_line(
    name: str, words: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match=words) as caught:
        find(f"openspiel:{name}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [("9", "9 is not a move after '-'"), ("a", "HISTORY"), ("0,1,3,2,6,5", "is over before")],
)
def test_a_bad_history_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        read_state(rules_of("tic_tac_toe"), text)


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(ValueError, match=r"pip install 'ludex\[openspiel\]'"):
        find("openspiel:hex")
