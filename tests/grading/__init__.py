"""Tests of ludex.grading."""
