"""Agents: the registry of all, and trainings by text."""
