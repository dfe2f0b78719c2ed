"""Tests of ludex.stats."""
