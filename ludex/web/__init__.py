"""The web lab: games, agents and solvers in a browser, and a REST API.

Nothing is imported here: the server's worker processes and the command line need no pages.
"""

HOST, PORT = "127.0.0.1", 8642
"""The default address."""
