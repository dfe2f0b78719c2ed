"""Analysis of matches: each decision against the exact or searched value, luck and skill."""
