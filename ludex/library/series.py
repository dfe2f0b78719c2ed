"""Series and tournaments: results with confidence intervals."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

from ludex.agents.registry import ADOPTED, adopt
from ludex.core.rules import Rules
from ludex.core.time_control import Clocks, read_clocks
from ludex.io.plural import many
from ludex.library.game import Game, load
from ludex.library.player import make_player
from ludex.library.progress import Tell, shown
from ludex.library.table import Table
from ludex.match.record import Record, read_record
from ludex.stats import Progress, read_sprt
from ludex.store import Played, Store
from ludex.tournaments.event import Event, begin_event
from ludex.tournaments.plan import (
    FORMATS,
    ROUND_ROBIN,
    SERIES,
    SIDES,
    SWISS,
    Plan,
    make_plan,
    match_count,
)
from ludex.tournaments.series import StopRule, series_difference
from ludex.tournaments.standing import Score, Standing, endings, faults, score, standing
from ludex.workers.pool import Pool


class Setting(NamedTuple):
    """How matches are played: with which luck and clocks, where, and what is kept."""

    seed: int
    clocks: Clocks
    pool: Pool
    store: Store | None = None


class Results:
    """What came of an event: its matches, their records, and what failed."""

    def __init__(self, event: Event) -> None:
        self.event = event

    @property
    def agents(self) -> tuple[str, ...]:
        """Who has played."""
        return self.event.agents

    @property
    def played(self) -> list[Played]:
        """How every match ended, in the order of their numbers."""
        return self.event.played

    @property
    def records(self) -> list[Record]:
        """Every match, in the order of their numbers."""
        return [read_record(line) for line in self.event.lines]

    @property
    def endings(self) -> dict[str, int]:
        """How often matches ended in each way."""
        return endings(self.played)

    @property
    def failures(self) -> Table:
        """What ended otherwise than by the rules, and why."""
        return Table(one.row(self.agents) for one in faults(self.played))


class Series(Results):
    """What agents have shown against one another in many matches; the score is the first one's."""

    def __init__(self, event: Event, watch: StopRule) -> None:
        super().__init__(event)
        self.watch = watch

    @property
    def first(self) -> Score:
        """What the first agent has won."""
        return score(self.played, 0)

    matches = property(lambda self: self.first.matches, doc="How many were played.")
    wins = property(lambda self: self.first.wins, doc="Of the first agent.")
    draws = property(lambda self: self.first.draws, doc="Of the first agent.")
    losses = property(lambda self: self.first.losses, doc="Of the first agent.")
    share = property(lambda self: self.first.share, doc="Of the points, a draw one half.")
    interval = property(lambda self: self.first.interval, doc="The 95 % interval of the share.")

    @property
    def elo(self) -> float:
        """By how much the first of two agents is stronger."""
        return series_difference(self.played).elo

    @property
    def elo_interval(self) -> tuple[float, float]:
        """The 95 % interval of the same, from pairs of matches that share their luck."""
        found = series_difference(self.played)
        return found.low, found.high

    @property
    def sprt(self) -> Progress | None:
        """How the sequential test stands, if one was asked for."""
        return self.watch.progress

    @property
    def table(self) -> Table:
        """A row for each agent."""
        rows = enumerate(self.agents)
        return Table(score(self.played, number).row(agent) for number, agent in rows)

    def plot(self) -> Any:
        """Return a figure of the share of points of the first agent, match by match."""
        from ludex.library.plots import share_plot

        return share_plot(self)

    def __repr__(self) -> str:
        low, high = self.interval
        return (
            f"<Series: {self.agents[0]} {self.wins} won, {self.draws} drawn, {self.losses} lost"
            f" against {', '.join(self.agents[1:])}; {100 * self.share:.1f} %"
            f" ({100 * low:.1f} to {100 * high:.1f})>"
        )

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + (self.failures._repr_html_() if self.failures else "")


class Tournament(Results):
    """How agents stand after they have met."""

    anchor: int | None = None
    """The agent whose rating is 0; the mean of all is, if None."""

    @property
    def standing(self) -> Standing:
        """Ratings, scores and the cross table, by the numbers of the agents."""
        sides = self.event.format == SIDES
        return standing(self.played, len(self.agents), self.anchor, sides)

    @property
    def table(self) -> Table:
        """A row for each agent, the strongest first."""
        stands = self.standing
        return Table(
            {
                **stands.scores[one.agent].row(self.agents[one.agent]),
                "elo": one.elo,
                "elo_interval": (one.low, one.high),
            }
            for one in stands.ratings
        )

    @property
    def cross_table(self) -> Table:
        """What each agent has won against each other one, as shares of the points."""
        rows = zip(self.agents, self.standing.table, strict=True)
        return Table(
            {"agent": agent} | dict(zip(self.agents, (one.share for one in row), strict=True))
            for agent, row in rows
        )

    def __repr__(self) -> str:
        return f"<Tournament of {many(len(self.agents), 'agent')}>\n{self.table}"

    def _repr_html_(self) -> str:
        return self.table._repr_html_() + self.cross_table._repr_html_()


def play(
    game: Any,
    *agents: Any,
    matches: int = 100,
    seed: int | None = None,
    sprt: str | None = None,
    progress: bool = True,
    **setting: Any,
) -> Series:
    """Return a series of matches, in which the agents change seats and share their luck.

    An agent is a text, a player, or any object with `choose(match)`. The setting may have `clock`
    ("turn=5"), `processes`, `dask` (a scheduler's address) and `store` (a URL, or True for the
    usual one); objects play in this process. `sprt` ("elo0=0,elo1=20") stops a series when it is
    decided, and matches are then the most.
    """
    chosen = load(game)
    if len(agents) != chosen.seats:
        raise ValueError(f"{many(len(agents), 'agent')} for {chosen.seats} seats: name one each")
    watch = StopRule(read_sprt(sprt) if sprt else None)
    with named(agents, chosen.rules) as texts, shown(progress) as tell:
        plan, how = prepare(chosen, texts, (SERIES, matches, 0), seed, setting)
        event = begin_event(plan, how.store)
        return play_series(plan, event, how.pool, watch, counting(plan, tell))


def tournament(
    game: Any,
    agents: Sequence[Any],
    matches: int | None = None,
    format: str = ROUND_ROBIN,
    rounds: int = 5,
    seed: int | None = None,
    progress: bool = True,
    **setting: Any,
) -> Tournament:
    """Return a tournament: "round-robin", "gauntlet", "swiss" or "sides".

    `matches` are those of each meeting. Agents and the setting are as in `play`.
    """
    if format not in FORMATS:
        raise ValueError(f"format {format!r}: expected one of {', '.join(FORMATS)}")
    chosen = load(game)
    each = matches or {SWISS: 2, SIDES: 1}.get(format, 10)
    order = (format, each, rounds if format == SWISS else 0)
    with named(agents, chosen.rules) as texts, shown(progress) as tell:
        plan, how = prepare(chosen, texts, order, seed, setting)
        event = begin_event(plan, how.store)
        event.play(plan, how.pool, counting(plan, tell))
        event.finish()
    return Tournament(event)


def counting(plan: Plan, tell: Tell) -> Callable[[list[Played]], bool]:
    """Return a function that shows how many matches of a plan are played, and stops nothing."""
    count, most = 0, match_count(plan)

    def told(some: list[Played]) -> bool:
        nonlocal count
        count += len(some)
        tell("matches", count, most)
        return False

    return told


def play_series(
    plan: Plan,
    event: Event,
    pool: Pool,
    watch: StopRule,
    tell: Callable[[list[Played]], bool],
    keep: bool = True,
) -> Series:
    """Return a series after playing what is left of its plan, or until its test is decided."""

    def told(some: list[Played]) -> bool:
        stop = tell(some)
        return watch.add(some) or stop

    event.play(plan, pool, told, keep)
    if watch.stopped is not None and len(event.played) > watch.stopped:
        event.cut(watch.stopped)
    event.finish()
    return Series(event, watch)


def prepare(
    game: Game,
    texts: tuple[str, ...],
    order: tuple[str, int, int],
    seed: int | None,
    setting: dict[str, Any],
) -> tuple[Plan, Setting]:
    """Return the plan of what is ordered, and how it is played; a ValueError if it cannot be.

    An order is a format, the matches of each meeting, and the rounds of a Swiss system.
    """
    chosen = read_setting(seed, **setting)
    if any(text in ADOPTED for text in texts):
        if chosen.pool.dask or chosen.pool.processes > 1:
            raise ValueError("a Python object plays in this process alone: expected processes=1")
        chosen = chosen._replace(pool=Pool(1))
    plan = make_plan(game.source, game.rules, texts, *order, chosen.seed, chosen.clocks)
    return plan, chosen


def read_setting(
    seed: int | None,
    clock: str = "",
    processes: int = 0,
    dask: str | None = None,
    store: "str | bool | Store | None" = None,
) -> Setting:
    """Return a setting from what `play` was given."""
    kept = store if isinstance(store, Store) else None
    if kept is None and store:
        kept = Store(None if store is True else str(store))
    chosen = secrets.randbelow(2**32) if seed is None else seed
    return Setting(chosen, read_clocks(clock) if clock else Clocks(), Pool(processes, dask), kept)


@contextmanager
def named(agents: Sequence[Any], rules: Rules) -> Iterator[tuple[str, ...]]:
    """Yield the texts of agents; a Python object has one meanwhile, in this process."""
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
