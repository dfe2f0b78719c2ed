"""The network: residual blocks, and from them the logits of all actions and a value.

It is written once for NumPy, with which it plays anywhere, and for JAX, with which it learns. On a
board the blocks are convolutions, otherwise they are fully connected.
"""

from typing import Any, NamedTuple

import numpy as np

from ludex.core.observation import bounds
from ludex.core.rules import Rules, actions, view_shape

Parameters = dict[str, Any]
"""Arrays by name, of NumPy or of JAX."""
HEAD = 4  # planes from which a head of a board reads
EPSILON = 1e-6


class Shape(NamedTuple):
    """What a network sees, what it chooses from, and how large it is."""

    view: tuple[int, ...]
    actions: int
    width: int
    blocks: int
    raw: bool
    """Whether it sees the ints of a state and not planes with numbers from 0 to 1."""

    @property
    def is_board(self) -> bool:
        """Whether the blocks are convolutions."""
        return min(self.view[1:]) > 1


def shape_of(rules: Rules, width: int, blocks: int) -> Shape:
    """Return the shape of a network for a game."""
    raw = bounds(rules)[2] is np.float64
    return Shape(tuple(map(int, view_shape(rules))), int(actions(rules)), width, blocks, raw)


def sizes_of(shape: Shape) -> dict[str, tuple[int, ...]]:
    """Return the shapes of all parameters by name; the last axis but one is what is summed over."""
    planes, cells = shape.view[0], int(np.prod(shape.view[1:]))
    width, board = shape.width, shape.is_board
    inputs, taps, read = (planes, 9, cells * HEAD) if board else (planes * cells, 1, width)
    sizes: dict[str, tuple[int, ...]] = {"enter": (taps * inputs, width), "enter.bias": (width,)}
    for block in range(shape.blocks):
        sizes |= {
            f"{block}.scale": (width,),
            f"{block}.first": (taps * width, width),
            f"{block}.first.bias": (width,),
            f"{block}.second": (taps * width, width),
            f"{block}.second.bias": (width,),
        }
    sizes["leave.scale"] = (width,)
    for head, outputs in (("policy", shape.actions), ("value", width)):
        if board:
            sizes |= {f"{head}.planes": (width, HEAD), f"{head}.planes.bias": (HEAD,)}
        sizes |= {f"{head}": (read, outputs), f"{head}.bias": (outputs,)}
    return sizes | {"worth": (width, 1), "worth.bias": (1,)}


def parameter_count(shape: Shape) -> int:
    """Return how many parameters a network has."""
    return sum(int(np.prod(size)) for size in sizes_of(shape).values())


def initial_parameters(shape: Shape, rng: np.random.Generator) -> Parameters:
    """Return random weights; the last layers, and the second of each block, begin at 0."""
    parameters: Parameters = {}
    for name, size in sizes_of(shape).items():
        if name.endswith("scale"):
            parameters[name] = np.ones(size, np.float32)
        elif len(size) == 1 or name in ("policy", "worth") or name.endswith("second"):
            parameters[name] = np.zeros(size, np.float32)
        else:
            deviation = np.sqrt(2.0 / size[0])
            parameters[name] = (deviation * rng.standard_normal(size)).astype(np.float32)
    return parameters


def forward(xp: Any, shape: Shape, parameters: Parameters, views: Any) -> tuple[Any, Any]:
    """Return logits and values for views, by the functions of NumPy or of JAX."""

    def dense(name: str, given: Any) -> Any:
        return given @ parameters[name] + parameters[f"{name}.bias"]

    def normal(name: str, given: Any) -> Any:
        mean = xp.mean(given * given, axis=-1, keepdims=True)
        return given / xp.sqrt(mean + EPSILON) * parameters[f"{name}.scale"]

    def layer(name: str, given: Any) -> Any:
        return dense(name, neighbourhoods(xp, given) if shape.is_board else given)

    def head(name: str, given: Any) -> Any:
        if shape.is_board:
            planes = xp.maximum(dense(f"{name}.planes", given), 0.0)
            given = planes.reshape(len(planes), -1)
        return dense(name, given)

    seen = xp.arcsinh(views) if shape.raw else views
    seen = xp.moveaxis(seen, 1, -1) if shape.is_board else seen.reshape(len(seen), -1)
    hidden = layer("enter", seen)
    for block in range(shape.blocks):
        inner = xp.maximum(layer(f"{block}.first", normal(str(block), hidden)), 0.0)
        hidden = hidden + layer(f"{block}.second", inner)
    hidden = xp.maximum(normal("leave", hidden), 0.0)
    worth = dense("worth", xp.maximum(head("value", hidden), 0.0))
    return head("policy", hidden), xp.tanh(worth[:, 0])


def neighbourhoods(xp: Any, boards: Any) -> Any:
    """Return for each cell what is on it and on its eight neighbours, for a convolution."""
    rows, columns = boards.shape[1:3]
    padded = xp.pad(boards, ((0, 0), (1, 1), (1, 1), (0, 0)))
    parts = [
        padded[:, row : row + rows, column : column + columns]
        for row in range(3)
        for column in range(3)
    ]
    return xp.concatenate(parts, axis=-1)


def flat(shape: Shape, parameters: Parameters) -> np.ndarray:
    """Return all parameters as one row of numbers."""
    return np.concatenate([np.asarray(parameters[name]).ravel() for name in sizes_of(shape)])


def unflat(shape: Shape, numbers: np.ndarray) -> Parameters:
    """Return the parameters in a row of numbers; raise a ValueError if it has another length."""
    sizes = sizes_of(shape)
    counts = [int(np.prod(size)) for size in sizes.values()]
    if len(numbers) != sum(counts):
        raise ValueError(f"expected {sum(counts):,} parameters, not {len(numbers):,}")
    parts = np.split(numbers.astype(np.float32), np.cumsum(counts)[:-1])
    return {name: part.reshape(sizes[name]) for name, part in zip(sizes, parts, strict=True)}
