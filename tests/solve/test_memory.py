"""Memory: how much a solver may take, and that nobody takes more."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from ludex.core.rules import initial
from ludex.solve import solving
from ludex.solve.proof import mtdf
from ludex.solve.proof.mtdf import Prover
from ludex.solve.solving import solve, with_suggestions
from ludex.solve.states import memory as memory_module
from ludex.solve.states.listing import TooBig
from ludex.solve.states.memory import free_gibibytes, group_limits
from ludex.solve.states.size import MEMORY_BYTES, estimated_states
from tests.commands import run
from tests.lines import variant
from tests.solutions import Teller, droids

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("solutions")]


def group(folder: Path, **numbers: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, number in numbers.items():
        (folder / f"memory.{name}").write_text(f"{number}\n")


def test_every_control_group_above_a_process_limits_it(tmp_path: Path) -> None:
    group(tmp_path / "a" / "b", max="max", current="5")
    group(tmp_path / "a", max="1000", current="400", stat="anon 300\ninactive_file 50")
    group(tmp_path, max="700", current="900")
    process = tmp_path / "process"
    process.write_text("0::/a/b\n")
    assert group_limits(tmp_path, process) == [650, 0]


def test_groups_for_memory_alone_are_known_too(tmp_path: Path) -> None:
    there = tmp_path / "memory" / "box"
    group(there, limit_in_bytes="1000", usage_in_bytes="100")
    process = tmp_path / "process"
    process.write_text("3:cpu:/other\n2:memory:/box\n")
    assert group_limits(tmp_path, process) == [900]
    assert group_limits(tmp_path, tmp_path / "nowhere") == []


def test_the_least_of_what_is_free_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "free_bytes", lambda: 8 << 30)
    monkeypatch.setattr(memory_module, "group_limits", lambda: [4 << 30, 16 << 30])
    assert free_gibibytes() == 3.0
    monkeypatch.setattr(memory_module, "group_limits", list)
    assert free_gibibytes() == 6.0
    monkeypatch.setattr(memory_module, "free_bytes", lambda: None)
    assert free_gibibytes() == 4.0


@pytest.mark.parametrize("objective", ["outcome", "margin"])
def test_a_proof_takes_the_memory_that_it_is_given(
    objective: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[int] = []
    make_prover = mtdf.make_prover

    def make(rules: Any, state: Any, objective: str, mebibytes: int) -> Prover:
        given.append(mebibytes)
        return make_prover(rules, state, objective, 0)

    monkeypatch.setattr(mtdf, "make_prover", make)
    monkeypatch.setattr(Prover, "prove", lambda *given: (1.0, {}, ()))
    for words in ([], ["--memory", "0.0625"]):
        arguments = ["solve", "arena", "--objective", objective, *words]
        result = run(*arguments)
        assert result.exit_code == 0, result.output
    assert given == [512, 64]


def test_explain_looks_ahead_where_there_are_more_seats() -> None:
    position = "R:h,h,h,h B:h,h,h,h Y:h,h,h,h 6 0"
    arguments = ["explain", "aeroplane", "--rule", "seats=3", "--position", position]
    result = run(*arguments, "--depth", "1")
    assert result.exit_code == 0, result.output
    assert "exact values are for two seats, not 3; looking 1 decision ahead" in result.stderr
    assert "estimated" in result.stdout


# Room. -------------------------------------------------------------------------------------------


def test_a_full_disk_is_noticed_before_anything_is_listed(
    solutions: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    monkeypatch.setattr(solving, "PROBED", 1)  # so that the game counts as a big one
    rules, teller = droids(), Teller()
    with pytest.raises(
        ValueError, match=f"the disk of {solutions} has 0 MiB left, and 1 are.*LUDEX_SOLUTIONS"
    ):
        solve(rules, initial(rules), tell=teller)
    assert teller.told == ["sampling states"]
    assert list(solutions.iterdir()) == []


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("game", "texts", "states"),
    [
        ("nuts", {"nuts": 100}, 200),
        ("droids", {"rows": 2, "columns": 3, "shots": 1, "rounds": 4}, None),
    ],
)
def test_too_little_memory_is_refused_with_rules_that_fit(
    game: str, texts: dict[str, int], states: int | None
) -> None:
    rules = variant(game, **texts)
    room = 150
    with pytest.raises(TooBig) as caught:
        solve(rules, initial(rules), room * (MEMORY_BYTES + 0.5) / 2**30)
    refusal = with_suggestions(caught.value, rules, room * (MEMORY_BYTES + 0.5) / 2**30)
    said, _, offers = str(refusal).partition("; what may fit: ")
    count = estimated_states(rules, initial(rules))[0]
    assert said == f"about {count:,} states are too many: there is memory for {room}"
    assert count == states or states is None
    assert offers
    for offer in offers.split(" or "):
        name, _, value = offer.partition("=")
        less = variant(game, **{**texts, name: int(value)})
        assert estimated_states(less, initial(less))[0] <= room
        solve(less, initial(less), room * (MEMORY_BYTES + 0.5) / 2**30)


@pytest.mark.compiled
def test_a_game_is_refused_by_its_estimated_size() -> None:
    run("solve", "trap", "--memory", "0.01")  # compiles, and says so on a line of its own
    result = run("solve", "trap", "--memory", "0.01")
    assert result.exit_code == 2
    assert "states are too many: there is memory for 19,173; what may fit: size=3" in result.stderr
    assert result.stderr.count("\n") == 1
