"""Tests of ludex.match."""
