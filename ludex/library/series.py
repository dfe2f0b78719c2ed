"""Play series and tournaments."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, overload

from ludex.agents.registry import ADOPTED, adopt, make_agent, unused
from ludex.batch.series import play_series, read_matches
from ludex.core.devices import device_for
from ludex.core.rules import Rules, game_of, outcomes, seats
from ludex.core.time_control import Clocks, read_clocks
from ludex.core.variants import rule_changes
from ludex.games import source_of
from ludex.io.text import ParameterError, many, whole_number
from ludex.library.game import Game, load
from ludex.library.player import make_player
from ludex.library.progress import Tell, return_in_ipython, show_progress
from ludex.library.results import Tournament
from ludex.library.series_results import DeviceSeries, Series
from ludex.match.luck import chosen_seed
from ludex.stats import read_sprt
from ludex.store import Played, Store
from ludex.tournaments import plan as plans
from ludex.tournaments.event import Event, begin_event
from ludex.tournaments.plan import FORMATS, ROUND_ROBIN, SERIES, SIDES, SWISS, Plan
from ludex.tournaments.series import StopRule
from ludex.workers.pool import Pool

Names = dict[str, str]
"""What results call an agent, by its text; others are called by their texts."""


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


@overload
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
) -> Series: ...


@overload
def play(
    game: Any,
    *agents: Any,
    matches: int = 100,
    seed: int | None = None,
    progress: bool = True,
    device: str,
) -> DeviceSeries: ...


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
    device: str | None = None,
) -> Series | DeviceSeries:
    """Play a series of matches and return the results.

    The agents swap seats, and both seatings use the same random numbers. An agent is a text, a
    player, the result of `train`, or any object with `choose(match)`, which plays in this process.
    `sprt`, such as "elo0=0,elo1=20", stops the series as soon as the test is decided; `matches` is
    then the maximum. `clock` is a time control, such as "turn=5". `processes` is how many play at
    once, 0 for one per core; `dask` is the address of a scheduler. `store` is the URL of a store,
    or True for the default one.

    On a `device`, "cpu" for all cores, "cuda" for an NVIDIA card, or "auto" for a card if there is
    one, whole matches are played in compiled code between "random", "casual" and "greedy": millions
    of them, without clocks and records.
    """
    chosen, agents = load(game), flat(agents)
    if len(agents) != chosen.seats:
        raise ValueError(f"{many(len(agents), 'agent')} for {chosen.seats} seats: name one each")
    watch = read_stop_rule(sprt, len(agents))
    with agent_names(agents, chosen.rules) as (texts, names), show_progress(progress) as tell:
        if device is not None:
            given = {"sprt": sprt, "clock": clock, "dask": dask, "store": store}
            refuse_beside_device({**given, "processes": processes})
            return play_on_device(chosen.rules, texts, matches, chosen_seed(seed), device, tell)
        how = read_settings(chosen, texts, seed, clock, processes, dask, store)
        plan = how.plan(chosen.rules, texts, SERIES, matches)
        event = play_event(plan, how, tell, names, watch)
        return Series(event, watch, outcomes(chosen.rules) > 0)


def refuse_beside_device(options: Mapping[str, Any]) -> None:
    """Raise a ValueError if any option is given that a series on a device does not have."""
    for name, value in options.items():
        if value:
            why = f"{{{name}}} and {{device}}: expected one of them, because a device plays whole"
            raise ParameterError(f"{why} matches by itself")


def play_on_device(
    rules: Rules, agents: tuple[str, ...], matches: int, seed: int, device: str, tell: Tell
) -> DeviceSeries:
    """Play a series on a device."""
    most, chosen = read_matches(matches), device_for(rules, device)

    def count(done: int) -> None:
        tell("matches", done, most)

    return DeviceSeries(agents, play_series(rules, agents, most, seed, chosen, count), chosen, seed)


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
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: expected one of {', '.join(FORMATS)}")
    chosen = load(game)
    with agent_names(flat(agents), chosen.rules) as (texts, names), show_progress(progress) as tell:
        how = read_settings(chosen, texts, seed, clock, processes, dask, store)
        plan = how.plan(chosen.rules, texts, format, *match_numbers(format, matches, rounds))
        return Tournament(play_event(plan, how, tell, names))


def flat(agents: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return agents that were given one by one, or as one list."""
    one_list = len(agents) == 1 and isinstance(agents[0], list | tuple)
    return tuple(agents[0]) if one_list else agents


def read_stop_rule(sprt: str | None, agents: int) -> StopRule:
    """Return the sequential test of a text such as `elo0=0,elo1=20`, for a number of agents."""
    if sprt is None:
        return StopRule(None)
    try:
        rule = StopRule(read_sprt(sprt if isinstance(sprt, str) else ""))
    except ValueError as error:
        why = "{sprt} {!r}: {} (such as elo0=0,elo1=10)"
        raise ParameterError(why, sprt, error) from error
    if agents != 2:
        raise ParameterError("{sprt} compares two agents, not {}", agents)
    return rule


def match_numbers(format: str, matches: int | None, rounds: int | None) -> tuple[int, int]:
    """Return the matches of each pairing and the rounds of a tournament; None for the default."""
    if rounds is not None and format != SWISS:
        raise ParameterError("{rounds} is for the Swiss system, not for {}: {format} swiss", format)
    each = {SWISS: 2, SIDES: 1}.get(format, 10) if matches is None else matches
    return each, 0 if format != SWISS else 5 if rounds is None else whole_number("rounds", rounds)


def play_event(
    plan: Plan, how: MatchSettings, tell: Tell, names: Names, rule: StopRule | None = None
) -> Event:
    """Play a plan, in IPython until Ctrl-C; return its event, in which agents have their names."""
    event = begin_event(plan, how.store)
    try:
        event.play(plan, how.pool, match_counter(plan, tell), rule=rule)
    except KeyboardInterrupt as stop:
        if not event.played:
            raise
        kept = f"; event {event.number} has them, and the same call with seed={plan.seed} goes on"
        words = f"{len(event.played):,} of {plans.match_count(plan):,} matches"
        return_in_ipython(stop, f"interrupted after {words}{kept if event.store else ''}")
        event.played.sort(key=lambda one: one.number)
        event.interrupted = True
    others = {text: {*plan.agents} - {text} for text in plan.agents}
    event.agents = tuple(unused(names.get(text, text), others[text]) for text in plan.agents)
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
    if not isinstance(clock, str):
        raise ParameterError("{clock} {!r}: expected a text such as 'turn=5'", clock)
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
def agent_names(agents: Sequence[Any], rules: Rules) -> Iterator[tuple[tuple[str, ...], Names]]:
    """Yield the texts and names of agents; Python objects are registered meanwhile."""
    texts: list[str] = []
    own: list[str] = []
    names: Names = {}
    try:
        for agent in agents:
            player = None if isinstance(agent, str) else make_player(agent, rules)
            if player is None:
                texts.append(agent)
            elif player.text:
                texts.append(player.text)
                names.setdefault(player.text, unused(player.name, names.values()))
            else:
                own.append(adopt(player.name, player.agent))
                texts.append(own[-1])
        yield tuple(texts), names
    finally:
        for text in own:
            del ADOPTED[text]
