"""Other people's programs: they play, they lose by what they do, and nothing is left of them."""

import json
import os
import re
import select
import shutil
import sys
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ludex.agents.registry import Random
from ludex.cli import cli
from ludex.core.rules import initial
from ludex.core.termination import BY_RULES, CRASHED, ILLEGAL, OUT_OF_TIME, Offence
from ludex.core.time_control import Clocks
from ludex.external import process, sandbox
from ludex.external.cpu_time import Meter
from ludex.external.launch import MEMORY_VARIABLE
from ludex.external.log import Log
from ludex.match.runner import play_match
from ludex.match.warm_up import frugal_copy
from tests.lines import variant
from tests.players import PLAYER, agent_of, choosing, play, written

pytestmark = pytest.mark.plain

PAGE = (Path(__file__).parents[2] / "docs" / "external.md").read_text(encoding="utf-8")
CONFINED = pytest.param(
    True,
    marks=pytest.mark.skipif(bool(sandbox.fault()), reason=f"no sandbox: {sandbox.fault()}"),
    id="sandbox",
)


@pytest.fixture(params=[pytest.param(False, id="unsafe"), CONFINED])
def confined(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Run a test with a sandbox and without."""
    monkeypatch.setenv(sandbox.UNSAFE, "" if request.param else "1")
    return bool(request.param)


@pytest.fixture
def unsafe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(sandbox.UNSAFE, "1")


@pytest.mark.unmeasured
@pytest.mark.parametrize("game", ["nuts", "arena", "aeroplane", "trap", "droids"])
def test_a_file_plays_every_game(game: str, tmp_path: Path, unsafe: None) -> None:
    match, log = play(written(tmp_path, PLAYER), game)
    assert (match.ending, match.words) == (BY_RULES, "")
    assert f"begin {game} " in log


def test_a_limit_that_is_no_number_is_not_the_fault_of_a_file(
    tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(MEMORY_VARIABLE, "lots")
    with pytest.raises(ValueError, match="LUDEX_MEMORY 'lots': expected a whole number from 1"):
        play(written(tmp_path, PLAYER))


def test_what_it_prints_is_kept(tmp_path: Path, confined: bool) -> None:
    match, log = play(written(tmp_path, PLAYER))
    assert match.ending == BY_RULES
    assert log.startswith("begin nuts [('most', 3), ('nuts', 21)] 0\n21 0 3 10.0\nerror\n")


@pytest.mark.unmeasured
def test_the_same_seed_gives_the_same_match(tmp_path: Path, unsafe: None) -> None:
    source = "import numpy as np\nimport random\n" + choosing(
        "print({'take 1', 'take 2', 'take 3', 'a', 'b', 'c', 'd'}, random.random())\n"
        "return moves[(np.random.randint(3) + random.randrange(3)) % 3]"
    )
    one, two = (play(written(tmp_path, source)) for _ in range(2))
    assert one[0].moves == two[0].moves
    assert one[1] == two[1]


def test_a_folder_may_have_modules_of_its_own(tmp_path: Path, confined: bool) -> None:
    tmp_path.chmod(0o755)
    written(tmp_path, "def last(moves):\n    return moves[-1]\n", "ideas.py")
    written(tmp_path, "import ideas\n" + choosing("return ideas.last(moves)"), "agent.py")
    match, _ = play(str(tmp_path))
    assert (match.ending, match.moves[0]) == (BY_RULES, 2)


def blocks_of_the_page(kind: str) -> dict[str, str]:
    found = re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    names = [re.search(r"(?:#|//) (\w+\.\w+)\n", block) for block in found]
    return {name[1]: block for name, block in zip(names, found, strict=True) if name}


def test_the_examples_of_the_page_play(tmp_path: Path, confined: bool) -> None:
    examples = blocks_of_the_page("python")
    assert set(examples) == {"modulo.py", "first.py"}
    won, log = play(written(tmp_path, examples["modulo.py"], "modulo.py"))
    assert (won.ending, won.returns[0]) == (BY_RULES, 1.0)
    assert log.startswith("there are 21 nuts, so I take 0\n")
    first, _ = play(written(tmp_path, examples["first.py"], "first.py"))
    assert (first.ending, set(first.moves[::2])) == (BY_RULES, {0})


@pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
def test_the_example_in_javascript_plays(tmp_path: Path, confined: bool) -> None:
    match, log = play(written(tmp_path, blocks_of_the_page("js")["last.js"], "last.js"))
    assert (match.ending, match.words, log) == (BY_RULES, "", "")
    assert set(match.moves[::2]) == {2}


def test_the_command_line_takes_a_path(tmp_path: Path, unsafe: None) -> None:
    path = written(tmp_path, choosing("return moves[0]"))
    result = CliRunner().invoke(cli, ["best", "nuts", "--agent", path, "--json"])
    assert json.loads(result.stdout)["move"] == "take 1"


def test_nobody_is_asked_in_vain(tmp_path: Path, unsafe: None) -> None:
    assert isinstance(frugal_copy(agent_of(written(tmp_path, PLAYER))), Random)


# Losing. ------------------------------------------------------------------------------------------

ANSWERS = {
    "None": "None",
    "float('nan')": "nan",
    "10**5000": "<an int of very many digits>",
    "1": "1",
    "('take 1', 'take 2')": "('take 1', 'take 2')",
    "b'take 1'": "b'take 1'",
    "'take 9'": "'take 9'",
    "'TAKE 1'": "'TAKE 1'",
    "''": "''",
    "type('Odd', (), {'__repr__': lambda self: 1 / 0})()": "<Odd: ZeroDivisionError>",
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("answer", ANSWERS)
def test_what_is_no_move_is_illegal(answer: str, tmp_path: Path, unsafe: None) -> None:
    match, _ = play(written(tmp_path, choosing(f"return {answer}")))
    assert (match.ending, match.offender) == (ILLEGAL, 0)
    wanted = f"answered {ANSWERS[answer]}, which is not a move here"
    if answer == "'take 9'":
        wanted = "took 9, where 1 to 3 may be taken"
    assert match.words == f"{wanted}, in position 21 0"


def test_a_huge_answer_is_cut(tmp_path: Path, unsafe: None) -> None:
    match, _ = play(written(tmp_path, choosing("return 'x' * 10000")))
    assert match.ending == ILLEGAL and len(match.words) < 400
    match, _ = play(written(tmp_path, choosing("return 'x' * 1_000_000")))
    assert (match.ending, match.words) == (ILLEGAL, "answered a line of more than 65536 bytes")


CRASHES = {
    choosing("raise RuntimeError('no\\nidea')"): "RuntimeError: no idea (line 3 of player.py)",
    choosing("[][0]"): "IndexError: list index out of range (line 3 of player.py)",
    choosing("import json\njson.loads('?')"): "JSONDecodeError: Expecting value: line 1 column 1 "
    "(char 0) (line 4 of player.py)",
    choosing("sys.exit(3)"): "ended with exit code 3",
    choosing("sys.exit('enough')"): "ended with exit code 1: enough",
    choosing("os._exit(0)"): "ended with exit code 0",
    choosing("os.kill(os.getpid(), 9)"): "was ended by SIGKILL",
    choosing("input()"): "EOFError: EOF when reading a line (line 3 of player.py)",
    choosing("return bytearray(1 << 40)"): "MemoryError (line 3 of player.py)",
    choosing("choose(position, moves, seconds)"): "RecursionError: maximum recursion depth exceeded"
    " (line 3 of player.py)",
    "1 / 0\n" + choosing("pass"): "ZeroDivisionError: division by zero (line 1 of player.py)",
    "import nothing_like_it\ndef choose(): pass\n": "ModuleNotFoundError: No module named "
    "'nothing_like_it' (LUDEX_PACKAGES=nothing_like_it in the environment would bring it)"
    " (line 1 of player.py)",
    "def choose(position): pass\n": "TypeError: choose() takes 1 positional argument but 3 were"
    " given",
    "raise SystemExit(5)\ndef choose(): pass\n": "ended with exit code 5",
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("source", CRASHES, ids=list(CRASHES.values()))
def test_what_fails_has_crashed(source: str, tmp_path: Path, unsafe: None) -> None:
    match, _ = play(written(tmp_path, source))
    assert (match.ending, match.offender, match.returns) == (CRASHED, 0, (-1.0, 1.0))
    assert match.words == CRASHES[source]


def test_a_crash_leaves_its_own_traceback_in_the_output(tmp_path: Path, confined: bool) -> None:
    tmp_path.chmod(0o755)
    written(tmp_path, "def last(moves):\n    return moves[9]\n", "ideas.py")
    source = "import ideas\n" + choosing("print('so far')\nreturn ideas.last(moves)")
    written(tmp_path, source, "agent.py")
    match, _ = play(str(tmp_path))
    assert match.output == (
        "so far\n"
        "Traceback (most recent call last):\n"
        '  File "agent.py", line 5, in choose\n'
        "    return ideas.last(moves)\n"
        "           ^^^^^^^^^^^^^^^^^\n"
        '  File "ideas.py", line 2, in last\n'
        "    return moves[9]\n"
        "           ~~~~~^^^\n"
        "IndexError: list index out of range\n",
        "",
    )
    assert match.words == "IndexError: list index out of range (line 2 of ideas.py)"


FAILING = {
    "import": "import json\njson.loads('?')\n" + choosing("pass"),
    "cause": choosing("try: open('nothing')\nexcept OSError as error: raise KeyError from error"),
    "thread": choosing("import threading\nthreading.Thread(target=lambda: 1 / 0).start()\n1 / 0"),
    "interrupt": choosing("raise KeyboardInterrupt"),
    "syntax": choosing("eval('(')"),
    "program": "#!/usr/bin/env python3\ndef fail(): 1 / 0\nfail()\n",
    "no interpreter": "#!/nowhere/python\n",
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("source", FAILING.values(), ids=FAILING)
def test_no_traceback_tells_where_it_was_run(source: str, tmp_path: Path, confined: bool) -> None:
    match, _ = play(written(tmp_path, source))
    output = match.output[0]
    assert match.ending == CRASHED and re.search("Error|KeyboardInterrupt", output)
    for hidden in ("host.py", "importlib", "/agent", "ludex", str(tmp_path), sys.prefix):
        assert hidden not in output + match.words, output


def test_a_traceback_names_a_library_by_its_module(tmp_path: Path, confined: bool) -> None:
    match, _ = play(written(tmp_path, choosing("import json\njson.loads('?')")))
    assert '  File "json/decoder.py", line ' in match.output[0]


def test_what_would_steer_a_screen_is_not_kept(tmp_path: Path, unsafe: None) -> None:
    source = choosing("print('a\\tb\\x1b[31mred\\x1b[0m\\x07\\x1b\\r\\nd\\rä')\nreturn moves[0]")
    match, _ = play(written(tmp_path, source))
    assert match.output[0].startswith("a\tbred��\nd\nä\n")


def test_our_own_agents_print_nothing() -> None:
    rules = variant("nuts")
    assert play_match(rules, initial(rules), [Random(), Random()], 1).output == ()


# Where it runs. -----------------------------------------------------------------------------------


def test_a_program_may_write_in_its_folder_and_nothing_is_left(
    tmp_path: Path, confined: bool
) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "data").mkdir()
    written(tmp_path, "1", "data/count.txt")
    body = (
        "count = int(open('data/count.txt').read()) + 1\n"
        "open('data/count.txt', 'w').write(str(count))\n"
        "open('log.txt', 'a').write(position)\n"
        "open(__file__, 'a').write('# more')\n"
        "print('count', count, os.getcwd())\n"
        "return moves[0]"
    )
    source = choosing(body)
    written(tmp_path, source, "agent.py")
    outputs = []
    for _ in range(2):
        match, log = play(str(tmp_path))
        assert (match.ending, match.words) == (BY_RULES, "")
        outputs.append(log)
        assert (tmp_path / "agent.py").read_text() == source
        assert (tmp_path / "data" / "count.txt").read_text() == "1"
        assert sorted(os.listdir(tmp_path)) == ["agent.py", "data"]
    assert outputs[0].startswith("count 2 ") and outputs[1].startswith("count 2 ")
    assert not Path(outputs[1].split()[2]).exists()


def test_a_single_file_and_a_program_may_write_too(tmp_path: Path, confined: bool) -> None:
    match, _ = play(written(tmp_path, choosing("open('log.txt', 'w')\nreturn moves[0]")))
    assert (match.ending, match.words) == (BY_RULES, "")
    source = blocks_of_the_page("python")["first.py"] + "    open('log.txt', 'a').write(line)\n"
    match, _ = play(written(tmp_path, source, "program"))
    assert (match.ending, match.words) == (BY_RULES, "")
    assert sorted(os.listdir(tmp_path)) == ["player.py", "program"]


def test_the_copy_of_a_program_that_is_killed_is_removed(tmp_path: Path, unsafe: None) -> None:
    body = "os.mkdir('closed', 0)\nprint(os.getcwd(), flush=True)\ntime.sleep(1000)"
    match, log = play(written(tmp_path, choosing(body)), clocks=Clocks(decision=0.3))
    assert match.ending == OUT_OF_TIME and not Path(log.strip()).exists()


COMPUTES = {"loops": "while True: pass", "prints": "while True: print('x' * 1000)"}
WAITS = {
    "sleeps": "time.sleep(1000)",
    "ignores": "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\ntime.sleep(1000)",
    "a little": "time.sleep(5 * seconds + 1.0)\nreturn moves[0]",
    "stopped": "import signal\nos.kill(os.getpid(), signal.SIGSTOP)\ntime.sleep(1000)",
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("body", COMPUTES.values(), ids=COMPUTES)
def test_who_thinks_too_long_is_stopped(
    body: str, tmp_path: Path, confined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludex.match.runner.WALL_FACTOR", 100)  # however busy the machine is
    match, _ = play(written(tmp_path, choosing(body)), clocks=Clocks(decision=0.1))
    assert (match.ending, match.offender) == (OUT_OF_TIME, 0)
    assert match.words == "the decision clock of 0.1 s ran out"
    assert match.decisions == [1, 0] and match.seconds[0] > 0.1


@pytest.mark.parametrize("body", WAITS.values(), ids=WAITS)
def test_who_lets_others_wait_is_stopped(
    body: str, tmp_path: Path, confined: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Meter, "count_idle", lambda meter, seconds: None)  # never idle
    match, _ = play(written(tmp_path, choosing(body)), clocks=Clocks(decision=0.04))
    assert (match.ending, match.offender) == (OUT_OF_TIME, 0)
    assert match.words == "no answer after 0.2 s, 5 times its clock of 0.04 s"
    assert match.decisions == [1, 0]


def test_starting_is_no_thinking_but_has_an_end(
    tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = "import time\ntime.sleep({})\n" + choosing("return moves[0]")
    match, _ = play(written(tmp_path, source.format(0.9)), clocks=Clocks(decision=0.8))
    assert match.ending == BY_RULES
    monkeypatch.setattr("ludex.external.agent.START_SECONDS", 0.1)
    match, _ = play(written(tmp_path, source.format(1000)))
    assert (match.ending, match.words) == (CRASHED, "was not ready after 0.1 s")


# One that speaks the protocol itself, up to a point.
PROGRAM = """#!/usr/bin/env python3
import os, sys
sys.stdin.readline()
print('{"ready": true}', flush=True)
sys.stdin.readline()
"""
TOLD = {
    "print('hello', flush=True)": (ILLEGAL, "answered b'hello', which is not a JSON object"),
    "print('[1]', flush=True)": (ILLEGAL, "answered b'[1]', which is not a JSON object"),
    "print('[' * 60000, flush=True)": (ILLEGAL, "answered b'[[["),
    "print('{}', flush=True)": (ILLEGAL, "answered {}: no move"),
    "print('{\"move\": 7}', flush=True)": (ILLEGAL, "answered 7, which is not a move here"),
    "print('{\"move\": NaN}', flush=True)": (ILLEGAL, "answered nan, which is not a move here"),
    'print(\'{"error": "tired"}\', flush=True)': (CRASHED, "tired"),
    'print(\'{"move": "take 1"}\\n{"move": 1}\', flush=True)': (
        ILLEGAL,
        "said more than it was asked: b'{",
    ),
    "while True: os.write(1, b'x' * 1000)": (ILLEGAL, "answered a line of more than 65536 bytes"),
    "while True: os.write(1, b'x\\n' * 1000)": (ILLEGAL, "said more than it was asked: b'x"),
    "os.close(1); sys.stdin.read()": (CRASHED, "closed its standard output"),
    "sys.exit(4)": (CRASHED, "ended with exit code 4"),
    "os.abort()": (CRASHED, "was ended by SIGABRT"),
    "if os.fork(): os._exit(6)\nimport time; time.sleep(1000)": (CRASHED, "ended with exit code 6"),
}


@pytest.mark.parametrize("rest", TOLD)
def test_a_program_keeps_to_the_protocol_or_loses(
    rest: str, tmp_path: Path, unsafe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "EXIT_SECONDS", 0.2)
    match, _ = play(written(tmp_path, PROGRAM + rest + "\n", "program"))
    ending, words = TOLD[rest]
    assert (match.ending, match.offender) == (ending, 0)
    assert words in match.words and len(match.words) < 400


@pytest.mark.parametrize(
    ("source", "wanted"),
    [
        ("#!/nowhere/python\n", "FileNotFoundError"),
        ("#!/bin/sh\nexit 7\n", "ended with exit code 7"),
        ("#!/bin/sh\nread x; echo '{\"ready\": 1}'; read x\n", "answered {'ready': 1}: not ready"),
    ],
)
def test_a_program_that_does_not_start_has_crashed(
    source: str, wanted: str, tmp_path: Path, unsafe: None
) -> None:
    match, _ = play(written(tmp_path, source, "program"))
    assert (match.ending, match.offender) == (CRASHED, 0)
    assert wanted in match.words


def test_whoever_speaks_without_being_asked_has_lost(tmp_path: Path, unsafe: None) -> None:
    said = """print('{"move": "take 1"}', flush=True)\n"""
    pause = f"import time\ntime.sleep(0.05)\n{said}sys.stdin.read()\n"
    agent = agent_of(written(tmp_path, PROGRAM + said + pause, "program"))
    rules = variant("nuts")
    asked = (rules, initial(rules), 0, np.random.default_rng(0))
    assert agent.consider(*asked).action == 0
    assert agent.process is not None
    select.select([agent.process.answers], [], [])
    with pytest.raises(Offence, match="ILLEGAL: spoke without being asked: b'"):
        agent.consider(*asked)
    assert agent.process is None


def test_one_that_does_not_read_cannot_block_the_referee(tmp_path: Path, unsafe: None) -> None:
    # Its requests would fill the pipe.
    source = "#!/bin/sh\nread greeting; echo '{\"ready\": true}'; sleep 1000\n"
    path = written(tmp_path, source, "program")
    match, _ = play(path, clocks=Clocks(decision=0.1))
    assert match.ending == OUT_OF_TIME
    agent = agent_of(path)
    agent.begin_match(variant("nuts"), 0, np.random.default_rng(0), Clocks())
    assert agent.process is not None
    with pytest.raises(Offence, match="OUT_OF_TIME"):
        agent.process.answer({"moves": ["x" * 200_000]}, wall=0.1)
    agent.close()


# What is left. ------------------------------------------------------------------------------------


@pytest.mark.unmeasured
def test_printing_without_end_takes_no_memory(tmp_path: Path, unsafe: None) -> None:
    source = choosing(
        "for _ in range(2000 if position == '21 0' else 0): os.write(1, b'x' * 50_000 + b'\\n')\n"
        "print('end')\nreturn moves[0]"
    )
    path = written(tmp_path, source)
    play(path)  # what is compiled and imported is not meant
    tracemalloc.start()
    try:
        match, log = play(path)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert match.ending == BY_RULES
    assert peak < 4 << 20
    assert len(log) < 8300 and log.startswith("xxx") and log.endswith("end\n")
    assert " bytes are left out …\n" in log


def test_a_log_keeps_the_beginning_and_the_end() -> None:
    log = Log(first=4, last=4)
    for some in (b"ab", b"cdef", b"gh"):
        log.add(some)
    assert log.text == "abcdefgh"
    log.add(b"ijk\n")
    assert log.text == "abcd\n… 4 bytes are left out …\nijk\n"
    assert log.last_line == "ijk"
    assert Log().last_line == ""


def running(mark: str) -> list[str]:
    """Return the processes that have a mark in their command."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:  # it has just ended
            continue
    return found


@pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="needs /proc")
def test_no_child_is_left_behind(tmp_path: Path, confined: bool) -> None:
    mark = f"{os.getpid()}{int(confined)}.25"
    source = choosing(
        "import subprocess\n"
        f"print(subprocess.Popen(['/usr/bin/sleep', '{mark}']).poll())\n"
        f"away = ['/usr/bin/setsid', '/usr/bin/sleep', '{mark}']\n"
        f"if {confined}: print(subprocess.Popen(away).poll())\n"
        "return moves[0]"
    )
    match, log = play(written(tmp_path, source))
    assert match.ending == BY_RULES and "None" in log
    patience = time.monotonic() + 5.0
    while running(mark) and time.monotonic() < patience:
        time.sleep(0.01)
    assert running(mark) == []


def test_an_agent_that_was_asked_once_is_ended_with_the_object(
    tmp_path: Path, unsafe: None
) -> None:
    rules, agent = variant("nuts"), agent_of(written(tmp_path, choosing("return moves[0]")))
    agent.consider(rules, initial(rules), 0, np.random.default_rng(0))
    assert agent.process is not None
    child = agent.process.child
    assert child.poll() is None
    agent.process = None
    assert child.poll() == -9


def test_what_was_forked_has_nothing_to_say(tmp_path: Path, unsafe: None) -> None:
    source = choosing("for _ in range(3): os.fork()\nreturn moves[0]")
    match, _ = play(written(tmp_path, source))
    assert (match.ending, match.words) == (BY_RULES, "")


def test_an_agent_outlives_the_thread_that_asked_it(tmp_path: Path, confined: bool) -> None:
    # At the console every question is asked in a thread of its own.
    rules, agent = variant("nuts"), agent_of(written(tmp_path, choosing("return moves[0]")))
    asked = (rules, initial(rules), 0, np.random.default_rng(0))
    for _ in range(2):
        with ThreadPoolExecutor(1) as pool:
            assert pool.submit(agent.consider, *asked).result().action == 0
    agent.close()
