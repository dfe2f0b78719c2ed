"""Players: a person at a menu, and computers with a searcher."""


class HumanMenu:
    """Asks a person."""

    def __init__(self, game):
        self.game = game

    def ask_move(self, state):
        """Return the action that a person chooses from a list."""
        actions = list(self.game.actions(state))
        for number, action in enumerate(actions, start=1):
            print(f"{number}: {action}")
        while True:
            text = input("Which one? ")
            if text.isdigit() and 1 <= int(text) <= len(actions):
                return actions[int(text) - 1]
            print(f"Please enter a number between 1 and {len(actions)}")


class SilentComputer:
    """Asks a searcher."""

    def __init__(self, game, searcher):
        self.game = game
        self.searcher = searcher

    def ask_move(self, state):
        """Return the action that the searcher finds best."""
        return self.found(state).move

    def found(self, state):
        """Return all that the searcher says."""
        if self.game.is_maxs_turn(state):
            return self.searcher.minimax_decision_max(state)
        return self.searcher.minimax_decision_min(state)


class VerboseComputer(SilentComputer):
    """Asks a searcher, and prints what it found."""

    def ask_move(self, state):
        """Return the action that the searcher finds best."""
        found = self.found(state)
        print(f"{found.move} (value {found.value}, {found.nodes} nodes, {found.time:.3f} s)")
        return found.move
