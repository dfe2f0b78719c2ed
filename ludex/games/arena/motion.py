"""Animation of a fight: the champions trade blows until one of them falls."""

from ludex.core.rules import Rules, State
from ludex.core.scene import Scene
from ludex.games.arena.battle import Pair, blows, champion_lives, enter_champion
from ludex.games.arena.drawing import duel, lives
from ludex.games.arena.robots import NOBODY, pack_sides

SHOWN = 14  # pictures of a fight; longer ones skip blows


def between(rules: Rules, state: State, move: int) -> tuple[Scene, ...]:
    start = enter_champion(state, move)
    if NOBODY in (start.light_champion, start.wily_champion):
        return ()
    before = champion_lives(start)
    scenes = [duel(rules, start, -1, 0)]
    fight = blows(rules, start)
    every = -(-len(fight) // SHOWN) | 1  # odd, so that both strike
    for striker, left in fight[::-1][::every][::-1]:
        struck = 1 - striker
        scenes.append(duel(rules, with_lives(start, left), struck, before[struck] - left[struck]))
        before = left
    return tuple(scenes)


def with_lives(state: State, left: Pair) -> State:
    """Return the state with the lives of both champions replaced."""
    light, wily = lives(state)
    light[state.light_champion], wily[state.wily_champion] = left
    return state._make([*pack_sides(light, wily), *state[4:]])
