"""What was learned, in readable form: the states, actions and patterns behind the numbers."""

from typing import Any

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.play import choosers, legal_moves
from ludex.core.rules import Rules, State
from ludex.kernel.bits import members
from ludex.learn.checkpoint import Checkpoint
from ludex.learn.table import Memory, entries, number_of
from ludex.learn.weights import Weights, scratch

SAMPLED_PLIES = 5000  # to find positions for observation keys
SEEN_OFTEN = 100  # visits of a pattern that is shown

Facts = dict[str, Any]

# States and their actions. -----------------------------------------------------------------------


def known_actions(rules: Rules, trained: Checkpoint, state: State) -> list[Facts]:
    """Return what was learned about the actions of each seat to move in a state."""
    found = []
    if not choosers(rules, state):
        raise ValueError(f"{ask.position(rules, state)!r}: nobody is to choose here")
    for seat in choosers(rules, state):
        key = ask.features(rules, state, seat)
        number = number_of(trained.memory, key)
        row: Facts = {"seat": seat, "seen": ask.features_text(rules, int(key))}
        if not row["seen"] and ask.imperfect_information(rules):
            row["seen"] = ask.position(rules, ask.information_state(rules, state, seat))
        row["actions"] = {
            ask.label(rules, state, action): numbers(trained, number, action)
            for action in members(ask.moves(rules, state, seat))
            if number >= 0
        }
        found.append(row)
    return found


def numbers(trained: Checkpoint, number: int, action: int) -> Facts:
    """Return the numbers of every learner for an action, and its visits."""
    row = trained.memory.rows[number, :, action].tolist()
    return {"known": row, "visits": int(trained.memory.visits[number, action])}


def hats(rules: Rules, trained: Checkpoint) -> list[Facts]:
    """Return every hat with the balls of each learner, in the order of their keys."""
    keys, rows, _ = entries(trained.memory)
    seen = seen_states(rules, trained.memory)
    found = []
    for number in np.argsort(keys):
        key = int(keys[number])
        balls = balls_in(rules, seen.get(key), rows[number])
        found.append({"hat": seen_text(rules, key, seen.get(key)), "balls": balls})
    return found


def top_states(rules: Rules, trained: Checkpoint, top: int) -> list[Facts]:
    """Return the most-visited states with the balls of each learner, or the values."""
    keys, rows, visits = entries(trained.memory)
    order = np.argsort(-visits.sum(axis=1), kind="stable")[:top]
    seen = seen_states(rules, trained.memory)
    found = []
    for number in order:
        key = int(keys[number])
        state = seen.get(key)
        row: Facts = {"seen": seen_text(rules, key, state), "visits": int(visits[number].sum())}
        played = (visits[number] > 0) | (rows[number, 0] > 0)
        if np.issubdtype(rows.dtype, np.integer):
            row["balls"] = balls_in(rules, state, rows[number])
        else:
            row["known"] = {
                action_text(rules, state, action): rows[number, 0, action].item()
                for action in np.flatnonzero(played).tolist()
            }
        found.append(row)
    return found


def balls_in(rules: Rules, state: State | None, hat: np.ndarray) -> list[dict[str, int]]:
    """Return for each learner the number of balls of each action in a hat."""
    return [
        {action_text(rules, state, action): count for action, count in enumerate(row) if count}
        for row in hat.tolist()
    ]


def seen_text(rules: Rules, key: int, state: State | None) -> str:
    """Return an observation in the game's words, or as a position that was found for it."""
    return ask.features_text(rules, key) or (
        ask.position(rules, state) if state is not None else "?"
    )


def action_text(rules: Rules, state: State | None, action: int) -> str:
    """Return the label of an action, or its number if no position was found."""
    return ask.label(rules, state, action) if state is not None else f"action {action + 1}"


def seen_states(rules: Rules, memory: Memory) -> dict[int, State]:
    """Return a state, as seen, for each key that comes up in matches like those of the training."""
    rng = np.random.default_rng(0)
    found: dict[int, State] = {}
    state = ask.initial(rules)
    for _ in range(SAMPLED_PLIES):
        options, acting = legal_moves(rules, state), choosers(rules, state)
        if not options:
            state = ask.initial(rules)
            continue
        move = 0 if acting else options[int(rng.random() * len(options))]
        for seat in acting:
            seen = ask.information_state(rules, state, seat)
            found.setdefault(int(ask.features(rules, state, seat)), seen)
            action = usual_action(rules, memory, state, seat, rng)
            move = ask.with_action(ask.turn(rules, state), move, seat, action)
        state = ask.apply(rules, state, move)
    return found


def usual_action(rules: Rules, memory: Memory, state: State, seat: int, rng: Generator) -> int:
    """Draw an action of a seat, the more probable the more it was visited."""
    legal = members(ask.moves(rules, state, seat))
    number = number_of(memory, ask.features(rules, state, seat))
    # By the square root, so that rare actions come up too.
    often = np.sqrt(memory.visits[number, legal]) + 1.0 if number >= 0 else np.ones(len(legal))
    return int(rng.choice(legal, p=often / often.sum()))


# Patterns. ---------------------------------------------------------------------------------------


def top_patterns(rules: Rules, weights: Weights, top: int) -> list[Facts]:
    """Return the patterns with the largest absolute weights."""
    # Weights with few visits are unreliable.
    sizes = np.where(weights.visits >= SEEN_OFTEN, abs(weights.values), 0.0)
    order = np.argsort(-sizes, kind="stable")[:top]
    return [pattern(rules, weights, int(place)) for place in order if sizes[place] > 0.0]


def patterns_in(rules: Rules, weights: Weights, state: State) -> list[Facts]:
    """Return the patterns of every seat in a state."""
    found = []
    for seat in range(ask.seats(rules)):
        places = scratch()
        count = ask.patterns(rules, state, seat, places)
        found += [
            {"seat": seat} | pattern(rules, weights, place) for place in places[:count].tolist()
        ]
    return found


def pattern(rules: Rules, weights: Weights, place: int) -> Facts:
    """Return the text, weight and visits of a pattern."""
    weight, visits = weights.values[place].item(), int(weights.visits[place])
    text = ask.patterns_text(rules, place) or f"pattern {place}"
    return {"pattern": text, "weight": weight, "visits": visits}
