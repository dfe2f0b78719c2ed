"""Tests of ludex.courses."""
