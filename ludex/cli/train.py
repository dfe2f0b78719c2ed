"""`ludex train`: an agent that learns."""

from pathlib import Path
from typing import Any

import click
from rich.progress import TextColumn

from ludex.cli.options import as_json, chosen_seed, print_json, screen, with_rules
from ludex.cli.progress import Speed, bar
from ludex.learn.curve import Point, write_csv, write_png
from ludex.learn.duel import GREEDY
from ludex.learn.learned import ARRAYS
from ludex.learn.qtable import ANYBODY
from ludex.learn.training import Training
from ludex.learn.weights import stored
from ludex.rules import Rules, game_of
from ludex.stats import wilson
from ludex.tuition import training_of
from ludex.vault import contents


@click.command()
@with_rules
@click.argument("learner", metavar="LEARNER")
@click.option("--matches", type=click.IntRange(min=1), help="How many matches in all.")
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="How long.")
@click.option("--against", help="An agent, itself, or a copy that is taken now and then; itself.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="The file to write.")
@click.option("--resume", is_flag=True, help="Go on with the file, if it is there.")
@click.option("--seed", type=click.IntRange(min=0), help="Repeat a training.")
@as_json
def train(
    rules: Rules,
    learner: str,
    matches: int | None,
    seconds: float | None,
    against: str | None,
    out: Path,
    resume: bool,
    seed: int | None,
    as_json: bool,
) -> None:
    """Let an agent learn from matches.

    LEARNER is hats, qtable or td, with options as in qtable:rate=0.1,explore=0.3..0.05. What was
    learned is in the file every few seconds; after an interruption --resume goes on with it.
    The learning curve is written beside it, as FILE.csv and FILE.png.

    \b
    ludex train nuts hats --matches 100000 --out hats.npz
    ludex train droids qtable --seconds 60 --against qtable:file=reference --out q.npz
    ludex train trap td --matches 20000 --out td.npz
    """
    if (matches is None) == (seconds is None):
        raise ValueError("expected either --matches or --seconds")
    kept = checkpoint_of(out, resume)
    if resume and kept.exists() and seed is None:
        seed = int(contents(kept, ARRAYS)[1]["facts"]["seed"])
    seed = chosen_seed(seed)
    training = training_of(rules, learner, against, seed)
    if resume and kept.exists():
        training.resume(kept)
    with bar(TextColumn("{task.description}"), Speed()) as progress:
        task = progress.add_task("", total=matches, completed=training.matches)

        def tell(now: Training) -> None:
            text = share_text(now, *now.curve[-1]) if now.curve else ""
            progress.update(task, completed=now.matches, description=text)

        training.run(kept, matches, seconds, tell)
    if kept != out:
        kept.replace(out)
    points = curve_of(training)
    write_csv(out.with_name(f"{out.name}.csv"), points)
    title = f"{learner} learns {game_of(rules).__name__.rpartition('.')[2]}"
    write_png(out.with_name(f"{out.name}.png"), points, title, judge_text(training))
    told = facts(training, points[-1], out)
    if as_json:
        print_json(told)
    else:
        show(training, told)


def checkpoint_of(out: Path, resume: bool) -> Path:
    """Return where to keep what is learned meanwhile: the file, or beside one that is there.

    A file that is there is replaced by another training only when that is done.
    """
    beside = out.with_name(f"{out.name}.part")
    if resume:
        return beside if beside.exists() else out
    return beside if out.is_file() else out


def curve_of(training: Training) -> list[Point]:
    """Return the learning curve, with how good the learner is now at its end."""
    curve = list(training.curve)
    if curve[-1][0] < training.matches:
        curve.append((training.matches, training.tally()))
    return [(matches, tally, *wilson(tally.share, sum(tally))) for matches, tally in curve]


def judge_text(training: Training) -> str:
    """Return whom a learner is measured against."""
    if training.learner.name == "td":
        return GREEDY
    return ANYBODY if training.judge == ANYBODY else training.against


def share_text(training: Training, matches: int, tally: Any) -> str:
    """Return how good a learner was after so many matches."""
    low, high = wilson(tally.share, sum(tally))
    share = f"{100 * tally.share:.0f} % ({100 * low:.0f} to {100 * high:.0f})"
    return f"{share} against {judge_text(training)} after {matches:,}"


def facts(training: Training, last: Point, out: Path) -> dict[str, Any]:
    """Return what programs want to know of a training."""
    _, tally, low, high = last
    return {
        "matches": training.matches,
        "seconds": training.seconds,
        "file": str(out),
        "seed": training.seed,
        "states": len(stored(training.memory)[0]),
        "opponent": judge_text(training),
        "share": tally.share,
        "interval": [low, high],
    }


def show(training: Training, told: dict[str, Any]) -> None:
    """Print a training for people."""
    low, high = (100 * end for end in told["interval"])
    console = screen()
    console.print(
        f"{told['file']}: {told['matches']:,} matches, {told['states']:,} states;"
        f" seed {told['seed']}; {told['seconds']:.1f} s",
        markup=False,
    )
    console.print(
        f"{100 * told['share']:.1f} % of the points against {told['opponent']}, with 95 %"
        f" confidence {low:.1f} to {high:.1f} %",
        markup=False,
    )
