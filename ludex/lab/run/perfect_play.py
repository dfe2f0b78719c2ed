"""The winner under perfect play, where it can be proven within a stated budget."""

from typing import Any

from ludex.analysis import evaluator
from ludex.core.rules import Rules, initial
from ludex.games import game_rules
from ludex.solve.evaluation import Budget
from ludex.solve.evaluator import ProofEvaluator
from ludex.solve.proof import mtdf
from ludex.solve.proof.mtdf import Unproven
from ludex.solve.solving import load_or_solve
from ludex.solve.states.listing import Unsolvable
from ludex.solve.states.size import estimated_states

TABLE_MEBIBYTES = 64  # more does not speed up arena
STATES_MAX = 1_000_000  # solved in half a minute
NODES_MAX = evaluator.PROOF_NODES  # of a proof
STOPPED = "stopped"  # a proof beyond the limit


def proof_method(rules: Rules) -> str:
    """Return how to find the value of these rules: `proof`, `listing`, or "" for neither.

    A proof comes first, even if a solution is stored, so that every machine stops at the same node.
    """
    if mtdf.provable(rules):
        return "proof"
    try:
        small = estimated_states(rules, initial(rules))[0] <= STATES_MAX
    except Unsolvable:  # states with too many bits
        return ""
    return "listing" if small else ""


def perfect_play(game: str, rules: dict[str, str]) -> dict[str, Any]:
    """Return the value of the initial state to seat 0 under perfect play; None if unknown."""
    known = game_rules(game, rules)
    first = initial(known)
    how = proof_method(known)
    try:
        if how == "proof":
            budget = Budget(table=TABLE_MEBIBYTES, nodes=NODES_MAX)
            return {"value": ProofEvaluator(known, first, budget).value(first), "how": how}
        if how == "listing":
            solution = load_or_solve(known, first)
            if not solution.facts["unproven"]:
                return {"value": float(solution.value(known, first)), "how": how}
    except Unproven:
        return {"value": None, "how": STOPPED}
    except Unsolvable:  # too many states after all, or infinite play
        pass
    return {"value": None, "how": ""}
