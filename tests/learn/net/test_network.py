"""The network: the same numbers by NumPy and by JAX, and gradient steps that fit examples."""

import numpy as np
import pytest

from ludex.core.observation import observation_of
from ludex.core.rules import initial
from ludex.learn.net.gradient import Examples, Gradient, Learned
from ludex.learn.net.network import flat, forward, initial_parameters, shape_of, unflat
from tests.learn.net.networks import noisy
from tests.lines import random_states, variant

pytestmark = pytest.mark.plain


@pytest.mark.parametrize("game", ["examples/tictactoe.py", "nuts", "examples/pig.py"])
def test_numpy_and_jax_compute_the_same(game: str) -> None:
    import jax.numpy as jnp  # half a second, also where no test of this file runs

    rules = variant(game)
    views = np.array(
        [observation_of(rules, one, 0) for one in random_states(rules, 1, 6)], np.float32
    )
    evaluate = noisy(rules)
    shape, parameters = evaluate.args[1], evaluate.args[2]  # type: ignore[attr-defined]
    ours, theirs = evaluate(views), forward(jnp, shape, parameters, views)
    for one, other in zip(ours, theirs, strict=True):
        assert np.allclose(one, np.asarray(other), atol=1e-4)
    assert abs(ours[1]).max() < 1.0


def test_a_board_has_convolutions_and_a_row_of_numbers_has_none() -> None:
    assert shape_of(variant("trap"), 8, 1).is_board
    assert not shape_of(variant("examples/pig.py"), 8, 1).is_board


def test_parameters_are_read_back_in_any_order() -> None:
    shape = shape_of(variant("examples/tictactoe.py"), 8, 2)
    parameters = initial_parameters(shape, np.random.default_rng(1))
    shuffled = dict(sorted(parameters.items()))
    again = unflat(shape, flat(shape, shuffled))
    assert list(again) == list(parameters) != list(shuffled)
    assert all(np.array_equal(again[name], parameters[name]) for name in parameters)
    with pytest.raises(ValueError, match="parameters, not 3"):
        unflat(shape, np.zeros(3))


def test_gradient_steps_fit_examples() -> None:
    rules = variant("examples/tictactoe.py")
    shape = shape_of(rules, 16, 1)
    gradient = Gradient(shape, 0.01, "cpu")
    start = initial_parameters(shape, np.random.default_rng(0))
    zeros = {name: np.zeros_like(one) for name, one in start.items()}
    view = observation_of(rules, initial(rules), 0)[None]
    policy = np.array([[0.7, 0.3, *[0.0] * 7]], np.float32)
    examples = Examples(view, policy > 0, policy, np.array([0.5], np.float32))
    learned = Learned(start, zeros, zeros, np.int32(0))
    for _ in range(200):
        learned = gradient.step(learned, examples)
    logits, values = gradient.evaluate(learned.parameters, view)
    shares = np.exp(logits[0, :2]) / np.exp(logits[0, :2]).sum()
    assert np.allclose(shares, [0.7, 0.3], atol=0.02) and abs(values[0] - 0.5) < 0.02
    assert int(learned.steps) == 200
