"""Animations of the games: part of a random match, computed once for all visitors."""

import functools
from typing import Any

import numpy as np

from ludex.core import rules as ask
from ludex.core.choice import draw_action
from ludex.core.play import legal_moves
from ludex.core.rules import CHANCE, NO_MOVE, OVER, Rules, State
from ludex.core.scene import Scene
from ludex.web.parts.board import delta

LENGTH = 24  # scenes
LONGEST = 400  # plies


@functools.lru_cache(maxsize=32, typed=True)
def animation(rules: Rules) -> tuple[Scene, list[dict[str, Any]]]:
    """Return an animation of a game: the middle of a random match.

    It is a scene, and the changes from each scene to the next, back to the first.
    """
    rng = np.random.default_rng(3)
    state, move = ask.initial(rules), NO_MOVE
    line: list[tuple[State, int]] = []
    while len(line) < LONGEST:
        line.append((state, move))
        if ask.turn(rules, state) == OVER:
            break
        odds = {
            one: float(ask.chance(rules, state, one)) if ask.turn(rules, state) == CHANCE else 1.0
            for one in legal_moves(rules, state)
        }
        total = sum(odds.values())
        move = draw_action({one: p / total for one, p in odds.items()}, rng)
        state = ask.apply(rules, state, move)
    began = max(0, len(line) // 2 - LENGTH // 2)
    scenes = [ask.scene(rules, *one) for one in line[began : began + LENGTH]]
    known, frames = delta({}, scenes[0])[1], []
    for one in [*scenes[1:], scenes[0]]:
        frame, known = delta(known, one)
        frames.append(frame)
    return scenes[0], frames
