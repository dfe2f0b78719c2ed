"""Monte Carlo tree search over information sets."""

import numpy as np
import pytest

from ludex.agents.information_set_mcts import InformationSetMcts, belief_at
from ludex.agents.registry import make_agent
from ludex.core.play import first_decision, read_state
from ludex.core.rules import label, position
from ludex.games import game_rules
from ludex.kernel.tuples import from_row
from ludex.search import information_set_mcts as search
from ludex.solve.equilibrium.belief import beliefs_of

KUHN, LEDUC = "examples/kuhn.py", "examples/leduc.py"


@pytest.mark.plain
def test_a_belief_has_the_states_that_the_seat_cannot_tell_apart() -> None:
    rules = game_rules(KUHN)
    state = read_state(rules, "? Q b")
    belief = belief_at(rules, state, 1, np.random.default_rng(0))
    held = {position(rules, from_row(state, belief.states, row)) for row in range(2)}
    assert held == {"J Q b", "K Q b"}
    assert belief.probabilities.tolist() == [0.5, 0.5]


@pytest.mark.plain
def test_what_the_seat_to_move_never_sees_is_refused() -> None:
    rules = game_rules(KUHN)
    with pytest.raises(ValueError, match=r"kuhn does not lead to '\? \? b'"):
        belief_at(rules, read_state(rules, "? ? b"), 1, np.random.default_rng(0))


@pytest.mark.plain
@pytest.mark.parametrize(
    ("place", "seat", "wanted"), [("? K b", 1, "call"), ("? J b", 1, "fold"), ("? K p", 1, "bet")]
)
def test_dominant_actions_are_found(place: str, seat: int, wanted: str) -> None:
    rules = game_rules(KUHN)
    agent, state = make_agent("ismcts:sims=300", rules), read_state(rules, place)
    choice = agent.consider(rules, state, seat, np.random.default_rng(1))
    assert label(rules, state, choice.action) == wanted
    assert choice.nodes == 300 and choice.values[choice.action] == max(choice.values.values())


@pytest.mark.plain
def test_the_hidden_card_makes_no_difference() -> None:
    rules = game_rules(KUHN)
    agent = InformationSetMcts(sims=100)
    seen = [
        agent.consider(rules, read_state(rules, text), 0, np.random.default_rng(3))
        for text in ("Q J -", "Q K -", "Q ? -")
    ]
    assert seen[0] == seen[1] == seen[2]


@pytest.mark.compiled
def test_compiled_simulations_are_those_of_the_interpreter() -> None:
    rules = game_rules(LEDUC)
    state = first_decision(rules)
    belief = beliefs_of(rules).at(state, 0)
    found = []
    for grow in (search.grow, search.grow.py_func):
        rng = np.random.default_rng(5)
        statistics = search.new_statistics(rules, 400)
        path, rewards = np.zeros((search.LONGEST_PATH, 3), np.int64), np.zeros(2)
        drawn = belief.states, np.cumsum(belief.probabilities)
        flag, settings = np.zeros(1, np.int64), (1.4, 100, 0)
        grow(rules, state, tuple(statistics), drawn, path, rewards, flag, rng, 200, settings)
        found.append(statistics)
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.plain
def test_a_game_that_hides_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="ismcts cannot play this game: it hides nothing"):
        make_agent("ismcts", game_rules("nuts"))


@pytest.mark.plain
def test_a_game_that_is_too_large_is_asked_to_draw_states() -> None:
    with pytest.raises(ValueError, match=r"are too many to list: the game needs `resample`"):
        make_agent("ismcts", game_rules("examples/goofspiel.py", {"cards": "13"}))
