"""Counterfactual regret minimisation over a game in extensive form.

Each iteration updates one seat after the other. The average strategies of both seats converge to a
Nash equilibrium. Sources: Tammelin (2014) for CFR+, Brown and Sandholm (2019) for discounted CFR,
Farina, Kroer and Sandholm (2021) for predictive CFR+.
"""

from typing import NamedTuple

import numpy as np

from ludex.core.rules import CHANCE, OVER
from ludex.kernel.jit import allocating, shared
from ludex.solve.equilibrium.extensive_form import ExtensiveForm
from ludex.solve.equilibrium.tree import NOTHING

CFR_PLUS, DISCOUNTED, PREDICTIVE = 0, 1, 2
VARIANTS = ("cfr+", "dcfr", "pcfr+")

# Discounted CFR: exponents of positive and negative regrets, and of the average.
ALPHA, BETA, GAMMA = 1.5, 0.0, 2.0


class Regrets(NamedTuple):
    """The progress of an algorithm, with a number for each sequence."""

    regrets: np.ndarray
    gains: np.ndarray
    """The regrets of the last iteration alone."""
    current: np.ndarray
    """The current strategies."""
    totals: np.ndarray
    """The weighted sum of all strategies."""


def uniform_strategies(form: ExtensiveForm) -> np.ndarray:
    """Return the strategies in which all actions of an information set are equally likely."""
    degrees = np.diff(form.sets.starts)
    return np.repeat(1.0 / degrees, degrees)


def new_regrets(form: ExtensiveForm) -> Regrets:
    """Return no regrets: uniform strategies."""
    uniform = uniform_strategies(form)
    count = len(uniform)
    return Regrets(np.zeros(count), np.zeros(count), uniform, np.zeros(count))


def average_strategies(form: ExtensiveForm, totals: np.ndarray) -> np.ndarray:
    """Return the normalised average strategies; uniform where a set was never reached."""
    starts, degrees = form.sets.starts[:-1], np.diff(form.sets.starts)
    sums = np.add.reduceat(totals, starts)
    known = np.repeat(sums, degrees)
    shares = totals / np.where(known > 0.0, known, 1.0)
    return np.where(known > 0.0, shares, uniform_strategies(form))


@allocating
def run_iterations(tree, sets, progress, variant, first, count):
    """Run some iterations, of which the first has this number, counted from 1."""
    values, reach = np.zeros(len(tree[0])), np.zeros(len(tree[0]))
    own = np.zeros(len(progress[0]))
    for iteration in range(first, first + count):
        for seat in range(2):
            write_reach(tree, sets, progress[2], seat, reach)
            write_gains(tree, sets, progress, seat, reach, values)
            add_to_average(sets, progress, variant, seat, iteration, own)
            update_regrets(sets, progress, variant, seat, iteration)


@shared
def write_reach(tree, sets, strategies, seat, reach):
    """Write the probability that chance and the other seat alone would reach each node."""
    movers, node_starts, targets, chances, _, _, numbers = tree
    starts = sets[1]
    reach[:] = 0.0
    reach[0] = 1.0
    for node in range(len(movers)):
        mover, here = movers[node], reach[node]
        begin, end = node_starts[node], node_starts[node + 1]
        if here == 0.0 or begin == end:
            continue
        if mover == seat:
            for edge in range(begin, end):
                reach[targets[edge]] += here
        elif mover == CHANCE:
            for edge in range(begin, end):
                reach[targets[edge]] += here * chances[edge]
        else:
            shift = starts[numbers[node]] - begin
            for edge in range(begin, end):
                reach[targets[edge]] += here * strategies[shift + edge]


@shared
def write_gains(tree, sets, progress, seat, reach, values):
    """Write the values of all nodes for a seat, and what each of its actions would gain."""
    movers, node_starts, targets, chances, _, payoffs, numbers = tree
    starts = sets[1]
    _, gains, strategies, _ = progress
    sign = 1.0 if seat == 0 else -1.0
    clear(sets, gains, seat)
    for node in range(len(movers) - 1, -1, -1):
        mover, begin, end = movers[node], node_starts[node], node_starts[node + 1]
        total = 0.0
        if mover == OVER:
            total = sign * payoffs[node]
        elif mover == CHANCE:
            for edge in range(begin, end):
                total += chances[edge] * values[targets[edge]]
        else:
            shift = starts[numbers[node]] - begin
            for edge in range(begin, end):
                total += strategies[shift + edge] * values[targets[edge]]
            if mover == seat and reach[node] > 0.0:
                for edge in range(begin, end):
                    gains[shift + edge] += reach[node] * (values[targets[edge]] - total)
        values[node] = total


@shared
def clear(sets, numbers, seat):
    """Write 0 for all sequences of a seat."""
    seats, starts, _, _, _, _ = sets
    for place in range(len(seats)):
        if seats[place] == seat:
            numbers[starts[place] : starts[place + 1]] = 0.0


@shared
def add_to_average(sets, progress, variant, seat, iteration, own):
    """Add the current strategies of a seat, by the seat's own reach and the iteration's weight.

    `own` is scratch for the probability that the seat alone would play each sequence.
    """
    seats, starts, _, parents, _, _ = sets
    _, _, strategies, totals = progress
    weight = float(iteration) if variant == CFR_PLUS else float(iteration) ** GAMMA
    for place in range(len(seats)):
        if seats[place] == seat:
            before = 1.0 if parents[place] == NOTHING else own[parents[place]]
            for sequence in range(starts[place], starts[place + 1]):
                own[sequence] = before * strategies[sequence]
                totals[sequence] += weight * own[sequence]


@shared
def update_regrets(sets, progress, variant, seat, iteration):
    """Add the gains of an iteration to the regrets, and match the strategies to them."""
    seats, starts, _, _, _, _ = sets
    regrets, gains, strategies, _ = progress
    before = iteration - 1.0  # the iteration after which the regrets so far are discounted
    gained, lost = before**ALPHA / (before**ALPHA + 1.0), before**BETA / (before**BETA + 1.0)
    for place in range(len(seats)):
        if seats[place] != seat:
            continue
        begin, end = starts[place], starts[place + 1]
        total = 0.0
        for sequence in range(begin, end):
            regret = regrets[sequence]
            if variant == DISCOUNTED:
                regret = regret * (gained if regret > 0.0 else lost) + gains[sequence]
            else:
                regret = max(regret + gains[sequence], 0.0)
            regrets[sequence] = regret
            ahead = regret + gains[sequence] if variant == PREDICTIVE else regret
            strategies[sequence] = max(ahead, 0.0)
            total += strategies[sequence]
        for sequence in range(begin, end):
            uniform = 1.0 / (end - begin)
            strategies[sequence] = strategies[sequence] / total if total > 0.0 else uniform
