"""Alpha-beta: the minimax value, with most of the tree pruned.

Iterative deepening with a transposition table (`transposition.py`), moves ordered by the table,
killers and history. Chance nodes are bounded by Ballard's star1 and star2: a value outside the
window is recognised from some of the outcomes, in star2 after probing one action of each. The
bounds rely on values from -1 to 1. With `rare`, unlikely outcomes are searched less deeply, which
leaves time for another decision or two; the value is then that of a minimax that does the same.
"""

from dataclasses import dataclass, field

import numpy as np

from ludex.core.choice import CLOSE, Choice, draw_action, uniform_best
from ludex.core.leaf_value import leaf_value
from ludex.core.options import option
from ludex.core.rules import (
    CHANCE,
    MOST_SEATS,
    OVER,
    Rules,
    State,
    apply,
    candidates,
    chance,
    foreseen,
    outcomes,
    returns,
    turn,
)
from ludex.core.search_profile import UNLIKELY, SearchProfile
from ludex.kernel.bits import lowest, members
from ludex.kernel.jit import compiled, shared
from ludex.search.clock import clock
from ludex.search.minimax import DEEPEST, Minimax, too_many
from ludex.search.transposition import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    GUESSED,
    NO_ACTION,
    NODES,
    SEARCH,
    STOP,
    TranspositionTable,
    holds,
    keep,
    make_table,
    next_search,
    note_action,
    note_bound,
    note_matches,
    note_of,
    row_of,
)

LOW, HIGH = -1.0, 1.0
PLAIN, STAR1, STAR2 = 0, 1, 2
PRUNING = ("none", "star1", "star2")
ALPHABETA_DEPTH = 6

# More places in the array of ints that a search works with.
LESS, LISTED = 4, 5
KILLERS = 8  # two for each ply
MOST_PLIES = (
    256  # more than the longest line has: DEEPEST decisions, chance after each, and a probe
)
HISTORY = KILLERS + 2 * (MOST_PLIES + 1)  # how often an action of a seat has cut, 64 for each seat
WORK = HISTORY + 64 * MOST_SEATS


@shared
def worth_keeping(rules, depth):
    """Return whether the table saves more than it costs where this many decisions are left.

    With chance ahead the last decision has a whole tree below it, without it only leaves.
    """
    return depth > 1 or (depth == 1 and outcomes(rules) > 0)


@shared
def next_action(rules, bits, first, ply, mover, depth, work):
    """Return which of the actions to try next."""
    if work[LISTED] != 0:
        return lowest(bits)
    if first != NO_ACTION and bits >> first & 1:
        return int(first)
    for place in range(KILLERS + 2 * ply, KILLERS + 2 * ply + 2):
        killer = work[place]
        if killer != 0 and bits >> (killer - 1) & 1:
            return int(killer) - 1
    best = lowest(bits)
    if worth_keeping(rules, depth):
        rest = bits & (bits - 1)
        while rest:
            action = lowest(rest)
            if work[HISTORY + 64 * mover + action] > work[HISTORY + 64 * mover + best]:
                best = action
            rest &= rest - 1
    return best


@shared
def remember_cut(action, ply, mover, depth, work):
    """Note that an action refuted the line, for its siblings."""
    place = KILLERS + 2 * ply
    if work[place] != action + 1:
        work[place + 1] = work[place]
        work[place] = action + 1
    work[HISTORY + 64 * mover + action] += depth * depth


@shared
def recall(rules, state, depth, alpha, beta, rows, values, work):
    """Return whether the table settles a state, its value if so, and the action to try first."""
    if rows.shape[0] == 0:
        return False, 0.0, NO_ACTION
    row = row_of(state, depth, rows)
    if not holds(state, rows, row):
        if not worth_keeping(rules, depth - 1):
            return False, 0.0, NO_ACTION
        # The search before this one went one decision less deep.
        row = row_of(state, depth - 1, rows)
        if not holds(state, rows, row):
            return False, 0.0, NO_ACTION
    note = rows[row, len(state)]
    known, bound = values[row], note_bound(note)
    settled = note_matches(note, depth, work[SEARCH]) and (
        bound == EXACT
        or (bound == AT_LEAST and known >= beta)
        or (bound == AT_MOST and known <= alpha)
    )
    return settled, known, note_action(note)


@shared
def forget_bounds(rules, state, bits, ply, bounds):
    """Set the bounds of all outcomes to what any value has, and return their probability."""
    mass = 0.0
    while bits:
        outcome = lowest(bits)
        bounds[ply, outcome, 0] = LOW
        bounds[ply, outcome, 1] = HIGH
        mass += chance(rules, state, outcome)
        bits &= bits - 1
    return mass


@shared
def depth_after(depth, chooser, p, less):
    """Return how deep to look after an outcome: a second chance in a row, or a rare one, costs."""
    left = depth - 1 if chooser == CHANCE else depth
    return max(left - less, 0) if p < UNLIKELY and left > 0 else left


# Arrays in a tuple cost a function that calls itself counting who holds them, a tenth of its time.
@compiled
def search(rules, state, seat, depth, alpha, beta, profile, star, ply, rows, values, bounds, work):
    """Return what the state is worth to the seat, looking this many decisions ahead.

    A value strictly between alpha and beta is exact; at or below alpha it is an upper bound, at
    or above beta a lower bound. Once work[STOP] is set the value means nothing.
    """
    work[NODES] += 1
    mover = turn(rules, state)
    if mover == OVER:
        return returns(rules, state, seat)
    if depth < 0 or (depth == 0 and mover != CHANCE):
        work[GUESSED] = 1
        return leaf_value(rules, state, seat, profile)
    if work[STOP] != 0:
        return 0.0

    if mover == CHANCE:
        ahead = foreseen(rules, state, profile)
        mass = forget_bounds(rules, state, ahead, ply, bounds)
        # What the outcomes that have not been searched add at least and at most.
        rest_low, rest_high = mass * LOW, mass * HIGH
        total = 0.0
        # Star2 first probes one action in each outcome: it bounds the outcome from one side.
        for probing in range(1 if star == STAR2 and depth > 0 else 0, -1, -1):
            bits = ahead
            while bits:
                outcome = lowest(bits)
                bits &= bits - 1
                p = chance(rules, state, outcome)
                after = apply(rules, state, outcome)
                chooser = turn(rules, after)
                left = depth_after(depth, chooser, p, int(work[LESS]))
                low, high = LOW - 1.0, HIGH + 1.0
                if probing:
                    # A probe pays where it can lead to a cut, and is not the whole outcome.
                    if chooser < 0 or (beta > HIGH if chooser == seat else alpha < LOW):
                        continue
                    if left == 0:
                        continue
                    actions = candidates(rules, after, chooser, profile)
                    if actions & (actions - 1) == 0:
                        continue
                    first = recall(rules, after, left, low, high, rows, values, work)[2]
                    probe = next_action(rules, actions, first, ply + 1, chooser, left, work)
                    after = apply(rules, after, probe)
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
                worth = search(
                    rules, after, seat, left - probing, low, high,
                    profile, star, ply + 1 + probing, rows, values, bounds, work,
                )  # fmt: skip
                if not probing:
                    total += p * worth
                    # A child that is a bound settles the node. The sum of all does so too, but
                    # for rounding, by which it would pass for exact.
                    if worth <= low:
                        return min(total + rest_high, alpha)
                    if worth >= high:
                        return max(total + rest_low, beta)
                elif chooser == seat:
                    rest_low += p * (worth - LOW)
                    bounds[ply, outcome, 0] = worth
                    if rest_low >= beta:
                        return rest_low
                else:
                    rest_high += p * (worth - HIGH)
                    bounds[ply, outcome, 1] = worth
                    if rest_high <= alpha:
                        return rest_high
        return total

    first = NO_ACTION
    if worth_keeping(rules, depth):
        settled, known, first = recall(rules, state, depth, alpha, beta, rows, values, work)
        if settled:
            return known
    ours = mover == seat
    best, best_action = (LOW - 1.0 if ours else HIGH + 1.0), NO_ACTION
    low, high = alpha, beta
    bits = candidates(rules, state, mover, profile)
    while bits and low < high:
        action = next_action(rules, bits, first, ply, mover, depth, work)
        bits &= ~(1 << action)
        worth = search(
            rules, apply(rules, state, action), seat, depth - 1, low, high,
            profile, star, ply + 1, rows, values, bounds, work,
        )  # fmt: skip
        if (ours and worth > best) or (not ours and worth < best):
            best, best_action = worth, action
        if ours:
            low = max(low, best)
        else:
            high = min(high, best)
        if low >= high:
            remember_cut(action, ply, mover, depth, work)
    if worth_keeping(rules, depth) and rows.shape[0] > 0 and work[STOP] == 0:
        bound = AT_MOST if best <= alpha else AT_LEAST if best >= beta else EXACT
        note = note_of(depth, work[SEARCH], bound, best_action)
        keep(state, rows, values, row_of(state, depth, rows), note, best, work[SEARCH])
    return best


@dataclass
class AlphaBeta:
    """Alpha-beta with iterative deepening and a transposition table; star pruning at chance.

    Ties are broken uniformly at random.
    """

    depth: int | None = option(
        None, f"search depth in decisions; {ALPHABETA_DEPTH} without a clock", 1, DEEPEST, kind=int
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    table: int = option(64, "MiB of transposition table; 0 for none", 0, 4096)
    pruning: str = option("star2", "pruning at chance nodes", words=" ".join(PRUNING))
    order: str = option("yes", "move ordering by killers and history", words="yes no")
    rare: int = option(0, "depth reduction after unlikely outcomes", 0, 10)
    profile: SearchProfile = 0
    work: np.ndarray = field(default_factory=lambda: np.zeros(WORK, np.int64), repr=False)
    bounds: np.ndarray = field(default_factory=lambda: np.zeros((MOST_PLIES, 64, 2)), repr=False)
    states: TranspositionTable | None = field(default=None, repr=False)
    view: tuple[type, Rules, int] | None = field(default=None, repr=False)

    @property
    def policy_known(self) -> bool:
        """Whether the mixture of a choice depends on the state alone."""
        return not self.seconds

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return Minimax.refuses(rules) or too_many(rules)

    def consider(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> Choice:
        """Return what the seat, which is to act, should do."""
        view = (type(rules), rules, seat)  # values are worth to one seat, by one set of rules
        if self.view != view:
            self.view, self.states = view, make_table(state, self.table)
        self.work[KILLERS:] = 0
        self.work[NODES] = self.work[STOP] = 0
        self.work[LESS] = self.rare
        self.work[LISTED] = self.order == "no"
        values = dict.fromkeys(members(candidates(rules, state, seat, self.profile)), 0.0)
        # The first depth takes no time, and compiles, which may: so it is not under the clock.
        found = self.answer(rules, state, seat, 1, values, rng)
        usual = DEEPEST if self.seconds else ALPHABETA_DEPTH
        deepest = usual if self.depth is None else min(self.depth, DEEPEST)
        with clock(self.seconds, self.work[STOP : STOP + 1]):
            for depth in range(2, deepest + 1):
                if not self.work[GUESSED]:
                    break
                deeper = self.answer(rules, state, seat, depth, values, rng)
                if self.work[STOP]:
                    break
                found = deeper
        return found._replace(nodes=int(self.work[NODES]))

    def answer(
        self,
        rules: Rules,
        state: State,
        seat: int,
        depth: int,
        values: dict[int, float],
        rng: np.random.Generator,
    ) -> Choice:
        """Return the choice of one depth; it means nothing if the clock has stopped the search."""
        exact = self.deepen(rules, state, seat, depth, values)
        mixture = uniform_best(exact or values)
        action = draw_action(mixture, rng)
        line = (action, *self.table_line(rules, apply(rules, state, action), depth - 1))
        return Choice(action, exact.get(action, 0.0), 0, depth, line, exact, mixture)

    def deepen(
        self, rules: Rules, state: State, seat: int, depth: int, values: dict[int, float]
    ) -> dict[int, float]:
        """Return the exact values of the actions that were the best when they were searched.

        Among them are all that are best in the end. The given values say in which order they are
        searched, and become those of this depth: exact ones, and upper bounds for the others.
        After the clock has stopped it, both have only what was searched until then.
        """
        assert self.states is not None
        self.work[GUESSED] = 0
        self.work[SEARCH] = next_search(self.states, int(self.work[SEARCH]))
        exact: dict[int, float] = {}
        best = LOW - 1.0
        tried = list(values) if self.order == "no" else sorted(values, key=lambda one: -values[one])
        for action in tried:
            after = apply(rules, state, action)
            # Actions that are as good as the best get their exact values too.
            low = best - 2 * CLOSE
            worth = search(
                *(rules, after, seat, depth - 1, low, HIGH + 1.0, self.profile),
                *(PRUNING.index(self.pruning), 1, *self.states, self.bounds, self.work),
            )
            if self.work[STOP]:
                break
            values[action] = float(worth)
            if worth > low:
                exact[action] = float(worth)
            best = max(best, worth)
        return exact

    def expects(self, rules: Rules, state: State, seat: int, choice: Choice) -> tuple[int, ...]:
        """Return the line that it expects, with the last decision, which no table has kept."""
        if len(choice.line) < choice.depth - 1:  # the table has lost more than that
            return choice.line
        return Minimax(choice.depth, self.profile).expects(rules, state, seat, choice)

    def table_line(self, rules: Rules, state: State, depth: int) -> list[int]:
        """Return the line of best actions from a state, as far as the table knows it."""
        assert self.states is not None
        line: list[int] = []
        rows = self.states.rows
        while len(rows) and depth > len(line) and turn(rules, state) >= 0:
            row = row_of(state, depth - len(line), rows)
            action = int(note_action(rows[row, len(state)]))
            if not holds(state, rows, row) or action == NO_ACTION:
                break
            line.append(action)
            state = apply(rules, state, action)
        return line
