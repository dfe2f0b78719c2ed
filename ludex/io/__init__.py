"""Input and output: files, tables by a schema, templates, arrays, and text."""
