"""Compile with Numba, and keep the results on disk.

Numba's own disk cache has one index per function. It does not notice a change in another file
that the function calls, a process cannot read it while one class named in it is missing, and
two concurrent writers can swap their entries. Here every function and signature has a folder of
its own, named by a hash of all the sources that went in: an edit in a game recompiles only that
game, and a game from outside disturbs no other.
"""

import functools
import gc
import hashlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock
from weakref import WeakKeyDictionary

import numba
from numba.core import cgutils, config, pythonapi, types
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import register_jitable

from ludex.io.files import user_folder, writable_folder
from ludex.kernel.threads import run_interruptibly

# The sources of compiled code; games are hashed one by one.
COMPILED_SOURCES = ("kernel", "core", "search", "solve", "learn", "conformance", "batch")

listeners: list[Callable[[str], None]] = []
"""Called with a game's name (or "") whenever something is about to be compiled for it."""
watchers: list[Callable[[bool], None]] = []
"""Called with True when this process begins to compile or to load code, with False when it ends."""


class ThinkingClock:
    """A clock that stands still while any thread of this process compiles."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.threads, self.since, self.total = 0, 0.0, 0.0

    def add(self, threads: int) -> None:
        """Count a thread that begins (1) or ends (-1); notify the watchers of the first and last.

        They are notified under the lock, so that the order of events is kept.
        """
        with self.lock:
            now = time.perf_counter()
            if self.threads:
                self.total += now - self.since
            self.since, self.threads = now, self.threads + threads
            if self.threads == (1 if threads > 0 else 0):
                for watcher in watchers:
                    watcher(threads > 0)

    def time(self) -> float:
        """Return the time of the clock in seconds."""
        with self.lock:
            return (self.since if self.threads else time.perf_counter()) - self.total


stopwatch = ThinkingClock()


@contextmanager
def compiling() -> Iterator[None]:
    """Stop `thinking_time` in this context, which may be nested and entered by several threads."""
    stopwatch.add(1)
    try:
        yield
    finally:
        stopwatch.add(-1)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Collect no garbage in this context: a compiler makes many objects and little garbage."""
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:  # of several threads, at least the first to come says so
            gc.enable()


def thinking_time() -> float:
    """Return a monotonic time in seconds that stands still while this process compiles.

    It measures all time limits, so that compiling is not thinking time.
    """
    return stopwatch.time()


# Only compiled code and the interpreter call these functions; Numba would also prepare each for C.
NOT_FROM_C = {"no_cfunc_wrapper": True}


def compiled(function: Any) -> Any:
    """Compile a function for each kind of rules when first called so, or load it from disk.

    It creates no arrays and returns none. Its caller keeps those of its arguments alive, so that it
    counts no references, which would take up to half of the time of a search.
    """
    return dispatcher_of(function, _nrt=False)


def allocating(function: Any) -> Any:
    """Compile a function that creates arrays or lists."""
    return dispatcher_of(function)


def dispatcher_of(function: Any, **options: Any) -> Any:
    """Return a function that compiles itself when called."""
    dispatcher = numba.njit(nogil=True, error_model="numpy", **NOT_FROM_C, **options)(function)
    if not config.DISABLE_JIT:
        dispatcher._cache = GameCache(function)
        dispatcher._compile_for_args = functools.partial(code_for, dispatcher)
    return dispatcher


def code_for(dispatcher: Any, *args: Any, **named: Any) -> Any:
    """Return code for these arguments: the plain function for a game that is INTERPRETED.

    Such a game calls another program, which compiled code cannot do.
    """
    games = (sys.modules.get(type(one).__module__) for one in args if isinstance(one, tuple))
    if any(getattr(game, "INTERPRETED", False) for game in games):
        return dispatcher.py_func
    with collection_paused(), compiling():
        load_array_functions()
        mend_generators()
        compile_for_args = functools.partial(type(dispatcher)._compile_for_args, dispatcher)
        # In the thread that compiles, Ctrl-C could be lost in a callback of LLVM.
        return run_interruptibly(compile_for_args, *args, **named)


@functools.cache
def load_array_functions() -> None:
    """Load Numba's array functions without SciPy, which takes a fifth of the time to start.

    They ask it for a BLAS once, for `np.convolve`. What multiplies matrices asks again.
    """
    from numba.np import linalg

    with global_compiler_lock:
        ensure_blas, linalg.ensure_blas = linalg.ensure_blas, no_blas
        try:
            import numba.np.arraymath  # noqa: F401
        finally:
            linalg.ensure_blas = ensure_blas


@functools.cache
def mend_generators() -> None:
    """Let code that counts no references take random generators from Python.

    Numba counts a reference to each in any case, but gives it back only where it counts others.
    """
    from numba.core.boxing import unbox_numpy_random_generator

    def unbox(kind: Any, given: Any, c: Any) -> Any:
        if c.context.enable_nrt:
            return unbox_numpy_random_generator(kind, given, c)
        nothing = cgutils.voidptr_t(None)
        count = "nrt_meminfo_new_from_pyobject"
        with mock.patch.object(c.pyapi, count, lambda data, owner: nothing):
            return unbox_numpy_random_generator(kind, given, c)

    pythonapi._unboxers.functions[types.NumPyRandomGeneratorType] = unbox


def no_blas() -> None:
    """Take the place of `ensure_blas` where no BLAS is wanted."""
    raise ImportError


# Rules are passed by value, dozens of ints in a large game: a call that is not inlined copies them.
INLINED = {"forceinline": True, **NOT_FROM_C}
# Somebody's rules may make lists or arrays.
INLINED_RULES = INLINED | {"_nrt": True}


def shared(function: Any) -> Any:
    """Let compiled code call a plain function, which must not be recursive.

    Elsewhere it remains plain Python.
    """
    return register_jitable(**INLINED)(function)


class GameCache:
    """Numba's cache of one function, with a folder for each signature."""

    def __init__(self, function: Any) -> None:
        self.function = function
        self.caches: dict[Any, FunctionCache] = {}
        self.cache_path = str(cache_root())

    def load_overload(self, sig: Any, context: Any) -> Any:
        """Return the code compiled for a signature, or None after telling the listeners."""
        found = self.cache_of(sig).load_overload(sig, context) if on_disk(sig) else None
        if found is None:
            announce(sig)
        return found

    def save_overload(self, sig: Any, code: Any) -> None:
        """Keep the code compiled for a signature."""
        if on_disk(sig):
            self.cache_of(sig).save_overload(sig, code)

    def cache_of(self, sig: Any) -> FunctionCache:
        """Return the cache of one signature."""
        if sig not in self.caches:
            name = hashlib.sha256(f"{sources_hash(games(sig))} {sig}".encode()).hexdigest()[:24]
            before, config.CACHE_DIR = config.CACHE_DIR, str(cache_root() / name)
            try:  # a FunctionCache takes its folder from the configuration when it is created
                self.caches[sig] = FunctionCache(self.function)
            finally:
                config.CACHE_DIR = before
        return self.caches[sig]

    def flush(self) -> None:
        """Clear the caches of all signatures."""
        for cache in self.caches.values():
            cache.flush()


def announce(sig: Any) -> None:
    """Tell the listeners that something is about to be compiled for the games of a signature."""
    for listener in listeners:
        listener(" and ".join(sorted({short_name(one.__module__) for one in games(sig)})))


@functools.cache
def cache_root() -> Path:
    """Return the folder of all compiled code: $LUDEX_CACHE, or one in the user's cache."""
    # Without it, Numba would silently use one of its own, which ignores changes of the sources.
    root = user_folder("LUDEX_CACHE", "cache", "compiled")
    return writable_folder(root, "compiled code", "LUDEX_CACHE")


def is_first_run() -> bool:
    """Return whether nothing has been compiled yet on this machine, or the cache was deleted."""
    return not any(cache_root().iterdir())


def games(sig: Any) -> frozenset[type]:
    """Return the classes of the rules and states in a signature."""
    parts = sig if isinstance(sig, tuple) else sig.args
    classes = {part.instance_class for part in parts if hasattr(part, "instance_class")}
    # Other NamedTuples are Ludex's own, whose sources are hashed anyway.
    return frozenset(
        one
        for one in classes
        if not one.__module__.startswith("ludex.") or ".games." in one.__module__
    )


def on_disk(sig: Any) -> bool:
    """Return whether all games of a signature are files; one typed into a notebook is not.

    Nor is a script: Numba keeps its classes by value, and they match in no other process.
    """
    return all(
        one.__module__ != "__main__" and in_file(one) and not is_stale(one) for one in games(sig)
    )


def in_file(game: type) -> bool:
    """Return whether the module of a class is a file."""
    return bool(getattr(sys.modules[game.__module__], "__file__", None))


def is_stale(game: type) -> bool:
    """Return whether the module of a class was loaded again, and has another one by now."""
    return getattr(sys.modules[game.__module__], game.__qualname__, None) is not game


@functools.cache
def sources_hash(games: frozenset[type]) -> str:
    """Return a hash of all sources on which code compiled for these classes may depend."""
    root = Path(__file__).parents[1]
    files = [file for place in COMPILED_SOURCES for file in (root / place).rglob("*.py")]
    digest = hashlib.sha256(f"{sys.version} {numba.__version__}".encode())
    for file in sorted(files):
        digest.update(str(file).encode() + b"\0" + file.read_bytes())
    for one in sorted({f"{game.__module__} {game_hash(game)}" for game in games}):
        digest.update(one.encode())
    return digest.hexdigest()


hashes: WeakKeyDictionary[type, str] = WeakKeyDictionary()
"""The hashes of games: a class keeps the code it came with, also when its module is edited."""


def game_hash(game: type) -> str:
    """Return a hash of the files of a class when first asked for, or of its definition."""
    if game not in hashes:
        module = sys.modules[game.__module__]
        digest = hashlib.sha256(getattr(module, "DEFINITION", "").encode())
        for file in sorted(files_of(module.__name__)):
            digest.update(file.read_bytes())
        hashes[game] = digest.hexdigest()
    return hashes[game]


def short_name(module: str) -> str:
    """Return the name of a module's file, or of its folder if it is a package.

    A game without a file of its own sets NAME.
    """
    own = getattr(sys.modules[module], "NAME", "")
    if own:
        return str(own)
    file = Path(getattr(sys.modules[module], "__file__", None) or module)
    return file.parent.name if file.name == "__init__.py" else file.stem


def files_of(module: str) -> Iterator[Path]:
    """Yield the source files of a module or package; none if it has no file."""
    own = getattr(sys.modules[module], "__file__", None)
    if not own:
        return
    file = Path(own)
    if file.name == "__init__.py":
        yield from file.parent.rglob("*.py")
    else:
        yield file
