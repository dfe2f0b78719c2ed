"""`ludex course`: create the handout of a course."""

from pathlib import Path

import click

from ludex.cli import console, options


@click.group()
def course() -> None:
    """Create the handout of a course.

    \b
    ludex course new trap ab1234_cd5678
    """


@course.command()
@click.argument("name", metavar="COURSE")
@click.argument("folder", metavar="DIR", type=options.PATH)
@options.as_json
def new(name: str, folder: Path) -> None:
    """Write the skeleton of a course into a new folder.

    COURSE is nuts, arena, aeroplane, trap or droids.

    \b
    ludex course new trap ab1234_cd5678
    """
    from ludex.courses.skeleton import write_handout

    names = write_handout(name, folder)
    if console.json_wanted():
        console.print_json({"course": name, "folder": str(folder), "files": names})
    else:
        click.echo(f"{folder}: {', '.join(names)}")
        click.echo("README.md says what to do")
