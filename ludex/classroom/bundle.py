"""A final tournament as one file, from which anybody can repeat it."""

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import select

from ludex.classroom.classroom import Classroom
from ludex.classroom.finals import Final, FinalRow, table_of
from ludex.classroom.jobs import DONE
from ludex.classroom.package import WHEN, unpacked
from ludex.classroom.play import Player, digest, play_pair, points_of, unpacked_player
from ludex.classroom.programs import Program, find_programs
from ludex.classroom.schedule import PairResult
from ludex.classroom.schema import contents, finals, jobs, programs
from ludex.classroom.settings import Settings, read_settings
from ludex.core.rules import game_of, version_of
from ludex.external.agent import names_file
from ludex.games import is_path
from ludex.io.files import atomic_file
from ludex.io.schema import errors_at, from_json
from ludex.tournaments.version import source
from ludex.workers.pool import Pool

FORMAT = 1
FACTS = "final.json"
LARGEST = 512 << 20  # bytes of a bundle that is read


class Entrant(NamedTuple):
    """A program of a final."""

    name: str
    agent: str = ""
    """The text of a house agent."""
    content: str = ""
    """The hash of the archive of a program that was handed in."""
    single: str = ""
    """Its only file, if it was handed in as one."""


class PlannedPair(NamedTuple):
    """Two matches of a final, and what came of them; entrants are counted from 0."""

    one: int
    other: int
    seed: int
    points: float
    digest: str


class Bundle(NamedTuple):
    """A final tournament that was played."""

    name: str
    version: int
    """Of the rules of the game."""
    source: str
    """The version of Ludex that played it."""
    settings: Settings
    entrants: tuple[Entrant, ...]
    pairs: tuple[PlannedPair, ...]


class Repetition(NamedTuple):
    """What came of repeating a final."""

    table: list[FinalRow]
    """Programs are numbered in the order of the bundle, from 0."""
    different: list[PlannedPair]
    """Pairs of matches that went differently."""


def write_bundle(classroom: Classroom, final: Final, path: Path) -> None:
    """Write a final that has ended to a file; it has the programs of all, so mind who gets it."""
    if final.cancelled or not final.ended:
        state = "was cancelled" if final.cancelled else "is still being played"
        raise ValueError(f"{final.name} {state}: {final.played} of {final.total}")
    frozen = {one.id: one for one in find_programs(classroom, programs.c.id.in_(final.programs))}
    place = {number: at for at, number in enumerate(final.programs)}
    with classroom.transaction(reading=True) as connection:
        of_these = programs.c.id.in_(final.programs)
        wanted = select(programs.c.id, programs.c.name, contents).join(contents).where(of_these)
        packed = {row.id: row for row in connection.execute(wanted)}
        own = (jobs.c.final == final.id) & (jobs.c.state == DONE)
        rows = connection.execute(select(jobs).where(own).order_by(jobs.c.id)).all()
        seed = connection.execute(select(finals.c.seed).where(finals.c.id == final.id)).scalar_one()
    settings = classroom.settings
    facts = {
        "ludex class": FORMAT,
        "name": f"{classroom.name}: {final.name}",
        "version": version_of(game_of(settings.make_rules())),
        "source": source(),
        "seed": seed,
        "settings": settings.as_json(),
        "entrants": [entrant_facts(frozen[one], packed.get(one)) for one in final.programs],
        "pairs": [
            [place[row.one], place[row.other], row.seed, row.points, row.digest] for row in rows
        ],
    }
    with atomic_file(path) as file, zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(FACTS, WHEN), json.dumps(facts, ensure_ascii=False))
        for hash, data in sorted({row.hash: row.packed for row in packed.values()}.items()):
            archive.writestr(zipfile.ZipInfo(f"programs/{hash}.zip", WHEN), data)


def entrant_facts(program: Program, packed: Any) -> dict[str, str]:
    """Return a program of a final as JSON."""
    if packed is None:
        return {"name": program.name, "agent": program.agent}
    return {"name": program.name, "content": packed.hash, "single": packed.name}


def read_bundle(path: Path) -> tuple[Bundle, list[Player]]:
    """Return a bundle, and its entrants as players; a ValueError says what is wrong with it."""
    with errors_at(str(path)):
        try:
            with zipfile.ZipFile(path) as archive:
                if sum(one.file_size for one in archive.infolist()) > LARGEST:
                    raise ValueError(f"it is larger than {LARGEST >> 20} MiB")
                facts = json.loads(archive.read(FACTS))
                bundle = read_facts(facts)
                players = [
                    make_player(number, one, archive) for number, one in enumerate(bundle.entrants)
                ]
        except (zipfile.BadZipFile, KeyError, TypeError) as error:
            raise ValueError(f"not a final tournament: {error}") from error
        except OSError as error:
            raise ValueError(error.strerror or "it cannot be read") from error
    return bundle, players


def read_facts(facts: Any) -> Bundle:
    """Return a bundle from JSON, without its programs."""
    if not isinstance(facts, dict) or facts.get("ludex class") != FORMAT:
        raise ValueError("not a final tournament that this Ludex knows")
    settings = read_settings(facts["settings"])
    if is_path(settings.game):
        raise ValueError(f"the game {settings.game!r}: expected one that is installed")
    entrants = tuple(from_json(one, Entrant) for one in facts["entrants"])
    fields = PlannedPair._fields
    pairs = tuple(
        from_json(dict(zip(fields, one, strict=True)), PlannedPair) for one in facts["pairs"]
    )
    for one in pairs:
        if not 0 <= one.one < one.other < len(entrants):
            raise ValueError(f"a match of entrants {one.one} and {one.other}")
    given = (facts["name"], facts["version"], facts["source"], settings, entrants, pairs)
    version = version_of(game_of(settings.make_rules()))
    if facts["version"] != version:
        raise ValueError(f"it has version {facts['version']} of the game, and this is {version}")
    return Bundle(*given)


def make_player(number: int, entrant: Entrant, archive: zipfile.ZipFile) -> Player:
    """Return an entrant whose files are on this machine."""
    if not entrant.content:
        if names_file(entrant.agent):
            raise ValueError(f"the agent {entrant.agent!r}: expected a built-in one")
        return Player(number, entrant.name, entrant.agent)
    if Path(entrant.single).name != entrant.single:
        raise ValueError(f"{entrant.single!r}: expected the name of a file")
    folder = unpacked(entrant.content, archive.read(f"programs/{entrant.content}.zip"))
    return unpacked_player(number, entrant.name, folder, entrant.single)


class PairOrder(NamedTuple):
    """A pair of matches to be repeated by any process."""

    settings: Settings
    one: Player
    other: Player
    planned: PlannedPair

    def __hash__(self) -> int:
        return hash((self.one, self.other, self.planned))


def repeat_pair(order: PairOrder) -> tuple[PlannedPair, float, str]:
    """Play a pair of matches again; return it with its points and the hash of its moves."""
    played = list(play_pair(order.settings, order.one, order.other, order.planned.seed))
    return order.planned, points_of(played), digest(played)


def repeat(
    bundle: Bundle, players: list[Player], pool: Pool, tell: Callable[[int, int], None]
) -> Repetition:
    """Play all matches of a final again, and return what came of them."""

    def orders() -> Iterator[PairOrder]:
        for one in bundle.pairs:
            yield PairOrder(bundle.settings, players[one.one], players[one.other], one)

    results: dict[tuple[int, int], PairResult] = {}
    different = []
    with closing(pool.run(repeat_pair, orders())) as answers:
        for done, (planned, points, moves) in enumerate(answers, start=1):
            add_points(results, planned, points)
            if moves != planned.digest:
                different.append(planned)
            tell(done, len(bundle.pairs))
    pool.close()
    return Repetition(table_of(tuple(range(len(players))), results), different)


def bundle_table(bundle: Bundle) -> list[FinalRow]:
    """Return the table of a final as it was played."""
    results: dict[tuple[int, int], PairResult] = {}
    for one in bundle.pairs:
        add_points(results, one, one.points)
    return table_of(tuple(range(len(bundle.entrants))), results)


def add_points(
    results: dict[tuple[int, int], PairResult], planned: PlannedPair, points: float
) -> None:
    """Add the points of the first of two entrants in a pair of matches."""
    pair = (planned.one, planned.other)
    before = results.get(pair, PairResult())
    results[pair] = before._replace(
        played=before.played + 2, points=before.points + points, squares=before.squares + points**2
    )
