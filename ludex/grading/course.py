"""What each course adds to grading: rules to compare, and checks of console programs."""

from ludex.grading.comparison import arena, droids
from ludex.grading.comparison.case import ComparedRules
from ludex.grading.transcript import NUTS_CHECKS, Check

COMPARED: dict[str, ComparedRules] = {"arena": arena.COMPARED, "droids": droids.COMPARED}
"""How the rules in the file of a course are compared with ours."""
CHECKS: dict[str, tuple[tuple[Check, ...], ...]] = {"nuts": NUTS_CHECKS}
"""The checks of a console program, for each part of the document."""
