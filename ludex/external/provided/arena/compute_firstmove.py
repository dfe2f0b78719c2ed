"""The value of the first state, by depth limit and searcher: `python3 compute_firstmove.py`."""

import AlphaBeta_Full
import Minimax
from Megaman_Arena import Game

DEPTHS = range(1, 4)


def main():
    """Print the table."""
    for name, searcher in (("Minimax", Minimax), ("AlphaBeta", AlphaBeta_Full)):
        for depth in DEPTHS:
            game = Game(depthlimit=depth)
            found = searcher.Minimax(game).minimax_decision_max(game.initial_state())
            row = f"{name:10} {depth:2} {found.time:9.4f} s {found.nodes:9} nodes"
            print(f"{row}  {found.move} ({found.value})")


if __name__ == "__main__":
    main()
