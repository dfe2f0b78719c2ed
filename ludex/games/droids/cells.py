"""The cells of the droids: where an action leads, and how far a laser reaches."""

from ludex.core.rules import Rules
from ludex.kernel.jit import shared

LABELS = ("up", "down", "left", "right", "shoot")
UP, DOWN, LEFT, RIGHT, SHOOT = range(len(LABELS))


@shared
def aim(rules, cell, action):
    """Return the cell that a droid moves to by an action, if it is not blocked."""
    if action == UP:
        return cell - rules.columns
    if action == DOWN:
        return cell + rules.columns
    if action == LEFT:
        return cell - 1
    if action == RIGHT:
        return cell + 1
    return cell


@shared
def in_line(rules, cell1, cell2):
    """Return whether a laser from one cell reaches the other."""
    return cell1 // rules.columns == cell2 // rules.columns or (
        cell1 % rules.columns == cell2 % rules.columns
    )


# For people. ------------------------------------------------------------------------------------


def cell_text(rules: Rules, cell: int) -> str:
    """Return a cell as ROW,COLUMN."""
    return "{},{}".format(*divmod(cell, rules.columns))
