"""Grade a console program of the nuts course by repeated dialogues."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ludex.core.termination import OUT_OF_TIME
from ludex.grading import dialogue
from ludex.grading.assignment import ANYTHING, Test
from ludex.grading.console import GradingOver, Mismatch, Program
from ludex.grading.dialogue import COMPUTER, MOST, TRAINED, Choose
from ludex.grading.score import RAN_OUT, Mark

SMALL = 10  # nuts: a win for the first player
LOST = 13  # nuts: a loss for the first player
GAMES = 30  # played with the trained computer
STRONG = 0.8  # the share that it must win, and of right moves after learning
RUNS, LESSONS = 20, 40  # new processes, and games for each to learn from
EARLY, LATE = 3, 10  # the first and last games of a run, which are compared
UNTAUGHT = 0.65  # the largest share of right moves in the first games


class Check(NamedTuple):
    """Something that a part of the document asks for, and its share of the points."""

    name: str
    weight: float
    run: Callable[[Program], None]
    """Raises a Mismatch if a program does not do it."""
    types_words: bool = False
    """Whether it types answers that are not whole numbers."""


def mark_transcripts(
    checks: Sequence[Check], test: Test, file: Path, seed: int, over: Callable[[], bool]
) -> Mark:
    """Return the mark of a part of the document: the share of its checks that pass."""
    checks = [one for one in checks if test.typed == ANYTHING or not one.types_words]
    lines: list[str] = []
    passed, first, late, hangs = 0.0, "", False, False
    for check in checks:
        late = late or over()
        if late or hangs:
            lines.append(f"{check.name}: not tried, {RAN_OUT if late else 'because it hangs'}")
            continue
        try:
            check.run(Program(file, seed, over))
            passed += check.weight
            lines.append(f"{check.name}: as in the document")
        except GradingOver:
            late = True
            lines.append(f"{check.name}: stopped, {RAN_OUT}")
        except Mismatch as mismatch:
            hangs = mismatch.ending == OUT_OF_TIME
            lines += [f"{check.name}: no", *(f"    {one}" for one in str(mismatch).split("\n"))]
            first = first or f"{check.name}: {', '.join(mismatch.words.split(chr(10)))}"
    score = test.points * passed / sum(check.weight for check in checks)
    return Mark.of(test, score, "\n".join(lines), late=late, fault=first)


def two_people(program: Program) -> None:
    """Check games of two people, in which either loses, also by taking more than there are."""
    dialogue.play_friends(program, 10, (3, 3, 3, 2))
    dialogue.play_friends(program, 11, (3, 3, 1, 2, 1, 1))
    dialogue.play_friends(program, 12, (1, 2, 3, 3, 2, 1))
    dialogue.play_friends(program, 100, (3,) * 33 + (1,))


def out_of_range(program: Program) -> None:
    """Check that numbers out of range are refused, with the document's messages."""
    dialogue.play_friends(program, 11, (3, 3, 3, 1, 1), (55, 0, 4, -1), (500, 3, 9, 101))


def no_numbers(program: Program) -> None:
    """Check that answers that are not whole numbers are refused."""
    dialogue.play_friends(program, 11, (3, 3, 3, 1, 1), ("abc", "2.5"), ("abc", "10.5"))


def winning_move(nuts: int) -> int:
    """Return the winning move, or 0 if there is none."""
    return (nuts - 1) % (MOST + 1)


def computer_plays(program: Program, option: int = COMPUTER, nuts: int = SMALL) -> None:
    """Check games against the computer until both have won, if they do."""
    luck = random.Random(program.seed)
    with dialogue.start_dialogue(program, nuts, option) as console:
        ends = set()
        for number in range(GAMES):
            if number:
                dialogue.answer_again(console, 1)
            ends.add(dialogue.play_game(console, nuts, lambda left: luck.randint(1, MOST)).won)
            if number > 2 and len(ends) == 2:
                break
        dialogue.answer_again(console, 0)
        console.expect_end()


def computer_out_of_range(program: Program) -> None:
    """Check that numbers out of range are refused against the computer, at every question."""
    luck = random.Random(program.seed)
    with dialogue.start_dialogue(program, SMALL, COMPUTER, wrong_option=(7, 0)) as console:
        for answer in (1, 0):
            dialogue.play_game(console, SMALL, lambda left: luck.randint(1, MOST), (4, 0))
            dialogue.answer_again(console, answer, (7,))
        console.expect_end()


def learns(program: Program) -> None:
    """Check that the computer begins at random, and learns the winning move with four nuts.

    The same process must show both, over many runs: a program that never learns takes 3 of 4 nuts
    as often early as late, and passes in less than 1 % of all gradings, whatever its policy is.
    """
    # Of 8 nuts the computer leaves 5, 6 or 7, so the referee can always leave it 4.
    leads = {10: 2, 7: 3, 6: 2, 5: 1, 3: 2, 2: 1, 1: 1}
    early = late = 0
    for run in range(RUNS):
        right = []
        with dialogue.start_dialogue(
            program._replace(seed=program.seed + run), SMALL, COMPUTER
        ) as console:
            for number in range(LESSONS):
                if number:
                    dialogue.answer_again(console, 1)
                taken = dict(dialogue.play_game(console, SMALL, leads.__getitem__).taken)
                right.append(taken[4] == winning_move(4))
        early += sum(right[:EARLY])
        late += sum(right[-LATE:])
    if late < STRONG * LATE * RUNS:
        raise Mismatch(
            "a computer that learns to take 3 of 4 nuts, which wins",
            f"3 taken {late} times of {LATE * RUNS}, in the last {LATE} of {LESSONS} games of"
            f" {RUNS} runs",
        )
    if early > UNTAUGHT * EARLY * RUNS:
        raise Mismatch(
            "a computer that takes at random before it has learned",
            f"3 taken of 4 nuts, which wins, {early} times of {EARLY * RUNS}, in the first"
            f" {EARLY} games of {RUNS} runs",
        )


def make_opponent(luck: random.Random, nuts: int, opening: Sequence[int]) -> Choose:
    """Return a player that opens at random, then plays winning moves, else random ones."""

    def choose(left: int) -> int:
        return luck.choice(opening) if left == nuts else winning_move(left) or luck.randint(1, MOST)

    return choose


def trained_wins(program: Program) -> None:
    """Check that the trained computer wins what can be won.

    A computer that was always the second in its training knows the positions of 13 nuts, one that
    was always the first those of 10; the document leaves open which it is.
    """
    shares = []
    for nuts, opening in ((LOST, (1, 2, 3)), (SMALL, (2, 3))):
        choose = make_opponent(random.Random(program.seed), nuts, opening)
        won = 0
        with dialogue.start_dialogue(program, nuts, TRAINED) as console:
            for number in range(GAMES):
                if number:
                    dialogue.answer_again(console, 1)
                won += dialogue.play_game(console, nuts, choose).won
        if won >= STRONG * GAMES:
            return
        shares.append(f"{won} of {GAMES} games with {nuts} nuts")
    wanted = f"at least {STRONG * GAMES:g} of {GAMES} games won, from positions that can be won"
    raise Mismatch(wanted, " and ".join(shares))


NUTS_CHECKS = (
    (
        Check("games of two people", 0.5, two_people),
        Check("numbers out of range", 0.5, out_of_range),
        Check("answers that are not whole numbers", 0.5, no_numbers, types_words=True),
    ),
    (
        Check("games against the computer", 1.0, computer_plays),
        Check("numbers out of range", 0.5, computer_out_of_range),
        Check("the computer learns", 1.5, learns),
    ),
    (
        Check(
            "games against the trained computer",
            1.0,
            lambda program: computer_plays(program, TRAINED, LOST),
        ),
        Check("the trained computer wins", 2.5, trained_wins),
    ),
)
