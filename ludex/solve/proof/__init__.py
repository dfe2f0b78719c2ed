"""Proofs: the exact value of one position, without listing a game."""
