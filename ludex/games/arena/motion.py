"""What is seen of a fight: the champions trade blows until one of them falls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.games.arena.drawing import duel
from ludex.games.arena.robots import (
    BLOW_BITS,
    FIELD,
    LAST,
    LIFE_BITS,
    LIGHT,
    NOBODY,
    life,
    light_damage,
)
from ludex.scene import Scene

if TYPE_CHECKING:
    from ludex.games.arena import Arena, ArenaRules

SHOWN = 14  # pictures of a fight; of a longer one some blows are left out

Lives = tuple[int, int]


def between(rules: ArenaRules, state: Arena, move: int) -> tuple[Scene, ...]:
    mine, theirs = state.light_champion, state.wily_champion
    if state.seat == LIGHT:
        mine = move
    else:
        theirs = move
    if NOBODY in (mine, theirs):
        return ()
    before = life(state.light, state.mega, mine), life(state.wily, state.gamma, theirs)
    start = state._replace(light_champion=mine, wily_champion=theirs)
    scenes = [duel(rules, start, -1, 0)]
    for striker, lives in fight(rules, start, before):
        struck = 1 - striker
        scenes.append(duel(rules, wounded(start, lives), struck, before[struck] - lives[struck]))
        before = lives
    return tuple(scenes)


def fight(rules: ArenaRules, state: Arena, lives: Lives) -> list[tuple[int, Lives]]:
    """Return who struck and what lives were left, blow by blow; who enters strikes first."""
    mine, theirs = state.light_champion, state.wily_champion
    damages = (
        light_damage(rules, mine, state.weapons, theirs),
        rules.wily[theirs] >> BLOW_BITS * mine & FIELD,
    )
    blows, striker, left = [], state.seat, list(lives)
    while min(left) > 0:
        left[1 - striker] = max(0, left[1 - striker] - damages[striker])
        blows.append((striker, (left[0], left[1])))
        striker = 1 - striker
    every = -(-len(blows) // SHOWN) | 1  # odd, so that both are seen to strike
    return blows[::-1][::every][::-1]


def wounded(state: Arena, lives: Lives) -> Arena:
    """Return a state in which both champions have so much life left."""
    mine, theirs = state.light_champion, state.wily_champion
    if mine == LAST:
        state = state._replace(mega=lives[0])
    else:
        lost = life(state.light, state.mega, mine) - lives[0]
        state = state._replace(light=state.light - (lost << LIFE_BITS * mine))
    if theirs == LAST:
        return state._replace(gamma=lives[1])
    lost = life(state.wily, state.gamma, theirs) - lives[1]
    return state._replace(wily=state.wily - (lost << LIFE_BITS * theirs))
