"""Events give the same results wherever they are played and however often they are stopped."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

from ludex.agents import AGENTS
from ludex.choice import Choice
from ludex.cli import cli
from ludex.clocks import Clocks
from ludex.record import read_record, replayed
from ludex.stats import read_sprt
from ludex.store import Played, Store
from ludex.tournament import workers
from ludex.tournament.event import Place, enter, play
from ludex.tournament.job import Job, jobs_of, play_job
from ludex.tournament.plan import GAUNTLET, ROUND_ROBIN, SERIES, SWISS, Pairing, Plan, pairings
from ludex.tournament.series import Watch
from ludex.tournament.standing import score, standing
from ludex.tournament.workers import on_processes

FIELD = ("random", "greedy", "minimax:depth=2", "casual")


def plan(how: str = ROUND_ROBIN, agents: tuple[str, ...] = FIELD, **changes: Any) -> Plan:
    order = Plan("nuts", (("nuts", "11"),), agents, 2, how, 4, 0, 5)
    return order._replace(**changes)


def on_and_on(played: list[Played]) -> bool:
    return False


def lasting(played: list[Played]) -> list[Any]:
    """Return what does not depend on how fast a machine is."""
    return [(one.number, one.agents, one.returns, one.ending, one.decisions) for one in played]


def moves_of(store: Store, event: int) -> list[tuple[int, ...]]:
    return [read_record(line).moves for line in store.records(event)]


def run(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="ludex")


def test_swapped_seats_share_their_luck() -> None:
    order = Plan("aeroplane", (("planes", "1"),), ("greedy", "greedy"), 2, SERIES, 4, 0, 5)
    played = play_job(Job(order, tuple(pairings(order, {}))))
    first, second, third, _ = (read_record(one.record).moves for one in played)
    assert first == second != third


def test_the_better_agent_wins_wherever_it_sits() -> None:
    order = plan(SERIES, ("minimax:depth=11", "random"), matches=6)
    played = play(order, Place(1), on_and_on)
    assert [one.agents for one in played] == [(0, 1), (1, 0)] * 3
    assert score(played, 0).wins == score(played, 1).losses == 6


def test_every_match_of_an_event_has_a_record_that_replays(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "s.db"))
    event = enter(store, plan())
    played = play(plan(), Place(1), on_and_on, store, event)
    records = [read_record(line) for line in store.records(event)]
    assert [record.returns for record in records] == [one.returns for one in played]
    for record in records:
        replayed(record)


@pytest.mark.parametrize("how", [ROUND_ROBIN, SWISS])
def test_an_event_that_is_stopped_goes_on_where_it_was(tmp_path: Path, how: str) -> None:
    order = plan(how, rounds=3 if how == SWISS else 0)
    whole = lasting(play(order, Place(1), on_and_on))
    store = Store(str(tmp_path / "s.db"))
    event = enter(store, order)
    asked: list[int] = []
    for stop in (1, 4, 9, 99):
        heard: list[int] = []

        def tell(some: list[Played], heard: list[int] = heard, stop: int = stop) -> bool:
            if not heard and not asked:
                assert some == []
            heard.append(len(some))
            return len(heard) > stop

        done = play(order, Place(1), tell, store, event)
        asked.append(sum(heard[1:]))
    assert lasting(done) == whole
    assert sum(asked) == len(whole)  # nothing was played twice


def test_an_event_is_the_same_on_any_number_of_processes(tmp_path: Path) -> None:
    alone, together = Store(str(tmp_path / "a.db")), Store(str(tmp_path / "b.db"))
    first, second = enter(alone, plan()), enter(together, plan())
    one = play(plan(), Place(1), on_and_on, alone, first)
    two = play(plan(), Place(2), on_and_on, together, second)
    assert lasting(one) == lasting(two)
    assert moves_of(alone, first) == moves_of(together, second)


def test_jobs_are_as_large_as_matches_are_quick() -> None:
    order = plan(matches=40)
    todo = pairings(order, {})
    quick = {0: Played(0, "BY_RULES", (0, 1), (1, -1), (0.001, 0.001), (3, 3), "")}
    slow = {0: quick[0]._replace(seconds=(1.0, 1.0))}
    assert [len(job.pairings) for job in jobs_of(order, todo, slow)] == [1] * 240
    sizes = [len(job.pairings) for job in jobs_of(order, todo, quick)]
    assert sum(sizes) == 240 and max(sizes) == 64


def vanish(number: int) -> int:
    """End this process without a word at a bad number."""
    if number == 3:
        os._exit(9)
    return number


def test_a_process_that_vanishes_again_and_again_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "TRIES", 2)
    with pytest.raises(ValueError, match="has ended without a word"):
        list(on_processes(vanish, iter(range(5)), 1))


def test_a_test_stops_at_the_same_pair_in_any_order() -> None:
    test = read_sprt("elo0=0,elo1=200,model=logistic")
    won = [
        Played(one, "BY_RULES", (one % 2, 1 - one % 2), (0, 0), (0, 0), (1, 1), "")
        for one in range(60)
    ]
    played = [
        one._replace(returns=(1.0, -1.0) if one.agents[0] == 0 else (-1.0, 1.0)) for one in won
    ]
    forward, backward = Watch(test), Watch(test)
    for one in played:
        forward.told([one])
    backward.told(played[::-1])
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
    assert len(Store(db).played(told["event"])) == told["matches"] == 2 * sum(told["pairs"])


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


def test_history_finds_and_exports(tmp_path: Path) -> None:
    db = ["--db", str(tmp_path / "s.db")]
    nothing = run("history", *db)
    assert "nothing was played yet" in nothing.stdout
    assert "no ladder was played yet" in run("history", "--ratings", *db).stdout
    order = ["match", "nuts", "random", "greedy", "--rule", "nuts=11", "--matches", "4"]
    assert run(*order, "--seed", "1", "--processes", "1", *db).exit_code == 0
    shown = run("history", "--game", "nuts", "--agent", "greedy", *db).stdout
    assert "nuts nuts=11" in shown and "random greedy" in shown and "not finished" not in shown
    (event,) = json.loads(run("history", "--json", *db).stdout)
    assert (event["matches"], event["agents"], event["seed"]) == (4, ["random", "greedy"], 1)
    assert "1/3" in run("history", "1", *db).stdout
    told = json.loads(run("history", "1", "--json", *db).stdout)
    assert [one["match"] for one in told["matches"]] == ["1/0", "1/1", "1/2", "1/3"]
    table, lines = tmp_path / "a.csv", tmp_path / "a.jsonl"
    assert "4 matches" in run("history", "1", "--out", str(table), *db).stdout
    rows = table.read_text().splitlines()
    assert rows[0].startswith("event,match,game,seat") and len(rows) == 9
    run("history", "--out", str(lines), *db)
    assert [read_record(line).agents[0] for line in lines.read_text().splitlines()] == [
        "random",
        "greedy",
        "random",
        "greedy",
    ]
    assert "expected a name that ends in" in run("history", "--out", "a.txt", *db).stderr
    assert "Player 1" in run("replay", "1/2", *db).stdout


def test_a_ladder_keeps_its_ratings(tmp_path: Path) -> None:
    db = str(tmp_path / "s.db")
    order = ["ladder", "nuts", "--matches", "2", "--seed", "1", "--processes", "1", "--db", db]
    told = json.loads(run(*order, "--rule", "nuts=11", "--json").stdout)
    rated = {row.agent: row for row in Store(db).rated("nuts")}
    assert set(rated) == {"random", "easy", "medium", "hard", "best"}
    assert rated["random"].elo == 0.0 < rated["best"].elo
    assert {row["agent"]: row["elo"] for row in told["ratings"]} == {
        agent: row.elo for agent, row in rated.items()
    }
    assert rated["best"].source and rated["best"].day.startswith("20")
    assert "best" in run("history", "--ratings", "--db", db).stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["tournament"], "which game?"),
        (["tournament", "nuts", "random"], "needs two agents at least, not 1"),
        (["tournament", "nuts", "random", "random"], "is there twice"),
        (["tournament", "nuts", "random", "greedy", "--matches", "0"], "matches"),
        (["tournament", "nuts", "random", "gredy"], "no agent 'gredy'; did you mean 'greedy'"),
        (["tournament", "--file", "/no/such.toml"], "'/no/such.toml': No such file"),
        (["match", "nuts", "random", "greedy", "--clock", "turn=0"], "expected seconds above 0"),
        (["match", "nuts", "random", "greedy", "--sprt", "elo0=5"], "elo1 is missing"),
        (["match", "nuts", "random", "greedy", "--dask", "x", "--processes", "2"], "one of them"),
        (["match", "nuts", "random", "greedy", "--db", "mysql://x"], "expected sqlite"),
        (["history", "99"], "the store has no event 99"),
        (["replay", "99/1"], "the store has no match 99/1"),
        (["replay", "/no/such.jsonl"], "No such file"),
        (["analyse", "/no/such.jsonl"], "expected a file of records, or EVENT/MATCH"),
    ],
)
def test_bad_input_is_refused_in_one_line(arguments: list[str], words: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr and result.stderr.count("\n") == 1


def killed_and_resumed(order: list[str], db: str, delays: list[float]) -> dict[str, Any]:
    """Return what a tournament tells that is killed after each delay and ordered again."""
    command = [sys.executable, "-m", "ludex", *order, "--db", db, "--json"]
    for delay in delays:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        process.wait()
    told: dict[str, Any] = json.loads(
        subprocess.run(command, capture_output=True, check=True).stdout
    )
    return told


@pytest.mark.compiled
def test_a_killed_tournament_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    delays = [float(one) for one in os.environ.get("LUDEX_KILLS", "1.6 2.2").split()]
    order = ["tournament", "nuts", *FIELD, "--matches", "200", "--seed", "3", "--processes", "2"]
    disturbed, quiet = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    one = killed_and_resumed(order, disturbed, delays)
    two = killed_and_resumed(order, quiet, [])
    for told in (one, two):
        del told["seconds"]
        for rating in told["ratings"]:
            del rating["seconds_per_decision"]
    assert one == two
    first, second = Store(disturbed), Store(quiet)
    assert lasting(first.played(1)) == lasting(second.played(1))
    assert moves_of(first, 1) == moves_of(second, 1)
    assert len(moves_of(first, 1)) == 1200


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Start a Dask scheduler with two workers, as anybody would."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    common: dict[str, Any] = {
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
        "cwd": tmp_path,
    }
    scheduler = [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "0"]
    scheduler += ["--no-dashboard", "--host", "127.0.0.1", "--scheduler-file", str(file)]
    worker = [sys.executable, "-m", "distributed.cli.dask_worker", "--scheduler-file", str(file)]
    worker += ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
    started = [subprocess.Popen(scheduler, **common)]
    started += [subprocess.Popen(worker, **common) for _ in range(2)]
    try:
        while not file.exists():
            assert started[0].poll() is None
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], started[1:]
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.compiled
def test_a_cluster_that_loses_a_worker_gives_the_same_results(
    cluster: tuple[str, list[subprocess.Popen[bytes]]],
) -> None:
    address, workers = cluster
    heard = 0

    def tell(some: list[Played]) -> bool:
        nonlocal heard
        heard += len(some)
        if heard > 20:
            workers[0].kill()
        return False

    order = plan(matches=20)
    there = play(order, Place(dask=address), tell)
    assert workers[0].wait(timeout=9) and workers[1].poll() is None
    assert lasting(there) == lasting(play(order, Place(1), on_and_on))


HOSTILE = {
    "raises": ("def choose(position, moves, seconds): return moves[9]", "CRASHED"),
    "illegal": ("def choose(position, moves, seconds): return 'take 9'", "ILLEGAL"),
    "sleeps": ("import time\ndef choose(*all): time.sleep(99)", "OUT_OF_TIME"),
    "floods": (
        "def choose(position, moves, seconds):\n"
        "    for _ in range(1000): print('x' * 100_000)\n"
        "    return moves[0]",
        "BY_RULES",
    ),
    "exits": ("import os\ndef choose(*all): os._exit(3)", "CRASHED"),
}


@pytest.mark.compiled
def test_a_hostile_field_harms_itself_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("bwrap") is None:
        monkeypatch.setenv("LUDEX_UNSAFE", "1")
    tmp_path.chmod(0o755)
    for name, (code, _) in HOSTILE.items():
        (tmp_path / f"{name}.py").write_text(code)
    bad = [str(tmp_path / f"{name}.py") for name in HOSTILE]
    order = plan(GAUNTLET, ("random", "greedy", *bad), matches=2, clocks=Clocks(decision=1.5))
    play(plan(SERIES, ("random", "greedy"), matches=2), Place(1), on_and_on)  # compiling takes room
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    played = play(order, Place(1), on_and_on)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB
    assert len(played) == 12
    endings = {one.agents: one.ending for one in played}
    assert endings[0, 1] == endings[1, 0] == "BY_RULES"
    for number, (name, (_, ending)) in enumerate(HOSTILE.items(), start=2):
        assert endings[0, number] == endings[number, 0] == ending, name
        lost = [one.returns[one.agents.index(number)] for one in played if number in one.agents]
        assert ending == "BY_RULES" or lost == [-1.0, -1.0]


def test_pairings_of_a_job_carry_their_numbers() -> None:
    order = plan()
    job = Job(order, (Pairing(7, (2, 0), 3),))
    (played,) = play_job(job)
    record = read_record(played.record)
    assert (played.number, played.agents, record.table) == (7, (2, 0), 3)
    assert record.agents == ("minimax:depth=2", "random")


def test_a_standing_counts_endings_and_thinking() -> None:
    one = Played(0, "BY_RULES", (0, 1), (1.0, -1.0), (1.0, 2.0), (10, 4), "")
    two = Played(1, "CRASHED", (1, 0), (-1.0, 1.0), (2.0, 1.0), (4, 10), "")
    stands = standing([one, two], 2)
    assert stands.endings == {"BY_RULES": 1, "CRASHED": 1}
    assert (stands.scores[0].wins, stands.scores[1].losses) == (2, 2)
    assert (stands.scores[0].pace, stands.scores[1].pace) == (0.1, 0.5)
    assert standing([one, two], 2, sides=True).table[1] == [(0, 0, 1), (0, 0, 0)]


def test_elo_is_for_two_and_three_have_another_even_share() -> None:
    many = ("--rule", "seats=3", "--rule", "planes=1", "--matches", "3", "--processes", "1")
    three = run("match", "aeroplane", *["random"] * 3, *many)
    assert "33.3 % would be even" in three.stdout and "Elo" not in three.stdout
    told = json.loads(run("match", "aeroplane", *["random"] * 3, *many, "--json").stdout)
    assert told["elo"] is None
    two = run("match", "nuts", "random", "random", "--matches", "2", "--processes", "1").stdout
    assert "Elo" in two and "would be even" not in two


def test_two_seeds_share_no_match() -> None:
    def played(seed: int) -> set[tuple[int, ...]]:
        order = Plan("aeroplane", (("planes", "1"),), ("random",) * 2, 2, SERIES, 6, 0, seed)
        lines = (one.record for one in play_job(Job(order, tuple(pairings(order, {})))))
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
        jobs = [Job(order, todo[start : start + size]) for start in range(0, 6, size)]
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
    (match,) = play_job(Job(order, tuple(pairings(order, {}))))
    assert sum(match.seconds) < 0.4
    monkeypatch.setattr(Slow, "asked", 0)
    assert json.loads(run("best", "nuts", "--agent", "slow", "--json").stdout)["seconds"] < 0.4


# What plays in other processes. -------------------------------------------------------------------

INTERRUPTED = """
from ludex.tournament.event import Place, play
from ludex.tournament.plan import GAUNTLET, Plan
agents = ("random", "casual", "minimax:depth=100")
plan = Plan("nuts", (("nuts", "100"),), agents, 2, GAUNTLET, 9, 0, 1)
try:
    if __name__ == "__main__":
        play(plan, Place(2), lambda some: some and print("playing", flush=True))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupted_series_leaves_at_once_and_leaves_nothing_behind(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(INTERRUPTED)
    run = subprocess.Popen(
        [sys.executable, str(script)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent.parent)},
    )
    try:
        assert run.stdout is not None and run.stdout.readline() == "playing\n"
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        out, error = run.communicate(timeout=20)  # ends when all that could write have ended
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    assert (out, error, run.returncode) == ("interrupted\n", "", 0)


FAILING = """
import os
from typing import NamedTuple
from ludex.rules import OVER

ACTIONS = 2

class FailingRules(NamedTuple):
    none: int = 0

class Failing(NamedTuple):
    left: int

def initial(rules):
    return Failing(2)

def turn(rules, state):
    return 0 if state.left > 0 else OVER

def moves(rules, state, seat):
    return 3

def apply(rules, state, move):
    return Failing(state.left - 1)

def returns(rules, state, seat):
    {fails}
"""


@pytest.mark.parametrize(
    ("fails", "wanted"),
    [
        ("return 1 // (state.left * seat)", " failed with ZeroDivisionError: "),
        ("os._exit(1)", "a process that played matches has ended without a word"),
    ],
)
def test_what_fails_in_another_process_is_told_in_one_line(
    fails: str, wanted: str, tmp_path: Path
) -> None:
    file = tmp_path / "failing.py"
    file.write_text(FAILING.format(fails=fails))
    result = run("match", str(file), "random", "random", "--matches", "4", "--processes", "2")
    assert result.exit_code == 2
    assert wanted in result.stderr and result.stderr.count("\n") == 1
