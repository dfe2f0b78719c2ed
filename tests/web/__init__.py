"""Tests of ludex.web."""
