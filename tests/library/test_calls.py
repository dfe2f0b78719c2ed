"""What the functions of the library take, what they refuse, and in which words."""

import functools
import inspect
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ludex
from ludex.match.record import replay_states
from tests.commands import refused, run

pytestmark = pytest.mark.plain
NUTS = ludex.load("nuts", nuts=10)


class First:
    """Takes the first move."""

    def choose(self, match: ludex.Match) -> str:
        return match.legal_moves(match.seat)[0]


class Fixed(First):
    """Takes the first move, and says that it depends on the position alone."""

    policy_known = True


class Broken:
    """Fails in a function that it calls."""

    def choose(self, match: ludex.Match) -> int:
        return self.divide(0)

    def divide(self, by: int) -> int:
        return 1 // by


def played(*moves: str) -> ludex.Match:
    match = NUTS.new_match(seed=1)
    for move in moves:
        match.push(move)
    return match


# Matches and records. ---------------------------------------------------------------------------


def test_a_record_needs_neither_agents_nor_a_time() -> None:
    record = played("take 1", "take 2").record()
    assert record.agents == ("Player 1", "Player 2") and record.when.endswith("Z")
    assert replay_states(record)[1][-1] == played("take 1", "take 2").state


def test_a_match_in_progress_is_replayed_and_analysed() -> None:
    match = played("take 1", "take 2")
    assert ludex.replay(match).labels == ["take 1", "take 2"]
    analysis = ludex.analyse(match, progress=False)
    assert [one.move for one in analysis.decisions] == ["take 1", "take 2"]


def test_a_match_of_the_store_is_analysed_by_its_name(tmp_path: Path) -> None:
    store = str(tmp_path / "own.db")
    series = ludex.play(NUTS, First(), "random", matches=2, seed=1, store=store)
    found = ludex.analyse("1/0", store=store, progress=False)
    assert found.record == series.records[0]
    assert ludex.analyse(series.records[1], progress=False).record == series.records[1]


def test_a_decision_is_pushed() -> None:
    match = played("take 1")
    match.push(NUTS.agent(First()).choose(match))
    assert match.labels == ["take 1", "take 1"]


def test_decisions_of_both_seats_are_pushed_as_a_pair_and_never_alone() -> None:
    droids = ludex.load("droids")
    match, first = droids.new_match(seed=1), droids.agent(First())
    with pytest.raises(ValueError, match="expected a pair of moves, as both seats choose here"):
        match.push(first.choose(match))
    match.push((first.choose(match, 0), first.choose(match, 1)))
    assert len(match.labels) == 1


# Counts and settings. ---------------------------------------------------------------------------


@pytest.mark.parametrize("matches", [0, -3, 2.5, "10"])
def test_a_number_of_matches_is_a_whole_one_above_0(matches: Any) -> None:
    words = f"matches {matches!r}: expected a whole number, at least 1"
    for call in (
        lambda: ludex.play(NUTS, "random", "random", matches=matches),
        lambda: ludex.tournament(NUTS, ["random", "easy"], matches=matches),
        lambda: ludex.ladder(NUTS, matches=matches),
        lambda: ludex.train(NUTS, "hats", matches=matches),
    ):
        with pytest.raises(ValueError) as found:
            call()
        assert str(found.value) == words


def test_the_rounds_of_a_swiss_tournament_are_checked_too() -> None:
    with pytest.raises(ValueError, match=r"^rounds 0: expected a whole number, at least 1"):
        ludex.tournament(NUTS, ["random", "easy"], format="swiss", rounds=0)
    with pytest.raises(ValueError, match=r"^rounds is for the Swiss system, not for round-robin"):
        ludex.tournament(NUTS, ["random", "easy"], rounds=3)


def test_a_tournament_refuses_what_the_command_refuses() -> None:
    for agents in (["random"], ["random", "random"]):
        with pytest.raises(ValueError) as found:
            ludex.tournament("nuts", agents)
        assert refused("tournament", "nuts", *agents) == f"ludex: {found.value}\n"


def test_the_agents_of_a_tournament_are_a_list_or_one_by_one() -> None:
    apart = ludex.tournament(NUTS, "random", First(), matches=2, seed=1)
    listed = ludex.tournament(NUTS, ["random", First()], matches=2, seed=1)
    assert apart.agents == ("random", "First")
    assert [row["elo"] for row in apart.table] == [row["elo"] for row in listed.table]
    with pytest.raises(ValueError, match="needs two agents at least, not 1"):
        ludex.tournament(NUTS, "random")


@pytest.mark.parametrize("function", [ludex.play, ludex.tournament, ludex.ladder])
def test_an_editor_completes_every_setting(function: Any) -> None:
    known = inspect.signature(function).parameters
    assert {"matches", "seed", "clock", "processes", "dask", "store"} <= set(known)
    with pytest.raises(TypeError, match=rf"^{function.__name__}\(\) got an unexpected keyword"):
        function(NUTS, "random", "random", sed=1)


@pytest.mark.parametrize("processes", [-1, 257, 1.5, "2"])
def test_processes_are_from_none_to_256(processes: Any) -> None:
    words = f"^processes {processes!r}: expected 0, for one per core, to 256$"
    with pytest.raises(ValueError, match=words):
        ludex.play(NUTS, "random", "random", matches=1, processes=processes)


def test_what_was_trained_plays(tmp_path: Path) -> None:
    trained = ludex.train(NUTS, "hats", matches=20, file=tmp_path / "h.npz", seed=1)
    series = ludex.play(NUTS, trained, "random", matches=2, seed=1, processes=1)
    assert series.agents[0] == trained.agent.name and series.matches == 2


# Agents that fail. ------------------------------------------------------------------------------


def test_a_series_and_a_tournament_show_failures() -> None:
    line = "2 matches ended CRASHED by Broken: ZeroDivisionError: "
    assert line in repr(ludex.play(NUTS, Broken(), "random", matches=2, seed=1))
    assert line in repr(ludex.tournament(NUTS, [Broken(), "random"], matches=2, seed=1))


def test_a_failure_names_the_line_of_the_users_own_code() -> None:
    series = ludex.play(NUTS, Broken(), "random", matches=2, seed=1)
    line = inspect.getsourcelines(Broken.divide)[1] + 1
    assert series.failures[0]["words"].endswith(f"(line {line} of divide)")


def test_the_line_is_that_of_the_user_where_a_library_fails() -> None:
    def parse(match: ludex.Match) -> Any:
        import json

        return json.loads("{")

    words = ludex.play(NUTS, parse, "random", matches=2, seed=1).failures[0]["words"]
    assert words.endswith(" of parse)")


@pytest.mark.parametrize("answer", ["banana", None, 99, [], 1.5])
def test_an_answer_that_is_no_move_is_illegal(answer: Any) -> None:
    series = ludex.play(NUTS, lambda match: answer, "random", matches=2, seed=1)
    assert series.endings == {"ILLEGAL": 2}
    assert series.failures[0]["words"].startswith(f"{answer!r} is not a")


def test_a_value_error_of_the_agent_itself_is_a_crash() -> None:
    series = ludex.play(NUTS, lambda match: int("x"), "random", matches=2, seed=1)
    assert series.endings == {"CRASHED": 2}


def test_a_class_is_refused_before_the_first_match() -> None:
    with pytest.raises(ValueError, match=r"^First is a class: expected an object, as in First\(\)"):
        ludex.play(NUTS, First, "random")


# What is not there. -----------------------------------------------------------------------------


def test_a_solution_says_that_it_lacks_a_position() -> None:
    truth = NUTS.solve(progress=False)
    for ask in (truth.best_moves, truth.value, truth.table):
        with pytest.raises(ValueError) as found:
            ask("99 0")
        words = "the solution from '10 0' lacks the position '99 0': solve that position"
        assert str(found.value) == words


def test_a_learner_whose_file_is_missing_is_refused_as_other_agents_are() -> None:
    for text in ("qtable:file=gone.npz", "hats:file=gone.npz"):
        with pytest.raises(ValueError, match=r"^gone.npz: No such file"):
            ludex.play(NUTS, text, "random", matches=2)
    with pytest.raises(ValueError, match=r"^gone.npz: No such file"):
        ludex.inspect("gone.npz")


def test_an_object_has_to_say_that_its_policy_is_fixed() -> None:
    with pytest.raises(ValueError, match="policy_known = True says that"):
        ludex.exploitability(NUTS, First(), progress=False)


def test_the_exploitability_of_an_object_is_its_own() -> None:
    class Last(Fixed):
        name = "Fixed"  # as another object was called before

        def choose(self, match: ludex.Match) -> str:
            return match.legal_moves(match.seat)[-1]

    series = [ludex.exploitability(NUTS, one, progress=False) for one in (Fixed(), Last())]
    assert [one.agent for one in series] == ["Fixed", "Fixed"]
    # From 10 nuts, 1 and then 1 leaves 8; who takes 3 leaves a multiple of 4 plus 1 at once.
    assert series[0].seats != series[1].seats


# Commands that stand alone. ---------------------------------------------------------------------


@pytest.mark.parametrize("group", [["course"], ["classic"], ["classic", "arena"], ["lab"]])
def test_a_group_of_commands_alone_prints_its_help(group: list[str]) -> None:
    result = run(*group)
    assert result.exit_code == 0 and result.stderr == ""
    assert result.stdout == run(*group, "--help").stdout


# Wrong types. -----------------------------------------------------------------------------------

DUEL = functools.partial(ludex.play, NUTS, First(), "random")


@pytest.mark.parametrize(
    ("function", "given", "words"),
    [
        (NUTS.new_match, {"seed": "x"}, "seed 'x': expected a whole number, at least 0"),
        (NUTS.new_match, {"position": 7}, "not a position: 7: expected a text such as '10 0'"),
        (DUEL, {"seed": -1}, "seed -1: expected a whole number, at least 0"),
        (DUEL, {"clock": 5}, "clock 5: expected a text such as 'turn=5'"),
        (DUEL, {"sprt": True}, "sprt True: elo0 is missing (such as elo0=0,elo1=10)"),
        (ludex.load, {"game": 42}, "42: expected a game's name or path, a module, or the class of"),
        (ludex.tree, {"game": "nuts", "depth": 0}, "depth 0: expected a whole number, at least 1"),
        (NUTS.count, {"depth": 1.5}, "depth 1.5: expected a whole number"),
        (NUTS.check, {"lines": -1}, "lines -1: expected a whole number, at least 0"),
        (NUTS.solve, {"memory": -1}, "memory -1: expected GiB, above 0"),
        (ludex.past_event, {"number": "x"}, "number 'x': expected a whole number"),
        (ludex.train, {"game": "nuts", "learner": "hats", "seconds": -1}, "seconds -1: expected"),
    ],
)
def test_a_wrong_type_is_refused_in_one_line(function: Any, given: Any, words: str) -> None:
    with pytest.raises(ValueError) as found:
        function(**given)
    assert str(found.value).startswith(words)


def test_the_agents_of_a_series_may_be_a_list_too() -> None:
    assert ludex.play(NUTS, ["random", First()], matches=2, seed=1).agents == ("random", "First")


def test_an_agent_that_returns_the_moves_of_both_seats_is_told_what_to_return() -> None:
    both = lambda match: match.legal_moves()[0]  # noqa: E731
    [failure] = ludex.play("droids", both, "random", matches=2, seed=1).failures
    assert failure["words"].endswith("; expected one of match.legal_moves(match.seat)")


def test_a_label_of_chance_is_refused_with_the_reason() -> None:
    match = ludex.load("aeroplane", planes=1).new_match(seed=3)
    with pytest.raises(ValueError, match=r"chance has drawn already \(chance='manual' lets"):
        match.push("roll 1")
    with pytest.raises(ValueError) as found:
        match.push("fly")
    assert "chance has" not in str(found.value)


# What was trained. ------------------------------------------------------------------------------


def test_trained_agents_are_told_apart_by_short_names(tmp_path: Path) -> None:
    how: Any = {"matches": 4, "seed": 1}
    agents = [
        ludex.train(NUTS, "hats", **how),
        ludex.train(NUTS, "hats", **how),
        ludex.train(NUTS, "hats", **how, file=tmp_path / "h.npz"),
        ludex.train(NUTS, "hats", **how, name="mine"),
    ]
    found = ludex.tournament(NUTS, agents, matches=2, seed=1, processes=1)
    assert found.agents == ("hats", "hats 2", "hats (h.npz)", "mine")
    series = ludex.play(NUTS, agents[3], agents[3], matches=2, processes=1)
    assert series.agents == ("mine", "mine")
    own = ludex.train(NUTS, "hats", **how, name="random")
    assert ludex.play(NUTS, "random", own, matches=2, processes=1).agents[1] == "random 2"


def test_a_temporary_training_is_removed_at_the_end() -> None:
    script = "import ludex; print(ludex.train('nuts', 'hats', matches=1).file)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not Path(run.stdout.strip()).parents[1].exists()


def test_a_longer_training_is_continued_or_replaced_only_on_request(tmp_path: Path) -> None:
    file = tmp_path / "h.npz"
    ludex.train(NUTS, "hats", matches=50, seed=1, file=file)
    with pytest.raises(ValueError, match=r"holds 50 matches of hats: resume goes on with them"):
        ludex.train(NUTS, "hats", matches=20, seed=1, file=file)
    assert ludex.train(NUTS, "hats", matches=60, file=file, resume=True).training.seed == 1
    ludex.train(NUTS, "hats", matches=20, seed=1, file=file, force=True)
    assert ludex.inspect(file).facts["matches"] == 20


def test_a_result_of_a_training_is_inspected_as_its_file_is(tmp_path: Path) -> None:
    trained = ludex.train(NUTS, "hats", matches=20, seed=1)
    assert ludex.inspect(trained).facts == ludex.inspect(trained.file).facts


# Results. ---------------------------------------------------------------------------------------


def test_a_stored_series_is_pickled_with_its_records(tmp_path: Path) -> None:
    series = ludex.play(NUTS, First(), "random", matches=2, seed=1, store=str(tmp_path / "s.db"))
    again = pickle.loads(pickle.dumps(series))
    assert (again.records, repr(again)) == (series.records, repr(series))


def test_an_editor_offers_no_internals_of_results() -> None:
    offered = dir(ludex.play(NUTS, First(), "random", matches=2, seed=1))
    assert {"wins", "sprt", "table"} <= set(offered) and not {"event", "watch"} & set(offered)
