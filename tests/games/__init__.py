"""Tests of ludex.games."""
