"""The droids course program: train two agents, then watch them or play against one.

`QAgent` and `MinimaxAgent` are built in, or come from a file; an agent from a file keeps one
process, so that it remembers what it has learned.
"""

from collections.abc import Callable

import numpy as np
from numpy.random import Generator

from ludex.agents.registry import HUMAN, Agent, Random, make_agent
from ludex.core.choice import Choice
from ludex.core.rules import NO_MOVE, Rules, State, initial, legal, pair, seat_name
from ludex.core.termination import Offence
from ludex.external.agent import ExternalAgent, names_file
from ludex.external.log import with_caption
from ludex.external.persistent import PersistentAgent, make_persistent
from ludex.games.droids import LABELS, DroidsRules
from ludex.games.droids.cells import SHOOT
from ludex.learn.qtable import ITSELF, QLearner, QTable
from ludex.match.runner import UNLIMITED, Referee, play_match
from ludex.match.session import Match

KEYBOARD = "KeyboardAgent"
MINIMAX = "simultaneous:view=pessimistic,depth=2"
TRAINING_STEPS = 100  # of a training, between progress reports
MATCH_ROUNDS = DroidsRules().rounds  # of a match
KEYS = {
    **dict(zip("wsad", range(4), strict=True)),
    **dict(zip(("arrowup", "arrowdown", "arrowleft", "arrowright"), range(4), strict=True)),
    **{name: action for action, name in enumerate(LABELS)},
    " ": SHOOT,
    "space": SHOOT,
}
Tell = Callable[[int], None]


class QAgent:
    """The built-in Q-learner, trained against itself or another agent."""

    policy_known = True

    def __init__(self, rules: Rules, seed: int) -> None:
        self.rules, self.learner = rules, QLearner(seed=seed)
        self.memory = self.learner.begin(rules)
        self.rng, self.matches = np.random.default_rng(seed), 0

    @property
    def decisions(self) -> int:
        """The number of decisions that it has learned from."""
        return int(self.memory.visits.sum())

    def train(self, matches: int, other: Agent | None) -> None:
        """Learn from matches against another agent, or against itself."""
        self.learner.against = ITSELF if other is None else lambda: other
        self.memory = self.learner.train(self.rules, self.memory, self.rng, self.matches, matches)
        self.matches += matches

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the learned table."""
        return QTable(memory=self.memory).consider(rules, state, seat, rng)


def make_droid(name: str, file: str | None, rules: Rules, seed: int) -> Agent | None:
    """Return the agent of a name, of a class in a file, or of any text; None is the keyboard."""
    if name in (KEYBOARD, HUMAN):
        return None
    if file is not None and name.isidentifier() and name.endswith("Agent"):
        return make_persistent(f"{file}:{name}", rules)
    if names_file(name):
        return make_persistent(name, rules)
    if name == "QAgent":
        return QAgent(rules, seed)
    return make_agent(MINIMAX if name == "MinimaxAgent" else name, rules)


def train(rules: Rules, agents: list[Agent], rounds: int, seed: int, tell: Tell) -> None:
    """Train the agents that can learn for a number of rounds, and report percents."""
    ours = [agent for agent in agents if isinstance(agent, QAgent)]
    theirs = [agent for agent in agents if isinstance(agent, PersistentAgent)]
    if ours:
        other = agents[1 - agents.index(ours[0])]
        alone = isinstance(other, QAgent | PersistentAgent)
        train_built_in(ours[0], None if alone else other, rounds, tell)
        ours[-1].memory = ours[0].memory  # one table learns both sides
    if theirs:
        train_from_files(rules, agents, theirs, rounds, seed, tell)


def train_built_in(agent: QAgent, other: Agent | None, rounds: int, tell: Tell) -> None:
    """Train a built-in learner for a number of rounds."""
    each = 2 if other is None else 1  # decisions in a round
    done, percents = 0, PercentProgress(rounds, tell)
    while done < rounds:
        left = max(1, (rounds - done) // MATCH_ROUNDS)
        agent.train(min(left, max(1, rounds // TRAINING_STEPS // MATCH_ROUNDS)), other)
        done = agent.decisions // each
        percents.reach(done)


def train_from_files(
    rules: Rules,
    agents: list[Agent],
    theirs: list[PersistentAgent],
    rounds: int,
    seed: int,
    tell: Tell,
) -> None:
    """Train agents from files for a number of rounds; an Offence says how one failed."""
    done, table, percents = 0, 0, PercentProgress(rounds, tell)
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


class PercentProgress:
    """Reports each percent of progress once."""

    def __init__(self, total: int, tell: Tell) -> None:
        self.total, self.tell, self.told = total, tell, 0

    def reach(self, done: int) -> None:
        """Report the percent, if it is new."""
        percent = min(100, 100 * done // self.total)
        if percent > self.told:
            self.tell(percent)
            self.told = percent


class Show:
    """A sequence of matches, shown round by round."""

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
        """The seats played at the keyboard."""
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
        """Replace an agent that has failed by a random one, and say so."""
        self.words = f"{seat_name(self.rules, seat)} plays at random: {offence.words}"
        agent = self.agents[seat]
        if isinstance(agent, ExternalAgent):
            agent.kill()  # which also reads the rest of its output
        self.say_output(seat)
        self.agents[seat] = Random()
        self.referee.clocks[seat] = UNLIMITED  # without the time used by the other

    def say_output(self, seat: int) -> None:
        """Show the output of a program in this match."""
        agent = self.agents[seat]
        if isinstance(agent, ExternalAgent) and agent.log:
            self.say(with_caption(seat_name(self.rules, seat), agent.log))

    def press(self, key: str) -> str:
        """Handle a key: play a round, or start the next match; return why it did nothing, if so."""
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
        """Play a round with the action of the keyboard player, if there is one."""
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
        """Return the action of an agent, or of its random replacement if it fails."""
        try:
            return self.referee.action(seat)
        except Offence as offence:
            self.replace(seat, offence)
            return self.referee.action(seat)

    def help(self) -> str:
        """Explain the keys."""
        if self.people:
            return "W A S D or the arrows move, space shoots."
        return "Space plays the next round."

    def close(self) -> None:
        """Dismiss the agents."""
        for seat, agent in enumerate(self.agents):
            if isinstance(agent, PersistentAgent):
                agent.dismiss()
                if not self.match.over:  # else the output was shown already
                    self.say_output(seat)


def round_text(show: Show) -> str:
    """Return the actions and events of the last round."""
    match, last = show.match, len(show.match.plies) - 1
    if not last:
        return ""
    did = [f"{seat_name(match.rules, seat)}: {text}" for seat, text in match.labels_by_seat(last)]
    return ". ".join(["; ".join(did), *match.events(last)])
