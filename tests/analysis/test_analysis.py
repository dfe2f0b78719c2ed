"""An analysis says what each decision lost, and tells luck from skill."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from ludex.analysis import decisions, evaluator
from ludex.analysis.decisions import Analysis, analyse
from ludex.analysis.evaluator import SearchEvaluator, evaluator_for
from ludex.analysis.page import page
from ludex.cli import analyse as following_module
from ludex.cli import cli
from ludex.cli.analyse import progress_callback
from ludex.core.play import parse
from ludex.core.rules import game_of, initial
from ludex.core.termination import BY_RULES
from ludex.core.time_control import Clocks
from ludex.games import game_rules
from ludex.match.record import Record, read_record, write
from ludex.match.session import Match
from ludex.solve import evaluator as solve_evaluator
from ludex.solve.evaluation import Budget
from ludex.solve.proof.mtdf import Prover
from ludex.solve.states.listing import Unsolvable
from ludex.tournaments.job import MatchJob, play_job
from ludex.tournaments.plan import SERIES, Plan, pairings
from tests.lines import replay, variant

pytestmark = pytest.mark.plain


def analysed(game: str, first: str, second: str, **rules: int) -> Analysis:
    """Return the analysis of a match between two agents."""
    changed = tuple((key, str(value)) for key, value in rules.items())
    plan = Plan(game, changed, (first, second), 2, SERIES, 1, 0, 5)
    (played,) = play_job(MatchJob(plan, tuple(pairings(plan, {}))))
    return analyse(read_record(played.record))


def lost(*labels: str, game: str = "nuts", **rules_given: int) -> Record:
    """Return the record of a match that the first seat has lost, of 11 nuts if nothing is said."""
    match = Match(variant(game, **(rules_given or {"nuts": 11})), seed=0, chance="manual")
    for text in labels:
        match.push(text)
    record = match.record(("loser", "winner"), game=game)
    return record._replace(ending=BY_RULES, returns=(-1.0, 1.0), when="")


# Of 11 nuts, who leaves 1, 5 or 9 wins: taking 3 is the blunder.
LOST = lost("take 3", "take 3", "take 1", "take 3", "take 1")


def test_a_blunder_is_found_and_the_best_move_named() -> None:
    told = analyse(LOST)
    first = told.decisions[0]
    assert (first.move, first.best, first.loss, first.name) == ("take 3", "take 2", 2.0, "blunder")
    assert told.exact and told.judge == "the exact solution"
    assert told.balances[1].loss == 0.0 and told.balances[1].accuracy == 1.0
    assert told.balances[0].names == {"blunder": 1, "mistake": 0, "slip": 0}


def test_the_course_ends_at_what_the_match_was_worth() -> None:
    told = analysed("nuts", "random", "random", nuts=11)
    assert told.course[-1] == told.record.returns[0]
    assert len(told.course) == len(told.record.moves) + 1


def test_loss_and_luck_explain_how_the_value_went() -> None:
    told = analysed("examples/pig.py", "random", "random", goal=9)
    assert told.lucks and told.exact
    lost = told.balances[1].loss - told.balances[0].loss
    gained = told.course[-1] - told.course[0]
    luck, others = (one.luck for one in told.balances)
    assert luck is not None and others == -luck
    assert gained == pytest.approx(lost + luck, abs=1e-9)


def test_where_both_choose_at_once_both_have_decided() -> None:
    told = analysed("droids", "random", "random", rounds=3)
    assert [one.seat for one in told.decisions] == [0, 1] * len(told.record.moves)
    assert min(one.loss for one in told.decisions) >= 0.0


# After two rounds R2-D2 is behind, and the only one with shots, for two rounds more. It shoots or
# steps, R2-Q5 stays in its line or leaves it: each action is good against one of the other's.
PENNIES = ("up shoot", "down shoot", "shoot up", "up left")
SMALL = {"rows": 2, "columns": 3, "shots": 2, "rounds": 4}


def test_what_two_mixtures_draw_is_luck_and_no_error() -> None:
    told = analyse(lost(*PENNIES, game="droids", **SMALL))
    third = [one for one in told.decisions if one.ply == 3]
    assert [one.value for one in third] == pytest.approx([-0.5, 0.5])
    assert [(one.loss, one.name) for one in third] == [(0.0, "")] * 2
    [luck] = [one for one in told.lucks if one.ply == 3]
    assert (luck.outcome, luck.source) == ("shoot up", "mixture")
    assert luck.gain == pytest.approx(-0.5)


def test_loss_and_luck_explain_how_the_value_went_where_both_choose_at_once() -> None:
    told = analyse(lost(*PENNIES, game="droids", **SMALL))
    first, second = told.balances
    assert second.luck is not None and second.luck > 0.0
    gained = told.course[-1] - told.course[0]
    assert gained == pytest.approx(second.loss - first.loss - second.luck, abs=1e-9)


def test_a_search_that_sees_the_end_finds_the_same_luck_of_a_mixture() -> None:
    rules = variant("droids", **SMALL)
    state = replay(rules, *PENNIES[:2])
    move = parse(rules, state, PENNIES[2])
    solved, searched = evaluator_for(rules, initial(rules)), SearchEvaluator(rules, 3)
    found = [decisions.decisions_at(one, state, 3, move)[1] for one in (solved, searched)]
    assert found == pytest.approx([-0.5, -0.5])


def test_the_luck_of_a_mixture_stands_beside_the_move(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    file.write_text(write(lost(*PENNIES, game="droids", **SMALL)) + "\n")
    shown = CliRunner().invoke(cli, ["analyse", str(file), "--page", str(tmp_path / "page.html")])
    assert "luck -0.5000" in shown.stdout and "luck +0.5000" in shown.stdout
    assert "<td>mixture</td>" in (tmp_path / "page.html").read_text()


def test_a_search_that_sees_the_end_agrees_with_the_solution() -> None:
    rules = variant("nuts", nuts=10)
    solved, searched = evaluator_for(rules, initial(rules)), SearchEvaluator(rules, 11)
    for line in ([], ["take 1"], ["take 3", "take 2"]):
        state = replay(rules, *line)
        seat = len(line) % 2
        assert searched.value(state) == solved.value(state)
        assert searched.evaluate(state, seat)[:3] == solved.evaluate(state, seat)[:3]
    assert solved.exact and not searched.exact


@pytest.mark.parametrize(
    ("effort", "foreign", "depth"), [(3, False, 4), (20_000, False, None), (3, True, 2)]
)
def test_a_proof_that_takes_too_much_leaves_it_to_a_search(
    effort: int, foreign: bool, depth: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = variant("nuts", nuts=12)
    monkeypatch.setattr(solve_evaluator, "known_solution", lambda *given, **named: None)
    monkeypatch.setattr(evaluator, "SLOW_PROOF_NODES" if foreign else "PROOF_NODES", effort)
    monkeypatch.setattr(game_of(rules), "INTERPRETED", foreign, raising=False)
    evaluator.evaluator_for.cache_clear()
    found = evaluator_for(rules, initial(rules))
    evaluator.evaluator_for.cache_clear()
    assert found.exact == (depth is None)
    assert getattr(found, "depth", None) == depth


def test_a_game_without_end_is_left_to_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*given: object) -> float:
        raise Unsolvable("lines without end")

    rules = variant("nuts", nuts=12)
    monkeypatch.setattr(solve_evaluator, "known_solution", lambda *given, **named: None)
    monkeypatch.setattr(Prover, "value", endless)
    evaluator.evaluator_for.cache_clear()
    assert not evaluator_for(rules, initial(rules)).exact
    evaluator.evaluator_for.cache_clear()
    (found,) = evaluator.evaluations(rules, initial(rules), Budget(depth=1))
    assert not found.exact and found.how == "1 decision ahead"


def test_a_game_that_is_not_solved_is_judged_by_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_evaluator, "known_solution", lambda *given, **named: None)
    evaluator.evaluator_for.cache_clear()
    plan = Plan("trap", (("size", "3"),), ("random",) * 2, 2, SERIES, 1, 0, 5, Clocks(plies=3))
    (played,) = play_job(MatchJob(plan, tuple(pairings(plan, {}))))
    told = analyse(read_record(played.record), 2)
    evaluator.evaluator_for.cache_clear()
    assert not told.exact and told.judge == "a search of 2 decisions" and told.depth == 2
    assert told.source.startswith("Values are not exact: they are those of a search of 2 decisions")
    for one in told.decisions:  # the course and the table say the same
        assert told.course[one.ply - 1] == (one.value if one.seat == 0 else -one.value)
    assert len(told.decisions) == 2 and len(told.lucks) == 1
    assert json.loads(json.dumps(told.decisions)) == [list(one) for one in told.decisions]
    assert all(-1.0 < value < 1.0 for value in told.course)


def test_an_error_counts_as_far_as_a_deeper_search_confirms_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = variant("nuts", nuts=11)
    searched = SearchEvaluator(rules, 12)
    monkeypatch.setattr("ludex.analysis.evaluator.evaluator_for", lambda *given: searched)
    assert analyse(LOST).decisions[0].name == "blunder"
    monkeypatch.setattr(searched, "deeper_loss", lambda *given: 0.03)
    doubted = analyse(LOST).decisions[0]
    assert (doubted.loss, doubted.name) == (0.03, "slip")


def test_a_state_is_worth_to_a_search_what_its_best_action_is() -> None:
    rules = variant("trap", size=3)
    searched = SearchEvaluator(rules, 2)
    assert searched.value(initial(rules)) == searched.evaluate(initial(rules), 0).value


def test_a_second_look_is_one_decision_deeper() -> None:
    rules = variant("trap", size=3)
    state = initial(rules)
    values = SearchEvaluator(rules, 3).evaluate(state, 0).values
    (worse, better), searched = list(values)[-3:-1], SearchEvaluator(rules, 2)
    assert searched.deeper_loss(state, 0, worse, better) == values[better] - values[worse] > 0.0
    assert searched.deeper_loss(state, 0, better, worse) == 0.0


def test_more_seats_are_searched_less_deep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve_evaluator, "known_solution", lambda *given, **named: None)
    evaluator.evaluator_for.cache_clear()
    two, three = variant("aeroplane"), variant("aeroplane", seats=3)
    assert evaluator_for(two, initial(two)).words == "a search of 4 decisions"
    assert evaluator_for(three, initial(three)).words == "a search of 3 decisions"
    evaluator.evaluator_for.cache_clear()


def test_the_page_says_how_far_a_search_looks() -> None:
    text = (Path(__file__).parents[2] / "docs" / "matches.md").read_text(encoding="utf-8")
    two, more, slow = evaluator.DEPTH, evaluator.DEPTH_MANY, evaluator.SLOW_DEPTH
    usual = f"{two}, {more} with more than two seats, or {slow} in"
    assert f"how many decisions to look ahead: {usual} games of OpenSpiel." in text


def test_who_waits_is_told_once_what_is_quicker(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(following_module, "SLOW", -1.0)
    seen: list[tuple[str, int, int]] = []
    follow = progress_callback(lambda *told: seen.append(told))
    for done in range(3):
        follow(SearchEvaluator(variant("trap"), 4), done, 9)
    assert seen == [("positions", done, 9) for done in range(3)]
    said = capsys.readouterr().err
    assert said == "looking 4 decisions ahead takes a while: --depth 3 is quicker\n"


def test_three_seats_are_judged_too() -> None:
    plan = Plan("aeroplane", (("seats", "3"), ("planes", "1")), ("random",) * 3, 3, SERIES, 1, 0, 5)
    (played,) = play_job(MatchJob(plan, tuple(pairings(plan, {}))))
    told = analyse(read_record(played.record), 2)
    assert len(told.balances) == 3 and {one.seat for one in told.decisions} == {0, 1, 2}
    assert told.balances[0].luck is not None and told.balances[1].luck is None


def test_the_page_needs_nothing_but_itself() -> None:
    told = analyse(LOST)
    told = told._replace(record=told.record._replace(agents=("<b>greedy</b>", "other")))
    text = page(told)
    assert "&lt;b&gt;greedy" in text and "<b>greedy" not in text
    assert "take 2" in text and text.count("<svg") == 2  # the course, and the one error
    for fact in ("Rules: nuts=11", "Seed 0", "<li>Player 1: take 3</li>", "BY_RULES after 5 moves"):
        assert fact in text
    for outside in ("src=", "@import", "<link", "<script"):
        assert outside not in text


@pytest.mark.unmeasured
def test_analyse_prints_and_writes(tmp_path: Path) -> None:
    told = analyse(LOST)
    file, out = tmp_path / "one.jsonl", tmp_path / "one.html"
    file.write_text(write(told.record) + "\n")
    run = CliRunner().invoke(cli, ["analyse", str(file), "--page", str(out), "--json"])
    facts = json.loads(run.stdout)
    assert facts["decisions"][0]["loss"] == 2.0 and facts["exact"]
    assert facts["seats"][0]["accuracy"] == 0.0
    assert out.read_text().startswith("<!doctype html>")
    assert "blunder" in CliRunner().invoke(cli, ["analyse", str(file)]).stdout


def test_replay_shows_every_move_and_the_end(tmp_path: Path) -> None:
    told = analyse(LOST)
    file = tmp_path / "two.jsonl"
    file.write_text(f"{write(told.record)}\n\n{write(told.record)}\n")
    shown = CliRunner().invoke(cli, ["replay", str(file), "--match", "2"]).stdout
    assert "1. Player 1: take 3" in shown and "BY_RULES after" in shown
    asked = CliRunner().invoke(cli, ["replay", str(file)])
    assert asked.exit_code == 2 and "has 2 records: choose one with --match" in asked.stderr
    facts = json.loads(
        CliRunner().invoke(cli, ["replay", str(file), "--match", "1", "--json"]).stdout
    )
    assert facts["labels"][0] == "take 3" and facts["positions"][-1] == told.record.end


@pytest.mark.parametrize(
    "moves",
    [
        ("deal J", "deal K", "pass", "bet", "fold"),
        ("deal Q", "deal K", "bet", "call"),
        ("deal K", "deal J", "bet", "call"),
    ],
)
def test_luck_and_losses_explain_the_result_where_cards_are_hidden(moves: tuple[str, ...]) -> None:
    match = Match(game_rules("examples/kuhn.py"), seed=0, chance="manual")
    for text in moves:
        match.push(text)
    told = analyse(match.record(("one", "other"), game="examples/kuhn.py"))
    first, second = told.balances
    assert first.luck is not None and second.luck == -first.luck
    explained = told.course[0] + first.luck - first.loss + second.loss
    assert explained == pytest.approx(match.returns[0], abs=1e-5)
    assert {one.source for one in told.lucks} == {"chance", "hidden"}


def test_a_call_that_could_not_know_better_is_bad_luck() -> None:
    match = Match(game_rules("examples/kuhn.py"), seed=0, chance="manual")
    for text in ("deal K", "deal Q", "bet", "call"):
        match.push(text)
    told = analyse(match.record(("one", "other"), game="examples/kuhn.py"))
    call = told.decisions[-1]
    assert (call.move, call.loss) == ("call", 0.0)
    assert told.table[-1]["luck"] < -0.1
