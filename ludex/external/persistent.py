"""An agent whose process lives through many matches, so that it can learn from them."""

from dataclasses import dataclass

from numpy.random import Generator

from ludex.core.rules import Rules, State
from ludex.core.time_control import Clocks
from ludex.external.agent import ExternalAgent, farewell, greeting, make_external
from ludex.external.log import Log


@dataclass
class PersistentAgent(ExternalAgent):
    """An external program that keeps its process until `dismiss`."""

    training: bool = False
    """Whether the next matches are for training; the program is told."""
    training_done: bool = False
    """Whether the program said at the start of the last match that it wants no more training."""

    def begin_match(self, rules: Rules, seat: int, rng: Generator, clocks: Clocks) -> None:
        """Start the process for the first match, and announce later ones."""
        words = greeting(rules, seat, rng, clocks) | {"training": self.training}
        self.log = ""
        if self.process is None:
            self.start()
        else:
            self.process.log = Log(self.process.home)
        self.training_done = self.greet(words).get("training_done") is True

    def end_match(
        self, rules: Rules, state: State, ending: str, returns: tuple[float, ...]
    ) -> None:
        """Tell the program how the match has ended, and keep its process."""
        if self.process is not None:
            self.process.send(farewell(rules, state, ending, returns))

    def close(self) -> None:
        """Keep the process for the next match, and store the output of this one."""
        if self.process is not None:
            self.process.drain()
            self.log = self.process.log.text

    def dismiss(self) -> None:
        """Let the process exit, and kill it if it does not."""
        if self.process is not None:
            self.process.finish()
        self.kill()


def make_persistent(text: str, rules: Rules) -> PersistentAgent:
    """Return a persistent agent, to be ended with `dismiss`."""
    made = make_external(text, rules)
    return PersistentAgent(made.text, made.submission, made.confined, made.default_clocks)
