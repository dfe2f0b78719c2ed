"""`ludex solve`: the exact value and the best moves of a game."""

from typing import Any

import click

from ludex.cli.options import (
    as_json,
    memory_option,
    position_option,
    print_json,
    screen,
    starts,
    with_rules,
)
from ludex.cli.progress import telling
from ludex.core.choice import CLOSE
from ludex.core.play import choosers
from ludex.core.rules import Rules, State, label, position, seat_name
from ludex.library.player import line_labels
from ludex.solve.evaluator import Budget, ProofEvaluator, SolutionEvaluator, exact_evaluator
from ludex.solve.solving import audit

FACTS = ("states", "seconds", "residual", "gap", "unproven")  # of a solution, that are told


@click.command()
@with_rules
@position_option
@click.option(
    "--objective",
    type=click.Choice(["outcome", "margin"]),
    default="outcome",
    help="The winner, or the margin of victory if the game defines one.",
)
@click.option("--verify", is_flag=True, help="Recompute every value from its successors.")
@memory_option
@click.option("--seat", type=click.IntRange(0, 1), default=0, help="Seat of the value; 0.")
@as_json
def solve(
    rules: Rules,
    given: str | None,
    objective: str,
    verify: bool,
    gibibytes: float | None,
    seat: int,
    as_json: bool,
) -> None:
    """Compute the exact value and the best moves of a game.

    All states are enumerated and solved backwards, and the solution is kept on disk. A game that
    is too large for that is proven from the position, if it has no chance.

    \b
    ludex solve nuts --rule nuts=30
    ludex solve droids --verify
    ludex solve arena --objective margin
    """
    for state in starts(rules, given):
        with telling() as tell:
            budget = Budget.to_solve(gibibytes)
            exact = exact_evaluator(rules, state, budget, objective, tell, warn)
            told = facts(rules, state, seat, exact)
            if verify and isinstance(exact, SolutionEvaluator):
                change, gap = audit(rules, state, exact.solution, tell)
                told |= {"verified": {"residual": change, "gap": gap}}
        if verify and isinstance(exact, ProofEvaluator):
            click.echo("a proof has nothing more to verify", err=True)
        if as_json or given == "-":
            print_json(told)
        else:
            show(rules, seat, told, isinstance(exact, SolutionEvaluator) and exact.solution.kept)


def warn(words: str) -> None:
    """Print a remark beside the output for programs."""
    click.echo(words, err=True)


def facts(
    rules: Rules, state: State, seat: int, exact: SolutionEvaluator | ProofEvaluator
) -> dict[str, Any]:
    """Return what programs want to know."""
    sign = 1.0 if seat == 0 else -1.0
    told: dict[str, Any] = {"position": position(rules, state)}
    if isinstance(exact, ProofEvaluator):
        found = exact.prove(state)
        best = [action for action, value in found.values.items() if value == found.value]
        values = {
            label(rules, state, action): sign * value + 0.0  # not -0.0
            for action, value in found.values.items()
        }
        return told | {
            "method": "proof",
            "value": sign * found.value + 0.0,
            "moves": [label(rules, state, action) for action in best],
            "values": values,
            "line": line_labels(rules, state, found.line),
            "nodes": found.nodes,
            "seconds": found.seconds,
        }
    return told | {
        "method": "listing",
        "value": sign * exact.value(state) + 0.0,
        "moves": best_moves(rules, state, exact),
        **{name: exact.solution.facts[name] for name in FACTS},
    }


def best_moves(rules: Rules, state: State, exact: SolutionEvaluator) -> Any:
    """Return the labels of all best actions or, where both choose at once, both mixtures."""
    told = []
    for seat in choosers(rules, state):
        said = exact.evaluate(state, seat)
        if len(choosers(rules, state)) == 1:
            return [
                label(rules, state, action)
                for action, value in said.values.items()
                if value >= said.value - CLOSE
            ]
        told.append({label(rules, state, action): p for action, p in said.policy.items()})
    return told


def show(rules: Rules, seat: int, told: dict[str, Any], kept: bool) -> None:
    """Print a solution for people, and whether it was kept from an earlier time."""
    console = screen()
    console.print(f"worth {told['value']:+.10g} to {seat_name(rules, seat)}", markup=False)
    best = told["moves"]
    if best and isinstance(best[0], dict):
        for chooser, mixture in enumerate(best):
            shares = ", ".join(f"{name} {share:.4g}" for name, share in mixture.items())
            console.print(f"{seat_name(rules, chooser)}: {shares}", markup=False)
    elif best:
        console.print(f"best: {', '.join(best)}", markup=False)
    for name, value in told.get("values", {}).items():
        console.print(f"  {name:<16} {value:+.10g}", markup=False)
    if told["method"] == "proof":
        console.print(f"line: {', '.join(told['line'])}", markup=False)
        console.print(f"proven with {told['nodes']:,} nodes in {told['seconds']:.2f} s")
        return
    spent = f"solved in {told['seconds']:.1f} s"
    origin = f"read from disk ({spent} before)" if kept else spent
    console.print(
        f"{told['states']:,} states {origin};"
        f" residual {told['residual']:.1e}, gap {told['gap']:.1e}"
    )
    if told["unproven"]:
        console.print(
            f"not proven at {told['unproven']:,} nodes: play can go in circles there, and values"
            " are only near the right ones"
        )
    if "verified" in told:
        checked = told["verified"]
        console.print(
            f"verified on every state: residual {checked['residual']:.1e}, gap {checked['gap']:.1e}"
        )
