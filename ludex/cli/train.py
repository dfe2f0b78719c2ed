"""`ludex train`: train a learning agent."""

import functools
import time
from pathlib import Path
from typing import Any

import click
from rich.progress import ProgressColumn, TextColumn
from rich.table import Column

from ludex.agents.training import accuracy_text, evaluation_opponent, make_training, share_sentence
from ludex.cli import console, options, words
from ludex.core.rules import Rules, seats
from ludex.learn.net.learner import NetLearner
from ludex.learn.td import TdLearner
from ludex.learn.training import Training
from ludex.library import training as trainings
from ludex.library.game import Game
from ludex.library.progress import Speed, bar
from ludex.library.training import TrainingResult

OFTEN = 10.0  # seconds between two lines where there is no bar
SHARE_WIDTH = 32  # columns: in 80 the numbers after it have room too


@click.command()
@options.game
@click.argument("learner", metavar="LEARNER")
@click.option("--matches", type=options.POSITIVE, help="Total number of matches.")
@click.option("--seconds", type=options.DURATION, help="Duration.")
@click.option("--against", type=words.AGENT, help="Opponent: itself, copy, or an agent; itself.")
@click.option("--out", type=options.PATH, required=True, help="The file to write.")
@click.option("--resume", is_flag=True, help="Continue the file if it exists.")
@click.option("--force", is_flag=True, help="Replace a file that was trained longer.")
@click.option("--truth", is_flag=True, help="Compare its decisions with exact values, too.")
@click.option("--seed", type=click.IntRange(min=0), help="Seed; random by default.")
@options.as_json
def train(
    rules: Rules,
    out: Path,
    matches: int | None,
    seconds: float | None,
    resume: bool,
    force: bool,
    truth: bool,
    **order: Any,
) -> None:
    """Train a learning agent.

    LEARNER is hats, qtable, cfr, td or net, with options as in
    qtable:rate=0.1,explore=0.3..0.05. The file is written every few seconds; after an interruption
    --resume continues it. The learning curve is written beside it, as FILE.csv and FILE.png.

    \b
    ludex train nuts hats --matches 100000 --out hats.npz
    ludex train droids qtable --seconds 60 --against qtable:file=reference --out q.npz
    ludex train examples/kuhn.py cfr --matches 50000 --out cfr.npz
    ludex train trap td --matches 20000 --out td.npz
    ludex train examples/tictactoe.py net --matches 4000 --out net.npz
    ludex train examples/tictactoe.py qtable --matches 50000 --truth --out q.npz
    """
    learner, against, seed = (order[name] for name in ("learner", "against", "seed"))
    trainings.check_length(matches, seconds)
    make = functools.partial(make_training, rules, learner, against)
    training, kept = trainings.begin_training(make, seed, out, matches, resume, force)
    if resume and matches is not None and training.matches >= matches:
        done = f"{kept} has {training.matches:,} matches already"
        console.warn(f"{done}: --matches {matches:,} in all adds none")
    trainings.compare_with_truth(training, truth)
    learn(training, kept, matches, seconds)
    kept.replace(out)
    result = TrainingResult(Game(rules), learner, training, out)
    result.write_curve()
    console.emit(result.facts, show, training, result.facts)


def learn(training: Training, kept: Path, matches: int | None, seconds: float | None) -> None:
    """Run a training with a progress bar or, without a terminal, occasional lines."""
    shown = time.monotonic()
    with bar(*columns()) as progress:
        task = progress.add_task("", total=matches, completed=training.matches)

        def tell(now: Training) -> None:
            nonlocal shown
            text = share_text(now) if now.curve else ""
            progress.update(task, completed=now.matches, description=text)
            if progress.disable and time.monotonic() - shown > OFTEN:
                shown = time.monotonic()
                total = "" if matches is None else f" of {matches:,}"
                console.warn(f"{now.matches:,}{total} matches; {text}")

        training.run(kept, matches, seconds, tell)


def columns() -> tuple[ProgressColumn, ...]:
    """Return the columns before the bar: the share of points, and the speed."""
    share = Column(no_wrap=True, overflow="ellipsis", max_width=SHARE_WIDTH)
    return TextColumn("{task.description}", table_column=share), Speed(Column(no_wrap=True))


def share_text(training: Training) -> str:
    """Return the share of points of the last evaluation, and of best moves if it is known."""
    _, tally, accuracy = training.curve[-1]
    best = f"{100 * accuracy.best:.0f} % best; " if accuracy else ""
    low, high = (100 * end for end in tally.interval)
    opponent = evaluation_opponent(training.learner.name, training.against)
    return f"{best}{100 * tally.share:.0f} % ({low:.0f} to {high:.0f}) against {opponent}"


def show(training: Training, told: dict[str, Any]) -> None:
    """Print a training."""
    names = {TdLearner.name: "patterns", NetLearner.name: "parameters"}
    known = names.get(training.learner.name, "states")
    console.say(
        f"{told['file']}: {told['matches']:,} matches, {told['states']:,} {known};"
        f" seed {told['seed']}; {told['seconds']:.1f} s"
    )
    words = share_sentence(told["share"], told["interval"], told["opponent"], seats(training.rules))
    console.say(words)
    if accuracy := training.curve[-1].accuracy:
        console.say(f"{accuracy_text(accuracy)}, by the exact solution")
