"""Equilibria of games with hidden information, by regret minimisation in extensive form."""
