"""The truth about a game: exact values, proofs, best responses."""
