"""Tests of ludex.render."""
