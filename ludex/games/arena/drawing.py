"""The arena drawn: both rosters with their lives, the champions and the weapons."""

from collections.abc import Iterator

from ludex.core.rules import NO_MOVE, OVER, Rules, State, initial, moves, returns, seat_name, turn
from ludex.core.scene import OFFER, Scene, Shape, panel, plate
from ludex.games.arena import robots
from ludex.games.arena.emblems import EMBLEMS, ROBOT
from ludex.games.arena.robots import LAST, LIGHT, NAMES, NOBODY, WILY
from ludex.io.text import many
from ludex.kernel.bits import NumberSet, contains


def lives(state: State) -> tuple[list[int], list[int]]:
    """Return the lives of both sides."""
    light, wily = (robots.unpack(fields, robots.LIFE_BITS) for fields in (state.light, state.wily))
    return [*light, state.mega], [*wily, state.gamma]


def render(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    sides = lives(state)
    starts = lives(initial(rules))
    champions = (state.light_champion, state.wily_champion)
    lines = [f"  [bold blue]{'Dr. Light':<29}[/] [bold red]Dr. Wily[/]"]
    for robot in range(9):
        cells = []
        for side, colour in ((LIGHT, "blue"), (WILY, "red")):
            life, start = sides[side][robot], starts[side][robot]
            mark = "▶" if champions[side] == robot else " "
            name = robots.full_name(NAMES[side][robot])
            full = min(10, -(-10 * life // start))
            bar = f"[{colour}]{'█' * full}[/][dim]{'░' * (10 - full)}[/]"
            style = "bold" if champions[side] == robot else "dim" if life == 0 else "default"
            cells.append(f"[{style}]{mark} {name:<11}[/] {bar} {life:>3}")
        lines.append("  ".join(cells))
    lines.append(
        f"  Mega Man's weapons: {', '.join(['mega', *robots.weapon_names(state.weapons)])}"
    )
    return "\n".join(lines)


# The picture: rosters left and right, the arena between them, the weapons below.
COLOURS = ("blue", "red")
LEFT, ROW, TOP, PITCH = (24.0, 596.0), 280.0, 104.0, 46.0
BOTTOM = TOP + 9 * PITCH


def scene(rules: Rules, state: State, last: int = NO_MOVE) -> Scene:
    mover = turn(rules, state)
    shapes = surroundings(rules, state, moves(rules, state, mover) if mover != OVER else 0)
    champions = (state.light_champion, state.wily_champion)
    if NOBODY not in champions:
        shapes += duellists(rules, state, -1, 0)
    for side, champion in enumerate(champions):
        if NOBODY in champions and champion != NOBODY:
            shapes += draw_standing(state, side, champion)
    mover_champion = (state.wily_champion, state.light_champion)[state.seat]
    if last != NO_MOVE and mover_champion == NOBODY:
        fallen = f"{robots.full_name(NAMES[1 - state.seat][last])} fell"
        shapes.append(Shape("news", "text", 450, 92, 0, 19, "silver", fallen))
    return Scene(900, BOTTOM + 112, (*shapes, *weapon_strip(state)))


def surroundings(rules: Rules, state: State, offered: NumberSet) -> list[Shape]:
    """Return all but champions and weapons; the seat to act may choose the offered robots."""
    mover = turn(rules, state)
    shapes = [panel(900, BOTTOM + 112), *floor(state)]
    for side in (LIGHT, WILY):
        alive = sum(life > 0 for life in lives(state)[side])
        lit = side == mover if mover != OVER else returns(rules, state, side) > 0
        detail = "wins" if lit and mover == OVER else f"{many(alive, 'robot')} left"
        name, colour = seat_name(rules, side), COLOURS[side]
        *rest, words, line = plate(side, LEFT[side] + ROW / 2, ROW, name, detail, colour, lit)
        line = line._replace(height=18, shows="")  # also shown at rest
        shapes += [*rest, words._replace(height=22), line]
        for robot in range(9):
            action = robot if side == mover and contains(offered, robot) else NO_MOVE
            shapes += roster_row(rules, state, side, robot, action)
    return shapes


def duel(rules: Rules, state: State, struck: int, lost: int) -> Scene:
    """Return both champions in the arena; the struck side, if any, has just lost `lost` lives."""
    shapes = (*surroundings(rules, state, 0), *duellists(rules, state, struck, lost))
    return Scene(900, BOTTOM + 112, (*shapes, *weapon_strip(state)))


def duellists(rules: Rules, state: State, struck: int, lost: int) -> list[Shape]:
    """Return both champions face to face, with their names and lives."""
    champions, foot = (state.light_champion, state.wily_champion), BOTTOM - 104
    shapes = [Shape("shadow", "disc", 450, foot, 196, 26, "night", opacity=0.6)]
    names, left = [], []
    for side, robot in enumerate(champions):
        name, colour = NAMES[side][robot], COLOURS[side]
        life, start = lives(state)[side][robot], lives(initial(rules))[side][robot]
        names.append(robots.full_name(name))
        left.append(str(life))
        # The striker leans forward, the struck one leans back.
        lean = 0 if struck < 0 else -8 if side == struck else 14
        x, seen = 450 + (2 * side - 1) * (58 - lean), 1.0 if life else 0.35
        robot_shape = Shape(f"champion-{name}", ROBOT, x, foot - 54, 120, 120, colour)
        shapes.append(robot_shape._replace(text=robots.full_name(name), opacity=seen))
        shapes += badge(name, x, foot - 37, 22, colour, seen)
        y, full = foot - 132, 450 + (2 * side - 1) * 58
        shapes.append(Shape(f"fight-{side + 1}", "pill", full, y, 96, 12, "slate"))
        if life:
            width = max(12.0, 96 * min(1.0, life / start))
            place = full - 48 + width / 2
            shapes.append(Shape(f"fight-{side + 1}-life", "pill", place, y, width, 12, colour))
        if side == struck:
            blow = Shape(f"blow-{side + 1}", "burst", x, foot - 84, 54, 54, "yellow")
            number = Shape(f"blow-{side + 1}-lost", "bold", x, foot - 84, 0, 17, text=f"−{lost}")
            shapes += [blow, number]
    shapes += [
        Shape("arena-name", "bold", 450, BOTTOM - 50, 0, 16, "white", " – ".join(names)),
        Shape("arena-life", "text", 450, BOTTOM - 25, 0, 19, "silver", f"life {' – '.join(left)}"),
    ]
    return shapes


def roster_row(rules: Rules, state: State, side: int, robot: int, action: int) -> Iterator[Shape]:
    """Yield a robot's row: its emblem unless it is in the arena, its name, its life."""
    life, start = lives(state)[side][robot], lives(initial(rules))[side][robot]
    stands = robot == (state.light_champion, state.wily_champion)[side]
    name, colour, left = NAMES[side][robot], COLOURS[side], LEFT[side]
    x, y = left + ROW / 2, TOP + (robot + 0.5) * PITCH
    seen = 1.0 if life else 0.3
    ground = "white" if action != NO_MOVE else "mist"
    status = f"{robots.full_name(name)}, life {life}"
    yield Shape(f"row-{name}", "box", x, y, ROW, PITCH - 6, ground, status, action=action)
    if stands:
        yield Shape(f"glow-{name}", "box", x, y, ROW, PITCH - 6, colour, opacity=0.16)
    if action != NO_MOVE:
        yield Shape(
            f"frame-{name}", "frame", x, y, ROW, PITCH - 6, colour, opacity=0.45, shows=OFFER
        )
    if stands:
        yield Shape(f"place-{name}", "ring", left + 26, y, 28, 28, colour, opacity=0.4)
    else:
        yield from badge(name, left + 26, y, 32, colour, seen)
    words = Shape(f"name-{name}", "bold", left + 54, y - 8, 0, 21, text=robots.full_name(name))
    yield words._replace(anchor="start", opacity=seen)
    share = min(1.0, life / start)
    yield Shape(f"bar-{name}", "pill", left + 142, y + 12, 176, 8, "silver", opacity=seen)
    if life:
        width = max(8.0, 176 * share)
        yield Shape(f"life-{name}", "pill", left + 54 + width / 2, y + 12, width, 8, colour)
    number = Shape(f"number-{name}", "bold", left + 270, y, 0, 24, text=str(life), anchor="end")
    yield number._replace(opacity=seen)


def badge(name: str, x: float, y: float, size: float, colour: str, seen: float) -> list[Shape]:
    """Return the emblem of a robot, or of its weapon, on a disc."""
    emblem = Shape(f"emblem-{name}", "path", x, y, size * 0.58, size * 0.58, "white", opacity=seen)
    return [
        Shape(f"badge-{name}", "disc", x, y, size, size, colour, opacity=seen),
        emblem._replace(text=EMBLEMS[name.removeprefix("weapon-")]),
    ]


def floor(state: State) -> list[Shape]:
    """Return the empty arena."""
    middle, height = (24 + BOTTOM) / 2, BOTTOM - 24
    shapes = [Shape("arena", "box", 450, middle, 244, height, "night")]
    for lamp, (x, angle) in enumerate(((382, -12), (450, 0), (518, 12))):
        key, beam = f"lamp-{lamp + 1}", "M-50 50-8-50H8L50 50Z"
        far = 450 - 0.45 * (450 - x)
        shapes += [
            Shape(f"{key}-beam", "path", far, middle - 42, 120, height - 172, "white", beam, angle),
            Shape(key, "pill", x, 58, 34, 14, "slate", angle=angle),
        ]
        shapes[-2] = shapes[-2]._replace(opacity=0.06)
    shapes += [
        Shape("stage", "disc", 450, BOTTOM - 112, 208, 72, "dusk"),
        Shape("stage-edge", "ring", 450, BOTTOM - 112, 208, 72, "slate", opacity=0.7),
    ]
    if state.light_champion == state.wily_champion == NOBODY:
        words = "the arena is empty"
        shapes.append(Shape("arena-name", "text", 450, BOTTOM - 112, 0, 19, "grey", words))
    return shapes


def draw_standing(state: State, side: int, robot: int) -> list[Shape]:
    """Return the champion in the arena, with the emblem that left its row."""
    name, life, colour = NAMES[side][robot], lives(state)[side][robot], COLOURS[side]
    foot = BOTTOM - 104
    return [
        Shape("shadow", "disc", 450, foot, 120, 26, "night", opacity=0.6),
        Shape(f"champion-{name}", ROBOT, 450, foot - 92, 204, 204, colour, robots.full_name(name)),
        *badge(name, 450, foot - 62, 36, colour, 1.0),
        Shape("arena-name", "bold", 450, BOTTOM - 52, 0, 22, "white", robots.full_name(name)),
        Shape("arena-life", "text", 450, BOTTOM - 25, 0, 19, "silver", f"life {life}"),
    ]


def weapon_strip(state: State) -> Iterator[Shape]:
    """Yield the weapons of Mega Man, bright where he has them."""
    y, words = BOTTOM + 52, "Mega Man's weapons"
    yield Shape("weapons", "box", 450, y, 852, 72, "mist")
    yield Shape("weapons-name", "bold", 44, y, 0, 16, text=words, anchor="start")
    for place, name in enumerate(("mega", *robots.WILY_NAMES[:LAST])):
        has = place == 0 or state.weapons >> place - 1 & 1
        x, colour, seen = 276 + 69 * place, "blue" if has else "grey", 1.0 if has else 0.4
        yield from badge(f"weapon-{name}", x, y - 10, 34, colour, seen)
        yield Shape(f"weapon-{name}-name", "text", x, y + 22, 0, 17, "slate", name, opacity=seen)
