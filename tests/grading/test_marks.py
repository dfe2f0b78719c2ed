"""The marks of the documents: checks of a droid, and sessions of matches."""

from pathlib import Path
from typing import Any

import pytest

from ludex.core.termination import BY_RULES, CRASHED, ILLEGAL
from ludex.external.cpu_time import Meter
from ludex.grading import assignment, examples, grading, intake, session, submission, workspace
from ludex.grading.assignment import RULES
from ludex.grading.examples import example_faults, shows_same_value
from ludex.grading.score import Mark, MatchResult, award, failures, remark
from ludex.match.record import read_record
from ludex.store import Store
from ludex.tournaments.plan import fingerprint
from tests.classes import GOOD, NUTS, SHORT, submitted
from tests.students import SOLUTIONS

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


def test_the_marks_of_the_courses_are_those_of_their_documents() -> None:
    trap, droids = (assignment.read(assignment.find(name)) for name in ("trap", "droids"))
    assert [(test.name, test.points) for test in trap.tests[:3]] == [
        ("Easy", 20.0),
        ("Medium", 30.0),
        ("Hard", 34.0),
    ]
    assert trap.points == 100.0 and trap.clocks.turn == 5.0
    checks = [test.points for test in droids.tests if test.kind == RULES]
    assert checks == [2.0, 3.0, 5.0, 5.0, 5.0]
    learner, searcher = droids.tests[5:7]
    assert (learner.points, learner.win, learner.draw, learner.matches) == (20.0, 1.0, 1.0, 100)
    assert (learner.train_seconds, learner.train_matches) == (180.0, 0)
    assert (searcher.points, searcher.draw, searcher.at_least, searcher.seconds) == (
        20.0,
        0.0,
        20,
        300.0,
    )
    for name, points in {"droids": 75.0, "arena": 15.0, "nuts": 10.0}.items():
        assert assignment.read(assignment.find(name)).points == points
    for name in assignment.courses():
        assert assignment.read(assignment.find(name)).course == name


def droid_test(number: int) -> str:
    return assignment.read(assignment.find("droids")).tests[number].examples


def test_the_examples_of_the_document_check_a_droid(tmp_path: Path) -> None:
    solution = SOLUTIONS / "droids" / "r2d2_hw3.py"
    for number in (0, 4):
        assert example_faults(solution, solution, droid_test(number), "droids") == []
    file = tmp_path / "r2d2_hw3.py"
    source = solution.read_text(encoding="utf-8")
    file.write_text(source.replace("self.shots -= 1", "pass"))
    assert example_faults(file, file, droid_test(3), "droids") == [
        ">>> r2.shots",
        "expected: 4",
        "shown: 5",
    ]
    file.write_text(source.replace("class R2Droid", "class Other"))
    assert example_faults(file, file, droid_test(0), "droids") == [
        "droid = R2Droid(4, 4, (0, 0), 5): NameError: name 'R2Droid' is not defined"
    ]
    file.write_text("import os\nos._exit(3)\n")
    assert example_faults(file, file, droid_test(0), "droids") == ["ended with exit code 3"]
    file.write_text(f"{source}\nprint(R2Droid(4, 4, (0, 0), 5).nothing)\n")
    words, *printed = example_faults(file, file, droid_test(0), "droids")
    assert words.startswith("AttributeError: 'R2Droid' object has no attribute 'nothing' (line ")
    assert printed[:2] == ["", "It printed:"]
    assert '\n  File "r2d2_hw3.py", line ' in printed[2] and "host" not in printed[2]


def test_a_droid_counts_even_where_there_is_no_agent(tmp_path: Path) -> None:
    source = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
    file = tmp_path / "r2d2_hw3.py"
    file.write_text(source[: source.index("class Agent")])
    short = tmp_path / "short.toml"
    short.write_text(SHORT, encoding="utf-8")
    entry = intake.take_in(tmp_path / "r2d2_hw3.py", "droids", tmp_path / "shelf")
    submission.mark_entry(
        submission.MarkingTask(str(short), entry, str(tmp_path / "desk"), pages=False)
    )
    _, marks = workspace.read_marks(tmp_path / "desk")
    assert [mark.score for mark in marks] == [2.0, 0.0]
    why = "could not be graded: r2d2_hw3.py lacks a class QAgent or MinimaxAgent"
    assert marks[1].output == why


@pytest.mark.parametrize("kind", ["examples", "rules"])
def test_without_the_file_of_the_course_nothing_is_played_in_its_place(
    kind: str, tmp_path: Path
) -> None:
    order = tmp_path / "short.toml"
    session = SHORT.index('\n[[tests]]\nname = "QAgent"')
    compare = "kind = 'rules'\ncompare = 'copy'"
    text = SHORT[:session].replace(
        'kind = "examples"', compare if kind == "rules" else "kind = 'examples'"
    )
    order.write_text(text, encoding="utf-8")
    first = "def choose(position, moves, seconds):\n    return moves[0]\n"
    entry = intake.take_in(submitted(tmp_path, "ann", first), "droids", tmp_path / "shelf")
    submission.mark_entry(
        submission.MarkingTask(str(order), entry, str(tmp_path / "desk"), pages=False)
    )
    _, [mark] = workspace.read_marks(tmp_path / "desk")
    assert (mark.score, mark.output) == (0.0, "there is no r2d2_hw3.py in it")


def test_sets_are_compared_whatever_their_order() -> None:
    assert shows_same_value("{<A: 1>, <B: 2>}\n", "{<B: 2>, <A: 1>}\n")
    assert not shows_same_value("{<A: 1>}", "{<A: 1>, <B: 2>}")
    assert shows_same_value("True\n", "True\n") and not shows_same_value("True", "1")


def test_a_print_costs_nothing(tmp_path: Path) -> None:
    source = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
    file = tmp_path / "r2d2_hw3.py"
    for method in ("copy(self)", "target(self, move: Action)", 'shoot(self, other: "R2Droid"'):
        start = source.index("\n", source.index('"""', source.index(f"def {method}")))
        source = f"{source[:start]}\n        print('here', self.shots){source[start:]}"
    file.write_text(source)
    for number in range(5):
        assert example_faults(file, file, droid_test(number), "droids") == []


def test_an_example_that_prints_is_compared_with_what_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "r2d2_hw3.py"
    file.write_text("def show(shots):\n    print('debug')\n    print(shots)\n    print('end')\n")
    printing = ">>> show(5)\n5\n>>> show(4)\ndebug\n4\n>>> print(3)\n3\n>>> show(7)\n"
    assert example_faults(file, file, printing, "droids") == []
    wrong = [">>> show(5)", "expected: 6", "shown: debug 5 end"]
    assert example_faults(file, file, ">>> show(5)\n6\n", "droids") == wrong
    assert (
        example_faults(file, file, ">>> show(5)\n5\ndebug\n", "droids")[1] == "expected: 5\ndebug"
    )


def test_a_value_is_compared_whatever_is_printed(tmp_path: Path) -> None:
    file = tmp_path / "r2d2_hw3.py"
    file.write_text("def hit():\n    print(True)\n    return False\n")
    wrong = [">>> hit()", "expected: True", "shown: False"]
    assert example_faults(file, file, ">>> hit()\nTrue\n", "droids") == wrong


def test_an_example_is_not_charged_for_a_busy_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Meter, "count_idle", lambda meter, seconds: None)  # as if it wanted to run
    monkeypatch.setattr(examples, "SECONDS", 0.2)
    file = tmp_path / "r2d2_hw3.py"
    file.write_text("import time\n", encoding="utf-8")
    assert example_faults(file, file, ">>> time.sleep(0.3)\n", "droids") == []


def test_a_file_of_examples_may_import_what_the_course_hands_out(tmp_path: Path) -> None:
    file = tmp_path / "Megaman_Arena.py"
    file.write_text("from AlphaBeta_Full import Minimax\n")
    assert example_faults(file, file, ">>> Minimax.__name__\n'Minimax'\n", "arena") == []


def session_of(file: Path, name: str, **changes: Any) -> session.Session:
    given = assignment.read(assignment.find("droids"))
    [test] = [one for one in given.tests if one.agent == name]
    met = test._replace(opponent="random", called="", full=0.0)
    return session.Session(given, met._replace(**changes), f"{file}:{name}")


@pytest.mark.unmeasured
def test_a_session_trains_and_then_counts_what_is_not_lost(tmp_path: Path) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "QAgent", train_matches=30, matches=10)
    rules = one.assignment.make_rules()
    mark = session.mark_of(one, rules, tmp_path, lambda: False)
    assert mark.output.startswith("10 matches against random: ")
    assert "30 matches of training before" in mark.output
    lost = int(mark.output.split(" lost")[0].split()[-1])
    assert mark.score == 20.0 * (10 - lost) / 10 and not mark.late
    again = session.mark_of(one, rules, tmp_path, lambda: pytest.fail("played again"))
    assert again == mark


def test_training_may_be_limited_by_time_alone(tmp_path: Path) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "QAgent", train_matches=0, train_seconds=0.05, matches=1)
    mark = session.mark_of(one, one.assignment.make_rules(), tmp_path, lambda: False)
    assert "of training before" in mark.output and "0 matches of t" not in mark.output


def test_a_training_that_fails_is_told(tmp_path: Path) -> None:
    source = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
    wrong = (
        "        if training:\n            print('so far')\n            raise ValueError('bug')\n"
    )
    start = source.index("class QAgent")
    body = source.index("    def get_best_move", start)
    line = source.index("\n", source.index('"""', source.index('"""', body) + 3)) + 1
    file = tmp_path / "r2d2_hw3.py"
    file.write_text(source[:line] + wrong + source[line:], encoding="utf-8")
    one = session_of(file, "QAgent", train_matches=30, matches=1)
    mark = session.mark_of(one, one.assignment.make_rules(), tmp_path, lambda: False)
    assert (
        "1 match of training before\ntraining ended CRASHED: ValueError: bug (line " in mark.output
    )
    assert "It printed:\nso far\nTraceback" in mark.output


@pytest.mark.unmeasured
@pytest.mark.parametrize("said", ["training_done", "training_done()"])
def test_an_agent_may_say_that_it_has_trained_enough(said: str, tmp_path: Path) -> None:
    source = (SOLUTIONS / "droids" / "r2d2_hw3.py").read_text(encoding="utf-8")
    source = source.replace("enough = 4000", "enough = 3")
    if said == "training_done":
        source = source.replace("    def training_done(", "    @property\n    def training_done(")
    file = tmp_path / "r2d2_hw3.py"
    file.write_text(source, encoding="utf-8")
    one = session_of(file, "QAgent", train_matches=30, matches=1)
    mark = session.mark_of(one, one.assignment.make_rules(), tmp_path, lambda: False)
    assert "4 matches of training before" in mark.output  # it says so when the fourth begins


def test_training_counts_the_time_in_which_the_agent_thinks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "QAgent", train_matches=0, train_seconds=1.0, matches=1)
    seen = []

    class Clock(session.Stopwatch):
        def __init__(self, seconds: float) -> None:
            super().__init__(0.0)
            seen.append(seconds)

    thinking = session.Encounter.match

    played: list[int] = []

    def slow(self: Any, seat: int, *given: Any) -> Any:
        played.append(seat)
        assert len(played) < 9, "it goes on for ever"
        match = thinking(self, seat, *given)
        match.seconds = [0.5, 0.5]
        return match

    monkeypatch.setattr(session, "Stopwatch", Clock)
    monkeypatch.setattr(session.Encounter, "match", slow)
    mark = session.mark_of(one, one.assignment.make_rules(), tmp_path, lambda: False)
    assert "2 matches of training before" in mark.output
    assert seen == [2.0, 0.0]  # by the wall; and the matches that count have no limit


def test_too_few_matches_bring_nothing_and_late_ones_are_not_kept(tmp_path: Path) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "MinimaxAgent", matches=3, at_least=20)
    rules = one.assignment.make_rules()
    mark = session.mark_of(one, rules, tmp_path, lambda: False)
    assert mark.score == 0.0
    assert "only 3 matches were played, and 20 are needed" in mark.output
    cut = session.mark_of(
        one._replace(test=one.test._replace(matches=4)), rules, tmp_path, lambda: True
    )
    assert cut.late and "the time for grading ran out" in cut.output
    assert len(list(tmp_path.iterdir())) == 1


def test_the_file_behind_a_word_counts_for_what_was_played(tmp_path: Path) -> None:
    file = tmp_path / "r2d2_hw3.py"
    file.write_text("x = 1\n")
    before = fingerprint(f"{file}:QAgent")
    file.write_text("x = 2\n")
    assert before not in ("", fingerprint(f"{file}:QAgent"))


@pytest.mark.unmeasured
@pytest.mark.parametrize(("course", "by_hand"), [("nuts", 2.0), ("arena", 8.0)])
def test_a_good_solution_gets_all_points_that_a_program_can_give(
    course: str, by_hand: float, tmp_path: Path
) -> None:
    order = grading.Grading(assignment.find(course), tmp_path / "out", 1, pages=False)
    [one] = grading.grade(order, [SOLUTIONS / course], lambda *told: None)
    most = sum(mark.most for mark in one.marks)
    assert one.total == most - by_hand, [mark.output for mark in one.marks]
    assert one.remark == f"{by_hand:g} points not yet marked by hand"


@pytest.mark.unmeasured
def test_an_evaluation_that_sees_nothing_gets_nothing_for_it(tmp_path: Path) -> None:
    source = (SOLUTIONS / "arena" / "Megaman_Arena.py").read_text(encoding="utf-8")
    file = tmp_path / "blind.py"
    file.write_text(source.replace("return light", "return 0  # light"), encoding="utf-8")
    order = grading.Grading(assignment.find("arena"), tmp_path / "out", 1, pages=False)
    [one] = grading.grade(order, [file], lambda *told: None)
    assert [mark.score for mark in one.marks[:5]] == [1.0, 2.0, 1.0, 1.0, 0.0]


@pytest.mark.unmeasured
def test_an_agent_may_sit_at_one_seat_only(tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    path = submitted(tmp_path, "a", GOOD)
    for seats, seen in (("first", {0}), ("second", {1}), ("both", {0, 1})):
        file.write_text(NUTS.replace("points = 10", f"points = 10\nseats = '{seats}'"))
        order = grading.Grading(file, tmp_path / seats, 1, pages=False, tournament=False)
        [one] = grading.grade(order, [path], lambda *told: None)
        assert one.marks[0].matches == 4
        store = Store(f"sqlite:///{tmp_path / seats / 'students' / 'a' / 'matches.sqlite'}")
        assert {match.agents.index(0) for match in store.matches_of(1)} == seen
        store.close()
    assert [assignment.Test("x", 1.0, seats="second").seat(number) for number in range(3)] == [
        1,
        1,
        1,
    ]


@pytest.mark.unmeasured
def test_a_session_may_be_played_from_one_seat(tmp_path: Path) -> None:
    file = SOLUTIONS / "droids" / "r2d2_hw3.py"
    one = session_of(file, "MinimaxAgent", matches=2, seats="second", at_least=0)
    rules = one.assignment.make_rules()
    lines, _, _ = session.play_session(one, rules, lambda: False, lambda *told: None)
    agents = [read_record(line).agents for line in lines]
    assert agents == [("random", f"{file}:MinimaxAgent")] * 2


def failing(count: int, ending: str = CRASHED) -> list[MatchResult]:
    return [MatchResult(0, -1.0, ending, 0, "no")] * count


def won(count: int, of: int) -> list[MatchResult]:
    return [MatchResult(0, 1.0 if one < count else -1.0, BY_RULES, -1, "") for one in range(of)]


def test_full_marks_begin_at_a_number_of_wins() -> None:
    test = assignment.Test("x", 36.0, matches=20, full=18.0)
    assert [award(test, won(count, 20)).score for count in (0, 9, 18, 20)] == [0, 18, 36, 36]
    output = award(test._replace(draw=0.0), won(14, 20)).output
    assert output == "20 matches against random: 14 won, 0 drawn, 6 lost; full marks from 18 wins"
    assert "full marks from 18 (a win counts 1, a draw 0.5" in award(test, won(1, 20)).output


def test_the_example_of_the_page_earns_what_it_says() -> None:
    results = [
        MatchResult(0, worth, BY_RULES, -1, "") for worth in [1.0] * 13 + [0.0] * 2 + [-1.0] * 5
    ]
    test = assignment.Test("x", 20.0, matches=20)
    assert award(test, results).score == 14.0
    assert award(test._replace(full=18.0), results).score == 15.56
    page = (Path(__file__).parents[2] / "docs" / "grading.md").read_text(encoding="utf-8")
    assert "20 × (13 + 2 × ½) / 20 = 14 points" in page and "20 × 14 / 18 = 15.56" in page


def test_of_a_session_that_is_cut_the_same_share_of_wins_earns_full_marks() -> None:
    test = assignment.Test("x", 20.0, matches=100, full=80.0, seconds=300.0)
    assert [award(test, won(count, 20)).score for count in (8, 16, 20)] == [10, 20, 20]


def test_after_so_many_failures_in_a_row_the_rest_is_lost_if_the_assignment_says_so() -> None:
    test = assignment.Test("x", 10.0, matches=9, loss=0.5)
    assert award(test, failing(3)).score == 1.67
    hopeless = award(test._replace(give_up=3), failing(3))
    assert hopeless.score == 5.0 and hopeless.matches == 9
    assert hopeless.output.splitlines()[:2] == [
        "9 matches against random: 0 won, 0 drawn, 9 lost",
        "6 of them not played, after 3 failures in a row",
    ]
    won = MatchResult(0, 1.0, BY_RULES, -1, "")
    for results in (failing(2), [*failing(2), won, *failing(2)], failing(3, ILLEGAL)):
        assert award(test._replace(give_up=3), results).matches == len(results)


def test_what_gives_up_is_not_played_on(tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    file.write_text(NUTS.replace("points = 10", "points = 10\ngive_up = 2"))
    order = grading.Grading(file, tmp_path / "out", 1, pages=False, tournament=False)
    path = submitted(tmp_path, "a", "import nothing_here\n" + GOOD)
    [one] = grading.grade(order, [path], lambda *told: None)
    assert "2 times CRASHED" in one.marks[0].output and not one.marks[0].late
    assert "2 of them not played" in one.marks[0].output


def test_what_is_not_played_in_time_brings_nothing(tmp_path: Path) -> None:
    file = tmp_path / "nuts.toml"
    file.write_text(NUTS)
    order = grading.Grading(file, tmp_path / "out", 1, 1e-9, pages=False, tournament=False)
    path = submitted(tmp_path, "a", GOOD)
    [one] = grading.grade(order, [path], lambda *told: None)
    [mark] = one.marks
    assert (mark.score, mark.matches, mark.late) == (0.0, 0, True)
    assert "the time for grading ran out" in mark.output


def test_a_remark_says_the_commonest_failure() -> None:
    test = assignment.Test("x", 1.0, matches=4)
    marks = [award(test, failing(3)), award(test, failing(5))]
    assert remark(marks) == "CRASHED in 8 of 8 matches: no"
    assert remark([Mark("x", 1.0, 1.0, "")]) == "" and remark([]) == ""
    odd = Mark("z", 0.0, 1.0, "", fault="no such class")
    assert remark([odd, *marks]) == "z: no such class; CRASHED in 8 of 8 matches: no"
    assert len(remark([odd._replace(fault="x" * 999)])) == 160


def test_a_remark_says_what_has_cost_most_where_nothing_failed() -> None:
    test = assignment.Test("Hard", 20.0, matches=4, opponent="hard")
    won, lost = MatchResult(0, 1.0, BY_RULES, -1, ""), MatchResult(0, -1.0, BY_RULES, -1, "")
    wrong = Mark("1.4 The droid: shoot", 0.0, 5.0, "shoot is wrong\nexpected: 4\ngot: 5")
    marks = [wrong, award(test, [won, won, won, lost])]
    assert remark(marks[:1]) == "1.4 The droid: shoot: 0 of 5, shoot is wrong; expected: 4; got: 5"
    assert remark(marks[1:]) == "Hard: 15 of 20, 4 matches against hard: 3 won, 0 drawn, 1 lost"
    more = award(test, [won, lost, lost, lost])
    assert remark([*marks[1:], more]).startswith("Hard: 5 of 20, ")
    assert remark([more, *marks]) == remark(marks[:1])  # one without any points comes first


def test_illegal_moves_of_one_kind_are_counted_together() -> None:
    words = [
        "stepped onto a trap at 2,1, in position a",
        "stepped onto a trap at 0,3, in position b",
    ]
    results = [MatchResult(0, -1.0, ILLEGAL, 0, one) for one in (*words, "stepped off the board")]
    found = failures([*results, *failing(1)])
    assert [(one.words, one.times) for one in found] == [
        (f"{words[0]} (the first of them)", 2),
        ("stepped off the board", 1),
        ("no", 1),
    ]


@pytest.mark.unmeasured
def test_an_opponent_in_a_file_is_beside_the_assignment_and_its_folder_is_not_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "order"
    submitted(folder, "met", GOOD)
    file = folder / "nuts.toml"
    file.write_text(NUTS.replace('"random"', '"./met"'))
    monkeypatch.chdir(tmp_path)
    order = grading.Grading(Path("order/nuts.toml"), tmp_path / "out", 1, tournament=False)
    [one] = grading.grade(order, [submitted(tmp_path, "a", GOOD)], lambda *told: None)
    assert one.marks[0].output.startswith("4 matches against met: ")
    page = (tmp_path / "out" / "students" / "a" / "index.html").read_text(encoding="utf-8")
    assert "against met" in page and str(folder) not in page
    again = assignment.Test("x", 1.0, opponent="qtable:file=/a/b.npz,seconds=1")
    assert again.against == "qtable:file=b.npz,seconds=1"
    assert again._replace(called="one who has learned").against == "one who has learned"
    (folder / "mine.npz").touch()
    file.write_text(NUTS.replace('"random"', '"qtable:file=mine.npz"'))
    assert assignment.read(file).tests[0].opponent == f"qtable:file={folder}/mine.npz"
