"""The library: what `import ludex` offers, as objects that notebooks can show."""
