"""Solve a game by enumeration: from its file if there is one, else with checkpoints."""

import contextlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from ludex.core.rules import Rules, State, canonical, initial, seats
from ludex.io.array_file import Unusable, read, write
from ludex.io.files import ignore_interrupts
from ludex.solve.solution import (
    DISK_BYTES,
    Solution,
    identity,
    load,
    obstacle,
    path_of,
    save,
    slots_for,
)
from ludex.solve.states.memory import free_gibibytes
from ludex.solve.states.size import PROBED, estimated_states, room_in, smaller_rules
from ludex.solve.states.state_space import Listing, TooBig, Unsolvable, best_folding, list_states
from ludex.solve.values.induction import Induction

Tell = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done and how much there is."""

# An estimate is too high rather than too low; what exceeds the room so many times is refused
# before it is tried.
MISJUDGED = 5

# A solution from another state than the first of the game is kept if it took so many seconds, or
# has more states than are solved at once when it is asked for.
WORTH_KEEPING = 2.0

PART = ("fields", "keys", "directions", "values", "hopes", "progress")


def tell_nobody(what: str, done: int, total: int) -> None:
    """Tell nobody."""


def say(words: str) -> None:
    """Tell whoever runs this what only they can mend."""
    print(words, file=sys.stderr)


def refuse_seats(rules: Rules) -> None:
    """Raise an error if games like this are never listed."""
    if seats(rules) != 2:
        raise Unsolvable(f"exact values are for two seats, not {seats(rules)}")


def load_or_solve(
    rules: Rules, first: State, gibibytes: float | None = None, tell: Tell = tell_nobody
) -> Solution:
    """Return the solution of a game from a state on: from its file, or made and kept there.

    A file that cannot be used is named, and made again.
    """
    refuse_seats(rules)
    try:
        return load(rules, first) or solve(rules, first, gibibytes, tell)
    except Unusable as error:
        say(f"{error}; solving again")
        discard(rules, first)
        return solve(rules, first, gibibytes, tell)


def solve(
    rules: Rules, first: State, gibibytes: float | None = None, tell: Tell = tell_nobody
) -> Solution:
    """Solve a game from a state on, keep the solution in its file, and return it.

    It is not kept if it is soon made again and does not begin where the game does, or if the
    folder cannot be used, which is said. What was finished when this is interrupted need not be
    done again.
    """
    refuse_seats(rules)
    began = time.perf_counter()
    room = room_in(free_gibibytes() if gibibytes is None else gibibytes)
    part = part_of(rules, first)
    induction, spent = resume(rules, first, part)
    if induction is None:
        induction = Induction(rules, all_states(rules, first, room, tell))
    elif induction.states > room:
        raise TooBig(f"{induction.states:,} states")
    unkept = why_not_kept(part.parent, induction.states)
    try:
        finish(induction, tell)
        seconds = spent + time.perf_counter() - began
        solution = make_solution(induction, seconds)
        small = induction.states <= PROBED and seconds <= WORTH_KEEPING
        if first == initial(rules) or not small:
            if unkept:
                say(f"{unkept}; this solution is not kept")
            else:
                save(rules, first, solution)
    except BaseException as error:
        if not unkept:
            with ignore_interrupts():
                tell("keeping what is solved", 0, 0)
                suspend(rules, first, induction, part, spent + time.perf_counter() - began)
            error.add_note("what is solved is kept, and the same command goes on from there")
        raise
    if not unkept:
        part.unlink(missing_ok=True)
    return solution


def why_not_kept(folder: Path, states: int) -> str:
    """Return why so many states cannot be kept in a folder, or nothing.

    A ValueError says it where the work would be too long to be lost.
    """
    why = obstacle(folder, DISK_BYTES * states)
    if why and states > PROBED:
        raise ValueError(why)
    return why


def all_states(rules: Rules, first: State, room: int, tell: Tell) -> Listing:
    """Return all states; TooBig says how many there are, if there is no room for them."""
    folding = best_folding(rules, first)
    count, exact = estimated_states(rules, first, folding)
    if count > (room if exact else MISJUDGED * room):
        raise TooBig(f"about {count:,} states")
    why_not_kept(path_of(rules, first).parent, count if exact else count // MISJUDGED)
    return list_states(
        *(rules, first, folding, room), lambda done, known: tell("listing states", done, known)
    )


def with_offers(error: TooBig, rules: Rules, gibibytes: float | None = None) -> TooBig:
    """Return the same refusal with the room that there is, and rules that may fit into it."""
    room = room_in(free_gibibytes() if gibibytes is None else gibibytes)
    offers = " or ".join(smaller_rules(rules, room))
    offer = f"; what may fit: {offers}" if offers else ""
    return TooBig(f"{error} are too many: there is memory for {room:,}{offer}")


def finish(induction: Induction, tell: Tell) -> None:
    """Solve all blocks that are left."""
    blocks = induction.blocks
    while induction.finished < len(blocks):
        done = blocks.starts[induction.finished]

        def told(sweeps: int, done: int = done) -> None:
            tell(f"solving, sweep {sweeps}", done, induction.states)

        induction.go_on(told)
        tell("solving", blocks.starts[induction.finished], induction.states)


def make_solution(induction: Induction, seconds: float) -> Solution:
    """Return the values of an induction that has come to its end."""
    listing = induction.listing
    order = np.argsort(listing.keys)
    facts = {
        "states": induction.states,
        "targets": listing.targets,
        "seconds": seconds,
        "residual": induction.residual,
        "gap": induction.gap,
        "unproven": induction.unproven,
    }
    keys = listing.keys[order]
    return Solution(
        *(listing.fields, keys, induction.values[order], induction.hopes[:, order]),
        *(induction.progress[order], slots_for(keys), listing.folding, facts),
    )


def audit(
    rules: Rules, first: State, solution: Solution, tell: Tell = tell_nobody
) -> tuple[float, float]:
    """Compute all values once more from one another, and return the worst change and gap."""
    induction = Induction(rules, solution.listing(canonical(rules, first)))
    induction.values[:] = solution.values
    return induction.audit(lambda done: tell("verifying", done, induction.states))


# Checkpoints. ----------------------------------------------------------------------------------


def part_of(rules: Rules, first: State) -> Path:
    """Return the file in which a solution that is not finished is kept."""
    return path_of(rules, first).with_suffix(".part.npz")


def discard(rules: Rules, first: State) -> None:
    """Remove what is on disk of a solution, finished or not, as far as that can be removed."""
    for path in (path_of(rules, first), part_of(rules, first)):
        with contextlib.suppress(OSError):
            path.unlink()


def suspend(rules: Rules, first: State, induction: Induction, part: Path, seconds: float) -> None:
    """Keep what is finished, and how far the block has come that is not."""
    listing, states = induction.listing, induction.states
    arrays = {
        "fields": listing.fields,
        "keys": listing.keys,
        "directions": listing.directions,
        "values": induction.values[:states],
        "hopes": induction.hopes[:, :states],
        "progress": induction.progress[:states],
    }
    facts = {
        "folding": listing.folding,
        "targets": listing.targets,
        "finished": induction.finished,
        "residual": induction.residual,
        "gap": induction.gap,
        "unproven": induction.unproven,
        "circling": induction.circling,
        "seconds": seconds,
    }
    write(part, identity(rules, first), arrays, facts)


def resume(rules: Rules, first: State, part: Path) -> tuple[Induction | None, float]:
    """Return what was suspended, if anything was, and the seconds that went into it."""
    if not part.exists():
        return None, 0.0
    arrays, facts = read(part, identity(rules, first), PART)
    keys = arrays["keys"]
    induction = Induction(
        rules,
        Listing(
            *(canonical(rules, first), facts["folding"], arrays["fields"], keys, slots_for(keys)),
            *(arrays["directions"], facts["targets"]),
        ),
    )
    induction.finished = facts["finished"]
    induction.residual, induction.gap = facts["residual"], facts["gap"]
    induction.unproven, induction.circling = facts["unproven"], facts["circling"]
    done = induction.blocks.order[: induction.blocks.starts[induction.finished]]
    induction.guesses = np.nan_to_num(arrays["values"])
    induction.values[done] = arrays["values"][done]
    induction.hopes[:, done] = arrays["hopes"][:, done]
    induction.progress[done] = arrays["progress"][done]
    return induction, facts["seconds"]
