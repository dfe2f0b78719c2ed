"""A class: students hand in programs, which play in the sandbox and are rated on a ladder.

Everything is in one database, so that any part may be killed at any time: people, programs, jobs
with leases, matches and ratings. `classroom.py` opens it; the other modules are functions on it.
"""
