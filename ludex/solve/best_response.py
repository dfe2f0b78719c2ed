"""Best response: the most that an opponent gets against a fixed policy.

A known policy is chance: only one seat is left that chooses. So the transitions for backward
induction are written with the policy's choices as chance nodes, and evaluated as usual.
"""

from ludex.solve.policy import Answers
from ludex.solve.solving import Tell, finish, tell_nobody
from ludex.solve.values.induction import Induction


class BestResponse(Induction):
    """The values for seat 0 while one seat keeps to its policy and the other plays optimally.

    A state that is not reached has value 0; no reached state depends on it.
    """

    def __init__(self, answers: Answers) -> None:
        super().__init__(answers.rules, answers.listing)
        self.fixed, self.scratch = answers.fixed, answers.scratch

    def sweep_tie_values(self, seat: int) -> float:
        """Do nothing: ties need not be broken against a known policy."""
        return 0.0


def value_against(answers: Answers, tell: Tell = tell_nobody) -> float:
    """Return the value of the first state for seat 0 if the other seat plays optimally."""
    response = BestResponse(answers)
    finish(response, tell)
    listing = answers.listing
    return float(response.values[listing.number(answers.rules, listing.first)])
