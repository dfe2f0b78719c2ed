"""What the server holds: matches, jobs, workers, and what they compute."""
