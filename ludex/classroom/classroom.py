"""A class: a folder that names its database, and the settings in it."""

import hashlib
import threading
import time
from pathlib import Path
from typing import Any

from sqlalchemy import func, insert, select, update

from ludex.agents.registry import make_agent
from ludex.classroom.schema import prepare, programs, settings
from ludex.classroom.settings import Settings, read_settings
from ludex.core.rules import Rules, game_of, levels_of, seats
from ludex.external.agent import names_file
from ludex.games import source_of
from ludex.io.files import write_text
from ludex.io.schema import Key, load_toml, read_table
from ludex.io.text import ParameterError, toml_value
from ludex.match.luck import chosen_seed
from ludex.match.record import now
from ludex.store.database import Database
from ludex.store.engine import is_missing

FILE = "class.toml"
DATABASE = "class.db"
FORMAT = 1
VALID = "valid"  # of a program that plays, also in `programs.py`


class Classroom(Database):
    """An open class."""

    def __init__(self, url: str) -> None:
        super().__init__(url, prepare)
        self.url = url
        with self.transaction(reading=True) as connection:
            row = connection.execute(select(settings)).first()
        if row is None:
            self.close()
            raise ValueError("this database has no class: ludex class new makes one")
        self.name, self.seed = str(row.name), int(row.seed)
        """The seed is secret: whoever knows it knows the luck of matches to come."""
        self._settings = read_settings(row.settings)
        self._read = time.monotonic()
        self._refreshing = threading.Lock()
        """An older answer never replaces a newer one."""

    @property
    def settings(self) -> Settings:
        """What the instructor has set, at most a second ago."""
        if time.monotonic() > self._read + 1.0:
            self.refresh()
        return self._settings

    def refresh(self) -> None:
        """Read the settings again, which another process may have changed."""
        with self._refreshing, self.transaction(reading=True) as connection:
            found = connection.execute(select(settings.c.settings)).scalar_one()
            self._settings, self._read = read_settings(found), time.monotonic()

    def luck(self, *facts: object) -> int:
        """Return the seed of some matches, which follows from that of the class.

        A record has this seed, and it tells nothing of other matches.
        """
        return derived_seed(self.seed, *facts)

    def change(self, **changes: Any) -> None:
        """Change some settings; a ValueError names a wrong one, and nothing is changed."""
        fixed = {"game", "rules"} & changes.keys()
        if fixed:
            raise ValueError(f"{sorted(fixed)[0]} stays as it is: make another class for it")
        self.refresh()
        made = read_settings({**self._settings.as_json(), **changes})
        check_house(made.make_rules(), made.house)
        with self.transaction() as connection:
            connection.execute(update(settings).values(settings=made.as_json()))
            add_house(connection, made.house)
        self.refresh()


def derived_seed(seed: int, *facts: object) -> int:
    """Return a seed of 53 bits that tells nothing of the one it is derived from."""
    text = "/".join(map(str, (seed, *facts)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) >> 11


def new_class(
    folder: Path,
    game: str,
    rules: dict[str, str],
    url: str = "",
    seed: int | None = None,
    **given: Any,
) -> Classroom:
    """Make a class in a new folder, and return it; by default its database is a file there."""
    file = folder / FILE
    if file.exists():
        raise ValueError(f"{str(folder)!r} has a class already")
    made = read_settings({"game": game, "rules": rules, **given})
    own = made.make_rules()
    if seats(own) != 2:
        raise ValueError(f"a class is for games of 2 seats, not {seats(own)}")
    own_game = source_of(game_of(own))
    made = made._replace(game=own_game, house=made.house or ("random", *levels_of(own)))
    check_house(own, made.house)
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)  # the database has the programs of all
    database = Database(place_of(folder, url), prepare)
    with database.transaction() as connection:
        if connection.execute(select(func.count()).select_from(settings)).scalar_one():
            raise ParameterError("{db} {!r}: there is a class in this database", url or DATABASE)
        facts = {"name": folder.resolve().name, "seed": chosen_seed(seed), "began": now()}
        connection.execute(insert(settings).values(id=1, **facts, settings=made.as_json()))
        add_house(connection, made.house)
    database.close()
    write_text(file, f"format = {FORMAT}\ndatabase = {toml_value(url)}\n")
    file.chmod(0o600)  # the URL may have a password
    return Classroom(place_of(folder, url))


def open_class(place: Path | str) -> Classroom:
    """Open the class in a folder, or at the URL of its database."""
    if "://" in str(place):
        return Classroom(str(place))
    file = Path(place) / FILE
    if not file.exists():
        raise ValueError(f"{str(place)!r} is no folder of a class: it has no {FILE}")
    keys = {"format": Key(int, high=FORMAT), "database": Key(str, "")}
    url = place_of(Path(place), read_table(load_toml(file, str(file)), keys)["database"])
    if is_missing(url):
        raise ValueError(f"the class in {str(place)!r} has lost its database {url!r}")
    return Classroom(url)


def place_of(folder: Path, url: str) -> str:
    """Return the URL of the database of a class."""
    return url or f"sqlite:///{folder.resolve() / DATABASE}"


def check_house(rules: Rules, house: tuple[str, ...]) -> None:
    """Raise a ValueError unless these agents can play in every process, on any machine."""
    for text in house:
        if names_file(text):
            raise ValueError(f"house agent {text!r}: expected a built-in one; hand in a program")
        make_agent(text, rules)
    if not house:
        raise ValueError("a class needs a house agent, such as random")


def add_house(connection: Any, house: tuple[str, ...]) -> None:
    """Let exactly these house agents play; what others have played stays."""
    own = programs.c.person.is_(None)
    found = connection.execute(select(programs.c.id, programs.c.agent).where(own)).all()
    known = {row.agent: row.id for row in found}
    connection.execute(update(programs).where(own).values(playing=False))
    for text in house:
        if text in known:
            this = programs.c.id == known[text]
            connection.execute(update(programs).where(this).values(playing=True))
        else:
            facts = {"number": 0, "name": text, "agent": text, "state": VALID, "playing": True}
            facts |= {"began": now(), "reason": "", "output": "", "records": []}
            connection.execute(insert(programs).values(**facts))
