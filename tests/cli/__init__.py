"""Tests of ludex.cli."""
