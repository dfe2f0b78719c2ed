"""Twins in C++: the same work by hand for one game, as a yardstick for ours.

A twin is one file, compiled for this machine when it is first asked for. It prints one line of
JSON, in which `seconds` is the time of the work itself and `memory` its peak in MiB.
"""

import functools
import json
import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SOURCES = Path(__file__).parent
# Without contraction every operation is rounded as ours is, so that values can be equal.
OPTIONS = ("-std=c++17", "-O3", "-march=native", "-ffp-contract=off", "-Wall", "-Wextra")


@functools.cache
def folder() -> TemporaryDirectory[str]:
    """Return the folder of the programs, which goes when this process ends."""
    return TemporaryDirectory(prefix="ludex-twins-")


@functools.cache
def build(name: str) -> Path:
    """Return the program of a twin; an ImportError if there is no compiler."""
    compiler = shutil.which("g++")
    if not compiler:
        raise ImportError("no g++ to compile the twin")
    program = Path(folder().name) / name
    source = SOURCES / f"{name}.cpp"
    subprocess.run([compiler, *OPTIONS, str(source), "-o", str(program)], check=True)
    return program


def run(name: str, *arguments: object) -> dict[str, Any]:
    """Return what a twin prints when it is given these arguments."""
    command = [str(build(name)), *map(str, arguments)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: dict[str, Any] = json.loads(output)
    return found
