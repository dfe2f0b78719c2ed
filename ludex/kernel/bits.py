"""Sets of small numbers as the bits of one int."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl
from numba.extending import (
    intrinsic,
    lower_builtin,
    models,
    overload,
    register_model,
    type_callable,
)

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
def contains(bits, index):
    """Return whether the bit of an index is set."""
    return bits >> index & 1 == 1


@shared
def include(bits, index):
    """Return the bits with that of an index set."""
    return bits | 1 << index


@shared
def exclude(bits, index):
    """Return the bits with that of an index cleared."""
    return bits & ~(1 << index)


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
    """Return the indices of all set bits, lowest first.

    In compiled code this is an iterator, as fast as a loop that clears one bit after another.
    """
    bits = int(bits)
    return [index for index in range(bits.bit_length()) if bits >> index & 1]


# `members` in compiled code. ---------------------------------------------------------------------


class MembersType(types.SimpleIteratorType):
    """The type of an iterator over the set bits of an int."""

    def __init__(self) -> None:
        super().__init__("members", types.int64)


@register_model(MembersType)
class MembersModel(models.StructModel):
    """An iterator holds a pointer to the bits that are left, which LLVM keeps in a register."""

    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, [("left", types.EphemeralPointer(types.int64))])


@type_callable(members)
def type_members(context: Any) -> Any:
    """Return the type of `members` for ints."""
    return lambda bits: MembersType() if isinstance(bits, types.Integer) else None


@lower_builtin(members, types.Integer)
def build_members(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Begin with all bits, in the frame of the function that has the loop."""
    iterator = context.make_helper(builder, signature.return_type)
    bits = context.cast(builder, arguments[0], signature.args[0], types.int64)
    iterator.left = cgutils.alloca_once_value(builder, bits)
    return iterator._getvalue()


@lower_builtin("iternext", MembersType)
@iternext_impl(RefType.UNTRACKED)
def build_next(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    """Yield the lowest bit that is left, and clear it."""
    iterator = context.make_helper(builder, signature.args[0], value=arguments[0])
    left = builder.load(iterator.left)
    found = builder.icmp_unsigned("!=", left, ir.Constant(left.type, 0))
    result.set_valid(found)
    with builder.if_then(found):
        result.yield_(builder.cttz(left, ir.Constant(ir.IntType(1), 1)))
        rest = builder.and_(left, builder.sub(left, ir.Constant(left.type, 1)))
        builder.store(rest, iterator.left)
