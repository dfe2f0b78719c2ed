"""A tournament described by a TOML file."""

from pathlib import Path
from typing import Annotated, NamedTuple

from ludex.core.variants import rule_texts
from ludex.external.paths import with_paths_in
from ludex.io.schema import Key, TomlTable, declared_keys, errors_at, load_toml, read_table
from ludex.tournaments.plan import FORMATS


class TournamentFile(NamedTuple):
    """The contents of a tournament file; None where it says nothing."""

    game: str | None = None
    agents: tuple[str, ...] = ()
    format: Annotated[str | None, Key(words=tuple(FORMATS))] = None
    matches: Annotated[int | None, Key(low=1)] = None
    rounds: Annotated[int | None, Key(low=1)] = None
    seed: Annotated[int | None, Key(low=0)] = None
    clock: str | None = None
    rules: tuple[tuple[str, str], ...] = ()


KEYS = declared_keys(TournamentFile) | {
    "agents": Key(list[str], [], 'such as ["random", "greedy"]'),
    "rules": Key(TomlTable, {}),
}


def read_tournament_file(path: Path) -> TournamentFile:
    """Read a tournament file; a ValueError names the faulty place.

    Paths of agents beside the file take precedence over those in the working directory.
    """
    place = f"tournament file {str(path)!r}"
    given = load_toml(path, place)
    with errors_at(place):
        found = TournamentFile(**read_table(given, KEYS))
        rules = rule_texts(dict(found.rules), "rules.")
    agents = found.agents
    if path.parent != Path():
        agents = tuple(with_paths_in(text, path.parent) for text in agents)
    return found._replace(agents=tuple(agents), rules=tuple(rules.items()))
