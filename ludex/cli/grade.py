"""`ludex grade`: grade a class."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column

from ludex.cli.options import (
    NewFile,
    announce_compiling,
    as_json,
    plain_table,
    pool_options,
    print_json,
    screen,
)
from ludex.external import sandbox
from ludex.grade.assignment import find, read
from ludex.grade.gradescope import write_zip
from ludex.grade.grading import Graded, Grading
from ludex.grade.grading import grade as grade_all
from ludex.grade.intake import name_of
from ludex.grade.manual import template
from ludex.grade.progress import Tell
from ludex.grade.results import rounded
from ludex.io.files import write_text
from ludex.io.plural import many
from ludex.library.bars import bar
from ludex.workers.pool import Pool


@click.command()
@click.argument("course")
@click.argument("submissions", nargs=-1, type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR", help="Output folder.")
@pool_options
@click.option("--seconds", type=click.FloatRange(min=0), default=0.0, help="Time limit for each.")
@click.option(
    "--marks",
    type=click.Path(path_type=Path),
    metavar="FILE.csv",
    help="Manual marks.",
)
@click.option(
    "--marks-template",
    type=NewFile(),
    metavar="FILE.csv",
    help="Write a template for manual marks instead.",
)
@click.option("--no-pages", is_flag=True, help="Write no pages with replays.")
@click.option("--no-tournament", is_flag=True, help="Skip the tournament.")
@click.option(
    "--sandbox",
    "cell",
    type=click.Choice(["yes", "auto", "no"]),
    default="yes",
    help="auto: where there is no sandbox, run as another user; this needs root.",
)
@click.option("--unsafe", is_flag=True, help="The same as --sandbox no.")
@click.option(
    "--results",
    "copy",
    type=NewFile(),
    metavar="FILE.json",
    help="Also write the results of the only submission to this file.",
)
@click.option(
    "--gradescope",
    type=click.Path(path_type=Path),
    metavar="FILE.zip",
    help="Write an autograder for Gradescope instead.",
)
@as_json
def grade(
    course: str,
    submissions: tuple[Path, ...],
    out: Path | None,
    pool: Pool,
    seconds: float,
    marks: Path | None,
    marks_template: Path | None,
    no_pages: bool,
    no_tournament: bool,
    cell: str,
    unsafe: bool,
    copy: Path | None,
    gradescope: Path | None,
    as_json: bool,
) -> None:
    """Grade the agents of a class in a sandbox.

    COURSE is trap, droids, arena, aeroplane or nuts, or the path of an assignment FILE.toml. A
    submission is a Python file, a folder or a zip, named after the student. An interrupted run is
    resumed. DIR has class.csv, and for each student a folder with results.json for Gradescope and
    a page with lost matches.

    \b
    ludex grade trap class/* --out marks
    ludex grade droids class/* --marks-template hand.csv
    ludex grade droids class/* --out marks --marks hand.csv
    ludex grade trap --gradescope trap.zip
    """
    file = find(course)
    given = read(file)
    if gradescope is not None:
        if submissions or out is not None or marks is not None:
            raise ValueError(
                "--gradescope writes an autograder and marks nobody: expected neither submissions"
                " nor --out or --marks"
            )
        write_zip(file, gradescope)
        click.echo(f"{gradescope}: upload it as the autograder of {given.title!r}")
        return
    if not submissions:
        raise ValueError(f"which submissions? ludex grade {course} class/* --out DIR")
    if marks_template is not None:
        if marks_template.exists():
            raise ValueError(f"--marks-template {str(marks_template)!r}: there is such a file")
        write_text(marks_template, template(given, map(name_of, submissions)))
        click.echo(f"{marks_template}: fill it in, and hand it over with --marks")
        return
    if out is None:
        raise ValueError("where do the marks go? --out DIR")
    if copy is not None and len(submissions) != 1:
        raise ValueError(f"--results: expected one submission, not {len(submissions)}")
    announce_compiling()
    note = settled("no" if unsafe else cell)
    alone = copy is not None
    order = Grading(
        *(file, out, pool.processes, seconds, not no_pages, not no_tournament, note, alone, marks),
        pool.dask,
    )
    try:
        with telling() as tell:
            graded = grade_all(order, submissions, tell)
    except KeyboardInterrupt as stop:
        stop.add_note("the same command goes on where it stopped")
        raise
    if copy is not None:
        shutil.copyfile(out / "students" / graded[0].name / "results.json", copy)
    if as_json:
        print_json(facts(given.course, graded))
    else:
        show(graded, out)


@contextmanager
def telling() -> Iterator[Tell]:
    """Yield a function that is told what is going on; each stage has a bar of its own."""
    words = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True))
    with bar(words, TimeElapsedColumn(table_column=Column(no_wrap=True))) as progress:
        tasks: dict[str, TaskID] = {}

        def tell(stage: str, doing: str, done: float, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total)
            said = f"{stage}: {doing}" if doing else stage
            progress.update(tasks[stage], description=said, completed=done, total=total)

        yield tell


def most_of(graded: list[Graded]) -> float:
    """Return how many points everybody could have got."""
    return sum(mark.most for mark in graded[0].marks)


def facts(course: str, graded: list[Graded]) -> dict[str, Any]:
    """Return what programs want to know of a grading."""
    students = [
        {
            **one._asdict(),
            "marks": {mark.test: None if mark.awaited else mark.score for mark in one.marks},
            "remark": one.remark,
            "total": one.total,
        }
        for one in graded
    ]
    return {"course": course, "of": most_of(graded), "students": students}


def show(graded: list[Graded], out: Path) -> None:
    """Print a grading for people."""
    table = plain_table("name", "points", "rating", "remark")
    for one in graded:
        rated = "" if one.rating is None else f"{rounded(one.rating):+.0f}"
        points = f"{one.total:g}{' so far' * bool(one.awaited)}"
        table.add_row(one.name, points, rated, one.remark)
    screen().print(table)
    whole = many(len(graded), "submission")
    click.echo(f"{whole}, of {most_of(graded):g} points; {out / 'class.csv'}")


def settled(cell: str) -> str:
    """Set how agents are confined, and return what is to be said about it."""
    if cell == "no":
        os.environ[sandbox.UNSAFE] = "1"
        return "Graded without a sandbox."
    if cell == "yes" or not sandbox.fault():
        sandbox.wanted()
        return ""
    if sandbox.drop_fault():
        raise ValueError(
            f"there is no sandbox here ({sandbox.fault()}), and agents cannot run as another user"
            f" ({sandbox.drop_fault()}); --sandbox no runs them as yourself"
        )
    os.environ[sandbox.UNSAFE] = sandbox.DROPPED
    return f"Graded without bubblewrap ({sandbox.fault()}): agents ran as a user without rights."
