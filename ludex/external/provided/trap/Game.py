"""Lets two players meet: `python3 Game.py`."""

import random
import time

from ComputerAI import ComputerAI
from Displayer import Displayer
from Grid import Grid
from Utils import manhattan_distance

timeLimit = 5.0
allowance = 0.05


class Game:
    """A match between a player (number 1, at the top) and another one (number 2)."""

    def __init__(self, playerAI=None, computerAI=None, N=7, displayer=None):
        self.grid = Grid(N)
        self.playerAI = playerAI or ComputerAI()
        self.computerAI = computerAI or ComputerAI()
        self.dim = N
        self.over = False
        self.displayer = displayer
        self.prevTime = time.process_time()

    def initialize_game(self):
        """Put both players on their first cells."""
        places = ((0, self.dim // 2), (self.dim - 1, self.dim // 2))
        for number, (player, place) in enumerate(zip(self.players(), places, strict=True), start=1):
            self.grid.setCellValue(place, number)
            player.setPlayerNum(number)
            player.setPosition(place)

    def players(self):
        """Return both players, number 1 first."""
        return self.playerAI, self.computerAI

    def is_over(self, turn):
        """Return whether a player, 1 or 2, cannot step."""
        return not self.grid.get_neighbors(self.grid.find(turn), only_available=True)

    def is_valid_move(self, grid, player, move):
        """Return whether a player may step to a cell."""
        number = player.getPlayerNum()
        cells = grid.get_neighbors(grid.find(number), only_available=True)
        return move is not None and tuple(move) in cells

    def is_valid_trap(self, grid, trap):
        """Return whether a trap may be thrown at a cell: one that holds no player."""
        if trap is None:
            return False
        row, column = trap
        inside = 0 <= row < self.dim and 0 <= column < self.dim
        return inside and grid.getCellValue((row, column)) <= 0

    def throw(self, player, grid, intended):
        """Return where a trap lands that a player throws at a cell."""
        intended = tuple(intended)
        place = grid.find(player.getPlayerNum())
        hit = 1 - 0.05 * (manhattan_distance(place, intended) - 1)
        around = [cell for cell in grid.get_neighbors(intended) if grid.getCellValue(cell) <= 0]
        if not around or random.random() < hit:
            return intended
        return random.choice(around)

    def updateAlarm(self, currTime):
        """End the match when a turn has taken too long."""
        if currTime - self.prevTime > timeLimit + allowance:
            self.over = True
        self.prevTime = currTime

    def play(self):
        """Play a match, and return the number of the winner."""
        self.initialize_game()
        self.show()
        turn = 1
        while not self.is_over(turn):
            player = self.players()[turn - 1]
            self.prevTime = time.process_time()
            move = player.getMove(self.grid.clone())
            if not self.is_valid_move(self.grid, player, move):
                print(f"Tried to move to {move}\nInvalid move!")
                return 3 - turn
            self.grid.move(tuple(move), turn)
            player.setPosition(tuple(move))
            if self.is_over(3 - turn):
                self.show()
                return turn
            intended_trap = player.getTrap(self.grid.clone())
            if not self.is_valid_trap(self.grid, intended_trap):
                print(f"Tried to put trap in {intended_trap}\nInvalid trap!")
                return 3 - turn
            self.grid.trap(self.throw(player, self.grid, intended_trap))
            self.updateAlarm(time.process_time())
            if self.over:
                print("Time is over!")
                return 3 - turn
            self.show()
            turn = 3 - turn
        return 3 - turn

    def show(self):
        """Show the board, if somebody wants to see it."""
        if self.displayer:
            self.displayer.display(self.grid)


def main():
    """Play a match between two players that do not think; put your PlayerAI in the first place."""
    game = Game(playerAI=ComputerAI(), computerAI=ComputerAI(), displayer=Displayer())
    print(f"Player {game.play()} wins!")


if __name__ == "__main__":
    main()
