"""Tests of ludex.learn."""
