"""The values of actions in matches that fast agents play to the end."""

from dataclasses import dataclass

from ludex.analysis.playouts import LEAST, PlayoutEvaluation, playout_evaluation
from ludex.batch.series import read_matches
from ludex.core.devices import device_for
from ludex.core.rules import Rules, State, label, position, seat_name
from ludex.io.table import Table, with_headline
from ludex.library.player import by_label, chooser
from ludex.library.progress import show_progress
from ludex.match.luck import chosen_seed


@dataclass(frozen=True)
class Playouts:
    """Mean returns of the seat that is to move, with standard errors."""

    rules: Rules
    state: State
    found: PlayoutEvaluation
    device: str
    seed: int

    @property
    def seat(self) -> int:
        """The seat that is to move."""
        return self.found.seat

    @property
    def matches(self) -> int:
        """The number of matches after each action."""
        return self.found.matches

    @property
    def value(self) -> float:
        """The mean return if the agent also chooses for the seat to move."""
        return self.found.value

    @property
    def error(self) -> float:
        """The standard error of the value."""
        return self.found.error

    @property
    def values(self) -> dict[str, float]:
        """The value of each action."""
        return by_label(self.rules, self.state, self.found.values)

    @property
    def errors(self) -> dict[str, float]:
        """The standard error of the value of each action."""
        return by_label(self.rules, self.state, self.found.errors)

    @property
    def plies(self) -> int:
        """The number of plies of all matches."""
        return self.found.plies

    @property
    def table(self) -> Table:
        """A row for each action, best first."""
        order = sorted(self.found.values.items(), key=lambda pair: -pair[1])
        best = order[0][1]
        return Table(
            {
                "player": seat_name(self.rules, self.seat),
                "move": label(self.rules, self.state, action),
                "value": value + 0.0,  # not -0.0
                "loss": best - value,
                "error": self.found.errors[action],
            }
            for action, value in order
        )

    def __repr__(self) -> str:
        where, who = position(self.rules, self.state), seat_name(self.rules, self.seat)
        return (
            f"<Playouts: {where!r} has value {self.value + 0.0:+.4g} ± {self.error:.2g} for {who},"
            f" in {self.matches:,} matches by {self.found.agent}>"
        )

    def _repr_html_(self) -> str:
        return with_headline(repr(self), self.table)


def playouts(
    rules: Rules,
    state: State,
    matches: int,
    agent: str,
    seat: int | None,
    seed: int | None,
    device: str,
    progress: bool = True,
) -> Playouts:
    """Play matches to the end after each action of the seat to move, or of one of both."""
    who = chooser(rules, state, seat)
    many, number = read_matches(matches, LEAST), chosen_seed(seed)
    there = device_for(rules, device)
    with show_progress(progress) as tell:
        found = playout_evaluation(rules, state, who, many, agent, number, there, tell)
    return Playouts(rules, state, found, there, number)
