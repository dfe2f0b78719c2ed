"""Gradient steps with JAX: towards the policies that searches improved, and towards the results."""

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ludex.core.devices import CUDA
from ludex.learn.net.network import Parameters, Shape, forward

# Of Adam, as its authors advise, with the decay of weights apart (Loshchilov and Hutter 2019).
MEAN, SQUARE, TINY, DECAY = 0.9, 0.999, 1e-8, 1e-4


class Examples(NamedTuple):
    """What a network is to say of some views."""

    views: np.ndarray
    masks: np.ndarray
    """The legal actions."""
    policies: np.ndarray
    values: np.ndarray


class Learned(NamedTuple):
    """The parameters of a network, and what Adam remembers of their gradients."""

    parameters: Parameters
    means: Parameters
    squares: Parameters
    steps: Any


def device_of(name: str) -> Any:
    """Return a device of JAX; raise a ValueError if there is none."""
    import jax

    try:
        return jax.devices("gpu" if name == CUDA else "cpu")[0]
    except RuntimeError as error:
        raise ValueError(
            f"device {name!r}: JAX finds no card, or was installed without its libraries:"
            " pip install 'jax[cuda13]'"
        ) from error


class Functions(NamedTuple):
    """What JAX has compiled for networks of a shape."""

    step: Callable[[Learned, Examples], Learned]
    forward: Callable[[Parameters, Any], tuple[Any, Any]]


@functools.lru_cache(maxsize=16)
def functions_of(shape: Shape, rate: float) -> Functions:
    """Return a gradient step and the evaluation of networks; each is compiled once a process."""
    import jax  # half a second
    import jax.numpy as jnp

    def loss(parameters: Parameters, given: Examples) -> Any:
        logits, values = forward(jnp, shape, parameters, given.views)
        chooses = given.masks.any(axis=1, keepdims=True)
        shares = jax.nn.log_softmax(jnp.where(given.masks | ~chooses, logits, -jnp.inf))
        policy = -jnp.sum(given.policies * jnp.where(given.masks, shares, 0.0), axis=1)
        return jnp.mean(policy + (values - given.values) ** 2)

    def step(now: Learned, given: Examples) -> Learned:
        slopes = jax.grad(loss)(now.parameters, given)
        steps = now.steps + 1
        means = {one: MEAN * now.means[one] + (1 - MEAN) * slopes[one] for one in slopes}
        squares = {
            one: SQUARE * now.squares[one] + (1 - SQUARE) * slopes[one] ** 2 for one in slopes
        }

        def moved(one: str) -> Any:
            mean = means[one] / (1 - MEAN**steps)
            size = jnp.sqrt(squares[one] / (1 - SQUARE**steps))
            return (1 - rate * DECAY) * now.parameters[one] - rate * mean / (size + TINY)

        return Learned({one: moved(one) for one in slopes}, means, squares, steps)

    return Functions(
        jax.jit(step), jax.jit(lambda parameters, views: forward(jnp, shape, parameters, views))
    )


class Gradient:
    """Computes and changes a network on a device of JAX."""

    def __init__(self, shape: Shape, rate: float, device: str) -> None:
        self.device = device_of(device)
        self.step, self.forward = functions_of(shape, rate)

    def put(self, arrays: Any) -> Any:
        """Return arrays on the device."""
        import jax

        return jax.device_put(arrays, self.device)

    def evaluate(self, parameters: Parameters, views: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return logits and values of views as arrays of NumPy."""
        logits, values = self.forward(parameters, self.put(views.astype(np.float32)))
        return np.asarray(logits), np.asarray(values)
