"""OpenSpiel games: after `register()`, `pyspiel.load_game("ludex_trap(size=3)")`.

Parameters are the rules, with `;` between the numbers of a list; `plies` decisions end a match as
a draw, because OpenSpiel requires matches to be finite.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludex.adapters import needed
from ludex.adapters.match import checked_number
from ludex.adapters.view import choosable, seen
from ludex.core.play import describe
from ludex.core.rules import (
    BOTH,
    CHANCE,
    OVER,
    Rules,
    State,
    actions,
    apply,
    at_once,
    chance,
    initial,
    label,
    name_of,
    outcomes,
    pair,
    possible,
    returns,
    rule_values,
    seats,
    title,
    turn,
)
from ludex.core.time_control import PLIES
from ludex.core.variants import read_rules, rule_table, write_value
from ludex.games import GAMES, find, game_rules
from ludex.kernel.bits import members

pyspiel = needed("pyspiel", "openspiel")

PREFIX = "ludex_"

# The modules of the games that have been entered, by what OpenSpiel calls them.
entered: dict[str, str] = {}

Types = pyspiel.GameType
Game: Any = pyspiel.Game
Position: Any = pyspiel.State


def short_name(game: str) -> str:
    """Return what a game is called in OpenSpiel."""
    return PREFIX + name_of(find(game))


def parameters_of(rules: Rules) -> dict[str, Any]:
    """Return the rules as OpenSpiel has parameters: numbers, or texts.

    A list of numbers is empty by default, because a game may make it fit its other rules.
    """
    table = rule_table(rules)
    return {
        key: "" if isinstance(value, tuple) else write_value(rule, value) if rule.words else value
        for (key, value), rule in zip(rule_values(rules).items(), table.values(), strict=True)
    }


def rules_from(game: str, parameters: Mapping[str, Any]) -> Rules:
    """Return the rules that parameters stand for; a comma would end one, so it is `;` there."""
    standard = game_rules(game)
    usual = parameters_of(standard) | {"plies": parameters.get("plies")}
    texts = {
        key: str(value).replace(";", ",")
        for key, value in parameters.items()
        if value != usual.get(key)
    }
    return read_rules(standard, texts)


def type_of(game: str) -> Any:
    """Return what OpenSpiel wants to know of a game before there are rules."""
    rules = game_rules(game)
    fewest = most = int(seats(rules))
    if "seats" in rule_table(rules):
        most = rule_table(rules)["seats"].high
    return Types(
        short_name=short_name(game),
        long_name=title(find(game)),
        dynamics=Types.Dynamics.SIMULTANEOUS if at_once(rules) else Types.Dynamics.SEQUENTIAL,
        chance_mode=(
            Types.ChanceMode.EXPLICIT_STOCHASTIC
            if outcomes(rules)
            else Types.ChanceMode.DETERMINISTIC
        ),
        information=Types.Information.PERFECT_INFORMATION,
        utility=Types.Utility.ZERO_SUM,
        reward_model=Types.RewardModel.TERMINAL,
        max_num_players=most,
        min_num_players=fewest,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters_of(rules) | {"plies": PLIES},
    )


def register(*games: str) -> list[str]:
    """Enter games by name or path, ours without any, and return what OpenSpiel calls them.

    OpenSpiel forgets no name: another game of the same name, or one whose file was edited since,
    is refused.
    """
    for game in games or GAMES:
        name, module = short_name(game), find(game).__name__
        if entered.setdefault(name, module) != module:
            raise ValueError(
                f"{game!r} is not the game that is {name} already: expected a file of another name"
            )
        if name not in pyspiel.registered_names():
            kind = type_of(game)
            if "/" in game or game.endswith(".py"):
                game = str(Path(game).resolve())
            # A class for each, not a function: what OpenSpiel holds is let go of after Python has
            # ended, and there only what never goes away does no harm.
            pyspiel.register_game(kind, type(name, (SpielGame,), {"game": game, "kind": kind}))
    return [short_name(game) for game in games or GAMES]


def loaded(game: str, text: str) -> Any:
    """Return a game as it was pickled, also where it has not been entered yet."""
    register(game)
    return pyspiel.load_game(text)


def restored(game: str, text: str, history: str) -> Any:
    """Return a state as it was pickled."""
    return loaded(game, text).deserialize_state(history)


class SpielGame(Game):
    """One of our games, with its rules."""

    game: str
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = rules_from(self.game, params)
        self.plies = checked_number(params.get("plies", PLIES), "plies", 1)
        info = pyspiel.GameInfo(
            num_distinct_actions=int(actions(self.rules)),
            max_chance_outcomes=int(outcomes(self.rules)),
            num_players=int(seats(self.rules)),
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.plies,
        )
        super().__init__(self.kind, info, dict(params))

    def __reduce__(self) -> tuple[Any, ...]:
        return loaded, (self.game, str(self))

    def new_initial_state(self, state: Any = None) -> "SpielState":
        """Return the first state."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return what turns a state into an array."""
        return Observer(self.rules, iig_obs_type)


class SpielState(Position):
    """A state of one of our games, and how many decisions led to it."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.rules, self.plies = game.rules, game.plies
        self.state: State = initial(game.rules)
        self.decisions = 0

    def __reduce__(self) -> tuple[Any, ...]:
        game = self.get_game()
        return restored, (game.game, str(game), self.serialize())

    def turn(self) -> int:
        """Return whose turn it is, as our rules say it; a match that is too long is OVER."""
        mover = int(turn(self.rules, self.state))
        return OVER if self.decisions >= self.plies and mover != CHANCE else mover

    def current_player(self) -> Any:
        """Return whose turn it is, as OpenSpiel says it."""
        ids = pyspiel.PlayerId
        other = {CHANCE: ids.CHANCE, BOTH: ids.SIMULTANEOUS, OVER: ids.TERMINAL}
        mover = self.turn()
        return other.get(mover, mover)

    def _legal_actions(self, player: int) -> list[int]:
        return members(choosable(self.rules, self.state, player))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a chance node with their probabilities."""
        rules, state = self.rules, self.state
        return [(one, chance(rules, state, one)) for one in members(possible(rules, state))]

    def _apply_action(self, action: int) -> None:
        rules, state, mover = self.rules, self.state, self.turn()
        if mover == CHANCE:
            self.check(action, possible(rules, state))
        else:
            self.check(action, 0 if mover == OVER else choosable(rules, state, mover))
            self.decisions += 1
        self.state = apply(rules, state, action)

    def _apply_actions(self, actions: list[int]) -> None:
        for seat, action in enumerate(actions):
            self.check(action, choosable(self.rules, self.state, seat))
        self.decisions += 1
        self.state = apply(self.rules, self.state, int(pair(*actions)))

    def check(self, move: int, bits: int) -> None:
        """Refuse what is none of these; OpenSpiel itself believes what it is given."""
        if not 0 <= move < 64 or not bits >> move & 1:
            raise ValueError(f"{move} is not one of {members(bits)}: {self}")

    def _action_to_string(self, player: int, action: int) -> str:
        return str(label(self.rules, self.state, action))

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.turn() == OVER

    def returns(self) -> list[float]:
        """Return what the match is worth to each seat, 0 while it goes on and if it is too long."""
        ended = turn(self.rules, self.state) == OVER
        many = range(int(seats(self.rules)))
        return [float(returns(self.rules, self.state, seat)) if ended else 0.0 for seat in many]

    def __str__(self) -> str:
        return describe(self.rules, self.state)


class Observer:
    """What OpenSpiel calls an observer: a state as an array and as text."""

    def __init__(self, rules: Rules, kind: Any) -> None:
        self.rules = rules
        self.recalls = kind is not None and kind.perfect_recall
        board = seen(rules, initial(rules), 0)
        self.tensor = None if self.recalls else board.reshape(-1)
        self.dict = {} if self.recalls else {"board": board}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees."""
        if not self.recalls:
            self.dict["board"][:] = seen(self.rules, state.state, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat sees as text; one that recalls everything also sees how it came."""
        here = str(state)
        return f"{here}; {state.history_str()}" if self.recalls else here
