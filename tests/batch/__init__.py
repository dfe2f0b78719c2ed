"""Tests of ludex.batch."""
