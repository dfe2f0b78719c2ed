"""Estimates from files, for every agent that searches: `estimate=learned` and `learned:FILE`."""

from pathlib import Path

from ludex.compiled import short_name
from ludex.learn.learned import OURS, load
from ludex.learn.weights import scratch, weights_of
from ludex.rules import Rules, game_of, patterns_size
from ludex.style import Learned

ESTIMATE, LEARNED = "estimate", "learned"  # the option, and the word in it


Words = dict[str, tuple[str, ...]]


def words_with_learned(rules: Rules, words: Words) -> Words:
    """Return a game's words for styles, with that for a learned estimate where it has patterns."""
    if not patterns_size(rules):
        return words
    return words | {ESTIMATE: (*words.get(ESTIMATE, ()), LEARNED)}


def learned_style(words: int, text: str, rules: Rules) -> Learned:
    """Return a style with the weights that `learned` (ours) or `learned:FILE` names.

    Ours were learned by the game's default rules, and serve all others too.
    """
    file = text.partition(":")[2]
    if ":" in text and not file:
        raise ValueError("option estimate: expected a file after 'learned:'")
    if file:
        path = Path(file)
    else:
        rules = type(rules)()
        path = OURS / f"{short_name(game_of(rules).__name__)}-learned.npz"
        if not path.exists():
            raise ValueError(
                "option estimate: nothing was learned for this game yet: estimate=learned:FILE"
                " (ludex train GAME td writes one)"
            )
    weights = weights_of(rules, load(path, "td", rules).memory)
    return Learned(words, weights.values, scratch())
