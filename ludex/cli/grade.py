"""`ludex grade`: grade a class."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.progress import TaskID, TextColumn, TimeElapsedColumn
from rich.table import Column

from ludex.cli import console, options
from ludex.external.sandbox import confinement
from ludex.grading import grading
from ludex.grading.api import Grades
from ludex.grading.assignment import find, read
from ludex.grading.gradescope import write_zip
from ludex.grading.grading import Grading
from ludex.grading.intake import name_of
from ludex.grading.manual_marks import marks_template
from ludex.grading.progress import Tell
from ludex.grading.results import round_off
from ludex.io.files import write_text
from ludex.io.text import many
from ludex.library.progress import bar
from ludex.workers.pool import Pool


@click.command()
@click.argument("course")
@click.argument("submissions", nargs=-1, type=options.PATH)
@click.option("--out", type=options.PATH, metavar="DIR", help="Output folder.")
@options.pool
@click.option("--seconds", type=click.FloatRange(min=0), default=0.0, help="Time limit for each.")
@click.option("--marks", type=options.PATH, metavar="FILE.csv", help="Manual marks.")
@click.option(
    "--marks-template",
    type=options.NewFile(),
    metavar="FILE.csv",
    help="Write a template for manual marks instead.",
)
@click.option(
    "--no-pages", "pages", flag_value=False, default=True, help="Write no pages with replays."
)
@click.option(
    "--no-tournament", "tournament", flag_value=False, default=True, help="Skip the tournament."
)
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
    type=options.NewFile(),
    metavar="FILE.json",
    help="Also write the results of the only submission to this file.",
)
@click.option(
    "--gradescope",
    type=options.PATH,
    metavar="FILE.zip",
    help="Write an autograder for Gradescope instead.",
)
@options.as_json
def grade(
    course: str,
    submissions: tuple[Path, ...],
    out: Path | None,
    copy: Path | None,
    pool: Pool,
    **given: Any,
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
    gradescope, empty = given.pop("gradescope"), given.pop("marks_template")
    if gradescope is not None:
        if submissions or out is not None or given["marks"] is not None:
            raise ValueError(
                "--gradescope writes an autograder and marks nobody: expected neither submissions"
                " nor --out or --marks"
            )
        write_autograder(file, gradescope)
        return
    if not submissions:
        raise ValueError(f"which submissions? ludex grade {course} class/* --out DIR")
    if empty is not None:
        write_template(file, submissions, empty)
        return
    if out is None:
        raise ValueError("where do the marks go? --out DIR")
    if copy is not None and len(submissions) != 1:
        raise ValueError(f"--results: expected one submission, not {len(submissions)}")
    console.announce_compiling()
    unsafe, cell = given.pop("unsafe"), given.pop("cell")
    order = Grading(file, out, pool.processes, alone=copy is not None, dask=pool.dask, **given)
    try:
        with stage_bars() as tell, confinement("no" if unsafe else cell) as note:
            graded = Grades(grading.grade(order._replace(note=note), submissions, tell))
    except KeyboardInterrupt as stop:
        stop.add_note("the same command goes on where it stopped")
        raise
    if copy is not None:
        shutil.copyfile(out / "students" / graded[0].name / "results.json", copy)
    console.emit(graded.facts(read(file).course), show, graded, out)


def write_autograder(file: Path, out: Path) -> None:
    """Write an autograder for Gradescope."""
    title = read(file).title
    write_zip(file, out)
    click.echo(f"{out}: upload it as the autograder of {title!r}")


def write_template(file: Path, submissions: tuple[Path, ...], out: Path) -> None:
    """Write a template for manual marks."""
    if out.exists():
        raise ValueError(f"--marks-template {str(out)!r}: there is such a file")
    write_text(out, marks_template(read(file), map(name_of, submissions)))
    click.echo(f"{out}: fill it in, and hand it over with --marks")


@contextmanager
def stage_bars() -> Iterator[Tell]:
    """Yield a callback that shows a progress bar for each stage."""
    words = TextColumn("{task.description}", table_column=Column(ratio=1, no_wrap=True))
    with bar(words, TimeElapsedColumn(table_column=Column(no_wrap=True))) as progress:
        tasks: dict[str, TaskID] = {}

        def tell(stage: str, doing: str, done: float, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total)
            said = f"{stage}: {doing}" if doing else stage
            progress.update(tasks[stage], description=said, completed=done, total=total)

        yield tell


def show(graded: Grades, out: Path) -> None:
    """Print a grading."""
    table = console.table("name", "points", "rating", "remark")
    for one in graded:
        rated = "" if one.rating is None else f"{round_off(one.rating):+.0f}"
        points = f"{one.total:g}{' so far' * bool(one.awaited)}"
        table.add_row(one.name, points, rated, one.remark)
    console.show(table)
    whole = many(len(graded), "submission")
    click.echo(f"{whole}, of {graded.most:g} points; {out / 'class.csv'}")
