"""Observation planes of arena: a row for each side, the own one first."""

from ludex.games.arena.robots import LAST, LIGHT, life

# Life, the champion, the weapons that Mega Man has won; then, all 1 or all 0: whether it is the
# seat's turn, and whether its side is Light's.
LIFE, CHAMPION, WEAPONS, TURN, SIDE = range(5)
HALF = 30.0  # the life that is shown as one half, as there is no largest life


def view_shape(rules):
    return 5, 2, LAST + 1


def view(rules, state, seat, planes):
    for row in range(2):
        side = seat if row == 0 else 1 - seat
        champion = state.light_champion if side == LIGHT else state.wily_champion
        for robot in range(LAST + 1):
            if side == LIGHT:
                left = life(state.light, state.mega, robot)
                weapon = state.weapons >> robot & 1
            else:
                left = life(state.wily, state.gamma, robot)
                weapon = 0
            planes[LIFE, row, robot] = left / (left + HALF)
            planes[CHAMPION, row, robot] = 1 if robot == champion else 0
            planes[WEAPONS, row, robot] = weapon
            planes[TURN, row, robot] = 1 if state.seat == seat else 0
            planes[SIDE, row, robot] = 1 if seat == LIGHT else 0
