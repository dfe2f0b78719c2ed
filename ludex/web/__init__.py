"""The web lab: games, agents and solvers in a browser, and a REST API.

Nothing is imported here: the server's worker processes need no pages.
"""
