"""Tests of ludex.solve.verification."""
