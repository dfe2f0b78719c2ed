"""Sets of small numbers as the bits of one int."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from ludex.kernel.jit import shared


def lowest(bits: int) -> int:
    """Return the index of the lowest set bit; the bits are not 0."""
    return (int(bits) & -int(bits)).bit_length() - 1


@intrinsic
def trailing_zeros(context: Any, bits: Any) -> Any:
    """Count trailing zeros with a single machine instruction."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@overload(lowest)
def _lowest(bits):
    return lambda bits: trailing_zeros(bits)


@shared
def size(bits):
    """Return the number of set bits. LLVM turns this loop into a population count."""
    total = 0
    while bits:
        bits &= bits - 1
        total += 1
    return total


@shared
def nth(bits, n):
    """Return the index of the n-th set bit, counted from 0."""
    for _ in range(n):
        bits &= bits - 1
    return lowest(bits)


def members(bits: int) -> list[int]:
    """Return the indices of all set bits, lowest first."""
    return [index for index in range(int(bits).bit_length()) if bits >> index & 1]
