"""Best response: the most that an opponent gets against a fixed policy.

A known policy is chance: only one seat is left that chooses. So the transitions for backward
induction are written with the policy's choices as chance nodes, and evaluated as usual. A state
that is not reached has value 0; no reached state depends on it.
"""

from ludex.solve.policy import Answers
from ludex.solve.solving import Tell, finish, tell_nobody
from ludex.solve.values.induction import Induction


def value_against(answers: Answers, tell: Tell = tell_nobody) -> float:
    """Return the value of the first state for seat 0 if the other seat plays optimally."""
    response = Induction(answers.rules, answers.listing, answers.fixed)
    finish(response, tell)
    listing = answers.listing
    return float(response.values[listing.number(answers.rules, listing.first)])
