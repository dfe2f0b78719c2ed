"""How many cores solve a game."""

from numba.core import config

from ludex.core.rules import Rules, game_of


def default_threads(rules: Rules) -> int:
    """Return as many threads as there are cores; only compiled code runs side by side."""
    interpreted = config.DISABLE_JIT or getattr(game_of(rules), "INTERPRETED", False)
    return 1 if interpreted else int(config.NUMBA_NUM_THREADS)
