"""What surrounds Numba while it compiles."""

import gc

import pytest

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
