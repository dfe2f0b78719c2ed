"""Tests of ludex.check."""
