"""A PostgreSQL server of our own, for tests and for the check of a release."""

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534  # PostgreSQL does not run as root


class Missing(Exception):
    """There is no PostgreSQL on this machine."""


@contextmanager
def running() -> Iterator[str]:
    """Yield the URL of a new server; what is there of PostgreSQL comes from Debian."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found or shutil.which("setpriv") is None:
        raise Missing("no PostgreSQL on this machine")
    folder = Path(tempfile.mkdtemp(prefix="ludex-postgresql-", dir="/tmp"))
    user: list[str] = []
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
        user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--"]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data, programs = folder / "data", found[-1].parent
    options = f"-p {port} -k {folder} -c fsync=off -c listen_addresses=127.0.0.1"

    def run(*command: str) -> None:
        subprocess.run([*user, *command], check=True, cwd=folder, capture_output=True)

    try:
        run(str(programs / "initdb"), "-D", str(data), "-U", "ludex", "-A", "trust", "--no-sync")
        control = (str(programs / "pg_ctl"), "-D", str(data), "-l", str(folder / "log"), "-w")
        run(*control, "-o", options, "start")
        try:
            yield f"postgresql://ludex@127.0.0.1:{port}/postgres"
        finally:
            run(*control, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder)
