"""The policy of a network as a table of states, like those that other learners keep."""

import numpy as np

from ludex.core import rules as ask
from ludex.core.observation import mask_of, observation_of
from ludex.core.play import choosers
from ludex.core.rules import BOTH, OVER, Rules, State
from ludex.learn.net.forest import after_chance
from ludex.learn.net.network import Parameters, Shape, forward
from ludex.learn.table import Memory, memory_from, new_memory

MATCHES, PLIES = 32, 40  # from which states are taken


def policies_of(
    rules: Rules, shape: Shape, parameters: Parameters, decisions: list[tuple[State, int]]
) -> np.ndarray:
    """Return a row with the probability of each action for each state and seat to move."""
    views = np.array([observation_of(rules, *one) for one in decisions], np.float32)
    masks = np.array([mask_of(rules, *one) for one in decisions]) > 0
    logits = np.where(masks, forward(np, shape, parameters, views)[0], -np.inf)
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def table_of(
    rules: Rules, shape: Shape, parameters: Parameters, decisions: list[tuple[State, int]]
) -> Memory:
    """Return the policy in some states as a table; visits say how often each state is given."""
    if not decisions:
        return new_memory(rules, 1, np.float32)
    rows: dict[int, int] = {}
    first: list[tuple[State, int]] = []
    numbers = []
    for state, seat in decisions:
        key = int(ask.features(rules, state, seat))
        if key not in rows:
            rows[key] = len(rows)
            first.append((state, seat))
        numbers.append(rows[key])
    policies = policies_of(rules, shape, parameters, first)
    often = np.bincount(numbers, minlength=len(first))
    return memory_from(
        np.array(list(rows), np.int64),
        policies[:, np.newaxis].astype(np.float32),
        ((policies > 0.0) * often[:, np.newaxis]).astype(np.int32),
    )


def usual_decisions(rules: Rules, shape: Shape, parameters: Parameters) -> list[tuple[State, int]]:
    """Return the states and seats to move in matches that are played by the policy."""
    rng = np.random.default_rng(0)
    states, found = [ask.initial(rules)] * MATCHES, []
    for _ in range(PLIES):
        streams = rng.integers(1 << 62, size=MATCHES).tolist()
        states = [after_chance(rules, *one, 0)[0] for one in zip(states, streams, strict=True)]
        now = [(state, seat) for state in states for seat in choosers(rules, state)]
        if not now:
            break
        found += now
        policies = iter(policies_of(rules, shape, parameters, now))
        states = [
            after_policies(rules, state, [next(policies) for _ in choosers(rules, state)], rng)
            for state in states
        ]
    return found


def after_policies(
    rules: Rules, state: State, policies: list[np.ndarray], rng: np.random.Generator
) -> State:
    """Return the state after actions drawn from the policies of all seats to move."""
    mover = ask.turn(rules, state)
    if mover == OVER:
        return state
    actions = [int(rng.choice(len(one), p=one)) for one in policies]
    return ask.apply(rules, state, ask.pair(*actions) if mover == BOTH else actions[0])
