"""A card emulated in plain Python, so that its kernels also run where there is none.

All threads of a block are threads of Python. Types of arguments are checked as for a card, and
nothing is compiled.
"""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numba.np.numpy_support import as_dtype

from ludex.batch import card
from ludex.batch.stepping import Boards
from ludex.kernel.cuda import check_arguments

GARBAGE = 77  # what memory has before anything is written to it


class Memory(np.ndarray):
    """An array in which, as on a card, full indices are an address and are not checked.

    That there is memory at the address is.
    """

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return self.__array_interface__

    def copy_to_host(self) -> np.ndarray:
        """Return a copy in the memory of the CPU."""
        return np.array(self)

    def is_c_contiguous(self) -> bool:
        """Return whether its rows follow one another."""
        return self.flags.c_contiguous

    def item_at(self, index: Any) -> tuple[np.ndarray, int] | None:
        """Return all memory, and the place of an item in it; None for an index of several."""
        full = index if isinstance(index, tuple) else (index,)
        whole = [one for one in full if isinstance(one, int | np.integer)]
        if len(whole) != len(full) or len(full) != self.ndim:
            return None
        root: np.ndarray = self
        while isinstance(root.base, np.ndarray):
            root = root.base
        axes = zip(whole, self.shape, self.strides, strict=True)
        place = sum(int(one + length if one < 0 else one) * step for one, length, step in axes)
        place += self.__array_interface__["data"][0] - root.__array_interface__["data"][0]
        assert 0 <= place < root.nbytes, f"no memory at {index} of {self.shape}"
        return np.asarray(root).reshape(-1), place // self.itemsize

    def __getitem__(self, index: Any) -> Any:
        if found := self.item_at(index):
            return found[0][found[1]]
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if found := self.item_at(index):
            found[0][found[1]] = value
        else:
            super().__setitem__(index, value)


def memory(shape: Any, kind: Any) -> Memory:
    """Return an array that nothing was written to."""
    return np.full(shape, GARBAGE, kind).view(Memory)


class Emulator:
    """What kernels and `Card` use of `numba.cuda`."""

    def __init__(self) -> None:
        self.here = threading.local()
        self.lock = threading.Lock()
        self.tiles: list[Memory] = []
        self.barrier = threading.Barrier(card.BLOCK)
        self.blocks = 0
        self.shared = SimpleNamespace(array=self.shared_array)

    # In a kernel. --------------------------------------------------------------------------------

    @property
    def threadIdx(self) -> Any:
        """The place of the thread in its block."""
        return SimpleNamespace(x=self.here.thread)

    @property
    def blockIdx(self) -> Any:
        """The place of the block."""
        return SimpleNamespace(x=self.here.block)

    def grid(self, axes: int) -> int:
        """Return the number of the thread."""
        return int(self.here.block * card.BLOCK + self.here.thread)

    def gridsize(self, axes: int) -> int:
        """Return the number of threads."""
        return self.blocks * card.BLOCK

    def syncthreads(self) -> None:
        """Wait for the other threads of the block."""
        self.barrier.wait()

    def shared_array(self, shape: Any, kind: Any) -> Memory:
        """Return the next shared array of the block, which is the same for all its threads."""
        with self.lock:
            if self.here.arrays == len(self.tiles):
                self.tiles.append(memory(shape, as_dtype(kind)))
            tile: Memory = self.tiles[self.here.arrays]
            self.here.arrays += 1
            return tile

    def run(self, function: Callable[..., None], blocks: int, arguments: tuple[Any, ...]) -> None:
        """Run a kernel, one block after another."""
        self.blocks = blocks
        for block in range(blocks):
            self.tiles, self.barrier = [], threading.Barrier(card.BLOCK)

            def one(thread: int, block: int = block) -> None:
                self.here.block, self.here.thread, self.here.arrays = block, thread, 0
                try:
                    function(*arguments)
                except BaseException:
                    self.barrier.abort()
                    raise

            with ThreadPoolExecutor(card.BLOCK) as pool:
                done = [pool.submit(one, thread) for thread in range(card.BLOCK)]
            errors = [error for each in done if (error := each.exception())]
            own = [one for one in errors if not isinstance(one, threading.BrokenBarrierError)]
            if errors:
                raise (own or errors)[0]

    # Outside. ------------------------------------------------------------------------------------

    def to_device(self, array: np.ndarray) -> Memory:
        """Return an array on the card; one with gaps is refused, as by numba-cuda."""
        if not array.flags.c_contiguous:
            raise ValueError("Array contains non-contiguous buffer")
        return np.array(array).view(Memory)

    def as_cuda_array(self, array: Any) -> Memory:
        """Return an array of another library, without copying."""
        shared = SimpleNamespace(__array_interface__=array.__cuda_array_interface__)
        return np.asarray(shared).view(Memory)

    def device_array(self, shape: Any, kind: Any) -> Memory:
        """Return an array on the card that nothing was written to."""
        return memory(shape, kind)

    def synchronize(self) -> None:
        """Do nothing: launches are waited for."""


def content(argument: Any) -> Any:
    """Return what a kernel gets for an argument of a launch."""
    if isinstance(argument, Boards):
        return Boards(*map(content, argument))
    return getattr(argument, "data", argument)


def emulate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the device "cuda" be an emulated card."""
    emulator = Emulator()

    class EmulatedKernel:
        """A kernel that is called without the compiler."""

        def __init__(self, function: Any, signature: Any, like: Any, constants: str) -> None:
            self.function, self.signature = function, signature

        def bind(self, blocks: int, threads: int, *arguments: Any) -> Callable[[], None]:
            """Return a function that runs the kernel."""
            check_arguments(self.function.__name__, arguments, self.signature)
            given = tuple(map(content, arguments))
            return lambda: emulator.run(self.function, blocks, given)

    monkeypatch.setattr("ludex.core.devices.why_no_card", lambda: "")
    monkeypatch.setattr(card, "BLOCK", card.WARP)  # each of its threads is one of the system
    monkeypatch.setattr(card, "cuda", emulator)
    monkeypatch.setattr(card, "Kernel", EmulatedKernel)
