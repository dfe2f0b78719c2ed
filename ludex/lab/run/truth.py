"""The winner under perfect play, where it can be proven within a stated budget."""

from typing import Any

from ludex.analysis import evaluator
from ludex.core.rules import Rules, initial
from ludex.games import game_rules
from ludex.solve.evaluator import Budget, ProofEvaluator
from ludex.solve.proof import mtdf
from ludex.solve.proof.mtdf import Unproven
from ludex.solve.solving import solved
from ludex.solve.states.size import estimated_states
from ludex.solve.states.state_space import Unsolvable

MEBIBYTES = 64  # of a prover's table; arena is no slower than with more
MOST_STATES = 1_000_000  # that are listed and solved: half a minute
MOST_NODES = evaluator.PROOF_NODES  # that a proof may visit
STOPPED = "stopped"  # how a proof ends that would take more


def provable(rules: Rules) -> str:
    """Return how the value of these rules can be found, or nothing: `proof` or `listing`.

    A proof comes first, whatever solutions are kept: every machine gives up at the same node.
    """
    if mtdf.provable(rules):
        return "proof"
    try:
        small = estimated_states(rules, initial(rules))[0] <= MOST_STATES
    except Unsolvable:  # states of more bits than can be listed
        return ""
    return "listing" if small else ""


def truth(game: str, rules: dict[str, str]) -> dict[str, Any]:
    """Return what the first state is worth to seat 0 under perfect play; None if unknown."""
    known = game_rules(game, rules)
    first = initial(known)
    how = provable(known)
    try:
        if how == "proof":
            budget = Budget(table=MEBIBYTES, nodes=MOST_NODES)
            return {"value": ProofEvaluator(known, first, budget).value(first), "how": how}
        if how == "listing":
            solution = solved(known, first)
            if not solution.facts["unproven"]:
                return {"value": float(solution.value(known, first)), "how": how}
    except Unproven:
        return {"value": None, "how": STOPPED}
    except Unsolvable:  # too many states after all, or lines without end: it stays unknown
        pass
    return {"value": None, "how": ""}
