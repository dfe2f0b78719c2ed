"""A page for the student: marks, and lost matches with a replay and their analysis."""

import hashlib
import json
from pathlib import Path
from typing import Any

from ludex.analysis.decisions import analyse
from ludex.core.rules import BOTH, CHANCE, NO_MOVE, Rules, State, position, scene, seat_name, turn
from ludex.core.termination import error_line
from ludex.grading.assignment import Assignment
from ludex.grading.results import total_words
from ludex.grading.score import Mark
from ludex.io.files import write_text
from ludex.io.template import render_template
from ludex.match.record import Record, labels, read_record, replay_states
from ludex.render.svg import svg

TEMPLATE = Path(__file__).with_name("page.html")
EACH = 2  # lost matches shown per test
DEPTH = 2  # search depth in decisions where there is no exact value
WORST = 8  # errors listed
LONGEST = 120  # moves of a replay
FORMAT = 3  # of the cached analysis


def write_page(
    workspace: Path, name: str, given: Assignment, fault: str, marks: list[Mark], note: str = ""
) -> None:
    """Write the page of a submission from its marks; analyses of matches are cached."""
    against = {test.name: test.against for test in given.tests}
    shown = [
        (mark, against[mark.test], [lost_match(workspace, line) for line in mark.lost[:EACH]])
        for mark in marks
    ]
    facts = {"name": name, "given": given, "fault": fault, "marks": shown, "note": note}
    text = render_template(TEMPLATE, total=total_words(given, marks), **facts)
    write_text(workspace / "index.html", text)


def lost_match(workspace: Path, line: str) -> dict[str, Any]:
    """Return what the page shows of a lost match, from the cache if possible."""
    record = read_record(line)
    known = record._replace(when="", times=())._asdict()
    del known["output"]
    same = [FORMAT, DEPTH, list(known.values())]
    key = hashlib.sha256(json.dumps(same).encode()).hexdigest()[:16]
    file = workspace / "losses" / f"{key}.json"
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        write_text(file, json.dumps(match_facts(line), ensure_ascii=False))
    found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return found | {"output": record.output[loser(record)] if record.output else ""}


def loser(record: Record) -> int:
    """Return the losing seat, which is the submission's."""
    return record.returns.index(min(record.returns))


def film(rules: Rules, shown: list[tuple[State, int]]) -> dict[str, Any]:
    """Return pictures of states: each distinct line of SVG, and the lines of each picture."""
    lines: dict[str, int] = {}
    frames = []
    for state, move in shown:
        drawn = svg(scene(rules, state, move), position(rules, state)).splitlines()
        frames.append([lines.setdefault(line, len(lines)) for line in drawn])
    return {"lines": list(lines), "frames": frames}


def mover_prefix(rules: Rules, state: State) -> str:
    """Return who moves in a state, as a prefix."""
    mover = turn(rules, state)
    names = {BOTH: "", CHANCE: "by chance: "}
    return names[mover] if mover in names else f"{seat_name(rules, mover)}: "


def match_facts(line: str) -> dict[str, Any]:
    """Return a replay of a match in pictures, and its worst errors."""
    record = read_record(line)
    rules, states = replay_states(record)
    moves = (NO_MOVE, *record.moves)
    seat = loser(record)
    shown = list(zip(states, moves, strict=True))[-LONGEST:]
    said = zip(states, labels(rules, states, record.moves), strict=False)
    names = [f"{mover_prefix(rules, state)}{name}" for state, name in said]
    found: dict[str, Any] = {
        "seat": seat_name(rules, seat),
        "ending": record.ending,
        "words": record.words,
        "captions": ["", *names][-LONGEST:],
        "skipped": max(len(states) - LONGEST, 0),
        "film": film(rules, shown),
        "errors": [],
        "judge": "",
    }
    try:
        analysis = analyse(record, DEPTH)
    except Exception as error:  # the marks stand without it
        found["judge"] = f"no analysis: {error_line(error)}"
        return found
    mine = [one for one in analysis.decisions if one.seat == seat and one.name]
    worst = sorted(sorted(mine, key=lambda one: -one.loss)[:WORST], key=lambda one: one.ply)
    found["judge"] = analysis.judge + ("" if analysis.exact else ", which may err")
    found["errors"] = [
        {"ply": one.ply, "name": one.name, "move": one.move, "best": one.best, "loss": one.loss}
        for one in worst
    ]
    balance = analysis.balances[seat]
    return found | {"luck": balance.luck, "accuracy": balance.accuracy}
