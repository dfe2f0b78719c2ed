"""Full games between depth limits: `python3 play_full_games.py`."""

import AlphaBeta_Full
from Megaman_Arena import Game
from Players import SilentComputer

PAIRS = [(0, 0), (0, 1), (1, 0), (1, 1)]


def main():
    """Play a game for each pair of depth limits, Light's first."""
    for pair in PAIRS:
        games = [Game(depthlimit=depth) for depth in pair]
        players = [SilentComputer(game, AlphaBeta_Full.Minimax(game)) for game in games]
        state = games[0].initial_state()
        while not games[0].is_terminal(state):
            mover = 0 if games[0].is_maxs_turn(state) else 1
            state = games[0].result(state, players[mover].ask_move(state))
        print(f"Light {pair[0]}, Wily {pair[1]}:")
        games[0].congratulate(state)


if __name__ == "__main__":
    main()
