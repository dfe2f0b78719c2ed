"""The aeroplane course program: 100 matches against random play, or one that is shown."""

import re
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ludex.agents.registry import Agent, make_agent
from ludex.core.rules import CHANCE, OVER, apply, events, initial, render, turn
from ludex.core.sampling import draw_outcome
from ludex.external.agent import ExternalAgent
from ludex.external.log import with_caption
from ludex.games.aeroplane import AeroplaneRules
from ludex.games.aeroplane.places import HOME, LETTERS, colour, fields
from ludex.io.text import many
from ludex.match.runner import play_match

OPPONENT = "random"  # plays Green
COLOUR_TAGS = re.compile(r"\[/?[\w ]*\]")  # in rendered boards


class Result(NamedTuple):
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


def play_matches(agent: str, count: int, seed: int, tell: Callable[[int], None]) -> Result:
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
    return Result(agent, blue, green, seconds / max(decisions, 1), number + 1, words, output)


def show(agent: str, seed: int, say: Callable[[str], None], wait: Callable[[], object]) -> None:
    """Play a match, and show every move as in the document."""
    rules = AeroplaneRules()
    players: list[Agent] = [make_agent(text, rules) for text in (agent, OPPONENT)]
    rng = np.random.default_rng(seed)
    state = initial(rules)
    try:
        while turn(rules, state) != OVER:
            seat = state.seat
            letter = LETTERS[colour(rules, seat)]
            outcome = int(draw_outcome(rules, state, rng))
            after = apply(rules, state, outcome)
            words = f"{letter} player rolled Die: {outcome + 1}"
            if turn(rules, after) == CHANCE:  # no plane could move, and the turn passed
                say("\n".join([words, *events(rules, state, outcome), ""]))
                state = after
                continue
            action = players[seat].consider(rules, after, seat, rng).action
            state = apply(rules, after, action)
            for event in events(rules, after, action):
                say(event)
            homes = [fields(rules, planes[seat]).count(HOME) for planes in (after, state)]
            if homes[1] > homes[0]:
                say(f"{letter} player got a plane finished!\n")
            if turn(rules, state) == OVER:
                say(f"Player {letter} wins the game!")
            say(f"{words}\nPlayer {letter} moved plane {action + 1}")
            left = rules.planes - homes[1]
            if left:
                say(f"{many(left, 'plane')} left.")
            say(f"\n\n{board(rules, state)}\n")
            if turn(rules, state) != OVER:
                wait()
    finally:
        for player in players:
            if isinstance(player, ExternalAgent):
                player.close()
                if player.log:
                    say(with_caption(player.text, player.log))


def board(rules: AeroplaneRules, state: object) -> str:
    """Return the board as in the document: track and stretches, without colours."""
    lines = COLOUR_TAGS.sub("", render(rules, state)).splitlines()
    return "\n".join(lines[next(at for at, line in enumerate(lines) if "Main track" in line) :])
