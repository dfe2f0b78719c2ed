"""Running experiments: their work, the series they play, and on what they ran."""
