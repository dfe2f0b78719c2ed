"""The state that all pages of one server share."""

import asyncio
import os
import re
import time
from pathlib import Path

from ludex.agents.registry import AGENTS, HUMAN, default_agent
from ludex.core.options import read_options
from ludex.core.play import read_state
from ludex.core.rules import Rules, State, levels_of, seats
from ludex.core.termination import shorten
from ludex.io.parsing import nearest
from ludex.learn.checkpoint import LEARNED, REFERENCE
from ludex.learn.estimate import ESTIMATE
from ludex.match.record import Record
from ludex.match.session import Match
from ludex.solve.evaluator import Evaluation
from ludex.store import Store
from ludex.web.state import limits
from ludex.web.state.archive import Archive
from ludex.web.state.catalogue import Catalogue, Missing, Texts, texts_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.tasks import (
    PositionQuery,
    evaluate,
    hint,
    known_value_of,
    warm_up,
    without_paths,
)
from ludex.web.state.tournament_job import TournamentJob
from ludex.web.state.training_job import TrainingJob, agent_of
from ludex.web.state.workers import OnCompile, Workers

CACHED_POSITIONS = 4000  # whose evaluations are cached

NAME = re.compile(r"[\w-]{1,60}")
LEARNED_HERE = re.compile(f"{LEARNED}:({NAME.pattern})")
NUMBER = re.compile(r"[0-9]{1,9}")


def data_folder() -> Path:
    """Return the folder for trainings: $LUDEX_DATA, or the user's data folder."""
    usual = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "ludex"
    return Path(os.environ.get("LUDEX_DATA") or usual)


def check_agent(text: str, rules: Rules) -> None:
    """Raise a ValueError unless an agent is built in and within the budget.

    Paths are refused: visitors cannot run programs.
    """
    levels = levels_of(rules)
    if text in levels:
        return
    name, _, options = text.partition(":")
    if name not in AGENTS:
        names = [*levels, *AGENTS]
        offer = "; people play under Play" if name == HUMAN else nearest(name, names)
        raise ValueError(f"no agent {name[:60]!r}{offer} (there are {', '.join(names)})")
    for key, value in read_options(options).items():
        if key == ESTIMATE and ":" in value and not LEARNED_HERE.fullmatch(value):
            raise ValueError(
                "option estimate: expected one that comes with the game, or learned:NAME of one"
                " that was trained here"
            )
        most = limits.BUDGET.get(key)
        try:
            too_much = most is not None and not float(value) <= most
        except ValueError:
            continue  # making the agent reports what is wrong
        if too_much:
            raise ValueError(f"option {key}: {value!r}: expected at most {most:g} here")


class ServerState:
    """The games on offer, live matches, jobs, workers, and the archive."""

    def __init__(
        self,
        catalogue: Catalogue,
        workers: Workers,
        folder: Path | None = None,
        store: Store | None = None,
    ) -> None:
        """Store matches in the folder with the trainings, unless a store is given."""
        self.catalogue, self.workers = catalogue, workers
        self.folder = folder or data_folder()
        self.archive = Archive(store or Store(f"sqlite:///{self.folder / 'ludex.db'}"))
        self.matches: dict[str, LiveMatch] = {}
        self.began = time.monotonic()
        self.known_values: dict[tuple[str, Texts], asyncio.Task[dict[str, object]]] = {}
        self.trainings: dict[str, TrainingJob] = {}
        self.tournaments: dict[str, TournamentJob] = {}
        self.evaluation_tasks: dict[PositionQuery, asyncio.Task[list[Evaluation]]] = {}

    def __getitem__(self, name: str) -> LiveMatch:
        """Return a live match by its id, or raise Missing."""
        if name not in self.matches:
            raise Missing("there is no such match here; it may have ended long ago")
        return self.matches[name]

    async def open_match(
        self,
        game: str,
        rules: Rules,
        agents: list[str],
        yours: set[int],
        start: State | None = None,
        limit: float | None = None,
        seed: int | None = None,
    ) -> LiveMatch:
        """Start a match; raise a ValueError if an agent cannot play."""
        offered = self.catalogue[game]
        agents = agents + [default_agent(rules)] * (seats(rules) - len(agents))
        stamps: dict[int, float] = {}
        names = list(agents)
        for seat, text in enumerate(agents):
            if text != HUMAN:
                names[seat], stamps[seat] = await self.prepare_agent(game, rules, text)
        self.make_room()
        match = Match(rules, start, seed, chance="manual", plies=limits.PLIES)
        live = LiveMatch(offered, match, names, yours, self.workers, limit, stamps)
        live.requested_agents = agents
        self.matches[live.id] = live
        live.on_end = self.archive.keep
        live.start()
        return live

    async def rematch(self, live: LiveMatch) -> LiveMatch:
        """Return the next match with the same players, rules and clock, started once for all."""
        if live.successor is None or live.successor.id not in self.matches:
            new = await self.open_match(
                *(live.game.name, live.match.rules, live.requested_agents, live.keys[live.owner]),
                *(live.match.plies[0].state, live.limit),
            )
            live.successor = new
            live.notify()
        return live.successor

    async def open_record(self, record: Record, name: str = "") -> LiveMatch:
        """Open a record as a finished match; raise a ValueError if it is invalid."""
        # A record cannot import anything: its game must be on offer.
        game = self.catalogue.game_of_record(record.game)
        self.catalogue.rules(game.name, record.rules)  # checks the limits
        if len(record.moves) > limits.PLIES:
            raise ValueError(f"{len(record.moves)} moves: expected at most {limits.PLIES}")
        match = await asyncio.to_thread(Match.from_record, record._replace(game=game.source))
        match.words = shorten(without_paths(match.words))
        self.make_room()
        agents = [shorten(text) for text in record.agents]
        live = LiveMatch(game, match, agents, set(), self.workers)
        live.keys, live.guests = {}, {}  # finished: nobody may move
        live.ended = record.when
        live.id = name or live.id
        self.matches[live.id] = live
        return live

    async def open_stored(self, event: str, number: str) -> LiveMatch:
        """Open a stored match, once for all viewers."""
        if not NUMBER.fullmatch(event) or not NUMBER.fullmatch(number):
            raise Missing("expected the number of an event and of a match, such as 12/3")
        name = f"{int(event)}-{int(number)}"
        if name not in self.matches:
            record = await self.archive.record(int(event), int(number))
            live = await self.open_record(record, name)
            live.stored_as = f"{int(event)}/{int(number)}"
        return self.matches[name]

    async def prepare_agent(self, game: str, rules: Rules, text: str) -> tuple[str, float]:
        """Check and warm up an agent; return its text for workers, and the time of its file."""
        if len(text) > limits.TEXT:
            raise ValueError(f"expected an agent of at most {limits.TEXT} letters")
        check_agent(text, rules)
        name, stamp = self.resolve_files(text)
        source = self.catalogue[game].source
        try:
            # This reports an invalid agent before the match starts.
            await self.workers.do(warm_up, source, texts_of(rules), name, stamp, seconds=120.0)
        except ValueError as error:
            raise ValueError(without_paths(str(error))) from error
        return name, stamp

    def resolve_files(self, text: str) -> tuple[str, float]:
        """Return an agent's text with paths for the names of trainings, and their latest time."""
        name, _, options = text.partition(":")
        given, stamp = read_options(options), 0.0
        for key, value in given.items():
            learned = LEARNED_HERE.fullmatch(value) if key == ESTIMATE else None
            if learned is None and (key != "file" or value == REFERENCE):
                continue
            path = self.find_training(learned[1] if learned else value)
            given[key] = f"{LEARNED}:{path}" if learned else str(path)
            stamp = max(stamp, path.stat().st_mtime)
        if not stamp:
            return text, stamp
        return f"{name}:{','.join(f'{key}={value}' for key, value in given.items())}", stamp

    def find_training(self, name: str) -> Path:
        """Return the path of an existing training, or raise a ValueError."""
        if not NAME.fullmatch(name):
            raise ValueError(f"no training {name[:60]!r}: expected the name of one of ours")
        path = self.training_path(name)
        if not path.is_file():
            raise ValueError(f"no training {name!r} here")
        return path

    def training_path(self, name: str) -> Path:
        """Return the path of a training, which need not exist."""
        return self.folder / "trained" / f"{name}.npz"

    def make_room(self) -> None:
        """Drop matches that were idle for long, and at the limit the one idle longest."""
        now = time.monotonic()
        idle = sorted(self.matches.values(), key=lambda live: live.touched)
        for live in idle:
            full = len(self.matches) >= limits.LIVE_MATCHES
            if not full and now - live.touched < limits.IDLE:
                break
            live.stop()
            del self.matches[live.id]

    def parse_position(self, rules: Rules, text: str | None) -> State | None:
        """Return the state of a position typed by a visitor; None if empty."""
        if not text or not text.strip():
            return None
        if len(text) > limits.TEXT:
            raise ValueError(f"expected a position of at most {limits.TEXT} letters")
        return read_state(rules, text)

    async def known_value(self, game: str, rules: Rules) -> dict[str, object]:
        """Return the value of a game in words and as a number, computed once."""
        key = game, texts_of(rules)
        if key not in self.known_values:
            if len(self.known_values) > 500:
                self.known_values.clear()
            work = self.workers.do_in_background(
                known_value_of, self.catalogue[game].source, key[1], limits.TRUTH, seconds=60.0
            )
            self.known_values[key] = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(self.known_values[key])
        except ValueError:
            self.known_values.pop(key, None)
            return {"words": "not known yet", "value": None}

    async def evaluations(self, query: PositionQuery) -> list[Evaluation]:
        """Return the values of all actions at a position, cached."""
        if query not in self.evaluation_tasks:
            if len(self.evaluation_tasks) >= CACHED_POSITIONS:
                self.evaluation_tasks.pop(next(iter(self.evaluation_tasks)))
            work = self.workers.do_in_background(evaluate, query, seconds=60.0)
            self.evaluation_tasks[query] = asyncio.ensure_future(work)
        try:
            return await asyncio.shield(self.evaluation_tasks[query])
        except ValueError as error:
            self.evaluation_tasks.pop(query, None)
            raise ValueError(without_paths(str(error))) from error

    async def hint(
        self, query: PositionQuery, tell: OnCompile = lambda game: None
    ) -> list[Evaluation]:
        """Return a cached evaluation, or one made within a second.

        `tell` is called with the game's name when it must be compiled first.
        """
        known = self.evaluation_tasks.get(query)
        if known is not None and known.done() and known.exception() is None:
            return known.result()
        try:
            found: list[Evaluation] = await self.workers.do(hint, query, tell=tell)
        except ValueError as error:
            raise ValueError(without_paths(str(error))) from error
        return found

    def trained_agents(self, game: str) -> list[str]:
        """Return the texts of the agents trained here for a game."""
        return [agent_of(learner, name) for name, learner in self.trained_names(game).items()]

    def trained_names(self, game: str) -> dict[str, str]:
        """Return the names of all trainings of a game, with their learners."""
        found = sorted((self.folder / "trained").glob(f"{game}-*.npz"))
        return {path.stem: path.stem.removeprefix(f"{game}-").partition("-")[0] for path in found}

    def halt(self) -> None:
        """Stop all matches and tournaments."""
        for live in self.matches.values():
            live.stop()
        for job in self.tournaments.values():
            job.halt()

    def close(self) -> None:
        """Stop everything."""
        self.halt()
        for job in self.trainings.values():
            job.halt(at_once=True)
        self.workers.stop()
        self.archive.store.close()
