"""Tests of ludex.analysis."""
