"""Start an external program: its limits, its environment, and its sandbox."""

import json
import os
import sys
import tempfile
from pathlib import Path

from ludex.external import packages, sandbox
from ludex.external.interface import CONSOLE, PROGRAM, Submission
from ludex.external.process import Process
from ludex.io.text import read_int

# Resource limits of a process, by their names in RLIMIT_*.
LIMITS = {"CORE": 0, "CPU": 3600, "FSIZE": 16 << 20, "NOFILE": 256}
MEMORY = 2 << 30
MEMORY_VARIABLE = "LUDEX_MEMORY"  # in MiB
MOST_PROCESSES = 64  # and threads; without a sandbox all processes of the user would count
# One thread each, so that matches can run in parallel; a fixed hash seed makes sets reproducible.
ENVIRONMENT = {
    "HOME": "/tmp",
    "LANG": "C.UTF-8",
    "PYTHONHASHSEED": "0",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
}
# Run a file as a program, with its folder first on the module path and a fixed seed.
RUN = """
import os, random, runpy, sys
file, seed = sys.argv[1:]
sys.argv[1:] = []
sys.argv[0] = file
sys.path[0] = os.path.dirname(file)
random.seed(int(seed))
runpy.run_path(file, run_name="__main__")
"""


def memory() -> int:
    """Return the memory limit in bytes, which the environment may lower."""
    given = os.environ.get(MEMORY_VARIABLE)
    return read_int(given, MEMORY_VARIABLE, 1, MEMORY >> 20) << 20 if given else MEMORY


def start_process(submission: Submission, confined: bool) -> Process:
    """Start the process of a submission, in a copy of its own that is removed at its end."""
    path, file, interface, word = submission
    limits = dict(LIMITS)
    folder = path if path.is_dir() else path.parent
    if confined:
        copy, home, host = None, sandbox.AGENT, sandbox.HOST_PATH
        source = sandbox.original_path(path)
        limits["NPROC"] = MOST_PROCESSES
    else:
        copy = tempfile.TemporaryDirectory(prefix="ludex-", ignore_cleanup_errors=True)
        home, source = os.path.realpath(copy.name), str(path)
        host = str(Path(__file__).parent / "host.py")
    run, own = f"{home}/{file.relative_to(folder)}", home * path.is_dir()
    # A program in another language may reserve far more addresses than it uses.
    limits["DATA" if interface == PROGRAM else "AS"] = memory()
    if interface == CONSOLE:
        task = ["exec", sys.executable, "-s", "-u", "-B", "-c", RUN, run, word]
    else:
        task = ["exec", run] if interface == PROGRAM else ["serve", interface, run, own, word]
    command = [sys.executable, "-s", "-P", "-B", host, json.dumps(limits), source, *task]
    environment = {**ENVIRONMENT, "PATH": f"{os.path.dirname(sys.executable)}:/usr/bin:/bin"}
    layer = packages.packages_folder()
    if layer is not None:
        environment["PYTHONPATH"] = packages.MOUNT_POINT if confined else str(layer)
    if copy:
        if os.environ.get(sandbox.UNSAFE) == sandbox.DROPPED:
            command = sandbox.unprivileged_command(command, home)
        return Process(command, home, environment, home=home, copy=copy)
    with sandbox.confined_command(command, path, layer) as (cell, files):
        return Process(cell, "/", environment, files, home, confined=True)
