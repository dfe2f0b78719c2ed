"""Aeroplane programs as students of the document's author write them."""

from pathlib import Path

# The document's expectimax, with a deep copy where a careful student makes one.
EXPECTIMAX = """
import copy
import colorama
from colorama import Back, Fore, Style
from Agent import AeroplaneChessAgent
from utils import *

colorama.init(autoreset=True)


class DeepAgent(AeroplaneChessAgent):
    def get_action(self, state, die_v):
        before = hash(state)
        assert state == copy.deepcopy(state) and state.die_roll == die_v
        v, move = self._max(copy.deepcopy(state), die_v, 1)
        assert hash(state) == before
        print(Fore.BLUE + f"{self.color} expects {v:.1f}" + Style.RESET_ALL)
        return move

    def evaluate_state(self, state):
        player = next(p for p in state.players if p.color == self.color)
        opponent = state.get_opponent(player)
        return self._score(player) - self._score(opponent)

    def _score(self, player):
        bonus = {"Hangar": 0, "Launch": 5, "Main": 10, "Final": 15, "Finish": 20}
        score = -20 * player.get_remaining_planes_count()
        for plane in player.planes:
            score += bonus[plane.pos_type] + plane.total_steps
        return score

    def _max(self, state, die_v, depth):
        movable = state.get_movable_planes(die_v)
        over = state.is_win(self.color) or state.is_lose(self.color)
        if over or depth > MAX_DEPTH or len(movable) == 0:
            return self.evaluate_state(state), None
        move, v = None, -float("inf")
        for a in movable:
            new_state = state.generate_successor(a, die_v)
            follow = self._max if die_v == 6 else self._min
            expected = sum(follow(new_state, die, depth + 1)[0] for die in range(1, 7)) / 6
            if expected > v:
                v, move = expected, a
        return v, move

    def _min(self, state, die_v, depth):
        movable = state.get_movable_planes(die_v)
        over = state.is_win(self.color) or state.is_lose(self.color)
        if over or depth > MAX_DEPTH or len(movable) == 0:
            return self.evaluate_state(state), None
        total = 0
        for a in movable:
            new_state = state.generate_successor(a, die_v, show_event=DEBUG_EXPECTIMAX)
            follow = self._min if die_v == 6 else self._max
            total += sum(follow(new_state, die, depth + 1)[0] for die in range(1, 7)) / 6
        return total / len(movable), None
"""

# Monte Carlo with a table of states.
MCTS = """
import random
from collections import defaultdict
from Agent import AeroplaneChessAgent
from Game import Game, GameState, Player
from GameBoard import Plane
from utils import COLORS, DEBUG_PLAYOUTS, OPPONENT, roll_die


class PlayoutAgent(AeroplaneChessAgent):
    def __init__(self, color):
        super().__init__(color)
        self.wins, self.visits = defaultdict(int), defaultdict(int)

    def get_action(self, state, die_v):
        movable = state.get_movable_planes(die_v)
        if not movable:
            return None
        children = {a: state.generate_successor(a, die_v) for a in movable}
        for i in range(4 * len(movable)):
            child = children[movable[i % len(movable)]]
            self.wins[child] += self.playout(child)
            self.visits[child] += 1
        return max(movable, key=lambda a: self.wins[children[a]] / self.visits[children[a]])

    def playout(self, state):
        assert state.turn in COLORS and OPPONENT[OPPONENT[state.turn]] == state.turn
        while not state.is_win(self.color):
            if state.is_lose(self.color):
                return 0
            action, die = state.get_turn_player().take_action(state)
            if action is None:
                assert not state.get_movable_planes(die)
            state = state.generate_successor(action, die)
        return 1
"""

# One that looks at the squares of the board.
SQUARES = """
from Agent import *
from GameBoard import GameBoard, GameState, Plane, Player, Square
import utils


class SquareAgent(RandomAgent):
    def get_action(self, state, die_v):
        board = state.gameboard
        me = state.get_turn_player()
        assert isinstance(me, Player) and isinstance(board, GameBoard) and me.color == self.color
        points = [square for square in board.squares if square.is_jump_point()]
        assert [square.ind for square in points] == sorted(utils.JUMP_POINT.values())
        assert "Main track" in str(board)
        for plane in me.planes:
            if plane.is_on_main_track():
                assert plane in state.get_planes(plane.pos)
                assert (plane.pos - utils.ENTRY[self.color]) % utils.NUM_SQUARES < 50
                assert plane.total_steps == 50 or plane.pos != utils.FS[self.color]
        if not me.get_movable_planes(die_v):
            return None

        def worth(ind):
            plane = me.planes[ind]
            if plane.is_on_hangar() or plane.is_on_launch():
                return 1
            square = (plane.pos + die_v) % utils.NUM_SQUARES
            lands = plane.is_on_main_track() and Square(square, False, board.squares[square].color)
            return 3 if lands and lands.is_jump_point() else plane.total_steps / 56

        return max(me.get_movable_planes(die_v), key=worth)
"""

# A folder that brings everything, and does some of it otherwise: kinds of places are an enum, a
# turn is a number, players are deep-copied with their agents, and everything is printed.
UTILS = """
from enum import Enum, auto
import random

class PosType(Enum):
    HANGAR = auto()
    LAUNCH = auto()
    MAIN = auto()
    FINAL = auto()
    FINISH = auto()

NUM_SQUARES, ENTRY = 52, {"R": 39, "B": 0, "Y": 13, "G": 26}
DEBUG_RL, CONFIG, AGENT1 = True, {"show": True}, "RLAgent"

def roll_die(state):
    state.die_roll = random.randint(1, 6)
    return state.die_roll
"""

GAME_BOARD = """
import copy
import colorama
from utils import *

class Plane:
    def __init__(self, color, ind):
        self.color, self.ind, self.total_steps = color, ind, 0
        self.pos, self.pos_type = None, PosType.HANGAR

    def launch(self):
        self.pos_type = PosType.LAUNCH

    def move(self, steps):
        self.total_steps += steps
        if self.total_steps > 56:
            self.total_steps = 112 - self.total_steps
        if self.total_steps <= 50:
            self.pos = (ENTRY[self.color] + self.total_steps - 1) % NUM_SQUARES
            self.pos_type = PosType.MAIN
        else:
            self.pos, self.pos_type = self.total_steps - 50, PosType.FINAL

    def finish(self):
        self.pos_type = PosType.FINISH

    def is_on_hangar(self):
        return self.pos_type == PosType.HANGAR

    def is_on_launch(self):
        return self.pos_type == PosType.LAUNCH

    def is_on_main_track(self):
        return self.pos_type == PosType.MAIN

    def is_on_final_stretch(self):
        return self.pos_type == PosType.FINAL

    def is_finished(self):
        return self.pos_type == PosType.FINISH

class GameState:
    def __init__(self, players, turn):
        self.players, self.turn, self.die_roll = players, turn, 0
        self.gameboard = [plane for player in players for plane in player.planes]

    def get_turn_player(self):
        return self.players[self.turn]

    def get_movable_planes(self, die):
        return self.get_turn_player().get_movable_planes(die)

    def is_win(self, color):
        return all(p.is_finished() for player in self.players if player.color == color
                   for p in player.planes)

    def is_lose(self, color):
        return any(self.is_win(player.color) for player in self.players if player.color != color)

    def generate_successor(self, action, die, show_event=False):
        state = copy.deepcopy(self)
        if action is not None:
            plane = state.get_turn_player().planes[action]
            plane.launch() if plane.is_on_hangar() else plane.move(die)
            if plane.total_steps == 56:
                plane.finish()
                print(colorama.Fore.RED + plane.color + " player got a plane finished!")
        if die != 6:
            state.turn = 1 - state.turn
        return state

    def __hash__(self):
        return hash((self.turn, *((p.pos_type, p.total_steps) for p in self.gameboard)))

    def __eq__(self, other):
        return hash(self) == hash(other)
"""

GAME = """
import Agent
from GameBoard import *

class Player:
    def __init__(self, color, agent=None):
        self.color, self.agent = color, agent
        self.planes = [Plane(color, ind) for ind in range(4)]

    def get_movable_planes(self, die):
        return [p.ind for p in self.planes
                if not p.is_finished() and (die == 6 or not p.is_on_hangar())]

class Game:
    def __init__(self, num_players):
        agents = [getattr(Agent, AGENT1)("B"), Agent.RandomAgent("G")]
        self.players = [Player(agent.color, agent) for agent in agents]
        self.state = GameState(self.players, 0)

    def show(self):
        print(self.state.turn)
        input("Type enter to continue...")

if __name__ == "__main__":
    raise SystemExit("this is not the main file here")
"""

AGENT = """
import random
from collections import defaultdict
from utils import *

class AeroplaneChessAgent:
    def __init__(self, color):
        self.color = color

class RandomAgent(AeroplaneChessAgent):
    def get_action(self, state, die_v):
        return random.choice(state.get_movable_planes(die_v) or [None])

class RLAgent(AeroplaneChessAgent):
    def __init__(self, color):
        super().__init__(color)
        self.q, self.last = defaultdict(lambda: defaultdict(float)), None

    def __deepcopy__(self, memo):
        return self

    def get_action(self, state, die_v):
        me = state.get_turn_player()
        assert me.color == self.color and state.die_roll == die_v
        for p in state.gameboard:
            if p.is_on_main_track():
                assert p.pos == (ENTRY[p.color] + p.total_steps - 1) % NUM_SQUARES
            elif p.is_on_final_stretch():
                assert p.pos == p.total_steps - 50 and p.pos_type == PosType.FINAL
            else:
                assert p.total_steps == (56 if p.is_finished() else 0)
        row = self.q[state, die_v]
        for a in state.get_movable_planes(die_v):
            wins = state.generate_successor(a, die_v).is_win(self.color)
            row[a] = me.planes[a].total_steps + wins
        if self.last is not None:
            self.q[self.last][0] += 0.1 * max(row.values())
        self.last = state, die_v
        if DEBUG_RL:
            print(len(self.q), "rows")
        return max(row, key=row.get)
"""

FOLDER = {"utils.py": UTILS, "GameBoard.py": GAME_BOARD, "Game.py": GAME, "Agent.py": AGENT}


def write_folder(folder: Path, changes: tuple[tuple[str, str], ...] = ()) -> str:
    """Write the folder that brings everything, with some of its text replaced."""
    folder.mkdir()
    for name, source in FOLDER.items():
        for old, new in changes:
            source = source.replace(old, new)
        (folder / name).write_text(source, encoding="utf-8")
    return str(folder)
