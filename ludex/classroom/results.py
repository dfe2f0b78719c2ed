"""Results of a class for other systems: a table as CSV, and Gradescope's format."""

import math
from typing import Any

from ludex.classroom.classroom import Classroom
from ludex.classroom.finals import FinalRow, final_table, finals_of
from ludex.classroom.ladder import Row, ladder_rows
from ludex.classroom.people import STUDENT, Person, people_of
from ludex.classroom.programs import Program, programs_of
from ludex.classroom.ratings import players_of, rate_and_compare, results_of
from ludex.grading.results import round_off
from ludex.io.files import csv_text

COLUMNS = (
    *("name", "reference", "program", "state", "hand-ins", "rank", "best", "worst"),
    *("elo", "low", "high", "matches", "final rank", "final points"),
)
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # with which a spreadsheet takes a text for a formula


def class_table(classroom: Classroom) -> list[dict[str, Any]]:
    """Return a row for each student, in the order of the class; None where nothing is known."""
    rated = {row.program.person: row for row in ladder_rows(classroom)}
    handed_in: dict[int | None, list[Program]] = {}
    for one in programs_of(classroom):
        handed_in.setdefault(one.person, []).append(one)
    students = [one for one in people_of(classroom) if one.role == STUDENT]
    ended = final_results(classroom)
    return [
        table_row(one, handed_in.get(one.id, []), rated.get(one.id))
        | {"final rank": found.rank if found else None}
        | {"final points": found.points if found else None}
        for one in students
        for found in [ended.get(one.id)]
    ]


def final_results(classroom: Classroom) -> dict[int | None, FinalRow]:
    """Return the rows of the newest final that was played to its end, by person."""
    for final in finals_of(classroom):
        if final.ended and not final.cancelled:
            owners = {one.id: one.person for one in programs_of(classroom)}
            return {owners[row.program]: row for row in final_table(classroom, final)}
    return {}


def table_row(person: Person, own: list[Program], row: Row | None) -> dict[str, Any]:
    """Return the row of a student, whose programs come with the newest first."""
    played = row is not None and row.matches > 0
    shown = row.program if row else own[0] if own else None
    return {
        "name": person.name,
        "reference": person.reference,
        "program": shown.number if shown else None,
        "state": shown.state if shown else None,
        "hand-ins": len(own),
        **{
            name: number(getattr(row, name)) if played else None
            for name in ("rank", "best", "worst", "elo", "low", "high", "matches")
        },
    }


def number(value: float) -> float | None:
    """Return a number as JSON, or None if it is infinite."""
    if isinstance(value, int):
        return value
    return round_off(value, 1) if math.isfinite(value) else None


def class_csv(classroom: Classroom) -> str:
    """Return the table of the class as CSV."""
    rows = [[cell(row[name]) for name in COLUMNS] for row in class_table(classroom)]
    return csv_text([COLUMNS, *rows])


def cell(value: Any) -> Any:
    """Return a value as a cell that no spreadsheet takes for a formula."""
    if value is None:
        return ""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


def gradescope_results(classroom: Classroom) -> dict[str, dict[str, Any]]:
    """Return the results of each student in Gradescope's format, by reference or else by name.

    There is a point for a program that plays, and one for each house agent that it certainly beats.
    All matches until now count, even if the ladder shows ratings of a moment ago.
    """
    with classroom.transaction(reading=True) as connection:
        results = results_of(connection)
        players, anchor = players_of(connection, classroom)
    known = {one.id: one for one in programs_of(classroom)}
    found, certain = rate_and_compare(players, anchor, results)
    rows = [Row(**{**one._asdict(), "program": known[one.program]}) for one in found]
    house = [row for row in rows if row.program.person is None]
    house.sort(key=lambda row: row.program.id)
    rated = {row.program.person: row for row in rows}
    students = [one for one in people_of(classroom) if one.role == STUDENT]
    return {
        one.reference or one.name: gradescope_result(rated.get(one.id), house, certain)
        for one in students
    }


def gradescope_result(
    row: Row | None, house: list[Row], certain: set[tuple[int, int]]
) -> dict[str, Any]:
    """Return the result of a student in Gradescope's format.

    `certain` has the pairs of programs of which the first is certainly better.
    """
    tests = [("a program that plays", row is not None, "" if row else "No valid program.")]
    for other in house:
        better = row is not None and (row.program.id, other.program.id) in certain
        sure = "certainly better (95 %)" if better else "not certainly better (95 %)"
        words = f"{row.elo:+.0f} Elo, {sure}" if row and row.matches else ""
        tests.append((f"better than {other.program.name} ({other.elo:+.0f} Elo)", better, words))
    board: list[dict[str, Any]] = []
    if row is not None and row.matches:
        board = [{"name": "Rating", "value": round_off(row.elo, 1)}]
        board.append({"name": "Rank", "value": row.rank, "order": "asc"})
    return {
        "score": sum(float(passed) for _, passed, _ in tests),
        "visibility": "visible",
        "tests": [
            {
                "name": name,
                "number": str(at),
                "score": float(passed),
                "max_score": 1.0,
                "status": "passed" if passed else "failed",
                "output": output,
                "output_format": "text",
            }
            for at, (name, passed, output) in enumerate(tests, start=1)
        ],
        "leaderboard": board,
    }
