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

from ludex.external.packages import MOUNT_POINT
from ludex.external.seccomp import call_filter

UNSAFE = "LUDEX_UNSAFE"
DROPPED = "user"  # its value to run agents without a sandbox, but as an unprivileged user
AGENT = "/agent"  # the agent's writable copy inside the sandbox
ORIGINAL = "/submission"  # the read-only original inside the sandbox
HOST_PATH = "/ludex/host.py"
HOST_FILES = ("tracebacks.py", "adapters", "provided")  # beside the host, which needs them
SCRATCH = 64 << 20  # bytes of /tmp, in memory
WORKSPACE = 32 << 20  # bytes of the writable copy, in memory
SHARED = 16 << 20
TRIAL_COMMAND = [sys.executable, "-I", "-S", "-c", ""]  # does nothing: can it be run at all?
# Unused user ids, one for each process: the system counts processes by user.
USERS = itertools.count(500_000_000 + os.getpid() * 64 % 500_000_000)
# Options for root and other users alike.
ISOLATION = (
    "--unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try"
    " --die-with-parent --new-session --cap-drop ALL"
).split()


@contextmanager
def confined_command(
    command: list[str], agent: Path, layer: Path | None = None
) -> Iterator[tuple[list[str], tuple[int, ...]]]:
    """Yield a sandboxed command that sees only the agent's files, and a `layer` of packages.

    With it come the descriptors to pass to it, which are closed afterwards.
    """
    root = os.geteuid() == 0
    views: list[str] = []
    for target, link in (("usr/bin", "/bin"), ("usr/lib", "/lib"), ("usr/lib64", "/lib64")):
        if os.path.isdir(f"/{target}"):
            views += ["--symlink", target, link]
    seen = {HOST_PATH: str(Path(__file__).with_name("host.py"))}
    for name in HOST_FILES:
        seen[str(Path(HOST_PATH).with_name(name))] = str(Path(__file__).with_name(name))
    seen |= {place: place for place in python_folders()}
    seen[original_path(agent)] = str(agent)
    if layer is not None:
        seen[MOUNT_POINT] = str(layer)
    for place, source in seen.items():
        for folder in reversed(Path(place).parents[:-1]):
            # Otherwise the dropped user could not enter a parent.
            if folder not in (Path("/tmp"), Path("/usr")):
                views += ["--perms", "0755", "--dir", str(folder)]
        views += ["--ro-bind", source, place]
    own = ["--unshare-user", "--disable-userns", "--uid", "65534", "--gid", "65534"]
    # A reaper would run unfiltered as the agent's user, who could write to its memory.
    own += ["--as-pid-1"]
    # Needed to set the user, and dropped with it.
    caps = ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP"]
    with open(os.memfd_create("calls"), "wb", buffering=0) as calls:
        calls.write(call_filter(platform.machine()))
        calls.seek(0)
        yield (
            [
                *("bwrap", *ISOLATION, *(caps if root else own)),
                *("--ro-bind", "/usr", "/usr"),
                *("--perms", "0755", "--dir", "/etc"),
                *("--ro-bind-try", "/etc/ld.so.cache", "/etc/ld.so.cache"),
                *("--ro-bind-try", "/etc/alternatives", "/etc/alternatives"),
                *("--proc", "/proc", "--dev", "/dev"),
                *("--perms", "1777", "--size", str(SHARED), "--tmpfs", "/dev/shm"),
                *("--perms", "1777", "--size", str(SCRATCH), "--tmpfs", "/tmp"),
                *("--perms", "1777", "--size", str(WORKSPACE), "--tmpfs", AGENT),
                *(*views, "--seccomp", str(calls.fileno())),
                *("--remount-ro", "/dev", "--remount-ro", "/"),
                *("--chdir", AGENT, "--"),
                *(unprivileged_command(command) if root else command),
            ],
            (calls.fileno(),),
        )


def original_path(agent: Path) -> str:
    """Return the path inside the sandbox of the original file or folder."""
    return ORIGINAL if agent.is_dir() else f"{ORIGINAL}/{agent.name}"


def unprivileged_command(command: list[str], folder: str = "") -> list[str]:
    """Return a command for root that runs another as an unused user, who then owns `folder`."""
    number = next(USERS)
    if folder:
        os.chown(folder, number, number)
    user = str(number)
    drop = ["/usr/bin/setpriv", "--reuid", user, "--regid", user, "--clear-groups"]
    return [*drop, "--no-new-privs", "--bounding-set=-all", "--inh-caps=-all", "--", *command]


@functools.cache
def drop_fault() -> str:
    """Return why agents cannot run as another user, or "", by trying once."""
    if os.geteuid() != 0:
        return "only root can become somebody else"
    if shutil.which("setpriv") is None:
        return "setpriv is not installed"
    return trial_error(unprivileged_command(TRIAL_COMMAND))


def is_unreadable(submission: Path) -> bool:
    """Return whether the user inside the sandbox could not read a file."""
    return os.geteuid() == 0 and not submission.stat().st_mode & 0o004


def python_folders() -> list[str]:
    """Return the folders outside /usr that this Python needs."""
    places = {os.path.realpath(sys.base_prefix), sys.base_prefix, sys.prefix}
    places |= {os.path.dirname(os.path.realpath(sys.executable))}
    return sorted(place for place in places if not place.startswith("/usr/") and place != "/usr")


@functools.cache
def fault() -> str:
    """Return why there is no sandbox on this machine, or "", by trying once."""
    for program in ("bwrap", *(["setpriv"] if os.geteuid() == 0 else [])):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    if not call_filter(platform.machine()):
        return f"there is no filter of system calls for {platform.machine()}"
    with confined_command(TRIAL_COMMAND, Path(__file__).with_name("host.py")) as cell:
        return trial_error(*cell)


def trial_error(command: list[str], files: tuple[int, ...] = ()) -> str:
    """Return why a command fails, or ""."""
    try:
        tried = subprocess.run(command, pass_fds=files, capture_output=True, timeout=20, text=True)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    lines = tried.stderr.strip().splitlines() or [f"exit code {tried.returncode}"]
    return lines[-1] if tried.returncode else ""


def is_enabled() -> bool:
    """Return whether agents run in a sandbox; raise ValueError if they should and cannot."""
    if os.environ.get(UNSAFE, "") not in ("", "0"):
        return False
    why = fault()
    if why:
        raise ValueError(
            "somebody's agent runs in a sandbox of bubblewrap, and there is none here"
            f" ({why}); --unsafe or {UNSAFE}=1 runs it without"
        )
    return True


@contextmanager
def confinement(mode: str) -> Iterator[str]:
    """Set how agents are confined within the context, and yield a note for the results.

    "yes" requires a sandbox, "auto" falls back to an unprivileged user, "no" uses our own user.
    """
    before, note = os.environ.get(UNSAFE), ""
    try:
        if mode == "no":
            os.environ[UNSAFE] = "1"
            note = "Graded without a sandbox."
        elif mode == "yes" or not fault():
            is_enabled()
        elif drop_fault():
            raise ValueError(
                f"there is no sandbox here ({fault()}), and agents cannot run as another user"
                f" ({drop_fault()}); --sandbox no runs them as yourself"
            )
        else:
            os.environ[UNSAFE] = DROPPED
            note = f"Graded without bubblewrap ({fault()}): agents ran as a user without rights."
        yield note
    finally:
        os.environ.pop(UNSAFE, None)
        if before is not None:
            os.environ[UNSAFE] = before
