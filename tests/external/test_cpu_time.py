"""The CPU time of a program is that of everything it has started, and nothing else."""

import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from ludex.agents.registry import Agent
from ludex.core.choice import Choice
from ludex.core.play import choices
from ludex.core.rules import initial
from ludex.core.termination import BY_RULES, OUT_OF_TIME, TRUNCATED
from ludex.core.time_control import Clocks
from ludex.external import cpu_time, sandbox
from ludex.external.agent import ExternalAgent
from ludex.external.cpu_time import POLL_SECONDS, Member, Meter, is_asleep
from ludex.external.process import Process
from ludex.games import nuts, trap
from ludex.match.runner import play_match
from tests.commands import facts
from tests.lines import variant
from tests.players import agent_of, choosing, play, written

pytestmark = pytest.mark.plain

CONFINED = pytest.param(
    True,
    marks=pytest.mark.skipif(bool(sandbox.fault()), reason=f"no sandbox: {sandbox.fault()}"),
    id="sandbox",
)


@pytest.fixture(params=[pytest.param(False, id="unsafe"), CONFINED])
def confined(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a test with a sandbox and without."""
    monkeypatch.setenv(sandbox.UNSAFE, "" if request.param else "1")


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing but CPU time count, however busy the machine is."""
    monkeypatch.setattr("ludex.match.runner.WALL_FACTOR", 100)
    monkeypatch.setattr(Meter, "count_idle", lambda meter, seconds: None)


BURN = "import threading\ndef burn(seconds=1000):\n    while time.process_time() < seconds: pass\n"
# Ways of thinking elsewhere. None of them ends before the clock does.
ELSEWHERE = {
    "a thread": "threading.Thread(target=burn).start()\ntime.sleep(1000)",
    "a child": "if os.fork() == 0: burn()\nos.wait()",
    "reaped children": "for _ in range(9):\n"
    "    if os.fork() == 0: burn(0.1); os._exit(0)\n"
    "    os.wait()",
    "dead children": "for _ in range(9):\n"
    "    inside, outside = os.pipe()\n"
    "    if os.fork() == 0: burn(0.1); os._exit(0)\n"
    "    os.close(outside); os.read(inside, 1)",
    "forgotten children": "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
    "for _ in range(9):\n"
    "    inside, outside = os.pipe()\n"
    "    if os.fork() == 0: burn(0.25); os._exit(0)\n"
    "    os.close(outside); os.read(inside, 1)",
    "many forgotten children": "import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
    "for _ in range(199):\n"
    "    inside, outside = os.pipe()\n"
    "    if os.fork() == 0: burn(0.02); os._exit(0)\n"
    "    os.close(outside); os.read(inside, 1); os.close(inside)",
    "an orphan": "if os.fork() == 0:\n    if os.fork() == 0: burn()\n    os._exit(0)\nos.wait()",
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("body", ELSEWHERE.values(), ids=ELSEWHERE)
def test_who_thinks_in_another_process_or_thread_is_charged(
    body: str, tmp_path: Path, confined: None, patient: None
) -> None:
    source = BURN + choosing(f"{body}\ntime.sleep(1000)")
    match, _ = play(written(tmp_path, source), clocks=Clocks(decision=0.3))
    assert (match.ending, match.words) == (OUT_OF_TIME, "the decision clock of 0.3 s ran out")


def test_waiting_is_no_cpu_time(tmp_path: Path, confined: None, patient: None) -> None:
    source = choosing("time.sleep(0.15)\nreturn moves[0]")
    match, _ = play(written(tmp_path, source), clocks=Clocks(decision=0.1, plies=1))
    assert (match.ending, match.words) == (TRUNCATED, "")
    assert match.seconds[0] < 0.1


def test_who_sleeps_is_charged(tmp_path: Path, confined: None) -> None:
    path = written(tmp_path, choosing("time.sleep(1000)"))
    match, _ = play(path, clocks=Clocks(decision=0.2))
    assert (match.ending, match.words) == (OUT_OF_TIME, "the decision clock of 0.2 s ran out")


def test_who_prints_while_sleeping_is_charged(
    tmp_path: Path, confined: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludex.match.runner.WALL_FACTOR", 20)  # however busy the machine is
    source = choosing("while True:\n    print('x', flush=True)\n    time.sleep(0.01)")
    match, _ = play(written(tmp_path, source), clocks=Clocks(decision=0.2))
    assert (match.ending, match.words) == (OUT_OF_TIME, "the decision clock of 0.2 s ran out")


def test_who_waits_for_us_to_read_is_not_idle(
    tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Process.read_prints

    def read_slowly(process: Process) -> bool:
        more = read(process)
        time.sleep(1.5 * POLL_SECONDS)  # until the pipe is full again
        return more

    monkeypatch.setattr(Process, "read_prints", read_slowly)
    flood = "for _ in range(20 * (position == '21 0')): os.write(2, b'x' * 65536)"
    source = choosing(f"{flood}\nreturn moves[0]")
    match, _ = play(written(tmp_path, source), clocks=Clocks(decision=0.9))
    assert match.ending == BY_RULES


@pytest.mark.parametrize(
    ("code", "idle"), [("while True: pass", 0.0), ("import time; time.sleep(1000)", 7.0)]
)
def test_who_wants_to_run_is_not_idle(code: str, idle: float) -> None:
    """A machine that lets a program wait is no fault of the program."""
    with subprocess.Popen([sys.executable, "-c", f"print(flush=True)\n{code}"], stdout=-1) as child:
        assert child.stdout
        child.stdout.readline()
        meter = Meter(child.pid, orphans=False)
        meter.begin()
        while idle and not is_asleep(child.pid):
            pass
        meter.count_idle(7.0)
        assert meter.idle == idle
        child.kill()


def test_starting_is_not_charged(tmp_path: Path, confined: None, patient: None) -> None:
    source = BURN.replace("import threading", "import time") + "burn(0.2)\n"
    path = written(tmp_path, source + choosing("return moves[0]"))
    match, _ = play(path, clocks=Clocks(decision=0.1, plies=1))
    assert (match.ending, match.words) == (TRUNCATED, "")


class Patient:
    """Waits with its answer until a program has thought for so long."""

    policy_known = False
    thought = 0.0

    def __init__(self, program: ExternalAgent, seconds: float) -> None:
        self.program, self.seconds = program, seconds

    def consider(self, rules: Any, state: Any, seat: int, rng: np.random.Generator) -> Choice:
        assert self.program.process is not None
        meter = self.program.process.meter
        end = meter.total() + self.seconds
        while meter.total() < end:
            time.sleep(0.01)
        return Choice(choices(rules, state, seat)[0])


def test_who_thinks_while_others_do_is_charged(
    tmp_path: Path, confined: None, patient: None
) -> None:
    source = BURN + choosing("if os.fork() == 0: burn()\nreturn moves[0]")
    rules, agent = variant("nuts"), agent_of(written(tmp_path, source))
    seated: list[Agent] = [agent, Patient(agent, 0.3)]
    match = play_match(rules, initial(rules), seated, 0, clocks=Clocks(decision=0.2))
    assert (match.words, match.offender) == ("the decision clock of 0.2 s ran out", 0)
    assert len(match.moves) == 2


def sums(*numbers: float) -> Iterator[float]:
    """Return the totals of a program whose processes have these sums, one after the other."""
    meter = Meter(os.getpid(), orphans=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cpu_time, "HAS_PROC", True)
        patch.setattr(meter, "processes", lambda: [os.getpid()])
        for number in numbers:
            patch.setattr(cpu_time, "cpu_seconds", lambda process, facts, number=number: number)
            yield meter.total()


def test_what_was_overlooked_for_a_moment_is_not_charged_twice() -> None:
    assert list(sums(5.0, 3.0, 5.0, 6.0)) == [5.0, 5.0, 5.0, 6.0]


def test_what_is_gone_for_good_was_used_all_the_same() -> None:
    assert list(sums(5.0, 3.0, 3.5, 4.0)) == [5.0, 5.0, 5.0, 5.5]


def test_rounding_is_not_charged() -> None:
    assert list(sums(5.0, 4.99, 4.99, 5.01)) == [5.0, 5.0, 5.0, 5.01]


@pytest.mark.parametrize("reaped", [["X", "1"], ["Z", "0"]])
def test_what_a_parent_has_just_reaped_is_not_counted_twice(
    reaped: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    meter = Meter(1, orphans=False)
    shown = {1: ["S", "7", *"000000"], 2: [*reaped, *"000000"]}
    monkeypatch.setattr(cpu_time, "HAS_PROC", True)
    monkeypatch.setattr(cpu_time, "stat", lambda process: [*shown[process], "0"])
    monkeypatch.setattr(cpu_time, "cpu_seconds", lambda process, facts: 3.0)
    monkeypatch.setattr(meter, "processes", lambda: shown)
    assert meter.total() == 3.0


# What three processes show at the start, and the first of them when it has reaped the others.
FAMILY = {1: Member(0, 9, 0), 2: Member(1, 5, 1), 3: Member(2, 7, 0)}
REAPED = {1: Member(0, 9, 13)}


@pytest.mark.parametrize(
    ("looks", "charged"),
    [
        pytest.param([FAMILY, REAPED, REAPED], 0.0, id="reaped"),
        pytest.param([FAMILY, {1: FAMILY[1]}, REAPED], 0.0, id="reaped during a look"),
        pytest.param([FAMILY, {1: FAMILY[1]}, {1: FAMILY[1]}], 2.0, id="both forgotten"),
        pytest.param([FAMILY, {1: FAMILY[1], 2: FAMILY[2]}, REAPED], 1.0, id="one forgotten"),
        pytest.param(
            [FAMILY, {1: FAMILY[1], 2: Member(1, 5, 8)}, REAPED, REAPED], 0.0, id="reaper reaped"
        ),
        pytest.param([FAMILY, {}, {}], 0.0, id="all ended"),
    ],
)
def test_processes_that_nobody_waits_for_are_charged_from_look_to_look(
    looks: list[dict[int, Member]], charged: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake: Any = SimpleNamespace(now=0.0, monotonic=lambda: fake.now)
    monkeypatch.setattr(cpu_time, "time", fake)
    meter, total = Meter(1, orphans=False), 0.0
    for members in looks:
        fake.now += 1.0
        total += meter.unreaped_seconds(members)
    assert total == charged


@pytest.mark.unmeasured
def test_who_waits_for_children_pays_no_more_than_they_use() -> None:
    code = "import os\nfor _ in range(99):\n    if os.fork() == 0: os._exit(0)\n    os.wait()"
    with subprocess.Popen(
        [sys.executable, "-c", f"{code}\nprint(flush=True)\ninput()"], stdin=-1, stdout=-1
    ) as child:
        assert child.stdout
        meter = Meter(child.pid, orphans=False)
        while not select.select([child.stdout], [], [], 0.0)[0]:
            meter.total()
        assert meter.lost == 0.0
        child.kill()


def test_without_proc_the_time_of_others_is_not_charged(monkeypatch: pytest.MonkeyPatch) -> None:
    fake: Any = SimpleNamespace(now=0.0, monotonic=lambda: fake.now)
    monkeypatch.setattr(cpu_time, "HAS_PROC", False)
    monkeypatch.setattr(cpu_time, "time", fake)
    meter, took = Meter(1, orphans=True), []
    for waited, thought in ((5.0, 1.0), (7.0, 2.0)):
        fake.now += waited
        meter.begin()
        fake.now += thought
        took.append((meter.used_seconds(), meter.finish()))
    assert took == [(1.0, 1.0), (2.0, 2.0)]


def test_without_proc_wall_time_is_charged(
    tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cpu_time, "HAS_PROC", False)
    source = choosing("time.sleep(1000)")
    match, _ = play(written(tmp_path, source), clocks=Clocks(decision=0.1))
    assert (match.ending, match.words) == (OUT_OF_TIME, "the decision clock of 0.1 s ran out")


# The clock that is there if nobody says one. ------------------------------------------------------


def test_a_game_that_is_silent_gives_ten_seconds_for_a_decision(
    tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written(tmp_path, choosing("time.sleep(1000)"))
    assert agent_of(path).default_clocks == Clocks(decision=10.0)
    monkeypatch.setattr(nuts, "CLOCK", "decision=0.02", raising=False)
    match, _ = play(path)
    assert match.words == "the decision clock of 0.02 s ran out"


# Takes longer than a clock of 0.02 s lets it, once.
SLEEPER = """
import time
late = 0.15
def choose(position, moves, seconds):
    global late
    time.sleep(late)
    late = 0
    return moves[0]
"""


@pytest.mark.parametrize("none", ["", "--clock", "clock"], ids=["default", "option", "file"])
def test_a_sleeper_loses_in_trap_unless_the_clock_is_turned_off(
    none: str, tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trap, "CLOCK", "turn=0.02")
    path = written(tmp_path, SLEEPER)
    order = tmp_path / "league.toml"
    order.write_text('game = "trap"\nclock = "none"\n' if none == "clock" else 'game = "trap"\n')
    options = ["--clock", "none"] if none == "--clock" else []
    told = facts(
        *("tournament", "trap", path, "random", "--rule", "size=3", "--matches", "1"),
        *("--file", str(order), "--no-store", "--processes", "1", "--seed", "1", *options),
    )
    assert told["endings"] == ({"BY_RULES": 1} if none else {"OUT_OF_TIME": 1})
    if not none:
        [fault] = told["faults"]
        assert "the turn clock of 0.02 s ran out" in str(fault)


def test_a_program_is_told_its_clocks(tmp_path: Path, unsafe: None) -> None:
    source = """#!/usr/bin/env python3
import json, sys
print(json.loads(sys.stdin.readline())["clocks"], file=sys.stderr)
print('{"ready": true}', flush=True)
print(json.loads(sys.stdin.readline())["seconds"], file=sys.stderr)
"""
    path = written(tmp_path, source, "program")
    told = {
        Clocks(): "{'decision': None, 'turn': 5.0, 'match': None}\n5.0\n",
        Clocks(off=True): "{'decision': None, 'turn': None, 'match': None}\n86400.0\n",
        Clocks(match=60.0): "{'decision': None, 'turn': None, 'match': 60.0}\n60.0\n",
    }
    assert {clocks: play(path, "trap", clocks)[1] for clocks in told} == told
