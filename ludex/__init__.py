"""Ludex: a laboratory for small games, with rules written once and compiled."""

__version__ = "0.1.0"
