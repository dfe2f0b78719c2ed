"""What an experiment consists of, as its TOML file says."""
