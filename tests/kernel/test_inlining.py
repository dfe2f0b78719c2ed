"""What Numba emits as machine code, and what it only inlines."""

from typing import Any

import numba
import numpy as np
import pytest
from numba.core.codegen import JITCPUCodegen

from ludex.kernel.jit import shared

pytestmark = pytest.mark.compiled


@shared
def doubled(number):  # type: ignore[no-untyped-def]
    return 2 * number


@numba.njit
def add_doubled(one, other):  # type: ignore[no-untyped-def]
    return doubled(one) + doubled(other)


@shared
def show(number):  # type: ignore[no-untyped-def]
    print(np.array([number]))  # for this, code has to find a Python object


@numba.njit
def show_both(one, other):  # type: ignore[no-untyped-def]
    show(one)
    show(other)


@pytest.fixture
def emitted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of all modules that become machine code from now on."""
    names: list[str] = []
    add_module = JITCPUCodegen._add_module

    def noted(codegen: Any, module: Any) -> None:
        names.append(module.name)
        add_module(codegen, module)

    monkeypatch.setattr(JITCPUCodegen, "_add_module", noted)
    return names


def test_a_helper_becomes_machine_code_only_in_its_caller(emitted: list[str]) -> None:
    assert add_doubled(3, 4) == 14
    assert add_doubled(0.5, 1) == 3.0
    assert emitted.count("add_doubled") == 2
    assert "doubled" not in emitted


def test_an_inlined_helper_finds_its_python_objects(capfd: pytest.CaptureFixture[str]) -> None:
    show_both(3, 4)
    assert capfd.readouterr().out == "[3]\n[4]\n"


def test_a_helper_has_an_address_if_one_is_asked_for(emitted: list[str]) -> None:
    def increase(number: int) -> int:
        return number + 1

    increased = numba.njit(no_cpython_wrapper=True)(increase)
    increased.compile((numba.int64,))
    assert not any("increase" in name for name in emitted)
    (code,) = increased.overloads.values()
    assert code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
    assert any("increase" in name for name in emitted)
