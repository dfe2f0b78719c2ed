"""External programs as agents, each in its own process."""
