"""Tests of ludex.solve."""
