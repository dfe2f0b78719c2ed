"""Matches: playing one, and its record."""
