"""The aeroplane course program: 100 matches against random play, or one that is shown."""

import re
from collections.abc import Callable
from typing import NamedTuple

from ludex.agents.registry import make_agent
from ludex.core.rules import CHANCE, initial, render
from ludex.external.log import with_caption
from ludex.games.aeroplane import AeroplaneRules
from ludex.games.aeroplane.places import HOME, LETTERS, colour, fields
from ludex.io.text import many
from ludex.match.runner import UNLIMITED, Referee, play_match
from ludex.match.session import Match

OPPONENT = "random"  # plays Green
COLOUR_TAGS = re.compile(r"\[/?[\w ]*\]")  # in rendered boards


class AgentResult(NamedTuple):
    """The entries of an agent in both tables of the document."""

    agent: str
    blue: int
    green: int
    seconds: float
    """The mean per decision of Blue."""
    number: int = 0
    """The first match that the agent ended irregularly, or the first of all."""
    words: str = ""
    """How it ended that match irregularly, or nothing."""
    output: str = ""
    """Its output in that match."""


def play_matches(agent: str, count: int, seed: int, tell: Callable[[int], None]) -> AgentResult:
    """Play matches of an agent as Blue against random play."""
    rules = AeroplaneRules()
    wins, seconds, decisions = [0, 0], 0.0, 0
    number, words, output = 0, "", ""
    for table in range(count):
        agents = [make_agent(text, rules) for text in (agent, OPPONENT)]
        match = play_match(rules, initial(rules), agents, seed, table)
        wins[0 if match.returns[0] > 0 else 1] += 1
        seconds += match.seconds[0]
        decisions += match.decisions[0]
        failed = match.offender == 0 and not words
        if failed or table == 0:
            number, output = table, match.output[0] if match.output else ""
            words = f"{match.ending}: {match.words}" if failed else ""
        tell(table + 1)
    blue, green = wins
    return AgentResult(agent, blue, green, seconds / max(decisions, 1), number + 1, words, output)


def show(agent: str, seed: int, say: Callable[[str], None], wait: Callable[[], object]) -> None:
    """Play a match, and show every move as in the document."""
    rules = AeroplaneRules()
    names = (agent, OPPONENT)
    match = Match(rules, seed=seed, chance="manual", undo=False)
    referee = Referee(match, [make_agent(text, rules) for text in names], UNLIMITED)
    try:
        referee.begin()
        while not match.over:
            seat = match.state.seat
            letter = LETTERS[colour(rules, seat)]
            words = f"{letter} player rolled Die: {match.push_chance() + 1}"
            if match.turn == CHANCE:  # no plane could move, and the turn passed
                say("\n".join([words, *match.events(-1), ""]))
                continue
            referee.move()
            for event in match.events(-1):
                say(event)
            homes = [fields(rules, ply.state[seat]).count(HOME) for ply in match.plies[-2:]]
            if homes[1] > homes[0]:
                say(f"{letter} player got a plane finished!\n")
            if match.over:
                say(f"Player {letter} wins the game!")
            say(f"{words}\nPlayer {letter} moved plane {match.last_move + 1}")
            left = rules.planes - homes[1]
            if left:
                say(f"{many(left, 'plane')} left.")
            say(f"\n\n{board(rules, match.state)}\n")
            if not match.over:
                wait()
    finally:
        referee.close()
        for name, text in zip(names, match.output, strict=False):
            if text:
                say(with_caption(name, text))


def board(rules: AeroplaneRules, state: object) -> str:
    """Return the board as in the document: track and stretches, without colours."""
    lines = COLOUR_TAGS.sub("", render(rules, state)).splitlines()
    return "\n".join(lines[next(at for at, line in enumerate(lines) if "Main track" in line) :])
