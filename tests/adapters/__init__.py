"""Tests of ludex.adapters."""
