"""Tests of ludex.store."""
