"""`ludex explain`: the value of every action, exact where possible, and its loss."""

from typing import Any

import click

from ludex.analysis import evaluator as evaluators
from ludex.cli import console, options
from ludex.cli.best import require_chooser
from ludex.core.play import choosers
from ludex.core.rules import (
    BOTH,
    Rules,
    State,
    imperfect_information,
    interpreted,
    label,
    position,
    seat_name,
    turn,
)
from ludex.library.progress import progress_bar
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.solving import Tell
from ludex.solve.states.listing import Unsolvable


@click.command()
@options.game
@options.position
@click.option(
    "--depth",
    type=click.IntRange(1, 100),
    default=3,
    help="Search depth where there is no exact value; 3.",
)
@options.memory
@options.as_json
def explain(rules: Rules, given: str | None, depth: int, memory: float | None) -> None:
    """List the value of every action, and what it loses.

    Values are those of the seat to move: exact if the game can be solved, otherwise from a search.
    In simultaneous moves, and where the game hides something, share is the probability of an action
    in the optimal mixed strategy, and values are against the shares of the opponent.

    \b
    ludex explain nuts --position "7 0"
    ludex explain droids --position "2,0 2,3 1,1 0,0 9" --json
    """
    for state in options.start_states(rules, given):
        require_chooser(rules, state)
        with progress_bar() as tell:
            found = evaluate(rules, state, depth, memory, tell)
        told = {
            "position": position(rules, state),
            "actions": [row for one in found for row in rows(rules, state, one)],
        }
        console.emit(told, show)


def evaluate(
    rules: Rules, state: State, depth: int, memory: float | None, tell: Tell
) -> list[Evaluation]:
    """Return an evaluation for each seat to move."""
    if interpreted(rules):  # too slow to list all states
        if memory is not None:
            console.warn("--memory was not needed: no states of this game are listed")
        evaluator = evaluators.evaluator_for(rules, state, evaluators.default_budget(rules, depth))
        return [evaluator.evaluate(state, seat) for seat in choosers(rules, state)]

    def give_up(reason: Unsolvable) -> None:
        console.warn(f"{reason}; looking {evaluators.depth_text(depth)} instead")

    budget = Budget.to_solve(memory, evaluators.PROOF_NODES)._replace(depth=depth)
    return evaluators.evaluations(rules, state, budget, tell, console.warn, give_up)


def rows(rules: Rules, state: State, evaluation: Evaluation) -> list[dict[str, Any]]:
    """Return a row for each action, best first; shares only where strategies are mixed."""
    mixed = turn(rules, state) == BOTH or imperfect_information(rules)
    return [
        {
            "seat": evaluation.seat,
            "player": seat_name(rules, evaluation.seat),
            "action": label(rules, state, action),
            "value": value + 0.0,  # not -0.0
            "loss": evaluation.loss(action),
            "share": evaluation.policy.get(action, 0.0) if mixed else None,
            "exact": evaluation.exact,
        }
        for action, value in sorted(evaluation.values.items(), key=lambda pair: -pair[1])
    ]


def show(told: dict[str, Any]) -> None:
    """Print an explanation."""
    mixed = told["actions"][0]["share"] is not None
    table = console.table("player", "action", "value", "loses", *(["share"] if mixed else []), "")
    for row in told["actions"]:
        loss = f"{row['loss']:.6f}" if row["loss"] > 1e-9 else "-"
        share = [f"{100 * row['share']:.1f} %"] if mixed else []
        certain = "exact" if row["exact"] else "estimated"
        table.add_row(row["player"], row["action"], f"{row['value']:+.6f}", loss, *share, certain)
    who = "the player of the row" if mixed else told["actions"][0]["player"]
    console.say(f"{told['position']}; values are those of {who}, who chooses")
    console.show(table)
