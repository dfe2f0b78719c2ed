"""Balance: fairness, sweeps over rules, and changes that restore it."""
