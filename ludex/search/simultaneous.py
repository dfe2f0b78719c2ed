"""Search with simultaneous moves, to a fixed depth or within a time limit.

At a BOTH state there are three models of the opponent. Pessimistic: the seat chooses first and the
opponent sees it, max over its actions of the min over the opponent's. Optimistic: the opponent
chooses first, min over the opponent's actions of the max over its own. Mixed: both play the
optimal mixed strategies of the matrix game, whose value lies between the first two. Where only
one seat moves, and at chance nodes, all three are minimax. Depth counts decisions, as in
`minimax.py`.
"""

from dataclasses import dataclass, field

import numpy as np

from ludex.core.choice import CLOSE, Choice, draw_action
from ludex.core.leaf_value import leaf_value
from ludex.core.options import option
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    actions,
    apply,
    candidates,
    chance,
    foreseen,
    pair,
    returns,
    seats,
    turn,
)
from ludex.core.search_profile import SearchProfile
from ludex.kernel.bits import lowest, members
from ludex.kernel.jit import compiled, shared
from ludex.kernel.matrix_game import solve
from ludex.search.clock import clock
from ludex.search.minimax import DEEPEST
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
    note_bound,
    note_matches,
    note_of,
    row_of,
)

BELOW, ABOVE = -2.0, 2.0  # beyond all values
PESSIMISTIC, OPTIMISTIC, MIXED = range(3)
VIEWS = ("pessimistic", "optimistic", "mixed")
TIES = ("hopeful", "random", "first", "last")
SIMULTANEOUS_DEPTH = 3

UNCUT = 4  # one more place in the array of ints that a search works with

# Among mixtures that are as good the tie rule's wishes, which lie in -1 to 1, decide: they are
# added to the matrix, made this small. So much of the value may be lost.
NUDGE = 1e-6
ALIKE = 1e-6  # wishes that differ by no more than this are the same


@shared
def joint(seat, ours, theirs):
    """Return the move in which the seat and the other choose these actions."""
    return pair(ours, theirs) if seat == 0 else pair(theirs, ours)


# Arrays in a tuple cost a function that calls itself counting who holds them, a sixth of its time.
@compiled
def search(rules, state, seat, depth, low, high, view, profile, games, scratch, rows, values, work):
    """Return what the state is worth to the seat, looking this many decisions ahead.

    A value strictly between low and high is exact; at or below low it is an upper bound, at or
    above high a lower bound. With work[UNCUT] nothing is cut, and every value is exact. After
    work[STOP] is set the value means nothing. games[depth] is room for a matrix, written in
    every view; scratch[0] and scratch[1] have mixtures in their first rows, scratch[2] is for
    `solve`.
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
        total = 0.0
        bits = foreseen(rules, state, profile)
        while bits:
            outcome = lowest(bits)
            bits &= bits - 1
            after = apply(rules, state, outcome)
            left = depth - 1 if turn(rules, after) == CHANCE else depth
            total += chance(rules, state, outcome) * search(
                rules, after, seat, left, BELOW, ABOVE,
                view, profile, games, scratch, rows, values, work,
            )  # fmt: skip
        return total

    tabled = rows.shape[0] > 0
    row = row_of(state, depth, rows) if tabled else 0
    if (
        tabled
        and holds(state, rows, row)
        and note_matches(rows[row, len(state)], depth, work[SEARCH])
    ):
        known, bound = values[row], note_bound(rows[row, len(state)])
        if (
            bound == EXACT
            or (bound == AT_LEAST and known >= high)
            or (bound == AT_MOST and known <= low)
        ):
            return known
    # Who chooses first takes the best of `ways`, the other then the worst of `answers`; with one
    # mover there is nothing to answer. All is written for a maximiser: a minimiser's values and
    # bounds change their signs. A mixture needs the whole matrix, in the seat's own signs: so the
    # seat leads, and nothing is cut.
    by_mixture = mover == BOTH and view == MIXED
    leader = mover
    answers = 1
    if mover == BOTH:
        leader = 1 - seat if view == OPTIMISTIC else seat
        answers = candidates(rules, state, 1 - leader, profile)
    if by_mixture:
        low, high = BELOW, ABOVE
    sign = 1.0 if leader == seat else -1.0
    floor, roof = (low, high) if leader == seat else (-high, -low)
    ways = candidates(rules, state, leader, profile)
    best = BELOW
    height = width = 0
    while ways and best < roof:
        action = lowest(ways)
        ways &= ways - 1
        worst = ABOVE
        width = 0
        bits = answers
        while bits:
            move = joint(leader, action, lowest(bits)) if mover == BOTH else action
            bits &= bits - 1
            bottom, top = max(floor, best), min(roof, worst)
            if by_mixture or work[UNCUT] != 0:
                bottom, top = BELOW, ABOVE
            worth = sign * search(
                rules, apply(rules, state, move), seat, depth - 1,
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
    if by_mixture and work[STOP] == 0:
        best = solve(games[depth], height, width, scratch[0, 0], scratch[1, 0], scratch[2])
    if tabled and work[STOP] == 0:
        bound = AT_MOST if best <= low else AT_LEAST if best >= high else EXACT
        note = note_of(depth, work[SEARCH], bound, NO_ACTION)
        keep(state, rows, values, row, note, best, work[SEARCH])
    return best


@compiled
def fill(rules, state, seat, depth, matrix, space):
    """Write what every action of the seat is worth into a row, with a column for each answer.

    Where the seat has the turn alone there is one column. The space is what `search` takes last.
    """
    profile = space[1]
    both = turn(rules, state) == BOTH
    mine = candidates(rules, state, seat, profile)
    theirs = candidates(rules, state, 1 - seat, profile) if both else 1
    height = 0
    while mine:
        width = 0
        bits = theirs
        while bits:
            move = joint(seat, lowest(mine), lowest(bits)) if both else lowest(mine)
            after = apply(rules, state, move)
            matrix[height, width] = search(rules, after, seat, depth - 1, BELOW, ABOVE, *space)
            width += 1
            bits &= bits - 1
        height += 1
        mine &= mine - 1


def pessimistic_values(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the value, and what each action is worth: its worst."""
    worst = matrix.min(axis=1)
    return float(worst.max()), worst


def optimistic_values(matrix: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the value, and what each action is worth against what the other then does.

    The other takes the answer to which the best of ours is worth least; among equal ones any,
    so that an action is worth its average against them. No action need be worth the value,
    which is that of knowing the answer.
    """
    most = matrix.max(axis=0)
    value = most.min()
    return float(value), matrix[:, most <= value + CLOSE].mean(axis=1)


def best_mixture(worth: np.ndarray, wishes: np.ndarray) -> np.ndarray:
    """Return the mixture of the most worth, then of the greatest wishes, equals as likely."""
    best = np.where(worth >= worth.max() - CLOSE, wishes, -np.inf)
    equals = best >= best.max() - ALIKE
    return np.asarray(equals / equals.sum())


def mixed_values(
    matrix: np.ndarray, wishes: np.ndarray, others: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the value, what each action is worth against how the other chooses, and our mixture.

    Both choose by the value, and then by what they wish.
    """
    value, ours, _, against = solve_with_wishes(matrix, wishes)
    _, theirs, sure, _ = solve_with_wishes(np.ascontiguousarray(-matrix.T), others)
    return value, matrix @ (theirs if sure else against), ours


def solve_with_wishes(
    matrix: np.ndarray, wishes: np.ndarray
) -> tuple[float, np.ndarray, bool, np.ndarray]:
    """Return the value, our mixture, whether an action is as good by itself, and one of the other.

    Among our mixtures that are as good it is one of the greatest wishes. Where that is one action
    for certain, those that would do as well are as likely; otherwise which one is not defined.
    """
    height, width = matrix.shape
    first, second, unused = np.zeros(height), np.zeros(width), np.zeros(width)
    work = np.zeros((height + 2, width + 2))
    value = solve(matrix, height, width, first, second, work)
    solve(matrix + NUDGE * wishes[:, None], height, width, first, unused, work)
    certain = bool(first.max() > 1.0 - CLOSE)
    if certain:
        sure, least = int(first.argmax()), matrix.min(axis=1)
        equals = (least >= least[sure] - CLOSE) & (abs(wishes - wishes[sure]) <= ALIKE)
        first = equals / equals.sum()
    return float(value), first, certain, second


@dataclass
class Simultaneous:
    """Searches games with simultaneous moves, with one of three models of the opponent.

    The view says what the other knows: `pessimistic`, it sees our action first; `optimistic`, we
    see its action first (the answer is the best on average against those of its actions that
    then hurt most); `mixed`, neither, and the action is drawn from the best mixture.
    Among actions, or mixtures, that are equally good `ties` decides. `hopeful`: the one that
    would be worth most on average if the other chose at random now, and any of equal ones;
    `random`: any action that is as good by itself; `first` and `last`: by the number of the
    action. Where no action is the best by itself, `random` takes some best mixture.
    """

    depth: int | None = option(
        None,
        f"search depth in decisions; {SIMULTANEOUS_DEPTH} without a clock",
        1,
        DEEPEST,
        kind=int,
    )
    seconds: float = option(0.0, "time for a decision", 0, 3600)
    view: str = option("mixed", "what the opponent knows of our choice", words=" ".join(VIEWS))
    ties: str = option("hopeful", "tie-breaking among equally good actions", words=" ".join(TIES))
    table: int = option(64, "MiB of transposition table; 0 for none", 0, 4096)
    profile: SearchProfile = 0
    whole: int = field(default=0, repr=False)
    """Whether nothing is cut: slower, with the same values."""
    work: np.ndarray = field(default_factory=lambda: np.zeros(UNCUT + 1, np.int64), repr=False)
    states: TranspositionTable | None = field(default=None, repr=False)
    owner: tuple[type, Rules, int] | None = field(default=None, repr=False)

    @property
    def policy_known(self) -> bool:
        """Whether the mixture of a choice depends on the state alone."""
        return not self.seconds

    @staticmethod
    def refuses(rules: Rules) -> str:
        """Return why it cannot play by these rules, or nothing."""
        return "" if seats(rules) == 2 else "it is for two seats"

    def consider(self, rules: Rules, state: State, seat: int, rng: np.random.Generator) -> Choice:
        """Return what the seat, which is to act, should do."""
        owner = (type(rules), rules, seat)  # values are worth to one seat, by one set of rules
        if self.owner != owner:
            self.owner, self.states = owner, make_table(state, self.table)
        self.work[NODES] = self.work[STOP] = 0
        self.work[UNCUT] = self.whole
        # The first depth takes no time, and compiles, which may: so it is not under the clock.
        matrix, found = self.deepen(rules, state, seat, 1), 1
        usual = DEEPEST if self.seconds else SIMULTANEOUS_DEPTH
        deepest = usual if self.depth is None else self.depth
        with clock(self.seconds, self.work[STOP : STOP + 1]):
            for depth in range(2 if self.seconds else max(2, deepest), deepest + 1):
                if not self.work[GUESSED]:
                    break
                deeper = self.deepen(rules, state, seat, depth)
                if self.work[STOP]:
                    break
                matrix, found = deeper, depth
        return self.choose(rules, state, seat, matrix, rng)._replace(
            nodes=int(self.work[NODES]), depth=found
        )

    def deepen(self, rules: Rules, state: State, seat: int, depth: int) -> np.ndarray:
        """Return what every action of the seat is worth against every answer."""
        assert self.states is not None
        self.work[GUESSED] = 0
        self.work[SEARCH] = next_search(self.states, int(self.work[SEARCH]))
        size = actions(rules)
        height = len(members(candidates(rules, state, seat, self.profile)))
        both = turn(rules, state) == BOTH
        width = len(members(candidates(rules, state, 1 - seat, self.profile))) if both else 1
        matrix = np.zeros((height, width))
        room = np.zeros((depth, size, size)), np.zeros((3, size + 2, size + 2))
        space = (VIEWS.index(self.view), self.profile, *room, *self.states, self.work)
        fill(rules, state, seat, depth, matrix, space)
        return matrix

    def choose(
        self, rules: Rules, state: State, seat: int, matrix: np.ndarray, rng: np.random.Generator
    ) -> Choice:
        """Return the choice in a matrix of values."""
        mine = members(candidates(rules, state, seat, self.profile))
        wishes = self.wishes(matrix)
        if self.view == "mixed":
            value, worth, weights = mixed_values(matrix, wishes, self.wishes(-matrix.T))
        else:
            value, worth = (
                pessimistic_values if self.view == "pessimistic" else optimistic_values
            )(matrix)
            weights = best_mixture(worth, wishes)
        values = {action: float(one) for action, one in zip(mine, worth, strict=True)}
        mixture = {action: float(p) for action, p in zip(mine, weights, strict=True) if p > 0.0}
        action = draw_action(mixture, rng)
        return Choice(action, value, 0, 0, (action,), values, mixture)

    def wishes(self, matrix: np.ndarray) -> np.ndarray:
        """Return in -1 to 1 how much each action is preferred to others that are as good."""
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
