"""The work of tasks: functions from plain facts to results that JSON can hold."""

import hashlib
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ludex.agents.registry import make_agent
from ludex.batch.devices import open_device
from ludex.batch.policies import policy_of
from ludex.batch.series import play_matches
from ludex.batch.stepping import CUT_OFF, Series
from ludex.core.play import read_state
from ludex.core.rules import information_state, initial, label, position, turn
from ludex.core.termination import BY_RULES, TRUNCATED
from ludex.core.time_control import PLIES
from ludex.games import game_rules
from ludex.kernel.bits import as_word
from ludex.kernel.jit import thinking_time
from ludex.kernel.tuples import columns_of
from ludex.lab.run.perfect_play import perfect_play
from ludex.lab.run.series import ON_DEVICE
from ludex.lab.spec.entrant import Entrant, make_entrant, training_of
from ludex.lab.spec.openings import opening_state
from ludex.lab.spec.task import Answer, Task, task_facts
from ludex.learn.qtable import RANDOM
from ludex.learn.training import next_point
from ludex.match.runner import play_match
from ludex.match.warm_up import warm_up, warm_up_at

SECONDS_MIN, TIMINGS_MAX = 0.2, 5  # time until either is reached,
TIMINGS_MIN, SECONDS_MAX = 3, 2.0  # but at least so often, unless it takes longer


def do_task(task: Task, **more: str) -> tuple[Task, Answer, float]:
    """Return a task with its answer, and its seconds without those of compilation.

    `more` is what its answer does not depend on.
    """
    began = thinking_time()
    answer = WORKS[task.work](**task_facts(task), **more)
    return task, answer, thinking_time() - began


def full_seconds(task: Task, answer: Answer, seconds: float, share: float) -> float:
    """Estimate the seconds of a task at full size from those at a share of it.

    The points of a curve grow more slowly than the matches to learn from.
    """
    if task.work != "curve":
        return seconds / share
    learning, points = min(float(answer["seconds"]), seconds), len(answer["points"])
    matches, known = 0, 1
    while matches < task_facts(task)["matches"] / share:
        matches, known = next_point(matches), known + 1
    return learning / share + (seconds - learning) * known / points


def decision(
    game: str, rules: dict[str, str], agent: str, position: str, seed: int
) -> dict[str, Any]:
    """Return the decision of an agent in a position, with its time; "" is the initial position."""
    known = game_rules(game, rules)
    state = read_state(known, position) if position else initial(known)
    seat = max(turn(known, state), 0)
    seen = information_state(known, state, seat)
    warm_up_at(known, seen, seat, make_agent(agent, known))
    took: list[float] = []
    while not timed_enough(took):
        # A new agent each time, without memory.
        chooser, rng = make_agent(agent, known), np.random.default_rng(seed)
        began = time.perf_counter()
        choice = chooser.consider(known, seen, seat, rng)
        took.append(time.perf_counter() - began)
    return {
        "move": label(known, state, choice.action),
        "value": None if choice.value != choice.value else choice.value,
        "nodes": choice.nodes,
        "seconds": statistics.median(took),
    }


def timed_enough(took: list[float]) -> bool:
    """Return whether there are enough timings for a reliable median."""
    if len(took) < TIMINGS_MIN:
        return sum(took) > SECONDS_MAX
    return sum(took) >= SECONDS_MIN or len(took) >= TIMINGS_MAX


def matches(
    game: str,
    rules: dict[str, str],
    agents: list[Entrant],
    seed: int,
    first: int,
    matches: int,
    opening: int,
) -> dict[str, Any]:
    """Return the results of matches of agents in this order of seats, and their time.

    Matches of the same seed and number share their opening and random numbers, whoever plays.
    Distinct matches differ in `lines`, independent ones in `starts`.
    """
    known = game_rules(game, rules)
    played = []
    for table in range(first, first + matches):
        sitting = [make_entrant(one, known, seed) for one in agents]
        warm_up(known, sitting, once=tuple(map(repr, agents)))
        start = opening_state(known, opening, seed, table)
        played.append((position(known, start), play_match(known, start, sitting, seed, table)))
    numbers = map(str, range(first, first + matches))
    results, seats = [match for _, match in played], range(len(agents))
    return {
        "returns": [match.returns for match in results],
        "lines": [short_hash(f"{start} {match.moves}") for start, match in played],
        "starts": [short_hash(start) for start, _ in played] if opening else list(numbers),
        "endings": [match.ending for match in results],
        "seconds": [sum(match.seconds[seat] for match in results) for seat in seats],
        "decisions": [sum(match.decisions[seat] for match in results) for seat in seats],
    }


def device_matches(
    game: str,
    rules: dict[str, str],
    agents: list[str],
    seed: int,
    first: int,
    matches: int,
    opening: int,
    device: str = "auto",
) -> dict[str, Any]:
    """Return the results of matches on a device, as `matches` has them.

    Their lines of play are not kept: all matches count as distinct.
    """
    known, numbers = game_rules(game, rules), range(first, first + matches)
    begun = [opening_state(known, opening, seed, table) for table in numbers] if opening else []
    policies = tuple(policy_of(text, known) for text in agents)
    opened = open_device(device, known, initial(known), policies)
    series = Series(as_word(seed), PLIES, begin=first)
    starts, began = columns_of(*begun) if begun else None, thinking_time()
    found = play_matches(opened, series, matches, len(agents), starts)
    seconds, told = thinking_time() - began, f"{rules} {agents} {seed} {opening}"
    return {
        "returns": found.returns.tolist(),
        "lines": [short_hash(f"{told} {number}") for number in numbers],
        "starts": [short_hash(position(known, one)) for one in begun] or [*map(str, numbers)],
        "endings": [TRUNCATED if one == CUT_OFF else BY_RULES for one in found.lengths],
        "seconds": [seconds] * len(agents),
        "decisions": [0] * len(agents),
    }


def short_hash(text: str) -> str:
    """Return a hash that is long enough for thousands of texts."""
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def curve(
    game: str,
    rules: dict[str, str],
    learner: str,
    against: str | None,
    judge: str,
    matches: int,
    seed: int,
) -> dict[str, Any]:
    """Return the learning curve: the tally of a learner after increasing numbers of matches."""
    known = game_rules(game, rules)
    training = training_of(known, learner, against, seed)
    if judge != RANDOM:
        agent = make_agent(judge, known)
        # An agent with memory is created anew for each match.
        training.tested_against = lambda: agent if agent.policy_known else make_agent(judge, known)
    training.warm_up()
    points, seconds = [[0, *training.tally()]], 0.0
    while training.matches < matches:
        more = min(next_point(training.matches), matches) - training.matches
        began = time.perf_counter()
        training.train_more(more)
        seconds += time.perf_counter() - began
        points.append([training.matches, *training.tally()])
    return {"points": points, "seconds": seconds}


WORKS: dict[str, Callable[..., Answer]] = {
    "decision": decision,
    "matches": matches,
    ON_DEVICE: device_matches,
    "curve": curve,
    "truth": perfect_play,
}
