"""`ludex solve`: the exact value and the best moves of a game."""

from typing import Any

import click

from ludex.cli import console, options
from ludex.core.devices import CPU
from ludex.core.play import choosers, read_state, value_text
from ludex.core.rules import Rules, initial, position, seat_name
from ludex.library.player import by_label, line_labels
from ludex.library.progress import progress_bar
from ludex.library.truth import Truth
from ludex.library.truth import solve as solve_position
from ludex.solve.equilibrium.regret import PREDICTIVE, VARIANTS
from ludex.solve.equilibrium.solving import GAP
from ludex.solve.equilibrium_evaluator import EquilibriumEvaluator
from ludex.solve.evaluator import ProofEvaluator, SolutionEvaluator
from ludex.solve.solving import audit


@click.command()
@options.game
@options.position
@click.option(
    "--objective",
    type=click.Choice(["outcome", "margin"]),
    default="outcome",
    help="The winner, or the margin of victory if the game defines one.",
)
@click.option("--verify", is_flag=True, help="Recompute every value from its successors.")
@click.option(
    "--gap",
    type=click.FloatRange(0.0, 2.0, min_open=True),
    default=GAP,
    help=f"What both seats may still gain in an equilibrium; {GAP:g}.",
)
@click.option(
    "--algorithm",
    type=click.Choice(VARIANTS),
    default=VARIANTS[PREDICTIVE],
    help=f"How to find an equilibrium; {VARIANTS[PREDICTIVE]}.",
)
@options.memory
@options.device
@click.option("--seat", type=click.IntRange(0, 1), default=0, help="Seat of the value; 0.")
@options.as_json
def solve(
    rules: Rules,
    given: str | None,
    objective: str,
    verify: bool,
    gap: float,
    algorithm: str,
    memory: float | None,
    device: str | None,
    seat: int,
) -> None:
    """Compute the exact value and the best moves of a game.

    All states are enumerated and solved backwards, and the solution is kept on disk. A game that
    is too large for that is proven from the position, if it has no chance. In a game that hides
    something, the solution is a Nash equilibrium, found by counterfactual regret minimisation.
    A card can list the states, and solve games in which no position recurs.

    \b
    ludex solve nuts --rule nuts=30
    ludex solve droids --verify
    ludex solve droids --rule rows=6 --device cuda
    ludex solve arena --objective margin
    ludex solve examples/kuhn.py --gap 1e-9
    """
    for state in options.start_states(rules, given):
        with progress_bar() as tell:
            asked = objective, memory, tell, console.warn, gap, algorithm, device or CPU
            truth = solve_position(rules, state, *asked)
            told = facts(truth, seat)
            kept = is_kept(truth)
            if verify and isinstance(truth.evaluator, SolutionEvaluator):
                change, gap = audit(rules, state, truth.evaluator.solution, tell)
                told |= {"verified": {"residual": change, "gap": gap}}
        if verify and truth.method != "listing":
            console.warn(f"{truth.evaluator.words} has nothing more to verify")
        console.emit(told, show, rules, seat, told, kept)


def is_kept(truth: Truth) -> bool:
    """Return whether a solution or an equilibrium was read from disk."""
    exact = truth.evaluator
    if isinstance(exact, EquilibriumEvaluator):
        return exact.equilibrium.kept
    return isinstance(exact, SolutionEvaluator) and exact.solution.kept


def facts(truth: Truth, seat: int) -> dict[str, Any]:
    """Return a solution as JSON, with the value for a seat."""
    rules, state = truth.rules, truth.start
    acting = choosers(rules, state)
    mixed = len(acting) > 1 or truth.method == "equilibrium"
    best = [truth.mixture(seat=one) for one in acting] if mixed else []
    told: dict[str, Any] = {
        "position": position(rules, state),
        "method": truth.method,
        "value": truth.value(seat=seat),
        "moves": best or (truth.best_moves() if acting else []),
    }
    if isinstance(truth.evaluator, ProofEvaluator):
        told["values"] = by_label(rules, state, truth.evaluator.evaluate(state, seat).values)
        told["line"] = line_labels(rules, state, truth.evaluator.prove(state).line)
        told["reason"] = truth.reason
    return told | truth.facts


def show(rules: Rules, seat: int, told: dict[str, Any], kept: bool) -> None:
    """Print a solution, and whether it was read from disk."""
    console.say(value_text(rules, told["value"], seat, ".10g"))
    best = told["moves"]
    if best and isinstance(best[0], dict):
        acting = choosers(rules, read_state(rules, told["position"]))
        for chooser, mixture in zip(acting, best, strict=True):
            shares = ", ".join(f"{name} {100 * share:.1f} %" for name, share in mixture.items())
            console.say(f"{seat_name(rules, chooser)}: {shares}")
    elif best:
        console.say(f"best: {', '.join(best)}")
    for name, value in told.get("values", {}).items():
        console.say(f"  {name:<16} {value:+.10g}")
    if told["method"] == "proof":
        console.say(f"line: {', '.join(told['line'])}")
        console.show(f"proven with {told['nodes']:,} nodes in {told['seconds']:.2f} s")
        if told["reason"]:
            console.show(f"not solved by listing all states: {told['reason']}")
        return
    spent = f"solved in {told['seconds']:.1f} s"
    origin = f"read from disk ({spent} before)" if kept else spent
    if told["method"] == "equilibrium":
        console.show(
            f"{told['states']:,} states, {told['information_sets']:,} information sets {origin}"
            f" by {told['iterations']:,} iterations of {told['algorithm']}"
        )
        whole = "" if told["position"] == position(rules, initial(rules)) else " of the whole game"
        console.show(
            f"proven{whole}: value {told['low']:+.10g} to {told['high']:+.10g} for"
            f" {seat_name(rules, 0)}, gap {told['gap']:.1e}"
        )
        return
    console.show(
        f"{told['states']:,} states {origin};"
        f" residual {told['residual']:.1e}, gap {told['gap']:.1e}"
    )
    if told["unproven"]:
        console.show(
            f"not proven at {told['unproven']:,} nodes: play can go in circles there, and values"
            " are only near the right ones"
        )
    if "verified" in told:
        checked = told["verified"]
        console.show(
            f"verified on every state: residual {checked['residual']:.1e}, gap {checked['gap']:.1e}"
        )
