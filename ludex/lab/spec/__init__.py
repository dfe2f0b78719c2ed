"""Specifications of experiments, as in their TOML files."""
