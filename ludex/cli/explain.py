"""`ludex explain`: the value of every action, exact where possible, and its loss."""

from typing import Any

import click

from ludex.analysis import evaluator as evaluators
from ludex.analysis.playouts import LEAST
from ludex.batch.series import DEVICE_MATCHES_MAX
from ludex.cli import console, options, words
from ludex.cli.best import require_chooser
from ludex.core.devices import CPU
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
from ludex.io.text import ParameterError
from ludex.kernel.jit import thinking_time
from ludex.library.playouts import Playouts
from ludex.library.playouts import playouts as play_out
from ludex.library.progress import progress_bar
from ludex.match.luck import chosen_seed
from ludex.solve.evaluation import Budget, Evaluation
from ludex.solve.solving import Tell
from ludex.solve.states.listing import Unsolvable

DEPTH = 3  # of a search
Given = dict[str, Any]
"""Options by name, None where they are not given."""


@click.command()
@options.game
@options.position
@click.option(
    "--depth", type=click.IntRange(1, 100), help="Search depth where there is no exact value; 3."
)
@options.memory
@click.option(
    "--playouts",
    type=click.IntRange(LEAST, DEVICE_MATCHES_MAX),
    metavar="N",
    help="Play N matches to the end after each action instead; see --agent, --seed, --device.",
)
@click.option(
    "--agent",
    type=words.AGENT,
    help="Agent of the playouts: random (the default), casual or greedy.",
)
@click.option("--seed", type=options.SEED, help="Seed of the playouts; random by default.")
@options.device
@options.as_json
def explain(
    rules: Rules,
    given: str | None,
    depth: int | None,
    memory: float | None,
    playouts: int | None,
    **rest: Any,
) -> None:
    """List the value of every action, and what it loses.

    Values are those of the seat to move: exact if the game can be solved, otherwise from a search.
    In simultaneous moves, and where the game hides something, share is the probability of an action
    in the optimal mixed strategy, and values are against the shares of the opponent.

    With --playouts, values are mean returns of matches that an agent plays to the end for all
    seats, and error is the standard error of the mean.

    \b
    ludex explain nuts --position "7 0"
    ludex explain droids --position "2,0 2,3 1,1 0,0 9" --json
    ludex explain trap --playouts 1000000 --device auto
    """
    check_options(playouts, {"depth": depth, "memory": memory}, rest)
    for state in options.start_states(rules, given):
        require_chooser(rules, state)
        if playouts is not None:
            play_on(rules, state, playouts, **rest)
            continue
        with progress_bar() as tell:
            found = evaluate(rules, state, depth or DEPTH, memory, tell)
        told = {
            "position": position(rules, state),
            "actions": [row for one in found for row in rows(rules, state, one)],
        }
        console.emit(told, show)


def check_options(playouts: int | None, of_search: Given, of_playouts: Given) -> None:
    """Raise a ValueError if an option is given that does not go with the others."""
    for name, value in (of_playouts if playouts is None else of_search).items():
        if value is not None:
            rest = "is for {playouts}" if playouts is None else "and {playouts}"
            wanted = "both" if playouts is None else "one of them"
            raise ParameterError(f"{{{name}}} {rest}: expected {wanted}")


def play_on(
    rules: Rules,
    state: State,
    matches: int,
    agent: str | None,
    seed: int | None,
    device: str | None,
) -> None:
    """Play matches after each action, and print the values."""
    number, began = chosen_seed(seed), thinking_time()
    given = number, device or CPU
    found = [
        play_out(rules, state, matches, agent or "random", seat, *given)
        for seat in choosers(rules, state)
    ]
    told = {
        "position": position(rules, state),
        "playouts": matches,
        "agent": agent or "random",
        "values": [{"seat": one.seat, "value": one.value, "error": one.error} for one in found],
        "actions": [row for one in found for row in playout_rows(one)],
        "seed": number,
        "device": found[0].device,
        "seconds": thinking_time() - began,
    }
    console.emit(told, show_playouts, told, sum(one.plies for one in found))


def playout_rows(found: Playouts) -> list[dict[str, Any]]:
    """Return a row for each action, as `rows` has it, with its standard error."""
    return [
        {
            "seat": found.seat,
            "player": row["player"],
            "action": row["move"],
            "value": row["value"],
            "loss": row["loss"],
            "share": None,
            "exact": False,
            "error": row["error"],
        }
        for row in found.table
    ]


def show_playouts(told: dict[str, Any], plies: int) -> None:
    """Print the values of actions in playouts."""
    table = console.table("player", "action", "value", "error", "loses")
    for row in told["actions"]:
        loss = f"{row['loss']:.6f}" if row["loss"] > 0.0 else "-"
        numbers = f"{row['value']:+.6f}", f"{row['error']:.6f}"
        table.add_row(row["player"], row["action"], *numbers, loss)
    matches = f"{told['playouts']:,} matches played by {told['agent']}"
    mean = f"mean return of the seat to move over {matches} after each action"
    console.say(f"{told['position']}; {mean}")
    console.show(table)
    for one in told["values"]:
        who = next(row["player"] for row in told["actions"] if row["seat"] == one["seat"])
        value = f"{one['value']:+.6f}, error {one['error']:.6f}"
        console.say(f"if {told['agent']} also chooses for {who}: {value}")
    took = f"{plies:,} plies in {told['seconds']:.1f} s on {told['device']}"
    console.say(f"{took}; seed {told['seed']}")


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
