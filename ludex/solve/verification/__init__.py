"""Verification of kept solutions by the rules alone, without any code of the solver."""
