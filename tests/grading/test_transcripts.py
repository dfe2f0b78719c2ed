"""Console programs of the nuts course: the judge follows their dialogue, and wrong ones lose."""

import random
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from ludex.external import sandbox
from ludex.external.cpu_time import Meter
from ludex.grading import assignment, console, dialogue, grading, intake, transcript
from ludex.grading.assignment import TRANSCRIPT
from ludex.grading.console import Fit, Line, Mismatch, Program, fit
from ludex.grading.dialogue import NutsGame
from ludex.grading.score import Mark
from ludex.grading.transcript import NUTS_CHECKS
from tests.classes import results_of, run
from tests.students import SOLUTIONS

pytestmark = pytest.mark.plain

SOLUTION = (SOLUTIONS / "nuts" / "nuts.py").read_text(encoding="utf-8")
QUICK = SOLUTION.replace("TRAINING = 100_000", "TRAINING = 3_000")


RUNS = transcript.RUNS  # by which those who never learn are told from those who do


@pytest.fixture(autouse=True)
def unsafe_and_impatient(unsafe: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "SECONDS", 3.0)
    monkeypatch.setattr(transcript, "RUNS", 4)  # enough for programs whose seed is fixed


def mark(source: str, part: int, folder: Path, typed: str = "anything") -> Mark:
    file = folder / "nuts.py"
    file.write_text(source, encoding="utf-8")
    test = assignment.Test(f"part {part}", 6.0, TRANSCRIPT, part=part, typed=typed)
    return transcript.mark_transcripts(NUTS_CHECKS[part - 1], test, file, 1, lambda: False)


def changed(*pairs: tuple[str, str]) -> str:
    source = QUICK
    for old, new in pairs:
        assert old in source
        source = source.replace(old, new)
    return source


@pytest.mark.unmeasured
@pytest.mark.parametrize("part", [1, 2, 3])
def test_the_solution_gets_all_points(part: int, tmp_path: Path) -> None:
    found = mark(QUICK, part, tmp_path)
    assert (found.score, found.fault) == (6.0, ""), found.output


def test_a_program_of_the_first_part_has_no_menu(tmp_path: Path) -> None:
    start, end = QUICK.index('    print("Options:")'), QUICK.index("if __name__")
    source = f"{QUICK[:start]}    play_friend(nuts)\n\n\n{QUICK[end:]}"
    assert mark(source, 1, tmp_path).score == 6.0
    found = mark(source, 2, tmp_path)
    assert found.score == 0.0
    assert "expected: Options:\n    got: There are 10 nuts on the board." in found.output


@pytest.mark.unmeasured
def test_a_menu_of_two_will_do_for_the_second_part(tmp_path: Path) -> None:
    source = changed(
        ('    print(" Play against the trained computer (3)")\n', ""),
        ('(1-3)? ", 1, 3)\n    hats', '(1-2)? ", 1, 2)\n    hats'),
    )
    assert mark(source, 2, tmp_path).score == 6.0
    assert mark(source, 3, tmp_path).score == 0.0


@pytest.mark.unmeasured
def test_spaces_blank_lines_and_printed_hats_do_not_matter(tmp_path: Path) -> None:
    source = changed(
        ("input(question)", "(print(question, end='   \\n\\n'), input())[1]"),
        ('on the board.")', 'on the board.  \\n\\n")'),
        ('    print("You lose."', '    print("\\t", end="")\n    print("You lose."'),
        (
            "    update(hats, drawn, player == 1)\n",
            "    update(hats, drawn, player == 1)\n"
            "    print(hats)\n    for hat in hats: print(hat)\n",
        ),
    )
    for part in (1, 2):
        found = mark(source, part, tmp_path)
        assert found.score == 6.0, found.output


# A mutant, the part of the document that it fails, and what its owner reads of it.
MUTANTS = {
    "wrong plural": (
        ("'is 1 nut' if nuts == 1 else f'are {nuts} nuts'", "f'are {nuts} nuts'"),
        1,
        "expected: There is 1 nut on the board.\n    got: There are 1 nuts on the board.",
    ),
    "takes four": (
        ('(1-{MOST})? ", 1, MOST)', '(1-{MOST})? ", 1, 4)'),
        1,
        "expected: Please enter a number between 1 and 3\n    got: Please enter a number between"
        " 1 and 4",
    ),
    "wrong loser": (
        ('print(f"Player {player}, you lose.")', 'print(f"Player {3 - player}, you lose.")'),
        1,
        "expected: Player 2, you lose.\n    got: Player 1, you lose.",
    ),
    "crashes on words": (
        ("except ValueError", "except KeyError"),
        1,
        "got: CRASHED: ValueError: invalid literal for int() with base 10: 'abc' (line ",
    ),
    "prints nothing": (
        ("    main()\n", "    pass\n"),
        1,
        "expected: Welcome to the game of nuts!\n    got: the end of the program",
    ),
    "a module is missing": (
        ("import random\n", "import random, termcolour\n"),
        1,
        "got: CRASHED: ModuleNotFoundError: No module named 'termcolour' (LUDEX_PACKAGES=",
    ),
    "refuses a hundred": (
        ("10, 100)\n", "10, 99)\n"),
        1,
        "expected: There are 100 nuts on the board. | Options:\n    got: Please enter a number"
        " between 10 and 99",
    ),
    "says goodbye": (
        ("    again = 1\n", '    again = 1\n    import atexit; atexit.register(print, "Bye")\n'),
        1,
        "expected: the end of the program\n    got: Bye",
    ),
    "wrong winner": (
        (
            '"You lose." if player == 1 else "AI loses."',
            '"AI loses." if player == 1 else "You lose."',
        ),
        2,
        "got: AI loses.",
    ),
    "no replay": (
        (
            '        again = read_number("Play again (1 = yes, 0 = no)? ", 0, 1)\n',
            "        break\n",
        ),
        2,
        "expected: Play again (1 = yes, 0 = no)?\n    got: the end of the program",
    ),
    "forgets the nuts": (
        ("        again = read_number(", "        nuts = 9\n        again = read_number("),
        2,
        "expected: There are 10 nuts on the board.\n    got: There are 9 nuts on the board.",
    ),
    "takes illegal numbers": (
        (
            "            kind = select(hats[nuts - 1])\n            drawn",
            "            kind = 4 if nuts > 6 else 0\n            drawn",
        ),
        2,
        "expected: AI selects 1, 2 or 3\n    got: AI selects 5",
    ),
    "counts wrongly": (
        (
            '            nuts -= kind + 1\n    print("You',
            '            nuts -= kind\n    print("You',
        ),
        2,
        "expected: There are ",
    ),
    "does not learn": (
        ("    update(hats, drawn, player == 1)\n", ""),
        2,
        "expected: a computer that learns to take 3 of 4 nuts, which wins\n    got: 3 taken ",
    ),
    "learns the wrong way": (
        ("    update(hats, drawn, player == 1)\n", "    update(hats, drawn, player == 2)\n"),
        2,
        "expected: a computer that learns",
    ),
    "knows all from the first": (
        (
            "            kind = select(hats[nuts - 1])\n            drawn",
            "            kind = max((nuts - 2) % 4 % 3, 0)\n            drawn",
        ),
        2,
        "expected: a computer that takes at random before it has learned",
    ),
    "does not train": (("range(TRAINING)", "range(0)"), 3, "won\n    got: "),
    "says no word of training": (
        ('        print("Training AI, please wait...")\n', ""),
        3,
        "expected: Training AI, please wait...\n    got: There are 13 nuts on the board.",
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_program_loses_points_with_a_reason(name: str, tmp_path: Path) -> None:
    change, part, words = MUTANTS[name]
    found = mark(changed(change), part, tmp_path)
    assert found.score < 6.0 and words in found.output, found.output
    assert found.fault


def test_a_difference_is_shown_with_what_was_said_before(tmp_path: Path) -> None:
    found = mark(changed(MUTANTS["wrong loser"][0]), 1, tmp_path)
    assert (
        "    There is 1 nut on the board.\n"
        "    Player 2: How many nuts do you take (1-3)? 2\n"
        "    expected: Player 2, you lose.\n"
        "    got: Player 1, you lose.\n"
    ) in found.output


def test_a_program_that_hangs_is_ended_and_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "SECONDS", 0.3)
    found = mark("while True:\n    pass\n", 1, tmp_path)
    assert found.score == 0.0
    assert "got: nothing after 0.3 s" in found.output
    assert found.output.count("not tried, because it hangs") == 2


def test_a_program_is_not_charged_for_a_busy_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Meter, "count_idle", lambda meter, seconds: None)  # as if it wanted to run
    monkeypatch.setattr(console, "WALL_FACTOR", 100)
    file = tmp_path / "nuts.py"
    file.write_text("import time\ntime.sleep(0.6)\nprint('late')\n", encoding="utf-8")
    program = console.Console(console.Program(file, 1))
    try:
        assert program.expect(Line("late"), seconds=0.5).place == 0
    finally:
        program.close()


def test_a_program_that_sleeps_and_prints_blank_lines_is_charged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "WALL_FACTOR", 20)  # however busy the machine is
    file = tmp_path / "nuts.py"
    source = "import time\nwhile True:\n    print(flush=True)\n    time.sleep(0.01)\n"
    file.write_text(source, encoding="utf-8")
    program = console.Console(console.Program(file, 1))
    try:
        with pytest.raises(console.Mismatch, match=r"nothing after 0\.5 s"):
            program.expect(Line("late"), seconds=0.5)
        assert program.process.meter.used_seconds() > 0.5  # not the wall has ended it
    finally:
        program.close()


def test_a_program_that_prints_without_end_is_ended_at_once(tmp_path: Path) -> None:
    source = "print('Welcome', end='')\nwhile True:\n    print(' ' * 1000, end='')\n"
    found = mark(source, 2, tmp_path)
    assert found.score == 0.0 and "not tried" not in found.output
    assert found.output.count("got: Welcome") == 3


def test_words_are_not_typed_where_the_assignment_promises_integers(tmp_path: Path) -> None:
    source = changed(MUTANTS["crashes on words"][0])
    assert mark(source, 1, tmp_path).score == 4.0
    assert mark(source, 1, tmp_path, typed="integers").score == 6.0


def test_what_is_not_tried_in_time_brings_nothing(tmp_path: Path) -> None:
    file = tmp_path / "nuts.py"
    file.write_text(QUICK)
    test = assignment.Test("part 1", 6.0, TRANSCRIPT)
    found = transcript.mark_transcripts(NUTS_CHECKS[0], test, file, 1, lambda: True)
    assert (found.score, found.late) == (0.0, True)
    assert "not tried, the time for grading ran out" in found.output


def test_a_dialogue_ends_when_the_time_for_grading_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "SECONDS", 60.0)
    file = tmp_path / "nuts.py"
    file.write_text("print('Welcome to the game of nuts!')\nwhile True:\n    pass\n")
    asked = iter([False, False])
    test = assignment.Test("part 1", 6.0, TRANSCRIPT)
    found = transcript.mark_transcripts(NUTS_CHECKS[0], test, file, 1, lambda: next(asked, True))
    assert (found.score, found.late, found.fault) == (0.0, True, "")
    assert "games of two people: stopped, the time for grading ran out\n" in found.output
    assert found.output.count("not tried, the time for grading ran out") == 2


Player = Callable[[random.Random], Callable[[int], int]]


def learner(luck: random.Random) -> Callable[[int], int]:
    """Return a hat of four nuts with its balls, which gains and loses as the document has it."""
    hat = [1, 1, 1]

    def choose(nuts: int) -> int:
        [kind] = luck.choices(range(3), hat)
        if nuts == 4:
            hat[kind] = max(1, hat[kind] + (1 if kind == 2 else -1))
        return kind + 1

    return choose


def steady(chance: float) -> Player:
    """Return a player that never learns, and takes 3 with some chance."""
    return lambda luck: lambda nuts: 3 if luck.random() < chance else luck.choice((1, 2))


def obstinate(luck: random.Random) -> Callable[[int], int]:
    """Return a player that never learns: in each run it always takes what it took first."""
    kind = luck.randint(1, 3)
    return lambda nuts: kind


def passes(player: Player, seed: int, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Return whether a player passes as one that learns, without a process."""

    @contextmanager
    def start_dialogue(program: Program, nuts: int, option: int) -> Iterator[Any]:
        yield player(random.Random(program.seed))

    def play_game(choose: Callable[[int], int], nuts: int, judge: Callable[[int], int]) -> NutsGame:
        taken: list[tuple[int, int]] = []
        turns = 0
        while nuts > 0:
            number = choose(nuts) if turns % 2 else judge(nuts)
            taken += [(nuts, number)] * (turns % 2)
            nuts -= number
            turns += 1
        return NutsGame(taken, turns % 2 == 1)

    monkeypatch.setattr(transcript, "RUNS", RUNS)
    monkeypatch.setattr(dialogue, "start_dialogue", start_dialogue)
    monkeypatch.setattr(dialogue, "play_game", play_game)
    monkeypatch.setattr(dialogue, "answer_again", lambda *given: None)
    try:
        transcript.learns(Program(Path("nuts.py"), 1000 * seed))
    except Mismatch:
        return False
    return True


@pytest.mark.unmeasured
def test_who_learns_by_hats_passes(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(passes(learner, seed, monkeypatch) for seed in range(100)) >= 99


@pytest.mark.unmeasured
@pytest.mark.parametrize(
    "player", [steady(1 / 3), steady(0.77), steady(0.85), steady(1.0), obstinate]
)
def test_who_never_learns_does_not_pass(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    assert sum(passes(player, seed, monkeypatch) for seed in range(100)) <= 2


@pytest.mark.parametrize(
    ("text", "whole", "wanted"),
    [
        ("AI selects 2\n", False, Fit(12, [2])),
        ("AI  selects 12 \n", False, Fit(14, [12])),
        ("AI selects 2", False, Fit(0, [])),
        ("AI selects 2 ", False, Fit(0, [])),
        ("AI selects 2", True, Fit(12, [2])),
        ("AI sel", False, Fit(0, [])),
        ("AI sel", True, None),
        ("AI selects two\n", False, None),
        ("AI selects 2.\n", False, None),
        ("AT selects 2\n", False, None),
    ],
)
def test_a_line_fits_or_may_still_fit(text: str, whole: bool, wanted: Fit | None) -> None:
    assert fit(Line("AI selects #"), text, whole) == wanted


def test_a_class_of_programs_is_graded_in_the_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(sandbox.UNSAFE)
    if sandbox.fault():
        pytest.skip(f"no sandbox: {sandbox.fault()}")
    tmp_path.chmod(0o755)
    folder, out = tmp_path / "class", tmp_path / "out"
    folder.mkdir()
    (folder / "ann.py").write_text(QUICK)
    (folder / "bob").mkdir()
    (folder / "bob" / "assignment3.py").write_text("def x(:\n")
    with zipfile.ZipFile(folder / "cy.zip", "w") as made:
        made.writestr("cy/a.py", "")
        made.writestr("cy/b.py", "")
    hand = tmp_path / "hand.csv"
    hand.write_text("name,4,5\nann,1,0.5\n")
    options = ("--out", out, "--processes", 1, "--marks", hand)
    shown = run("nuts", *sorted(folder.iterdir()), *options)
    assert shown.exit_code == 0, shown.output
    rows = {line.split(",")[0]: line for line in (out / "class.csv").read_text().splitlines()}
    assert rows["ann"] == 'ann,1.5,3,3.5,1,0.5,9.5,10,,"5. Code is modular: 0.5 of 1, by hand"'
    tests = results_of(out, "bob")["tests"]
    assert tests[0]["output"] == "assignment3.py line 1: invalid syntax"
    assert "more than one Python file in it (cy/a.py, cy/b.py)" in rows["cy"]


def test_the_program_of_a_folder_is_found(tmp_path: Path) -> None:
    (tmp_path / "agent.py").write_text("x = 1\n")
    assert intake.find_program(tmp_path).name == "agent.py"
    (tmp_path / "mine.py").write_text("x = 1\n")
    assert intake.find_program(tmp_path).name == "mine.py"
    (tmp_path / "helper.py").write_text("x = 1\n")
    with pytest.raises(ValueError, match=r"expected the program to be called nuts\.py"):
        intake.find_program(tmp_path)
    (tmp_path / "game.py").write_text("x = 1\n")
    assert intake.find_program(tmp_path).name == "game.py"


def test_transcripts_are_for_nuts_only(tmp_path: Path) -> None:
    file = tmp_path / "trap.toml"
    file.write_text("course='trap'\ntitle='x'\n[[tests]]\nname='a'\nkind='transcript'\npoints=1\n")
    shown = run(file, tmp_path, "--out", tmp_path / "out")
    assert shown.exit_code == 2 and "expected it with course = 'nuts' only" in shown.stderr
    file.write_text(file.read_text().replace("'trap'", "'nuts'") + "part=4\n")
    with pytest.raises(ValueError, match="part is 4: expected a whole number from 1 to 3"):
        assignment.read(file)
    order = grading.Grading(file, tmp_path / "out")
    with pytest.raises(ValueError, match="part is 4"):
        grading.grade(order, [tmp_path], lambda *told: None)
