"""The pages, each a function of the server state; they contain no rules."""
