"""Run a student's agent in its own process.

This file is run by its path and imports only the standard library, so that it starts quickly and
the agent sees nothing of the referee. Its arguments are limits as JSON and the place of the
submission, which it copies into the working folder, then either `exec PROGRAM` or `serve
INTERFACE FILE FOLDER [WORD]`. The output of a Python file goes to standard error. The interfaces
of the courses are in `adapters` beside it, the handout modules of the courses in `provided`.
`COURSE/examples` and `COURSE/rules` are interfaces, too: lines to run in a file of the course, and
cases for which its rules are queried.
"""

import json
import os
import random
import stat
import sys
from typing import Any

Facts = dict[str, object]
HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST_ERROR = 300  # characters
COPIED = 8 << 20  # bytes of a submission that are copied; the rest is linked
LARGEST_COPY = 1 << 20  # bytes of one file
MOST_COPIED = 500  # files and folders
CACHES = ("__pycache__", ".git")  # folders not copied


def copy(source: str, home: str) -> None:
    """Copy a file, or the contents of a folder, into a folder, with all of it writable.

    What is large, is not a regular file or cannot be read becomes a link to the original.
    """
    bytes_left, files_left = COPIED, MOST_COPIED
    whole = os.path.isdir(source)
    todo = [(source, home if whole else os.path.join(home, os.path.basename(source)))]
    for place, target in todo:  # grows: breadth first
        files_left -= 1
        facts = os.lstat(place)
        try:
            if stat.S_ISDIR(facts.st_mode):
                names = [name for name in os.listdir(place) if name not in CACHES]
                if place == source or len(names) <= files_left:
                    if place != source:
                        os.mkdir(target)
                    todo += [(os.path.join(place, one), os.path.join(target, one)) for one in names]
                    continue
            elif stat.S_ISREG(facts.st_mode) and files_left >= 0:
                if facts.st_size <= min(bytes_left, LARGEST_COPY):
                    bytes_left -= copy_file(place, target, facts.st_mode)
                    continue
        except PermissionError:
            if place == source:
                raise
        os.symlink(place, target)


def copy_file(source: str, target: str, mode: int) -> int:
    """Copy a file, writable to its owner, and return its size."""
    with open(source, "rb") as file:
        content = file.read(LARGEST_COPY)
    with open(target, "wb") as file:
        file.write(content)
    os.chmod(target, mode & 0o777 | 0o600)
    return len(content)


def set_limits(limits: dict[str, int]) -> None:
    """Set resource limits of this process and its children, skipping those unknown here."""
    import resource

    for name, most in limits.items():
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            _, hard = resource.getrlimit(kind)
            allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
            resource.setrlimit(kind, (allowed, allowed))


def die_with_parent() -> None:
    """Ask the system to kill this process when its parent ends, where that is supported."""
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Pipes:
    """The two pipes of the protocol, moved away from the agent's standard input and output."""

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.number: object = None
        self.requests = os.fdopen(os.dup(0), "rb")
        self.answers = os.dup(1)
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        for stream in (sys.stdout, sys.stderr):
            stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]

    def read(self) -> Facts:
        """Return the next request, or an empty one at the end."""
        line = self.requests.readline()
        facts = dict(json.loads(line)) if line else {}
        self.number = facts.get("number")
        return facts

    def write(self, facts: Facts) -> None:
        """Write one line; a process forked from this one exits instead."""
        if os.getpid() != self.owner:
            os._exit(0)
        numbered = facts if self.number is None else {**facts, "number": self.number}
        left = json.dumps(numbered).encode() + b"\n"
        while left:
            left = left[os.write(self.answers, left) :]


def load(file: str, name: str = "") -> object:
    """Import the module in a file, and return it."""
    import importlib.util

    name = name or os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


class Choose:
    """A file with `choose(position, moves, seconds)`, and optionally `begin(game, rules, seat)`.

    `word` names a class that has these as methods; each match gets a new instance.
    """

    def __init__(self, module: object, greeting: Facts, word: str = "") -> None:
        self.module, self.word = module, word
        self.begin(greeting)

    def begin(self, greeting: Facts) -> None:
        """Tell the agent which match begins, if it has `begin`."""
        agent: Any = getattr(self.module, self.word)() if self.word else self.module
        self.choose = agent.choose
        begin = getattr(agent, "begin", None)
        if begin is not None:
            begin(greeting["game"], greeting["rules"], greeting["seat"])

    def move(self, request: Facts) -> object:
        """Return what the agent answers."""
        return self.choose(request["position"], request["moves"], request["seconds"])


def adapter_class(interface: str) -> Any:
    """Return the adapter for an interface, whose name comes from `interface.py`."""
    if interface == "choose":
        return Choose
    course, _, kind = interface.partition("/")
    provided = os.path.join(HERE, "provided", course)
    if provided not in sys.path:
        sys.path.append(provided)  # after the agent's folder, whose own files take precedence
    module = load_adapter({"examples": kind, "tables": f"{course}_{kind}"}.get(kind, course))
    if hasattr(module, "prepare"):
        module.prepare()
    return module.RulesAdapter if kind == "rules" else module.Adapter


def load_adapter(name: str) -> Any:
    """Import a module of the folder `adapters`, and return it."""
    return load(os.path.join(HERE, "adapters", f"{name}.py"), f"adapter_{name}")


def serve(interface: str, file: str, pipes: Pipes, word: str, home: str) -> None:
    """Answer requests until there are no more, for one match after another."""
    greeting = pipes.read()
    if not greeting:
        return
    seed = greeting["seed"]
    random.seed(seed)  # type: ignore[arg-type]
    try:
        ask = adapter_class(interface)
        load_adapter("windows").install(os.path.dirname(file))
        sys.argv[:] = [file]
        module = load(file)
        if "numpy" in sys.modules:
            sys.modules["numpy"].random.seed(seed)
        agent = ask(module, greeting, word)
        pipes.write(ready_message(agent))
    except Exception as error:
        pipes.write(tracebacks().error_answer(error, home))
        return
    over = False
    while request := pipes.read():
        if "end" in request:
            end_match(agent, request, home)
            over = True
            continue
        if over and "ludex" not in request:
            return
        over = False
        try:
            if "ludex" in request:
                if hasattr(agent, "begin"):
                    agent.begin(request)
                pipes.write(ready_message(agent))
                continue
            if "cases" in request:
                pipes.write({"answers": answer_cases(agent, request["cases"], home)})
                continue
            answer = agent.move(request)
        except Exception as error:
            pipes.write(tracebacks().error_answer(error, home))
            return
        if isinstance(answer, str) and not getattr(agent, "wanted", ""):
            pipes.write({"move": str.__str__(answer)})
        else:
            pipes.write({**odd_answer(answer), "wanted": getattr(agent, "wanted", "")})


def ready_message(agent: Any) -> Facts:
    """Return the message that an agent is ready, and whether it has trained enough."""
    done = getattr(agent, "training_done", None)
    return {"ready": True, "training_done": True} if done and done() else {"ready": True}


def answer_cases(agent: Any, cases: Any, home: str) -> list[Facts]:
    """Return an agent's answers to cases, up to the first error."""
    found: list[Facts] = []
    for case in cases:
        try:
            found.append({"answer": agent.answer(case)})
        except Exception as error:
            return [*found, tracebacks().error_answer(error, home)]
    return found


def end_match(agent: Any, request: Facts, home: str) -> None:
    """Tell an agent how a match has ended, if it has `end`; errors in it are only printed."""
    try:
        if hasattr(agent, "end"):
            agent.end(request)
    except Exception as error:
        tracebacks().print_error(error, home)


def odd_answer(answer: object) -> Facts:
    """Return the message about an answer that is not a label."""
    return {"odd": safe_repr(answer)[:LONGEST_ERROR]}


def safe_repr(answer: object) -> str:
    """Return the repr of an answer, or a substitute if it has none."""
    try:
        return repr(answer)
    except Exception as error:  # such as an int of too many digits
        if type(answer) is int:
            return "<an int of very many digits>"
        if type(answer) is tuple:
            return f"({', '.join(safe_repr(one) for one in answer[:9])})"
        return f"<{type(answer).__name__}: {type(error).__name__}>"


def tracebacks() -> Any:
    """Import the module about errors, which is needed only when there is one."""
    return load(os.path.join(HERE, "tracebacks.py"), "ludex_tracebacks")


def main(limits: str, source: str, task: str, *rest: str) -> None:
    """Copy a submission into the working folder, set limits, and run a task."""
    facts = json.loads(limits)
    die_with_parent()
    home = os.getcwd()
    sys.excepthook = lambda kind, error, trace: tracebacks().print_error(error, home)
    copy(source, home)
    if task == "exec":
        set_limits(facts)
        os.execv(rest[0], list(rest))
    interface, file, folder, word = (*rest, "")[:4]
    pipes = Pipes()
    own = dict.fromkeys([folder, os.path.dirname(file)]) if folder else ()
    sys.path[:] = [*own, *sys.path]
    set_limits(facts)
    serve(interface, file, pipes, word, home)


if __name__ == "__main__":
    main(*sys.argv[1:])
