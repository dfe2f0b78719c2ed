"""Tests of ludex.kernel."""
