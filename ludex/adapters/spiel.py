"""OpenSpiel games: after `register()`, `pyspiel.load_game("ludex_trap(size=3)")`.

Parameters are the rules, with `;` between the numbers of a list; `plies` decisions end a match as
a draw, because OpenSpiel requires matches to be finite.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ludex.adapters import import_extra
from ludex.adapters.common import checked_number
from ludex.core import rules as ask
from ludex.core.information import SPECTATOR, seen_by
from ludex.core.observation import legal_bits, observation_of
from ludex.core.play import describe
from ludex.core.rules import BOTH, CHANCE, OVER, Rules, State
from ludex.core.time_control import PLIES
from ludex.core.variants import read_rules, rule_table, write_value
from ludex.games import GAMES, find, game_rules
from ludex.kernel.bits import NumberSet, members

pyspiel = import_extra("pyspiel", "openspiel")

PREFIX = "ludex_"

# The modules of the registered games, by their names in OpenSpiel.
registered: dict[str, str] = {}

Types = pyspiel.GameType
Game: Any = pyspiel.Game
Position: Any = pyspiel.State


def short_name(game: str) -> str:
    """Return the name of a game in OpenSpiel."""
    return PREFIX + ask.name_of(find(game))


def parameters_of(rules: Rules) -> dict[str, Any]:
    """Return the rules as parameters of OpenSpiel: numbers, or texts.

    A list of numbers is empty by default, because it may depend on other rules.
    """
    table = rule_table(rules)
    return {
        key: "" if isinstance(value, tuple) else write_value(rule, value) if rule.words else value
        for (key, value), rule in zip(ask.rule_values(rules).items(), table.values(), strict=True)
    }


def rules_from(game: str, parameters: Mapping[str, Any]) -> Rules:
    """Return the rules of parameters, in which `;` stands for a comma."""
    standard = game_rules(game)
    usual = parameters_of(standard) | {"plies": parameters.get("plies")}
    texts = {
        key: str(value).replace(";", ",")
        for key, value in parameters.items()
        if value != usual.get(key)
    }
    return read_rules(standard, texts)


def type_of(game: str) -> Any:
    """Return the GameType of a game."""
    rules, modes, kinds = game_rules(game), Types.ChanceMode, Types.Information
    hides = ask.imperfect_information(rules)
    fewest = most = int(ask.seats(rules))
    if "seats" in rule_table(rules):
        most = rule_table(rules)["seats"].high
    return Types(
        short_name=short_name(game),
        long_name=ask.title(find(game)),
        dynamics=Types.Dynamics.SIMULTANEOUS if ask.at_once(rules) else Types.Dynamics.SEQUENTIAL,
        chance_mode=modes.EXPLICIT_STOCHASTIC if ask.outcomes(rules) else modes.DETERMINISTIC,
        information=kinds.IMPERFECT_INFORMATION if hides else kinds.PERFECT_INFORMATION,
        utility=Types.Utility.ZERO_SUM,
        reward_model=Types.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=hides,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(rules) | {"plies": PLIES},
    )


def register(*games: str) -> list[str]:
    """Register games by name or path, by default our own, and return their OpenSpiel names.

    OpenSpiel cannot replace a game: another one of the same name, or an edited file, is refused.
    """
    for game in games or GAMES:
        name, module = short_name(game), find(game).__name__
        if registered.setdefault(name, module) != module:
            raise ValueError(
                f"{game!r} is not the game that is {name} already: expected a file of another name"
            )
        if name not in pyspiel.registered_names():
            kind = type_of(game)
            if "/" in game or game.endswith(".py"):
                game = str(Path(game).resolve())
            # A class for each, not a function: OpenSpiel releases it after Python has shut down,
            # when only immortal objects are safe.
            pyspiel.register_game(kind, type(name, (SpielGame,), {"game": game, "kind": kind}))
    return [short_name(game) for game in games or GAMES]


def load_pickled_game(game: str, text: str) -> Any:
    """Return a pickled game, and register it if necessary."""
    register(game)
    return pyspiel.load_game(text)


def load_pickled_state(game: str, text: str, history: str) -> Any:
    """Return a pickled state."""
    return load_pickled_game(game, text).deserialize_state(history)


class SpielGame(Game):
    """A game of Ludex, with its rules."""

    game: str
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = rules_from(self.game, params)
        self.plies = checked_number(params.get("plies", PLIES), "plies", 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(ask.actions(self.rules)),
            max_chance_outcomes=int(ask.outcomes(self.rules)),
            num_players=int(ask.seats(self.rules)),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.plies,
        )
        super().__init__(self.kind, info, dict(params))

    def __reduce__(self) -> tuple[Any, ...]:
        return load_pickled_game, (self.game, str(self))

    def new_initial_state(self, state: Any = None) -> "SpielState":
        """Return the initial state."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return an observer."""
        return Observer(self.rules, iig_obs_type)


class SpielState(Position):
    """A state of a game of Ludex, and how many decisions led to it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules, self.plies = game.rules, game.plies
        self.state: State = ask.initial(game.rules)
        self.decisions = 0

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.get_game()
        return load_pickled_state, (game.game, str(game), self.serialize())

    def turn(self) -> int:
        """Return whose turn it is in Ludex; after too many plies OVER."""
        mover = int(ask.turn(self.rules, self.state))
        return OVER if self.decisions >= self.plies and mover != CHANCE else mover

    def current_player(self) -> Any:
        """Return whose turn it is in OpenSpiel."""
        ids = pyspiel.PlayerId
        other = {CHANCE: ids.CHANCE, BOTH: ids.SIMULTANEOUS, OVER: ids.TERMINAL}
        mover = self.turn()
        return other.get(mover, mover)

    def _legal_actions(self, player: int) -> list[int]:
        return members(legal_bits(self.rules, self.state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        rules, state = self.rules, self.state
        return [(one, ask.chance(rules, state, one)) for one in members(ask.possible(rules, state))]

    def _apply_action(self, action: int) -> None:
        rules, state, mover = self.rules, self.state, self.turn()
        if mover == CHANCE:
            self.check(action, ask.possible(rules, state))
        else:
            self.check(action, 0 if mover == OVER else legal_bits(rules, state, mover))
            self.decisions += 1
        self.state = ask.apply(rules, state, action)

    def _apply_actions(self, actions: list[int]) -> None:
        for seat, action in enumerate(actions):
            self.check(action, legal_bits(self.rules, self.state, seat))
        self.decisions += 1
        self.state = ask.apply(self.rules, self.state, int(ask.pair(*actions)))

    def check(self, move: int, bits: NumberSet) -> None:
        """Raise a ValueError for an illegal move; OpenSpiel itself does not check."""
        if move not in members(bits):
            raise ValueError(f"{move} is not one of {members(bits)}: {self}")

    def _action_to_string(self, player: int, action: int) -> str:
        return str(ask.label(self.rules, self.state, action))

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.turn() == OVER

    def returns(self) -> list[float]:
        """Return the return of each seat; 0 before the end and after too many plies."""
        ended = ask.turn(self.rules, self.state) == OVER
        many = range(int(ask.seats(self.rules)))
        return [float(ask.returns(self.rules, self.state, seat)) if ended else 0.0 for seat in many]

    def __str__(self) -> str:
        return describe(self.rules, self.state)


class Observer:
    """An observer: what a seat sees, or all seats together, as an array and as text.

    Where something is hidden, what a seat sees is its information state, as it has perfect recall.
    """

    def __init__(self, rules: Rules, kind: Any) -> None:
        self.rules = rules
        self.hides = ask.imperfect_information(rules)
        self.recalls = kind is not None and kind.perfect_recall
        self.is_public = kind is not None and kind.private_info == pyspiel.PrivateInfoType.NONE
        board = self.array(ask.initial(rules), 0)
        self.tensor = None if board is None else board.reshape(-1)
        self.dict = {} if board is None else {"board": board}

    def seen(self, state: State, player: int) -> State:
        """Return a state as this observer sees it for a player."""
        return seen_by(self.rules, state, SPECTATOR if self.is_public else player)

    def array(self, state: State, player: int) -> np.ndarray | None:
        """Return the observation of a player: the view of the game or, with recall, all bits.

        With recall of a game that hides nothing there is none: it would have to hold the history.
        """
        if not self.recalls:
            return observation_of(self.rules, self.seen(state, player), player)
        return bits_of(self.seen(state, player)) if self.hides else None

    def set_from(self, state: SpielState, player: int) -> None:
        """Write the observation of a player."""
        board = self.array(state.state, player)
        if board is not None:
            self.dict["board"][:] = board

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the observation of a player as text; with perfect recall, also the past."""
        if not self.hides:
            return f"{state}; {state.history_str()}" if self.recalls else str(state)
        here = describe(self.rules, self.seen(state.state, player))
        return f"{ask.seat_name(self.rules, player)}: {here}" if self.recalls else here


def bits_of(state: State) -> np.ndarray:
    """Return the numbers of a state as their bits, since a tensor holds no large numbers."""
    numbers = np.hstack(state).astype("<i8")
    return np.unpackbits(numbers.view(np.uint8), bitorder="little").astype(np.float32)
