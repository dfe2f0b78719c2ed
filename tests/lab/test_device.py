"""Experiments on a device: series in compiled code, with the same numbers on each."""

import json
from pathlib import Path
from typing import Any

import pytest

from ludex.core.rules import initial
from ludex.kernel.counter_rng import stream_of
from ludex.lab.experiment_file import make_experiment
from ludex.lab.page import report_facts
from ludex.lab.run.measurements import device_matches, do_task
from ludex.lab.run.series import ON_DEVICE, count_results, series_tasks
from ludex.lab.runner import run
from ludex.lab.spec.openings import opening_state
from ludex.lab.spec.task import task_facts
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.workers.pool import Pool
from tests.batch.traces import played_out
from tests.commands import run as command
from tests.lines import variant

pytestmark = pytest.mark.plain

ORDER: dict[str, Any] = {
    "kind": "balance",
    "game": "nuts",
    "levels": ["random", "greedy"],
    "matches": 12,
    "sweep": {"nuts": "10,11"},
    "device": True,
}


@pytest.mark.parametrize(("game", "opening"), [("nuts", 3), ("droids", 0)])
def test_every_match_is_as_in_plain_python(game: str, opening: int) -> None:
    agents = ["greedy", "random"]
    found = device_matches(game, {}, agents, 5, 3, 6, opening)
    rules = variant(game)
    for number, returns in enumerate(found["returns"], start=3):
        start = opening_state(rules, opening, 5, number) if opening else initial(rules)
        assert returns == played_out(rules, agents, stream_of(5, number), start)[0]
    assert len(found["lines"]) == len({*found["lines"]}) == len(found["starts"]) == 6
    assert found["endings"] == ["BY_RULES"] * 6


def test_series_are_played_on_a_device_where_their_agents_allow_it() -> None:
    experiment = make_experiment("there", {**ORDER, "levels": ["random", "minimax:depth=2"]})
    (there,) = series_tasks(experiment, ["random", "casual"], 40)
    assert there.work == ON_DEVICE and task_facts(there)["matches"] == 40
    others = series_tasks(experiment, ["random", "minimax:depth=2"], 40)
    assert {one.work for one in others} == {"matches"} and len(others) == 4
    plain = experiment._replace(given=experiment.given | {"device": False})
    assert {one.work for one in series_tasks(plain, ["random", "random"], 40)} == {"matches"}


def test_points_are_counted_for_either_seat() -> None:
    experiment = make_experiment("there", ORDER)
    tasks = series_tasks(experiment, ["greedy", "random"], 30)
    known = {task: do_task(task, device="cpu")[1] for task in tasks}
    first, second = (count_results(known, tasks, seat) for seat in (0, 1))
    returns = [returns[0] for returns in known[tasks[0]]["returns"]]
    assert first.wins == returns.count(1.0) == second.losses and first.distinct == 30


def test_an_experiment_has_the_same_numbers_on_any_device(tmp_path: Path) -> None:
    def tables(device: str) -> Any:
        notebook = Notebook(Store(f"sqlite:///{tmp_path / device}.db"))
        return report_facts(run(make_experiment("there", ORDER), notebook, Pool(1), device=device))

    one, other = tables("cpu")["tables"], tables("auto")["tables"]
    assert json.dumps(one) == json.dumps(other) and one


def test_the_command_measures_balance_on_a_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDEX_DATA", str(tmp_path / "data"))
    levels = ("--level", "random", "--level", "greedy", "--matches", "20", "--device", "cpu")
    told = json.loads(command("lab", "balance", "nuts", *levels, "--json").stdout)
    experiment = make_experiment("there", {**ORDER, "sweep": {}, "matches": 20})
    tasks = series_tasks(experiment, ["random", "random"], 20)
    count = count_results({one: do_task(one)[1] for one in tasks}, tasks, 0)
    facts = [row for table in told["tables"] for row in table["facts"] if "level" in row]
    assert facts[0]["level"] == "random" and facts[0]["wins"] == count.wins
    order = 'kind = "depths"\ngame = "nuts"\nagents = ["minimax"]\ndepths = [1]\n'
    (tmp_path / "order.toml").write_text(order, encoding="utf-8")
    refused = command("lab", "run", "order.toml", "--device", "cpu")
    assert refused.exit_code == 2
    assert "--device: a depths experiment plays no series there" in refused.stderr
