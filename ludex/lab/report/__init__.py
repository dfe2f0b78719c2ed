"""Reports: blocks, tables and plots, as a page and as Markdown."""
