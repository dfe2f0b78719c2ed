"""Tests of ludex.classroom."""
