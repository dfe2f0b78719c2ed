"""Tests of ludex.core."""
