"""Tests of ludex.search."""
