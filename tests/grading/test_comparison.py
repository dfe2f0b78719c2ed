"""Rules in students' files beside ours: each mistake costs its own points, and is told."""

import math
import random
import re
from itertools import islice
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ludex.core.play import read_state
from ludex.core.rules import position
from ludex.core.termination import Offence
from ludex.grading import assignment, comparison, intake, submission, validation, workspace
from ludex.grading.assignment import EXAMPLES, RULES
from ludex.grading.comparison import arena
from ludex.grading.comparison.case import Case, value_text
from ludex.grading.course import COMPARED
from ludex.grading.progress import ProgressFile
from ludex.grading.score import Mark
from tests.lines import variant
from tests.mutants import ARENA, ARENAS, DROID, DROIDS, Mutant

pytestmark = [pytest.mark.plain, pytest.mark.usefixtures("unsafe")]


def marks(course: str, file: Path, tmp_path: Path, name: str = "", cases: int = 0) -> list[Mark]:
    """Return the marks of the tests of a course that need no match, or of one by its beginning."""
    given = assignment.read(assignment.find(course))
    bench = submission.Context(
        given, given.make_rules(), tmp_path, lambda: False, ProgressFile(tmp_path, given)
    )
    return [
        submission.mark_file(bench, test._replace(cases=cases or test.cases), file)
        for test in given.tests
        if test.kind in (RULES, EXAMPLES) and test.name.startswith(name)
    ]


def changed(source: Path, mutant: Mutant, tmp_path: Path) -> Path:
    text = source.read_text(encoding="utf-8")
    assert text.count(mutant.before) == 1, mutant.before
    file = tmp_path / source.name
    file.write_text(text.replace(mutant.before, mutant.after), encoding="utf-8")
    return file


def named(mutant: Mutant) -> str:
    return mutant.name.replace(" ", "-")


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    ("course", "source", "points"),
    [("droids", DROID, [2.0, 3.0, 5.0, 5.0, 5.0]), ("arena", ARENA, [1.0, 2.0, 1.0, 1.0])],
)
def test_a_model_solution_gets_all_points(
    course: str, source: Path, points: list[float], tmp_path: Path
) -> None:
    found = marks(course, source, tmp_path)
    assert [mark.score for mark in found] == points, [mark.output for mark in found]
    assert found[0].output == "as the rules are in 2000 situations"


@pytest.mark.unmeasured
@pytest.mark.parametrize("mutant", DROIDS, ids=named)
def test_a_mistake_in_the_droid_costs_its_points(mutant: Mutant, tmp_path: Path) -> None:
    loses("droids", DROID, mutant, tmp_path)


@pytest.mark.unmeasured
@pytest.mark.parametrize("mutant", ARENAS, ids=named)
def test_a_mistake_in_the_arena_costs_its_points(mutant: Mutant, tmp_path: Path) -> None:
    loses("arena", ARENA, mutant, tmp_path)


def loses(course: str, source: Path, mutant: Mutant, tmp_path: Path) -> None:
    """See that a mistake fails its test with what was expected and what came."""
    [mark] = marks(course, changed(source, mutant, tmp_path), tmp_path, mutant.test)
    assert mark.score == 0.0
    lines = mark.output.splitlines()
    expected, got = (next(line for line in lines if line.startswith(word)) for word in WORDS)
    assert mutant.expected in expected and mutant.got in got, mark.output
    assert lines[0].startswith(">>> ") or lines[1].startswith("position: ")
    assert expected.partition(": ")[2] != got.partition(": ")[2]


WORDS = (("expected: ",), ("got: ", "shown: "))


def test_a_mistake_costs_no_other_points(tmp_path: Path) -> None:
    [mutant] = [one for one in DROIDS if one.name == "a laser along the row only"]
    found = marks("droids", changed(DROID, mutant, tmp_path), tmp_path, cases=200)
    assert [mark.score for mark in found] == [2.0, 3.0, 5.0, 0.0, 5.0]


def test_a_disagreement_is_told_as_a_position_that_can_be_shown(tmp_path: Path) -> None:
    [mutant] = [one for one in DROIDS if one.name == "rows taken for columns"]
    [mark] = marks("droids", changed(DROID, mutant, tmp_path), tmp_path, mutant.test)
    found = re.match(
        r"move_location of R2-\w\d is not as the rules are\n"
        r"position: (?P<text>[\d, ]+)\nrules: (?P<rules>.*)\naction: MOVE_\w+\n"
        r"expected: droid\.location .*\ngot: droid\.location ",
        mark.output,
    )
    assert found is not None, mark.output
    sizes = dict(re.findall(r"--rule (\w+)=(\d)", found["rules"]))
    assert sizes
    read_state(variant("droids", **sizes), found["text"])


def test_a_busy_machine_costs_no_marks() -> None:
    asked: list[Any] = []

    def answer(request: Any, wall: float, seconds: float = math.inf) -> dict[str, Any]:
        asked.append((wall, seconds))
        return {"answers": []}

    process: Any = SimpleNamespace(answer=answer)
    assert comparison.ask_batch(process, [], 2.0) == []
    assert asked == [(10.0, 2.0)]


def test_what_holds_up_or_ends_the_process_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(comparison, "SECONDS", 1.0)
    monkeypatch.setattr(comparison, "ALONE", 0.5)
    source = DROID.read_text(encoding="utf-8")
    for body, said in (("while True: pass", "no answer in 0.5 s"), ("exit(3)", "exit code 3")):
        file = tmp_path / DROID.name
        wrong = f"if self.shots == 0:\n            {body}\n        self.shots -= 1"
        text = source.replace(" or self.shots <= 0", "").replace("self.shots -= 1", wrong)
        file.write_text(text, encoding="utf-8")
        [mark] = marks("droids", file, tmp_path, "1.4")
        assert re.search(r"of R2-(D2 .*\n.* 0,\d|Q5 .*\n.* \d,0) \d,\d \d+\n", mark.output)
        assert "action: SHOOT\nexpected: returned " in mark.output
        assert said in mark.output.splitlines()[-1]


# Rosters that keep who is in the arena, weapons by the first word of their robot, lives below 0.
KEEPING = (
    ("[one for one in living(after, LIGHT) if one != after.light_champ]", "living(after, LIGHT)"),
    ("[one for one in living(after, WILY) if one != after.wily_champ]", "living(after, WILY)"),
    ("            return living(state, LIGHT)\n", "            return list(state.light_roster)\n"),
    ("mega_weapons.append(wily)", "mega_weapons.append(wily.split()[0])"),
    ("WEAPONS[name] for", "WEAPONS[name + ' Man'] for"),
    ("max(0, state.healths[wily] - mine)", "state.healths[wily] - mine"),
    ("max(0, state.healths[light] - theirs)", "state.healths[light] - theirs"),
    ("if state.healths[wily] == 0:", "if state.healths[wily] <= 0:"),
)


def test_a_file_may_keep_its_state_in_its_own_way(tmp_path: Path) -> None:
    source = ARENA.read_text(encoding="utf-8")
    for before, after in KEEPING:
        assert source.count(before) == 1, before
        source = source.replace(before, after)
    file = tmp_path / ARENA.name
    file.write_text(source, encoding="utf-8")
    found = marks("arena", file, tmp_path, cases=800)
    assert [mark.score for mark in found] == [1.0, 2.0, 1.0, 1.0], [mark.output for mark in found]


@pytest.mark.unmeasured
@pytest.mark.parametrize("course", ["droids", "arena"])
def test_every_situation_is_a_position_of_the_game(course: str) -> None:
    rules = variant(course)
    compared = COMPARED[course]
    for method in compared.methods:
        found = compared.cases(rules, method, random.Random(1))
        for case in islice(found, 400 if method == "result" else 100):
            sizes = dict(re.findall(r"--rule (\w+)=(\d)", case.rules))
            board = variant(course, **sizes)
            assert position(board, read_state(board, case.position)) == case.position


def test_an_evaluation_is_asked_in_few_situations_too(tmp_path: Path) -> None:
    [mutant] = [one for one in ARENAS if one.name == "an evaluation far outside"]
    file = changed(ARENA, mutant, tmp_path)
    given = assignment.Assignment("arena", "x")
    found = comparison.compare(file, given, arena.COMPARED, ["eval"], 30)
    assert found[0] == "eval is not as the rules are"


def test_the_same_seed_asks_the_same(tmp_path: Path) -> None:
    rules: Any = variant("arena")
    one, other, third = (
        [case.position for case in islice(arena.cases(rules, "actions", random.Random(seed)), 50)]
        for seed in (1, 1, 2)
    )
    assert one == other != third


ORDER = """
course = "{course}"
title = "x"
[[tests]]
name = "a"
points = 1
kind = "{kind}"
{compare}
"""


@pytest.mark.parametrize(
    ("course", "kind", "compare", "wanted"),
    [
        ("droids", "rules", "", "compare is missing (expected some of constructor, copy, "),
        ("droids", "rules", "compare = 'shot'", "'shot'; did you mean 'shoot'? (expected some of"),
        ("droids", "examples", "compare = 'copy'", "compare is for kind 'rules', not 'examples'"),
        ("nuts", "rules", "compare = 'copy'", "no file of nuts has rules that can be compared"),
        ("droids", "rules", "compare = 'copy'\ncases = 0", "cases is 0: expected at least 1"),
    ],
)
def test_a_comparison_that_cannot_be_made_is_refused(
    course: str, kind: str, compare: str, wanted: str, tmp_path: Path
) -> None:
    file = tmp_path / "order.toml"
    file.write_text(ORDER.format(course=course, kind=kind, compare=compare), encoding="utf-8")
    with pytest.raises(ValueError) as refused:
        validation.validate(file)
    assert wanted in str(refused.value)


@pytest.mark.parametrize("word", ["\ud800", "\x1b[2J", "a\nb", "x" * 1000])
def test_whatever_a_file_answers_its_mark_is_kept_and_can_be_shown(
    word: str, tmp_path: Path
) -> None:
    file = tmp_path / "ann" / ARENA.name
    file.parent.mkdir()
    spoiled = (
        "\n\ndef spoil(self, state, action, right=Game.result):\n"
        "    found = right(self, state, action)\n"
        f"    found.light_champ = {word!a}\n"
        "    return found\n\n\nGame.result = spoil\n"
    )
    file.write_text(ARENA.read_text(encoding="utf-8") + spoiled, encoding="utf-8")
    order = tmp_path / "order.toml"
    compare = "compare = 'result'\ncases = 20"
    order.write_text(ORDER.format(course="arena", kind="rules", compare=compare), encoding="utf-8")
    entry = intake.take_in(file.parent, "arena", tmp_path / "shelf")
    submission.mark_entry(
        submission.MarkingTask(str(order), entry, str(tmp_path / "desk"), pages=False)
    )
    _, [mark] = workspace.read_marks(tmp_path / "desk")
    assert mark.score == 0.0 and "got: light_champ " in mark.output
    lines = mark.output.split("\n")
    assert [line.partition(" ")[0] for line in lines[-2:]] == ["expected:", "got:"]
    assert all(line.isprintable() and len(line) < 400 for line in lines), mark.output


@pytest.mark.parametrize("value", ["\ud800" * 500, ["\x1b[2J"] * 500, {"a\nb": "x" * 500}])
def test_a_value_is_shown_in_one_short_line(value: Any) -> None:
    assert value_text(value).isprintable() and len(value_text(value)) <= 300


def test_an_error_in_a_comparison_is_the_mark_of_that_test_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: Any) -> Mark:
        raise RuntimeError("\ud800")

    monkeypatch.setattr(submission, "mark_file", broken)
    order = tmp_path / "order.toml"
    text = ORDER.format(course="arena", kind="rules", compare="compare = 'result'")
    order.write_text(text, encoding="utf-8")
    entry = intake.Entry("ann", str(ARENA.parent))
    submission.mark_entry(
        submission.MarkingTask(str(order), entry, str(tmp_path / "desk"), pages=False)
    )
    _, [mark] = workspace.read_marks(tmp_path / "desk")
    assert mark.output == "the grading itself failed: RuntimeError: \N{REPLACEMENT CHARACTER}"


class Answering:
    """Answers always the same, as a process does."""

    def __init__(self, *answers: dict[str, Any]) -> None:
        self.answers = list(answers)

    def answer(self, request: dict[str, Any], wall: float, seconds: float) -> dict[str, Any]:
        return {"answers": self.answers}


def test_an_error_beside_an_answer_excuses_no_missing_answers() -> None:
    batch = [Case("copy", "", "", {}, None)] * 2
    process: Any = Answering({"error": "x"})
    assert comparison.ask_batch(process, batch, 1.0) == [{"error": "x"}]
    process = Answering({"answer": 1, "error": "x"})
    with pytest.raises(Offence, match="too few answers"):
        comparison.ask_batch(process, batch, 1.0)
