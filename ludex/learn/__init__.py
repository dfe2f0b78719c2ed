"""Agents that learn from matches: hats, tables of action values, learned estimates."""
