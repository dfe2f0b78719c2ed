"""Examples for authors of programs."""

from ludex.core.play import choosers, legal_moves
from ludex.core.rules import Rules, initial, label, position, title

EXAMPLE = '''"""An agent for {title}"""

import random


def choose(position, moves, seconds):
    """Return one of the moves.

    The first position is {position!r}{some}.
    """
    print("I may choose from", len(moves), "moves")
    return random.choice(moves)
'''
SIGNATURE = """def choose(position, moves, seconds):
    print(position)  # to see it here
    return moves[0]"""
NEEDS = (
    "The position is a text, moves is a list of texts, and seconds is the time for the move."
    " A function begin(game, rules, seat) may be there, too: it is called before the first move,"
    " and tells which seat you have, counted from 0. Files of the courses play as they are."
)


def example_program(rules: Rules) -> str:
    """Return a program that plays a game at random."""
    state = initial(rules)
    moves = legal_moves(rules, state) if choosers(rules, state) else []
    labels = [label(rules, state, one) for one in moves[:3]]
    some = f"; moves are such as {', '.join(map(repr, labels))}" if labels else ""
    where, name = position(rules, state), title(rules)
    sentence = name if name.endswith(("!", "?", ".")) else f"{name}."
    return EXAMPLE.format(title=sentence, position=where, some=some)
