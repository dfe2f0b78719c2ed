"""Tests of ludex.workers."""
