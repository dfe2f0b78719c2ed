"""Conformance: whether a game keeps the contract of games."""
