"""Grading: what other people's agents are worth by the marks of an assignment."""
