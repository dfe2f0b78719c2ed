"""Tests of ludex.tournament."""
