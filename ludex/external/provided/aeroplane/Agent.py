"""Agents for Aeroplane Chess: the base of all, and four that play."""

import math
import random
from collections import defaultdict

from Game import Game, Player  # noqa: F401
from GameBoard import GameBoard, GameState, Plane, PosType, Square  # noqa: F401
from utils import (
    DEBUG_EXPECTIMAX,
    DEBUG_MCTS,
    DEBUG_RL,
    EPOCHS,
    ITERATIONS,
    MAX_DEPTH,
    OPPONENT,
    SIMULATION_MOVES,
    TOTAL_STEPS,
    roll_die,
)


class AeroplaneChessAgent:
    """Chooses which plane of its color moves."""

    def __init__(self, color):
        self.color = color

    def get_action(self, state, die_v):
        """Return the index of the plane to move after a roll, or None if none can move."""
        raise NotImplementedError

    def evaluate_state(self, state):
        """Return how many steps this color is ahead; leaving the hangar counts as ten steps."""
        total = 0
        for player in state.players:
            steps = sum(p.total_steps + 10 for p in player.planes if not p.is_on_hangar())
            total += steps if player.color == self.color else -steps
        return total


class RandomAgent(AeroplaneChessAgent):
    """Moves any plane that can move."""

    def get_action(self, state, die_v):
        """Return one of the movable planes at random, or None."""
        return random.choice(state.get_movable_planes(die_v) or [None])


class ExpectimaxAgent(AeroplaneChessAgent):
    """Takes the best of its own moves, and the mean of rolls and of the others' moves."""

    def get_action(self, state, die_v):
        """Return the plane whose move has the highest expected value."""
        value, action = self.best(state, die_v, 0)
        if DEBUG_EXPECTIMAX:
            print(f"{self.color} expects {value} of plane {action}")
        return action

    def best(self, state, die_v, depth):
        """Return the value of a state after a roll of this agent, and its best move."""
        values = [
            (self.rolled(state.generate_successor(action, die_v), depth + 1), action)
            for action in state.get_movable_planes(die_v)
        ]
        if values:
            return max(values, key=lambda pair: pair[0])
        return self.rolled(state.generate_successor(None, die_v), depth + 1), None

    def mean(self, state, die_v, depth):
        """Return the value of a state after a roll of somebody who moves at random."""
        actions = state.get_movable_planes(die_v) or [None]
        values = [
            self.rolled(state.generate_successor(action, die_v), depth + 1) for action in actions
        ]
        return sum(values) / len(values)

    def rolled(self, state, depth):
        """Return the value of a state before the die is rolled."""
        if depth >= MAX_DEPTH or state.is_win(self.color) or state.is_lose(self.color):
            return self.evaluate_state(state)
        if state.turn == self.color:
            return sum(self.best(state, die_v, depth)[0] for die_v in range(1, 7)) / 6
        return sum(self.mean(state, die_v, depth) for die_v in range(1, 7)) / 6


class Node:
    """A state of the search tree, with the states that follow a roll and a move."""

    def __init__(self, state):
        self.state = state
        self.visits = 0
        self.value = 0.0  # the sum of all results, from 0 to 1 for the agent
        self.children = {}  # by roll and action


class MCTSAgent(AeroplaneChessAgent):
    """Searches with Monte Carlo tree search; every descent rolls the die anew."""

    def get_action(self, state, die_v):
        """Return the plane that was tried most."""
        movable = state.get_movable_planes(die_v)
        if len(movable) < 2:
            return movable[0] if movable else None
        root = Node(state)
        for _ in range(ITERATIONS):
            path = self.select(root, die_v)
            result = self.simulate(path[-1].state)
            for node in path:
                node.visits += 1
                node.value += result
        visits = {action: root.children[die_v, action].visits for action in movable}
        if DEBUG_MCTS:
            print(f"{self.color} visits {visits}")
        return max(movable, key=visits.get)

    def select(self, root, die_v):
        """Return the nodes from the root to a new one, or to the end of a match."""
        path, node = [root], root
        while not self.is_over(node.state):
            actions = node.state.get_movable_planes(die_v) or [None]
            untried = [action for action in actions if (die_v, action) not in node.children]
            if untried:
                action = random.choice(untried)
                child = Node(node.state.generate_successor(action, die_v))
                node.children[die_v, action] = child
                return [*path, child]
            ours = node.state.turn == self.color
            children = [node.children[die_v, action] for action in actions]
            node = max(children, key=lambda child: self.ucb(child, ours, children))
            path.append(node)
            die_v = roll_die(node.state)
        return path

    def ucb(self, child, ours, children):
        """Return the upper confidence bound (UCB1) of a child, for whoever chooses."""
        mean = child.value / child.visits
        total = sum(one.visits for one in children)
        return (mean if ours else 1 - mean) + math.sqrt(2 * math.log(total) / child.visits)

    def simulate(self, state):
        """Play at random for a while, and return whether this color has won or is ahead."""
        for _ in range(SIMULATION_MOVES):
            if self.is_over(state):
                break
            die_v = roll_die(state)
            action = random.choice(state.get_movable_planes(die_v) or [None])
            state = state.generate_successor(action, die_v)
        if self.is_over(state):
            return float(state.is_win(self.color))
        return float(self.evaluate_state(state) > 0)

    def is_over(self, state):
        """Return whether somebody has won."""
        return state.is_win(self.color) or state.is_lose(self.color)


class RLAgent(AeroplaneChessAgent):
    """Learns by Q-learning, before it plays, what moves of a kind are worth."""

    rate, discount, exploration = 0.1, 0.9, 0.2

    def __init__(self, color, epochs=EPOCHS):
        super().__init__(color)
        self.q_table = defaultdict(float)
        for _ in range(epochs):
            self.train()
        if DEBUG_RL:
            print(dict(self.q_table))

    def get_action(self, state, die_v):
        """Return the plane whose kind of move is worth most."""
        movable = state.get_movable_planes(die_v)
        if not movable:
            return None
        return max(movable, key=lambda action: self.q_table[self.kind(state, action, die_v)])

    def kind(self, state, action, die_v):
        """Return what the table knows of a move: from where to where, whether it jumps, catches."""
        after = state.generate_successor(action, die_v)
        plane, moved = (s.players[self.color].planes[action] for s in (state, after))
        before, now = (
            sum(p.is_on_hangar() for p in s.get_opponent(s.players[self.color]).planes)
            for s in (state, after)
        )
        jumps = moved.total_steps - plane.total_steps > die_v
        return plane.pos_type, plane.total_steps // 10, moved.pos_type, jumps, now > before

    def train(self):
        """Learn from a match against random moves."""
        state = GameState([Player(self.color), Player(OPPONENT[self.color])], self.color)
        last, score = None, 0
        while not (state.is_win(self.color) or state.is_lose(self.color)):
            die_v = roll_die(state)
            action = random.choice(state.get_movable_planes(die_v) or [None])
            if state.turn == self.color and action is not None:
                best = self.get_action(state, die_v)
                value = self.q_table[self.kind(state, best, die_v)]
                self.learn(last, self.evaluate_state(state) - score, value)
                if random.random() > self.exploration:
                    action = best
                last, score = self.kind(state, action, die_v), self.evaluate_state(state)
            state = state.generate_successor(action, die_v)
        self.learn(last, TOTAL_STEPS if state.is_win(self.color) else -TOTAL_STEPS, 0)

    def learn(self, kind, reward, value):
        """Move an entry of the table towards the reward and what can be had after it."""
        if kind is not None:
            target = reward + self.discount * value
            self.q_table[kind] += self.rate * (target - self.q_table[kind])
