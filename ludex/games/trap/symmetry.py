"""The eight symmetries of the trap board: positions that are images of each other are equal."""

import numpy as np

from ludex.games.trap.cells import CELLS, LARGEST_SIZE, for_every_size
from ludex.kernel.jit import shared

MIRROR, FLIP, TRANSPOSE = range(3)  # left and right, top and bottom, rows and columns
# One after the other they lead to all images of a position.
REFLECTIONS = (MIRROR, FLIP, MIRROR, TRANSPOSE, MIRROR, FLIP, MIRROR)


def mirror_table(size: int) -> np.ndarray:
    """Return the mirror image of every row of cells, as bits."""
    places = np.arange(size)
    return np.asarray((np.arange(1 << size)[:, None] >> places & 1) @ (1 << places[::-1]))


def transpose_table(size: int) -> np.ndarray:
    """Return every row of cells as the first column, as bits."""
    places = np.arange(size)
    return np.asarray((np.arange(1 << size)[:, None] >> places & 1) @ (1 << places * size))


def image_table(size: int) -> np.ndarray:
    """Return the image of every cell after each of the reflections."""
    rows, columns = np.divmod(np.arange(size * size), size)
    images = []
    for reflection in REFLECTIONS:
        if reflection == MIRROR:
            columns = size - 1 - columns
        elif reflection == FLIP:
            rows = size - 1 - rows
        else:
            rows, columns = columns, rows
        images.append(size * rows + columns)
    return np.array(images)


MIRRORED = for_every_size(mirror_table, 1 << LARGEST_SIZE)
TRANSPOSED = for_every_size(transpose_table, 1 << LARGEST_SIZE)
IMAGES = for_every_size(image_table, len(REFLECTIONS), CELLS)


@shared
def reflected_cells(rules, cells, reflection):
    """Return the image of cells as bits."""
    size, image = rules.size, 0
    for row in range(size):
        bits = cells >> size * row & (1 << size) - 1
        if reflection == MIRROR:
            image |= int(MIRRORED[size, bits]) << size * row
        elif reflection == FLIP:
            image |= bits << size * (size - 1 - row)
        else:
            image |= int(TRANSPOSED[size, bits]) << row
    return image


@shared
def cell_image(rules, cell, image):
    """Return a cell in an image: 0 is that after the first reflection."""
    return int(IMAGES[rules.size, image, cell])
