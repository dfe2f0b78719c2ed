"""The pages, each a function of the hall; they hold no rules."""
