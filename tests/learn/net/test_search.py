"""The search of a network, which knows nothing here: it has to find out by itself."""

from typing import Any
from unittest import mock

import numpy as np
import pytest

from ludex.core.play import choosers, legal_moves, read_state
from ludex.core.rules import initial, turn
from ludex.kernel.tuples import columns_of
from ludex.learn.net import search, simulation
from ludex.learn.net.search import Search
from ludex.learn.net.selection import visits_due
from ludex.learn.net.simulation import new_scratch
from ludex.solve.perfect_agent import Exact
from tests.learn.net.networks import noisy, searched
from tests.lines import luck, random_states, variant

TICTACTOE = "examples/tictactoe.py"
GAMES: list[tuple[str, dict[str, Any]]] = [
    (TICTACTOE, {}),
    ("droids", {"rows": 3, "columns": 3, "rounds": 4}),
    ("examples/pig.py", {"goal": 10}),
    ("aeroplane", {"seats": 3, "planes": 1}),
]
COMPILED = [("nuts", {}), *GAMES[1:3]]  # one is learned compiled, too


@pytest.mark.plain
@pytest.mark.parametrize(("leaves", "considered"), [(1, 0), (4, 0), (1, 9)])
def test_a_win_is_found_and_a_loss_averted(leaves: int, considered: int) -> None:
    rules = variant(TICTACTOE)
    # X has the cells 1 and 2, O 4 and 5: cell 3 wins, for X and, of row 2, cell 6 for O.
    won = searched(rules, read_state(rules, "3 24 0"), 64, leaves, considered)
    assert won.actions[0] == 2 and won.worths[0, 0] > 0.0
    assert won.policies[0, 0].argmax() == 2
    # X threatens cell 3, and O has nothing.
    averted = searched(rules, read_state(rules, "3 16 1"), 128, leaves, considered)
    assert averted.actions[0] == 2


@pytest.mark.plain
def test_policies_are_mixtures_of_legal_actions() -> None:
    for game, values in GAMES:
        rules = variant(game, **values)
        states = [one for one in random_states(rules, 3, 12) if turn(rules, one) >= 0][:3]
        for state in states:
            policy = searched(rules, state, 16).policies[0, 0]
            legal = set(legal_moves(rules, state))
            assert set(np.flatnonzero(policy)) <= legal
            assert abs(policy.sum() - 1.0) < 1e-9


@pytest.mark.plain
def test_both_seats_find_the_equilibrium_of_the_last_round() -> None:
    rules = variant("droids", rows=2, columns=3, rounds=1, shots=2)
    state = initial(rules)
    exact = Exact()
    exact.prepare(rules)
    wanted = exact.consider(rules, state, 0, luck())
    found = searched(rules, state, 40)
    assert abs(found.worths[0, 0] - wanted.value) < 1e-9
    assert found.worths[0, 1] == -found.worths[0, 0]
    for side in range(2):
        assert abs(found.policies[0, side].sum() - 1.0) < 1e-9


@pytest.mark.plain
def test_halving_takes_the_better_half_again_and_again() -> None:
    assert visits_due(4, 8).tolist() == [0, 0, 0, 0, 1, 1, 2, 2]
    assert visits_due(1, 3).tolist() == [0, 1, 2]
    due = visits_due(16, 50)
    assert len(due) == 50 and due[:16].tolist() == [0] * 16


@pytest.mark.plain
def test_any_number_of_threads_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = variant(TICTACTOE)
    columns = columns_of(*[initial(rules)] * 6)
    found = []
    for least in (64, 2):
        monkeypatch.setattr(search, "LEAST_TREES", least)
        made = Search(rules, 6, 12)
        if least == 2:
            made.parts, made.scratches = 3, [new_scratch(rules) for _ in range(3)]
        found.append(made.run(columns, noisy(rules), np.arange(6), considered=4))
    for one, other in zip(*found, strict=True):
        assert one.tobytes() == other.tobytes()


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "values"), COMPILED)
def test_compiled_and_interpreted_searches_find_the_same(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    states = [one for one in random_states(rules, 5, 60) if choosers(rules, one)][:4]
    columns, keys = columns_of(*states), np.arange(len(states))
    names = "plant", "descend", "expand", "conclude"
    functions = {name: getattr(simulation, name).py_func for name in names}
    given = columns, noisy(rules), keys
    one = Search(rules, len(states), 30).run(*given, considered=4)
    with mock.patch.multiple(search, **functions):
        other = Search(rules, len(states), 30).run(*given, considered=4)
    for mine, theirs in zip(one, other, strict=True):
        assert np.allclose(mine, theirs, atol=1e-6)
