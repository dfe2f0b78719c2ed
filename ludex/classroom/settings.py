"""What an instructor sets for a class: the game, the house agents, the deadline and the limits."""

from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple

from ludex.core.rules import Rules
from ludex.core.time_control import Clocks, read_clocks
from ludex.games import game_rules
from ludex.io.schema import Key, TomlTable, declared_keys, read_table

NO_DEADLINE = "none"
GAME_CLOCK = "game"
WHEN = "%Y-%m-%dT%H:%M:%SZ"


class Settings(NamedTuple):
    """The settings of a class; all but the game can be changed later."""

    game: str
    rules: dict[str, str]
    house: tuple[str, ...]
    """Agents of known strength that play on the ladder; the first has the rating 0."""
    clock: str = ""
    """The time control of the programs; empty for that of the game, for which `game` stands."""
    deadline: str = ""
    """When the last programs may be handed in, in UTC, or empty."""
    guests: bool = False
    """Whether everybody may watch, without a token."""
    kibibytes: Annotated[int, Key(low=1, high=20 << 10)] = 1024
    """Of one hand-in, packed and unpacked."""
    files: Annotated[int, Key(low=1, high=500)] = 100
    """Of one hand-in."""
    daily: Annotated[int, Key(low=1, high=1000)] = 20
    """Hand-ins of a person within 24 hours."""
    waiting: Annotated[int, Key(low=1, high=100)] = 2
    """Hand-ins of a person that wait for their check at the same time."""
    matches: Annotated[int, Key(low=2, high=100_000)] = 400
    """Of a program on the ladder, after which it plays no more by choice."""

    def make_rules(self) -> Rules:
        """Return the rules of the game."""
        return game_rules(self.game, dict(self.rules))

    @property
    def clocks(self) -> Clocks:
        """The time control: house agents have their own budgets, and never lose on time."""
        given = read_clocks(self.clock) if self.clock else Clocks()
        return given._replace(programs=True)

    def as_json(self) -> dict[str, Any]:
        """Return the settings as JSON."""
        return {**self._asdict(), "house": list(self.house)}


KEYS = declared_keys(Settings) | {
    "rules": Key(TomlTable, {}),
    "house": Key(list[str], [], 'such as ["random", "easy"]'),
}


def read_settings(given: dict[str, Any]) -> Settings:
    """Return settings from JSON; a ValueError names the wrong key."""
    found = read_table(given, KEYS)
    found["deadline"] = read_deadline(found["deadline"])
    found["clock"] = "" if found["clock"] == GAME_CLOCK else found["clock"]
    made = Settings(**{**found, "house": tuple(found["house"])})
    assert made.clocks is not None  # it can be read
    return made


def read_deadline(text: str) -> str:
    """Return a deadline in UTC; empty if there is none, for which `none` stands as well."""
    return read_time(text) if text not in ("", NO_DEADLINE) else ""


def time_text(when: str) -> str:
    """Return a time in UTC for people."""
    return f"{when[:10]} {when[11:16]} UTC"


def plain_time(when: str) -> str:
    """Return a time in UTC as people write it, from which `read_time` gets the same."""
    return f"{when[:10]} {when[11:19].removesuffix(':00')}"


def read_time(text: str) -> str:
    """Return a time in UTC, given as 2026-12-01, 2026-12-01 18:00 or in ISO 8601."""
    text = text.strip().removesuffix("UTC").rstrip()
    try:
        given = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(
            f"{text!r}: expected a time such as 2026-12-01 18:00 (UTC) or 2026-12-01T18:00+01:00"
        ) from None
    if len(text) == len("2026-12-01"):  # a day lasts until its end
        given = given.replace(hour=23, minute=59, second=59)
    aware = given if given.tzinfo else given.replace(tzinfo=UTC)
    return aware.astimezone(UTC).strftime(WHEN)
