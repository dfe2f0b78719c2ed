"""Events of tests: a small field on nuts, and what of them lasts."""

from typing import Any

from ludex.match.record import read_record
from ludex.store import Played, Store
from ludex.tournaments.plan import ROUND_ROBIN, Plan

FIELD = ("random", "greedy", "minimax:depth=2", "casual")


def plan(how: str = ROUND_ROBIN, agents: tuple[str, ...] = FIELD, **changes: Any) -> Plan:
    order = Plan("nuts", (("nuts", "11"),), agents, 2, how, 4, 0, 5)
    return order._replace(**changes)


def on_and_on(played: list[Played]) -> bool:
    return False


def lasting(played: list[Played]) -> list[Any]:
    """Return what does not depend on how fast a machine is."""
    return [(one.number, one.agents, one.returns, one.ending, one.decisions) for one in played]


def moves_of(store: Store, event: int) -> list[tuple[int, ...]]:
    return [read_record(line).moves for line in store.records(event)]
