"""The plates of the seats on a board, with the names of those who play there."""

from collections.abc import Mapping

from ludex.core.rules import Rules, seat_name
from ludex.core.scene import Scene, Shape

LONGEST_PLATE = 19  # letters that fit on a plate of any board, if they are small
FULL_SIZE = 13  # letters that fit if they are not


def name_plates(rules: Rules, scene: Scene, names: Mapping[int, str]) -> Scene:
    """Return a scene with the names of players, by seat, on their plates."""
    plates = {seat_name(rules, seat): name for seat, name in names.items()}
    shapes = (
        with_name(one, plates[one.text]) if one.id.endswith("-name") and one.text in plates else one
        for one in scene.shapes
    )
    return scene._replace(shapes=tuple(shapes))


def with_name(plate: Shape, name: str) -> Shape:
    """Return the text of a plate with the name of a player, in smaller letters if it is long."""
    text = plate_text(plate.text, name)
    return plate._replace(text=text, height=plate.height * min(1.0, FULL_SIZE / len(text)))


def plate_text(seat: str, name: str) -> str:
    """Return the name of a seat with that of its player, shortened to fit on a plate.

    The options of an agent, after a colon, are left out first.
    """
    room = LONGEST_PLATE - len(f"{seat} ()")
    if len(name) > room:
        name = name.partition(":")[0]
    if len(name) <= max(room, len("you")):
        return f"{seat} ({name})"
    return f"{seat} ({name[: room - 1]}…)" if room > 2 else seat
