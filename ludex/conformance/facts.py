"""The constants of a game, compared with what `ludex/core/rules/` declares."""

import inspect
from typing import get_type_hints

from ludex.conformance.contract import Violation, require
from ludex.core.rules import DECLARED, Rules, clock, game_of, learner_of, styles_of
from ludex.core.search_profile import STYLE_BITS
from ludex.core.time_control import read_clocks
from ludex.io.schema import fits
from ludex.learn.training import LEARNERS


def examine_facts(rules: Rules) -> None:
    """Check the types and ranges of a game's constants."""
    game = game_of(rules)
    for name, question in DECLARED.items():
        if name.isupper() and hasattr(game, name):
            value, kind = getattr(game, name), get_type_hints(question)["return"]
            holds = isinstance(value, int) if kind is int else fits(value, kind)
            require(holds, f"{name} is {value!r}; it must be {inspect.formatannotation(kind)}")
    learner, known = learner_of(rules), ", ".join(LEARNERS)
    require(learner in LEARNERS, f"LEARNER is {learner!r}; it must be one of {known}")
    for option, words in styles_of(rules).items():
        number, most = len(words), 1 << STYLE_BITS
        require(
            1 <= number <= most, f"STYLES has {number} words for {option}; it must be 1 to {most}"
        )
    try:
        read_clocks(clock(rules))
    except ValueError as error:
        raise Violation(f"CLOCK is {clock(rules)!r}: {error}") from error
