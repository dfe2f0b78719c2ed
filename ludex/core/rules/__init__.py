"""The contract of a game: everything that a game may define, with defaults.

A game is a module. It has a NamedTuple of rules, `XRules`, and one of states, `X`, and defines
functions of the names declared here, called questions; constants in capitals are facts.

- `play`: the rules of play: initial state, turn, legal moves, successors, returns;
- `algorithms`: what searches, solvers, learners and networks may use beyond that;
- `display`: names, texts and pictures;
- `facts`: title, version, rules that can be changed, levels, learner and time control.

`DECLARED` lists all of them by name; `dispatch` finds the function that answers a question.
"""

from ludex.core.rules.algorithms import *  # noqa: F403
from ludex.core.rules.dispatch import *  # noqa: F403
from ludex.core.rules.display import *  # noqa: F403
from ludex.core.rules.facts import *  # noqa: F403
from ludex.core.rules.play import *  # noqa: F403
