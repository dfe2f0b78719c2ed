"""Search: agents that look ahead."""
