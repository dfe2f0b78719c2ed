"""Tests of ludex.lab."""
