"""Running experiments: tasks, series, exact results and provenance."""
