"""Alpha-beta: the minimax value, with most of the tree pruned.

Iterative deepening with a transposition table (`transposition.py`), moves ordered by the table,
killers and history. Chance nodes are bounded by Ballard's star1 and star2: a value outside the
window is recognised from some of the outcomes, in star2 after probing one action of each. The
bounds rely on values from -1 to 1. With `rare`, unlikely outcomes are searched less deeply, which
leaves time for another decision or two; the value is then that of a minimax that does the same.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import CLOSE, Choice, draw_action, uniform_over_best
from ludex.core.leaf_value import leaf_value
from ludex.core.options import option
from ludex.core.rules import CHANCE, MOST_ACTIONS, MOST_SEATS, OVER, Rules, State
from ludex.core.search_profile import UNLIKELY, SearchProfile
from ludex.kernel.bits import contains, exclude, is_empty, lowest, members, size
from ludex.kernel.hash_table import holds
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import flatten
from ludex.search import transposition as tt
from ludex.search.clock import stop_flag
from ludex.search.minimax import DEEPEST, Minimax, too_many_seats
from ludex.search.transposition import ESTIMATED, NODES, SEARCH, STOP, TranspositionTable

LOW, HIGH = -1.0, 1.0
PLAIN, STAR1, STAR2 = 0, 1, 2
PRUNING = ("none", "star1", "star2")
DEFAULT_DEPTH = 6

# More indices into the work array.
REDUCTION, UNORDERED = 4, 5
KILLERS = 8  # two for each ply
MOST_PLIES = 256  # more than DEEPEST decisions, a chance node after each, and a probe
HISTORY = KILLERS + 2 * (MOST_PLIES + 1)  # cutoffs by each action of each seat
WORK = HISTORY + MOST_ACTIONS * MOST_SEATS


@shared
def uses_table(rules, depth):
    """Return whether the table saves more time than it costs at this depth.

    Below the last decision there are only leaves, unless the game has chance.
    """
    return depth > 1 or (depth == 1 and ask.outcomes(rules) > 0)


@shared
def cutoffs_at(seat, action):
    """Return the index of the history of an action."""
    return HISTORY + MOST_ACTIONS * seat + action


@shared
def next_action(rules, bits, first, ply, mover, depth, work):
    """Return the next action to search: from the table, a killer, or the best by history."""
    if work[UNORDERED] != 0:
        return lowest(bits)
    if first != tt.NO_ACTION and contains(bits, first):
        return int(first)
    for place in range(KILLERS + 2 * ply, KILLERS + 2 * ply + 2):
        killer = work[place]
        if killer != 0 and contains(bits, killer - 1):
            return int(killer) - 1
    best = lowest(bits)
    if uses_table(rules, depth):
        most = work[cutoffs_at(mover, best)]
        for action in members(exclude(bits, best)):
            cutoffs = work[cutoffs_at(mover, action)]
            if cutoffs > most:
                best, most = action, cutoffs
    return best


@shared
def record_cutoff(action, ply, mover, depth, work):
    """Record that an action caused a cutoff, as a killer and in the history."""
    place = KILLERS + 2 * ply
    if work[place] != action + 1:
        work[place + 1] = work[place]
        work[place] = action + 1
    work[cutoffs_at(mover, action)] += depth * depth


@shared
def probe_table(rules, state, depth, alpha, beta, rows, values, work):
    """Return whether the table decides a state, its value if so, and the action to try first."""
    if rows.shape[0] == 0:
        return False, 0.0, tt.NO_ACTION
    row = tt.row_of(state, depth, rows)
    if not holds(state, rows, row):
        if not uses_table(rules, depth - 1):
            return False, 0.0, tt.NO_ACTION
        # The previous iteration searched one decision less.
        row = tt.row_of(state, depth - 1, rows)
        if not holds(state, rows, row):
            return False, 0.0, tt.NO_ACTION
    entry = rows[row, len(flatten(state))]
    known = values[row, -1]
    is_cutoff = tt.decides(entry, known, depth, work[SEARCH], alpha, beta)
    return is_cutoff, known, tt.entry_action(entry)


@shared
def reset_bounds(rules, state, bits, ply, bounds):
    """Reset the bounds of all outcomes, and return their total probability."""
    mass = 0.0
    for outcome in members(bits):
        bounds[ply, outcome, 0] = LOW
        bounds[ply, outcome, 1] = HIGH
        mass += ask.chance(rules, state, outcome)
    return mass


@shared
def depth_after(depth, chooser, p, reduction):
    """Return the depth after an outcome: less after a second chance node in a row or a rare one."""
    left = depth - 1 if chooser == CHANCE else depth
    return max(left - reduction, 0) if p < UNLIKELY and left > 0 else left


@compiled
def search(rules, state, seat, depth, alpha, beta, profile, star, ply, rows, values, bounds, work):
    """Return the value of a state for the seat, searched to a depth in decisions.

    A value strictly between alpha and beta is exact; at or below alpha it is an upper bound, at
    or above beta a lower bound. Once work[STOP] is set, the value is meaningless.
    """
    work[NODES] += 1
    mover = ask.turn(rules, state)
    if mover == OVER:
        return ask.returns(rules, state, seat)
    if depth < 0 or (depth == 0 and mover != CHANCE):
        work[ESTIMATED] = 1
        return leaf_value(rules, state, seat, profile)
    if work[STOP] != 0:
        return 0.0

    if mover == CHANCE:
        ahead = ask.foreseen(rules, state, profile)
        mass = reset_bounds(rules, state, ahead, ply, bounds)
        # Bounds on the contribution of the outcomes that are not yet searched.
        rest_low, rest_high = mass * LOW, mass * HIGH
        total = 0.0
        # Star2 first probes one action of each outcome, which bounds its value from one side.
        for probing in range(1 if star == STAR2 and depth > 0 else 0, -1, -1):
            for outcome in members(ahead):
                p = ask.chance(rules, state, outcome)
                after = ask.apply(rules, state, outcome)
                chooser = ask.turn(rules, after)
                left = depth_after(depth, chooser, p, int(work[REDUCTION]))
                low, high = LOW - 1.0, HIGH + 1.0
                if probing:
                    # Probe only if it can lead to a cutoff and is not the whole outcome.
                    if chooser < 0 or (beta > HIGH if chooser == seat else alpha < LOW):
                        continue
                    if left == 0:
                        continue
                    actions = ask.candidates(rules, after, chooser, profile)
                    if size(actions) == 1:
                        continue
                    first = probe_table(rules, after, left, low, high, rows, values, work)[2]
                    probe = next_action(rules, actions, first, ply + 1, chooser, left, work)
                    after = ask.apply(rules, after, probe)
                    if chooser == seat:
                        high = min(high, (beta - rest_low) / p + LOW)
                    else:
                        low = max(low, (alpha - rest_high) / p + HIGH)
                else:
                    rest_low -= p * bounds[ply, outcome, 0]
                    rest_high -= p * bounds[ply, outcome, 1]
                    if star != PLAIN:
                        low = max(low, (alpha - total - rest_high) / p)
                        high = min(high, (beta - total - rest_low) / p)
                value = search(
                    rules, after, seat, left - probing, low, high,
                    profile, star, ply + 1 + probing, rows, values, bounds, work,
                )  # fmt: skip
                if not probing:
                    total += p * value
                    # A child outside its window decides the node. Comparing the sum with alpha
                    # and beta would not do: rounding could make a bound look exact.
                    if value <= low:
                        return min(total + rest_high, alpha)
                    if value >= high:
                        return max(total + rest_low, beta)
                elif chooser == seat:
                    rest_low += p * (value - LOW)
                    bounds[ply, outcome, 0] = value
                    if rest_low >= beta:
                        return rest_low
                else:
                    rest_high += p * (value - HIGH)
                    bounds[ply, outcome, 1] = value
                    if rest_high <= alpha:
                        return rest_high
        return total

    first = tt.NO_ACTION
    if uses_table(rules, depth):
        is_cutoff, known, first = probe_table(rules, state, depth, alpha, beta, rows, values, work)
        if is_cutoff:
            return known
    ours = mover == seat
    best, best_action = (LOW - 1.0 if ours else HIGH + 1.0), tt.NO_ACTION
    low, high = alpha, beta
    bits = ask.candidates(rules, state, mover, profile)
    while not is_empty(bits) and low < high:
        action = next_action(rules, bits, first, ply, mover, depth, work)
        bits = exclude(bits, action)
        value = search(
            rules, ask.apply(rules, state, action), seat, depth - 1, low, high,
            profile, star, ply + 1, rows, values, bounds, work,
        )  # fmt: skip
        if (ours and value > best) or (not ours and value < best):
            best, best_action = value, action
        if ours:
            low = max(low, best)
        else:
            high = min(high, best)
        if low >= high:
            record_cutoff(action, ply, mover, depth, work)
    if uses_table(rules, depth) and rows.shape[0] > 0 and work[STOP] == 0:
        row, bound = tt.row_of(state, depth, rows), tt.bound_of(best, alpha, beta)
        tt.store(state, rows, values, row, depth, work[SEARCH], bound, best_action, best)
    return best


@dataclass
class AlphaBeta:
    """Alpha-beta with iterative deepening and a transposition table; star pruning at chance.

    Ties are broken uniformly at random.
    """

    depth: int | None = option(
        None, f"search depth in decisions; {DEFAULT_DEPTH} without a clock", 1, DEEPEST, kind=int
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    table: int = option(64, "MiB of transposition table; 0 for none", 0, 4096)
    pruning: str = option("star2", "pruning at chance nodes", words=" ".join(PRUNING))
    order: str = option("yes", "move ordering by killers and history", words="yes no")
    rare: int = option(0, "depth reduction after unlikely outcomes", 0, 10)
    profile: SearchProfile = 0
    work: np.ndarray = field(default_factory=lambda: np.zeros(WORK, np.int64), repr=False)
    bounds: np.ndarray = field(default_factory=lambda: np.zeros((0, 0, 2)), repr=False)
    states: TranspositionTable | None = field(default=None, repr=False)
    owner: tuple[type, Rules, int] | None = field(default=None, repr=False)

    @property
    def policy_known(self) -> bool:
        """Whether the mixture of a choice depends on the state alone."""
        return not self.seconds

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return Minimax.refuses(rules) or too_many_seats(rules)

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        owner = (type(rules), rules, seat)  # values hold for one seat and one set of rules
        if self.owner != owner:
            self.owner, self.states = owner, tt.make_table(state, self.table)
            self.bounds = np.zeros((MOST_PLIES, ask.outcomes(rules), 2))
        self.work[KILLERS:] = 0
        self.work[NODES] = self.work[STOP] = 0
        self.work[REDUCTION] = self.rare
        self.work[UNORDERED] = self.order == "no"
        values = dict.fromkeys(members(ask.candidates(rules, state, seat, self.profile)), 0.0)
        # Depth 1 takes no time but may compile, so it is searched before the clock starts.
        choice = self.answer(rules, state, seat, 1, values, rng)
        usual = DEEPEST if self.seconds else DEFAULT_DEPTH
        deepest = usual if self.depth is None else min(self.depth, DEEPEST)
        with stop_flag(self.seconds, self.work[STOP : STOP + 1]):
            for depth in range(2, deepest + 1):
                if not self.work[ESTIMATED]:
                    break
                deeper = self.answer(rules, state, seat, depth, values, rng)
                if self.work[STOP]:
                    break
                choice = deeper
        return choice._replace(nodes=int(self.work[NODES]))

    def answer(
        self,
        rules: Rules,
        state: State,
        seat: int,
        depth: int,
        values: dict[int, float],
        rng: Generator,
    ) -> Choice:
        """Return the choice of one iteration; it is meaningless if the clock stopped the search."""
        exact = self.deepen(rules, state, seat, depth, values)
        mixture = uniform_over_best(exact or values)
        action = draw_action(mixture, rng)
        line = (action, *self.table_line(rules, ask.apply(rules, state, action), depth - 1))
        return Choice(action, exact.get(action, 0.0), 0, depth, line, exact, mixture)

    def deepen(
        self, rules: Rules, state: State, seat: int, depth: int, values: dict[int, float]
    ) -> dict[int, float]:
        """Return the exact values of the actions that were best when they were searched.

        All that are best in the end are among them. The given values order the actions, and are
        updated to this depth: exact values, and upper bounds of the others. If the clock stops
        the search, the values of the remaining actions are not updated.
        """
        assert self.states is not None
        self.work[ESTIMATED] = 0
        self.work[SEARCH] = tt.next_search(self.states, int(self.work[SEARCH]))
        exact: dict[int, float] = {}
        best = LOW - 1.0
        tried = list(values) if self.order == "no" else sorted(values, key=lambda one: -values[one])
        for action in tried:
            after = ask.apply(rules, state, action)
            # The window is wide enough for exact values of actions that equal the best.
            low = best - 2 * CLOSE
            value = search(
                rules, after, seat, depth - 1, low, HIGH + 1.0, self.profile,
                PRUNING.index(self.pruning), 1, *self.states, self.bounds, self.work,
            )  # fmt: skip
            if self.work[STOP]:
                break
            values[action] = float(value)
            if value > low:
                exact[action] = float(value)
            best = max(best, value)
        return exact

    def expects(self, rules: Rules, state: State, seat: int, choice: Choice) -> tuple[int, ...]:
        """Return the principal variation; the last decision is searched again."""
        if len(choice.line) < choice.depth - 1:  # more than that was overwritten
            return choice.line
        return Minimax(choice.depth, self.profile).expects(rules, state, seat, choice)

    def table_line(self, rules: Rules, state: State, depth: int) -> list[int]:
        """Return the line of best actions from a state, as far as it is in the table."""
        assert self.states is not None
        line: list[int] = []
        rows = self.states.rows
        while len(rows) and depth > len(line) and ask.turn(rules, state) >= 0:
            row = tt.row_of(state, depth - len(line), rows)
            action = int(tt.entry_action(rows[row, len(flatten(state))]))
            if not holds(state, rows, row) or action == tt.NO_ACTION:
                break
            line.append(action)
            state = ask.apply(rules, state, action)
        return line
