"""The devices on which a batch may run: the cores of the CPU, or a graphics card."""

from typing import Any, Protocol

import numpy as np

from ludex.batch.cores import Cores
from ludex.batch.stepping import Boards, Policies, Series, Terms
from ludex.core.devices import CPU, device_for
from ludex.core.rules import Rules, State
from ludex.core.search_profile import Learned


class Device(Protocol):
    """What runs the boards of a batch, and holds their arrays in its memory."""

    name: str
    portion: int
    """How many whole matches the next call plays; adjusted to how long calls take."""
    least_portion: int
    """A number of matches below which a call takes no less time."""

    def zeros(self, shape: tuple[int, ...], kind: Any) -> Any:
        """Return an array of this device."""

    def put(self, array: np.ndarray) -> Any:
        """Return an array of this device with these numbers."""

    def actions(self, given: Any, many: int) -> Any:
        """Return actions given by the user as an array of this device."""

    def public(self, array: Any) -> Any:
        """Return an array as users get it."""

    def wait(self) -> None:
        """Wait until all work begun so far has finished."""

    def step(self, boards: Boards, terms: Terms, chosen: Any, others: Any) -> None:
        """Step every match."""

    def view(self, boards: Boards, viewer: int, planes: Any, masks: Any = None) -> None:
        """Write the observations of all boards, and also the legal actions if `masks` is given."""

    def mask(self, boards: Boards, viewer: int, masks: Any) -> None:
        """Write the legal actions of all boards."""

    def sample(self, boards: Boards, viewer: int, actions: Any) -> None:
        """Write a random legal action on all boards."""

    def score(self, boards: Boards, returns: Any) -> None:
        """Write the returns of all boards."""

    def settle(self, boards: Boards, *results: Any) -> None:
        """Write the fields of `Outcome` for all boards."""

    def play(self, series: Series, returns: Any, lengths: Any, starts: Any = None) -> None:
        """Play whole matches between agents.

        They begin at the states in the columns of `starts`, each at its own, all at the only one,
        or at the initial state.
        """

    def lines(self, positions: np.ndarray, depth: int) -> np.ndarray:
        """Return how many lines of play are 1, 2, … `depth` plies long below some positions."""


def open_device(name: str, rules: Rules, first: State, policies: Policies) -> Device:
    """Return the device of a name, ready for these rules and agents."""
    learned = any(one is not None and isinstance(one.profile, Learned) for one in policies)
    refusal = "a learned estimate does not run on a card: expected another one" if learned else ""
    if device_for(rules, name, refusal) == CPU:
        return Cores(rules, first, policies)
    from ludex.batch.card import Card

    return Card(rules, first, policies)
