"""Tests of ludex.conformance."""
