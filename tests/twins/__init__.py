"""Naive twins of the games: slow, literal, and written from the rules alone."""
