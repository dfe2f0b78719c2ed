"""The agents that visitors may use: those that come with Ludex, and those trained here."""

import re
from datetime import UTC, datetime
from pathlib import Path

from ludex.agents.registry import AGENTS, HUMAN
from ludex.core.options import read_options
from ludex.core.rules import Rules, levels_of
from ludex.io.text import nearest
from ludex.learn.checkpoint import LEARNED, REFERENCE
from ludex.learn.estimate import ESTIMATE
from ludex.web.state import limits
from ludex.web.state.training_job import agent_of

NAME = re.compile(r"[\w-]{1,60}")
LEARNED_HERE = re.compile(f"{LEARNED}:({NAME.pattern})")


def check_agent(text: str, rules: Rules) -> None:
    """Raise a ValueError unless an agent is built in and within the budget.

    Paths are refused: visitors cannot run programs.
    """
    levels = levels_of(rules)
    if text in levels:
        return
    name, _, options = text.partition(":")
    if name not in AGENTS:
        names = [*levels, *AGENTS]
        offer = "; people play under Play" if name == HUMAN else nearest(name, names)
        raise ValueError(f"no agent {name[:60]!r}{offer} (there are {', '.join(names)})")
    for key, value in read_options(options).items():
        if key == ESTIMATE and ":" in value and not LEARNED_HERE.fullmatch(value):
            raise ValueError(
                "option estimate: expected one that comes with the game, or learned:NAME of one"
                " that was trained here"
            )
        most = limits.BUDGET.get(key)
        try:
            too_much = most is not None and not float(value) <= most
        except ValueError:
            continue  # making the agent reports what is wrong
        if too_much:
            raise ValueError(f"option {key}: {value!r}: expected at most {most:g} here")


class TrainedAgents:
    """The files of the trainings on this server."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, name: str) -> Path:
        """Return the path of a training, which need not exist."""
        return self.folder / f"{name}.npz"

    def find(self, name: str) -> Path:
        """Return the path of an existing training, or raise a ValueError."""
        if not NAME.fullmatch(name):
            raise ValueError(f"no training {name[:60]!r}: expected the name of one of ours")
        if not self.path(name).is_file():
            raise ValueError(f"no training {name!r} here")
        return self.path(name)

    def written(self, name: str) -> str:
        """Return when the file of a training was last written, in UTC."""
        return datetime.fromtimestamp(self.path(name).stat().st_mtime, UTC).isoformat()

    def learners(self, game: str) -> dict[str, str]:
        """Return the learner of each training of a game, by name."""
        names = sorted(path.stem for path in self.folder.glob(f"{game}-*.npz"))
        return {name: name.removeprefix(f"{game}-").partition("-")[0] for name in names}

    def of_game(self, game: str) -> list[str]:
        """Return the texts of the agents trained for a game."""
        return [agent_of(learner, name) for name, learner in self.learners(game).items()]

    def resolve(self, text: str) -> tuple[str, float]:
        """Return an agent's text with paths for the names of trainings, and their latest time."""
        name, _, options = text.partition(":")
        given, stamp = read_options(options), 0.0
        for key, value in given.items():
            learned = LEARNED_HERE.fullmatch(value) if key == ESTIMATE else None
            if learned is None and (key != "file" or value == REFERENCE):
                continue
            path = self.find(learned[1] if learned else value)
            given[key] = f"{LEARNED}:{path}" if learned else str(path)
            stamp = max(stamp, path.stat().st_mtime)
        if not stamp:
            return text, stamp
        return f"{name}:{','.join(f'{key}={value}' for key, value in given.items())}", stamp
