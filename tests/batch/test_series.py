"""Series on a device: their matches, and what is said of them."""

import json
import math
from typing import Any

import numpy as np
import pytest

import ludex
from ludex.batch import series as batch_series
from ludex.batch.cores import Cores
from ludex.batch.series import Matches, play_series
from ludex.batch.stepping import CUT_OFF, Series
from ludex.core import rules as ask
from ludex.core.rules import Rules
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.kernel.counter_rng import stream_of
from ludex.library.series_results import DeviceSeries
from ludex.stats import mean_return, pair_counts
from ludex.stats.tally import Tally
from ludex.tournaments.plan import rotate_seats
from tests.batch.traces import played_out
from tests.commands import run
from tests.lines import variant

pytestmark = pytest.mark.plain


def replayed(rules: Rules, agents: list[str], seed: int, number: int) -> tuple[list[float], int]:
    """Return the returns of each agent and the plies of a match, played in plain Python."""
    table, turned = divmod(number, len(agents))
    seated = rotate_seats(tuple(range(len(agents))), turned)
    by_seat = [agents[agent] for agent in seated]
    worth, plies = played_out(rules, by_seat, stream_of(seed, table), ask.initial(rules))
    return [worth[seated.index(agent)] for agent in range(len(agents))], plies


@pytest.mark.parametrize(
    ("game", "agents", "values"),
    [
        ("nuts", ["greedy", "random"], {}),
        ("droids", ["casual", "greedy"], {}),
        ("aeroplane", ["random", "greedy", "casual"], {"seats": 3, "planes": 1}),
        ("examples/kuhn.py", ["random", "casual"], {}),
    ],
)
def test_every_match_is_as_in_plain_python(
    game: str, agents: list[str], values: dict[str, Any]
) -> None:
    rules = variant(game, **values)
    found = play_series(rules, agents, 7, 5)
    for number in range(7):
        worth, plies = replayed(rules, agents, 5, number)
        assert found.returns[number].tolist() == worth and found.lengths[number] == plies


def test_both_seatings_of_a_pair_have_the_same_dice() -> None:
    """Between equal agents, one wins the first match from the seat that wins the second."""
    found = play_series(variant("aeroplane", planes="1"), ["random", "random"], 10, 1)
    assert (found.returns[0::2] == -found.returns[1::2]).all()
    assert (found.lengths[0::2] == found.lengths[1::2]).all()


class Paced:
    """A device with its own clock, which plays so many matches in a second."""

    def __init__(self, rules: Rules, speed: float, portion: int) -> None:
        policies = (None,) * int(ask.seats(rules))
        self.cores, self.speed = Cores(rules, ask.initial(rules), policies), speed
        self.portion, self.least_portion, self.now = portion, 2, 0.0
        self.calls: list[int] = []

    def zeros(self, shape: tuple[int, ...], kind: Any) -> np.ndarray:
        return self.cores.zeros(shape, kind)

    def play(self, series: Series, returns: np.ndarray, lengths: np.ndarray) -> None:
        self.calls.append(len(lengths))
        self.now += len(lengths) / self.speed
        self.cores.play(series, returns, lengths)


@pytest.mark.parametrize(
    ("speed", "calls"),
    [
        (1e9, [8, 16, 32, 44]),
        (100.0, [8, 16, 32, 32, 12]),
        (11.0, [8, *[4] * 23]),
        (1.0, [8, 4, *[2] * 44]),
    ],
)
def test_calls_take_about_as_long_and_change_no_match(
    speed: float, calls: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = variant("nuts")
    device: Any = Paced(rules, speed, 8)
    monkeypatch.setattr(batch_series, "thinking_time", lambda: device.now)
    found = batch_series.play_matches(device, Series(2, 2000), 100, 2)
    assert device.calls == calls
    whole = batch_series.play_matches(device.cores, Series(2, 2000), 100, 2)
    assert found.returns.tobytes() == whole.returns.tobytes()
    assert found.lengths.tobytes() == whole.lengths.tobytes()


def test_a_device_remembers_how_many_matches_fit_into_a_call(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also if a last call has few, which says little."""
    device: Any = Paced(variant("nuts"), 11.0, 8)
    monkeypatch.setattr(batch_series, "thinking_time", lambda: device.now)
    for matches in (15, 9):
        batch_series.play_matches(device, Series(2, 2000), matches, 2)
    assert device.calls == [8, 4, 3, 4, 4, 1]


def test_a_series_counts_the_matches_played_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    make = Cores.__init__

    def small(self: Cores, *given: Any) -> None:
        make(self, *given)
        self.portion = 3

    monkeypatch.setattr(Cores, "__init__", small)
    monkeypatch.setattr(batch_series, "PORTION_SECONDS", math.inf)
    play_series(variant("nuts"), ["greedy", "random"], 33, 2, count=seen.append)
    assert seen == [3, 9, 17, 29, 33]


# What is said of a series. -----------------------------------------------------------------------


def test_scores_of_arrays_are_those_of_single_matches() -> None:
    worth = np.random.default_rng(1).choice([-1.0, -0.25, 0.0, 0.5, 1.0], 101)
    listed = dict(enumerate(worth.tolist()))
    assert Tally.of(worth) == Tally.of(listed.values())
    assert pair_counts(worth) == pair_counts(listed) == pair_counts(worth.tolist())
    assert mean_return(worth) == mean_return(listed)
    for one in (np.zeros(0), np.ones(1)):
        assert sum(pair_counts(one)) == 0 and mean_return(one).high == math.inf


def test_a_series_on_a_device_has_the_scores_of_a_series() -> None:
    found = ludex.play("nuts", "greedy", "random", matches=9, seed=3, device="cpu")
    assert isinstance(found, DeviceSeries)
    worth = [replayed(variant("nuts"), ["greedy", "random"], 3, one)[0][0] for one in range(9)]
    assert found.wins == worth.count(1.0) and found.matches == 9 and found.draws == 0
    assert found.mean_return.mean == pytest.approx(sum(worth) / 9)
    assert found.table[1]["wins"] == worth.count(-1.0)
    assert found.endings == {BY_RULES: 9} and not found.failures
    assert repr(found).startswith(f"<Series: greedy {found.wins} won, 0 drawn")
    assert found.elo_interval[0] < found.elo < found.elo_interval[1]
    assert "greedy against random" in found.plot()._repr_svg_()
    with pytest.raises(AttributeError, match="records: a series on a device keeps no records"):
        _ = found.records


def test_matches_that_are_cut_off_are_draws_and_named() -> None:
    returns = np.array([[1.0, -1.0], [0.0, 0.0]])
    found = DeviceSeries(("a", "b"), Matches(returns, np.array([7, CUT_OFF])), "cpu", 1)
    assert found.endings == {BY_RULES: 1, TRUNCATED: 1} and found.plies == 2007
    assert "1 match ended TRUNCATED: too long, a draw" in repr(found)


# What is refused, and the command. ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"sprt": "elo0=0,elo1=9"}, "sprt and device: expected one of them, because a device"),
        ({"clock": "turn=1"}, "clock and device: expected one of them"),
        ({"processes": 2}, "processes and device: expected one of them"),
        ({"dask": "tcp://there:1"}, "dask and device: expected one of them"),
        ({"store": True}, "store and device: expected one of them"),
        ({"matches": 0}, "matches 0: expected a whole number, at least 1"),
        ({"matches": 10**9}, "matches 1,000,000,000: expected at most 20,000,000"),
        ({"device": "gpu"}, r"no device 'gpu' \(there are cpu, cuda, auto\)"),
    ],
)
def test_what_a_device_does_not_do_is_refused_in_a_line(options: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        ludex.play("nuts", "greedy", "random", **{"device": "cpu", **options})


@pytest.mark.parametrize("agent", ["mcts:sims=9", lambda match: 0])
def test_other_agents_play_no_series_on_a_device(agent: Any) -> None:
    with pytest.raises(ValueError, match="does not play many matches at once in compiled code"):
        ludex.play("nuts", agent, "random", device="cpu", matches=2)


def test_the_command_prints_the_series() -> None:
    given = ("match", "nuts", "greedy", "random", "--matches", "8", "--seed", "3")
    told = json.loads(run(*given, "--device", "cpu", "--json").stdout)
    found = ludex.play("nuts", "greedy", "random", matches=8, seed=3, device="cpu")
    assert isinstance(found, DeviceSeries)
    names = ("matches", "wins", "draws", "losses", "share", "endings", "device", "plies", "seed")
    assert {name: told[name] for name in names} == {name: getattr(found, name) for name in names}
    assert told["interval"] == list(found.interval) and told["pairs"] == list(found.pairs)
    assert told["seconds_per_decision"] == [None, None] and told["event"] is None
    shown = run(*given, "--device", "cpu").stdout
    assert f"8 matches, {found.plies} plies in" in shown
    assert shown.endswith("s on cpu; seed 3; no records are kept\n")
    refused = run(*given, "--device", "cpu", "--processes", "2")
    assert refused.exit_code == 2
    assert refused.stderr.startswith("ludex: --processes and --device: expected one of them")


def test_without_a_card_a_command_says_so_in_a_line_and_uses_the_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("ludex.core.devices.why_no_card", lambda: "no NVIDIA card was found")
    for given in (("match", "nuts", "random", "random"), ("count", "nuts", "--depth", "3")):
        answer = run(*given, "--device", "cuda")
        lines = [line for line in answer.stderr.splitlines() if "compiling" not in line]
        assert lines == ["ludex: no NVIDIA card was found; using the cores of the CPU instead"]
        assert "on cpu" in answer.stdout


def test_the_command_counts_the_same_lines_on_a_device() -> None:
    given = ("count", "nuts", "--depth", "4", "--json")
    assert run(*given, "--device", "cpu").stdout == run(*given).stdout
    assert ludex.load("nuts").count(4, device="cpu") == ludex.load("nuts").count(4)
