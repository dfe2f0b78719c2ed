"""A person against a computer: `python3 human_vs_machine.py L 3`."""

import sys

import AlphaBeta_Full
from Megaman_Arena import Game
from Players import HumanMenu, VerboseComputer


def main(side, depth):
    """Play as Light (L) or Wily (W) against a searcher of a depth limit."""
    game = Game(depthlimit=int(depth))
    human = HumanMenu(game)
    computer = VerboseComputer(game, AlphaBeta_Full.Minimax(game))
    light, wily = (human, computer) if side == "L" else (computer, human)
    state = game.initial_state()
    while not game.is_terminal(state):
        state.display()
        player = light if game.is_maxs_turn(state) else wily
        state = game.result(state, player.ask_move(state))
    game.congratulate(state)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("L", "W") or not sys.argv[2].isdigit():
        sys.exit("who are you, and how deep does the computer look? human_vs_machine.py L|W DEPTH")
    main(*sys.argv[1:])
