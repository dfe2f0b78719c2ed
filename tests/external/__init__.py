"""Tests of ludex.external."""
