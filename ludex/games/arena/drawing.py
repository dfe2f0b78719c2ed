"""The arena drawn: both rosters with their lives, the champions and the weapons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludex.games.arena.robots import LIGHT, NAMES, WILY, WILY_NAMES, full_name, unpack
from ludex.rules import NO_MOVE, initial

if TYPE_CHECKING:
    from ludex.games.arena import Arena, ArenaRules


def lives(state: Arena) -> tuple[list[int], list[int]]:
    """Return the lives of both sides."""
    return [*unpack(state.light, 8), state.mega], [*unpack(state.wily, 8), state.gamma]


def render(rules: ArenaRules, state: Arena, last: int = NO_MOVE) -> str:
    sides = lives(state)
    starts = lives(initial(rules))
    champions = (state.light_champion, state.wily_champion)
    lines = [f"  [bold blue]{'Dr. Light':<29}[/] [bold red]Dr. Wily[/]"]
    for robot in range(9):
        cells = []
        for side, colour in ((LIGHT, "blue"), (WILY, "red")):
            life, start = sides[side][robot], starts[side][robot]
            mark = "▶" if champions[side] == robot else " "
            name = full_name(NAMES[side][robot])
            full = min(10, -(-10 * life // start))
            bar = f"[{colour}]{'█' * full}[/][dim]{'░' * (10 - full)}[/]"
            style = "bold" if champions[side] == robot else "dim" if life == 0 else "default"
            cells.append(f"[{style}]{mark} {name:<11}[/] {bar} {life:>3}")
        lines.append("  ".join(cells))
    weapons = [name for i, name in enumerate(WILY_NAMES) if state.weapons >> i & 1]
    lines.append(f"  Mega Man's weapons: {', '.join(['mega', *weapons])}")
    return "\n".join(lines)
