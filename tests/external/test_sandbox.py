"""The sandbox: without one nothing is run, and in it every attack is contained."""

import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludex.agents.registry import make_agent
from ludex.cli import cli
from ludex.core.termination import BY_RULES, CRASHED, ILLEGAL
from ludex.external import launch, sandbox
from ludex.external.seccomp import REFUSED, call_filter
from tests.lines import variant
from tests.players import PLAYER, choosing, play, written

pytestmark = pytest.mark.plain


@pytest.fixture
def safe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sandbox.UNSAFE, raising=False)
    if sandbox.fault():
        pytest.skip(f"no sandbox: {sandbox.fault()}")


def test_without_a_sandbox_it_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(sandbox.UNSAFE, raising=False)
    monkeypatch.setattr(sandbox, "fault", lambda: "bwrap is not installed")
    path = written(tmp_path, PLAYER)
    result = CliRunner().invoke(cli, ["match", "nuts", path, "random"])
    assert result.exit_code == 2 and result.stderr.count("\n") == 1
    assert "(bwrap is not installed); --unsafe or LUDEX_UNSAFE=1 runs it without" in result.stderr


def test_a_missing_bubblewrap_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert sandbox.fault.__wrapped__() == "bwrap is not installed"


def test_a_file_that_is_closed_to_others_is_refused_before_the_match(
    tmp_path: Path, safe: None
) -> None:
    path = written(tmp_path, PLAYER)
    os.chmod(path, 0o600)
    if os.geteuid() == 0:
        with pytest.raises(ValueError, match=r"player\.py is closed to others"):
            make_agent(path, variant("nuts"))
    else:
        assert play(path)[0].ending == BY_RULES


# Attacks, each contained. -------------------------------------------------------------------------

ATTACKS = {
    "reads a file of the host": ("open('{secret}').read()", "FileNotFoundError"),
    "reads the users": ("open('/etc/passwd').read()", "FileNotFoundError"),
    "lists a folder of the host": ("os.listdir('{folder}')", "FileNotFoundError"),
    "writes outside": ("open('/usr/mark', 'w')", "OSError|PermissionError"),
    "writes to its original": ("open('/submission/player.py', 'a')", "OSError|PermissionError"),
    "removes its original": ("os.unlink('/submission/player.py')", "OSError|PermissionError"),
    "opens its original to others": ("os.chmod('/submission', 0o777)", "OSError|PermissionError"),
    "sees what lies beside its original": (
        "assert len(os.listdir('/submission')) > 1",
        "AssertionError",
    ),
    "writes to the root": ("open('/mark', 'w')", "OSError|PermissionError"),
    "opens a socket": ("import socket\nsocket.socket()", "PermissionError"),
    "kills the referee": ("os.kill({pid}, 9)", "ProcessLookupError"),
    "sees processes": (
        "assert len([name for name in os.listdir('/proc') if name.isdigit()]) > 3",
        "AssertionError",
    ),
    "traces": (
        "import ctypes\nassert ctypes.CDLL(None, use_errno=True).ptrace(0, 0, 0, 0) == 0",
        "AssertionError",
    ),
    "traces its parent": (
        "import ctypes\nassert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0",
        "AssertionError",
    ),
    "reads the memory of its parent": (
        "open(f'/proc/{{os.getppid()}}/mem', 'rb')",
        "PermissionError|FileNotFoundError",
    ),
    "writes to the host": ("open('/ludex/host.py', 'a')", "OSError|PermissionError"),
    "writes to what is handed out": (
        "open('/ludex/provided/trap/Grid.py', 'a')",
        "OSError|PermissionError",
    ),
    "sees other agents": ("assert len(os.listdir('/agent')) > 1", "AssertionError"),
    "takes a namespace": (
        "import ctypes\nassert ctypes.CDLL(None).unshare(0x10000000) == 0",
        "AssertionError",
    ),
    "forks a namespace": (
        "import ctypes\nassert ctypes.CDLL(None).syscall(56, 0x10000011, 0, 0, 0, 0) >= 0",
        "AssertionError",
    ),
    "becomes root": ("os.setuid(0)", "PermissionError|OSError"),
    "forks without end": ("while True:\n    if os.fork() == 0: time.sleep(100)", "BlockingIOError"),
    "starts threads without end": (
        "import threading\n"
        "while True: threading.Thread(target=time.sleep, args=(100,), daemon=True).start()",
        "RuntimeError",
    ),
    "takes all memory": ("held = []\nwhile True: held.append(bytearray(1 << 26))", "MemoryError"),
    "writes a huge file": (
        "with open('/tmp/mark', 'wb') as file:\n    while True: file.write(bytes(1 << 20))",
        "OSError",
    ),
    "fills the disk": (
        "for number in range(1000):\n"
        "    with open(f'/tmp/{{number}}', 'wb') as file: file.write(bytes(1 << 23))",
        "OSError",
    ),
    "fills its own folder": (
        "for number in range(1000):\n"
        "    with open(str(number), 'wb') as file: file.write(bytes(1 << 22))",
        "OSError: .*No space left",
    ),
    "opens files without end": ("held = [open('/dev/null') for _ in range(9999)]", "OSError"),
    "imports the referee": ("import ludex", "ModuleNotFoundError"),
    "patches the host": (
        "sys.modules['__main__'].odd_answer = None\nreturn 7",
        "TypeError|ended with exit code 1",
    ),
    "reads the environment": (
        "assert any('LUDEX' in name or 'SECRET' in name for name in os.environ)",
        "AssertionError",
    ),
}


@pytest.mark.unmeasured
@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_is_contained(
    attack: str, tmp_path: Path, safe: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "secret")
    monkeypatch.setattr(launch, "MEMORY", 1 << 28)
    secret = tmp_path / "secret"
    secret.write_text("secret")
    body, wanted = ATTACKS[attack]
    source = choosing(body.format(secret=secret, folder=tmp_path, pid=os.getpid()))
    match, log = play(written(tmp_path, source))
    assert (match.ending, match.offender) == (CRASHED, 0), match.words
    assert re.match(wanted, match.words), match.words + log


def test_an_original_that_all_may_write_is_not_altered(tmp_path: Path, safe: None) -> None:
    body = (
        "for name in ('/submission/agent.py', '/submission/data'):\n"
        "    try: open(name, 'a').write('more')\n"
        "    except OSError as error: print(error.strerror)\n"
        "open('data', 'a').write('more')\n"
        "return moves[0]"
    )
    tmp_path.chmod(0o777)
    source = choosing(body)
    for name, content in (("agent.py", source), ("data", "some")):
        os.chmod(written(tmp_path, content, name), 0o666)
    match, log = play(str(tmp_path))
    assert (match.ending, match.words) == (BY_RULES, "")
    assert log.startswith("Read-only file system\n" * 2)
    assert (tmp_path / "data").read_text() == "some"
    assert (tmp_path / "agent.py").read_text() == source


def test_killing_its_parent_harms_nobody_else(tmp_path: Path, safe: None) -> None:
    match, _ = play(written(tmp_path, choosing("os.kill(os.getppid(), 9)\nreturn moves[0]")))
    assert (match.ending, match.offender) in ((CRASHED, 0), (BY_RULES, -1))


def test_a_fake_result_is_only_printed(tmp_path: Path, safe: None) -> None:
    body = """print('{"move": "take 1"}', flush=True)\nreturn 'take 9'"""
    match, log = play(written(tmp_path, choosing(body)))
    assert (match.ending, match.offender) == (ILLEGAL, 0)
    assert log == '{"move": "take 1"}\n'


def test_answering_for_the_host_is_saying_too_much(tmp_path: Path, safe: None) -> None:
    body = (
        "for pipe in range(3, 9):\n"
        '    try: os.write(pipe, b\'{"move": "take 1"}\\n\')\n'
        "    except OSError: pass\n"
        "return moves[0]"
    )
    match, _ = play(written(tmp_path, choosing(body)))
    assert (match.ending, match.offender) == (ILLEGAL, 0)
    assert match.words.startswith(("said more than it was asked", "spoke without being asked"))


def test_a_player_can_spoil_only_its_own_board(tmp_path: Path, safe: None) -> None:
    source = (
        "import Grid, sys\n"
        "Grid.Grid.find = lambda self, number: (3, 3)\n"
        "class PlayerAI:\n"
        "    def getMove(self, grid):\n"
        "        grid.map[:] = -1\n"
        "        return (3, 3)\n"
        "    getTrap = getMove\n"
    )
    match, _ = play(written(tmp_path, source, "PlayerAI.py"), "trap")
    assert match.ending == ILLEGAL
    assert match.words.startswith("stepped to 3,3, which is not next to 0,3, in position ...1...")


@pytest.mark.skipif(sys.platform != "linux", reason="the rights are those of Linux")
def test_the_user_inside_has_no_rights(tmp_path: Path, safe: None) -> None:
    body = "print(open('/proc/self/status').read(), os.getuid())\nreturn moves[0]"
    _, log = play(written(tmp_path, choosing(body)))
    for right in ("CapPrm", "CapEff", "CapBnd", "CapAmb", "CapInh"):
        assert re.search(rf"^{right}:\t0+$", log, re.MULTILINE), right
    assert "NoNewPrivs:\t1\n" in log and "Seccomp:\t2\n" in log
    assert not re.search(r" 0$", log, re.MULTILINE)


def test_a_filter_has_an_instruction_for_every_call() -> None:
    for machine in ("x86_64", "aarch64"):
        calls = call_filter(machine)
        lines = list(struct.iter_unpack("=HBBI", calls))
        assert len(lines) > 2 * len(REFUSED)
        # No jump leads past the end.
        assert all(at + 1 + max(line[1:3]) < len(lines) for at, line in enumerate(lines[:-1]))
    assert call_filter("abacus") == b""


# As an ordinary user. -----------------------------------------------------------------------------

# The rooms that the sandbox needs, without those above them that need more than Python.
ORDINARY = """
import os, sys, types
from pathlib import Path
for name in ("ludex", "ludex.core", "ludex.external", "ludex.io"):
    sys.modules[name] = package = types.ModuleType(name)
    package.__path__ = [os.path.join(sys.argv[1], *name.split("."))]
from ludex.external import sandbox
from ludex.external.process import Process

assert os.getuid() == 12345 and sandbox.fault() == "", sandbox.fault()
limits, player = '{"NPROC": 9}', Path(sys.argv[1]) / "player.py"
source, task = sandbox.original_path(player), ["serve", "choose", "/agent/player.py", ""]
command = [sys.executable, "-P", sandbox.HOST_PATH, limits, source, *task]
with sandbox.confined_command(command, player) as (cell, files):
    process = Process(cell, "/", {}, files)
greeting = {"ludex": 1, "game": "nuts", "rules": {}, "seat": 0, "seed": 1}
print(process.answer(greeting, 20.0))
print(process.answer({"position": "21 0", "moves": ["take 1"], "seconds": 1.0}, 20.0))
process.kill()
print(process.log.text)
"""
TRIES = """
import os, socket, time, ctypes
def tried(attack):
    try:
        attack()
        print(attack.__name__, "succeeded")
    except (OSError, AssertionError) as error:
        print(attack.__name__, type(error).__name__)
def reads(): open("/etc/passwd")
def writes(): open("/mark", "w")
def devices(): open("/dev/mark", "w")
def originals(): open("/submission/player.py", "a")
def calls(): socket.socket()
def kills(): os.kill(1, 9); os.kill(1, 0); raise ProcessLookupError
def minds(): open(f"/proc/{os.getppid()}/mem", "rb+")
def spaces(): assert ctypes.CDLL(None).unshare(0x10000000) == 0
def forks():
    while True:
        if os.fork() == 0: time.sleep(100)
def choose(position, moves, seconds):
    open("log.txt", "w").write(position)
    for attack in (reads, writes, devices, originals, calls, kills, minds, spaces, forks):
        tried(attack)
    return moves[0]
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="every other test runs as an ordinary user")
@pytest.mark.skipif(not Path("/usr/bin/python3").exists(), reason="no Python that all can read")
def test_an_ordinary_user_has_the_same_sandbox(safe: None) -> None:
    with tempfile.TemporaryDirectory() as name:
        desk = Path(name)
        desk.chmod(0o755)
        house = Path(__file__).parents[2] / "ludex"
        shutil.copytree(house / "external", desk / "ludex" / "external")
        for room, file in (("core", "termination.py"), ("io", "files.py")):
            (desk / "ludex" / room).mkdir()
            shutil.copy(house / room / file, desk / "ludex" / room)
        written(desk, TRIES)
        user = ["setpriv", "--reuid", "12345", "--regid", "12345", "--clear-groups"]
        run = subprocess.run(
            [*user, "/usr/bin/python3", "-c", ORDINARY, name], capture_output=True, text=True
        )
    assert run.stderr == ""
    assert run.stdout.splitlines() == [
        "{'ready': True}",
        "{'move': 'take 1'}",
        "reads FileNotFoundError",
        "writes OSError",
        "devices OSError",
        "originals PermissionError",
        "calls PermissionError",
        "kills ProcessLookupError",
        "minds FileNotFoundError",
        "spaces AssertionError",
        "forks BlockingIOError",
        "",
    ]
