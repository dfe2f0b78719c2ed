"""Tests of ludex.grade."""
