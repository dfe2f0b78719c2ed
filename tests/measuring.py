"""How a new process is told to measure what it covers."""

import os

CONFIG = "COVERAGE_PROCESS_CONFIG"
config = os.environ.get(CONFIG)
"""What `coverage run` says to the processes it starts, unless nothing is measured."""


def measured_environment() -> dict[str, str]:
    """Return the environment of a process that is measured as this one is."""
    return dict(os.environ) if config is None else {**os.environ, CONFIG: config}
