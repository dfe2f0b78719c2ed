"""A small real run of every command of an installed Ludex, by the Python that runs this file.

It needs nothing but Ludex, and fails for a command that has no run here. With names of extras, it
runs what these bring instead.
"""

import argparse
import importlib
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

LONG = 600.0  # seconds that a run may take


class Failure(Exception):
    """A run that did not end as it should."""


class Run(NamedTuple):
    """A command to run, what is typed, and a text that it must print."""

    words: str
    prints: str
    given: str = ""


ASSIGNMENT = """
course = "nuts"
title = "Nuts"

[rules]
nuts = 10

[[tests]]
name = "Random"
opponent = "random"
matches = 2
points = 10
"""
EXPERIMENT = """
kind = "agents"
title = "Nuts"
game = "nuts"
agents = ["minimax:depth=2"]
opponents = ["random"]
matches = 2
"""
STUDENT = "def choose(position, moves, seconds):\n    return moves[0]\n"
FILES = {"nuts.toml": ASSIGNMENT, "small.toml": EXPERIMENT, "ann.py": STUDENT}

# In this order, as later runs use the files and matches of earlier ones; ladder comes before
# history, which lists its ratings.
RUNS: dict[str, list[Run]] = {
    "games": [Run("games", "The Game of Nuts"), Run("games nuts", "10 to 100")],
    "agents": [Run("agents", "alphabeta")],
    "show": [Run("show nuts --json", '"position": "21 0"')],
    "completion": [Run("completion bash", "_LUDEX_COMPLETE")],
    "warm": [
        Run("warm nuts", "compiled 6 parts in"),
        Run("warm nuts", "all 6 parts had been compiled before"),
    ],
    "play": [Run("play nuts human random --rule nuts=10 --seed 2", "wins.", "1\n" * 10)],
    "match": [
        Run("match nuts best random --matches 4 --seed 1 --processes 1 --out m.jsonl", "4 won"),
        Run("match trap easy ./ann.py --rule size=3 --matches 2 --unsafe --processes 1", "won"),
    ],
    "tournament": [
        Run("tournament nuts random easy medium --matches 2 --seed 1 --processes 2", "medium")
    ],
    "ladder": [Run("ladder nuts --matches 2 --seed 1 --processes 1", "best")],
    "history": [Run("history", "nuts"), Run("history --ratings", "best")],
    "replay": [Run("replay m.jsonl --match 1", "take"), Run("replay 1/0 --last", "nuts")],
    "analyse": [Run("analyse m.jsonl --match 1 --page m.html", "exact solution")],
    "best": [Run("best nuts --agent mcts:sims=50 --seed 1", "take")],
    "solve": [Run("solve nuts --rule nuts=12 --verify", "take")],
    "verify": [Run("verify nuts --rule nuts=12", "states verified")],
    "explain": [Run('explain nuts --position "7 0"', "+1.000000")],
    "exploit": [Run("exploit nuts random --rule nuts=10 --processes 1", "random")],
    "lab list": [Run("lab list", "arena-first-move")],
    "lab run": [Run("lab run small.toml --processes 1 --out report", "report")],
    "lab report": [Run("lab report small.toml --out again", "again")],
    "lab balance": [
        Run("lab balance nuts --sweep nuts=10:12 --matches 0 --processes 1 --out b", "nuts")
    ],
    "train": [Run("train nuts hats --matches 500 --seed 1 --out hats.npz", "hats.npz")],
    "inspect": [Run("inspect hats.npz", "hats of nuts: 500 matches")],
    "tree": [Run('tree nuts --depth 3 --position "5 0" --out tree.svg', "wrote tree.svg")],
    "classic nuts": [Run("classic nuts --part 1 --seed 1", "nuts", "10\n" + "1\n" * 12 + "0\n")],
    "classic arena firstmove": [Run("classic arena firstmove --depths 1", "1")],
    "classic arena fullgames": [Run("classic arena fullgames --depths 0-0 --seed 1", "0")],
    "classic arena human": [Run("classic arena human L 1", "Mega", "")],
    "classic droids": [
        Run("classic droids MinimaxAgent MinimaxAgent --console --seed 1", "R2", " \n" * 60)
    ],
    "classic aeroplane": [Run("classic aeroplane --agent greedy --matches 2 --seed 1", "greedy")],
    "classic trap": [Run("classic trap --size 3 --seed 1", "1")],
    "course new": [Run("course new trap ab1234", "ab1234")],
    "grade": [Run("grade nuts.toml ann.py --out marks --sandbox no --processes 1", "ann")],
    "class new": [Run("class new ai --game nuts --house random --matches 4", "plays nuts")],
    "class set": [Run("class set ai --daily 9", "random")],
    "class people": [Run("class people ai --add Ann", "/class/enter#")],
    "class submit": [Run("class submit ai ann.py --as Ann", "waits to be checked")],
    "class work": [Run("class work ai --until-idle --unsafe", "jobs done")],
    "class ladder": [Run("class ladder ai", "Ann #1")],
    "class program": [Run('class program ai "Ann #1"', "BY_RULES")],
    "class status": [Run("class status ai", "1 play")],
    "class final": [
        Run("class final ai --start --matches 2", "being played"),
        Run("class work ai --until-idle --unsafe", "1 job done"),
        Run("class final ai --out final.zip", "2 of 2 matches"),
    ],
    "class repeat": [Run("class repeat final.zip --unsafe --processes 1", "as before")],
    "class results": [Run("class results ai", "Ann,,1,valid")],
    "count": [Run("count trap --depth 2 --json", "[5, 235]")],
    "check": [Run("check nuts --lines 50", "nuts keeps the contract")],
}
"""The runs of every command; those that serve have functions of their own."""
SERVERS = ("serve", "class serve")

REFUSED = {
    "lab run arena-mend": "lab",
    "lab report arena-mend": "lab",
    "lab balance arena --vary gamma=60:140": "lab",
    "history --db postgresql://localhost/ludex": "postgresql",
    "match nuts random random --matches 2 --dask localhost:1": "dask",
    "show openspiel:tic_tac_toe": "openspiel",
    "train nuts net --matches 1 --out net.npz": "net",
}
"""What needs an extra, and which; without it there is one line that says so."""

GYM = """
import gymnasium
import ludex.adapters.gym

env = gymnasium.make("ludex/Nuts-v1", rules={"nuts": 10}, opponent="random")
_, info = env.reset(seed=1)
over = False
while not over:
    _, reward, over, _, info = env.step(int(info["action_mask"].argmax()))
print("reward", reward)
"""
ZOO = """
from ludex.adapters.zoo import env

room = env("nuts")
room.reset(seed=1)
for agent in room.agent_iter():
    seen, reward, over, cut, info = room.last()
    room.step(None if over or cut else int(seen["action_mask"].argmax()))
print("reward", reward)
"""
BATCH = """
import ludex

batch = ludex.load("nuts").batch(64, device="auto", seed=1)
while not (batch.ends != 0).any():
    batch.step(batch.sample())
from ludex.kernel.cuda import ptx_of, types

def copy(source, target):
    target[0] = source[0]

assert ".entry" in ptx_of(copy, (types.int64[::1], types.int64[::1]))
"""
NOTEBOOK = """
import nbformat
from nbclient import NotebookClient

code = "import ludex; ludex.load('nuts', nuts=10).new_match()"
notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
NotebookClient(notebook, kernel_name="python3").execute()
assert "<svg" in str(notebook.cells[0].outputs), notebook.cells[0].outputs
"""
DASK = """
import subprocess, sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        words = "match nuts random random --matches 4 --seed 1 --dask".split()
        subprocess.run(
            [sys.executable, "-m", "ludex", *words, cluster.scheduler_address], check=True
        )
"""


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the words of every command below one of click, without groups."""
    import click

    context = click.Context(command)
    if not isinstance(command, click.Group):
        yield words
        return
    for name in command.list_commands(context):
        inner = command.get_command(context, name)
        yield from commands(inner, (*words, name))


def without_help() -> list[str]:
    """Return the commands whose --help fails."""
    from click.testing import CliRunner

    from ludex.cli import cli

    every = {words[:count] for words in commands(cli) for count in range(len(words) + 1)}
    runner = CliRunner()
    return [
        " ".join(words)
        for words in sorted(every)
        if runner.invoke(cli, [*words, "--help"], prog_name="ludex").exit_code
    ]


def without_run(names: Iterator[tuple[str, ...]]) -> list[str]:
    """Return the commands that have no run here."""
    return [name for name in map(" ".join, names) if name not in (*RUNS, *SERVERS)]


def run_command(run: Run, folder: Path) -> str:
    """Run a command, and return what it printed; raise a Failure if that is not as it should be."""
    import shlex

    words = [sys.executable, "-m", "ludex", *shlex.split(run.words)]
    ended = subprocess.run(
        words, input=run.given, cwd=folder, capture_output=True, text=True, timeout=LONG
    )
    said = f"{ended.stdout}{ended.stderr}".strip()
    if ended.returncode or "Traceback" in said:
        raise Failure(f"ludex {run.words}: exit code {ended.returncode}\n{said}")
    if run.prints not in ended.stdout:
        raise Failure(f"ludex {run.words}: {run.prints!r} is not in what it printed\n{said}")
    return ended.stdout


def run_code(code: str, folder: Path) -> None:
    """Run a piece of Python in a process of its own."""
    file = folder / "piece.py"
    file.write_text(code, encoding="utf-8")
    ended = subprocess.run(
        [sys.executable, str(file)], cwd=folder, capture_output=True, text=True, timeout=LONG
    )
    if ended.returncode:
        raise Failure(f"exit code {ended.returncode}\n{ended.stdout}{ended.stderr}".strip())


@contextmanager
def serving(words: list[str], folder: Path) -> Iterator[str]:
    """Yield the address of a server that a command starts, and end it by a signal."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    program = [sys.executable, "-m", "ludex", *words, "--port", str(port)]
    address, log = f"http://127.0.0.1:{port}", folder / "serve.log"
    with log.open("w", encoding="utf-8") as output:
        process = subprocess.Popen(program, cwd=folder, stdout=output, stderr=output)
    try:
        until = time.monotonic() + LONG
        while True:
            try:
                ask(f"{address}/health")
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > until:
                    raise Failure(f"the server did not start\n{log.read_text()}") from None
                time.sleep(0.2)
        yield address
    finally:
        process.terminate()
        process.wait(30)
    if "Traceback" in log.read_text():
        raise Failure(f"the server failed\n{log.read_text()}")


def ask(address: str) -> str:
    """Return what a server answers."""
    with urllib.request.urlopen(address, timeout=60) as answer:
        return str(answer.read().decode())


def run_server(folder: Path) -> None:
    """Start the web lab, open pages, and stop it."""
    with serving(["serve"], folder) as address:
        for page, wanted in {
            "/health": "prepared",
            "/": "The Game of Nuts",
            "/play/nuts": "Start the match",
            "/guide/trap": "Trap",
            "/api/games": "aeroplane",
        }.items():
            if wanted not in ask(f"{address}{page}"):
                raise Failure(f"ludex serve: {wanted!r} is not on {page}")


def run_class_server(folder: Path) -> None:
    """Start the server of the class that was made, and stop it."""
    with serving(["class", "serve", "ai", "--processes", "0"], folder) as address:
        if '"ai"' not in ask(f"{address}/health"):
            raise Failure("ludex class serve: the name of the class is not in /health")


def refuse_without_extras(folder: Path) -> None:
    """See that what needs an extra says so in one line."""
    for words, extra in REFUSED.items():
        program = [sys.executable, "-m", "ludex", *words.split()]
        ended = subprocess.run(program, cwd=folder, capture_output=True, text=True, timeout=LONG)
        said = ended.stderr.strip()
        if ended.returncode != 2 or not said.endswith(f"pip install 'ludex[{extra}]'"):
            raise Failure(f"ludex {words}: expected a line that asks for ludex[{extra}]\n{said}")


def run_postgresql(folder: Path) -> None:
    """Store a match in PostgreSQL, if a server can be started here; else reach for one."""
    postgresql = importlib.import_module("postgresql")  # beside this file

    play = "match nuts random random --matches 2 --seed 1 --processes 1 --db"
    try:
        with postgresql.running() as url:
            run_command(Run(f"{play} {url}", "won"), folder)
            run_command(Run(f"history --db {url}", "nuts"), folder)
    except postgresql.Missing as error:
        print(f"  postgresql: {error}; only the driver is tried", flush=True)
        run_code("import psycopg, sqlalchemy.dialects.postgresql.psycopg", folder)


EXTRAS: dict[str, Callable[[Path], Any]] = {
    "dask": lambda folder: run_code(DASK, folder),
    "gpu": lambda folder: run_code(BATCH, folder),
    "gym": lambda folder: run_code(GYM, folder),
    "lab": lambda folder: run_command(
        Run("lab balance nuts --vary nuts=10:14 --trials 6 --scale 0.1 --out vary", "nuts"), folder
    ),
    "net": lambda folder: run_command(
        Run("train nuts net:boards=2,sims=2 --matches 2 --seed 1 --out net.npz", "parameters"),
        folder,
    ),
    "notebook": lambda folder: run_code(NOTEBOOK, folder),
    "openspiel": lambda folder: run_command(
        Run("show openspiel:tic_tac_toe --json", "moves"), folder
    ),
    "pettingzoo": lambda folder: run_code(ZOO, folder),
    "postgresql": run_postgresql,
}
"""A small run of what each extra brings."""


def smoke(folder: Path, only: list[str]) -> None:
    """Run all commands, or some; print the time of each."""
    import ludex
    from ludex.cli import cli

    if Path(ludex.__file__).is_relative_to(Path(__file__).parents[1]):
        raise Failure(f"not installed: Ludex comes from {ludex.__file__}")
    if missing := without_run(commands(cli)):
        raise Failure(f"no run in tools/smoke.py for: {', '.join(missing)}")
    if failed := without_help():
        raise Failure(f"--help fails for: {', '.join(failed)}")
    for name, content in FILES.items():
        (folder / name).write_text(content, encoding="utf-8")
    tasks: dict[str, Callable[[], Any]] = {
        name: lambda runs=runs: [run_command(run, folder) for run in runs]  # type: ignore[misc]
        for name, runs in RUNS.items()
    }
    tasks |= {"serve": lambda: run_server(folder), "class serve": lambda: run_class_server(folder)}
    tasks |= {"extras": lambda: refuse_without_extras(folder)}
    for name in only or tasks:
        timed(name, tasks[name])


def timed(name: str, task: Callable[[], Any]) -> None:
    """Do a task, and print how long it took."""
    began = time.perf_counter()
    task()
    print(f"  {name}: {time.perf_counter() - began:.1f} s", flush=True)


def main() -> int:
    """Run what the command line names; return 1 and print the reason if something failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--extra", choices=EXTRAS, help="run what an extra brings")
    parser.add_argument("--only", nargs="*", default=[], help="run only these commands")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ludex-smoke-") as name:
        folder = Path(name)
        for variable in ("LUDEX_CACHE", "LUDEX_DATA", "LUDEX_SOLUTIONS"):
            os.environ[variable] = str(folder / variable.lower())
        for variable in ("LUDEX_DB", "LUDEX_KEY"):
            os.environ.pop(variable, None)
        os.environ["PYTHONUNBUFFERED"] = "1"
        try:
            if given.extra:
                timed(given.extra, lambda: EXTRAS[given.extra](folder))
            else:
                smoke(folder, given.only)
        except (Failure, subprocess.TimeoutExpired) as error:
            print(f"failed: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
