"""Solving on a card: here its kernels run as plain Python, thread after thread."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.core.devices import NoCardWarning
from ludex.core.rules import Rules, initial
from ludex.games import game_rules
from ludex.solve import solving
from ludex.solve.solution_file import SOLUTION_ARRAYS, path_of
from ludex.solve.states.index import is_hashed
from ludex.solve.states.keys import fields_for
from ludex.solve.states.state_space import list_states
from ludex.solve.states.successors import FOLD_CHANCE, FOLD_DECISIONS, NO_FOLDING
from ludex.solve.values.induction import Induction
from tests.batch.traces import unoptimized
from tests.lines import variant

pytest.importorskip("numba_cuda")

# Each seat adds a point, or bets one or two by a throw; every move is one more.
BETS = """
from typing import NamedTuple
from ludex.core.rules import CHANCE, OVER

ACTIONS, OUTCOMES = 3, 2

class BetsRules(NamedTuple):
    plies: int = 7

class Bets(NamedTuple):
    plies: int
    score: int
    bet: int
    seat: int

def initial(rules):
    return Bets(0, 0, 0, 0)

def turn(rules, state):
    if state.plies >= rules.plies:
        return OVER
    return CHANCE if state.bet else state.seat

def legal(rules, state, seat, action):
    return True

def chance(rules, state, outcome):
    return 0.7 if outcome == 0 else 0.3

def apply(rules, state, move):
    sign = 1 if state.seat == 0 else -1
    if state.bet:
        won = sign * state.bet * (1 if move == 1 else -1)
        return Bets(state.plies + 1, state.score + won, 0, 1 - state.seat)
    if move:
        return Bets(state.plies + 1, state.score, move, state.seat)
    return Bets(state.plies + 1, state.score + sign, 0, 1 - state.seat)

def returns(rules, state, seat):
    worth = max(-1.0, min(1.0, state.score / 3.0))
    return worth if seat == 0 else -worth
"""

# Each seat doubles the points or adds one: few states, and far apart.
RARE = """
from typing import NamedTuple
from ludex.core.rules import OVER

ACTIONS = 2

class RareRules(NamedTuple):
    plies: int = 5

class Rare(NamedTuple):
    plies: int
    points: int

def initial(rules):
    return Rare(0, 1)

def turn(rules, state):
    return OVER if state.plies == rules.plies else state.plies % 2

def legal(rules, state, seat, action):
    return True

def apply(rules, state, move):
    return Rare(state.plies + 1, state.points + 1 if move else 50 * state.points)

def returns(rules, state, seat):
    worth = (state.points % 7 - 3) / 3.0
    return worth if seat == 0 else -worth
"""

# The first move may turn a coin, and who is last to move may do so as often as it likes.
COIN = """
from typing import NamedTuple
from ludex.core.rules import OVER

ACTIONS = 2

class CoinRules(NamedTuple):
    plies: int = 4

class Coin(NamedTuple):
    plies: int
    side: int

def initial(rules):
    return Coin(0, 0)

def turn(rules, state):
    return OVER if state.plies == rules.plies else state.plies % 2

def legal(rules, state, seat, action):
    return action == 0 or state.plies in (0, rules.plies - 1)

def apply(rules, state, move):
    side = 1 - state.side if move else state.side
    return Coin(state.plies if move and state.plies else state.plies + 1, side)

def returns(rules, state, seat):
    worth = 1.0 if state.side else -1.0
    return worth if seat == 0 else -worth
"""


def rules_in(file: Path, source: str) -> Rules:
    """Return the rules of a game that is written to a file."""
    file.write_text(source, encoding="utf-8")
    return game_rules(str(file))


@pytest.fixture
def games(tmp_path: Path) -> list[tuple[Rules, int]]:
    """Return games in which play never comes back to a position, and what is folded in each."""
    bets = rules_in(tmp_path / "bets.py", BETS)
    rare = rules_in(tmp_path / "rare.py", RARE)
    droids = variant("droids", rows="2", columns="2", shots="1", rounds="3")
    return [
        (variant("nuts", nuts="10"), NO_FOLDING),
        (droids, NO_FOLDING),
        (bets, NO_FOLDING),
        (bets, FOLD_CHANCE),
        (bets, FOLD_DECISIONS),
        (rare, NO_FOLDING),
    ]


@pytest.mark.plain
def test_keys_of_rare_states_are_found_by_hashing(games: list[tuple[Rules, int]]) -> None:
    hashed = [
        is_hashed(list_states(rules, initial(rules), folding, 10_000).lookup)
        for rules, folding in games
    ]
    assert hashed == [False] * 5 + [True]


class OnTheCard(np.ndarray):
    """An array as if it were in the memory of a card."""

    def copy_to_host(self) -> np.ndarray:
        return np.array(self)

    def copy_to_device(self, array: np.ndarray) -> None:
        self[:] = array


class Atomic:
    """What a card does at once."""

    def or_(self, array: Any, place: Any, bits: int) -> int:
        before = int(array[place])
        array[place] = before | bits
        return before

    def add(self, array: Any, place: Any, number: int) -> int:
        before = int(array[place])
        array[place] = before + number
        return before


class PlainCard:
    """The parts of `numba.cuda` that solving uses."""

    def __init__(self) -> None:
        self.atomic, self.thread, self.threads, self.launches = Atomic(), 0, 0, 0

    def grid(self, axes: int) -> int:
        return self.thread

    def gridsize(self, axes: int) -> int:
        return self.threads

    def to_device(self, array: np.ndarray) -> Any:
        return array.copy().view(OnTheCard)

    def device_array(self, shape: Any, kind: Any = np.float64) -> Any:
        return np.full(shape, 77, kind).view(OnTheCard)  # whatever was there before

    def synchronize(self) -> None:
        pass

    def current_context(self) -> Any:
        return self

    def get_memory_info(self) -> tuple[int, int]:
        return 1 << 30, 1 << 31


@pytest.fixture
def card(monkeypatch: pytest.MonkeyPatch) -> PlainCard:
    """Let plain Python take the place of a card."""
    from ludex.solve.card import exploration, induction, kernels

    made = PlainCard()

    class PlainKernel:
        def __init__(self, function: Callable[..., None], *others: Any) -> None:
            self.function = function

        def bind(self, blocks: int, threads: int, *given: Any) -> Callable[[], None]:
            def launch() -> None:
                made.launches += 1
                made.threads = blocks * threads
                for thread in reversed(range(made.threads)):
                    made.thread = thread
                    self.function(*given)

            return launch

    for module in (exploration, induction, kernels):
        monkeypatch.setattr(module, "cuda", made)
    monkeypatch.setattr(kernels, "Kernel", PlainKernel)
    monkeypatch.setattr(kernels, "BLOCK", 4)
    monkeypatch.setattr(kernels, "MOST_THREADS", 8)
    return made


@pytest.mark.plain
def test_states_are_listed_as_on_the_cpu(card: PlainCard, games: list[tuple[Rules, int]]) -> None:
    from ludex.solve.card.exploration import list_states_on_card

    for rules, folding in games:
        ours = list_states_on_card(rules, initial(rules), folding, 10_000)
        theirs = list_states(rules, initial(rules), folding, 10_000)
        for one, other in zip(ours, theirs, strict=True):
            assert np.array_equal(one, other)


@pytest.mark.plain
def test_values_are_those_of_the_cpu_bit_for_bit(
    card: PlainCard, games: list[tuple[Rules, int]]
) -> None:
    from ludex.solve.card.induction import CardInduction

    for rules, folding in games:
        listing = list_states(rules, initial(rules), folding, 10_000)
        ours, theirs = CardInduction(rules, listing), Induction(rules, listing)
        solving.finish(ours, solving.tell_nobody)
        solving.finish(theirs, solving.tell_nobody)
        assert ours.values.tobytes() == theirs.values.tobytes()
        assert ours.tie_values.tobytes() == theirs.tie_values.tobytes()
        assert ours.progress.tobytes() == theirs.progress.tobytes()
        assert ours.gap == theirs.gap and ours.on_card and card.launches > 0


@pytest.mark.plain
def test_the_cores_take_over_where_play_can_come_back(
    card: PlainCard, capsys: pytest.CaptureFixture[str]
) -> None:
    from ludex.solve.card.induction import CardInduction

    rules = variant("examples/pig.py", goal="6")
    listing = list_states(rules, initial(rules), NO_FOLDING, 10_000)
    ours = CardInduction(rules, listing)
    assert "some moves stay in a block of states: the cores of the CPU" in capsys.readouterr().err
    theirs = Induction(rules, listing)
    solving.finish(ours, solving.tell_nobody)
    solving.finish(theirs, solving.tell_nobody)
    assert ours.values.tobytes() == theirs.values.tobytes()


@pytest.mark.plain
def test_a_cycle_that_the_sample_missed_is_found(
    card: PlainCard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Also if levels after it have none."""
    from ludex.solve.card import induction

    monkeypatch.setattr(induction, "seems_acyclic", lambda *given: True)
    rules = rules_in(tmp_path / "coin.py", COIN)
    listing = list_states(rules, initial(rules), NO_FOLDING, 10_000)
    ours, theirs = induction.CardInduction(rules, listing), Induction(rules, listing)
    solving.finish(ours, solving.tell_nobody)
    solving.finish(theirs, solving.tell_nobody)
    assert not ours.on_card and card.launches > 1
    assert ours.values.tobytes() == theirs.values.tobytes()


@pytest.mark.plain
def test_a_game_with_too_many_possible_keys_is_listed_by_the_cores(
    card: PlainCard, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from ludex.solve.card import exploration

    monkeypatch.setattr(exploration, "BITMAP_KEYS_MAX", 4)
    rules = variant("nuts", nuts="10")
    given = rules, initial(rules), 10_000, solving.tell_nobody
    induction = solving.card_induction(*given, None)
    assert "more than a card has bits for: the cores of the CPU list" in capsys.readouterr().err
    solving.finish(induction, solving.tell_nobody)
    assert induction.values[induction.listing.number(rules, initial(rules))] == 1.0


@pytest.mark.plain
def test_a_card_goes_on_with_the_states_of_a_checkpoint_and_the_cores_with_its_values(
    card: PlainCard, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = variant("nuts", nuts="10")
    kept = Induction(rules, list_states(rules, initial(rules), NO_FOLDING, 10_000))
    given = rules, initial(rules), 10_000, solving.tell_nobody
    again = solving.card_induction(*given, kept)
    assert type(again).__name__ == "CardInduction" and again.listing is kept.listing
    solving.finish(kept, solving.tell_nobody)
    assert solving.card_induction(*given, kept) is kept
    assert "going on from a checkpoint of the CPU" in capsys.readouterr().err


@pytest.mark.plain
def test_a_field_that_is_too_narrow_is_widened(
    card: PlainCard, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ludex.solve.card import exploration as module

    rules = variant("nuts", nuts="10")
    narrow = fields_for([initial(rules)])
    monkeypatch.setattr(module, "sample_fields", lambda *given: narrow)
    ours = module.list_states_on_card(rules, initial(rules), NO_FOLDING, 10_000)
    theirs = list_states(rules, initial(rules), NO_FOLDING, 10_000)
    assert np.array_equal(ours.keys, theirs.keys) and ours.targets == theirs.targets


@pytest.mark.compiled
@pytest.mark.parametrize(("game", "hashed"), [("droids", False), ("examples/tictactoe.py", True)])
def test_the_kernels_compile_for_a_card(game: str, hashed: bool) -> None:
    from ludex.kernel.cuda import ptx_of
    from ludex.solve.card.kernels import kernels_of, signatures_of

    rules = variant(game)
    with unoptimized():
        for name, kernel in kernels_of(rules, initial(rules), NO_FOLDING).items():
            assert ".entry" in ptx_of(kernel, signatures_of(hashed)[name])


@pytest.mark.plain
@pytest.mark.parametrize(
    ("game", "objective", "words"),
    [
        ("examples/kuhn.py", "outcome", "device 'cuda': an equilibrium is found by the cores of"),
        ("arena", "margin", "device 'cuda': a margin is proven by the cores of"),
    ],
)
def test_what_no_card_computes_is_refused_in_a_line(game: str, objective: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ludex.load(game).solve(objective=objective, device="cuda")


@pytest.mark.plain
def test_without_a_card_the_cores_solve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("ludex.core.devices.why_no_card", lambda: "no NVIDIA card was found")
    monkeypatch.setenv("LUDEX_SOLUTIONS", str(tmp_path))
    with pytest.warns(NoCardWarning, match="using the cores of the CPU instead"):
        assert ludex.load("nuts", nuts=10).solve(device="cuda").value() == 1.0


@pytest.mark.plain
def test_a_solution_of_a_card_has_the_same_file(
    card: PlainCard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("ludex.core.devices.why_no_card", lambda: "")
    rules, arrays = variant("nuts", nuts="10"), []
    for device in ("cpu", "cuda"):
        monkeypatch.setenv("LUDEX_SOLUTIONS", str(tmp_path / device))
        solving.solve(rules, initial(rules), device=device)
        with np.load(path_of(rules, initial(rules))) as file:
            arrays.append({name: file[name].tobytes() for name in SOLUTION_ARRAYS})
        assert (card.launches > 0) == (device == "cuda")
    assert arrays[0] == arrays[1]
