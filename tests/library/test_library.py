"""What `import ludex` offers: games, matches, players, series, truth and training as objects."""

import doctest
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.core.rules import BOTH, CHANCE, NO_MOVE, OVER
from ludex.io.table import Table
from ludex.match.record import replay_states

pytestmark = pytest.mark.plain
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "least"),
    [("docs/library.md", 20), ("README.md", 4), ("docs/tutorial.md", 3), ("docs/batch.md", 12)],
)
def test_the_examples_of_the_page_show_what_they_say(page: str, least: int) -> None:
    code = (ROOT / page).read_text(encoding="utf-8").replace("```pycon", "").replace("```", "")
    found = doctest.DocTestParser().get_doctest(code, {}, page, page, 0)
    result = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(found)
    assert result.attempted > least and result.failed == 0


def test_the_first_example_shows_what_it_says() -> None:
    assert doctest.testmod(ludex).failed == 0


def test_every_public_name_is_there_and_listed() -> None:
    assert len(ludex.PLACES) > 40
    for name in ludex.PLACES:
        assert getattr(ludex, name).__name__ == name
        assert name in dir(ludex)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        getattr(ludex, "nothing")  # noqa: B009


def test_importing_it_imports_nothing_else() -> None:
    code = "import sys, ludex\nprint({'numpy', 'numba', 'rich'} & set(sys.modules))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "set()\n"


# Games. -----------------------------------------------------------------------------------------

OWN = """
from typing import NamedTuple
ACTIONS = 2
class CoinsRules(NamedTuple):
    coins: int = 5
class Coins(NamedTuple):
    left: int
    seat: int
def initial(rules): return Coins(rules.coins, 0)
def turn(rules, state): return -3 if state.left == 0 else state.seat
def legal(rules, state, seat, action): return action < state.left
def apply(rules, state, move): return Coins(state.left - move - 1, 1 - state.seat)
def returns(rules, state, seat): return 1.0 if seat != state.seat else -1.0
"""


@pytest.fixture
def coins() -> Any:
    """Return a module of the user's own, as a notebook has it: without a file."""
    module = type(sys)("coins_of_a_notebook")
    sys.modules[module.__name__] = module
    exec(OWN, vars(module))
    yield module
    del sys.modules[module.__name__]


def test_rules_are_python_values() -> None:
    assert ludex.load("trap", size=4).rules.size == 4
    assert ludex.load("aeroplane", stacks="block") == ludex.load("aeroplane").with_rules(
        stacks="block"
    )
    with pytest.raises(ValueError, match="rule size: '9'"):
        ludex.load("trap", size=9)
    with pytest.raises(ValueError, match="no rule 'sizes'; did you mean 'size'"):
        ludex.load("trap", sizes=4)


def test_changed_rules_stay_when_a_game_is_passed_on() -> None:
    game = ludex.load("arena", heal=7)
    assert ludex.load(game) == game
    assert game.with_rules(spark=9) == ludex.load("arena", heal=7, spark=9)


def test_a_game_of_a_notebook_plays_and_is_solved(coins: Any) -> None:
    for given in (coins, coins.CoinsRules):
        game = ludex.load(given, coins=4)
        assert game.seats == 2 and game.count(3) == [2, 4, 4]
        series = ludex.play(game, "random", "greedy", matches=4, seed=1)
        assert series.matches == 4
        assert game.solve(progress=False).value() == 1.0


def test_a_module_that_is_no_game_is_refused() -> None:
    with pytest.raises(ValueError, match="is not a game yet: it lacks"):
        ludex.load(pytest)


def test_a_path_names_a_game() -> None:
    assert ludex.load(ROOT / "examples" / "tictactoe.py").count(1) == [9]


# Matches. ---------------------------------------------------------------------------------------


def test_the_same_luck_comes_again_after_taking_back() -> None:
    match = ludex.load("aeroplane", planes=1).new_match(seed=5)
    seen = []
    for _ in range(6):
        match.push(match.legal_moves()[0])
        seen.append(match.position)
    for _ in range(6):
        match.pop()
    for place in seen:
        match.push(match.legal_moves()[0])
        assert match.position == place


def test_chance_can_be_left_to_the_user() -> None:
    match = ludex.load("aeroplane").new_match(chance="manual")
    assert match.turn == CHANCE and match.choosers == ()
    match.push("roll 6")
    assert match.seat == 0 and "plane 1" in match.legal_moves()
    with pytest.raises(ValueError, match="expected 'auto' or 'manual'"):
        ludex.load("aeroplane").new_match(chance="never")


def test_a_pair_of_moves_is_one_move() -> None:
    match = ludex.load("droids").new_match()
    assert match.turn == BOTH and len(match.legal_moves()) == 16
    match.push(("up", "shoot"))
    assert match.labels == ["up shoot"] and match.actions_at(0) == {0: 0, 1: 4}
    with pytest.raises(ValueError, match="is not an action of R2-D2 here"):
        match.push((9, 0))


def test_a_match_ends_by_its_rules_or_by_a_forfeit() -> None:
    nuts = ludex.load("nuts", nuts=10)
    match = nuts.new_match()
    for move in ("take 3", "take 3", "take 3", "take 1"):
        match.push(move)
    assert match.turn == OVER and match.returns == (1.0, -1.0)
    assert match.result == "Player 1 wins." and match.legal_moves() == []
    with pytest.raises(ValueError, match="the match is over: Player 1 wins"):
        match.push("take 1")
    match.pop()
    assert not match.over and match.returns == (0.0, 0.0)
    match.forfeit("RESIGNED", [1], "Player 2 resigned.")
    assert match.returns == (1.0, -1.0) and match.result == "Player 1 wins: Player 2 resigned."


def test_a_match_that_is_too_long_is_a_draw() -> None:
    match = ludex.Match(ludex.load("nuts").rules, plies=2)
    match.push("take 1")
    match.push("take 1")
    assert match.ending == "TRUNCATED" and match.returns == (0.0, 0.0)


def test_a_match_has_a_record_that_replays() -> None:
    match = ludex.load("aeroplane", planes=1).new_match(seed=2)
    for _ in range(4):
        match.push(match.legal_moves()[0], seconds=(0.5,))
    record = match.record(["me", "you"], "2026-01-01T00:00:00")
    assert replay_states(record)[1] == [ply.state for ply in match.plies]


def test_a_match_draws_itself() -> None:
    match = ludex.load("trap", size=3).new_match()
    assert match.last_move == NO_MOVE
    assert match._repr_svg_().startswith("<svg") and "1" in match.board()


# Players. ---------------------------------------------------------------------------------------


class First:
    """Takes the first move."""

    def choose(self, match: ludex.Match) -> str:
        return match.legal_moves(match.seat)[0]


@pytest.mark.parametrize("player", [First(), lambda match: 0, lambda match: "take 1"])
def test_any_object_with_choose_is_an_agent(player: Any) -> None:
    nuts = ludex.load("nuts", nuts=10)
    assert nuts.agent(player).choose(nuts.new_match()).move == "take 1"
    series = ludex.play(nuts, player, "random", matches=4, seed=1)
    assert series.matches == 4 and not series.failures


def test_an_object_that_chooses_what_is_not_legal_loses() -> None:
    series = ludex.play("nuts", lambda match: "take 9", "random", matches=2, seed=1)
    assert series.losses == 2
    assert "'take 9' is not a move here" in series.failures[0]["words"]


def test_a_player_can_ask_another_one() -> None:
    nuts = ludex.load("nuts", nuts=10)
    teacher = nuts.agent("minimax:depth=10")
    series = ludex.play(nuts, lambda match: teacher.choose(match), "random", matches=6, seed=1)
    assert series.wins == 6


def test_what_is_no_agent_is_refused() -> None:
    with pytest.raises(ValueError, match="42 is no agent: expected a text such as"):
        ludex.play("nuts", 42, "random")
    with pytest.raises(ValueError, match="no agent 'mcst'; did you mean 'mcts'"):
        ludex.load("nuts").agent("mcst")
    with pytest.raises(ValueError, match="plays in this process alone"):
        ludex.play("nuts", First(), "random", processes=2)
    with pytest.raises(ValueError, match="1 agent for 2 seats"):
        ludex.play("nuts", "random")


# Results. ---------------------------------------------------------------------------------------


def test_a_series_is_that_of_the_command() -> None:
    from tests.commands import facts

    told = facts(
        "match", "nuts", "greedy", "random", "--matches", "10", "--seed", "3", "--no-store"
    )
    series = ludex.play("nuts", "greedy", "random", matches=10, seed=3, processes=1)
    assert (series.wins, series.draws, series.losses) == (
        told["wins"],
        told["draws"],
        told["losses"],
    )
    assert list(series.interval) == told["interval"]
    assert series.plot().axes


def test_a_test_stops_a_series() -> None:
    series = ludex.play(
        "nuts",
        "minimax:depth=4",
        "random",
        matches=400,
        seed=1,
        sprt="elo0=0,elo1=100",
        processes=1,
    )
    assert series.matches < 400 and series.sprt is not None


def test_a_tournament_rates_everybody() -> None:
    found = ludex.tournament("nuts", ["random", "easy", First()], matches=4, seed=1)
    assert {row["agent"] for row in found.table} == {"random", "easy", "First"}
    assert [row["agent"] for row in found.cross_table] == ["random", "easy", "First"]
    assert len(found.records) == 12


def test_a_table_shows_itself_and_hides_no_markup() -> None:
    table = Table([{"name": "<b>", "share": 0.25}, {"name": "x", "share": None}])
    assert "&lt;b&gt;" in table._repr_html_() and "<b>" not in table._repr_html_()
    assert str(table) == "name  share\n<b>   25.0 %\nx"


def test_exact_values_of_a_proof_and_of_a_solution_agree() -> None:
    board = ludex.load(ROOT / "examples" / "tictactoe.py")
    match = board.new_match()
    for square in board.new_match().legal_moves()[:2]:
        match.push(square)
    listed = board.solve(progress=False)
    assert listed.method == "listing"
    values = listed.values(match)
    assert set(listed.best_moves(match)) == {
        move for move, worth in values.items() if worth == max(values.values())
    }
    assert sum(listed.mixture(match).values()) == pytest.approx(1.0)
    with pytest.raises(ValueError, match="expected 'outcome' or 'margin'"):
        board.solve(objective="all")


def test_a_margin_is_proven_of_every_position_that_is_asked_for() -> None:
    arena = ludex.load("arena")
    match = arena.new_match("0,0,30,8,0,0,0,0,0 0,0,0,0,16,0,0,0,99 - flash wood 0")
    truth = arena.solve(match.position, objective="margin", progress=False)
    assert truth.method == "proof" and truth.value() < -1.0
    match.push("hard")
    assert truth.value(match) < -1.0
    assert truth.values()["hard"] == truth.value(match)


@pytest.mark.unmeasured
def test_a_training_has_a_curve_and_an_agent(tmp_path: Path) -> None:
    trained = ludex.train("nuts", "hats", matches=20, file=tmp_path / "h.npz", seed=1)
    assert trained.curve[-1]["matches"] == 20 and trained.file.exists()
    assert trained.plot().axes
    with pytest.raises(ValueError, match="expected either matches or seconds"):
        ludex.train("nuts", "hats")


@pytest.mark.unmeasured
def test_what_a_training_has_learned_is_inspected(tmp_path: Path) -> None:
    file = ludex.train("nuts", "hats", matches=20, file=tmp_path / "h.npz", seed=1).file
    found = ludex.inspect(file)
    assert found.facts["matches"] == 20 and found.table[0]["hat"] == "1"
    assert repr(found) == "<Inspection of hats for nuts after 20 matches>"
    first = ludex.inspect(file, position="7 0")
    assert [row["move"] for row in first.table] == ["take 1", "take 2", "take 3"]
    assert {"seat", "seen", "learner 1", "learner 2", "visits"} < set(first.table[0])
    assert first._repr_html_().startswith("<p>Inspection of hats for nuts after 20 matches, about")
    with pytest.raises(ValueError, match=r"^learned: expected game, one of aeroplane, trap"):
        ludex.inspect("learned")


def test_values_of_a_position_are_inspected_move_by_move() -> None:
    q = ludex.train(ludex.load("nuts", nuts=10), "qtable", matches=20, seed=1)
    first = ludex.inspect(q, position="10 0").table[0]
    assert first["move"] == "take 1" and isinstance(first["value"], float) and first["visits"] > 0
    assert ludex.inspect(q, position="99 0").table == [{"seat": 0, "seen": "99", "visits": 0}]


def test_every_agent_is_available_with_its_options() -> None:
    rows = {row["agent"]: row for row in ludex.available_agents()}
    assert {"human", "random", "mcts"} < set(rows) and rows["human"]["options"] == {}
    assert rows["minimax"]["options"]["depth"]["default"] == "4"


def test_a_handout_is_written_into_a_folder(tmp_path: Path) -> None:
    assert "README.md" in ludex.write_handout("nuts", str(tmp_path / "mine"))
    assert (tmp_path / "mine" / "README.md").exists()


def test_errors_of_the_library_name_parameters_and_not_options(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"^dask and processes: expected one of them"):
        ludex.play("nuts", "random", "random", processes=2, dask="tcp://here")
    with pytest.raises(ValueError, match=r"^depth 2: greedy looks 1 ahead"):
        ludex.tree("nuts", "greedy", depth=2)
    with pytest.raises(ValueError, match=r"^store '.*gone.db': there is no such store"):
        ludex.history(store=str(tmp_path / "gone.db"))


def test_a_training_of_a_game_in_a_file_is_inspected() -> None:
    trained = ludex.train(ludex.load("examples/kuhn.py"), "cfr", matches=4, seed=1)
    assert ludex.inspect(trained, position="? Q b").facts["position"] == "? Q b"
