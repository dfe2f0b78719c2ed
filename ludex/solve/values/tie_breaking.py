"""Tie-breaking among optimal actions: the expected result against a random opponent.

Among actions of equal value and progress (`progress_measure.py`), a perfect player takes the one
of the highest tie value: it leaves a weaker opponent the most chances to go wrong. The tie value
is the expected result of a seat that plays so while the opponent chooses uniformly at random. It is
slightly discounted, so that the shorter of two equal lines is taken.
"""

import numpy as np

from ludex.kernel.jit import shared
from ludex.kernel.matrix_game import solve
from ludex.solve.values.progress_measure import PROGRESS_SLACK, is_ahead, keeps_value, progress_of
from ludex.solve.values.transitions import gather

TIE_DISCOUNT = 0.999
ROUND_LOSS = 1e-12  # of an action at a simultaneous move: it is lost in every round


@shared
def most_progress(sign, value, begin, end, targets, values, progress):
    """Return the most progress of the actions to targets[begin:end] that preserve the value."""
    most = 0.0
    for place in range(begin, end):
        if keeps_value(sign, value, values[targets[place]]):
            most = max(most, progress_of(sign, targets[place], values, progress))
    return most


@shared
def is_tie_optimal(sign, value, target, values, progress, most):
    """Return whether an action to a target keeps the value and makes the most progress."""
    return (
        keeps_value(sign, value, values[target])
        and progress_of(sign, target, values, progress) >= (1.0 - PROGRESS_SLACK) * most
    )


# Simultaneous moves. ------------------------------------------------------------------------------


@shared
def pair_place(seat, own, other, columns):
    """Return the place of a pair of actions among the targets of a simultaneous move."""
    return own * columns + other if seat == 0 else other * columns + own


@shared
def rate_actions(seat, value, place, rows, columns, targets, values, progress, tie_values, ratings):
    """Rate the actions of a seat at a simultaneous move by their tie values.

    Only actions that guarantee the value, and of these only those of the most progress, are rated;
    others get -inf. Return that progress, or -1 if no single action guarantees the value.
    """
    sign = 1.0 if seat == 0 else -1.0
    owns, others = (rows, columns) if seat == 0 else (columns, rows)
    ahead = is_ahead(sign, value)
    most = -1.0
    for own in range(owns):
        worst, least = np.inf, 1.0
        for other in range(others):
            target = targets[place + pair_place(seat, own, other, columns)]
            worst = min(worst, sign * values[target])
            if ahead:
                least = min(least, progress_of(sign, target, values, progress))
        ratings[own] = least if worst >= sign * value - ROUND_LOSS else -1.0
        most = max(most, ratings[own])
    for own in range(owns):
        if most < 0.0 or ratings[own] < (1.0 - PROGRESS_SLACK) * most:
            ratings[own] = -np.inf
            continue
        total = 0.0
        for other in range(others):
            total += tie_values[targets[place + pair_place(seat, own, other, columns)]]
        ratings[own] = total / others
    return most


@shared
def best_strategy(
    seat, value, place, rows, columns, targets, solved, tie_values, strategy, matrices
):
    """Write the strategy of a perfect player at a simultaneous move.

    Return its tie value, and its progress whatever the opponent does. It is the best of the actions
    that guarantee the value or, if none does, an optimal mixture.
    """
    values, progress = solved
    games, mixtures, tableau = matrices
    ratings = mixtures[2]
    owns, others = (rows, columns) if seat == 0 else (columns, rows)
    most = rate_actions(
        seat, value, place, rows, columns, targets, values, progress, tie_values, ratings
    )
    if most >= 0.0:
        best = 0
        for own in range(owns):
            best = own if ratings[own] > ratings[best] else best
            strategy[own] = 0.0
        strategy[best] = 1.0
        return ratings[best], most
    sign = 1.0 if seat == 0 else -1.0
    gather(seat, sign, values, targets, place, rows, columns, games[0])
    solve(games[0], owns, others, strategy, ratings, tableau)
    tie_value, least = 0.0, 1.0
    for other in range(others):
        mean = 0.0
        for own in range(owns):
            target = targets[place + pair_place(seat, own, other, columns)]
            mean += strategy[own] * progress_of(sign, target, values, progress)
            tie_value += strategy[own] * tie_values[target] / others
        least = min(least, mean)
    return tie_value, least
