"""The journals of live matches: files from which a restarted server goes on.

A journal is a line of JSON about the match, then one for each ply, and one for an end.
"""

import json
import logging
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ludex.core.play import read_state
from ludex.core.rules import position
from ludex.io.files import write_text
from ludex.match.session import Match
from ludex.web.state import limits
from ludex.web.state.catalogue import Catalogue, texts_of
from ludex.web.state.live_match import LiveMatch
from ludex.web.state.workers import Workers

log = logging.getLogger("ludex.web")
FORMAT = 1
Resolve = Callable[[str], tuple[str, float]]
"""Returns the text of an agent with paths, and the time of its file."""


class Journals:
    """The journals in a folder, one for each live match."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.written: dict[str, tuple[tuple[int, int], int, str]] = {}
        """For each match its epoch and number of keys, its plies and its end that are on disk."""

    def path(self, name: str) -> Path:
        """Return the file of a match."""
        return self.folder / f"{name}.jsonl"

    def follow(self, live: LiveMatch) -> None:
        """Keep the journal of a match up to date from now on."""
        live.listeners.append(lambda: self.update(live))
        self.update(live)

    def update(self, live: LiveMatch) -> None:
        """Write what has happened since the last time; after an undo, or with a new key, all."""
        plies, end, stage = live.match.plies, end_line(live), (live.epoch, len(live.keys))
        before, count, ended = self.written.get(live.id, ((-1, 0), 1, ""))
        if (before, count, ended) == (stage, len(plies), end):
            return
        anew = before != stage
        lines = [json.dumps(describe(live))] if anew else []
        lines += [ply_line(live, at) for at in range(1 if anew else count, len(plies))]
        lines += [end] if end else []
        text = "".join(f"{line}\n" for line in lines)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if anew:
                write_text(self.path(live.id), text)
                self.path(live.id).chmod(0o600)  # it has the keys
            else:
                with self.path(live.id).open("a", encoding="utf-8") as file:
                    file.write(text)
        except OSError as error:
            log.error("a live match cannot be kept: %s", error)
        self.written[live.id] = stage, len(plies), end

    def forget(self, live: LiveMatch) -> None:
        """Delete the journal of a match."""
        self.written.pop(live.id, None)
        self.path(live.id).unlink(missing_ok=True)

    def recent(self) -> list[Path]:
        """Return the journals of matches that were not idle for long; delete the others."""
        return recent_files(self.folder.glob("*.jsonl"))


def recent_files(paths: Iterable[Path]) -> list[Path]:
    """Return the journals that were written within a day; delete the others."""
    found = []
    for path in sorted(paths):
        if time.time() - path.stat().st_mtime > limits.IDLE:
            path.unlink(missing_ok=True)
        else:
            found.append(path)
    return found


def describe(live: LiveMatch) -> dict[str, Any]:
    """Return what a journal says of a match before its first ply."""
    match = live.match
    return {
        "ludex": FORMAT,
        "game": live.game.name,
        "rules": dict(texts_of(match.rules)),
        "start": position(match.rules, match.plies[0].state),
        "seed": match.seed,
        "agents": live.requested_agents,
        "owner": live.owner,
        "keys": {key: sorted(seats) for key, seats in live.keys.items()},
        "guests": live.guests,
        "limit": live.limit,
        "began": live.began,
        "opener": live.programs.opener,
    }


def ply_line(live: LiveMatch, at: int) -> str:
    """Return the line of a ply."""
    ply = live.match.plies[at]
    return json.dumps({"move": ply.move, "seconds": ply.seconds, "luck": ply.luck})


def end_line(live: LiveMatch) -> str:
    """Return the line of an end, or an empty text while the match goes on."""
    match = live.match
    if not match.over:
        return ""
    facts = (match.ending, match.offenders, match.words, live.ends, live.ended, live.stored_as)
    return json.dumps({"end": facts})


def resume(
    path: Path, catalogue: Catalogue, resolve: Resolve, workers: Workers
) -> tuple[LiveMatch, str]:
    """Return the match of a journal, and who had opened it.

    It does not yet go on, and has no programs. The last line of the journal may be torn.
    """
    lines = path.read_text(encoding="utf-8").split("\n")[:-1]
    facts, *rest = [json.loads(line) for line in lines]
    if facts["ludex"] != FORMAT:
        raise ValueError(f"a journal of format {facts['ludex']!r}: expected {FORMAT}")
    game = catalogue[facts["game"]]
    rules = catalogue.rules(game.name, facts["rules"])
    start = read_state(rules, facts["start"])
    match = Match(rules, start, facts["seed"], chance="manual", plies=limits.PLIES)
    found = [resolve(text) for text in facts["agents"]]
    names = [name for name, _ in found]
    stamps = {seat: stamp for seat, (_, stamp) in enumerate(found)}
    live = LiveMatch(game, match, names, set(), workers, facts["limit"], stamps)
    live.id, live.requested_agents, live.owner = path.stem, facts["agents"], facts["owner"]
    live.began = facts.get("began", "")
    live.keys.clear()
    live.keys.update({key: set(own) for key, own in facts["keys"].items()})
    live.guests = {int(seat): key for seat, key in facts["guests"].items()}
    for line in rest:
        if "move" in line:
            match.luck.restore(line["luck"])
            match.apply(line["move"], tuple(line["seconds"]))
        else:
            ending, offenders, words, live.ends, live.ended, live.stored_as = line["end"]
            match.forfeit(ending, offenders, words)
    return live, facts.get("opener", "")
