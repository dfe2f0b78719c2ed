"""Exact solutions, proofs and best responses."""
