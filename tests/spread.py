"""Games in twins: the numbers of actions and outcomes are next to one another, or far apart.

Everything must come out the same; far apart, a set of moves does not fit into one int.
"""

from pathlib import Path

from ludex import Game, load

APART = 70  # three numbers need three words

RACE = '''
"""A race: walk a step, or run and perhaps fall."""

from typing import NamedTuple

from ludex.core.rules import CHANCE, OVER

VERSION = 1
STEP = {step}
ACTIONS = OUTCOMES = 2 * STEP + 1


class Race{step}Rules(NamedTuple):
    goal: int = 6


class Race{step}(NamedTuple):
    first: int
    second: int
    seat: int
    pace: int


def initial(rules):
    return Race{step}(0, 0, 0, 0)


def turn(rules, state):
    if max(state.first, state.second) >= rules.goal:
        return OVER
    return CHANCE if state.pace else state.seat


def legal(rules, state, seat, action):
    return action % STEP == 0


def chance(rules, state, outcome):
    if outcome % STEP:
        return 0.0
    return 0.5 if outcome == 0 else 0.25


def apply(rules, state, move):
    first, second, seat, pace = state
    choice = move // STEP
    if not pace and choice:
        return Race{step}(first, second, seat, choice)
    gain = pace * choice if pace else 1
    if seat == 0:
        return Race{step}(first + gain, second, 1, 0)
    return Race{step}(first, second + gain, 0, 0)


def returns(rules, state, seat):
    winner = 0 if state.first >= rules.goal else 1
    return 1.0 if seat == winner else -1.0


def estimate(rules, state, seat):
    ahead = (state.first - state.second) / (2.0 * rules.goal + 10.0)
    return ahead if seat == 0 else -ahead


def label(rules, state, move):
    return f"choose {{move // STEP}}"
'''

DUEL = '''
"""A duel: both choose at once, and luck may double what it is about."""

from typing import NamedTuple

from ludex.core.rules import BOTH, CHANCE, OVER, no_moves, part
from ludex.kernel.bits import include

VERSION = 1
STEP = {step}
ACTIONS = OUTCOMES = 2 * STEP + 1
AT_ONCE = True


class Duel{step}Rules(NamedTuple):
    rounds: int = 2


class Duel{step}(NamedTuple):
    score: int
    rounds: int
    bet: int


def initial(rules):
    return Duel{step}(0, rules.rounds, 0)


def turn(rules, state):
    if state.bet:
        return CHANCE
    return BOTH if state.rounds else OVER


def moves(rules, state, seat):
    return include(include(include(no_moves(rules), 0), STEP), 2 * STEP)


def chance(rules, state, outcome):
    return 0.5 if outcome == STEP or outcome == 2 * STEP else 0.0


def apply(rules, state, move):
    if state.bet:
        return Duel{step}(state.score + state.bet * (move // STEP), state.rounds, 0)
    first, second = part(move, 0) // STEP, part(move, 1) // STEP
    won = (first - second + 4) % 3 - 1
    return Duel{step}(state.score, state.rounds - 1, won * (1 + first))


def returns(rules, state, seat):
    worth = 1.0 if state.score > 0 else -1.0 if state.score < 0 else 0.0
    return worth if seat == 0 else -worth


def label(rules, state, move):
    return f"choose {{move // STEP}}"
'''


def twins(source: str, folder: Path, apart: int = APART) -> tuple[Game, Game]:
    """Return a game with numbers side by side, and its twin."""
    name = "race" if source is RACE else "duel"
    files = {step: folder / f"{name}{step}.py" for step in (1, apart)}
    for step, file in files.items():
        file.write_text(source.format(step=step), encoding="utf-8")
    return load(files[1]), load(files[apart])


def chosen(game: Game, agent: str) -> list[object]:
    """Return what an agent says of the first positions of a match, and the moves."""
    match, player = game.new_match(seed=2), game.agent(agent)
    said: list[object] = []
    while not match.over and len(said) < 6:
        choices = [player.choose(match, seat=seat) for seat in match.choosers]
        said += [(one.move, one.value, one.values) for one in choices]
        moves = [one.move for one in choices]
        match.push((moves[0], moves[1]) if len(moves) > 1 else moves[0])
    return [*said, match.labels]


def facts(game: Game, what: str) -> list[object]:
    """Return exact values of the first position, or what an agent says."""
    if what != "exact":
        return chosen(game, what)
    truth = game.solve(progress=False)
    return [truth.value(), truth.values(), truth.best_moves()]
