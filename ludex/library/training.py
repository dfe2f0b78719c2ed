"""Train a learner, which becomes an agent."""

import atexit
import functools
import math
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from ludex.agents.registry import make_agent
from ludex.agents.training import accuracy_text, evaluation_opponent, make_training
from ludex.analysis.decision_sample import solve_decisions
from ludex.io.array_file import Unusable
from ludex.io.table import Table, percent_text, with_headline
from ludex.io.text import ParameterError, many, whole_number
from ludex.learn.checkpoint import read_arrays
from ludex.learn.training import Training
from ludex.learn.weights import as_arrays
from ludex.library.game import Game, load
from ludex.library.player import Player
from ludex.library.progress import in_notebook, live_display, return_in_ipython, show_progress
from ludex.match.luck import chosen_seed

Make = Callable[[int], Training]
"""Returns a training before its first match, for a seed."""
Watch = Callable[["TrainingResult"], Any]
"""Is called with a training after every point of its curve."""


class TrainingResult:
    """The result of a training: the agent, its file and its learning curve."""

    def __init__(
        self, game: Game, learner: str, training: Training, file: Path, name: str = ""
    ) -> None:
        self.game, self.learner, self.training, self.file = game, learner, training, file
        self.name = name or f"{training.learner.name} ({file.name})"
        """What results call the trained agent."""
        self.interrupted = False

    @property
    def agent(self) -> Player:
        """The trained agent."""
        name = self.training.learner.name
        text = (
            f"greedy:estimate=learned:{self.file}" if name == "td" else f"{name}:file={self.file}"
        )
        return Player(self.name, make_agent(text, self.game.rules), self.game.rules, text)

    @property
    def opponent(self) -> str:
        """The opponent of the evaluation."""
        return evaluation_opponent(self.training.learner.name, self.training.against)

    @property
    def curve(self) -> Table:
        """A row for each evaluation: the matches learned from, and the share of points.

        With `truth` it has the share of best moves and the loss per decision, too.
        """
        rows = (
            {
                "matches": matches,
                "share": tally.share,
                "interval": tally.interval,
                "against": self.opponent,
                **({"best moves": accuracy.best, "loss": accuracy.loss} if accuracy else {}),
            }
            for matches, tally, accuracy in self.training.curve
        )
        return Table(rows, {"best moves": percent_text})

    @property
    def facts(self) -> dict[str, Any]:
        """The training as JSON."""
        training, last = self.training, self.curve[-1]
        return {
            "matches": training.matches,
            "seconds": training.seconds,
            "file": str(self.file),
            "seed": training.seed,
            "states": len(as_arrays(training.memory)[0]),
            "opponent": self.opponent,
            "share": last["share"],
            "interval": list(last["interval"]),
            **({"best_moves": last["best moves"], "loss": last["loss"]} if "loss" in last else {}),
        }

    def plot(self) -> Any:
        """Return a figure of the learning curve."""
        from ludex.learn.curve import curve_figure

        title = f"{self.learner} learns {self.game.name}"
        return curve_figure(self.training.curve, title, self.opponent)

    def write_curve(self) -> None:
        """Write the learning curve beside the file, as FILE.csv and FILE.png."""
        from ludex.learn.curve import write_csv, write_png

        write_csv(self.file.with_name(f"{self.file.name}.csv"), self.training.curve)
        write_png(self.file.with_name(f"{self.file.name}.png"), self.plot())

    def __repr__(self) -> str:
        last = self.curve[-1]
        share, low, high = (100 * one for one in (last["share"], *last["interval"]))
        accuracy = self.training.curve[-1].accuracy
        exact = f"; {accuracy_text(accuracy)}" if accuracy else ""
        return (
            f"<{self.learner} after {many(self.training.matches, 'match')}:"
            f" {share:.1f} % ({low:.1f} to {high:.1f}) against {self.opponent}{exact}>"
        )

    def _repr_html_(self) -> str:
        return with_headline(repr(self), self.curve)


def train(
    game: Any,
    learner: str,
    matches: int | None = None,
    seconds: float | None = None,
    against: str | None = None,
    file: "str | Path | None" = None,
    seed: int | None = None,
    resume: bool = False,
    force: bool = False,
    name: str = "",
    watch: "bool | Watch" = False,
    progress: bool = True,
    truth: bool = False,
) -> TrainingResult:
    """Train a learner for some matches or seconds: hats, qtable, cfr, td or net, with options.

    The result is written to the file, or to one that is removed when Python ends. A file that
    exists is continued by `resume`; if it was trained longer, only `force` replaces it. `name` is
    what results call the trained agent. `watch=True` draws the learning curve in a notebook while
    it grows; a function is called with the training so far after every point of the curve.
    `truth=True` solves the game first, and adds to the curve the share of best moves and the loss
    per decision. After Ctrl-C, IPython gets the last checkpoint.
    """
    check_length(matches, seconds)
    chosen = load(game)
    out = Path(file) if file else temporary_file()
    make = functools.partial(make_training, chosen.rules, learner, against)
    training, kept = begin_training(make, seed, out, matches, resume, force)
    compare_with_truth(training, truth, progress)
    own = training.learner.name if file is None else ""
    result = TrainingResult(chosen, learner, training, out, name or own)
    follow = Follower(result, watch)
    with show_progress(progress) as tell:
        count = lambda now: tell("matches", now.matches, matches or 0)  # noqa: E731
        try:
            training.run(kept, matches, seconds, count, follow)
        except KeyboardInterrupt as stop:
            if training.curve:  # else the file may be an older one
                training.resume(kept)
            if not training.matches:
                raise
            where = f"; {kept} has them, and resume=True goes on" if file else ""
            return_in_ipython(stop, f"interrupted after {training.matches:,} matches{where}")
            if training.measure(at_the_end=True):
                follow(training)
            result.interrupted, result.file = True, kept  # an existing file is not replaced
    kept.replace(result.file)
    return result


def compare_with_truth(training: Training, wanted: bool, progress: bool = True) -> None:
    """Let a training measure its decisions, too, if wanted or if an earlier part of it did.

    Raise a ParameterError if the game cannot be solved.
    """
    if wanted or any(point.accuracy for point in training.curve):
        with show_progress(progress) as tell:
            training.sample = solve_decisions(training.rules, tell)


class Follower:
    """Is called at every new point of a curve, and calls what watches the training.

    A function gets a result with a file of its own, so that its agent is that of this moment.
    """

    def __init__(self, result: TrainingResult, watch: "bool | Watch") -> None:
        if not callable(watch) and not isinstance(watch, bool):
            raise ParameterError("{watch} {!r}: expected True, False or a function", watch)
        self.own_file = callable(watch)
        file = temporary_file() if self.own_file else result.file
        training = result.training
        self.result = TrainingResult(result.game, result.learner, training, file, result.name)
        self.watch = watch if callable(watch) else live_curve() if watch else None

    def __call__(self, training: Training) -> None:
        """Show the training to the watcher, if there is one."""
        if self.own_file:
            training.save(self.result.file)
        if self.watch:
            self.watch(self.result)


def live_curve() -> Watch | None:
    """Return what redraws a learning curve below the cell; outside of notebooks, None."""
    if not in_notebook():
        return None
    show = live_display()
    return lambda now: show(now.plot())


def check_length(matches: int | None, seconds: float | None) -> None:
    """Raise a ValueError unless exactly one of matches and seconds is given."""
    if (matches is None) == (seconds is None):
        given = "neither is" if matches is None else "both are"
        raise ParameterError("expected either {matches} or {seconds}: {} given", given)
    if matches is not None:
        whole_number("matches", matches)
    if seconds is not None and not 0.0 < seconds < math.inf:
        raise ParameterError("{seconds} {}: expected how many, as in {seconds} 60", seconds)


# Files that exist already. -----------------------------------------------------------------------


@functools.cache
def temporary_folder() -> str:
    """Return a folder that is removed when Python ends."""
    folder = tempfile.mkdtemp(prefix="ludex-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def temporary_file() -> Path:
    """Return where to write a training that is removed when Python ends."""
    return Path(tempfile.mkdtemp(dir=temporary_folder())) / "t.npz"


def begin_training(
    make: Make, seed: int | None, out: Path, matches: int | None, resume: bool, force: bool
) -> tuple[Training, Path]:
    """Return a training, and where to write it until it replaces the file."""
    if resume:
        return resume_training(make, seed, out)
    training = make(chosen_seed(seed))
    if not force:
        check_shorter(out, matches)
    return training, partial_file(out) if out.is_file() else out


def partial_file(out: Path) -> Path:
    """Return where a training is written until it replaces an existing file."""
    return out.with_name(f"{out.name}.part")


def check_shorter(out: Path, matches: int | None) -> None:
    """Raise a ValueError if a training would replace one that is, or may be, longer."""
    for file in (out, partial_file(out)):
        try:
            there = read_arrays(file)[1]
        except Unusable:  # not a training
            continue
        learned = there["facts"]["matches"]
        if learned > (matches or 0):
            raise ParameterError(
                "{} holds {:,} matches of {}: {resume} goes on with them, {force} replaces them",
                *(file, learned, there["owner"]["learner"]),
            )


def resume_training(make: Make, seed: int | None, out: Path) -> tuple[Training, Path]:
    """Return a training that continues a file, if it exists, and where to write it."""
    kept = partial_file(out) if partial_file(out).exists() else out
    try:
        if kept.exists() and seed is None:
            seed = int(read_arrays(kept)[1]["facts"]["seed"])
        training = make(chosen_seed(seed))
        if kept.exists():
            training.resume(kept)
    except ValueError as error:
        if kept != out:
            with suppress(Unusable):
                read_arrays(out)
                hint = f"{out} itself is whole: remove {kept} to go on with it"
                raise ValueError(f"{error}; {hint}") from error
        raise
    return training, kept
