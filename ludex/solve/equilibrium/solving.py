"""Find an equilibrium: from its file if there is one, else by regret minimisation."""

import contextlib
import sys
from pathlib import Path

import numpy as np

from ludex.core.rules import Rules, State, initial
from ludex.io.array_file import Unusable, read, write
from ludex.io.files import ignore_interrupts, remove
from ludex.kernel.jit import thinking_time
from ludex.solve.equilibrium import equilibrium as equilibria
from ludex.solve.equilibrium.equilibrium import Equilibrium, make_equilibrium
from ludex.solve.equilibrium.extensive_form import ExtensiveForm, extensive_form
from ludex.solve.equilibrium.regret import (
    PREDICTIVE,
    VARIANTS,
    Regrets,
    average_strategies,
    new_regrets,
    run_iterations,
)
from ludex.solve.equilibrium.response import bounds
from ludex.solve.solving import Tell, check_storage, tell_nobody
from ludex.solve.states.memory import free_gibibytes
from ludex.solve.states.size import states_fitting

GAP = 1e-6  # unless a smaller or larger one is asked for
CHECKS = 1.25  # the factor between the iterations after which the gap is measured
EDGES = 1 << 22  # visited between two progress reports, some hundredths of a second


class Minimisation:
    """Regret minimisation of a game in extensive form, which can be interrupted and resumed."""

    def __init__(self, form: ExtensiveForm, variant: int = PREDICTIVE) -> None:
        self.form, self.variant = form, variant
        self.regrets, self.iterations = new_regrets(form), 0
        self.bounds = bounds(form, self.strategies)

    @property
    def strategies(self) -> np.ndarray:
        """The average strategies so far."""
        return average_strategies(self.form, self.regrets.totals)

    def run(self, gap: float, tell: Tell) -> None:
        """Run iterations until the gap is small enough."""
        at_once = max(1, EDGES // max(1, len(self.form.tree.targets)))
        while self.bounds.gap > gap:
            until = int(self.iterations * CHECKS) + 10
            while self.iterations < until:
                count = min(at_once, until - self.iterations)
                form = self.form.tree, self.form.sets
                run_iterations(*form, self.regrets, self.variant, self.iterations + 1, count)
                self.iterations += count
                tell(f"minimising regret, gap {self.bounds.gap:.1e}", self.iterations, 0)
            self.bounds = bounds(self.form, self.strategies)


def load_or_solve(
    rules: Rules,
    first: State,
    gap: float = GAP,
    variant: int = PREDICTIVE,
    gibibytes: float | None = None,
    tell: Tell = tell_nobody,
) -> Equilibrium:
    """Return an equilibrium with at most this gap: from its file, or found and saved.

    An unusable file is reported, and replaced.
    """
    asked = gap, variant, gibibytes, tell
    try:
        found = equilibria.load(rules, first)
        if found is not None and found.facts["gap"] <= gap:
            return found
        return solve(rules, first, *asked)
    except Unusable as error:
        print(f"{error}; solving again", file=sys.stderr)
        discard(rules, first)
        return solve(rules, first, *asked)


def solve(
    rules: Rules,
    first: State,
    gap: float = GAP,
    variant: int = PREDICTIVE,
    gibibytes: float | None = None,
    tell: Tell = tell_nobody,
) -> Equilibrium:
    """Find an equilibrium from a state on, save it to its file, and return it.

    It is saved if it starts at the initial state. If interrupted, it leaves a checkpoint from
    which it resumes.
    """
    began = thinking_time()
    room = states_fitting(free_gibibytes() if gibibytes is None else gibibytes)
    form = extensive_form(rules, first, room, tell)
    work = Minimisation(form, variant)
    checkpoint = checkpoint_path(rules, first)
    spent = load_checkpoint(rules, first, work, checkpoint)
    problem = check_storage(checkpoint.parent, len(form.tree.movers))
    try:
        work.run(gap, tell)
    except BaseException as error:
        if not problem:
            with ignore_interrupts():
                tell("keeping what is solved", 0, 0)
                seconds = spent + thinking_time() - began
                save_checkpoint(rules, first, work, checkpoint, seconds)
            error.add_note("what is solved is kept, and the same command goes on from there")
        raise
    facts = {
        "states": len(form.tree.movers),
        "information_sets": len(form.sets.seats),
        "algorithm": VARIANTS[variant],
        "iterations": work.iterations,
        "seconds": spent + thinking_time() - began,
        "low": work.bounds.low,
        "high": work.bounds.high,
        "gap": work.bounds.gap,
    }
    found = make_equilibrium(form, work.strategies, facts)
    if first == initial(rules):
        if problem:
            print(f"{problem}; this equilibrium is not kept", file=sys.stderr)
        else:
            equilibria.save(rules, first, found)
    if not problem:
        remove(checkpoint)
    return found


# Checkpoints. ----------------------------------------------------------------------------------


def checkpoint_path(rules: Rules, first: State) -> Path:
    """Return the file for an unfinished equilibrium."""
    return equilibria.path_of(rules, first).with_suffix(".part.npz")


def discard(rules: Rules, first: State) -> None:
    """Remove the files of an equilibrium, finished or not, if possible."""
    for path in (equilibria.path_of(rules, first), checkpoint_path(rules, first)):
        with contextlib.suppress(OSError):
            path.unlink()


def save_checkpoint(
    rules: Rules, first: State, work: Minimisation, checkpoint: Path, seconds: float
) -> None:
    """Save the regrets so far."""
    facts = {"variant": work.variant, "iterations": work.iterations, "seconds": seconds}
    # Copies: compiled code that was interrupted may still write to them.
    arrays = {name: one.copy() for name, one in work.regrets._asdict().items()}
    write(checkpoint, equilibria.identity(rules, first), arrays, facts)


def load_checkpoint(rules: Rules, first: State, work: Minimisation, checkpoint: Path) -> float:
    """Resume from a checkpoint of the same variant, if any; return the seconds spent before."""
    if not checkpoint.exists():
        return 0.0
    arrays, facts = read(checkpoint, equilibria.identity(rules, first), Regrets._fields)
    if facts["variant"] != work.variant:
        return 0.0
    work.regrets, work.iterations = Regrets(**arrays), facts["iterations"]
    work.bounds = bounds(work.form, work.strategies)
    return float(facts["seconds"])
