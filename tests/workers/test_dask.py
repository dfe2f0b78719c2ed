"""Every command that works on a Dask cluster finds there what local processes find."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludex.external.packages import PACKAGES
from ludex.external.sandbox import UNSAFE
from ludex.lab.experiment_file import make_experiment
from ludex.lab.runner import run
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.workers.pool import SETTINGS, Pool, run_with_settings
from tests.classes import GOOD, POOR, submitted
from tests.commands import facts, refused
from tests.experiments import AGENTS, DEPTHS, HERE, LEARNING

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions", "unsafe")]
distributed = pytest.importorskip("distributed")
TIMES = {"seconds", "seconds_per_decision"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start a scheduler with a worker in this process."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=":0"
    ) as made:
        yield made


def lasting(told: Any) -> Any:
    """Return what does not depend on when and how fast it was found out."""
    if isinstance(told, dict):
        return {key: lasting(value) for key, value in told.items() if key not in TIMES}
    return [lasting(one) for one in told] if isinstance(told, list) else told


def agrees(cluster: Any, *command: str) -> Any:
    """Return what a command tells from a cluster, after seeing that it is told here as well."""
    before = cluster.scheduler.transition_counter
    there = facts(*command, "--dask", cluster.scheduler_address)
    assert cluster.scheduler.transition_counter > before  # the cluster had something to do
    here = facts(*command, "--processes", "1")
    assert lasting(there) == lasting(here)
    return there


def test_a_series(cluster: Any) -> None:
    order = ("match", "nuts", "minimax:depth=2", "random", "--matches", "6", "--seed", "1")
    assert agrees(cluster, *order, "--no-store")["matches"] == 6


def test_a_tournament(cluster: Any) -> None:
    order = ("tournament", "nuts", "random", "greedy", "casual", "--format", "swiss")
    assert agrees(cluster, *order, "--rounds", "2", "--seed", "1", "--no-store")["matches"] == 4


def test_a_best_response(cluster: Any) -> None:
    assert agrees(cluster, "exploit", "nuts", "greedy", "--rule", "nuts=10")["value"] > 0


@pytest.mark.unmeasured
def test_a_series_of_trainings(cluster: Any, tmp_path: Path) -> None:
    file = tmp_path / "trial.toml"
    lines = [f"{key} = {json.dumps(value)}" for key, value in LEARNING.items() if key != "rules"]
    file.write_text("\n".join(['title = "Trial"', *lines, "[rules]", "nuts = 10"]))
    out = ("--out", str(tmp_path / "report"), "--fresh", "--db", str(tmp_path / "lab.db"))
    agrees(cluster, "lab", "run", str(file), *out)


@pytest.mark.unmeasured
@pytest.mark.parametrize("order", [AGENTS, DEPTHS], ids=["played", "timed"])
def test_an_experiment(cluster: Any, order: dict[str, Any], tmp_path: Path) -> None:
    experiment, before = make_experiment("trial", order), cluster.scheduler.transition_counter
    there, here = (
        run(experiment, Notebook(Store(str(tmp_path / name))), pool).known
        for name, pool in (("a.db", Pool(dask=cluster.scheduler_address)), ("b.db", HERE))
    )
    assert there.keys() == here.keys() and cluster.scheduler.transition_counter > before
    assert all(lasting(there[task]) == lasting(here[task]) for task in here)


@pytest.mark.unmeasured
def test_a_balance(cluster: Any, tmp_path: Path) -> None:
    levels = ("--level", "random", "--level", "greedy")
    order = ("lab", "balance", "nuts", "--rule", "nuts=10", *levels, "--matches", "2")
    out = ("--out", str(tmp_path / "report"), "--fresh", "--db", str(tmp_path / "lab.db"))
    agrees(cluster, *order, *out)


@pytest.mark.unmeasured
def test_a_class(cluster: Any, tmp_path: Path, order: Path) -> None:
    paths = [
        str(submitted(tmp_path / "class", name, code)) for name, code in (("a", GOOD), ("b", POOR))
    ]
    command = ("grade", str(order), *paths, "--no-pages", "--unsafe", "--out")
    before = cluster.scheduler.transition_counter
    there = facts(*command, str(tmp_path / "there"), "--dask", cluster.scheduler_address)
    assert cluster.scheduler.transition_counter > before
    here = facts(*command, str(tmp_path / "here"), "--processes", "1")
    assert there == here and there["students"][0]["total"] > there["students"][1]["total"]
    for name in ("class.csv", "students/a/results.json", "students/b/results.json"):
        assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


def test_a_worker_runs_programs_as_whoever_asked_for_it_would(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(PACKAGES, "numpy")
    asked: dict[str, str | None] = {UNSAFE: "user", PACKAGES: None}
    assert set(asked) < set(SETTINGS)
    assert run_with_settings(os.environ.get, asked, UNSAFE) == "user"
    assert run_with_settings(os.environ.get, asked, PACKAGES) is None


def fail(number: int) -> int:
    raise ValueError(f"no {number}")


def test_what_fails_on_a_worker_is_raised_here(cluster: Any) -> None:
    pool = Pool(dask=cluster.scheduler_address)
    with pool, pytest.raises(ValueError, match="no 7"):
        list(pool.run(fail, [7]))


def die(number: int) -> int:
    raise distributed.KilledWorker(f"job {number}", SimpleNamespace(address="tcp://gone"), 3)


def test_a_job_whose_workers_die_is_one_clear_line(cluster: Any) -> None:
    pool = Pool(dask=cluster.scheduler_address)
    with pool, pytest.raises(ValueError, match="workers of the Dask cluster died"):
        list(pool.run(die, [7]))


@pytest.mark.parametrize(
    "command",
    [
        "match nuts random greedy",
        "tournament nuts random greedy",
        "exploit nuts random",
        "lab run nuts-training",
        "lab balance nuts",
        "grade nuts a.py --out marks",
    ],
)
def test_a_cluster_and_local_processes_do_not_go_together(command: str) -> None:
    told = refused(*command.split(), "--dask", "localhost:1", "--processes", "2")
    assert "--dask and --processes: expected one of them" in told
