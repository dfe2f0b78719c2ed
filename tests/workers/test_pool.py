"""What plays in other processes: killed, vanished, hostile or interrupted, nothing is lost."""

import json
import multiprocessing
import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludex.core.time_control import Clocks
from ludex.grading.intake import Entry
from ludex.grading.submission import MarkingTask
from ludex.store import Played, Store
from ludex.tournaments import job
from ludex.tournaments.event import play
from ludex.tournaments.plan import GAUNTLET, SERIES
from ludex.workers import pool
from ludex.workers.pool import Pool, announce_compiling
from tests.commands import run
from tests.events import FIELD, lasting, moves_of, on_and_on, plan

pytestmark = pytest.mark.plain


def vanish(number: int) -> int:
    """End this process without a word at a bad number."""
    if number == 3:
        os._exit(9)
    return number


def sitting(number: int) -> tuple[int, int]:
    return number, os.getpid()


@pytest.mark.usefixtures("measured_processes")
def test_the_same_processes_take_job_after_job() -> None:
    # The jobs are a generator, as those of an event are: it must outlive each look at it.
    with Pool(2) as workers:
        answers = list(workers.run(sitting, (number for number in range(20))))
        answers += workers.run(sitting, range(20, 40))  # and run after run
    assert sorted(number for number, _ in answers) == list(range(40))
    assert len({process for _, process in answers}) <= 2


released = threading.Event()


def patient(number: int) -> tuple[int, bool]:
    """Return a number, in this process only when it is released."""
    here = multiprocessing.parent_process() is None
    if here:
        assert released.wait(60)
    return number, here


def test_what_takes_a_moment_is_done_here_and_the_rest_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepared: list[int] = []
    released.set()
    quick = list(Pool().run(patient, iter(range(5)), prepared.append))
    assert quick == [(number, True) for number in range(5)] and prepared == [0]
    released.clear()
    monkeypatch.setattr(pool, "MOMENT", 0.0)
    monkeypatch.setattr(pool, "cores", lambda: 1)
    answers = Pool().run(patient, iter(range(4)), prepared.append)
    assert sorted(next(answers) for _ in range(3)) == [(1, False), (2, False), (3, False)]
    released.set()
    assert list(answers) == [(0, True)]


def test_other_processes_start_after_this_one_has_prepared() -> None:
    prepared: list[int] = []
    with Pool(2) as workers:
        answers = workers.run(sitting, iter(range(4)), prepared.append)
        first = next(answers)
        assert prepared == [0]
        assert sorted(number for number, _ in (first, *answers)) == [0, 1, 2, 3]
    assert prepared == [0]


def test_a_job_prepares_for_every_agent_of_its_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed: list[tuple[str, ...]] = []
    monkeypatch.setattr(job, "warm_agents", lambda rules, texts: warmed.append(texts))
    order = plan(GAUNTLET, ("greedy", "random", "casual"))
    job.compile_job(job.MatchJob(order, ()))
    assert warmed == [("greedy",) * 2, ("random",) * 2, ("casual",) * 2]


def test_processes_say_once_that_they_compile(capsys: Any) -> None:
    told = threading.Event()
    for game in ("nuts", "trap"):
        announce_compiling(told, game)
    assert capsys.readouterr().err == "compiling the rules of nuts in every process …\n"


def vanish_once(order: MarkingTask) -> str:
    """End this process without a word, the first time."""
    mark = Path(order.workspace)
    if not mark.exists():
        mark.touch()
        os._exit(9)
    return order.entry.name


def test_a_submission_whose_process_vanishes_is_marked_again(tmp_path: Path) -> None:
    order = MarkingTask("nuts.toml", Entry("ann", str(tmp_path)), str(tmp_path / "mark"))
    assert list(Pool().run(vanish_once, [order], timed=True)) == ["ann"]


def test_a_process_that_vanishes_again_and_again_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pool, "TRIES", 2)
    with pytest.raises(ValueError, match="died without an error message"):
        list(Pool().run(vanish, iter(range(5)), timed=True))


def killed_and_resumed(order: list[str], db: str, marks: list[int]) -> dict[str, Any]:
    """Return what a tournament tells that is killed when so many matches are kept, each time."""
    command = [sys.executable, "-m", "ludex", *order, "--db", db, "--json"]
    store = Store(db)
    for mark in marks:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while len(store.matches_of(1)) < mark:
            assert process.poll() is None, "it has ended before it was killed"
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
    told: dict[str, Any] = json.loads(
        subprocess.run(command, capture_output=True, check=True).stdout
    )
    return told


@pytest.mark.compiled
def test_a_killed_tournament_ends_as_an_undisturbed_one(tmp_path: Path) -> None:
    marks = [int(one) for one in os.environ.get("LUDEX_KILLS", "1 300").split()]
    field = [*FIELD[:3], "mcts:sims=2000"]
    order = ["tournament", "nuts", *field, "--matches", "100", "--seed", "3", "--processes"]
    disturbed, quiet = str(tmp_path / "a.db"), str(tmp_path / "b.db")
    two = killed_and_resumed([*order, "1"], quiet, [])  # the first to play compiles for all
    one = killed_and_resumed([*order, "2"], disturbed, marks)
    for told in (one, two):
        del told["seconds"]
        for rating in told["ratings"]:
            del rating["seconds_per_decision"]
    assert one == two
    first, second = Store(disturbed), Store(quiet)
    assert lasting(first.matches_of(1)) == lasting(second.matches_of(1))
    assert moves_of(first, 1) == moves_of(second, 1)
    assert len(moves_of(first, 1)) == 600


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
    address, pool = cluster
    heard = 0

    def tell(some: list[Played]) -> bool:
        nonlocal heard
        heard += len(some)
        if heard > 20:
            pool[0].kill()
        return False

    order = plan(matches=20)
    there = play(order, Pool(dask=address), tell)
    assert pool[0].wait(timeout=9) and pool[1].poll() is None
    assert lasting(there) == lasting(play(order, Pool(1), on_and_on))


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
    play(plan(SERIES, ("random", "greedy"), matches=2), Pool(1), on_and_on)  # compiling takes room
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    played = play(order, Pool(1), on_and_on)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000  # KiB
    assert len(played) == 12
    endings = {one.agents: one.ending for one in played}
    assert endings[0, 1] == endings[1, 0] == "BY_RULES"
    for number, (name, (_, ending)) in enumerate(HOSTILE.items(), start=2):
        assert endings[0, number] == endings[number, 0] == ending, name
        lost = [one.returns[one.agents.index(number)] for one in played if number in one.agents]
        assert ending == "BY_RULES" or lost == [-1.0, -1.0]


INTERRUPTED = """
from ludex.tournaments.event import play
from ludex.workers.pool import Pool
from ludex.tournaments.plan import GAUNTLET, Plan
agents = ("random", "casual", "minimax:depth=100")
plan = Plan("nuts", (("nuts", "100"),), agents, 2, GAUNTLET, 9, 0, 1)
try:
    if __name__ == "__main__":
        play(plan, Pool(2), lambda some: some and print("playing", flush=True))
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
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
    )
    try:
        assert run.stdout is not None and run.stdout.readline() == "playing\n"
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        out, error = run.communicate(timeout=20)  # ends when all that could write have ended
    finally:
        if run.poll() is None:
            os.killpg(run.pid, signal.SIGKILL)
    *played, last = out.splitlines()  # more results may have come before the signal
    assert (set(played) | {"playing"}, last) == ({"playing"}, "interrupted")
    assert (error, run.returncode) == ("", 0)


FAILING = """
import os
from typing import NamedTuple
from ludex.core.rules import OVER

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
        ("os._exit(1)", "a process that played matches died without an error message"),
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
