"""Games of OpenSpiel, by a name such as `openspiel:tic_tac_toe`.

A state is the history of the match, packed into ints, so that it is a value like any other; its
meaning is queried from OpenSpiel, with a cache of the latest states. Nothing of it is compiled:
every agent plays, but searches run at the speed of Python.
"""

import importlib
import sys
from collections import OrderedDict, namedtuple
from functools import reduce
from types import ModuleType
from typing import Any

from rich.markup import escape

from ludex.core import rules as ask
from ludex.core.rules import BOTH, CHANCE, MOST_ACTIONS, NO_MOVE, OVER, Rules, State
from ludex.io.text import nearest, read_int
from ludex.kernel.bits import NumberSet, include, members

ENTRY_BITS = 6  # bits of an entry in the history, at least
WORD_BITS = 60  # bits of an int that entries fill
LONGEST_HISTORY = 10_000  # entries of a history
IN_A_ROUND = 4  # chance nodes, at most, with simultaneous moves
CACHED_STATES = 50_000  # states of OpenSpiel

cached: OrderedDict[tuple[str, State], Any] = OrderedDict()


def find_spiel(name: str) -> ModuleType:
    """Return an OpenSpiel game as a module; a ValueError says why it cannot be played."""
    if name in sys.modules:
        return sys.modules[name]
    spec = name.partition(":")[2]
    try:
        pyspiel: Any = importlib.import_module("pyspiel")
    except ModuleNotFoundError:
        raise ValueError(
            f"{name!r} needs OpenSpiel, which is not installed: pip install 'ludex[openspiel]'"
        ) from None
    short, known = spec.partition("(")[0], pyspiel.registered_names()
    if short not in known:
        raise ValueError(f"OpenSpiel has no game {short!r}{nearest(short, known)}")
    try:
        game = pyspiel.load_game(spec)
    except (pyspiel.SpielError, ValueError, TypeError, RuntimeError, IndexError) as error:
        raise ValueError(f"{name!r} does not load: {str(error).splitlines()[0]}") from None
    refusal = why_refused(pyspiel, game)
    if refusal:
        raise ValueError(f"{name!r} cannot be played here: {refusal}")
    module = make_module(name, game)
    sys.modules[name] = module
    return module


def why_refused(pyspiel: Any, game: Any) -> str:
    """Return why a game cannot be played here, or an empty text."""
    kind, players = game.get_type(), game.num_players()
    dynamics, modes = pyspiel.GameType.Dynamics, pyspiel.GameType.ChanceMode
    if kind.dynamics == dynamics.MEAN_FIELD:
        return "it is a mean field game"
    if players < 2:
        return "it is for one player"
    if kind.dynamics == dynamics.SIMULTANEOUS and players != 2:
        return f"{players} players choose at once; expected 2"
    if kind.chance_mode == modes.SAMPLED_STOCHASTIC:
        return "its chances are not told"
    if game.num_distinct_actions() > MOST_ACTIONS:
        return f"it has {game.num_distinct_actions()} actions; expected at most {MOST_ACTIONS}"
    if game.max_chance_outcomes() > MOST_ACTIONS:
        return f"chance has {game.max_chance_outcomes()} outcomes; expected at most {MOST_ACTIONS}"
    length = entries_of(game)
    if length > LONGEST_HISTORY:
        return f"a match may take {length} moves; expected at most {LONGEST_HISTORY}"
    return ""


def entries_of(game: Any) -> int:
    """Return the length of the longest history."""
    rounds = game.max_game_length()
    # Not every game counts its chance nodes; those that do not have at most one before a decision.
    # With simultaneous moves, some count too few.
    chances = game.max_chance_nodes_in_history() or rounds + 1
    if at_once(game):
        chances, rounds = IN_A_ROUND * (rounds + 1), 2 * rounds
    return int(rounds + chances if game.max_chance_outcomes() else rounds)


def at_once(game: Any) -> bool:
    """Return whether a game has simultaneous moves."""
    return str(game.get_type().dynamics).endswith("SIMULTANEOUS")


def make_module(name: str, game: Any) -> ModuleType:
    """Return a module that implements the contract for an OpenSpiel game."""
    module: Any = ModuleType(name, f"{game.get_type().long_name}: a game of OpenSpiel.")
    module.__file__, module.NAME = __file__, name
    numbers = max(game.num_distinct_actions(), game.max_chance_outcomes())
    module.ENTRY_BITS = max(ENTRY_BITS, (numbers - 1).bit_length())
    in_a_word = WORD_BITS // module.ENTRY_BITS
    words = [f"word{number}" for number in range(-(-entries_of(game) // in_a_word))]
    module.OpenspielRules = namedtuple("OpenspielRules", [], module=name)  # type: ignore[misc]
    module.Openspiel = namedtuple("Openspiel", ["count", *words], module=name)  # type: ignore[misc]
    module.SPIEL = game
    module.INTERPRETED = True
    module.TITLE = game.get_type().long_name
    hidden = "IMPERFECT" in str(game.get_type().information) and not at_once(game)
    kinds = ["both choose at once" if at_once(game) else "turns"]
    kinds += ["chance"] * (game.max_chance_outcomes() > 0)
    kinds += ["what is hidden is seen by all"] * hidden
    if hidden:
        module.NOTE = (
            "what this game hides is seen by all here: values and results are of that other game"
        )
    module.KIND = ", ".join([*kinds, f"{game.num_players()} seats", "by OpenSpiel"])
    module.VERSION = 1
    module.ACTIONS = game.num_distinct_actions()
    module.OUTCOMES = game.max_chance_outcomes()
    module.AT_ONCE = at_once(game)
    module.LEVELS = {"easy": "random", "medium": "mcts:sims=100"}
    for function in CONTRACT:
        setattr(module, function.__name__, function)
    named: ModuleType = module
    return named


# Histories. --------------------------------------------------------------------------------------


def packing(state: State) -> tuple[int, int]:
    """Return how many bits an entry has in the states of a game, and how many are in an int."""
    bits = int(sys.modules[type(state).__module__].ENTRY_BITS)
    return bits, WORD_BITS // bits


def entries(state: State) -> list[int]:
    """Return the history of a state."""
    bits, in_a_word = packing(state)
    return [
        state[1 + place // in_a_word] >> bits * (place % in_a_word) & (1 << bits) - 1
        for place in range(state.count)
    ]


def with_entries(state: State, *more: int) -> State:
    """Return the state with entries appended to its history."""
    numbers, (bits, in_a_word) = list(state), packing(state)
    for entry in more:
        word, place = divmod(numbers[0], in_a_word)
        numbers[1 + word] |= int(entry) << bits * place
        numbers[0] += 1
    return type(state)(*numbers)


def node_of(rules: Rules, state: State) -> Any:
    """Return the OpenSpiel state, which must not be modified."""
    game = ask.game_of(rules)
    key = (game.__name__, state)
    found = cached.get(key)
    if found is None:
        found = game.SPIEL.new_initial_state()
        history = entries(state)
        while history:
            follow(found, history)
        store(key, found)
    return found


def store(key: tuple[str, State], node: Any) -> None:
    """Cache an OpenSpiel state; drop the oldest if there are too many."""
    cached[key] = node
    if len(cached) > CACHED_STATES:
        cached.popitem(last=False)


def follow(node: Any, history: list[int]) -> None:
    """Apply the first move of a history to an OpenSpiel state, and remove it from the history."""
    if node.is_simultaneous_node():
        node.apply_actions([history.pop(0), history.pop(0)])
    elif node.is_chance_node():
        node.apply_action(node.chance_outcomes()[history.pop(0)][0])
    else:
        node.apply_action(history.pop(0))


# The contract. -----------------------------------------------------------------------------------


def seats(rules: Rules) -> int:
    return int(ask.game_of(rules).SPIEL.num_players())


def initial(rules: Rules) -> State:
    kind = ask.game_of(rules).Openspiel
    return kind(*[0] * len(kind._fields))


def turn(rules: Rules, state: State) -> int:
    node = node_of(rules, state)
    if node.is_terminal():
        return OVER
    if node.is_chance_node():
        return CHANCE
    return BOTH if node.is_simultaneous_node() else int(node.current_player())


def moves(rules: Rules, state: State, seat: int) -> NumberSet:
    return reduce(include, node_of(rules, state).legal_actions(seat), ask.no_moves(rules))


def possible(rules: Rules, state: State) -> NumberSet:
    outcomes = node_of(rules, state).chance_outcomes()
    some = [k for k, (_, p) in enumerate(outcomes) if p > 0.0]
    return reduce(include, some, ask.no_moves(rules))


def chance(rules: Rules, state: State, outcome: int) -> float:
    outcomes = node_of(rules, state).chance_outcomes()
    return float(outcomes[outcome][1]) if outcome < len(outcomes) else 0.0


def apply(rules: Rules, state: State, move: int) -> State:
    node = node_of(rules, state)
    both = node.is_simultaneous_node()
    history = [int(ask.part(move, 0)), int(ask.part(move, 1))] if both else [int(move)]
    after = with_entries(state, *history)
    key = (ask.game_of(rules).__name__, after)
    if key not in cached:
        child = node.clone()
        follow(child, history)
        store(key, child)
    return after


def returns(rules: Rules, state: State, seat: int) -> float:
    game = ask.game_of(rules).SPIEL
    values = node_of(rules, state).returns()
    # Subtract the common share, and scale the largest gain to 1.
    shared = (game.utility_sum() or 0.0) / len(values)
    largest = max(abs(game.max_utility() - shared), abs(game.min_utility() - shared))
    return float((values[seat] - shared) / largest) if largest else 0.0


def label(rules: Rules, state: State, move: int) -> str:
    node = node_of(rules, state)
    if node.is_chance_node():
        outcomes = [one for one, _ in node.chance_outcomes()]
        names = [flat(node.action_to_string(node.current_player(), one)) for one in outcomes]
        name = names[move]
    else:
        both = node.is_simultaneous_node()
        seat = int(move not in node.legal_actions(0)) if both else node.current_player()
        legal = node.legal_actions(seat)
        names = [flat(node.action_to_string(seat, one)) for one in legal]
        name = names[legal.index(move)] if move in legal else ""
    return name if name and names.count(name) == 1 else f"{name} {move}".strip()


def flat(text: str) -> str:
    """Return a text in one line."""
    return " ".join(text.split())


def position(rules: Rules, state: State) -> str:
    return ",".join(map(str, entries(state))) or "-"


def read_position(rules: Rules, text: str) -> State:
    state = initial(rules)
    numbers = [] if text == "-" else text.split(",")
    history = [read_int(one, "HISTORY", 0, MOST_ACTIONS - 1) for one in numbers]
    while history:
        mover = turn(rules, state)
        if mover == OVER:
            raise ValueError("HISTORY: the match is over before the last number")
        if mover == BOTH and len(history) < 2:
            raise ValueError("HISTORY: expected a number of each seat where both choose at once")
        chosen = [history.pop(0) for _ in range(2 if mover == BOTH else 1)]
        for seat, entry in enumerate(chosen, 0 if mover == BOTH else mover):
            bits = possible(rules, state) if mover == CHANCE else moves(rules, state, seat)
            if entry not in members(bits):
                raise ValueError(f"HISTORY: {entry} is not a move after {position(rules, state)!r}")
        state = apply(rules, state, ask.pair(*chosen) if mover == BOTH else chosen[0])
    return state


def render(rules: Rules, state: State, last: int = NO_MOVE) -> str:
    return escape(str(node_of(rules, state)).rstrip("\n"))


CONTRACT = (
    *(seats, initial, turn, moves, possible, chance, apply, returns),
    *(label, position, read_position, render),
)
