"""Store a single match, from the console or the web lab, as an event of its own."""

from typing import Any

from ludex.match.record import Record
from ludex.match.session import Match
from ludex.store import Played, Store, summary
from ludex.tournaments.source import source


def entry_of(
    match: Match, record: Record, form: str, number: int = 0
) -> tuple[dict[str, Any], Played]:
    """Return the facts of the event of a finished match, and the match as the store has it."""
    facts = {
        "game": record.game,
        "rules": record.rules,
        "format": form,
        "agents": list(record.agents),
        "seed": record.seed,
        "plan": {},
    }
    return facts, summary(match, record, number, tuple(range(len(record.agents))))


def store_match(store: Store, key: str, facts: dict[str, Any], match: Played) -> str:
    """Store a match in the event of a key, and return its identity, such as 12/0."""
    event = store.enter(key, {**facts, "source": source()})
    store.keep(event, [match])
    store.finish(event)
    return f"{event}/{match.number}"
