"""A job: some matches of a plan as text and numbers, which any process can play."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from ludex.agents.registry import Agent, make_agent
from ludex.core.rules import Rules, initial
from ludex.core.termination import told
from ludex.core.time_control import write_clocks
from ludex.games import game_rules
from ludex.match.record import Record
from ludex.match.runner import play_match
from ludex.match.session import Match
from ludex.match.warm_up import warm_up
from ludex.store import Played, now, summary
from ludex.tournaments.plan import Pairing, Plan

PORTION = 0.25  # seconds that a job takes
LARGEST = 64  # matches in a job
ENOUGH = 100  # matches, to know how long one takes


class Job(NamedTuple):
    """Some matches of a plan."""

    plan: Plan
    pairings: tuple[Pairing, ...]


def jobs_of(plan: Plan, todo: Sequence[Pairing], done: Mapping[int, Played]) -> Iterator[Job]:
    """Yield jobs that take about `PORTION` seconds each, judging by the matches that are done.

    Small jobs cost more on their way; what is in a large one is lost when its process ends.
    """
    start = 0
    while start < len(todo):
        thought = sum(sum(match.seconds) for match in islice(done.values(), ENOUGH))
        seen = min(len(done), ENOUGH)
        size = int(PORTION * seen / max(thought, PORTION * seen / LARGEST)) if seen else 1
        portion = tuple(todo[start : start + max(size, 1)])
        yield Job(plan, portion)
        start += len(portion)


def prepare(job: Job) -> None:
    """Compile what the first match of a job needs."""
    plan = job.plan
    with suppress(Exception):  # the match itself tells what fails
        warm_agents(game_rules(plan.game, dict(plan.rules)), texts_of(plan, job.pairings[0]))


def texts_of(plan: Plan, pairing: Pairing) -> tuple[str, ...]:
    """Return the agents of a match by seat."""
    return tuple(plan.agents[agent] for agent in pairing.agents)


def play_job(job: Job) -> list[Played]:
    """Return the matches of a job.

    Agents are made for each match, so that it does not matter what else is in a job.
    """
    plan = job.plan
    rules = game_rules(plan.game, dict(plan.rules))
    played = []
    for pairing in job.pairings:
        texts = texts_of(plan, pairing)
        try:
            agents = warm_agents(rules, texts)
            start = initial(rules)
            match = play_match(rules, start, agents, plan.seed, pairing.table, plan.clocks)
        except Exception as error:
            fault = f"match {pairing.number + 1} failed with {told(error)}"
            raise ValueError(f"{fault} (ludex check says more)") from error
        played.append(
            summary(match, recorded(plan, pairing, match), pairing.number, pairing.agents)
        )
    return played


def recorded(plan: Plan, pairing: Pairing, match: Match) -> Record:
    """Return the record of a match."""
    return match.record(texts_of(plan, pairing), now(), plan.game, write_clocks(plan.clocks))


def warm_agents(rules: Rules, texts: tuple[str, ...]) -> list[Agent]:
    """Return agents for whom all is compiled."""
    agents = [make_agent(text, rules) for text in texts]
    warm_up(rules, agents, once=(rules, texts))
    return agents
