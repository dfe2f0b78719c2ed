"""Situations for `R2Droid`: boards of many sizes, cells at every wall, droids without shots."""

import random
from collections.abc import Iterator
from typing import Any

from ludex.core.play import legal_moves
from ludex.core.rules import apply, initial, moves
from ludex.games.droids import Droids, DroidsRules, make_rules, position, seat_name
from ludex.games.droids.cells import LABELS, SHOOT, aim, in_line
from ludex.grading.comparison.case import Case, ComparedRules, differences
from ludex.kernel.bits import contains

ACTIONS = ("MOVE_UP", "MOVE_DOWN", "MOVE_LEFT", "MOVE_RIGHT", "SHOOT")
assert len(ACTIONS) == len(LABELS)
USUAL = 100  # first cases, on the board of the document
LARGEST = 7  # rows or columns of other boards
ROUNDS = 20  # of random play, at most


def cases(rules: DroidsRules, method: str, rng: random.Random) -> Iterator[Case]:
    """Yield situations endlessly, alternating random play and random states."""
    number = 0
    while True:
        board = rules if number < USUAL else other_board(rules, rng)
        state = (state_after_play if number % 2 else random_state)(board, rng)
        yield case_of(board, state, method, rng, rules)
        number += 1


def other_board(rules: DroidsRules, rng: random.Random) -> DroidsRules:
    """Return the same rules on a board of another size."""
    rows, columns = rng.randint(1, LARGEST), rng.randint(2, LARGEST)
    others = {"shots": rules.shots, "rounds": rules.rounds}
    return make_rules({"rows": rows, "columns": columns, **others})


def state_after_play(rules: DroidsRules, rng: random.Random) -> Droids:
    """Return a state after some rounds of random play."""
    state = initial(rules)
    for _ in range(rng.randint(0, ROUNDS)):
        if not (pairs := legal_moves(rules, state)):
            break
        state = apply(rules, state, rng.choice(pairs))
    return Droids._make(state)


def random_state(rules: DroidsRules, rng: random.Random) -> Droids:
    """Return a random state, late enough for any number of shots."""
    one, other = rng.sample(range(rules.rows * rules.columns), 2)
    shots = [rng.randint(0, rules.shots) for _ in range(2)]
    return Droids._make([one, other, *shots, 0, 0, max(0, rules.rounds - rules.shots)])


def case_of(
    rules: DroidsRules, state: Droids, method: str, rng: random.Random, usual: DroidsRules
) -> Case:
    """Return a case for one of the droids of a state, with any action."""
    seat = rng.randrange(2)
    cells, shots = (list(pair)[:: 1 - 2 * seat] for pair in (state[:2], state[2:4]))
    action = rng.randrange(len(ACTIONS))
    named = ACTIONS[action] if method not in ("constructor", "available_actions") else ""
    other = [
        f"--rule {name}={getattr(rules, name)}"
        for name in ("rows", "columns")
        if getattr(rules, name) != getattr(usual, name)
    ]
    return Case(
        method,
        position(rules, state),
        "" if method == "copy" else named,
        {
            "method": method,
            "rows": rules.rows,
            "columns": rules.columns,
            "cells": [list(divmod(cell, rules.columns)) for cell in cells],
            "shots": shots,
            "action": named,
        },
        expected_facts(rules, state, seat, method, action),
        " ".join(other),
        seat_name(rules, seat),
    )


def expected_facts(
    rules: DroidsRules, state: Droids, seat: int, method: str, action: int
) -> dict[str, Any]:
    """Return the effect of a method by our rules."""
    cells, shots = (list(pair)[:: 1 - 2 * seat] for pair in (state[:2], state[2:4]))
    offered = moves(rules, state, seat)
    allowed = contains(offered, action)
    facts: dict[str, Any] = {}
    if method == "move_location" and allowed:
        cells[0] = int(aim(rules, cells[0], action))
    elif method == "shoot":
        shot = bool(allowed and action == SHOOT)
        facts["returned"] = bool(shot and in_line(rules, cells[0], cells[1]))
        shots[0] -= shot
    elif method == "available_actions":
        names = [name for number, name in enumerate(ACTIONS) if contains(offered, number)]
        facts["returned"] = sorted(names)
    places = [list(divmod(cell, rules.columns)) for cell in cells]
    if method == "copy":
        facts |= {"copy.location": places[0], "copy.shots": shots[0]}
        facts |= {"acts as a droid made anew": True, "changes with the droid": False}
    facts |= {"droid.location": places[0], "droid.shots": shots[0]}
    return facts | {"other.location": places[1], "other.shots": shots[1]}


COMPARED = ComparedRules(
    ("constructor", "copy", "move_location", "shoot", "available_actions"),
    cases,
    lambda: lambda case, answer: differences(case.expected, answer),
)
