"""The state that all pages of one server share."""

import asyncio
import logging
import re
import time
from pathlib import Path

from ludex.agents.registry import AGENTS, HUMAN, default_agent, make_agent, refuses
from ludex.core.play import read_state
from ludex.core.rules import Rules, State, imperfect_information, initial, seats
from ludex.core.termination import shorten
from ludex.external.agent import ExternalAgent
from ludex.io.files import user_folder
from ludex.match.luck import chosen_seed
from ludex.match.record import Record
from ludex.match.session import Match
from ludex.match.whole_state import whole_state
from ludex.store import Store
from ludex.web.state import limits
from ludex.web.state.access import Access
from ludex.web.state.agents import TrainedAgents, check_agent
from ludex.web.state.archive import Archive
from ludex.web.state.catalogue import Catalogue, Missing, texts_of
from ludex.web.state.evaluations import Evaluations
from ludex.web.state.experiment_job import Laboratory
from ludex.web.state.journal import Journals, recent_files, resume
from ludex.web.state.live_match import LiveMatch, swapped_seat
from ludex.web.state.lobby import Lobby
from ludex.web.state.match_programs import MatchPrograms, ProgramPlaces, make_program, make_programs
from ludex.web.state.preparation import Preparation
from ludex.web.state.programs import PREFIX, Programs
from ludex.web.state.public_text import without_paths
from ludex.web.state.tasks import warm_up
from ludex.web.state.tournament_job import TournamentJob
from ludex.web.state.training_job import JOURNAL, TrainingJob, interrupted_training
from ludex.web.state.workers import OnCompile, Workers

log = logging.getLogger("ludex.web")
NUMBER = re.compile(r"[0-9]{1,9}")


class ServerState:
    """The games on offer, live matches, jobs, workers, and the archive."""

    def __init__(
        self,
        catalogue: Catalogue,
        workers: Workers,
        folder: Path | None = None,
        store: Store | None = None,
        access: Access | None = None,
        programs: tuple[str, ...] = (),
    ) -> None:
        """Store matches in the folder with the trainings, unless a store is given."""
        self.catalogue, self.workers, self.access = catalogue, workers, access or Access()
        self.folder = folder or user_folder("LUDEX_DATA", "data")
        self.archive = Archive(store or Store(f"sqlite:///{self.folder / 'ludex.db'}"))
        self.trained = TrainedAgents(self.folder / "trained")
        self.programs = Programs(self.folder / "programs", programs)
        self.evaluations = Evaluations(workers)
        self.preparation = Preparation(catalogue, workers)
        url = self.archive.store.engine.url.render_as_string(hide_password=False)
        self.laboratory = Laboratory(self.folder, url)
        self.journals = Journals(self.folder / "live")
        self.matches: dict[str, LiveMatch] = {}
        self.lobby, self.places = Lobby(self.matches), ProgramPlaces()
        self.began = time.monotonic()
        self.trainings: dict[str, TrainingJob] = {}
        self.tournaments: dict[str, TournamentJob] = {}

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
        tell: OnCompile = lambda game: None,
        opener: str = "",
    ) -> LiveMatch:
        """Start a match for a visitor; raise a ValueError if an agent cannot play."""
        offered = self.catalogue[game]
        if seed is not None and HUMAN in agents and imperfect_information(rules):
            raise ValueError(f"seed {seed}: expected none, since it tells what is hidden")
        agents = agents + [default_agent(rules)] * (seats(rules) - len(agents))
        names, stamps = list(agents), dict[int, float]()
        for seat, text in enumerate(agents):
            if text.startswith(PREFIX):
                names[seat], _ = self.resolve_agent(rules, text)
        programs = await asyncio.to_thread(make_programs, rules, agents, names)
        for seat, text in enumerate(agents):
            if text != HUMAN and seat not in programs:
                names[seat], stamps[seat] = await self.prepare_agent(game, rules, text, tell)
        seed = chosen_seed(seed)
        if start is not None:
            start = await asyncio.to_thread(whole_state, rules, start, seed)
        match = Match(rules, start, seed, chance="manual", plies=limits.PLIES)
        live = LiveMatch(offered, match, names, yours, self.workers, limit, stamps)
        live.requested_agents = agents
        self.seat_programs(live, programs, opener)
        live.programs.take_places()
        self.make_room()
        self.add(live)
        live.start()
        return live

    def seat_programs(
        self, live: LiveMatch, programs: dict[int, ExternalAgent], opener: str = ""
    ) -> None:
        """Let programs, by their seats, play a match that has not begun or goes on later."""
        given = live.match, programs, self.places, live.is_abandoned, opener
        live.programs = MatchPrograms(*given)

    def add(self, live: LiveMatch) -> None:
        """Take a match that is played here among the others, and keep its journal."""
        self.matches[live.id] = live
        live.on_end = self.archive.keep
        self.journals.follow(live)

    def resume_matches(self) -> None:
        """Go on with the matches that were live when the server stopped."""
        for path in self.journals.recent():
            try:
                live, opener = resume(path, self.catalogue, self.resolve, self.workers)
                programs = make_programs(live.match.rules, live.requested_agents, live.agents)
            except (ValueError, LookupError, TypeError) as error:
                log.error("the match of %s cannot go on: %s", path.name, error)
                continue
            self.seat_programs(live, programs, opener)
            self.add(live)
            if not live.match.over:
                live.start()

    def resume_trainings(self) -> None:
        """Go on with the trainings that were running when the server stopped."""
        for path in recent_files(self.trained.folder.glob(f"*{JOURNAL}")):
            try:
                job = interrupted_training(path)
                self.catalogue.rules(job.game, job.request.texts)
            except (ValueError, LookupError, TypeError) as error:
                log.error("the training of %s cannot go on: %s", path.name, error)
                continue
            self.trainings[job.name] = job
            job.start()

    async def rematch(self, live: LiveMatch) -> LiveMatch:
        """Return the next match, with the sides swapped, started once for all players."""
        async with live.opening:  # several players may ask
            if live.successor is None or live.successor.id not in self.matches:
                live.successor = await self.open_successor(live)
                live.notify()
        return live.successor

    async def open_successor(self, live: LiveMatch) -> LiveMatch:
        """Start a match with the sides of another one swapped."""
        # Who knows what was hidden in the first position would know it again.
        before, start = live.requested_agents, None if live.hides else live.match.plies[0].state
        agents = [before[-1], *before[:-1]]
        yours = {swapped_seat(live, seat) for seat in live.keys[live.owner]}
        given = live.game.name, live.match.rules, agents, yours, start, live.limit
        return await self.open_match(*given, opener=live.programs.opener)

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
        live.keys.clear()  # finished: nobody may move
        live.guests.clear()
        live.began = live.ended = record.when
        live.from_file = not name
        live.id = name or live.id
        self.matches[live.id] = live
        return live

    async def open_stored(self, event: str, number: str) -> LiveMatch:
        """Open a stored match, once for all viewers."""
        if not NUMBER.fullmatch(event) or not NUMBER.fullmatch(number):
            raise Missing("expected the number of an event and of a match, such as 12/3")
        name = f"{int(event)}-{int(number)}"
        if name not in self.matches:
            record, began = await self.archive.record(int(event), int(number))
            live = await self.open_record(record, name)
            live.began = began
            live.stored_as = f"{int(event)}/{int(number)}"
        return self.matches[name]

    async def prepare_agent(
        self, game: str, rules: Rules, text: str, tell: OnCompile = lambda game: None
    ) -> tuple[str, float]:
        """Check and warm up an agent; return its text for workers, and the time of its file."""
        name, stamp = self.resolve_agent(rules, text)
        if text.startswith(PREFIX):
            await asyncio.to_thread(make_program, rules, text, name)  # refuses what is no agent
            return name, stamp
        source = self.catalogue[game].source
        await self.preparation.wait(game, text, tell)
        # This reports an invalid agent before the match starts.
        given = source, texts_of(rules), name, stamp
        await self.workers.do(warm_up, *given, seconds=limits.PREPARING, tell=tell)
        return name, stamp

    def resolve(self, text: str) -> tuple[str, float]:
        """Return an agent's text with paths for the names of files, and the time of the latest."""
        if text.startswith(PREFIX):
            return self.programs.resolve(text), 0.0
        return self.trained.resolve(text)

    def own_agents(self, game: str) -> list[str]:
        """Return the texts of the agents that were trained or programmed here."""
        return [*self.trained.of_game(game), *self.programs.agents(game)]

    def resolve_agent(self, rules: Rules, text: str) -> tuple[str, float]:
        """Return an agent's text for workers and the time of its file; refuse what is forbidden."""
        if len(text) > limits.TEXT:
            raise ValueError(f"expected an agent of at most {limits.TEXT} letters")
        if text in self.programs.paths():
            raise ValueError(f"no agent {text!r}, did you mean {PREFIX}{text}?")
        if not text.startswith(PREFIX):
            check_agent(text, rules)
        return self.resolve(text)

    def check_agent(self, rules: Rules, text: str) -> None:
        """Raise a ValueError if an agent cannot play, as far as that is known without compiling."""
        resolved, _ = self.resolve_agent(rules, text)
        kind = AGENTS.get(text.partition(":")[0])
        if kind is not None and hasattr(kind, "prepare"):  # preparing may take long
            if reason := refuses(kind, rules):
                raise ValueError(reason)
        elif kind is not None:
            make_agent(resolved, rules)

    def make_room(self) -> None:
        """Drop matches that were idle for long, and at the limit the one idle longest."""
        now = time.monotonic()
        idle = sorted(self.matches.values(), key=lambda live: live.touched)
        for live in idle:
            full = len(self.matches) >= limits.LIVE_MATCHES
            if not full and now - live.touched < limits.IDLE:
                break
            live.stop()
            self.journals.forget(live)
            del self.matches[live.id]

    def parse_position(self, rules: Rules, text: str | None) -> State:
        """Return the state of a position typed by a visitor; the first one if empty."""
        if not text or not text.strip():
            return initial(rules)
        if len(text) > limits.TEXT:
            raise ValueError(f"expected a position of at most {limits.TEXT} letters")
        return read_state(rules, text)

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
        self.laboratory.close()
        self.workers.stop()
        self.archive.store.close()
