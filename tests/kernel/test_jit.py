"""What surrounds Numba while it compiles."""

import gc
import sys

import numpy as np
import pytest

from ludex.core.rules import initial
from ludex.core.sampling import playout
from ludex.kernel.jit import collection_paused, compiled
from tests.lines import variant


@compiled
def most_of(rules):  # type: ignore[no-untyped-def]
    return rules.most


@pytest.mark.compiled
def test_no_garbage_is_collected_while_numba_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []
    monkeypatch.setattr("ludex.kernel.jit.watchers", [lambda begins: seen.append(gc.isenabled())])
    assert most_of(variant("nuts")) == variant("nuts").most
    assert seen == [False, False]
    assert gc.isenabled()


@pytest.mark.plain
def test_collection_goes_on_after_an_error_and_stays_off_where_it_was() -> None:
    with pytest.raises(ValueError), collection_paused():
        raise ValueError
    assert gc.isenabled()
    gc.disable()
    try:
        with collection_paused():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


@pytest.mark.compiled
def test_a_random_generator_is_not_kept_by_compiled_code() -> None:
    rules, rng = variant("nuts", nuts=10), np.random.default_rng(1)
    playout(rules, initial(rules), rng, 1)
    before = sys.getrefcount(rng)
    for _ in range(20):
        playout(rules, initial(rules), rng, 1)
    assert sys.getrefcount(rng) == before
