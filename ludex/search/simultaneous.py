"""Search with simultaneous moves, to a fixed depth or within a time limit.

At a BOTH state there are three models of the opponent. Pessimistic: the opponent sees our action,
max over our actions of the min over theirs. Optimistic: we see theirs, min over their actions of
the max over ours. Mixed: both play optimal mixed strategies of the matrix game, whose value lies
between the first two. Where only one seat moves, and at chance nodes, all three are minimax. Depth
counts decisions, as in `minimax.py`.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator

from ludex.core import rules as ask
from ludex.core.choice import CLOSE, Choice, draw_action
from ludex.core.leaf_value import leaf_value
from ludex.core.options import option
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import members
from ludex.kernel.hash_table import holds
from ludex.kernel.jit import compiled, shared
from ludex.kernel.matrix_game import solve
from ludex.kernel.tuples import flatten
from ludex.search import transposition as tt
from ludex.search.clock import stop_flag
from ludex.search.minimax import DEEPEST
from ludex.search.transposition import ESTIMATED, NODES, SEARCH, STOP, TranspositionTable

BELOW, ABOVE = -2.0, 2.0  # beyond all values
PESSIMISTIC, OPTIMISTIC, MIXED = range(3)
VIEWS = ("pessimistic", "optimistic", "mixed")
TIES = ("hopeful", "random", "first", "last")
DEFAULT_DEPTH = 3

NO_PRUNING = 4  # one more index into the work array

# Ties between optimal mixtures are broken by adding the preferences, from -1 to 1, to the matrix
# with this weight; the value may be off by as much.
TIE_WEIGHT = 1e-6
SAME_PREFERENCE = 1e-6  # preferences closer than this are equal


@shared
def joint(seat, ours, theirs):
    """Return the move in which the seat and its opponent choose these actions."""
    return ask.pair(ours, theirs) if seat == 0 else ask.pair(theirs, ours)


@compiled
def search(rules, state, seat, depth, low, high, view, profile, games, scratch, rows, values, work):
    """Return the value of a state for the seat, searched to a depth in decisions.

    A value strictly between low and high is exact; at or below low it is an upper bound, at or
    above high a lower bound. With work[NO_PRUNING] every value is exact. Once work[STOP] is set,
    the value is meaningless. games[depth] is scratch for a matrix; scratch[0] and scratch[1] have
    mixtures in their first rows, scratch[2] is for `solve`.
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
        total = 0.0
        for outcome in members(ask.foreseen(rules, state, profile)):
            after = ask.apply(rules, state, outcome)
            left = depth - 1 if ask.turn(rules, after) == CHANCE else depth
            total += ask.chance(rules, state, outcome) * search(
                rules, after, seat, left, BELOW, ABOVE,
                view, profile, games, scratch, rows, values, work,
            )  # fmt: skip
        return total

    has_table = rows.shape[0] > 0
    row = tt.row_of(state, depth, rows) if has_table else 0
    if has_table and holds(state, rows, row):
        known, entry = values[row, -1], rows[row, len(flatten(state))]
        if tt.decides(entry, known, depth, work[SEARCH], low, high):
            return known
    # The leader chooses first and maximises; the follower then minimises over its answers, of
    # which there is one if only the leader moves. If the opponent leads, values and bounds change
    # sign. A mixture needs the whole matrix, in the seat's signs: the seat leads without pruning.
    mixes = mover == BOTH and view == MIXED
    leader = mover
    answers = ask.lone_move(rules)
    if mover == BOTH:
        leader = 1 - seat if view == OPTIMISTIC else seat
        answers = ask.candidates(rules, state, 1 - leader, profile)
    if mixes:
        low, high = BELOW, ABOVE
    sign = 1.0 if leader == seat else -1.0
    alpha, beta = (low, high) if leader == seat else (-high, -low)
    best = BELOW
    height = width = 0
    for action in members(ask.candidates(rules, state, leader, profile)):
        if best >= beta:
            break
        worst = ABOVE
        width = 0
        for answer in members(answers):
            move = joint(leader, action, answer) if mover == BOTH else action
            bottom, top = max(alpha, best), min(beta, worst)
            if mixes or work[NO_PRUNING] != 0:
                bottom, top = BELOW, ABOVE
            worth = sign * search(
                rules, ask.apply(rules, state, move), seat, depth - 1,
                bottom if leader == seat else -top, top if leader == seat else -bottom,
                view, profile, games, scratch, rows, values, work,
            )  # fmt: skip
            games[depth, height, width] = worth
            width += 1
            worst = min(worst, worth)
            if worst <= bottom:
                break
        height += 1
        best = max(best, worst)
    best *= sign
    if mixes and work[STOP] == 0:
        best = solve(games[depth], height, width, scratch[0, 0], scratch[1, 0], scratch[2])
    if has_table and work[STOP] == 0:
        bound = tt.bound_of(best, low, high)
        tt.store(state, rows, values, row, depth, work[SEARCH], bound, tt.NO_ACTION, best)
    return best


@compiled
def fill_matrix(rules, state, seat, depth, matrix, space):
    """Write the value of each action of the seat, a row, against each of the opponent, a column.

    There is one column if only the seat moves. `space` holds the last arguments of `search`.
    """
    profile = space[1]
    both = ask.turn(rules, state) == BOTH
    mine = ask.candidates(rules, state, seat, profile)
    theirs = ask.candidates(rules, state, 1 - seat, profile) if both else ask.lone_move(rules)
    height = 0
    for action in members(mine):
        width = 0
        for answer in members(theirs):
            move = joint(seat, action, answer) if both else action
            after = ask.apply(rules, state, move)
            matrix[height, width] = search(rules, after, seat, depth - 1, BELOW, ABOVE, *space)
            width += 1
        height += 1


def pessimistic_values(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the value of the state, and of each action: its worst case."""
    worst = matrix.min(axis=1)
    return float(worst.max()), worst


def optimistic_values(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the value of the state, and of each action against the opponent's best choice.

    Ties of the opponent are broken uniformly at random. No action need have the value of the
    state, which supposes that we see the opponent's action.
    """
    most = matrix.max(axis=0)
    value = most.min()
    return float(value), matrix[:, most <= value + CLOSE].mean(axis=1)


def best_mixture(worth: np.ndarray, preferences: np.ndarray) -> np.ndarray:
    """Return the best mixture; ties are broken by preference, then uniformly."""
    best = np.where(worth >= worth.max() - CLOSE, preferences, -np.inf)
    equals = best >= best.max() - SAME_PREFERENCE
    return np.asarray(equals / equals.sum())


def mixed_values(
    matrix: np.ndarray, preferences: np.ndarray, their_preferences: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the value, that of each action against the opponent's mixture, and our mixture.

    Both break ties by their preferences.
    """
    value, ours, _, against = solve_with_preferences(matrix, preferences)
    _, theirs, sure, _ = solve_with_preferences(np.ascontiguousarray(-matrix.T), their_preferences)
    return value, matrix @ (theirs if sure else against), ours


def solve_with_preferences(
    matrix: np.ndarray, preferences: np.ndarray
) -> tuple[float, np.ndarray, bool, np.ndarray]:
    """Return the value, our mixture, whether it is pure, and an optimal mixture of the opponent.

    Our mixture is an optimal one of the highest preference. If a single action is optimal, the
    mixture is uniform over all such actions of equal preference.
    """
    height, width = matrix.shape
    first, second, unused = np.zeros(height), np.zeros(width), np.zeros(width)
    work = np.zeros((height + 2, width + 2))
    value = solve(matrix, height, width, first, second, work)
    solve(matrix + TIE_WEIGHT * preferences[:, None], height, width, first, unused, work)
    certain = bool(first.max() > 1.0 - CLOSE)
    if certain:
        sure, least = int(first.argmax()), matrix.min(axis=1)
        equals = (least >= least[sure] - CLOSE) & (
            abs(preferences - preferences[sure]) <= SAME_PREFERENCE
        )
        first = equals / equals.sum()
    return float(value), first, certain, second


@dataclass
class Simultaneous:
    """Searches games with simultaneous moves, with one of three models of the opponent.

    The view says what the opponent knows: `pessimistic`, it sees our action; `optimistic`, we see
    its action (ours is the best on average against its best choices); `mixed`, neither, and the
    action is drawn from an optimal mixture. `ties` decides among equally good actions or
    mixtures: `hopeful`, the best against a uniformly random opponent; `random`, uniformly at
    random, or any optimal mixture if no single action is optimal; `first` and `last`, by the
    number of the action.
    """

    depth: int | None = option(
        None, f"search depth in decisions; {DEFAULT_DEPTH} without a clock", 1, DEEPEST, kind=int
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    view: str = option("mixed", "what the opponent knows of our choice", words=" ".join(VIEWS))
    ties: str = option("hopeful", "tie-breaking among equally good actions", words=" ".join(TIES))
    table: int = option(64, "MiB of transposition table; 0 for none", 0, 4096)
    profile: SearchProfile = 0
    unpruned: int = field(default=0, repr=False)
    """Whether to search without pruning: slower, with the same values."""
    work: np.ndarray = field(default_factory=lambda: np.zeros(NO_PRUNING + 1, np.int64), repr=False)
    states: TranspositionTable | None = field(default=None, repr=False)
    owner: tuple[type, Rules, int] | None = field(default=None, repr=False)

    @property
    def policy_known(self) -> bool:
        """Whether the mixture of a choice depends on the state alone."""
        return not self.seconds

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return "" if ask.seats(rules) == 2 else "it is for two seats"

    def consider(self, rules: Rules, state: State, seat: int, rng: Generator) -> Choice:
        """Return the choice of the seat to move."""
        owner = (type(rules), rules, seat)  # values hold for one seat and one set of rules
        if self.owner != owner:
            self.owner, self.states = owner, tt.make_table(state, self.table)
        self.work[NODES] = self.work[STOP] = 0
        self.work[NO_PRUNING] = self.unpruned
        # Depth 1 takes no time but may compile, so it is searched before the clock starts.
        matrix, found = self.deepen(rules, state, seat, 1), 1
        usual = DEEPEST if self.seconds else DEFAULT_DEPTH
        deepest = usual if self.depth is None else self.depth
        with stop_flag(self.seconds, self.work[STOP : STOP + 1]):
            for depth in range(2 if self.seconds else max(2, deepest), deepest + 1):
                if not self.work[ESTIMATED]:
                    break
                deeper = self.deepen(rules, state, seat, depth)
                if self.work[STOP]:
                    break
                matrix, found = deeper, depth
        return self.choose(rules, state, seat, matrix, rng)._replace(
            nodes=int(self.work[NODES]), depth=found
        )

    def deepen(self, rules: Rules, state: State, seat: int, depth: int) -> np.ndarray:
        """Return the matrix of values: a row for each action of the seat, as in `fill_matrix`."""
        assert self.states is not None
        self.work[ESTIMATED] = 0
        self.work[SEARCH] = tt.next_search(self.states, int(self.work[SEARCH]))
        size = ask.actions(rules)
        height = len(members(ask.candidates(rules, state, seat, self.profile)))
        both = ask.turn(rules, state) == BOTH
        width = len(members(ask.candidates(rules, state, 1 - seat, self.profile))) if both else 1
        matrix = np.zeros((height, width))
        room = np.zeros((depth, size, size)), np.zeros((3, size + 2, size + 2))
        space = (VIEWS.index(self.view), self.profile, *room, *self.states, self.work)
        fill_matrix(rules, state, seat, depth, matrix, space)
        return matrix

    def choose(
        self, rules: Rules, state: State, seat: int, matrix: np.ndarray, rng: Generator
    ) -> Choice:
        """Return the choice of the seat from its matrix of values."""
        mine = members(ask.candidates(rules, state, seat, self.profile))
        preferences = self.preferences(matrix)
        if self.view == "mixed":
            value, worth, weights = mixed_values(matrix, preferences, self.preferences(-matrix.T))
        else:
            value, worth = (
                pessimistic_values if self.view == "pessimistic" else optimistic_values
            )(matrix)
            weights = best_mixture(worth, preferences)
        values = {action: float(one) for action, one in zip(mine, worth, strict=True)}
        mixture = {action: float(p) for action, p in zip(mine, weights, strict=True) if p > 0.0}
        action = draw_action(mixture, rng)
        return Choice(action, value, 0, 0, (action,), values, mixture)

    def preferences(self, matrix: np.ndarray) -> np.ndarray:
        """Return the tie-breaking preference of each action, from -1 to 1."""
        ranks = np.arange(len(matrix)) / len(matrix)
        match self.ties:
            case "first":
                return -ranks
            case "last":
                return ranks
            case "hopeful":
                return np.asarray(matrix.mean(axis=1))
            case _:
                return np.zeros(len(matrix))
