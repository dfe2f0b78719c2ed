"""Tests of ludex.library."""
