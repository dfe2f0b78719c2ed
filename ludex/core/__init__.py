"""The contract of games, and what works with any game: variants, play by labels, perft."""
