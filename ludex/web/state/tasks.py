"""The tasks of the workers, with arguments and results that can be pickled."""

import copy
import functools
import logging
import os
from typing import Any, NamedTuple

import numpy as np

from ludex.agents.registry import Agent, Random, make_agent
from ludex.analysis.best_line import best_line
from ludex.analysis.evaluator import evaluations, expected_value
from ludex.core.choice import CLOSE
from ludex.core.play import choosers, value_text
from ludex.core.rules import Rules, State, imperfect_information, initial, label, seat_name, seats
from ludex.external.agent import ExternalAgent
from ludex.io.text import many
from ludex.kernel.tuples import flatten, unflatten
from ludex.learn.hats import Hats
from ludex.library.player import Decision, decide
from ludex.library.tree import SearchTree
from ludex.library.warming import Part, prepare, prepare_agent
from ludex.match.runner import play_match
from ludex.solve.equilibrium_evaluator import EquilibriumEvaluator
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.evaluator import SolutionEvaluator, exact_evaluator
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength, game_length
from ludex.solve.known_solutions import known_solution
from ludex.solve.solution_file import path_of
from ludex.solve.states.listing import Unsolvable
from ludex.web.state import limits
from ludex.web.state.catalogue import Texts, rules_from, texts_of

Generator = np.random.Generator
log = logging.getLogger("ludex.web")
NICE = 10  # of a process that compiles ahead of time
TABLE = 64  # MiB for the transposition table of a proof
SHOWN = 60  # nodes of a drawn tree, which is then about two screens wide
LONGEST_LINE = 3  # moves of a best line; more would hide the board


class PositionQuery(NamedTuple):
    """A position as plain values."""

    source: str
    texts: Texts
    numbers: tuple[int, ...]

    @classmethod
    def of(cls, source: str, rules: Rules, state: State) -> "PositionQuery":
        """Encode a state of a game from a source."""
        return cls(source, texts_of(rules), tuple(int(one) for one in flatten(state)))

    def decode(self) -> tuple[Rules, State]:
        """Return the rules and the state."""
        rules = rules_from(self.source, self.texts)
        return rules, unflatten(initial(rules), self.numbers)


@functools.lru_cache(maxsize=8)  # each may hold a table of many MiB
def agent_for(source: str, texts: Texts, text: str, stamp: float) -> Agent:
    """Return an agent; the stamp, its file's modification time or 0, invalidates the cache."""
    try:
        return make_agent(text, rules_from(source, texts))
    except OSError as error:
        raise ValueError(f"{text.partition(':')[0]}: {error.strerror}") from error


def warm_up(source: str, texts: Texts, text: str, stamp: float = 0.0) -> None:
    """Compile what an agent needs; raise a ValueError if there is no such agent."""
    prepare_agent(rules_from(source, texts), agent_for(source, texts, text, stamp))


def trial_match(source: str, texts: Texts, program: str) -> tuple[str, str]:
    """Let a program play a match against `random`; return the result, and what it printed."""
    rules = rules_from(source, texts)
    others = [Random() for _ in range(seats(rules) - 1)]
    match = play_match(rules, initial(rules), [make_agent(program, rules), *others], 1)
    output = match.output[0] if match.output else ""
    if match.words:
        return match.words, output
    how = "won" if match.returns[0] > 0.0 else "lost" if match.returns[0] < 0.0 else "drew"
    return f"{how} against random in {many(len(match.plies) - 1, 'move')}", output


def prepare_politely(part: Part) -> None:
    """Compile a part, and give way to all other processes."""
    os.nice(max(0, NICE - os.nice(0)))
    prepare(part)


def choose(
    query: PositionQuery, text: str, seat: int, luck: Generator, stamp: float
) -> tuple[Decision, Generator]:
    """Return an agent's decision at a position, and the generator afterwards."""
    left = copy.deepcopy(luck)  # keeps the caller's unchanged, also in a thread
    agent = agent_for(query.source, query.texts, text, stamp)
    return decide(agent, *query.decode(), seat, left), left


@functools.cache
def warn(words: str) -> None:
    """Log a warning for the operator, once in each process."""
    log.warning("%s; until then values are estimated", words)


def budget_of(seconds: float) -> Budget:
    """Return the budget of an evaluation with some seconds for an exact value."""
    return Budget(table=TABLE, seconds=seconds, depth=limits.DEPTH)


def evaluate(query: PositionQuery, seconds: float = limits.PROVING) -> list[Evaluation]:
    """Return the values of all actions at a position, for each seat that chooses."""
    rules, state = query.decode()
    return evaluations(rules, state, budget_of(seconds), warn=warn)


def evaluate_chance(query: PositionQuery) -> tuple[float, bool]:
    """Return the expected value of a position for seat 0, and whether it is exact."""
    return expected_value(*query.decode(), budget_of(limits.PROVING), warn=warn)


def moves_left(query: PositionQuery) -> GameLength:
    """Return how long perfect play lasts from a position, if it is solved and soon counted."""
    rules, state = query.decode()
    if seats(rules) != 2 or not choosers(rules, state):
        return UNKNOWN_LENGTH
    solution = known_solution(rules, state, warn=warn)
    if solution is None:
        return UNKNOWN_LENGTH
    return game_length(rules, solution, state, limits.COUNTING)


def find_best_line(
    query: PositionQuery, evaluation: Evaluation, length: GameLength
) -> tuple[int, ...]:
    """Return the best moves from an evaluated position on; none where something is hidden."""
    rules, state = query.decode()
    if imperfect_information(rules):  # the others cannot know what is best
        return ()
    given = rules, state, evaluation, length
    return best_line(*given, LONGEST_LINE, limits.DEPTH, limits.COUNTING, warn)


def known_value(source: str, texts: Texts, seconds: float) -> dict[str, Any]:
    """Return the value of a game in words and as a number, None if unknown."""
    rules = rules_from(source, texts)
    state, unknown = initial(rules), "not solved here"
    try:
        exact = exact_evaluator(rules, state, budget_of(seconds), warn=warn)
        unknown = "no proof in a moment"
        if isinstance(exact, SolutionEvaluator):
            value, how = exact.value(state), f"{exact.solution.facts['states']:,} states solved"
        elif isinstance(exact, EquilibriumEvaluator):
            value, how = exact.value(state), exact.words
        else:
            found = exact.evaluate(state, 0)
            value, how = found.value, found.how
    except Unsolvable:
        judged = "" if imperfect_information(rules) else "; a search judges the moves"
        return {"words": f"{unknown}{judged}", "value": None}
    return {"words": f"{outcome_words(rules, value)} ({how})", "value": value}


def is_solved(source: str, texts: Texts) -> bool:
    """Return whether a solution of a game is on disk."""
    rules = rules_from(source, texts)
    return path_of(rules, initial(rules)).exists()


def outcome_words(rules: Rules, value: float) -> str:
    """Return who wins with best play, from the value of a state for seat 0."""
    winner = 0 if value > 0 else 1
    if abs(value) < 1e-6:
        return "best play is a draw"
    if abs(value) > 1.0 - CLOSE:
        return f"{seat_name(rules, winner)} wins with best play"
    return value_text(rules, abs(value), winner, ".3f")


def tree_of(query: PositionQuery, text: str, depth: int) -> str:
    """Return a drawing of an agent's search tree; greedy always looks one decision ahead."""
    looked = None if text == "greedy" else depth
    return SearchTree(*query.decode(), text, looked, limits.TREE, SHOWN)._repr_svg_()


def explain_choice(
    query: PositionQuery, text: str, seat: int, stamp: float
) -> tuple[Decision, dict[str, int]]:
    """Return an agent's decision, and the balls of each action in its hat, if it has one."""
    agent, (rules, state) = agent_for(query.source, query.texts, text, stamp), query.decode()
    try:
        decision, _ = choose(query, text, seat, np.random.default_rng((0,)), stamp)
    finally:
        if isinstance(agent, ExternalAgent):
            agent.kill()  # its file may be replaced before it is asked again
    balls = agent.balls(rules, state, seat) if isinstance(agent, Hats) else {}
    return decision, {label(rules, state, action): count for action, count in balls.items()}
