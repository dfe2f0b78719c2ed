"""The trap board drawn: the cells, the traps, both players and the throw in the air."""

import math

from ludex.core import rules as ask
from ludex.core.rules import NO_MOVE, OVER, Rules, State
from ludex.core.scene import OFFER, Scene, Shape, panel, plate, without_offers
from ludex.games.trap.cells import LAND, STEP, cell_text, hit_chance, marks
from ludex.kernel.bits import contains, members

TRAP = """
<circle r="46" fill="{dark}"/><circle r="42" fill="{main}"/>
<path d="M0 -37 L6.21 -23.18 L18.5 -32.04 L16.97 -16.97 L32.04 -18.5 L23.18 -6.21 L37 0 L23.18
 6.21 L32.04 18.5 L16.97 16.97 L18.5 32.04 L6.21 23.18 L0 37 L-6.21 23.18 L-18.5 32.04
 L-16.97 16.97 L-32.04 18.5 L-23.18 6.21 L-37 0 L-23.18 -6.21 L-32.04 -18.5 L-16.97
 -16.97 L-18.5 -32.04 L-6.21 -23.18Z" fill="{ink}"/>
<circle r="10" fill="{dark}"/><circle r="6" fill="{light}"/>
<path d="M-49-7H-40V7H-49ZM40-7H49V7H40Z" fill="{dark}"/>"""


def render(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    colours = {"1": "bold cyan", "2": "bold red", "x": "yellow", ".": "dim"}
    cells = [f"[{colours[mark]}]{mark}[/]" for mark in marks(rules, state)]
    if state.phase == LAND:
        cells[state.target] = "[bold yellow]◎[/]"
    lines = ["    " + " ".join(str(column) for column in range(rules.size))]
    for row in range(rules.size):
        lines.append(f"  {row} " + " ".join(cells[row * rules.size : (row + 1) * rules.size]))
    if state.phase == LAND:
        lines.append(
            f"  a trap flies at {cell_text(rules, state.target)}"
            f" and hits with probability {hit_chance(rules, state):.2f}"
        )
    return "\n".join(lines)


def scene(rules: Rules, state: State, last: int = NO_MOVE) -> Scene:
    pitch = grid_pitch(rules)
    middles = [grid_place(rules, pitch, cell) for cell in range(rules.size**2)]
    height = 156 + rules.size * pitch + 28
    mover = ask.turn(rules, state)
    seats = (("cyan", state.cell1), ("red", state.cell2))
    board = rules.size * pitch + 12
    shapes = [panel(600, height), *seat_plates(rules, state, mover)]
    shapes.append(Shape("board", "panel", 300, 150 + board / 2, board, board, "sand"))
    for number in range(rules.size):
        x, y = middles[number * rules.size + number]
        shapes += [
            Shape(f"column-{number}", "text", x, 136, 0, 15, "slate", str(number)),
            Shape(f"row-{number}", "text", 300 - board / 2 - 16, y, 0, 15, "slate", str(number)),
        ]
    offered = ask.moves(rules, state, mover) if mover >= 0 else 0
    cells = members(ask.possible(rules, state)) if state.phase == LAND else []
    odds = {cell: ask.chance(rules, state, cell) for cell in cells}
    for cell, (x, y) in enumerate(middles):
        name, tile = cell_text(rules, cell), pitch - 6
        action = cell if contains(offered, cell) else NO_MOVE
        text = ask.label(rules, state, cell) if action == cell else name
        colour = "mist" if sum(divmod(cell, rules.size)) % 2 else "paper"
        here = Shape(f"cell-{name}", "box", x, y, tile, tile, colour, text, action=action)
        shapes.append(here)
        if state.traps >> cell & 1:
            size = 0.72 * pitch
            shapes.append(Shape(f"trap-{name}", TRAP, x, y, size, size, "yellow", text, 0, action))
        elif action == cell:
            dot = here._replace(id=f"offer-{name}", kind="disc", width=14, height=14)
            shapes.append(dot._replace(colour=seats[mover][0], opacity=0.5, shows=OFFER))
        if cell in odds:
            tint = here._replace(id=f"odds-{name}", colour="red", opacity=0.12 + 0.4 * odds[cell])
            shapes.append(tint._replace(text=f"lands on {name} with {percent(odds[cell])}"))
    if state.phase == STEP and last != NO_MOVE:
        x, y = middles[last]
        shapes.append(Shape("last", "ring", x, y, 0.86 * pitch, 0.86 * pitch, "red", stroke=3))
    for seat, (colour, cell) in enumerate(seats):
        x, y = middles[cell]
        name = f"Player {seat + 1}"
        shapes.append(
            Shape(f"person-{seat + 1}", "person", x, y, 0.74 * pitch, 0.74 * pitch, colour, name)
        )
    if state.phase == LAND:
        shapes += throw_shapes(state, middles, pitch, odds)
    return Scene(600, height, tuple(shapes))


def between(rules: Rules, state: State, move: int) -> tuple[Scene, ...]:
    if state.phase != LAND:
        return ()
    here, pitch = without_offers(scene(rules, state)), grid_pitch(rules)
    # The trap that will be there; if there is one already, another that vanishes at the end.
    key = "flying" if state.traps >> move & 1 else f"trap-{cell_text(rules, move)}"
    size = 0.72 * pitch
    return tuple(
        here._replace(shapes=(*here.shapes, Shape(key, TRAP, *place, size, size, "yellow")))
        for place in (
            grid_place(rules, pitch, cell) for cell in (state[1 + state.seat], state.target)
        )
    )


def events(rules: Rules, state: State, move: int) -> list[str]:
    if state.phase != LAND:
        return []
    cell, target = cell_text(rules, move), cell_text(rules, state.target)
    hit = f"The trap lands on its target {cell}."
    miss = f"The trap misses {target} and lands on {cell}."
    there = ["A trap lies there already."] if state.traps >> move & 1 else []
    return [hit if move == state.target else miss, *there]


def grid_pitch(rules: Rules) -> float:
    """Return the distance of cells in the picture."""
    return float(min(92.0, 518 / rules.size))


def grid_place(rules: Rules, pitch: float, cell: int) -> tuple[float, float]:
    """Return the middle of a cell in the picture."""
    row, column = divmod(cell, rules.size)
    left = 300 - rules.size * pitch / 2
    return left + (column + 0.5) * pitch, 156 + (row + 0.5) * pitch


def percent(share: float) -> str:
    """Return a probability in percent, with a decimal where it needs one."""
    return f"{100 * share:.1f}".removesuffix(".0") + "%"


def throw_shapes(
    state: State, middles: list[tuple[float, float]], pitch: float, odds: dict[int, float]
) -> list[Shape]:
    """Return the flight of the trap in the air, its target ring and the odds of each cell."""
    (x, y), (to_x, to_y) = middles[state[1 + state.seat]], middles[state.target]
    near = 0.5 * pitch / math.hypot(to_x - x, to_y - y)
    start_x, start_y = x + near * (to_x - x), y + near * (to_y - y)
    size = 0.78 * pitch
    shapes = [
        Shape("flight", "dots", start_x, start_y, to_x - start_x, to_y - start_y, "red", stroke=4),
        Shape("target-edge", "ring", to_x, to_y, size, size, "paper", stroke=9),
        Shape("target", "ring", to_x, to_y, size, size, "red", stroke=5),
    ]
    for cell, p in odds.items():
        x, y = middles[cell]
        height = 16 if cell == state.target else 13
        shapes += [
            Shape(f"percent-{cell}", "pill", x, y, 3.4 * height, 1.5 * height, "paper"),
            Shape(f"percent-{cell}-text", "bold", x, y, 0, height, text=percent(p)),
        ]
    return shapes


def seat_plates(rules: Rules, state: State, mover: int) -> list[Shape]:
    """Return both seats' plates: who steps or throws, who has won."""
    shapes = []
    for seat, (x, colour) in enumerate(((158, "cyan"), (442, "red"))):
        mine = seat == state.seat
        if mover == OVER:
            mine = ask.returns(rules, state, seat) > 0
            detail = "wins" if mine else "cannot step"
        else:
            detail = ("steps", "throws", "has thrown")[state.phase] if mine else "waits"
        shapes += plate(seat, x, 268, f"Player {seat + 1}", detail, colour, mine)
    return shapes
