"""Estimates from files, for every agent that searches: `estimate=learned` and `learned:FILE`."""

from pathlib import Path

from ludex.core.rules import Rules, game_of, patterns_size
from ludex.core.search_profile import Learned
from ludex.core.variants import read_rules
from ludex.io.array_file import Unusable
from ludex.kernel.jit import short_name
from ludex.learn import checkpoint
from ludex.learn.checkpoint import LEARNED
from ludex.learn.weights import Weights, scratch, weights_of

ESTIMATE = "estimate"  # the option, whose word is LEARNED

Words = dict[str, tuple[str, ...]]


def words_with_learned(rules: Rules, words: Words) -> Words:
    """Return a game's options for search profiles, with `learned` where it has patterns."""
    if not patterns_size(rules):
        return words
    return words | {ESTIMATE: (*words.get(ESTIMATE, ()), LEARNED)}


def no_estimates() -> ValueError:
    """Return the error for a choice of estimates in a game that has only one."""
    return ValueError(
        "option estimate: this game has one estimate, and no patterns to learn another by"
        f" (those that have: {', '.join(checkpoint.games_with_file(LEARNED))})"
    )


def learned_profile(words: int, text: str, rules: Rules) -> Learned:
    """Return a profile with the weights of `learned` (included) or `learned:FILE`."""
    file = text.partition(":")[2]
    if ":" in text and not file:
        raise ValueError("option estimate: expected a file after 'learned:'")
    game = short_name(game_of(rules).__name__)
    if not file and game not in checkpoint.games_with_file(LEARNED):
        raise ValueError(
            "option estimate: nothing was learned for this game yet: estimate=learned:FILE"
            " (ludex train GAME td writes one)"
        )
    path = Path(file) if file else checkpoint.shipped_file(LEARNED, game)
    return Learned(words, weights_in(path, rules).values, scratch())


def weights_in(path: Path, rules: Rules) -> Weights:
    """Return the weights in a file, which fit all rules of their game with as many patterns."""
    owner, theirs = checkpoint.read_arrays(path)[1]["owner"], rules
    wanted = checkpoint.identity("td", rules) | {"rules": owner["rules"]}
    if wanted.items() <= owner.items():
        theirs = read_rules(type(rules)(), owner["rules"])
    weights = weights_of(theirs, checkpoint.load(path, "td", theirs).memory)
    if len(weights.values) != patterns_size(rules):
        raise Unusable(
            f"{path} is for the rules {checkpoint.fact_text(owner['rules'])} with"
            f" {len(weights.values):,} patterns, and these have {patterns_size(rules):,}"
        )
    return weights
