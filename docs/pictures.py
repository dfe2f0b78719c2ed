"""Draw the pictures of the documents: the games, all five side by side, and a search tree."""

from pathlib import Path

from ludex.agents.registry import make_agent
from ludex.core.play import parse, read_state
from ludex.core.rules import apply, scene, title
from ludex.core.scene import Scene, Shape, panel
from ludex.games import find, game_rules
from ludex.render.svg import PALETTE, SHAPE_KINDS, svg
from ludex.render.tree.picture import picture
from ludex.search.tree_grower import grow

FOLDER = Path(__file__).with_name("pictures")

# For each game: its rules, a position, and the move that leads to the picture.
POSITIONS = {
    "nuts": ({}, "17 0", "take 3"),
    "arena": ({}, "0,14,30,9,30,30,0,22,36 0,30,0,0,30,18,30,2,99 - heat metal 0", "mega"),
    "aeroplane": (
        {"seats": "4"},
        "R:h,18,f2,12 B:6,6,30,h Y:l,41,f3,home G:22,22,22,l - 0",
        "roll 6",
    ),
    "trap": ({}, "......./.....x./....2x./.x...x./..x..../...1.../....x.. 0 throw", "throw 2,1"),
    "droids": ({}, "1,1 3,2 4,4 0,0 39", "shoot left"),
}
# The same for the examples of the contract; their names are those of their files.
EXAMPLES = {
    "examples/tictactoe.py": ({}, "33 20 0", "cell 2"),
    "examples/connect_four.py": ({}, "8801484802432 4401007707648 1", "column 7"),
    "examples/othello.py": (
        {},
        "..xox.../..xox.../..ooxx../.oxxxx../ooooooo./..oooo../......../........ 0",
        "b6",
    ),
    "examples/hex.py": (
        {},
        "...b.bb..../r.r..rrrb../......brrr./..b.r.r.bbb/....br..rr./....rbb..../"
        ".b..r...r../...brb...../...r......./..r...bb.b./..r......b. 1",
        "a8",
    ),
    "examples/breakthrough.py": (
        {},
        ".bb.bbbb/b..bbbb./b.b...../.b.w..b./.w....../.w.ww.../.ww..www/w.w.ww.w 0",
        "d5xc6",
    ),
    # The next three as the seat to move sees them.
    "examples/kuhn.py": ({}, "K ? p", "bet"),
    "examples/leduc.py": ({}, "K ? J rc c", "raise"),
    "examples/liars_dice.py": ({"dice": "2"}, "?? 15 1x3,2x1", "2 fives"),
    "examples/goofspiel.py": ({}, "5,4,3,2,1 3 5 2", "5 2"),
}


def game_scene(name: str) -> Scene:
    """Return the picture of a game."""
    texts, position, label = (POSITIONS | EXAMPLES)[name]
    rules = game_rules(name, texts)
    state = read_state(rules, position)
    move = parse(rules, state, label)
    drawn: Scene = scene(rules, apply(rules, state, move), move)
    return drawn


def placed(picture: Scene, name: str, x: float, y: float, scale: float) -> list[Shape]:
    """Return the shapes of a scene made smaller, its corner at a place, with a name before ids."""
    return [
        shape._replace(
            id=f"{name}-{shape.id}",
            x=x + scale * shape.x,
            y=y + scale * shape.y,
            width=scale * shape.width,
            height=scale * shape.height,
            stroke=scale * shape.stroke,
        )
        for shape in picture.shapes
    ]


def banner(scenes: dict[str, Scene], width: float = 1600, margin: float = 32) -> Scene:
    """Return all scenes in a row, equally high, under the name of the house."""
    room = width - margin * (len(scenes) + 1)
    height = room / sum(one.width / one.height for one in scenes.values())
    top = 116.0
    shapes = [
        panel(width, top + height + margin)._replace(colour="night"),
        Shape("name", "bold", margin, 62, 0, 60, "white", "Ludex", anchor="start"),
        Shape("aim", "text", 262, 68, 0, 28, "silver", "a laboratory for small games"),
    ]
    shapes[-1] = shapes[-1]._replace(anchor="start")
    x = margin
    for name, one in scenes.items():
        shapes += placed(one, name, x, top, height / one.height)
        x += one.width * height / one.height + margin
    return Scene(width, top + height + margin, tuple(shapes))


def all_shapes() -> Scene:
    """Return a picture of each kind of shape and of each colour, with its name below."""
    across, step, texts = 8, 110.0, {"path": "M-40 40 0-40 40 40Z", "die": "5"}
    names = [*SHAPE_KINDS, *PALETTE]
    width, height = step * across + 20, step * -(-len(names) // across) + 20
    shapes = [panel(width, height)]
    for place, name in enumerate(names):
        x, y = step * (place % across + 0.5) + 10, step * (place // across + 0.5)
        sort, colour = (name, "blue") if name in SHAPE_KINDS else ("box", name)
        shape = Shape(name, sort, x, y, 60, 50, colour, texts.get(sort, "Abc"), stroke=5)
        if sort in ("line", "dots"):
            shape = shape._replace(x=x - 30, y=y - 20, height=40)
        elif sort in ("text", "bold", "mono"):
            shape = shape._replace(height=26)
        words = Shape(f"{name}-name", "text", x, y + 44, 0, 15, "slate", name)
        edge = shape._replace(id=f"{name}-edge", kind="frame", colour="silver", stroke=1)
        shapes += [shape, *[edge] * (colour != "blue"), words]
    return Scene(width, height, tuple(shapes))


def tree() -> str:
    """Return the tree of alpha-beta in a small game of nuts."""
    rules = game_rules("nuts")
    grown = grow(make_agent("alphabeta", rules), rules, read_state(rules, "6 0"), 4)
    return picture(grown, "Six nuts: alphabeta, 4 decisions ahead")


def pictures() -> dict[str, str]:
    """Return every picture by the name of its file."""
    scenes = {name: game_scene(name) for name in POSITIONS}
    drawn = {f"{name}.svg": svg(one, title(find(name))) for name, one in scenes.items()}
    for name in EXAMPLES:
        drawn[f"{Path(name).stem}.svg"] = svg(game_scene(name), title(find(name)))
    everything = "Ludex: The Game of Nuts, Mega Man Battle Arena, Aeroplane Chess, Trap! and R2-D2"
    drawn["ludex.svg"] = svg(banner(scenes), f"{everything} Battle")
    shapes = svg(all_shapes(), "The kinds and the colours of shapes")
    return drawn | {"tree.svg": tree(), "shapes.svg": shapes}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pictures().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
