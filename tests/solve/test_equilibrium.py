"""Equilibria of games with hidden information."""

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.core.play import choosers, read_state
from ludex.core.rules import BOTH, OVER, Rules, State, apply, initial, pair, turn
from ludex.games import game_rules
from ludex.io.array_file import Unusable
from ludex.library.exploitability import exploitability
from ludex.library.game import load
from ludex.solve import known_solutions
from ludex.solve.equilibrium import equilibrium as equilibria
from ludex.solve.equilibrium import solving
from ludex.solve.equilibrium.equilibrium import Equilibrium, make_equilibrium
from ludex.solve.equilibrium.extensive_form import ExtensiveForm, extensive_form
from ludex.solve.equilibrium.regret import (
    CFR_PLUS,
    DISCOUNTED,
    VARIANTS,
    average_strategies,
    new_regrets,
    run_iterations,
)
from ludex.solve.equilibrium.response import bounds
from ludex.solve.equilibrium_evaluator import EquilibriumEvaluator
from ludex.solve.solving import load_or_solve, tell_nobody
from ludex.solve.states.listing import TooBig, Unsolvable
from tests.games.test_hidden_games import PEERS
from tests.games.test_twins import texts

KUHN, GOOFSPIEL = "examples/kuhn.py", "examples/goofspiel.py"
LARGE = 10**6


@pytest.fixture(autouse=True)
def own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep solutions in a folder of the test, and none in memory."""
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(tmp_path))
    monkeypatch.setattr(known_solutions, "recent_equilibria", [])
    monkeypatch.setattr(known_solutions, "too_big", set())


def form_of(name: str, **texts: str) -> ExtensiveForm:
    rules = game_rules(name, texts)
    return extensive_form(rules, initial(rules), LARGE)


@pytest.mark.compiled
@pytest.mark.parametrize("variant", range(len(VARIANTS)))
def test_every_algorithm_finds_the_value_of_kuhn_poker(variant: int) -> None:
    rules = game_rules(KUHN)
    gap = 1e-9 if VARIANTS[variant] == "pcfr+" else 1e-4
    found = solving.solve(rules, initial(rules), gap, variant)
    value = EquilibriumEvaluator(rules, found).value(initial(rules))
    assert found.facts["low"] <= -1 / 36 <= found.facts["high"]
    assert value == pytest.approx(-1 / 36, abs=gap)
    assert found.facts["gap"] <= gap


@pytest.mark.compiled
def test_the_stated_gap_is_what_best_responses_gain() -> None:
    kuhn = load(KUHN)
    facts = kuhn.solve(gap=1e-3, progress=False).facts
    exact = exploitability(kuhn, "exact", progress=False)
    first, second = (one["value"] for one in exact.seats)
    assert facts["gap"] == pytest.approx(-(first + second), abs=1e-12) and facts["gap"] > 1e-6


@pytest.mark.compiled
def test_equilibrium_strategies_of_kuhn_poker_are_those_of_the_theory() -> None:
    """Kuhn (1950): with a jack, bet with some probability; with a king, with three times that."""
    kuhn = load(KUHN)
    truth = kuhn.solve(gap=1e-9, progress=False)
    bluff = truth.mixture("J ? -")["bet"]
    assert 0.0 <= bluff <= 1 / 3
    assert truth.mixture("K ? -")["bet"] == pytest.approx(3 * bluff, abs=1e-4)
    assert truth.mixture("? Q b")["call"] == pytest.approx(1 / 3, abs=1e-4)
    assert truth.mixture("? K b")["call"] == pytest.approx(1.0, abs=1e-4)
    assert truth.value("K J bb") == 1.0


@pytest.mark.plain
@pytest.mark.parametrize(
    ("variant", "module", "solver"),
    [(CFR_PLUS, "cfr", "CFRPlusSolver"), (DISCOUNTED, "discounted_cfr", "DCFRSolver")],
)
def test_iterations_are_those_of_openspiel(variant: int, module: str, solver: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    peer, form = pyspiel.load_game("kuhn_poker"), form_of(KUHN)
    algorithms = importlib.import_module(f"open_spiel.python.algorithms.{module}")
    policies = importlib.import_module("open_spiel.python.policy")
    theirs, ours = getattr(algorithms, solver)(peer), new_regrets(form)
    for iteration in range(1, 11):
        theirs.evaluate_and_update_policy()
        run_iterations(form.tree, form.sets, ours, variant, iteration, 1)
        gap = bounds(form, average_strategies(form, ours.totals)).gap
        policy = policies.python_policy_to_pyspiel_policy(theirs.average_policy())
        assert 2 * gap == pytest.approx(pyspiel.nash_conv(peer, policy), abs=1e-9)


@pytest.mark.plain
def test_the_extensive_form_of_kuhn_poker() -> None:
    form = form_of(KUHN)
    assert len(form.tree.movers) == 58
    assert np.bincount(form.sets.seats).tolist() == [6, 6]
    assert (form.sets.parents < form.sets.starts[:-1]).all()  # parents come first


@pytest.mark.plain
def test_uniform_play_in_kuhn_poker_is_exploited_as_in_the_literature() -> None:
    """OpenSpiel: exploitability 0.458 chips; a chip is 1/2 here."""
    form = form_of(KUHN)
    assert bounds(form, new_regrets(form).current).gap / 2 == pytest.approx(11 / 24 / 2)


@pytest.mark.plain
@pytest.mark.parametrize("revealed", ["yes", "no"])
def test_goofspiel_has_value_0_because_it_is_symmetric(revealed: str) -> None:
    form = form_of(GOOFSPIEL, cards="3", order="descending", revealed=revealed)
    work = solving.Minimisation(form)
    work.run(1e-3, tell_nobody)
    assert work.bounds.low <= 1e-12 and work.bounds.high >= -1e-12 and work.bounds.gap <= 1e-3


@pytest.mark.plain
def test_an_equilibrium_is_kept_on_disk_and_read_again() -> None:
    rules = game_rules(KUHN)
    made = solving.load_or_solve(rules, initial(rules), 1e-2)
    again = solving.load_or_solve(rules, initial(rules), 1e-2)
    assert again.kept and not made.kept
    assert (again.strategies == made.strategies).all() and again.facts == made.facts
    better = solving.load_or_solve(rules, initial(rules), 1e-3)
    assert not better.kept and better.facts["gap"] <= 1e-3


@pytest.mark.plain
def test_an_interrupted_minimisation_resumes_with_the_same_result() -> None:
    rules = game_rules(KUHN)
    whole = solving.solve(rules, initial(rules), 1e-3)
    equilibria.path_of(rules, initial(rules)).unlink()

    def interrupt(what: str, done: int, total: int) -> None:
        if "regret" in what and done > 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        solving.solve(rules, initial(rules), 1e-3, tell=interrupt)
    assert solving.checkpoint_path(rules, initial(rules)).exists()
    resumed = solving.solve(rules, initial(rules), 1e-3)
    assert (resumed.strategies == whole.strategies).all()
    assert not solving.checkpoint_path(rules, initial(rules)).exists()


@pytest.mark.plain
@pytest.mark.parametrize("path_of", [equilibria.path_of, solving.checkpoint_path])
def test_a_damaged_file_is_reported_and_replaced(
    path_of: Callable[[Rules, State], Path], capsys: pytest.CaptureFixture[str]
) -> None:
    rules = game_rules(KUHN)
    path_of(rules, initial(rules)).write_bytes(b"nothing")
    found = solving.load_or_solve(rules, initial(rules), 1e-2)
    assert "is damaged: it holds something else; solving again" in capsys.readouterr().err
    assert found.facts["gap"] <= 1e-2
    assert equilibria.path_of(rules, initial(rules)).exists()
    assert not solving.checkpoint_path(rules, initial(rules)).exists()


@pytest.mark.plain
@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        (
            "    return Kuhn(first, second, 2 * bets + move)",
            "    if bets == 2 and move == PASS:\n        return initial(rules)\n"
            "    return Kuhn(first, second, 2 * bets + move)",
            "play can go in circles",
        ),
        (
            "    if seat == 0:\n        return Kuhn(first,",
            "    if seat == 0:\n        return Kuhn(first if bets == START else HIDDEN,",
            "seat 0 has no perfect recall at '. . pb'",
        ),
        (
            "    return True",
            "    return action == PASS or state.first != 1",
            "where it has other legal actions",
        ),
    ],
)
def test_a_game_without_an_extensive_form_is_refused(
    old: str, new: str, wanted: str, tmp_path: Path
) -> None:
    source = Path(KUHN).read_text(encoding="utf-8")
    assert source.count(old) == 1
    file = tmp_path / "kuhn.py"
    file.write_text(source.replace(old, new), encoding="utf-8")
    with pytest.raises(Unsolvable, match=wanted):
        form_of(str(file))


@pytest.mark.plain
def test_an_equilibrium_that_cannot_be_used_is_to_be_made_again() -> None:
    rules = game_rules(KUHN)
    equilibria.path_of(rules, initial(rules)).write_bytes(b"nothing")
    with pytest.raises(Unusable, match=r"is damaged: .*; run ludex solve to make it again"):
        known_solutions.known_equilibrium(rules)


@pytest.mark.plain
def test_a_game_that_is_too_large_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[State] = []
    monkeypatch.setattr(known_solutions, "is_small_tree", lambda rules, first: asked.append(first))
    rules = game_rules(GOOFSPIEL, {"cards": "12"})
    assert known_solutions.known_equilibrium(rules) is None
    assert known_solutions.known_equilibrium(rules) is None
    assert asked == [initial(rules)]


@pytest.mark.plain
def test_actions_where_the_other_never_goes_are_valued_as_if_it_went_anywhere() -> None:
    rules, form = game_rules(KUHN), form_of(KUHN)
    always_pass = np.zeros(len(form.sets.actions))
    always_pass[form.sets.starts[:-1]] = 1.0
    found = make_equilibrium(form, always_pass, {"information_sets": 12})
    values = EquilibriumEvaluator(rules, found).evaluate(read_state(rules, "? K b"), 1).values
    assert values == {0: -0.5, 1: 1.0}


@pytest.mark.plain
def test_what_no_seat_sees_has_no_value() -> None:
    rules = game_rules(KUHN)
    found = EquilibriumEvaluator(rules, solving.solve(rules, initial(rules), 1e-2))
    for text in ("K ? p", "? - -"):
        with pytest.raises(Unsolvable, match="the first position of kuhn does not lead to"):
            found.value(read_state(rules, text))


@pytest.mark.plain
def test_a_margin_is_not_taken_for_an_outcome() -> None:
    with pytest.raises(Unsolvable, match="an equilibrium is for the outcome"):
        load(GOOFSPIEL, cards=3).solve(objective="margin", progress=False)


@pytest.mark.plain
def test_a_game_that_is_too_large_is_refused_with_the_room_there_is() -> None:
    with pytest.raises(TooBig, match=r"^about [\d,]+ states are too many: there is memory for"):
        load("examples/leduc.py").solve(memory=1e-6, progress=False)


@pytest.mark.plain
def test_states_of_a_hidden_game_are_not_solved_one_by_one() -> None:
    rules = game_rules(KUHN)
    with pytest.raises(Unsolvable, match="do not see all of it"):
        load_or_solve(rules, initial(rules))


@pytest.mark.plain
def test_only_what_the_seat_sees_counts() -> None:
    rules = game_rules(KUHN)
    found = EquilibriumEvaluator(rules, solving.solve(rules, initial(rules), 1e-2))
    whole, seen = (found.evaluate(read_state(rules, text), 0) for text in ("Q K -", "Q ? -"))
    assert whole == seen
    assert found.value(read_state(rules, "Q K -")) != pytest.approx(seen.value)


def peer_policy(rules: Rules, found: Equilibrium, state: State, other: Any) -> dict[str, Any]:
    """Return strategies by the names of OpenSpiel's information sets, from a state on."""
    if turn(rules, state) == OVER:
        return {}
    policy: dict[str, Any] = {}
    steps = [(move, other.child(move)) for move in other.legal_actions()]
    for seat in choosers(rules, state):
        shares = found.strategy(found.set_of(rules, state, seat))
        asked = [other] if seat == other.current_player() else [after for _, after in steps]
        policy |= {one.information_state_string(seat): list(shares.items()) for one in asked}
    if turn(rules, state) == BOTH:
        steps = [
            (pair(first, second), after.child(second))
            for first, after in steps
            for second in after.legal_actions()
        ]
    for move, after in steps:
        policy |= peer_policy(rules, found, apply(rules, state, move), after)
    return policy


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "values", "name", "chip"), [one for one in PEERS if one[1] != {"dice": 2, "faces": 2}]
)
def test_values_and_best_responses_are_those_of_openspiel(
    game: str, values: dict[str, Any], name: str, chip: float
) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    peer = pyspiel.load_game(name)
    if peer.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        peer = pyspiel.convert_to_turn_based(peer)
    rules = game_rules(f"examples/{game}.py", texts(values))
    form = extensive_form(rules, initial(rules), LARGE)
    weights = np.random.default_rng(1).random(len(form.sets.actions)) ** 3
    found = make_equilibrium(form, average_strategies(form, weights), {})
    policy = peer_policy(rules, found, initial(rules), peer.new_initial_state())
    assert bounds(form, found.strategies).gap == pytest.approx(
        chip * pyspiel.nash_conv(peer, policy), abs=1e-9
    )
    theirs = pyspiel.expected_returns(
        peer.new_initial_state(), pyspiel.TabularPolicy(policy), -1, True
    )
    ours = EquilibriumEvaluator(rules, found).expected(initial(rules), {})
    assert ours == pytest.approx(chip * theirs[0], abs=1e-9)
