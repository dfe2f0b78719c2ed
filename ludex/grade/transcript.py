"""Marks for a console program of the nuts course: it is run again and again, and talked to."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ludex.ending import OUT_OF_TIME
from ludex.grade.assignment import ANYTHING, Test
from ludex.grade.console import Console, Difference
from ludex.grade.dialogue import COMPUTER, MOST, TRAINED, Choose, again, friends, game, talking
from ludex.grade.mark import RAN_OUT, Mark

SMALL = 10  # nuts, of which those who begin can win
LOST = 13  # nuts, of which those who begin lose
GAMES = 30  # after the training, of which the computer must win
STRONG = 0.8  # as a share
LESSONS, LATER = 150, 50  # games to learn from, and the last visits of a hat that count
FRESH = 10  # programs that have not learned yet


class Check(NamedTuple):
    """Something that a part of the document asks for, and its share of the points."""

    name: str
    weight: float
    run: Callable[[Path, int], None]
    """Raises a Difference if a program, run with a seed, does not do it."""


def mark_transcripts(test: Test, file: Path, seed: int, over: Callable[[], bool]) -> Mark:
    """Return the mark of a part of the document: the share of its checks that pass."""
    checks = [one for one in CHECKS[test.part] if one.run is not no_numbers or takes_words(test)]
    lines: list[str] = []
    passed, first, late, hangs = 0.0, "", False, False
    for check in checks:
        late = late or over()
        if late or hangs:
            lines.append(f"{check.name}: not tried, {RAN_OUT if late else 'because it hangs'}")
            continue
        try:
            check.run(file, seed)
            passed += check.weight
            lines.append(f"{check.name}: as in the document")
        except Difference as difference:
            hangs = difference.ending == OUT_OF_TIME
            lines += [f"{check.name}: no", *(f"    {one}" for one in str(difference).split("\n"))]
            first = first or f"{check.name}: {', '.join(difference.words.split(chr(10)))}"
    score = round(test.points * passed / sum(check.weight for check in checks), 2)
    output = "\n".join(lines)
    return Mark(test.name, score, test.points, output, test.visibility, late=late, fault=first)


def takes_words(test: Test) -> bool:
    """Return whether answers that are no whole numbers are tried."""
    return test.typed == ANYTHING


def two_people(file: Path, seed: int) -> None:
    """Check games of two people, in which either loses, and takes more than there are."""
    friends(file, seed, 10, (3, 3, 3, 2))
    friends(file, seed, 11, (3, 3, 1, 2, 1, 1))
    friends(file, seed, 12, (1, 2, 3, 3, 2, 1))
    friends(file, seed, 100, (3,) * 33 + (1,))


def out_of_range(file: Path, seed: int) -> None:
    """Check that numbers out of range are refused, with the document's messages."""
    friends(file, seed, 11, (3, 3, 3, 1, 1), (55, 0, 4, -1), (500, 3, 9, 101))


def no_numbers(file: Path, seed: int) -> None:
    """Check that answers that are no whole numbers are refused."""
    friends(file, seed, 11, (3, 3, 3, 1, 1), ("abc", "2.5"), ("abc", "10.5"))


def best(nuts: int) -> int:
    """Return what wins, or 0 if nothing does."""
    return (nuts - 1) % (MOST + 1)


def computer_plays(file: Path, seed: int, option: int = COMPUTER, nuts: int = SMALL) -> None:
    """Check games against the computer until both have won, if they do."""
    luck = random.Random(seed)
    with talking(file, seed, nuts, option) as console:
        ends = set()
        for number in range(GAMES):
            if number:
                again(console, 1)
            ends.add(game(console, nuts, lambda left: luck.randint(1, MOST)).won)
            if number > 2 and len(ends) == 2:
                break
        again(console, 0)
        console.expect_end()


def computer_out_of_range(file: Path, seed: int) -> None:
    """Check that numbers out of range are refused against the computer, at every question."""
    luck = random.Random(seed)
    with talking(file, seed, SMALL, COMPUTER, wrong_option=(7, 0)) as console:
        for answer in (1, 0):
            game(console, SMALL, lambda left: luck.randint(1, MOST), (4, 0))
            again(console, answer, (7,))
        console.expect_end()


def learns(file: Path, seed: int) -> None:
    """Check that the computer begins without knowing, and learns what wins of four nuts.

    The judge leads it to the hat of four nuts, where three win and one or two lose.
    """
    leads = {10: 3, 6: 2, 5: 1, 4: 3, 3: 2, 2: 1, 1: 1}

    def lesson(console: Console) -> list[bool]:
        taken = game(console, SMALL, leads.__getitem__).taken
        return [number == best(nuts) for nuts, number in taken if nuts == 4]

    seen: list[bool] = []
    with talking(file, seed, SMALL, COMPUTER) as console:
        for number in range(LESSONS):
            if number:
                again(console, 1)
            seen += lesson(console)
        last = seen[-LATER:]
        if not last or sum(last) < STRONG * len(last):
            raise Difference(
                "",
                f"expected: a computer that learns to take 3 of 4 nuts, which wins\n"
                f"got: 3 taken {sum(last)} times in the last {len(last)}, after {LESSONS} games",
                [],
            )
    for number in range(1, 1 + FRESH):
        with talking(file, seed + number, SMALL, COMPUTER) as console:
            while not (first := lesson(console)):
                again(console, 1)
        if not all(first):
            return
    raise Difference(
        "",
        "expected: a computer that takes at random before it has learned\n"
        f"got: 3 taken of 4 nuts, which wins, in the first game of all {FRESH} runs",
        [],
    )


def opponent(luck: random.Random, nuts: int, opening: Sequence[int]) -> Choose:
    """Return a player that opens at random, and then takes what wins, or something at random."""

    def choose(left: int) -> int:
        return luck.choice(opening) if left == nuts else best(left) or luck.randint(1, MOST)

    return choose


def trained_plays(file: Path, seed: int) -> None:
    """Check games against the trained computer."""
    computer_plays(file, seed, TRAINED, LOST)


def trained_wins(file: Path, seed: int) -> None:
    """Check that the trained computer wins what can be won.

    A computer that was always the second in its training knows the positions of 13 nuts, one that
    was always the first those of 10; the document leaves open which it is.
    """
    shares = []
    for nuts, opening in ((LOST, (1, 2, 3)), (SMALL, (2, 3))):
        choose = opponent(random.Random(seed), nuts, opening)
        won = 0
        with talking(file, seed, nuts, TRAINED) as console:
            for number in range(GAMES):
                if number:
                    again(console, 1)
                won += game(console, nuts, choose).won
        if won >= STRONG * GAMES:
            return
        shares.append(f"{won} of {GAMES} games with {nuts} nuts")
    raise Difference(
        "",
        f"expected: at least {STRONG * GAMES:g} of {GAMES} games won, from positions that can be"
        f" won\ngot: {' and '.join(shares)}",
        [],
    )


CHECKS = {
    1: (
        Check("games of two people", 0.5, two_people),
        Check("numbers out of range", 0.5, out_of_range),
        Check("answers that are no whole numbers", 0.5, no_numbers),
    ),
    2: (
        Check("games against the computer", 1.0, computer_plays),
        Check("numbers out of range", 0.5, computer_out_of_range),
        Check("the computer learns", 1.5, learns),
    ),
    3: (
        Check("games against the trained computer", 1.0, trained_plays),
        Check("the trained computer wins", 2.5, trained_wins),
    ),
}
