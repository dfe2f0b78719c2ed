"""The public API behind `import ludex`, as objects that notebooks can display."""
