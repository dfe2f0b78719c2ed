"""A battle hit by hit, and the sentences that describe it."""

from ludex.core.rules import Rules, State, apply
from ludex.games.arena import robots
from ludex.games.arena.robots import LAST, LIGHT, NAMES, NOBODY, WILY
from ludex.io.text import many

Pair = tuple[int, int]  # Light's and Wily's


def enter_champion(state: State, move: int) -> State:
    """Return the state with the mover's champion in the arena, before any blow."""
    if state.seat == LIGHT:
        return state._replace(light_champion=move)
    return state._replace(wily_champion=move)


def damages(rules: Rules, state: State) -> Pair:
    """Return the damage of a blow of each champion to the other."""
    mine, theirs = state.light_champion, state.wily_champion
    return (
        robots.light_damage(rules, mine, state.weapons, theirs),
        rules.wily[theirs] >> robots.BLOW_BITS * mine & robots.FIELD,
    )


def champion_lives(state: State) -> Pair:
    """Return the lives of both champions; 0 for nobody."""
    return (
        robots.life(state.light, state.mega, state.light_champion),
        robots.life(state.wily, state.gamma, state.wily_champion),
    )


def blows(rules: Rules, state: State) -> list[tuple[int, Pair]]:
    """Return the striker and the lives left, blow by blow; the seat to act strikes first."""
    dealt, left = damages(rules, state), list(champion_lives(state))
    struck, striker = [], state.seat
    while min(left) > 0:
        left[1 - striker] = max(0, left[1 - striker] - dealt[striker])
        struck.append((striker, (left[0], left[1])))
        striker = 1 - striker
    return struck


def events(rules: Rules, state: State, move: int) -> list[str]:
    start, lines = enter_champion(state, move), []
    before = (state.light_champion, state.wily_champion)[state.seat]
    if before not in (NOBODY, move):
        left = champion_lives(state)[state.seat]
        lines.append(f"{champion_name(state, state.seat)} withdraws with {lifepoints(left)}.")
    if NOBODY in (start.light_champion, start.wily_champion):
        return lines
    names = champion_name(start, LIGHT), champion_name(start, WILY)
    lives, dealt = champion_lives(start), damages(rules, start)
    fight = blows(rules, start)
    winner, left_lives = fight[-1]
    for side, order in ((state.seat, "first"), (1 - state.seat, "back")):
        if number := sum(striker == side for striker, _ in fight):
            lost = f"{names[1 - side]} {lives[1 - side]} → {left_lives[1 - side]}"
            struck = f"{many(number, 'blow')} of {dealt[side]}"
            lines.append(f"{names[side]} strikes {order}: {struck}, {lost}.")
    left, after = left_lives[winner], apply(rules, state, move)
    lines.append(f"{names[winner]} defeats {names[1 - winner]} and has {lifepoints(left)} left.")
    if winner == LIGHT and start.light_champion == LAST and after.mega > left:
        lines.append(f"{names[LIGHT]} heals {after.mega - left}: {left} → {after.mega}.")
    if after.weapons != state.weapons:
        lines.append(f"{names[LIGHT]} wins {names[WILY]}'s weapon.")
    return lines


def champion_name(state: State, side: int) -> str:
    """Return the display name of a side's champion."""
    return robots.full_name(NAMES[side][(state.light_champion, state.wily_champion)[side]])


def lifepoints(life: int) -> str:
    """Return a number of life points in words."""
    return many(life, "life point")
