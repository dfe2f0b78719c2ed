"""The state of the server: matches, jobs, workers, and their results."""
