"""An agent whose process lives for many matches, so that it can learn from them."""

from dataclasses import dataclass

import numpy as np

from ludex.core.rules import Rules, State
from ludex.core.time_control import Clocks
from ludex.external import Foreign, farewell, greeting, make_foreign
from ludex.external.log import Log


@dataclass
class Lasting(Foreign):
    """Asks somebody's program, which remembers what it wants until it is told to leave."""

    training: bool = False
    """Whether the matches that begin now are for learning, of which the program is told."""
    trained: bool = False
    """Whether the program has said, when the last match began, that it wants no more training."""

    def begin_match(
        self, rules: Rules, seat: int, rng: np.random.Generator, clocks: Clocks
    ) -> None:
        """Start the process with the first match, and say that another begins later on."""
        words = greeting(rules, seat, rng, clocks) | {"training": self.training}
        self.log = ""
        if self.process is None:
            self.start()
        else:
            self.process.log = Log(self.process.home)
        self.trained = self.greet(words).get("training_done") is True

    def end_match(
        self, rules: Rules, state: State, ending: str, returns: tuple[float, ...]
    ) -> None:
        """Tell the program how the match has ended; it stays."""
        if self.process is not None:
            self.process.note(farewell(rules, state, ending, returns))

    def close(self) -> None:
        """Keep the process for the next match, and what it has printed in this one."""
        if self.process is not None:
            self.process.drain()
            self.log = self.process.log.text

    def dismiss(self) -> None:
        """Let the process end, and end it."""
        if self.process is not None:
            self.process.leave()
        self.kill()


def make_lasting(text: str, rules: Rules) -> Lasting:
    """Return an agent that stays, which is to be ended with `dismiss`."""
    made = make_foreign(text, rules)
    return Lasting(made.text, made.submission, made.confined, made.usual)
