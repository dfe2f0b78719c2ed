"""The output of external programs, for the first match that each lost by its own fault."""

import shlex
from collections.abc import Iterable
from typing import Any

from ludex.cli import options
from ludex.cli.event import PlaySettings
from ludex.external.log import indent, last_lines
from ludex.match.record import read_output
from ludex.store import Played
from ludex.tournaments.plan import Plan

SHOWN = 20  # lines of output


class Failures:
    """The first match of an event that each agent lost by its own fault."""

    def __init__(self) -> None:
        self.first: dict[int, Played] = {}

    def take(self, some: Iterable[Played]) -> None:
        """Add matches, in any order."""
        for one in some:
            if one.seat >= 0:
                agent = one.agents[one.seat]
                known = self.first.get(agent)
                if known is None or one.number < known.number:
                    self.first[agent] = one

    def facts(self, plan: Plan, settings: PlaySettings, event: int) -> list[dict[str, Any]]:
        """Return each failed agent with the match, its output, and the command to show it."""
        told = []
        for agent, one in sorted(self.first.items()):
            line = one.record
            if not line and settings.store:
                [line] = settings.store.records(event, one.number)
            output = read_output(line, one.seat) if line else ""
            if output:
                told.append(
                    {
                        "agent": plan.agents[agent],
                        "match": one.number,
                        "ending": one.ending,
                        "output": output,
                        "command": command(settings, event, one.number),
                    }
                )
        return told


def command(settings: PlaySettings, event: int, match: int) -> str:
    """Return the command that shows the output of a match; empty if it is not stored."""
    if event:
        return f"ludex replay {event}/{match} --output{options.db_hint(settings.db)}"
    if settings.out:
        return f"ludex replay {shlex.quote(str(settings.out))} --match {match + 1} --output"
    return ""


def output_lines(failures: Iterable[dict[str, Any]]) -> list[str]:
    """Return the output of failed programs as lines of text."""
    lines = []
    for one in failures:
        where = f"in match {one['match']}, which it ended {one['ending']}"
        lines += ["", f"the output of {one['agent']} {where}:"]
        lines.append(indent(last_lines(one["output"], SHOWN)))
        if one["command"]:
            lines.append(f"all of it: {one['command']}")
    return lines
