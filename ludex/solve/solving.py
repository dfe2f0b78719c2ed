"""Solve a game by enumeration: from its file if there is one, else with checkpoints."""

import contextlib
import math
import shutil
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from ludex.core.devices import CPU, CUDA, device_for
from ludex.core.rules import Rules, State, canonical, imperfect_information, initial, seats
from ludex.io.array_file import Unusable, read, write
from ludex.io.files import ignore_interrupts, remove, writable_folder
from ludex.kernel.jit import thinking_time
from ludex.solve import solution as solutions
from ludex.solve.solution import DISK_BYTES, Solution
from ludex.solve.solution_file import identity, path_of
from ludex.solve.states.index import sorted_index
from ludex.solve.states.keys import possible_keys, saved_fields
from ludex.solve.states.listing import Listing, TooBig, Unsolvable
from ludex.solve.states.memory import free_gibibytes
from ludex.solve.states.size import PROBED, estimated_states, smaller_rules, states_fitting
from ludex.solve.states.state_space import best_folding, list_states
from ludex.solve.values.induction import Induction

Tell = Callable[[str, int, int], None]
"""Called with the current task, how much of it is done, and the total."""

OVERESTIMATE = 5  # estimates err on the high side: refuse only what exceeds the room by this factor

# A solution that does not start at the initial state is saved only if it took this long, or is
# too large to be solved again in a moment.
SAVE_SECONDS = 2.0

# Seconds after which what is solved is kept, and how many times longer than that takes.
KEEP_SECONDS, KEEP_FACTOR = 60.0, 20.0

CHECKPOINT_ARRAYS = ("fields", "keys", "directions", "values", "hopes", "progress")


def tell_nobody(what: str, done: int, total: int) -> None:
    """Ignore the progress."""


def check_seats(rules: Rules) -> None:
    """Raise Unsolvable unless the game has two seats."""
    if seats(rules) != 2:
        raise Unsolvable(f"exact values are for two seats, not {seats(rules)}")


def check_backward_induction(rules: Rules) -> None:
    """Raise Unsolvable unless the game has two seats that see everything."""
    check_seats(rules)
    if imperfect_information(rules):
        raise Unsolvable("a state has no value of its own where seats do not see all of it")


def load_or_solve(
    rules: Rules,
    first: State,
    gibibytes: float | None = None,
    tell: Tell = tell_nobody,
    device: str = CPU,
) -> Solution:
    """Return the solution of a game from a state on: from its file, or solved and saved.

    An unusable file is reported, and replaced.
    """
    check_backward_induction(rules)
    try:
        return solutions.load(rules, first) or solve(rules, first, gibibytes, tell, device)
    except Unusable as error:
        print(f"{error}; solving again", file=sys.stderr)
        discard(rules, first)
        return solve(rules, first, gibibytes, tell, device)


def solve(
    rules: Rules,
    first: State,
    gibibytes: float | None = None,
    tell: Tell = tell_nobody,
    device: str = CPU,
) -> Solution:
    """Solve a game from a state on, save the solution to its file, and return it.

    A card comes to the same values. The solution is not saved if it is small and does not start at
    the initial state, or if the folder is unusable, which is reported. If interrupted, it leaves a
    checkpoint from which it resumes. While it solves, it goes on without checkpoints if they cannot
    be written, and reports that once.
    """
    check_backward_induction(rules)
    began = thinking_time()
    checkpoint = checkpoint_path(rules, first)
    induction, spent = begin_induction(rules, first, room_for(gibibytes), tell, device)
    problem = check_storage(checkpoint.parent, induction.states)
    save = partial(try_to_save, rules, first, induction, checkpoint)
    due = math.inf if problem else began + KEEP_SECONDS

    def keep() -> None:
        nonlocal due
        now = thinking_time()
        if now < due:
            return
        fault = save(spent + now - began)
        due = thinking_time() + max(KEEP_SECONDS, KEEP_FACTOR * (thinking_time() - now))
        if fault:
            print(f"{fault}; solving goes on without it", file=sys.stderr)
            due = math.inf

    try:
        finish(induction, tell, keep)
        seconds = spent + thinking_time() - began
        solution = make_solution(induction, seconds)
        small = induction.states <= PROBED and seconds <= SAVE_SECONDS
        if first == initial(rules) or not small:
            if problem:
                print(f"{problem}; this solution is not kept", file=sys.stderr)
            else:
                solutions.save(rules, first, solution)
    except BaseException as error:
        if not problem:
            with ignore_interrupts():
                tell("keeping what is solved", 0, 0)
                fault = save(spent + thinking_time() - began)
            error.add_note(
                fault or "what is solved is kept, and the same command goes on from there"
            )
        raise
    if not problem:
        remove(checkpoint)
    return solution


def begin_induction(
    rules: Rules, first: State, room: int, tell: Tell, device: str
) -> tuple[Induction, float]:
    """Return an induction, from a checkpoint if there is one, and the seconds spent on it."""
    kept, spent = load_checkpoint(rules, first, checkpoint_path(rules, first))
    if kept is not None and kept.states > room:
        raise TooBig(f"{kept.states:,} states")
    if device_for(rules, device) == CUDA:
        return card_induction(rules, first, room, tell, kept), spent
    return kept or Induction(rules, all_states(rules, first, room, tell)), spent


def card_induction(
    rules: Rules, first: State, room: int, tell: Tell, kept: Induction | None
) -> Induction:
    """Return the induction of a game that a card solves, unless the cores have begun to."""
    from ludex.solve.card.exploration import BitmapTooLarge, list_states_on_card, room_on_card
    from ludex.solve.card.induction import CardInduction

    if kept is not None and kept.finished:
        print("going on from a checkpoint of the CPU, on its cores", file=sys.stderr)
        return kept
    if kept is not None:
        return CardInduction(rules, kept.listing)
    room = min(room, room_on_card())
    try:
        listing = all_states(rules, first, room, tell, list_all=list_states_on_card)
    except BitmapTooLarge as error:
        print(f"{error}: the cores of the CPU list the states", file=sys.stderr)
        listing = all_states(rules, first, room, tell)
    return CardInduction(rules, listing)


def check_storage(folder: Path, states: int) -> str:
    """Create a folder; return why a solution cannot be saved in it, or nothing.

    Raise it as a ValueError if the game is too large to be solved for nothing.
    """
    wanted, why = DISK_BYTES * states, ""
    try:
        writable_folder(folder, "solutions", "LUDEX_SOLUTIONS")
        if (free := shutil.disk_usage(folder).free) < wanted:
            why = (
                f"the disk of {folder} has {free // 2**20:,} MiB left, and"
                f" {-(-wanted // 2**20):,} are needed; set LUDEX_SOLUTIONS to a folder with more"
                " room"
            )
    except ValueError as error:
        why = str(error)
    if why and states > PROBED:
        raise ValueError(why)
    return why


def all_states(
    rules: Rules,
    first: State,
    room: int,
    tell: Tell,
    folding: int | None = None,
    list_all: Callable[..., Listing] = list_states,
) -> Listing:
    """Return all states; raise TooBig with their number if there is no room."""
    tell("sampling states", 0, 0)
    folding = best_folding(rules, first) if folding is None else folding
    count, exact = estimated_states(rules, first, folding)
    if count > (room if exact else OVERESTIMATE * room):
        raise TooBig(f"about {count:,} states")
    check_storage(path_of(rules, first).parent, count if exact else count // OVERESTIMATE)
    return list_all(rules, first, folding, room, partial(tell, "listing states"))


def with_suggestions(error: TooBig, rules: Rules, gibibytes: float | None = None) -> TooBig:
    """Return the same error with the available room, and rules that may fit into it."""
    offers = " or ".join(smaller_rules(rules, room_for(gibibytes)))
    offer = f"; what may fit: {offers}" if offers else ""
    return TooBig(f"{with_room(error, gibibytes)}{offer}")


def with_room(error: TooBig, gibibytes: float | None = None) -> TooBig:
    """Return the same error with the available room."""
    return TooBig(f"{error} are too many: there is memory for {room_for(gibibytes):,}")


def room_for(gibibytes: float | None) -> int:
    """Return the number of states that fit into memory of this size, or into what is free."""
    return states_fitting(free_gibibytes() if gibibytes is None else gibibytes)


def finish(induction: Induction, tell: Tell, keep: Callable[[], None] = lambda: None) -> None:
    """Solve all remaining blocks; `keep` is called whenever what is solved can be kept."""
    blocks = induction.blocks
    tell("preparing to solve", blocks.done(induction.finished), induction.states)
    while induction.finished < len(blocks):
        induction.solve_step(tell, keep)
        tell("solving", blocks.done(induction.finished), induction.states)


def make_solution(induction: Induction, seconds: float) -> Solution:
    """Return the solution of a finished induction."""
    listing = induction.listing
    facts = {
        "states": induction.states,
        "blocks": len(induction.blocks.ranges),
        "targets": listing.targets,
        "seconds": seconds,
        "residual": induction.residual,
        "gap": induction.gap,
        "unproven": induction.unproven,
    }
    tie_values = induction.tie_values.astype(np.float32)
    known = induction.values.copy(), tie_values, induction.progress.astype(np.float32)
    return Solution(listing.fields, listing.keys, *known, listing.lookup, listing.folding, facts)


def audit(
    rules: Rules, first: State, solution: Solution, tell: Tell = tell_nobody
) -> tuple[float, float]:
    """Compute all values again from their successors; return the greatest change and gap."""
    induction = Induction(rules, solution.listing(canonical(rules, first)))
    induction.values[:] = solution.values
    return induction.audit(lambda done: tell("verifying", done, induction.states))


# Checkpoints. ----------------------------------------------------------------------------------


def checkpoint_path(rules: Rules, first: State) -> Path:
    """Return the file for an unfinished solution."""
    return path_of(rules, first).with_suffix(".part.npz")


def discard(rules: Rules, first: State) -> None:
    """Remove the files of a solution, finished or not, if possible."""
    for path in (path_of(rules, first), checkpoint_path(rules, first)):
        with contextlib.suppress(OSError):
            path.unlink()


def save_checkpoint(
    rules: Rules, first: State, induction: Induction, checkpoint: Path, seconds: float
) -> None:
    """Save the finished blocks, and the values so far of the current one."""
    listing = induction.listing
    arrays = {
        "fields": listing.fields,
        "keys": listing.keys,
        "directions": listing.directions,
        "values": induction.resumable_values(),
        "hopes": induction.tie_values.copy(),
        "progress": induction.progress.copy(),
    }
    facts = {
        "folding": listing.folding,
        "targets": listing.targets,
        "blocks": induction.blocks.blocks_in(induction.finished),
        "residual": induction.residual,
        "gap": induction.gap,
        "unproven": induction.unproven,
        "seconds": seconds,
    }
    write(checkpoint, identity(rules, first), arrays, facts)


def try_to_save(
    rules: Rules, first: State, induction: Induction, checkpoint: Path, seconds: float
) -> str:
    """Save a checkpoint, if possible; return why it is not, or nothing."""
    try:
        save_checkpoint(rules, first, induction, checkpoint, seconds)
    except OSError as error:
        return f"what is solved cannot be kept in {checkpoint} ({error.strerror or error})"
    return ""


def load_checkpoint(rules: Rules, first: State, checkpoint: Path) -> tuple[Induction | None, float]:
    """Return the induction of a checkpoint, if there is one, and the seconds spent on it."""
    if not checkpoint.exists():
        return None, 0.0
    arrays, facts = read(checkpoint, identity(rules, first), CHECKPOINT_ARRAYS)
    if solutions.is_folded_otherwise(rules, facts):
        return None, 0.0
    order = np.argsort(arrays["keys"])  # older checkpoints have them in another order
    values, progress = arrays["values"][order], arrays["progress"][order]
    fields = saved_fields(arrays["fields"])
    states = fields, *sorted_index(arrays["keys"], possible_keys(fields)), arrays["directions"]
    listing = Listing(canonical(rules, first), facts["folding"], *states, facts["targets"])
    induction = Induction(rules, listing)
    # Older checkpoints count blocks of another kind, and are good for their states only.
    induction.finished = induction.blocks.steps_before(facts.get("blocks", 0))
    induction.residual, induction.gap = facts["residual"], facts["gap"]
    induction.unproven = facts["unproven"]
    done = induction.blocks.finished_states(induction.finished)
    induction.values[:] = values if "blocks" in facts else 0.0
    induction.progress[done] = progress[done]
    induction.tie_values[:, done] = arrays["hopes"][:, order[done]]
    return induction, facts["seconds"]
