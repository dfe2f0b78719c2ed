"""Settings of the programs, the numbers of the board, and the die."""

import random

COLORS = ["R", "B", "Y", "G"]  # square i of the main track has the color i mod 4
TURNS = {2: "BG", 3: "RBY", 4: "RBYG"}  # who plays, in this order, for each number of players
OPPONENT = {"R": "Y", "B": "G", "Y": "R", "G": "B"}  # the color on the other side of the board
NUM_PLANES = 4
NUM_SQUARES = 52
ENTRY = {"R": 39, "B": 0, "Y": 13, "G": 26}  # the first square of each color
FS = {"R": 36, "B": 49, "Y": 10, "G": 23}  # the last square before the final stretch
JUMP_POINT = {"R": 4, "B": 17, "Y": 30, "G": 43}  # from here a plane of the color flies
TRACK_STEPS = 50  # of a plane's own steps, on the main track
FINAL_STEPS = 6  # on the final stretch; the last one is home
TOTAL_STEPS = TRACK_STEPS + FINAL_STEPS

MAX_DEPTH = 2  # of expectimax
ITERATIONS = 50  # of Monte Carlo tree search, for a move
SIMULATION_MOVES = 100  # until a simulated match is judged as it stands
EPOCHS = 50  # simulated matches from which RLAgent learns before it plays

DEBUG = DEBUG_EXPECTIMAX = DEBUG_MCTS = DEBUG_RL = False  # print what the agent thinks
CONFIG = {"graphics": False, "events": False}  # one match with its board, instead of many; events
AGENT1 = "ExpectimaxAgent"  # a class of Agent.py, which has Blue
AGENT2 = "RandomAgent"
NUM_GAMES = 100


def roll_die(state=None):
    """Return a roll of the die, which is kept in the state."""
    die = random.randint(1, 6)
    if state is not None:
        state.die_roll = die
    return die


def __getattr__(name):
    """Return False for any other flag whose name begins with DEBUG."""
    if name.startswith("DEBUG"):
        return False
    raise AttributeError(f"utils has no {name}")
