"""The web lab: the same games, agents and solvers in a browser, and as a REST interface.

Nothing is imported here: the processes that work for the server need no pages.
"""
