"""The base of what shows a board."""


class BaseDisplayer:
    """Shows a board."""

    def display(self, grid):
        """Show a board."""
        raise NotImplementedError
