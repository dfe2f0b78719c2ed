"""Input and output: files, TOML, templates, arrays, and strict parsing of text."""
