"""`ludex train`: train a learning agent."""

import math
import time
from pathlib import Path
from typing import Any

import click
from rich.progress import ProgressColumn, TextColumn
from rich.table import Column

from ludex.agents.training import evaluation_opponent, make_training, share_sentence
from ludex.cli import console, options
from ludex.core.rules import Rules, game_of, seats
from ludex.io.array_file import Unusable
from ludex.learn.checkpoint import read_arrays
from ludex.learn.curve import Point, write_csv, write_png
from ludex.learn.td import TdLearner
from ludex.learn.training import Training
from ludex.learn.weights import as_arrays
from ludex.library.bars import Speed, bar
from ludex.match.luck import chosen_seed

OFTEN = 10.0  # seconds between two lines where there is no bar
SHARE_WIDTH = 32  # columns: in 80 the numbers after it have room too


@click.command()
@options.game
@click.argument("learner", metavar="LEARNER")
@click.option("--matches", type=click.IntRange(min=1), help="Total number of matches.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="Duration.")
@click.option("--against", help="Opponent: itself, copy, or an agent; itself.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--resume", is_flag=True, help="Continue the file if it exists.")
@click.option("--force", is_flag=True, help="Replace a file that was trained longer.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed; random by default.")
@options.as_json
def train(
    rules: Rules,
    out: Path,
    matches: int | None,
    seconds: float | None,
    resume: bool,
    force: bool,
    as_json: bool,
    **order: Any,
) -> None:
    """Train a learning agent.

    LEARNER is hats, qtable or td, with options as in qtable:rate=0.1,explore=0.3..0.05. The file is
    written every few seconds; after an interruption --resume continues it. The learning curve is
    written beside it, as FILE.csv and FILE.png.

    \b
    ludex train nuts hats --matches 100000 --out hats.npz
    ludex train droids qtable --seconds 60 --against qtable:file=reference --out q.npz
    ludex train trap td --matches 20000 --out td.npz
    """
    learner, against, seed = (order[name] for name in ("learner", "against", "seed"))
    check_length(matches, seconds)
    if resume:
        training, kept = resume_training(rules, learner, against, seed, out)
        if matches is not None and training.matches >= matches:
            done = f"{kept} has {training.matches:,} matches already"
            console.warn(f"{done}: --matches {matches:,} in all adds none")
    else:
        training = make_training(rules, learner, against, chosen_seed(seed))
        if not force:
            check_shorter(out, matches)
        kept = partial_file(out) if out.is_file() else out
    learn(training, kept, matches, seconds)
    if kept != out:
        kept.replace(out)
    points = curve_of(training)
    write_csv(out.with_name(f"{out.name}.csv"), points)
    title = f"{learner} learns {game_of(rules).__name__.rpartition('.')[2]}"
    told = facts(training, points[-1], out)
    write_png(out.with_name(f"{out.name}.png"), points, title, told["opponent"])
    console.emit(told, as_json, show, training, told)


def check_length(matches: int | None, seconds: float | None) -> None:
    """Raise a ValueError unless exactly one of matches and seconds is given."""
    if (matches is None) == (seconds is None):
        came = "neither came" if matches is None else "both came"
        raise ValueError(f"expected either --matches or --seconds, and {came}")
    if seconds is not None and not math.isfinite(seconds):
        raise ValueError(f"--seconds {seconds}: expected how many, as in --seconds 60")


def partial_file(out: Path) -> Path:
    """Return where a training is written until it replaces an existing file."""
    return out.with_name(f"{out.name}.part")


def check_shorter(out: Path, matches: int | None) -> None:
    """Raise a ValueError if a training would replace one that is, or may be, longer."""
    for file in (out, partial_file(out)):
        try:
            there = read_arrays(file)[1]
        except (OSError, Unusable):  # not a training
            continue
        learned = there["facts"]["matches"]
        if learned > (matches or 0):
            raise ValueError(
                f"{file} holds {learned:,} matches of {there['owner']['learner']}: --resume goes on"
                " with them, --force replaces them"
            )


def resume_training(
    rules: Rules, learner: str, against: str | None, seed: int | None, out: Path
) -> tuple[Training, Path]:
    """Return a training that continues a file, if it exists, and where to write it."""
    kept = partial_file(out) if partial_file(out).exists() else out
    try:
        if kept.exists() and seed is None:
            seed = int(read_arrays(kept)[1]["facts"]["seed"])
        training = make_training(rules, learner, against, chosen_seed(seed))
        if kept.exists():
            training.resume(kept)
    except ValueError as error:
        if kept == out or not is_readable(out):
            raise
        raise ValueError(
            f"{error}; {out} itself is whole: remove {kept} to go on with it"
        ) from error
    return training, kept


def is_readable(file: Path) -> bool:
    """Return whether a file is an undamaged training."""
    try:
        read_arrays(file)
    except (OSError, Unusable):
        return False
    return True


def learn(training: Training, kept: Path, matches: int | None, seconds: float | None) -> None:
    """Run a training with a progress bar or, without a terminal, occasional lines."""
    told = time.monotonic()
    with bar(*columns()) as progress:
        task = progress.add_task("", total=matches, completed=training.matches)

        def tell(now: Training) -> None:
            nonlocal told
            text = share_text(now) if now.curve else ""
            progress.update(task, completed=now.matches, description=text)
            if progress.disable and time.monotonic() - told > OFTEN:
                told = time.monotonic()
                total = "" if matches is None else f" of {matches:,}"
                console.warn(f"{now.matches:,}{total} matches; {text}")

        training.run(kept, matches, seconds, tell)


def columns() -> tuple[ProgressColumn, ...]:
    """Return the columns before the bar: the share of points, and the speed."""
    share = Column(no_wrap=True, overflow="ellipsis", max_width=SHARE_WIDTH)
    return TextColumn("{task.description}", table_column=share), Speed()


def curve_of(training: Training) -> list[Point]:
    """Return the learning curve, with its intervals."""
    return [(matches, tally, *tally.interval) for matches, tally in training.curve]


def share_text(training: Training) -> str:
    """Return the share of points of the last evaluation."""
    _, tally = training.curve[-1]
    low, high = (100 * end for end in tally.interval)
    opponent = evaluation_opponent(training.learner.name, training.against)
    return f"{100 * tally.share:.0f} % ({low:.0f} to {high:.0f}) against {opponent}"


def facts(training: Training, last: Point, out: Path) -> dict[str, Any]:
    """Return a training as JSON."""
    _, tally, low, high = last
    return {
        "matches": training.matches,
        "seconds": training.seconds,
        "file": str(out),
        "seed": training.seed,
        "states": len(as_arrays(training.memory)[0]),
        "opponent": evaluation_opponent(training.learner.name, training.against),
        "share": tally.share,
        "interval": [low, high],
    }


def show(training: Training, told: dict[str, Any]) -> None:
    """Print a training."""
    known = "patterns" if training.learner.name == TdLearner.name else "states"
    console.say(
        f"{told['file']}: {told['matches']:,} matches, {told['states']:,} {known};"
        f" seed {told['seed']}; {told['seconds']:.1f} s"
    )
    words = share_sentence(told["share"], told["interval"], told["opponent"], seats(training.rules))
    console.say(words)
