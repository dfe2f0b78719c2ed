"""The output of external programs, for the first match that each lost by its own fault."""

import shlex
from collections.abc import Iterable
from typing import Any

from ludex.cli.playing import Venue, db_words
from ludex.external.log import indent, last_lines
from ludex.match.record import read_record
from ludex.store import Played
from ludex.tournaments.plan import Plan

SHOWN = 20  # lines for people


class Failures:
    """The first match that each agent of an event has ended against the rules."""

    def __init__(self) -> None:
        self.first: dict[int, Played] = {}

    def take(self, some: Iterable[Played]) -> None:
        """Take note of matches, in any order."""
        for one in some:
            if one.seat >= 0:
                agent = one.agents[one.seat]
                known = self.first.get(agent)
                if known is None or one.number < known.number:
                    self.first[agent] = one

    def facts(self, plan: Plan, venue: Venue, event: int) -> list[dict[str, Any]]:
        """Return who failed, in which match, what it printed, and what shows all of it."""
        told = []
        for agent, one in sorted(self.first.items()):
            line = one.record
            if not line and venue.store:
                [line] = venue.store.records(event, one.number)
            output = read_record(line).output if line else ()
            if output and output[one.seat]:
                told.append(
                    {
                        "agent": plan.agents[agent],
                        "match": one.number,
                        "ending": one.ending,
                        "output": output[one.seat],
                        "command": command(venue, event, one.number),
                    }
                )
        return told


def command(venue: Venue, event: int, match: int) -> str:
    """Return the command that shows what was printed in a match; nothing if it is not kept."""
    if event:
        return f"ludex replay {event}/{match} --output{db_words(venue.db)}"
    if venue.out:
        return f"ludex replay {shlex.quote(str(venue.out))} --match {match + 1} --output"
    return ""


def output_lines(failures: Iterable[dict[str, Any]]) -> list[str]:
    """Return what programs have printed where they failed, for people."""
    lines = []
    for one in failures:
        where = f"in match {one['match']}, which it ended {one['ending']}"
        lines += ["", f"the output of {one['agent']} {where}:"]
        lines.append(indent(last_lines(one["output"], SHOWN)))
        if one["command"]:
            lines.append(f"all of it: {one['command']}")
    return lines
