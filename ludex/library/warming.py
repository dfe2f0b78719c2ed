"""Compile ahead of time what matches, hints and exact values need; the web lab does the same."""

import functools
import hashlib
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from llvmlite import binding
from numba import config

from ludex.agents.registry import LEVELS, Agent, Random, default_agent, make_agent
from ludex.analysis.evaluator import evaluations
from ludex.core.play import choosers, first_decision
from ludex.core.rules import (
    Rules,
    imperfect_information,
    interpreted,
    levels_of,
    rule_values,
    seats,
)
from ludex.core.variants import single_rules
from ludex.games import broken_games, find, game_rules, rules_class
from ludex.io.table import Table, with_headline
from ludex.io.text import many
from ludex.kernel.jit import cache_root, in_file, sources_hash
from ludex.library.game import available_games, load
from ludex.library.progress import return_in_ipython, show_progress
from ludex.match.warm_up import warm_up, warm_up_at
from ludex.solve.evaluation import Budget

HINTS, EXACT = "hints", "exact values"  # what is compiled besides agents
# The values do not matter: a small budget compiles what a large one does.
BUDGET = Budget(table=64, seconds=0.5, depth=3)


class Part(NamedTuple):
    """Something to compile for a game: an agent, HINTS or EXACT."""

    game: str
    """Its name or path, for `find`."""
    what: str


def parts_of(games: Iterable[str]) -> list[Part]:
    """Return what to compile for games, given by name or path; the most wanted parts first."""
    rules = {source: game_rules(source) for source in games}
    rules = {source: one for source, one in rules.items() if not interpreted(one)}
    usual = [Part(name, what) for name in rules for what in (default_agent(rules[name]), HINTS)]
    levels = [
        Part(name, level) for level in LEVELS for name in rules if level in levels_of(rules[name])
    ]
    return list(dict.fromkeys([*usual, *levels, *(Part(name, EXACT) for name in rules)]))


def prepared_mark(part: Part) -> Path:
    """Return a file that exists once a part has been compiled on a processor like this one."""
    code = sources_hash(frozenset({rules_class(find(part.game))}))
    name = hashlib.sha256(f"{code} {processor()} {part.what}".encode()).hexdigest()[:24]
    return cache_root() / "prepared" / name


@functools.cache
def processor() -> str:
    """Return the kind of processor; code that was compiled for another is not used."""
    return f"{binding.get_host_cpu_name()} {binding.get_host_cpu_features().flatten()}"


def is_prepared(part: Part) -> bool:
    """Return whether a part has been compiled, and is on disk."""
    return prepared_mark(part).exists()


def prepare(part: Part) -> None:
    """Compile a part, and note that on disk."""
    rules = game_rules(part.game)
    if part.what == HINTS:
        evaluate_first_decision(rules)
    elif part.what == EXACT:
        with suppress(ValueError):  # not every variant can be played
            evaluate_first_decision(game_rules(part.game, smallest_variant(rules)))
    else:
        prepare_agent(rules, make_agent(part.what, rules))
        warm_up(rules, [Random()] * seats(rules), once="chance")  # its outcomes are sampled
    if is_kept(rules):
        mark = prepared_mark(part)
        mark.parent.mkdir(exist_ok=True)
        mark.touch()


def is_kept(rules: Rules) -> bool:
    """Return whether what is compiled for rules is kept on disk: their game is a module's file."""
    return type(rules).__module__ != "__main__" and in_file(type(rules))


def prepare_agent(rules: Rules, agent: Agent) -> None:
    """Compile what an agent needs to decide."""
    state = first_decision(rules)
    for seat in choosers(rules, state):
        warm_up_at(rules, state, seat, agent)


def evaluate_first_decision(rules: Rules) -> None:
    """Evaluate the first position in which a seat chooses, unless the game hides something."""
    if not imperfect_information(rules):
        evaluations(rules, first_decision(rules), BUDGET)


def smallest_variant(rules: Rules) -> dict[str, str]:
    """Return the changes that set every number of the rules to its least value."""
    values, table = rule_values(rules), single_rules(rules).items()
    numbers = [(key, rule) for key, rule in table if type(values[key]) is int and not rule.words]
    return {key: str(rule.low) for key, rule in numbers}


class Warmed:
    """What was compiled ahead of time, and where it is kept."""

    def __init__(self, parts: list[Part], broken: dict[str, str]) -> None:
        self.parts, self.broken = parts, broken
        """What was wanted, and why games of installed packages were left out, by their names."""
        self.seconds: dict[Part, float] = {}
        """The time of each part that was compiled by this call."""
        self.interrupted = False

    @property
    def facts(self) -> dict[str, Any]:
        """The result as JSON."""
        return {
            "parts": len(self.parts),
            "compiled": len(self.seconds),
            "broken": self.broken,
            "seconds": sum(self.seconds.values()),
            "cache": str(cache_root()),
            "bytes": sum(one.stat().st_size for one in cache_root().rglob("*") if one.is_file()),
        }

    @property
    def table(self) -> Table:
        """A row for each part that was compiled, with its time."""
        return Table(
            {"game": part.game, "part": part.what, "seconds": seconds}
            for part, seconds in self.seconds.items()
        )

    def __repr__(self) -> str:
        told = self.facts
        size = f"{told['cache']} ({told['bytes'] / 1e6:,.0f} MB)"
        if config.DISABLE_JIT:
            return "nothing to compile: NUMBA_DISABLE_JIT is set"
        if not self.seconds:
            return f"all {many(told['parts'], 'part')} had been compiled before: {size}"
        before = told["parts"] - told["compiled"]
        more = f", {before:,} had been before" if before else ""
        return f"compiled {many(told['compiled'], 'part')} in {told['seconds']:.1f} s{more}: {size}"

    def _repr_html_(self) -> str:
        return with_headline(repr(self), self.table)


def warm(*games: Any, progress: bool = True) -> Warmed:
    """Compile ahead of time what these games need, or all games: levels, hints and exact values.

    What was compiled is kept on disk and never compiled again, so that after Ctrl-C the same call
    goes on where it stopped. Of a game typed into a notebook or a script, nothing is kept.
    An installed game that is broken is left out, unless it is named.
    """
    broken = {} if games else broken_games()
    usable = [name for name in available_games() if name not in broken]
    sources = [load(game).source for game in games] or usable
    parts = [] if config.DISABLE_JIT else parts_of(sources)
    left, found = [part for part in parts if not is_prepared(part)], Warmed(parts, broken)
    with show_progress(progress) as tell:
        try:
            for part in left:
                tell(f"compiling, {part.what} of {part.game}", len(found.seconds), len(left))
                began = time.perf_counter()
                prepare(part)
                found.seconds[part] = time.perf_counter() - began
        except KeyboardInterrupt as stop:
            found.interrupted = True
            done = f"{len(found.seconds)} of {many(len(left), 'part')} compiled"
            return_in_ipython(stop, f"{done} and kept; call it again to go on")
    return found
