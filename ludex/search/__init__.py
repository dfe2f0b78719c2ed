"""Search agents."""
