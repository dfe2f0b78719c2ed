"""Events give the same results wherever they are played and however often they are stopped."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import AGENTS
from ludex.core.choice import Choice
from ludex.match.record import read_record, replay_states
from ludex.stats import Tally, read_sprt
from ludex.store import Played, Store
from ludex.tournaments.event import play, register
from ludex.tournaments.job import MatchJob, make_jobs, play_job
from ludex.tournaments.plan import ROUND_ROBIN, SERIES, SWISS, Pairing, Plan, pairings
from ludex.tournaments.series import StopRule, distinct_matches
from ludex.tournaments.standing import score, standing
from ludex.workers.pool import Pool
from tests.commands import run
from tests.events import FIELD, lasting, moves_of, on_and_on, plan

pytestmark = pytest.mark.plain


def test_swapped_seats_share_their_luck() -> None:
    order = Plan("aeroplane", (("planes", "1"),), ("greedy", "greedy"), 2, SERIES, 4, 0, 5)
    played = play_job(MatchJob(order, tuple(pairings(order, {}))))
    first, second, third, _ = (read_record(one.record).moves for one in played)
    assert first == second != third


def test_the_better_agent_wins_wherever_it_sits() -> None:
    order = plan(SERIES, ("minimax:depth=11", "random"), matches=6)
    played = play(order, Pool(1), on_and_on)
    assert [one.agents for one in played] == [(0, 1), (1, 0)] * 3
    assert score(played, 0).wins == score(played, 1).losses == 6


def test_every_match_of_an_event_has_a_record_that_replays(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "s.db"))
    event = register(store, plan())
    played = play(plan(), Pool(1), on_and_on, store, event)
    records = [read_record(line) for line in store.records(event)]
    assert [record.returns for record in records] == [one.returns for one in played]
    for record in records:
        replay_states(record)


@pytest.mark.parametrize("how", [ROUND_ROBIN, SWISS])
def test_an_event_that_is_stopped_goes_on_where_it_was(tmp_path: Path, how: str) -> None:
    order = plan(how, rounds=3 if how == SWISS else 0)
    whole = lasting(play(order, Pool(1), on_and_on))
    store = Store(str(tmp_path / "s.db"))
    event = register(store, order)
    asked: list[int] = []
    for stop in (1, 4, 9, 99):
        heard: list[int] = []

        def tell(some: list[Played], heard: list[int] = heard, stop: int = stop) -> bool:
            if not heard and not asked:
                assert some == []
            heard.append(len(some))
            return len(heard) > stop

        done = play(order, Pool(1), tell, store, event)
        asked.append(sum(heard[1:]))
    assert lasting(done) == whole
    assert sum(asked) == len(whole)  # nothing was played twice


@pytest.mark.unmeasured
def test_an_event_is_the_same_on_any_number_of_processes(tmp_path: Path) -> None:
    alone, together = Store(str(tmp_path / "a.db")), Store(str(tmp_path / "b.db"))
    first, second = register(alone, plan()), register(together, plan())
    one = play(plan(), Pool(1), on_and_on, alone, first)
    two = play(plan(), Pool(2), on_and_on, together, second)
    assert lasting(one) == lasting(two) == lasting(play(plan(), Pool(), on_and_on))
    assert moves_of(alone, first) == moves_of(together, second)


def test_jobs_are_as_large_as_matches_are_quick() -> None:
    order = plan(matches=40)
    todo = pairings(order, {})
    quick = {0: Played(0, "BY_RULES", (0, 1), (1, -1), (0.001, 0.001), (3, 3), "")}
    slow = {0: quick[0]._replace(seconds=(1.0, 1.0))}
    assert [len(job.pairings) for job in make_jobs(order, todo, slow)] == [1] * 240
    sizes = [len(job.pairings) for job in make_jobs(order, todo, quick)]
    assert sum(sizes) == 240 and max(sizes) == 64


def test_a_test_stops_at_the_same_pair_in_any_order() -> None:
    test = read_sprt("elo0=0,elo1=200,model=logistic")
    won = [
        Played(one, "BY_RULES", (one % 2, 1 - one % 2), (0, 0), (0, 0), (1, 1), "")
        for one in range(60)
    ]
    played = [
        one._replace(returns=(1.0, -1.0) if one.agents[0] == 0 else (-1.0, 1.0)) for one in won
    ]
    forward, backward = StopRule(test), StopRule(test)
    for one in played:
        forward.add([one])
    backward.add(played[::-1])
    assert forward.stopped == backward.stopped
    assert forward.stopped is not None and forward.stopped < 60 and forward.stopped % 2 == 0


def test_a_series_with_a_test_keeps_no_more_than_was_counted(tmp_path: Path) -> None:
    db = str(tmp_path / "s.db")
    sprt = "elo0=0,elo1=150,model=logistic"
    order = ["match", "nuts", "minimax:depth=9", "random", "--rule", "nuts=11", "--seed", "1"]
    told = json.loads(
        run(
            *order, "--matches", "400", "--sprt", sprt, "--processes", "1", "--db", db, "--json"
        ).stdout
    )
    assert told["sprt"]["verdict"] == "accept H1"
    assert 2 < told["matches"] < 400
    assert len(Store(db).matches_of(told["event"])) == told["matches"] == 2 * sum(told["pairs"])


def test_a_tournament_rates_everyone_with_an_interval(tmp_path: Path) -> None:
    order = ["tournament", "nuts", *FIELD, "--rule", "nuts=11", "--matches", "8", "--seed", "1"]
    told = json.loads(run(*order, "--processes", "1", "--no-store", "--json").stdout)
    assert {one["agent"] for one in told["ratings"]} == set(FIELD)
    assert told["ratings"][0]["agent"] == "minimax:depth=2"
    for one in told["ratings"]:
        assert one["interval"][0] < one["elo"] < one["interval"][1]
    assert (
        told["table"][0][0] is None and told["table"][0][1]["wins"] == told["table"][1][0]["losses"]
    )
    assert told["matches"] == 48 and told["endings"] == {"BY_RULES": 48}
    text = run(*order, "--processes", "1", "--no-store").stdout
    assert "minimax:depth=2" in text and "48 matches" in text


def test_pairings_of_a_job_carry_their_numbers() -> None:
    order = plan()
    job = MatchJob(order, (Pairing(7, (2, 0), 3),))
    (played,) = play_job(job)
    record = read_record(played.record)
    assert (played.number, played.agents, record.table) == (7, (2, 0), 3)
    assert record.agents == ("minimax:depth=2", "random")


def test_a_standing_counts_endings_and_thinking() -> None:
    one = Played(0, "BY_RULES", (0, 1), (1.0, -1.0), (1.0, 2.0), (10, 4), "")
    two = Played(1, "CRASHED", (1, 0), (-1.0, 1.0), (2.0, 1.0), (4, 10), "", 0, "IndexError")
    stands = standing([one, two], 2)
    assert stands.endings == {"BY_RULES": 1, "CRASHED": 1}
    assert stands.faults == [(1, "CRASHED", 1, "IndexError")]
    assert (stands.scores[0].wins, stands.scores[1].losses) == (2, 2)
    assert (stands.scores[0].mean_seconds, stands.scores[1].mean_seconds) == (0.1, 0.5)
    assert standing([one, two], 2, sides=True).table[1] == [Tally(0, 0, 1), Tally()]


def test_elo_is_for_two_and_three_have_another_even_share() -> None:
    many = ("--rule", "seats=3", "--rule", "planes=1", "--matches", "3", "--processes", "1")
    three = run("match", "aeroplane", *["random"] * 3, *many)
    assert "33.3 % of the points would be even" in three.stdout and "Elo" not in three.stdout
    told = json.loads(run("match", "aeroplane", *["random"] * 3, *many, "--json").stdout)
    assert told["elo"] is None
    two = run("match", "nuts", "random", "random", "--matches", "2", "--processes", "1").stdout
    assert "Elo" in two and "would be even" not in two


def test_two_seeds_share_no_match() -> None:
    def played(seed: int) -> set[tuple[int, ...]]:
        order = Plan("aeroplane", (("planes", "1"),), ("random",) * 2, 2, SERIES, 6, 0, seed)
        lines = (one.record for one in play_job(MatchJob(order, tuple(pairings(order, {})))))
        return {read_record(line).moves for line in lines}

    assert len(played(1)) == len(played(2)) == 3  # each is played twice, with swapped seats
    assert not played(1) & played(2)


@dataclass
class Counting:
    """Chooses by how often it was asked."""

    asked: int = 0
    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        self.asked += 1
        return Choice(self.asked % 3)


def test_every_match_has_agents_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "counting", Counting)
    order = plan(SERIES, ("counting", "counting"), matches=6)
    todo = tuple(pairings(order, {}))
    for size in (1, 3, 6):
        jobs = [MatchJob(order, todo[start : start + size]) for start in range(0, 6, size)]
        moves = {read_record(one.record).moves for job in jobs for one in play_job(job)}
        assert len(moves) == 1


@dataclass
class Slow:
    """Takes long the first time, as if it had to compile, and is then quick."""

    asked = 0
    policy_known = False

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        Slow.asked += 1
        time.sleep(0.5 if Slow.asked == 1 else 0.0)
        return Choice(0)


def test_the_first_time_is_no_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(AGENTS, "slow", Slow)
    order = plan(SERIES, ("slow", "slow"), matches=1)
    (match,) = play_job(MatchJob(order, tuple(pairings(order, {}))))
    assert sum(match.seconds) < 0.4
    monkeypatch.setattr(Slow, "asked", 0)
    assert json.loads(run("best", "nuts", "--agent", "slow", "--json").stdout)["seconds"] < 0.4


@pytest.mark.parametrize(("most", "count"), [("1", 1), ("9", 4)])
def test_matches_that_go_alike_are_counted_once(tmp_path: Path, most: str, count: int) -> None:
    # With one nut a turn there is nothing to choose; else the two of a pair share their luck.
    order = ["match", "nuts", "random", "random", "--matches", "8", "--seed", "1"]
    order += ["--rule", f"most={most}", "--db", str(tmp_path / "a.db"), "--processes", "1"]
    assert json.loads(run(*order, "--json").stdout)["different"] == count
    assert ("only 1 of the matches" in run(*order).stdout) == (count == 1)


def test_different_matches_differ_in_moves_or_seats() -> None:
    lines = [("a", "b", [1, 2]), ("a", "b", [1, 2]), ("b", "a", [1, 2]), ("a", "b", [1, 3])]
    assert distinct_matches(json.dumps({"agents": one[:2], "moves": one[2]}) for one in lines) == 3
