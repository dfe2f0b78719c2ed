"""Tests of ludex.io."""
