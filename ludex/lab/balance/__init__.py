"""Balance: fairness, sweeps over rules, and changes that mend it."""
