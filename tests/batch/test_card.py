"""The same matches on the CPU and on a card, bit for bit."""

from typing import Any

import numpy as np
import pytest

from ludex.analysis.playouts import playout_evaluation
from ludex.batch import perft
from ludex.batch.batch import Batch
from ludex.batch.devices import open_device
from ludex.batch.series import play_series
from ludex.core import rules as ask
from ludex.core.devices import why_no_card
from ludex.core.play import choosers, first_decision
from ludex.core.time_control import PLIES
from ludex.lab.run.measurements import device_matches
from tests.batch.traces import EVERY_GAME, agents_of, differences, policies, results, step_at_random
from tests.games.test_position import VARIANTS as POSITIONS
from tests.games.test_twins import VARIANTS as TWINS
from tests.lines import variant

if why_no_card():
    pytest.skip(why_no_card(), allow_module_level=True)

pytestmark = [pytest.mark.compiled, pytest.mark.unmeasured]

MATCHES = 1000


@pytest.mark.parametrize(
    ("game", "values"), [*((game, values) for game, values, _ in TWINS), *POSITIONS]
)
def test_a_thousand_matches_are_the_same_on_a_card(game: str, values: dict[str, Any]) -> None:
    rules = variant(game, **values)
    one, other = (Batch(rules, MATCHES, device, seed=2) for device in ("cpu", "cuda"))
    ended = np.zeros(MATCHES, bool)
    for _ in range(PLIES):
        assert differences(one, other, steps=0) == []
        ended |= one.ends != 0
        if ended.all():
            break
        step_at_random(one)
        step_at_random(other)
    assert ended.all()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_card_counts_the_same_lines(game: str) -> None:
    rules = variant(game)
    start = ask.initial(rules)
    cpu, card = (perft.counting_device(name, rules, start) for name in ("cpu", "cuda"))
    depth = 6 if int(ask.actions(rules)) < 100 else 4
    assert perft.counts(rules, start, depth, card, enough=50) == (
        perft.counts(rules, start, depth, cpu)
    )


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_series_is_the_same_on_a_card(game: str) -> None:
    rules = variant(game)
    agents = [agents_of(game)[-1], *["random"] * (int(ask.seats(rules)) - 1)]
    one, other = (play_series(rules, agents, MATCHES, 7, device) for device in ("cpu", "cuda"))
    assert one.returns.tobytes() == other.returns.tobytes()
    assert one.lengths.tobytes() == other.lengths.tobytes()


@pytest.mark.parametrize("game", EVERY_GAME)
def test_actions_have_the_same_values_on_a_card(game: str) -> None:
    rules = variant(game)
    state = first_decision(rules)
    seat = choosers(rules, state)[0]
    given = rules, state, seat, MATCHES, agents_of(game)[-1], 4
    assert playout_evaluation(*given, "cpu") == playout_evaluation(*given, "cuda")


@pytest.mark.parametrize("start", ["21", "30"])
def test_variants_have_the_same_results_on_a_card(start: str) -> None:
    """With random openings, and one kernel for all of them."""
    agents = ["random", "greedy"]
    one, other = (
        device_matches("nuts", {"nuts": start}, agents, 5, 3, MATCHES, 2, device)
        for device in ("cpu", "cuda")
    )
    assert one["returns"] == other["returns"] and one["starts"] == other["starts"]


@pytest.mark.parametrize(
    ("game", "text"), [(game, text) for game in EVERY_GAME for text in agents_of(game)]
)
def test_agents_play_the_same_matches_on_a_card(game: str, text: str) -> None:
    rules = variant(game)
    first, agents = ask.initial(rules), policies(rules, text)
    seats = int(ask.seats(rules))
    cpu, card = (open_device(name, rules, first, agents) for name in ("cpu", "cuda"))
    assert results(cpu, seats, MATCHES) == results(card, seats, MATCHES)
    given: Any = {"seed": 6, "agents": {1: text}}
    one, other = (Batch(rules, MATCHES, device, **given) for device in ("cpu", "cuda"))
    assert differences(one, other, steps=30) == []
