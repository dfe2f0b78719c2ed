"""A job: some matches of a plan as text and numbers, which any process can play."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import islice
from typing import NamedTuple

from ludex.agents.registry import Agent, make_agent
from ludex.core.rules import Rules, initial, seats
from ludex.core.termination import error_line
from ludex.core.time_control import write_clocks
from ludex.games import game_rules
from ludex.match.agent_errors import DoesNotCompile
from ludex.match.record import Record
from ludex.match.runner import play_match
from ludex.match.session import Match
from ludex.match.warm_up import warm_up
from ludex.store import Played, summary
from ludex.tournaments.plan import Pairing, Plan

JOB_SECONDS = 0.25  # the target duration of a job
JOB_MATCHES = 64  # at most
SAMPLE_MATCHES = 100  # to estimate the duration of a match


class MatchJob(NamedTuple):
    """Some matches of a plan."""

    plan: Plan
    pairings: tuple[Pairing, ...]


def make_jobs(plan: Plan, todo: list[Pairing], done: Mapping[int, Played]) -> Iterator[MatchJob]:
    """Yield jobs of about `JOB_SECONDS` each, estimated from the matches done so far.

    Small jobs have more overhead; a large one is lost if its process ends.
    """
    start = 0
    while start < len(todo):
        thought = sum(sum(match.seconds) for match in islice(done.values(), SAMPLE_MATCHES))
        seen = min(len(done), SAMPLE_MATCHES)
        least = JOB_SECONDS * seen / JOB_MATCHES
        size = int(JOB_SECONDS * seen / max(thought, least)) if seen else 1
        portion = tuple(todo[start : start + max(size, 1)])
        yield MatchJob(plan, portion)
        start += len(portion)


def compile_job(job: MatchJob) -> None:
    """Compile what the agents of a plan need."""
    plan = job.plan
    rules = game_rules(plan.game, dict(plan.rules))
    for text in dict.fromkeys(plan.agents):
        with suppress(Exception):  # the match itself reports errors
            warm_agents(rules, (text,) * seats(rules))


def agent_texts(plan: Plan, pairing: Pairing) -> tuple[str, ...]:
    """Return the agents of a match by seat."""
    return tuple(plan.agents[agent] for agent in pairing.agents)


def play_job(job: MatchJob) -> list[Played]:
    """Play the matches of a job, with new agents for each, so that they are independent."""
    plan = job.plan
    rules = game_rules(plan.game, dict(plan.rules))
    played = []
    for pairing in job.pairings:
        texts = agent_texts(plan, pairing)
        try:
            agents = warm_agents(rules, texts)
            start = initial(rules)
            match = play_match(rules, start, agents, plan.seed, pairing.table, plan.clocks)
            record = make_record(plan, pairing, match)
            played.append(summary(match, record, pairing.number, pairing.agents))
        except DoesNotCompile:
            raise
        except Exception as error:
            fault = f"match {pairing.number + 1} failed with {error_line(error)}"
            raise ValueError(f"{fault} (ludex check says more)") from error
    return played


def make_record(plan: Plan, pairing: Pairing, match: Match) -> Record:
    """Return the record of a match."""
    return match.record(agent_texts(plan, pairing), game=plan.game, clock=write_clocks(plan.clocks))


def warm_agents(rules: Rules, texts: tuple[str, ...]) -> list[Agent]:
    """Make agents, and compile what they need."""
    agents = [make_agent(text, rules) for text in texts]
    warm_up(rules, agents, once=(rules, texts))
    return agents
