"""Proofs: the exact value of one position, without enumerating the game."""
