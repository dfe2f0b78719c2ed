"""Statistics: scores, differences and ratings with confidence intervals, and SPRT."""

from ludex.stats.crosstable import cross_table
from ludex.stats.difference import Difference, difference, pair_difference
from ludex.stats.mean_return import MeanReturn, mean_return
from ludex.stats.pairs import PairCounts, pair_counts
from ludex.stats.ratings import Rating, ratings
from ludex.stats.share import elo, expected_share, wilson
from ludex.stats.sprt import ACCEPT_H0, ACCEPT_H1, GO_ON, Sprt, SprtState, read_sprt
from ludex.stats.tally import Tally

__all__ = [
    "ACCEPT_H0",
    "ACCEPT_H1",
    "GO_ON",
    "Difference",
    "MeanReturn",
    "PairCounts",
    "Rating",
    "Sprt",
    "SprtState",
    "Tally",
    "cross_table",
    "difference",
    "elo",
    "expected_share",
    "mean_return",
    "pair_counts",
    "pair_difference",
    "ratings",
    "read_sprt",
    "wilson",
]
