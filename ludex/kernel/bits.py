"""Sets of small numbers as bits: of one int, or of a tuple of ints where 63 bits are too few.

Which of the two a set is, is known at compile time, so that small games pay nothing for large
ones. The words of a tuple are signed 64-bit ints, in interpreted code too.
"""

from typing import Any

import numpy as np
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

from ludex.kernel.jit import INLINED, shared
from ludex.kernel.tuples import replace_at

NumberSet = int | tuple[int, ...]
MOST_IN_ONE = 63
"""Numbers in a set of one int, which must not be negative."""
WORD, SHIFT = 64, 6  # bits in a word of a tuple
MASK = (1 << WORD) - 1


def empty_set(numbers: int) -> NumberSet:
    """Return the empty set for numbers below a bound."""
    return 0 if numbers <= MOST_IN_ONE else (0,) * -(-numbers // WORD)


def words_of(bits: NumberSet) -> list[int]:
    """Return the words of a set as ints that are not negative."""
    return [word & MASK for word in bits] if isinstance(bits, tuple) else [int(bits)]


def with_word(words: tuple[int, ...], place: int, word: int) -> tuple[int, ...]:
    """Return a tuple with another word, given as any int with the same lowest 64 bits."""
    return replace_at(words, place, as_word(word))


def as_word(bits: int) -> int:
    """Return the signed 64-bit int with the same lowest 64 bits.

    For boards of 64 cells: in compiled code every int is one already, but in interpreted code a
    shift to the left goes beyond it.
    """
    return (bits + (1 << WORD - 1) & MASK) - (1 << WORD - 1)


def is_empty(bits: NumberSet) -> bool:
    """Return whether a set is empty."""
    return not any(bits) if isinstance(bits, tuple) else bits == 0


def contains(bits: NumberSet, number: int) -> bool:
    """Return whether a set has a number."""
    if isinstance(bits, tuple):
        return bits[number >> SHIFT] >> number % WORD & 1 == 1
    return bits >> number & 1 == 1


def include(bits: NumberSet, number: int) -> NumberSet:
    """Return a set with a number as well."""
    if isinstance(bits, tuple):
        place = number >> SHIFT
        return with_word(bits, place, bits[place] | 1 << int(number) % WORD)
    return bits | 1 << number


def exclude(bits: NumberSet, number: int) -> NumberSet:
    """Return a set without a number."""
    if isinstance(bits, tuple):
        place = number >> SHIFT
        return with_word(bits, place, bits[place] & ~(1 << int(number) % WORD))
    return bits & ~(1 << number)


def emptied(bits: NumberSet) -> NumberSet:
    """Return the empty set of the same kind."""
    return (0,) * len(bits) if isinstance(bits, tuple) else 0


def size(bits: NumberSet) -> int:
    """Return how many numbers a set has."""
    return sum(word.bit_count() for word in words_of(bits))


def lowest(bits: NumberSet) -> int:
    """Return the lowest number of a set, which is not empty."""
    return next(
        WORD * place + (word & -word).bit_length() - 1
        for place, word in enumerate(words_of(bits))
        if word
    )


def nth(bits: NumberSet, n: int) -> int:
    """Return the n-th number of a set, counted from 0."""
    return members(bits)[n]


def write_words(bits: NumberSet, row: np.ndarray) -> None:
    """Write the words of a set into an array of as many ints."""
    row[:] = bits


def members(bits: NumberSet) -> list[int]:
    """Return the numbers of a set, lowest first.

    In compiled code this is an iterator, as fast as a loop that clears one bit after another.
    """
    return [
        WORD * place + number
        for place, word in enumerate(words_of(bits))
        for number in range(word.bit_length())
        if word >> number & 1
    ]


# The same in compiled code. -----------------------------------------------------------------------


@intrinsic
def trailing_zeros(context: Any, bits: Any) -> Any:
    """Count trailing zeros with a single machine instruction."""

    def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), build


@shared
def ones(word):
    """Return the number of set bits. LLVM turns this loop into a population count."""
    total = 0
    while word:
        word &= word - 1
        total += 1
    return total


@shared
def nth_one(word, n):
    """Return the place of the n-th set bit, counted from 0."""
    while n > 0:
        word &= word - 1
        n -= 1
    return trailing_zeros(word)


def compile_as(function: Any, narrow: Any, wide: Any) -> None:
    """Give an operation its two forms in compiled code: on an int, and on a tuple of words."""

    @overload(function, strict=False, jit_options=INLINED)
    def build(bits: Any, *rest: Any) -> Any:
        return wide if isinstance(bits, types.BaseTuple) else narrow


def _is_empty(words):
    for word in words:
        if word != 0:
            return False
    return True


# Loops over all words are unrolled, and keep a small set in registers; a number as an index would
# need memory, and a test of its bounds.


@shared
def bit_in(place, number):
    """Return the bit of a number in the word at a place, none if it is in another."""
    return 1 << (number & WORD - 1) if place == number >> SHIFT else 0


def _contains(words, number):
    found = 0
    for place in range(len(words)):
        found |= words[place] & bit_in(place, number)
    return found != 0


def _include(words, number):
    for place in range(len(words)):
        words = replace_at(words, place, words[place] | bit_in(place, number))
    return words


def _exclude(words, number):
    for place in range(len(words)):
        words = replace_at(words, place, words[place] & ~bit_in(place, number))
    return words


def _emptied(words):
    for place in range(len(words)):
        words = replace_at(words, place, 0)
    return words


def _size(words):
    total = 0
    for word in words:
        total += ones(word)
    return total


def _lowest(words):
    below = 0
    for word in words:
        if word != 0:
            return below + trailing_zeros(word)
        below += WORD
    return below


def _nth(words, n):
    below = 0
    for word in words:
        here = ones(word)
        if n < here:
            return below + nth_one(word, n)
        n -= here
        below += WORD
    return below


def _write_word(bits, row):
    row[0] = bits


def _write_words(words, row):
    for place in range(len(words)):
        row[place] = words[place]


compile_as(as_word, lambda bits: bits, None)
compile_as(write_words, _write_word, _write_words)
compile_as(is_empty, lambda bits: bits == 0, _is_empty)
compile_as(contains, lambda bits, number: bits >> number & 1 == 1, _contains)
compile_as(include, lambda bits, number: bits | 1 << number, _include)
compile_as(exclude, lambda bits, number: bits & ~(1 << number), _exclude)
compile_as(emptied, lambda bits: 0, _emptied)
compile_as(size, lambda bits: ones(bits), _size)
compile_as(lowest, lambda bits: trailing_zeros(bits), _lowest)
compile_as(nth, lambda bits, n: nth_one(bits, n), _nth)


class MembersType(types.SimpleIteratorType):
    """The type of an iterator over a set of so many words."""

    def __init__(self, words: int) -> None:
        self.words = types.UniTuple(types.int64, words)
        super().__init__(f"members({words})", types.int64)


@register_model(MembersType)
class MembersModel(models.StructModel):
    """An iterator points to the bits that are left, and to the place of the word it is at."""

    def __init__(self, manager: Any, kind: Any) -> None:
        place = types.EphemeralPointer(types.int64)
        fields = [("left", types.EphemeralPointer(kind.words)), ("place", place)]
        super().__init__(manager, kind, fields)


@type_callable(members)
def type_members(context: Any) -> Any:
    """Return the type of `members` of a set."""

    def type_of(bits: Any) -> Any:
        if isinstance(bits, types.UniTuple):
            return MembersType(bits.count)
        return MembersType(1) if isinstance(bits, types.Integer) else None

    return type_of


def begin(context: Any, builder: Any, signature: Any, words: Any) -> Any:
    """Return an iterator over words, in the frame of the function that has the loop."""
    iterator = context.make_helper(builder, signature.return_type)
    iterator.left = cgutils.alloca_once_value(builder, words)
    iterator.place = cgutils.alloca_once_value(builder, context.get_constant(types.int64, 0))
    return iterator._getvalue()


@lower_builtin(members, types.Integer)
def build_members(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Begin with the bits of an int."""
    word = context.cast(builder, arguments[0], signature.args[0], types.int64)
    return begin(context, builder, signature, cgutils.pack_array(builder, [word]))


@lower_builtin(members, types.UniTuple)
def build_wide_members(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Begin with the bits of a tuple."""
    words = signature.return_type.words
    return begin(
        context, builder, signature, context.cast(builder, arguments[0], signature.args[0], words)
    )


def next_member(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    """Yield the lowest number that is left, and take it out."""
    kind = signature.args[0]
    last = int(kind.words.count) - 1
    iterator = context.make_helper(builder, kind, value=arguments[0])
    number = lambda value: context.get_constant(types.int64, value)  # noqa: E731

    def here() -> Any:
        return cgutils.gep_inbounds(builder, iterator.left, 0, builder.load(iterator.place))

    if last:  # go to the next word that is not empty, or to the last
        check, step, after = (builder.append_basic_block(name) for name in ("check", "step", "go"))
        builder.branch(check)
        builder.position_at_end(check)
        is_last = builder.icmp_signed("==", builder.load(iterator.place), number(last))
        has_some = builder.icmp_signed("!=", builder.load(here()), number(0))
        builder.cbranch(builder.or_(is_last, has_some), after, step)
        builder.position_at_end(step)
        builder.store(builder.add(builder.load(iterator.place), number(1)), iterator.place)
        builder.branch(check)
        builder.position_at_end(after)
    word = here()
    left = builder.load(word)
    found = builder.icmp_signed("!=", left, number(0))
    result.set_valid(found)
    with builder.if_then(found):
        base = builder.mul(builder.load(iterator.place), number(WORD))
        low = builder.cttz(left, ir.Constant(ir.IntType(1), 1))
        result.yield_(builder.add(base, low))
        builder.store(builder.and_(left, builder.sub(left, number(1))), word)


lower_builtin("iternext", MembersType)(iternext_impl(RefType.UNTRACKED)(next_member))
