"""The droids course program: train two agents, then watch them or play against one.

`QAgent` and `MinimaxAgent` are built in, or come from a file; an agent from a file keeps one
process, so that it remembers what it has learned.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ludex.agents.registry import HUMAN, Agent, Random, make_agent
from ludex.core.choice import Choice
from ludex.core.rules import NO_MOVE, Rules, State, initial, legal, pair, seat_name
from ludex.core.termination import Offence
from ludex.external import Foreign, names_file
from ludex.external.lasting import Lasting, make_lasting
from ludex.external.log import captioned
from ludex.games.droids import LABELS, DroidsRules
from ludex.games.droids.cells import SHOOT
from ludex.learn.qtable import THEMSELVES, QLearner, QTable
from ludex.match.runner import UNLIMITED, Referee, play_match
from ludex.match.session import Match

KEYBOARD = "KeyboardAgent"
MINIMAX = "simultaneous:view=pessimistic,depth=2"
STEPS = 100  # parts in which a training tells how far it is
ROUNDS = DroidsRules().rounds  # of a match
KEYS = {
    **dict(zip("wsad", range(4), strict=True)),
    **dict(zip(("arrowup", "arrowdown", "arrowleft", "arrowright"), range(4), strict=True)),
    **{name: action for action, name in enumerate(LABELS)},
    " ": SHOOT,
    "space": SHOOT,
}
Tell = Callable[[int], None]


@dataclass
class QAgent:
    """Our own learner: a table of action values, learned against itself or somebody else."""

    rules: Rules
    seed: int
    policy_known = True
    memory: Any = field(default=None, repr=False)

    def __post_init__(self) -> None:
        self.learner = QLearner(seed=self.seed)
        self.memory = self.learner.begin(self.rules)
        self.rng = np.random.default_rng(self.seed)
        self.matches = 0

    @property
    def decisions(self) -> int:
        """How many it has learned from."""
        return int(self.memory.visits.sum())

    def train(self, matches: int, other: Agent | None) -> None:
        """Learn from so many matches against somebody, or against itself."""
        self.learner.against = THEMSELVES if other is None else lambda: other
        self.memory = self.learner.train(self.rules, self.memory, self.rng, self.matches, matches)
        self.matches += matches

    def consider(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> Choice:
        """Return what the seat should do by what was learned."""
        return QTable(memory=self.memory).consider(rules, state, seat, rng)


def sit_down(name: str, file: str | None, rules: Rules, seed: int) -> Agent | None:
    """Return the agent of a name, of a file's class or of any text; None sits at the keys."""
    if name in (KEYBOARD, HUMAN):
        return None
    if file is not None and name.isidentifier() and name.endswith("Agent"):
        return make_lasting(f"{file}:{name}", rules)
    if names_file(name):
        return make_lasting(name, rules)
    if name == "QAgent":
        return QAgent(rules, seed)
    return make_agent(MINIMAX if name == "MinimaxAgent" else name, rules)


def train(rules: Rules, agents: list[Agent], rounds: int, seed: int, tell: Tell) -> None:
    """Let two agents meet for so many rounds; those that can learn do, and percents are told."""
    ours = [agent for agent in agents if isinstance(agent, QAgent)]
    theirs = [agent for agent in agents if isinstance(agent, Lasting)]
    for number, agent in enumerate(ours):
        other = agents[1 - agents.index(agent)]
        alone = isinstance(other, QAgent | Lasting)
        train_ours(agent, None if alone else other, rounds, tell)
        if number == 0 and len(ours) == 2:
            ours[1].memory = agent.memory  # they have learned against one another
            break
    if theirs:
        train_theirs(rules, agents, theirs, rounds, seed, tell)


def train_ours(agent: QAgent, other: Agent | None, rounds: int, tell: Tell) -> None:
    """Let our learner play so many rounds."""
    each = 2 if other is None else 1  # decisions in a round
    done, percents = 0, Percents(rounds, tell)
    while done < rounds:
        left = max(1, (rounds - done) // ROUNDS)
        agent.train(min(left, max(1, rounds // STEPS // ROUNDS)), other)
        done = agent.decisions // each
        percents.reach(done)


def train_theirs(
    rules: Rules, agents: list[Agent], theirs: list[Lasting], rounds: int, seed: int, tell: Tell
) -> None:
    """Let agents of files play so many rounds; an Offence says how one has failed."""
    done, table, percents = 0, 0, Percents(rounds, tell)
    for one in theirs:
        one.training = True
    while done < rounds:
        match = play_match(rules, initial(rules), agents, seed, table)
        if match.words:
            raise Offence(match.ending, f"{seat_name(rules, match.offender)}: {match.words}")
        done += max(len(match.moves), 1)
        table += 1
        percents.reach(done)
    for one in theirs:
        one.training = False


class Percents:
    """Tells how far something has come, each percent once."""

    def __init__(self, total: int, tell: Tell) -> None:
        self.total, self.tell, self.told = total, tell, 0

    def reach(self, done: int) -> None:
        """Take note of how much is done."""
        percent = min(100, 100 * done // self.total)
        if percent > self.told:
            self.tell(percent)
            self.told = percent


class Show:
    """The matches that are watched: one after the other, round by round."""

    def __init__(
        self,
        agents: list[Agent | None],
        rules: DroidsRules,
        seed: int,
        say: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.agents, self.rules, self.seed, self.say = agents, rules, seed, say
        self.begun = 0
        self.begin()

    @property
    def people(self) -> list[int]:
        """The seats of those who sit at the keys."""
        return [seat for seat, agent in enumerate(self.agents) if agent is None]

    def begin(self) -> None:
        """Start a match."""
        self.match = Match(self.rules, seed=self.seed, table=self.begun, undo=False)
        self.referee = Referee(self.match, self.agents, UNLIMITED)
        self.begun += 1
        self.words = ""
        for seat in range(len(self.agents)):
            try:
                self.referee.seat(seat)
            except Offence as offence:
                self.replace(seat, offence)

    def replace(self, seat: int, offence: Offence) -> None:
        """Put one that does not think in the place of an agent that has failed, and say so."""
        self.words = f"{seat_name(self.rules, seat)} plays at random: {offence.words}"
        agent = self.agents[seat]
        if isinstance(agent, Foreign):
            agent.kill()  # all that it has printed is read then
        self.say_output(seat)
        self.agents[seat] = Random()
        self.referee.clocks[seat] = UNLIMITED  # it pays for nobody's thinking

    def say_output(self, seat: int) -> None:
        """Say what somebody's program has printed in a match."""
        agent = self.agents[seat]
        if isinstance(agent, Foreign) and agent.log:
            self.say(captioned(seat_name(self.rules, seat), agent.log))

    def press(self, key: str) -> str:
        """Do what a key means: a round, the action of a person in it, or the next match.

        Return why nothing was done, or nothing.
        """
        if self.match.over:
            self.begin()
            return ""
        action = KEYS.get(key.lower())
        if action is None or (not self.people and action != SHOOT):
            return f"{key!r} does nothing. {self.help()}" if key else self.help()
        if not self.people:
            self.play(NO_MOVE)
        elif legal(self.rules, self.match.state, self.people[0], action):
            self.play(action)
        else:
            return "There are no shots left." if action == SHOOT else "There is a wall."
        return ""

    def play(self, pressed: int) -> None:
        """Play a round with what a person has pressed, if one plays."""
        chosen = [
            pressed if agent is None else self.choice(seat)
            for seat, agent in enumerate(self.agents)
        ]
        self.referee.push(int(pair(*chosen)))
        if self.match.over:
            self.words = f"{self.match.result} Press a key for the next match."
            self.referee.close()
            for seat in range(len(self.agents)):
                self.say_output(seat)

    def choice(self, seat: int) -> int:
        """Return what an agent chooses; one that fails is replaced by one that does not think."""
        try:
            return self.referee.action(seat)
        except Offence as offence:
            self.replace(seat, offence)
            return self.referee.action(seat)

    def help(self) -> str:
        """Return what the keys do."""
        if self.people:
            return "W A S D or the arrows move, space shoots."
        return "Space plays the next round."

    def close(self) -> None:
        """Let the agents leave."""
        for seat, agent in enumerate(self.agents):
            if isinstance(agent, Lasting):
                agent.dismiss()
                if not self.match.over:  # what was printed in a whole match is said
                    self.say_output(seat)


def round_text(show: Show) -> str:
    """Return what both droids have done in the last round, and what came of it."""
    match, last = show.match, len(show.match.plies) - 1
    if not last:
        return ""
    did = [f"{seat_name(match.rules, seat)}: {text}" for seat, text in match.labels_by_seat(last)]
    return ". ".join(["; ".join(did), *match.events(last)])
