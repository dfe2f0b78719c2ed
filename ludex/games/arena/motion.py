"""Animation of a fight: the champions trade blows until one of them falls."""

from ludex.core.rules import Rules, State
from ludex.core.scene import Scene
from ludex.games.arena.battle import Pair, blows, champion_lives, enter_champion
from ludex.games.arena.drawing import duel
from ludex.games.arena.robots import LAST, LIFE_BITS, NOBODY, life

SHOWN = 14  # pictures of a fight; longer ones skip blows


def between(rules: Rules, state: State, move: int) -> tuple[Scene, ...]:
    start = enter_champion(state, move)
    if NOBODY in (start.light_champion, start.wily_champion):
        return ()
    before = champion_lives(start)
    scenes = [duel(rules, start, -1, 0)]
    fight = blows(rules, start)
    every = -(-len(fight) // SHOWN) | 1  # odd, so that both strike
    for striker, lives in fight[::-1][::every][::-1]:
        struck = 1 - striker
        scenes.append(duel(rules, with_lives(start, lives), struck, before[struck] - lives[struck]))
        before = lives
    return tuple(scenes)


def with_lives(state: State, lives: Pair) -> State:
    """Return the state with the lives of both champions replaced."""
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
