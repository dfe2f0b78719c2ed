"""Agents: the registry, and training specifications as text."""
