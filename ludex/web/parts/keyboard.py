"""The keys for moves, and the line that lists them, with semicolons between."""

from ludex.core.play import choices, choosers
from ludex.core.rules import Rules, State, at_once, label, seat_name

# Keys for common labels, in any game; other moves have numbers and arrows.
KEYS = {
    "up": ("w", "ArrowUp"),
    "down": ("s", "ArrowDown"),
    "left": ("a", "ArrowLeft"),
    "right": ("d", "ArrowRight"),
    "shoot": (" ",),
}
# For two people at one keyboard: the left half, and the right half.
HALVES: tuple[dict[str, tuple[str, ...]], ...] = (
    {name: keys[:1] for name, keys in KEYS.items()},
    {name: keys[1:] or ("Enter",) for name, keys in KEYS.items()},
)
UNDO, HINT = "U takes back", "H gives a hint"


def share_keyboard(rules: Rules, mine: list[int]) -> bool:
    """Return whether one browser plays both seats of simultaneous moves."""
    return len(mine) > 1 and bool(at_once(rules))


def other_keys(undo: bool, hints: bool) -> str:
    """Return which keys take back and ask for a hint, as far as that is possible in a match."""
    found = "; ".join([UNDO] * undo + [HINT] * hints)
    return f"{found}." if found else ""


def keys_line(rules: Rules, state: State, mine: list[int], after: str = f"{UNDO}; {HINT}.") -> str:
    """Return a line about the keys, for a browser with these seats; `after` is about the others."""
    moves = moves_line(rules, state, mine)
    return f"{moves}; {after}" if after else f"{moves}."


def moves_line(rules: Rules, state: State, mine: list[int]) -> str:
    """Return which keys make moves, for a browser with these seats."""
    acting = choosers(rules, state)[:1]
    labels = {label(rules, state, one) for seat in acting for one in choices(rules, state, seat)}
    if not labels & set(KEYS):
        return "Keys: numbers choose, arrows and Enter too"
    if share_keyboard(rules, mine):
        one, other = (seat_name(rules, seat) for seat in (0, 1))
        return f"Keys: {one} has W A S D and space, {other} the arrows and Enter"
    return "Keys: W A S D or the arrows step, the space bar shoots"
