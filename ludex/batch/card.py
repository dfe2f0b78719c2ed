"""A batch on an NVIDIA card: one thread for each board, and the same results as on the CPU."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import types

from ludex.batch import stepping
from ludex.batch.device_array import DeviceArray
from ludex.batch.lines import count_lines, no_moves_left
from ludex.batch.stepping import Boards, Policies, Series, Terms, check_actions
from ludex.core.observation import bounds
from ludex.core.rules import Rules, State, actions, view_shape
from ludex.kernel.cuda import Kernel, cuda
from ludex.kernel.jit import shared
from ludex.kernel.tuples import columns_of, flatten, from_column

BLOCK, WARP = 128, 32  # threads
PLAYERS = 1 << 18  # threads that play whole matches: more than a card runs at once
LEAST_PORTION = 1 << 14  # whole matches, one for each thread: so many run at once
MOST_LAUNCHES = 64  # kept with their arguments
FEW_BANKS = 4  # threads that write to one bank of memory at once cost less than moving apart
RULES_READ = ("play", "lines")  # kernels that read the values of the rules from an array
STACKS = 1 << 30  # bytes of all stacks together
TILE = 40 * 1024  # bytes of shared memory of a block, so that several blocks fit

# The types of what kernels are given, in the order of their arguments.
INT = types.int64
COLUMNS, LONGS, INTS, BYTES = INT[:, ::1], INT[::1], types.int32[::1], types.int8[::1]
WORTHS, FLAGS = types.float64[:, ::1], types.boolean[::1]
BOARDS = types.NamedTuple((COLUMNS, LONGS, INTS, BYTES, BYTES, BYTES, types.float64[::1]), Boards)
StepTypes = tuple[types.Type, types.Type]
"""Of the actions that are given in a step: those of seat 1, which are the second, may differ."""
Kernels = dict[str, Callable[..., None]]
OWN_ACTIONS = INTS, INTS  # of what `sample` writes


def tile_boards(size: int) -> int:
    """Return how many boards a block takes whose results have this size in bytes; 0 if none."""
    fitting = min(BLOCK, TILE // size - 1)
    return 1 << fitting.bit_length() - 1 if fitting > 0 else 0


@functools.cache
def array_type(kind: np.dtype[Any]) -> types.Type:
    """Return the type of an array of these numbers, one after the other."""
    return numba.from_dtype(kind)[::1]


def view_tile(numbers: int, size: int, count: int) -> tuple[int, bool]:
    """Return how many boards' observations and masks a block takes, and whether board after board.

    An observation has so many numbers of a size in bytes, and a mask that many actions.
    """
    return tile_boards(numbers * size + count), math.gcd(numbers * size // 4, WARP) <= FEW_BANKS


def tiles(rules: Rules) -> dict[str, int]:
    """Return how many boards a block takes in each kernel that writes to shared memory first.

    None if it holds no two of them: results are then written without it.
    """
    numbers, size = math.prod(map(int, view_shape(rules))), np.dtype(bounds(rules)[2]).itemsize
    count = int(actions(rules))
    return {"view": view_tile(numbers, size, count)[0], "mask": tile_boards(count)}


@shared
def copy_tile(tile, target, thread, end):
    """Copy shared memory to numbers side by side, up to an end."""
    place, last = np.uint64(thread), np.uint64(end)  # an index with a sign could be negative
    while place < last:
        target[place] = tile[place]
        place += np.uint64(BLOCK)


def kernels_of(rules: Rules, first: State, policies: Policies) -> Kernels:
    """Return the kernels for some rules and agents, which are compiled in.

    Only `play` and `lines` read the values of the rules from an array, because variants would
    otherwise be compiled one by one.
    """
    tiled, wide = tiled_kernels(rules, first), wide_kernels(rules, first)
    shown = {name: (tiled if boards else wide)[name] for name, boards in tiles(rules).items()}
    return board_kernels(rules, first, policies) | shown | match_kernels(rules, first, policies)


def by_name(*kernels: Callable[..., None]) -> Kernels:
    """Return kernels by their names."""
    return {one.__name__: one for one in kernels}


def board_kernels(rules: Rules, first: State, policies: Policies) -> Kernels:
    """Return the kernels that have few numbers for each board, and one thread."""

    def step(boards, terms, chosen, others):
        thread = cuda.grid(1)
        if thread < boards.ends.shape[0]:
            board = np.uint64(thread)
            limits = Terms(terms[0], terms[1] != 0, terms[2], terms[3] != 0)
            stepping.step_board(policies, rules, first, boards, board, limits, chosen, others)

    def sample(boards, viewer, out):
        thread = cuda.grid(1)
        if thread < boards.ends.shape[0]:
            board = np.uint64(thread)
            stepping.sample_board(rules, first, boards, board, viewer, out)

    def score(boards, out):
        thread = cuda.grid(1)
        if thread < boards.ends.shape[0]:
            board = np.uint64(thread)
            stepping.score_board(rules, first, boards, board, out)

    def settle(boards, rewards, over, cut, illegal, mine):
        thread = cuda.grid(1)
        if thread < boards.ends.shape[0]:
            board = np.uint64(thread)
            stepping.settle_board(rules, first, boards, board, rewards, over, cut, illegal, mine)

    return by_name(step, sample, score, settle)


def tiled_kernels(rules: Rules, first: State) -> Kernels:
    """Return the kernels that have many numbers for each board.

    They write to shared memory first, so that threads side by side write to places side by side.
    """
    shape = tuple(map(int, view_shape(rules)))
    numbers, kind = math.prod(shape), numba.from_dtype(np.dtype(bounds(rules)[2]))
    count = int(actions(rules))
    viewed, own_banks = view_tile(numbers, kind.bitwidth // 8, count)
    # Board after board if threads that write to boards side by side meet different banks of
    # memory; otherwise cell after cell, with one board more than there are, for the same reason.
    tile_shape = (viewed, *shape) if own_banks else (*shape, viewed + 1)
    tile_size = math.prod(tile_shape)
    masked = tile_boards(count)

    def view(boards, viewer, out, masks):
        tile = cuda.shared.array(tile_shape, kind)
        marks = cuda.shared.array((viewed, count), types.int8)
        thread, begin = cuda.threadIdx.x, cuda.blockIdx.x * viewed
        left = boards.ends.shape[0] - begin
        # All its axes taken for one: dividing by their lengths would take longer than writing. A
        # loop over a range would count its steps, and indices with a sign could be negative.
        place = np.uint64(thread)
        while place < tile_size:
            tile[0, 0, 0, place] = 0
            place += np.uint64(BLOCK)
        cuda.syncthreads()
        if thread < viewed and thread < left:
            here = tile[thread] if own_banks else tile[:, :, :, thread]
            stepping.view_board(rules, first, boards, np.uint64(begin + thread), viewer, here)
            if masks.shape[0] > 0:
                stepping.mask_board(
                    rules, first, boards, np.uint64(begin + thread), viewer, marks[thread]
                )
        cuda.syncthreads()
        if masks.shape[0] > 0:
            copy_tile(marks[0], masks[begin * count :], thread, count * min(viewed, left))
        target = out[begin * numbers :]
        if not own_banks:
            for board in range(thread // WARP, min(viewed, left), BLOCK // WARP):
                for cell in range(thread % WARP, numbers, WARP):
                    at = np.uint64(board * numbers + cell)
                    target[at] = tile[0, 0, np.uint64(cell), np.uint64(board)]
            return
        copy_tile(tile[0, 0, 0], target, thread, numbers * min(viewed, left))

    def mask(boards, viewer, out):
        tile = cuda.shared.array((masked, count), types.int8)
        thread, begin = cuda.threadIdx.x, cuda.blockIdx.x * masked
        left = boards.ends.shape[0] - begin
        if thread < masked and thread < left:
            stepping.mask_board(
                rules, first, boards, np.uint64(begin + thread), viewer, tile[thread]
            )
        cuda.syncthreads()
        copy_tile(tile[0], out[begin * count :], thread, count * min(masked, left))

    return by_name(view, mask)


def wide_kernels(rules: Rules, first: State) -> Kernels:
    """Return the kernels for results so large that those of two boards exceed shared memory."""
    numbers, count = math.prod(map(int, view_shape(rules))), int(actions(rules))

    def view(boards, viewer, out, masks):
        thread, begin = cuda.threadIdx.x, cuda.blockIdx.x * BLOCK
        left = boards.ends.shape[0] - begin
        place, end = np.uint64(thread), np.uint64(numbers * min(BLOCK, left))
        while place < end:
            out[begin, 0, 0, place] = 0
            place += np.uint64(BLOCK)
        cuda.syncthreads()
        if thread < left:
            board = np.uint64(begin + thread)
            stepping.view_board(rules, first, boards, board, viewer, out[board])
            if masks.shape[0] > 0:
                own = masks[(begin + thread) * count :]
                stepping.mask_board(rules, first, boards, board, viewer, own)

    def mask(boards, viewer, out):
        thread = cuda.grid(1)
        if thread < boards.ends.shape[0]:
            board = np.uint64(thread)
            stepping.mask_board(rules, first, boards, board, viewer, out[thread * count :])

    return by_name(view, mask)


def match_kernels(rules: Rules, first: State, policies: Policies) -> Kernels:
    """Return the kernels that play whole matches and count lines of play."""
    none = no_moves_left(rules)

    def play(own, start, seed, limit, begin, turned, seat, action, returns, lengths):
        given = from_column(rules, own, 0), first, start
        series = Series(seed, limit, begin, turned, seat, action)
        share = cuda.grid(1), lengths.shape[0], cuda.gridsize(1)
        stepping.play_matches(policies, *given, series, (returns, lengths), share)

    def lines(own, positions, depth, states, sets, totals):
        given = from_column(rules, own, 0), first, none, positions, depth, (states, sets), totals
        count_lines(*given, (cuda.grid(1), positions.shape[1], cuda.gridsize(1)))

    return by_name(play, lines)


def signatures_of(rules: Rules, kinds: StepTypes) -> dict[str, tuple[types.Type, ...]]:
    """Return the arguments of each kernel, given the types of the actions in a step."""
    kind = numba.from_dtype(np.dtype(bounds(rules)[2]))
    planes = kind[::1] if tiles(rules)["view"] else kind[:, :, :, ::1]
    return {
        "step": (BOARDS, LONGS, *kinds),
        "view": (BOARDS, INT, planes, BYTES),
        "mask": (BOARDS, INT, BYTES),
        "sample": (BOARDS, INT, INTS),
        "score": (BOARDS, WORTHS),
        "settle": (BOARDS, types.float64[::1], FLAGS, FLAGS, FLAGS, BYTES),
        "play": (COLUMNS, COLUMNS, *[INT] * len(Series._fields), WORTHS, INTS),
        "lines": (COLUMNS, COLUMNS, INT, COLUMNS, COLUMNS, LONGS),
    }


class Card:
    """The card that numba-cuda uses; kernels are compiled when first called."""

    name = "cuda"

    def __init__(self, rules: Rules, first: State, policies: Policies) -> None:
        self.rules, self.like = rules, (numba.typeof(rules), numba.typeof(first))
        self.functions, self.constants = kernels_of(rules, first, policies), repr(policies)
        self.kernels: dict[tuple[str, StepTypes], Kernel] = {}
        self.own, self.start = self.put(columns_of(rules)), self.put(columns_of(first))
        self.launches: dict[tuple[Any, ...], tuple[Callable[[], None], tuple[Any, ...]]] = {}
        self.terms: dict[Terms, DeviceArray] = {}
        self.players, self.portion = PLAYERS, LEAST_PORTION
        self.least_portion = LEAST_PORTION
        self.tiles = tiles(rules)
        self.no_masks = self.zeros((0,), np.int8)

    def zeros(self, shape: tuple[int, ...], kind: Any) -> DeviceArray:
        """Return an array of this device."""
        return self.put(np.zeros(shape, kind))

    def put(self, array: np.ndarray) -> DeviceArray:
        """Return an array of this device with these numbers."""
        return DeviceArray(cuda.to_device(array))

    def actions(self, given: Any, many: int) -> DeviceArray:
        """Return actions given by the user as an array of this device."""
        if isinstance(given, DeviceArray):
            array = given
        elif hasattr(given, "__cuda_array_interface__"):
            array = DeviceArray(cuda.as_cuda_array(given))
        else:
            array = self.put(np.asarray(given, order="C"))
        check_actions(array, many)
        if not array.data.is_c_contiguous():
            raise ValueError(
                "expected a contiguous array of actions, not one with the strides"
                f" {array.data.strides}: copy it first"
            )
        return array

    def public(self, array: DeviceArray) -> DeviceArray:
        """Return an array as users get it."""
        return array

    def wait(self) -> None:
        """Wait until all kernels launched so far have finished."""
        cuda.synchronize()

    def launch(
        self, name: str, blocks: int, *arguments: Any, kinds: StepTypes = OWN_ACTIONS
    ) -> None:
        """Run a kernel in so many blocks."""
        key = name, *map(id, arguments)
        if key not in self.launches:
            if len(self.launches) >= MOST_LAUNCHES:
                self.launches.clear()
            launch = self.kernel(name, kinds).bind(blocks, BLOCK, *arguments)
            self.launches[key] = launch, arguments  # which keep their identity
        self.launches[key][0]()

    def kernel(self, name: str, kinds: StepTypes = OWN_ACTIONS) -> Kernel:
        """Return a kernel, given the types of the actions in a step."""
        if (name, kinds) not in self.kernels:
            signature = signatures_of(self.rules, kinds)[name]
            constants = self.constants
            if name not in RULES_READ:
                constants += f" {self.rules}"
            self.kernels[name, kinds] = Kernel(
                self.functions[name], signature, self.like, constants
            )
        return self.kernels[name, kinds]

    def step(self, boards: Boards, terms: Terms, chosen: Any, others: Any) -> None:
        """Step every match."""
        if terms not in self.terms:
            self.terms[terms] = self.put(np.array(terms, np.int64))
        kinds = array_type(chosen.dtype), array_type(others.dtype)
        given = boards, self.terms[terms], chosen, others
        self.launch("step", blocks_of(boards, BLOCK), *given, kinds=kinds)

    def view(
        self, boards: Boards, viewer: int, planes: DeviceArray, masks: DeviceArray | None = None
    ) -> None:
        """Write the observations of all boards, and also the legal actions if `masks` is given."""
        each, wanted = self.tiles["view"], self.no_masks if masks is None else masks.flat
        written = planes.flat if each else planes
        self.launch("view", blocks_of(boards, each or BLOCK), boards, viewer, written, wanted)

    def mask(self, boards: Boards, viewer: int, masks: DeviceArray) -> None:
        """Write the legal actions of all boards."""
        blocks = blocks_of(boards, self.tiles["mask"] or BLOCK)
        self.launch("mask", blocks, boards, viewer, masks.flat)

    def sample(self, boards: Boards, viewer: int, chosen: DeviceArray) -> None:
        """Write a random legal action on all boards."""
        self.launch("sample", blocks_of(boards, BLOCK), boards, viewer, chosen)

    def score(self, boards: Boards, returns: DeviceArray) -> None:
        """Write the returns of all boards."""
        self.launch("score", blocks_of(boards, BLOCK), boards, returns)

    def settle(self, boards: Boards, *results: Any) -> None:
        """Write the fields of `Outcome` for all boards."""
        self.launch("settle", blocks_of(boards, BLOCK), boards, *results)

    def play(
        self, series: Series, returns: DeviceArray, lengths: DeviceArray, starts: Any = None
    ) -> None:
        """Play whole matches between agents."""
        threads = min(self.players, len(lengths))
        begin = self.start if starts is None else self.put(starts)
        self.once("play", threads, self.own, begin, *series, returns, lengths)

    def lines(self, positions: np.ndarray, depth: int) -> np.ndarray:
        """Return how many lines of play are 1, 2, … `depth` plies long below some positions."""
        sizes = positions.shape[0], len(flatten(no_moves_left(self.rules)))
        fitting = STACKS // (8 * depth * (sum(sizes) + 1))
        blocks = min(self.players, fitting, positions.shape[1] + BLOCK - 1) // BLOCK
        threads = max(blocks, 1) * BLOCK
        stack = [DeviceArray(cuda.device_array((one, depth * threads), np.int64)) for one in sizes]
        totals = self.zeros((depth * threads,), np.int64)
        self.once("lines", threads, self.own, self.put(positions), depth, *stack, totals)
        added: np.ndarray = np.asarray(totals).reshape(depth, threads).sum(axis=1)
        return added

    def once(self, name: str, threads: int, *arguments: Any) -> None:
        """Run a kernel in so many threads, with arguments that are used only once."""
        self.kernel(name).bind(-(-threads // BLOCK), BLOCK, *arguments)()


def blocks_of(boards: Boards, each: int) -> int:
    """Return the number of blocks for all boards, if each takes so many."""
    return -(-len(boards.ends) // each)
