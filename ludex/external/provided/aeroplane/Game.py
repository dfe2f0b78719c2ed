"""Players and matches of Aeroplane Chess: `python3 Game.py` plays as `utils.py` says."""

import random
import time

from GameBoard import GameBoard, GameState, Plane, PosType, Square  # noqa: F401
from utils import AGENT1, AGENT2, CONFIG, NUM_GAMES, NUM_PLANES, TURNS, roll_die


class Player:
    """A color with its planes, and the agent that moves them; without one they move at random."""

    def __init__(self, color, agent=None):
        self.color = color
        self.agent = agent
        self.planes = [Plane(color, ind) for ind in range(NUM_PLANES)]

    def take_action(self, state):
        """Roll the die, and return which plane moves (None if none can) and the roll."""
        die = roll_die(state)
        if self.agent is not None:
            return self.agent.get_action(state, die), die
        return random.choice(self.get_movable_planes(die) or [None]), die

    def get_movable_planes(self, die):
        """Return the indices of the planes that may move after a roll."""
        return [
            ind
            for ind, plane in enumerate(self.planes)
            if not plane.is_finished() and (die == 6 or not plane.is_on_hangar())
        ]

    def get_remaining_planes_count(self):
        """Return how many planes are not home."""
        return sum(not plane.is_finished() for plane in self.planes)

    def __deepcopy__(self, memo):
        player = Player.__new__(type(self))
        player.__dict__.update(self.__dict__)  # an agent is not copied
        player.planes = [plane.copy() for plane in self.planes]
        return player


class Game:
    """A match: the first player is moved by AGENT1, the others by AGENT2."""

    def __init__(self, num_players=2):
        import Agent  # not above, because agents import this module

        colors = TURNS[num_players]
        names = [AGENT1] + [AGENT2] * (num_players - 1)
        agents = [getattr(Agent, name)(color) for name, color in zip(names, colors, strict=True)]
        players = [Player(color, agent) for color, agent in zip(colors, agents, strict=True)]
        self.state = GameState(players, colors[0])
        self.is_over = False
        self.winner = None
        self.last = ""  # what was done

    def player_move(self):
        """Let the player at turn roll and move; return the roll."""
        player = self.state.get_turn_player()
        action, die = player.take_action(self.state)
        self.state = self.state.generate_successor(action, die, CONFIG["events"])
        if self.state.is_win(player.color):
            self.is_over, self.winner = True, player.color
        moved = "has no plane to move" if action is None else f"moved plane {action}"
        left = self.state.players[player.color].get_remaining_planes_count()
        self.last = f"{player.color} player rolled Die: {die}\nPlayer {player.color} {moved}\n"
        self.last += f"{left} planes left.\n"
        return die

    def show(self):
        """Print what was done, and the board."""
        if self.is_over:
            print(f"\nPlayer {self.winner} wins the game!")
        print(f"{self.last}\n\n{self.state.gameboard}\n")


def play_match(shown=False):
    """Play a match, and return who has won, and how long each decision of Blue took."""
    game, seconds = Game(2), []
    while not game.is_over:
        turn, began = game.state.turn, time.perf_counter()
        game.player_move()
        if turn == "B":
            seconds.append(time.perf_counter() - began)
        if shown:
            game.show()
            if not game.is_over:
                input("Type enter to continue...")
    return game.winner, seconds


def main():
    """Show one match, or play many and print who wins and how long Blue thinks."""
    if CONFIG["graphics"]:
        play_match(shown=True)
        return
    wins, seconds = {"B": 0, "G": 0}, []
    for _ in range(NUM_GAMES):
        winner, thought = play_match()
        wins[winner] += 1
        seconds += thought
    print(f"{AGENT1} against {AGENT2}: {wins['B']}:{wins['G']}")
    print(f"{sum(seconds) / len(seconds):.5f} s for a decision")


if __name__ == "__main__":
    main()
