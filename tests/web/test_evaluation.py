"""What the web lab says of positions, and how it is started."""

import math
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner
from nicegui.testing.general import nicegui_reset_globals

from ludex.analysis.evaluator import evaluations, expected_value, quick_evaluation
from ludex.cli import cli
from ludex.core.play import legal_moves, read_state
from ludex.core.rules import apply, chance, initial
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.evaluator import ProofEvaluator
from ludex.solve.game_length import GameLength
from ludex.solve.proof.mtdf import Unproven
from ludex.web.state import evaluations as web_evaluations
from ludex.web.state.catalogue import Catalogue
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import (
    PositionQuery,
    budget_of,
    explain_choice,
    known_value,
    outcome_words,
    tree_of,
)
from tests.webvisit import in_server

pytestmark = pytest.mark.plain

LATE = "0,0,0,0,0,0,0,0,9 0,0,0,0,0,0,0,5,99 - heat - 0"  # three robots are left


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return Catalogue()


def test_a_small_game_is_solved(catalogue: Catalogue) -> None:
    rules = catalogue.rules("nuts", {"nuts": "11"})
    (found,) = evaluations(rules, initial(rules), budget_of(1.0))
    assert found.exact and found.how.startswith("solved")
    assert found.values == {0: -1.0, 1: 1.0, 2: -1.0}
    assert [found.loss(action) for action in range(3)] == [2.0, 0.0, 2.0]
    assert known_value("nuts", (("nuts", "11"),), 1.0)["words"].startswith("Player 1 wins")


def test_a_position_is_proven(catalogue: Catalogue) -> None:
    rules = catalogue.rules("arena")
    (found,) = evaluations(rules, read_state(rules, LATE), budget_of(60.0))
    assert found.exact and found.how.startswith("proven")
    assert set(found.values) == {8}


@pytest.mark.compiled
def test_a_proof_that_takes_too_long_is_given_up(catalogue: Catalogue) -> None:
    rules = catalogue.rules("arena")
    with pytest.raises(Unproven, match="no proof in 0 s"):
        ProofEvaluator(rules, initial(rules), Budget(seconds=0.0)).prove(initial(rules))


@pytest.mark.parametrize(
    ("game", "texts", "position"),
    [
        ("trap", {"size": "3"}, ".1./.../.2. 0 step"),
        ("droids", {"rounds": "2"}, "2,0 2,3 5,5 0,0 2"),
        ("aeroplane", {"seats": "3", "planes": "1"}, "R:l B:h Y:h 6 0"),
    ],
)
def test_a_search_says_that_it_estimates(
    catalogue: Catalogue, game: str, texts: dict[str, str], position: str
) -> None:
    rules = catalogue.rules(game, texts)
    found = quick_evaluation(rules, read_state(rules, position), 0, 1)
    assert not found.exact and found.how == "1 decision ahead"
    assert found.value == pytest.approx(max(found.values.values()), abs=1.0)


def test_the_value_where_chance_decides_is_the_mean_over_its_outcomes(catalogue: Catalogue) -> None:
    rules = catalogue.rules("aeroplane", {"seats": "3", "planes": "1"})
    state = read_state(rules, "R:5 B:h Y:h - 0")
    budget = Budget(depth=1)
    after = {one: apply(rules, state, one) for one in legal_moves(rules, state)}
    worth = {one: expected_value(rules, then, budget)[0] for one, then in after.items()}
    assert len(set(worth.values())) > 1
    mean = sum(chance(rules, state, one) * value for one, value in worth.items())
    found, exact = expected_value(rules, state, budget)
    assert found == pytest.approx(mean) and not exact


def test_a_position_is_exact_once_its_game_was_solved(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = False

    def look(query: PositionQuery, seconds: float = 0.0) -> list[Evaluation]:
        return [Evaluation(0, 0.5, {0: 0.5}, {}, solved, "")]

    monkeypatch.setattr(web_evaluations, "evaluate", look)
    monkeypatch.setattr(web_evaluations, "is_solved", lambda *given: solved)
    monkeypatch.setattr(
        web_evaluations, "moves_left", lambda query: GameLength(4.0, True, {0: 4.0})
    )

    async def story(server: ServerState) -> None:
        nonlocal solved
        asked, known = PositionQuery("nuts", (), (5, 0)), server.evaluations
        assert not (await known.of(asked))[0].exact
        solved = True
        (found,) = await known.of(asked)
        assert found.exact and (await known.hint(asked))[0].exact
        assert (await known.length(asked, [found])).moves == 4.0
        assert await known.of(asked) == [found]

    in_server(story, tmp_path)


def test_values_have_words(catalogue: Catalogue) -> None:
    rules = catalogue.rules("nuts")
    assert outcome_words(rules, 0.0) == "best play is a draw"
    assert outcome_words(rules, -1.0) == "Player 2 wins with best play"
    assert outcome_words(rules, 0.25) == "value +0.250 for Player 1"


def test_trees_and_thoughts() -> None:
    asked = PositionQuery("nuts", (), (5, 0))
    assert tree_of(asked, "minimax", 2).count('<g id="node-') > 3
    with pytest.raises(ValueError, match="no tree"):
        tree_of(asked, "random", 1)
    with pytest.raises(ValueError, match="nothing to search"):
        tree_of(PositionQuery("nuts", (), (0, 0)), "minimax", 2)
    thought, _ = explain_choice(PositionQuery("nuts", (), (3, 0)), "minimax:depth=5", 0, 0.0)
    assert thought.move == "take 2"


def test_a_program_that_was_replaced_is_asked_anew(tmp_path: Path) -> None:
    file, said = tmp_path / "mine.py", []
    for number in (0, 1):
        file.write_text(f"def choose(position, moves, seconds):\n    return moves[{number}]\n")
        thought, _ = explain_choice(PositionQuery("nuts", (), (3, 0)), str(file), 0, 0.0)
        said.append(thought.move)
    assert said == ["take 1", "take 2"]


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """Yield what would have been served."""
    served: list[Any] = []
    monkeypatch.setattr(uvicorn, "run", lambda app, **options: served.append((app, options)))
    before = dict(sys.modules)
    with nicegui_reset_globals():
        yield served
    sys.modules.update(before)  # the reset forgets modules, and a second copy would differ


def test_serving_begins_where_it_is_told_to(server: list[Any]) -> None:
    result = CliRunner().invoke(cli, ["serve", "--port", "8999", "--game", "examples/pig.py"])
    assert result.exit_code == 0, result.output
    ((app, options),) = server
    assert (options["host"], options["port"]) == ("127.0.0.1", 8999)
    assert "/api/matches" in app.openapi()["paths"]


def test_a_port_that_is_taken_is_refused(server: list[Any]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = CliRunner().invoke(cli, ["serve", "--port", str(port)], prog_name="ludex")
    assert result.exit_code == 2
    assert result.stderr.startswith(f"ludex: cannot listen at 127.0.0.1:{port}: ")
    assert result.stderr.count("\n") == 1
    assert server == []


@pytest.mark.parametrize("name", ["Prof. Kim", "http://lab", "lab:8642", "-lab", "lab..org", ""])
def test_what_is_no_host_name_is_refused(server: list[Any], name: str) -> None:
    result = CliRunner().invoke(
        cli, ["serve", "--port", "8996", "--name", "lab", "--name", name], prog_name="ludex"
    )
    words = f"ludex: --name {name!r}: expected a host name such as lab.example.org\n"
    assert (result.exit_code, result.stderr) == (2, words)
    assert server == []


def test_a_file_that_is_no_game_is_refused(server: list[Any]) -> None:
    result = CliRunner().invoke(cli, ["serve", "--port", "8998", "--game", "nowhere.py"])
    assert result.exit_code == 2
    assert server == []


def test_a_store_that_cannot_be_reached_is_told_at_once(server: list[Any]) -> None:
    result = CliRunner().invoke(cli, ["serve", "--port", "8997", "--db", "/nowhere/at/all.db"])
    assert result.exit_code == 2
    assert result.stderr.startswith("ludex: the database sqlite:////nowhere/at/all.db: ")
    assert len(result.stderr.splitlines()) == 1
    assert server == []


def test_what_was_not_looked_at_has_no_loss() -> None:
    found = Evaluation(0, 0.5, {3: 0.5, 4: -0.5}, {}, False, "")
    assert [found.loss(action) for action in (3, 4)] == [0.0, 1.0]
    assert math.isnan(found.loss(5))
