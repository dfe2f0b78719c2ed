"""Train a learner, which becomes an agent."""

import tempfile
from pathlib import Path
from typing import Any

from ludex.agents.training import evaluation_opponent, make_training
from ludex.learn.training import Training
from ludex.library.game import Game, load
from ludex.library.player import Player, make_player
from ludex.library.progress import show_progress
from ludex.library.table import Table
from ludex.match.luck import chosen_seed


class TrainingResult:
    """The result of a training: the agent, its file and its learning curve."""

    def __init__(self, game: Game, learner: str, training: Training, file: Path) -> None:
        self.game, self.learner, self.training, self.file = game, learner, training, file

    @property
    def agent(self) -> Player:
        """The trained agent."""
        name = self.training.learner.name
        text = (
            f"greedy:estimate=learned:{self.file}" if name == "td" else f"{name}:file={self.file}"
        )
        return make_player(text, self.game.rules)

    @property
    def opponent(self) -> str:
        """The opponent of the evaluation."""
        return evaluation_opponent(self.training.learner.name, self.training.against)

    @property
    def curve(self) -> Table:
        """A row for each evaluation: the matches learned from, and the share of points."""
        return Table(
            {
                "matches": matches,
                "share": tally.share,
                "interval": tally.interval,
                "against": self.opponent,
            }
            for matches, tally in self.training.curve
        )

    def plot(self) -> Any:
        """Return a figure of the learning curve."""
        from ludex.library.plots import curve_plot

        return curve_plot(self)

    def __repr__(self) -> str:
        last = self.curve[-1]
        low, high = last["interval"]
        return (
            f"<{self.learner} after {self.training.matches:,} matches: {100 * last['share']:.1f} %"
            f" ({100 * low:.1f} to {100 * high:.1f}) against {self.opponent}>"
        )

    def _repr_html_(self) -> str:
        return self.curve._repr_html_()


def train(
    game: Any,
    learner: str,
    matches: int | None = None,
    seconds: float | None = None,
    against: str | None = None,
    file: "str | Path | None" = None,
    seed: int | None = None,
    progress: bool = True,
) -> TrainingResult:
    """Train a learner ("hats", "qtable", "td", with options) for some matches or seconds.

    The result is written to the file, which is replaced, or to a temporary one.
    """
    if (matches is None) == (seconds is None):
        raise ValueError("expected either matches or seconds")
    chosen = load(game)
    training = make_training(chosen.rules, learner, against, chosen_seed(seed))
    where = Path(file) if file is not None else Path(tempfile.mkdtemp(prefix="ludex-")) / "t.npz"
    with show_progress(progress) as tell:
        training.run(
            where, matches, seconds, lambda now: tell("matches", now.matches, matches or 0)
        )
    return TrainingResult(chosen, learner, training, where)
