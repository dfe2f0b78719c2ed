"""Tests of the programs for releases."""
