"""Play series and tournaments."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from ludex.agents.registry import ADOPTED, adopt, make_agent
from ludex.core.rules import Rules, game_of, seats
from ludex.core.time_control import Clocks, read_clocks
from ludex.core.variants import rule_changes
from ludex.games import source_of
from ludex.io.text import ParameterError, many, whole_number
from ludex.library.game import Game, load
from ludex.library.player import make_player
from ludex.library.progress import Tell, show_progress
from ludex.library.results import Series, Tournament
from ludex.match.luck import chosen_seed
from ludex.stats import read_sprt
from ludex.store import Played, Store
from ludex.tournaments import plan as plans
from ludex.tournaments.event import Event, begin_event
from ludex.tournaments.plan import FORMATS, ROUND_ROBIN, SERIES, SIDES, SWISS, Plan
from ludex.tournaments.series import StopRule
from ludex.workers.pool import Pool


@dataclass(frozen=True)
class MatchSettings:
    """How matches are played: seed, time control, processes and store."""

    seed: int
    clocks: Clocks
    pool: Pool
    store: Store | None = None

    def plan(
        self, rules: Rules, agents: tuple[str, ...], format: str, matches: int, rounds: int = 0
    ) -> Plan:
        """Return a plan; a ValueError says what is wrong with it, or that an agent cannot play."""
        changes = tuple(rule_changes(type(rules)(), rules).items())
        place = source_of(game_of(rules)), changes, agents, seats(rules)
        each = whole_number("matches", matches)
        plan = Plan(*place, format, each, rounds, self.seed, self.clocks)
        plans.check_plan(plan)
        for text in dict.fromkeys(agents):
            make_agent(text, rules)
        return plan


def play(
    game: Any,
    *agents: Any,
    matches: int = 100,
    seed: int | None = None,
    sprt: str | None = None,
    clock: str = "",
    processes: int = 0,
    dask: str | None = None,
    store: "str | bool | Store | None" = None,
    progress: bool = True,
) -> Series:
    """Play a series of matches; the agents swap seats, with the same random numbers.

    An agent is a text, a player, the result of `train`, or any object with `choose(match)`, which
    plays in this process. `sprt` ("elo0=0,elo1=20") stops a series when it is decided; `matches` is
    then the maximum. `clock` is such as "turn=5", `dask` the address of a scheduler, and `store` a
    URL, or True for the default one.
    """
    chosen = load(game)
    if len(agents) != chosen.seats:
        raise ValueError(f"{many(len(agents), 'agent')} for {chosen.seats} seats: name one each")
    watch = StopRule(read_sprt(sprt) if sprt else None)
    with agent_names(agents, chosen.rules) as texts, show_progress(progress) as tell:
        how = read_settings(chosen, texts, seed, clock, processes, dask, store)
        plan = how.plan(chosen.rules, texts, SERIES, matches)
        return Series(play_event(plan, how, tell, watch), watch)


def tournament(
    game: Any,
    *agents: Any,
    matches: int | None = None,
    format: str = ROUND_ROBIN,
    rounds: int | None = None,
    seed: int | None = None,
    clock: str = "",
    processes: int = 0,
    dask: str | None = None,
    store: "str | bool | Store | None" = None,
    progress: bool = True,
) -> Tournament:
    """Play a tournament: "round-robin", "gauntlet", "swiss" or "sides".

    The agents may be one list. `matches` are those of each pairing, and all else is as in `play`.
    """
    if len(agents) == 1 and isinstance(agents[0], list | tuple):
        agents = tuple(agents[0])
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: expected one of {', '.join(FORMATS)}")
    chosen = load(game)
    with agent_names(agents, chosen.rules) as texts, show_progress(progress) as tell:
        how = read_settings(chosen, texts, seed, clock, processes, dask, store)
        plan = how.plan(chosen.rules, texts, format, *match_numbers(format, matches, rounds))
        return Tournament(play_event(plan, how, tell))


def match_numbers(format: str, matches: int | None, rounds: int | None) -> tuple[int, int]:
    """Return the matches of each pairing and the rounds of a tournament; None for the default."""
    if rounds is not None and format != SWISS:
        raise ParameterError("{rounds} is for the Swiss system, not for {}: {format} swiss", format)
    each = {SWISS: 2, SIDES: 1}.get(format, 10) if matches is None else matches
    return each, 0 if format != SWISS else 5 if rounds is None else whole_number("rounds", rounds)


def play_event(plan: Plan, how: MatchSettings, tell: Tell, rule: StopRule | None = None) -> Event:
    """Play a plan, and return its event."""
    event = begin_event(plan, how.store)
    event.play(plan, how.pool, match_counter(plan, tell), rule=rule)
    return event


def match_counter(plan: Plan, tell: Tell) -> Callable[[list[Played]], bool]:
    """Return a function that shows how many matches of a plan are played."""
    count, most = 0, plans.match_count(plan)

    def count_matches(some: list[Played]) -> bool:
        nonlocal count
        count += len(some)
        tell("matches", count, most)
        return False

    return count_matches


def read_settings(
    game: Game,
    agents: tuple[str, ...],
    seed: int | None,
    clock: str,
    processes: int,
    dask: str | None,
    store: "str | bool | Store | None",
) -> MatchSettings:
    """Return settings from the options of `play`; Python objects play in this process."""
    kept = store if isinstance(store, Store) else None
    if kept is None and store:
        kept = Store(None if store is True else str(store))
    clocks = read_clocks(clock) if clock else Clocks()
    return MatchSettings(chosen_seed(seed), clocks, make_pool(game, agents, processes, dask), kept)


def make_pool(game: Game, agents: Sequence[str], processes: int, dask: str | None) -> Pool:
    """Return a pool; what was typed into a notebook is known in this process only."""
    own = "a Python object" if any(text in ADOPTED for text in agents) else ""
    if hasattr(game.module, "TYPED_IN"):
        own = f"{game.name}, which is defined in {game.module.TYPED_IN} and not in a file,"
    pool = Pool(processes, dask)
    if own and (dask or processes > 1):
        raise ValueError(f"{own} plays in this process alone: expected processes=1")
    return Pool(1) if own else pool


@contextmanager
def agent_names(agents: Sequence[Any], rules: Rules) -> Iterator[tuple[str, ...]]:
    """Yield the names of agents; Python objects are registered meanwhile."""
    texts: list[str] = []
    own: list[str] = []
    try:
        for agent in agents:
            player = None if isinstance(agent, str) else make_player(agent, rules)
            if player is not None and not player.text:
                own.append(adopt(player.name, player.agent))
                texts.append(own[-1])
            else:
                texts.append(agent if player is None else player.name)
        yield tuple(texts)
    finally:
        for text in own:
            del ADOPTED[text]
