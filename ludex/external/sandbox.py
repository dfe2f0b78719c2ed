"""The sandbox of an agent: bubblewrap, with access to Python and the agent only.

Root creates the mounts itself and drops to an unprivileged user inside, so that an interpreter in
root's home can be used; other users get a user namespace.
"""

import functools
import itertools
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from ludex.external.packages import MOUNT_POINT
from ludex.external.seccomp import call_filter

UNSAFE = "LUDEX_UNSAFE"
DROPPED = "user"  # the value with which agents run without a sandbox, but as a user without rights
AGENT = "/agent"  # where the agent is, inside: a copy that it may write to
ORIGINAL = "/submission"  # what is copied, which it may only read
HOST_PATH = "/ludex/host.py"
BESIDE = ("tracebacks.py", "adapters", "provided")  # what the host needs, beside it
SCRATCH = 64 << 20  # bytes that may be written, in memory
WORKSPACE = 32 << 20  # bytes of the copy and of what is written beside it, in memory
SHARED = 16 << 20
TRIAL = [sys.executable, "-I", "-S", "-c", ""]  # an agent that only tries whether one would run
# Users that nobody is, one for each process: the system counts processes by user.
USERS = itertools.count(500_000_000 + os.getpid() * 64 % 500_000_000)
# What everybody gets, whoever starts it.
ISOLATED = (
    "--unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try"
    " --die-with-parent --new-session --cap-drop ALL"
).split()


class Confinement(NamedTuple):
    """What is really run, and the files that it must be given; they are ours to close."""

    command: list[str]
    files: tuple[int, ...]


def confined_command(command: list[str], agent: Path, layer: Path | None = None) -> Confinement:
    """Return a command that runs another with nothing to see but an agent, a file or a folder.

    A layer is a folder of packages that it may import.
    """
    root = os.geteuid() == 0
    views: list[str] = []
    for target, link in (("usr/bin", "/bin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64")):
        if os.path.isdir(f"/{target}"):
            views += ["--symlink", target, link]
    seen = {HOST_PATH: str(Path(__file__).with_name("host.py"))}
    for name in BESIDE:
        seen[str(Path(HOST_PATH).with_name(name))] = str(Path(__file__).with_name(name))
    seen |= {place: place for place in pythons()}
    seen[original(agent)] = str(agent)
    if layer is not None:
        seen[MOUNT_POINT] = str(layer)
    for place, source in seen.items():
        for folder in reversed(Path(place).parents[:-1]):
            # Without this a parent would be closed to the dropped user.
            if folder not in (Path("/tmp"), Path("/usr")):
                views += ["--perms", "0755", "--dir", str(folder)]
        views += ["--ro-bind", source, place]
    calls = os.memfd_create("calls")
    os.write(calls, call_filter(platform.machine()))
    os.lseek(calls, 0, os.SEEK_SET)
    own = ["--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534"]
    # A reaper would have the agent's own user, who may write to its memory; it has no filter.
    own += ["--as-pid-1"]
    # Setting the user needs these, and they are gone after it.
    caps = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    return Confinement(
        [
            *("bwrap", *ISOLATED, *(caps if root else own)),
            *("--ro-bind", "/usr", "/usr"),
            *("--perms", "0755", "--dir", "/etc"),
            *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
            *("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"),
            *("--proc", "/proc", "--dev", "/dev"),
            *("--perms", "1777", "--size", str(SHARED), "--tmpfs", "/dev/shm"),
            *("--perms", "1777", "--size", str(SCRATCH), "--tmpfs", "/tmp"),
            *("--perms", "1777", "--size", str(WORKSPACE), "--tmpfs", AGENT),
            *(*views, "--seccomp", str(calls)),
            *("--remount-ro", "/dev", "--remount-ro", "/"),
            *("--chdir", AGENT, "--"),
            *(unprivileged_command(command) if root else command),
        ],
        (calls,),
    )


def original(agent: Path) -> str:
    """Return where a submission, a file or a folder, is seen inside before it is copied."""
    return ORIGINAL if agent.is_dir() else f"{ORIGINAL}/{agent.name}"


def unprivileged_command(command: list[str], folder: str = "") -> list[str]:
    """Return a command that root can start, and that runs as a user that nobody else is.

    A folder becomes that user's own.
    """
    number = next(USERS)
    if folder:
        os.chown(folder, number, number)
    user = str(number)
    drop = ["/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
    return [*drop, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--", *command]


@functools.cache
def drop_fault() -> str:
    """Return why agents cannot be run as another user, or nothing; it is tried once.

    A Python in root's home may be closed to everybody else.
    """
    if os.geteuid() != 0:
        return "only root can become somebody else"
    if shutil.which("setpriv") is None:
        return "setpriv is not installed"
    return failure(unprivileged_command(TRIAL))


def unconfined_command(command: list[str], folder: str) -> list[str]:
    """Return a command as it is run without a sandbox, in a folder that it may write to."""
    return unprivileged_command(command, folder) if os.environ.get(UNSAFE) == DROPPED else command


def is_hidden(submission: Path) -> bool:
    """Return whether the user inside would not be allowed to read a file."""
    return os.geteuid() == 0 and not submission.stat().st_mode & 0o004


def pythons() -> list[str]:
    """Return the folders that our Python needs to run, apart from /usr."""
    places = {os.path.realpath(sys.base_prefix), sys.base_prefix, sys.prefix}
    places |= {os.path.dirname(os.path.realpath(sys.executable))}
    return sorted(place for place in places if not place.startswith("/usr/") and place != "/usr")


@functools.cache
def why_not() -> str:
    """Return why there is no sandbox on this machine, or nothing; it is tried once."""
    for program in ("bwrap", *(["setpriv"] if os.geteuid() == 0 else [])):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if not call_filter(platform.machine()):
        return f"there is no filter of system calls for {platform.machine()}"
    cell = confined_command(TRIAL, Path(__file__).with_name("host.py"))
    try:
        return failure(cell.command, cell.files)
    finally:
        for file in cell.files:
            os.close(file)


def failure(command: list[str], files: tuple[int, ...] = ()) -> str:
    """Return why a command does not run, or nothing."""
    try:
        tried = subprocess.run(command, pass_fds=files, capture_output=True, timeout=20, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"]
    return lines[-1] if tried.returncode else ""


def is_wanted() -> bool:
    """Return whether agents are confined; a ValueError if they should be and cannot."""
    if os.environ.get(UNSAFE, "") not in ("", "0"):
        return False
    why = why_not()
    if why:
        raise ValueError(
            "somebody's agent runs in a sandbox of bubblewrap, and there is none here"
            f" ({why}); --unsafe or {UNSAFE}=1 runs it without"
        )
    return True


@contextmanager
def confinement(cell: str) -> Iterator[str]:
    """Set how agents are confined for a while, and yield what is to be said about it.

    "yes" needs a sandbox; "auto" takes another user where there is none; "no" runs them as we are.
    """
    before, note = os.environ.get(UNSAFE), ""
    try:
        if cell == "no":
            os.environ[UNSAFE] = "1"
            note = "Graded without a sandbox."
        elif cell == "yes" or not why_not():
            is_wanted()
        elif drop_fault():
            raise ValueError(
                f"there is no sandbox here ({why_not()}), and agents cannot run as another user"
                f" ({drop_fault()}); --sandbox no runs them as yourself"
            )
        else:
            os.environ[UNSAFE] = DROPPED
            note = f"Graded without bubblewrap ({why_not()}): agents ran as a user without rights."
        yield note
    finally:
        os.environ.pop(UNSAFE, None)
        if before is not None:
            os.environ[UNSAFE] = before
