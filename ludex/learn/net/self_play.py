"""Matches of a network against itself, many side by side, and the examples that they leave."""

from typing import NamedTuple

import numpy as np

from ludex.core import rules as ask
from ludex.core.observation import bounds, legal_bits
from ludex.core.rules import BOTH, OVER, Rules, initial, view
from ludex.core.time_control import PLIES
from ludex.kernel.bits import contains
from ludex.kernel.counter_rng import stream_of, uniform
from ludex.kernel.jit import compiled, shared
from ludex.kernel.tuples import flatten, from_column, from_row, write_column
from ludex.learn.net.forest import after_chance, views_of_leaf
from ludex.learn.net.gradient import Examples
from ludex.learn.net.search import Evaluate, Search

# Places in streams: of a match, and of the searches in it, whose own are from 0.
BEGIN, MOVE = -2000, -1000
SEARCHED = 0.5  # the weight of the search's value beside the result of the match


class Boards(NamedTuple):
    """Matches in progress; the last axis is the match."""

    states: np.ndarray
    """The ints of the state as a column."""
    keys: np.ndarray
    """The stream of the match."""
    plies: np.ndarray
    movers: np.ndarray
    """The seat to move, BOTH or OVER."""
    returns: np.ndarray
    """What a match that has just ended was worth to each seat, as a column."""


class Positions(NamedTuple):
    """Decisions of finished matches, each as one seat saw it."""

    states: np.ndarray
    """A row for each."""
    seats: np.ndarray
    policies: np.ndarray
    values: np.ndarray


def new_boards(rules: Rules, many: int) -> Boards:
    """Return boards on which no match has begun."""
    return Boards(
        np.zeros((len(flatten(initial(rules))), many), np.int64),
        np.zeros(many, np.int64),
        np.zeros(many, np.int64),
        np.full(many, OVER, np.int64),
        np.zeros((int(ask.seats(rules)), many)),
    )


@compiled
def begin_matches(rules, first, boards, seed, number, low, high):
    """Begin a match on some of the boards that have none; return the number of the next."""
    for board in range(low, high):
        if boards.movers[board] == OVER:
            key = stream_of(seed, number)
            boards.keys[board] = key
            state, _ = after_chance(rules, first, key, BEGIN)
            write_column(state, boards.states, board)
            boards.plies[board], boards.movers[board] = 0, ask.turn(rules, state)
            if boards.movers[board] == OVER:  # by chance, before anybody could choose
                for seat in range(ask.seats(rules)):
                    boards.returns[seat, board] = ask.returns(rules, state, seat)
            number += 1
    return number


@compiled
def search_keys(boards, keys):
    """Write the stream of the search in each match, another at each ply."""
    for board in range(len(keys)):
        keys[board] = stream_of(int(boards.keys[board]), int(boards.plies[board]))


@compiled
def move_boards(rules, first, boards, policies, actions, keys, low, high):
    """Play a move in the matches on some of the boards; at BOTH, policies are drawn from."""
    for board in range(low, high):
        state, mover = from_column(first, boards.states, board), int(boards.movers[board])
        if mover == OVER:
            continue
        key, move = int(keys[board]), int(actions[board])
        if mover == BOTH:
            one = draw(policies[board, 0], uniform(key, MOVE))
            move = ask.pair(one, draw(policies[board, 1], uniform(key, MOVE + 1)))
        state = ask.apply(rules, state, move)
        state, _ = after_chance(rules, state, key, MOVE + 2)
        write_column(state, boards.states, board)
        boards.plies[board] += 1
        mover = ask.turn(rules, state)
        over = mover == OVER
        if over or boards.plies[board] >= PLIES:
            mover = OVER
            for seat in range(ask.seats(rules)):
                boards.returns[seat, board] = ask.returns(rules, state, seat) if over else 0.0
        boards.movers[board] = mover


@shared
def draw(policy, share):
    """Return the action at a share of a policy, from 0 to below 1."""
    left, found = share, 0
    for action in range(len(policy)):
        if policy[action] > 0.0:
            found = action
            left -= policy[action]
            if left < 0.0:
                break
    return found


@compiled
def write_examples(rules, first, positions, chosen, views, masks):
    """Write what is seen, and the legal actions, in the positions with some numbers."""
    for row in range(len(chosen)):
        number = chosen[row]
        state, seat = from_row(first, positions.states, number), int(positions.seats[number])
        view(rules, state, seat, views[row])
        bits = legal_bits(rules, state, seat)
        for action in range(masks.shape[1]):
            masks[row, action] = contains(bits, action)


class Turn(NamedTuple):
    """What was decided on all boards at once."""

    states: np.ndarray
    movers: np.ndarray
    policies: np.ndarray
    worths: np.ndarray


class SelfPlay:
    """Many matches side by side, all of them played by one network and its search."""

    def __init__(self, rules: Rules, boards: int, sims: int, considered: int, seed: int) -> None:
        self.rules, self.first, self.seed = rules, initial(rules), seed
        self.considered = considered
        self.search = Search(rules, boards, sims)
        self.boards = new_boards(rules, boards)
        self.number = 0
        self.turns: list[Turn] = []
        self.dropped = 0
        """Turns that are no longer kept, because all their matches have ended."""
        self.begun = np.zeros(boards, np.int64)
        """The turn in which each match began, of all turns."""
        self.restart()

    def restart(self) -> None:
        """Begin a match on each board that has none."""
        over = self.boards.movers == OVER
        self.begun[over] = self.dropped + len(self.turns)
        self.number = begin_matches(
            self.rules, self.first, self.boards, self.seed, self.number, 0, len(over)
        )

    def step(self, evaluate: Evaluate, rng: np.random.Generator) -> list[Positions]:
        """Play a move in each match; return the decisions of each that ends."""
        boards, keys = self.boards, np.zeros_like(self.boards.keys)
        search_keys(boards, keys)
        noise = rng.gumbel(size=(len(keys), int(ask.actions(self.rules))))
        found = self.search.run(boards.states, evaluate, keys, noise, self.considered)
        self.turns.append(
            Turn(
                boards.states.T.astype(np.int64),
                boards.movers.astype(np.int8),
                found.policies.astype(np.float32),
                found.worths.astype(np.float32),
            )
        )
        given = found.policies, found.actions, keys
        self.search.each(move_boards, (boards, *given))
        over = np.flatnonzero(boards.movers == OVER)
        finished = [self.decisions(int(board)) for board in over]
        self.restart()
        oldest = int(self.begun.min()) - self.dropped
        del self.turns[:oldest]
        self.dropped += oldest
        return finished

    def decisions(self, board: int) -> Positions:
        """Return the decisions of a match that has ended, from the point of view of each seat."""
        rows = []
        nothing = np.zeros(int(ask.actions(self.rules)))
        for turn in self.turns[self.begun[board] - self.dropped :]:
            mover, state = int(turn.movers[board]), turn.states[board]
            sides = {OVER: (), BOTH: (0, 1)}.get(mover, (mover,))
            for side, seat in enumerate(sides):
                result = self.boards.returns[seat, board]
                worth = (1.0 - SEARCHED) * result + SEARCHED * turn.worths[board, side]
                rows.append((state, seat, turn.policies[board, side], worth))
            # Where a leaf has a view for each seat, those that do not move learn its value, too.
            views = views_of_leaf(self.rules) if sides else 0
            others = {*range(views)} - {*sides} if views > 1 else set()
            rows += [(state, one, nothing, self.boards.returns[one, board]) for one in others]
        return Positions(
            np.array([row[0] for row in rows], np.int64).reshape(len(rows), -1),
            np.array([row[1] for row in rows], np.int8),
            np.array([row[2] for row in rows], np.float32).reshape(len(rows), -1),
            np.array([row[3] for row in rows], np.float32),
        )


class Replay:
    """The last positions, of which examples are drawn."""

    def __init__(self, rules: Rules, size: int) -> None:
        self.rules, self.first, self.size = rules, initial(rules), size
        self.view = tuple(map(int, ask.view_shape(rules)))
        actions = int(ask.actions(rules))
        self.positions = Positions(
            np.zeros((size, len(flatten(self.first))), np.int64),
            np.zeros(size, np.int8),
            np.zeros((size, actions), np.float32),
            np.zeros(size, np.float32),
        )
        self.added = 0
        """How many there have been; the newest are kept."""

    def __len__(self) -> int:
        return min(self.added, self.size)

    def add(self, more: Positions) -> None:
        """Add positions in place of the oldest."""
        places = np.arange(self.added, self.added + len(more.seats)) % self.size
        for kept, new in zip(self.positions, more, strict=True):
            kept[places] = new
        self.added += len(more.seats)

    def draw(self, many: int, rng: np.random.Generator) -> Examples:
        """Return so many examples, drawn evenly."""
        chosen = rng.integers(len(self), size=many)
        views = np.zeros((many, *self.view), bounds(self.rules)[2])
        masks = np.zeros((many, self.positions.policies.shape[1]), np.bool_)
        write_examples(self.rules, self.first, self.positions, chosen, views, masks)
        return Examples(
            views.astype(np.float32),
            masks,
            self.positions.policies[chosen],
            self.positions.values[chosen],
        )
