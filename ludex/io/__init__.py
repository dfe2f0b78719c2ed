"""Reading and writing: files, TOML, templates, arrays, and small things out of text."""
