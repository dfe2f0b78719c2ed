"""Measurements. Figures are ratios inside one run, because machines differ and are noisy."""
