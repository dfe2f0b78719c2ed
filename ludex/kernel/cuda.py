"""Compile for NVIDIA cards with numba-cuda: what its target lacks, and the same bits as the CPU.

The same sources are compiled: functions marked `shared`, and those of games. They become PTX, which
is kept on disk; the driver makes machine code of it. So whether a game can run on a card shows on
any machine, and a launch costs microseconds, a tenth of what a launch by numba-cuda takes.
"""

import ctypes
import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property
from types import SimpleNamespace
from typing import Any
from unittest import mock

import numpy as np

if not hasattr(np, "row_stack"):  # NumPy 2.5 dropped it, and numba-cuda imports it
    np.row_stack = np.vstack

import _numba_cuda_redirector  # noqa: F401 - before `numba.cuda`; its .pth file may be missing
import numba
import numba_cuda
from cuda.bindings import driver
from cuda.core import ObjectCode
from llvmlite import ir
from numba import cuda as cuda  # for other modules, after the redirector
from numba import types
from numba.core.registry import CPUDispatcher
from numba.cuda import cgutils, dispatcher
from numba.cuda.core.imputils import RefType, iternext_impl, lower_builtin
from numba.cuda.cpython import tupleobj
from numba.cuda.cudadrv import nvvm
from numba.cuda.typing.typeof import typeof_impl
from numba.extending import overload

from ludex.io.files import write_text
from ludex.kernel.bits import MembersType, next_member
from ludex.kernel.jit import (
    INLINED,
    announce,
    cache_root,
    collection_paused,
    compiling,
    games,
    on_disk,
    sources_hash,
)
from ludex.kernel.tuples import define, replace_at

MOST_LOADED = 256  # kernels
CAPABILITY = (9, 0)  # for which PTX is made where there is no card

# numba-cuda takes over what others have registered with Numba, but not if Numba has wrapped it.
lower_builtin("iternext", MembersType)(iternext_impl(RefType.UNTRACKED)(next_member))


@typeof_impl.register(CPUDispatcher)
def _of_compiled(function: Any, context: Any) -> types.Type:
    """Let kernels call functions marked `compiled`, which must not be recursive."""
    return typeof_impl(device_function(function), context)


@cache
def device_function(function: Any) -> Any:
    """Return a function of the CPU as one of the card."""
    return cuda.jit(device=True)(function.py_func)


@overload(replace_at, strict=False, jit_options=INLINED, target="cuda")
def _replace_at(numbers: Any, index: Any, number: Any) -> Any:
    # Selected and not stored: an index at run time would put the tuple into memory.
    parts = (f"number if index == {place} else numbers[{place}], " for place in range(len(numbers)))
    return define("numbers, index, number", [f"return ({''.join(parts)})"])


unrolled: set[tuple[str, str]] = set()
"""The functions and first blocks of loops over tuples."""
FIRST_NODE = 990000  # metadata of our own; numba-cuda numbers its own from 0


def with_unrolled_loops(source: str) -> str:
    """Return LLVM code in which NVVM is told to unroll the loops over tuples."""
    lines, function = source.splitlines(), ""
    seen: set[str] = set()
    nodes: list[str] = []
    for number, line in enumerate(lines):
        if line.startswith("define "):
            function, seen = line.partition('@"')[2].partition('"')[0], set()
        elif line.endswith(":") and not line.startswith(" "):
            seen.add(line[:-1].strip('"'))
        elif line.startswith("  br label "):
            target = line.removeprefix("  br label %").strip('"')
            if target in seen and (function, target) in unrolled:  # back to the start of the loop
                nodes.append(f"!{FIRST_NODE + len(nodes)}")
                lines[number] += f", !llvm.loop {nodes[-1]}"
    full = f"!{FIRST_NODE - 1}"
    lines += [f"{node} = distinct !{{{node}, {full}}}" for node in nodes]
    return "\n".join([*lines, full + ' = !{!"llvm.loop.unroll.full"}', ""])


def item_of_tuple(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """Load an item of a tuple of ints from memory, by an index from its start or end.

    numba-cuda branches to it, and loops over tuples become so large that NVVM does not unroll them.
    """
    kind = signature.args[0]
    words, index = arguments
    unrolled.add((builder.function.name, builder.block.name.partition(".")[0]))
    place = cgutils.alloca_once_value(builder, words)
    last = ir.Constant(index.type, kind.count)
    index = builder.select(
        builder.icmp_signed("<", index, index.type(0)), builder.add(index, last), index
    )
    return builder.load(cgutils.gep_inbounds(builder, place, 0, index))


# Compiling. --------------------------------------------------------------------------------------


@contextmanager
def as_on_the_cpu() -> Iterator[None]:
    """Compile as the CPU computes, and without its limits of constants.

    No multiplication is fused with an addition, because the CPU rounds between them. Tables go into
    global memory: there are 64 KiB of constant memory, and it is slow if threads read apart.
    """
    compile_ir = nvvm.compile_ir

    def adapted(sources: str | list[str], **options: Any) -> Any:
        given = [sources] if isinstance(sources, str) else sources
        given = [with_unrolled_loops(one.replace("addrspace(4)", "addrspace(1)")) for one in given]
        return compile_ir(given, **options, fma=False)

    with (
        mock.patch.object(nvvm, "compile_ir", adapted),
        mock.patch.object(tupleobj, "getitem_unituple", item_of_tuple),
        collection_paused(),
        compiling(),
    ):
        yield


def has_card() -> bool:
    """Return whether this process can use a card."""
    return bool(cuda.is_available())


def capability() -> tuple[int, int]:
    """Return the compute capability of the card, or a usual one if there is none."""
    if not has_card():
        return CAPABILITY
    major, minor = cuda.get_current_device().compute_capability
    return major, minor


def ptx_of(kernel: Callable[..., None], signature: tuple[types.Type, ...]) -> str:
    """Return the PTX of a kernel, also without a card."""
    card = SimpleNamespace(compute_capability=capability())
    with mock.patch.object(dispatcher, "get_current_device", lambda: card), as_on_the_cpu():
        code, _ = cuda.compile_ptx(kernel, signature, device=False, cc=card.compute_capability)
    return str(code)


class Kernel:
    """A function compiled for the card when it is first called, or loaded from disk.

    Its constants are described by a text, and by the types of the rules and states among them.
    """

    def __init__(
        self,
        function: Callable[..., None],
        signature: tuple[types.Type, ...],
        like: tuple[types.Type, ...],
        constants: str,
    ) -> None:
        self.function, self.signature = function, signature
        self.like, self.constants = like, constants

    @property
    def ptx(self) -> str:
        """Its code for the card."""
        if not on_disk(self.like):
            return ptx_of(self.function, self.signature)
        parts = (
            sources_hash(games(self.like)),
            numba_cuda.__version__,
            self.function.__qualname__,
            self.signature,
            self.like,
            self.constants,
            capability(),
        )
        name = hashlib.sha256(" ".join(map(str, parts)).encode()).hexdigest()[:24]
        file = cache_root() / f"{name}.ptx"
        if not file.exists():
            announce(self.like)
            write_text(file, ptx_of(self.function, self.signature))
        return file.read_text()

    @cached_property
    def handle(self) -> Any:
        """What the driver launches."""
        return driver.CUfunction(int(load(self.ptx).handle))

    def bind(self, blocks: int, threads: int, *arguments: Any) -> Callable[[], None]:
        """Return a function that launches the kernel on the default stream, in microseconds."""
        check_arguments(self.function.__name__, arguments, self.signature)
        values, places = pack(flat(arguments))
        address = ctypes.addressof(places)
        given = self.handle, blocks, 1, 1, threads, 1, 1, 0, 0, address, 0

        def launch() -> None:
            (error,) = driver.cuLaunchKernel(*given)
            if error:
                raise RuntimeError(f"the card did not run {self.function.__name__}: {error.name}")

        launch.memory = arguments, values, places  # type: ignore[attr-defined]
        return launch


def check_arguments(
    name: str, arguments: tuple[Any, ...], signature: tuple[types.Type, ...]
) -> None:
    """Raise a TypeError unless the arguments of a kernel have its types, which no driver checks."""
    kinds = flat(kind.types if isinstance(kind, types.BaseTuple) else kind for kind in signature)
    for place, (one, kind) in enumerate(zip(flat(arguments), kinds, strict=True)):
        given: Any = types.int64
        if not isinstance(one, int):
            told = one.__cuda_array_interface__
            items = numba.from_dtype(np.dtype(told["typestr"]))
            dense = row_major(told["shape"], np.dtype(told["typestr"]).itemsize)
            layout = "C" if list(told.get("strides") or dense) == dense else "A"
            given = types.Array(items, len(told["shape"]), layout)
        if given != kind:
            raise TypeError(f"argument {place} of {name}: expected {kind}, not {given}")


def flat(parts: Iterable[Any]) -> tuple[Any, ...]:
    """Return the arguments of a kernel as Numba takes them: the items of tuples one by one."""
    return tuple(one for part in parts for one in (part if isinstance(part, tuple) else (part,)))


@functools.lru_cache(maxsize=MOST_LOADED)  # variants of rules share kernels
def load(code: str) -> Any:
    """Return a kernel on the card, given its PTX."""
    entry = code.partition(".entry ")[2].partition("(")[0].strip()
    with compiling():
        return ObjectCode.from_ptx(code.encode()).get_kernel(entry)


def pack(arguments: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the words of the arguments of a kernel, and pointers to them.

    Numba takes an array apart: two pointers for reference counting, the number of its items, their
    size, the address, the shape, and the strides.
    """
    words: list[int] = []
    for one in arguments:
        if isinstance(one, int):
            words.append(one)
            continue
        told = one.__cuda_array_interface__
        shape, size = told["shape"], np.dtype(told["typestr"]).itemsize
        strides = told.get("strides") or row_major(shape, size)
        words += [0, 0, int(np.prod(shape)), size, told["data"][0], *shape, *strides]
    values = (ctypes.c_int64 * len(words))(*words)
    start = ctypes.addressof(values)
    places = (ctypes.c_void_p * len(words))(*range(start, start + 8 * len(words), 8))
    return values, places


def row_major(shape: tuple[int, ...], size: int) -> list[int]:
    """Return the strides of an array whose rows follow one another."""
    strides = [size]
    for length in reversed(shape[1:]):
        strides.insert(0, strides[0] * length)
    return strides
