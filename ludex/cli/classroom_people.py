"""`ludex class`: the people of a class, and what they hand in."""

import time
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from ludex.classroom.classroom import Classroom, open_class
from ludex.classroom.client import program_state, read_link, submit
from ludex.classroom.package import package_path
from ludex.classroom.people import (
    ROLES,
    STUDENT,
    NewPerson,
    Person,
    add_people,
    link,
    people_in_file,
    people_of,
    person_named,
    person_of_token,
    renew_token,
    set_active,
    set_extension,
    write_links,
)
from ludex.classroom.programs import REFUSED, WAITING, check_quota, check_result, find_program, keep
from ludex.classroom.settings import time_text
from ludex.cli import console, options
from ludex.io.files import write_text
from ludex.web import HOST, PORT

FOLDER = click.argument("place", metavar="CLASS")
WAIT = 0.5  # seconds between two looks at a check


@click.command()
@FOLDER
@click.option("--add", "names", multiple=True, metavar="NAME", help="Add somebody; repeatable.")
@click.option("--role", type=click.Choice(ROLES), default=STUDENT, help="Of those; student.")
@click.option(
    "--csv", "file", type=options.PATH, help="Add those in a file: name, role, reference."
)
@click.option(
    "--renew", multiple=True, metavar="NAME", help="Make a new link; the old one is void."
)
@click.option("--lock", multiple=True, metavar="NAME", help="Lock somebody out.")
@click.option("--unlock", multiple=True, metavar="NAME", help="Let somebody in again.")
@click.option(
    "--extend",
    nargs=2,
    metavar="NAME TIME",
    help="Give somebody a later deadline; none takes it back.",
)
@click.option(
    "--address",
    default=f"http://{HOST}:{PORT}",
    show_default=True,
    metavar="URL",
    help="Where the class is served, for the links.",
)
@click.option(
    "--out", type=options.NewFile(), metavar="FILE.csv", help="Write the links to a file."
)
@options.as_json
def people(
    place: str,
    names: tuple[str, ...],
    role: str,
    file: Path | None,
    renew: tuple[str, ...],
    lock: tuple[str, ...],
    unlock: tuple[str, ...],
    extend: tuple[str, str] | None,
    address: str,
    out: Path | None,
) -> None:
    """List the people of a class, add some, or change what they may do.

    Everybody gets a link with a token, which is shown once: only its hash is kept. Names may be
    pseudonyms; a reference, such as a student number, is seen by instructors alone. A file has a
    column name, and perhaps role and reference.

    \b
    ludex class people ai --csv students.csv --out links.csv
    ludex class people ai --add "Prof. Ada" --role instructor
    ludex class people ai --renew Ann
    """
    opened = open_class(place)
    given = [NewPerson(name, role) for name in names]
    if file is not None:
        given += people_in_file(file.name, file.read_bytes())
    made = add_people(opened, given)
    for name in renew:
        one = person_named(opened, name)
        made.append((one, renew_token(opened, one.id)))
    for name, active in [*((one, False) for one in lock), *((one, True) for one in unlock)]:
        set_active(opened, person_named(opened, name).id, active)
    if extend:
        set_extension(opened, person_named(opened, extend[0]).id, extend[1])
    if out is not None:
        write_text(out, write_links(made, address))
        out.chmod(0o600)
    links = {one.id: link(address, token) for one, token in made} if out is None else {}
    rows = [one._asdict() | {"link": links.get(one.id)} for one in people_of(opened)]
    console.emit(rows, show_people, rows)


def show_people(rows: list[dict[str, Any]]) -> None:
    """Print the people of a class, with new links."""
    table = console.table("name", "role", "reference", "")
    for one in rows:
        marks = ["locked out"] * (not one["active"])
        marks += [f"until {time_text(one['extension'])}"] * bool(one["extension"])
        cells = (one["name"], one["role"], one["reference"], ", ".join(marks))
        table.add_row(*map(escape, cells))
    console.show(table)
    for one in rows:
        if one["link"]:
            console.say(f"the link of {one['name']}: {one['link']}")


@click.command("submit")
@FOLDER
@click.argument("path", type=options.PATH)
@click.option("--token", envvar="LUDEX_TOKEN", help="Your token; better in LUDEX_TOKEN.")
@click.option("--as", "name", metavar="NAME", help="In a folder of your own: whose program it is.")
@click.option("--wait", is_flag=True, help="Wait until it is checked.")
@options.as_json
@click.pass_context
def hand_in(
    ctx: click.Context, place: str, path: Path, token: str | None, name: str | None, wait: bool
) -> None:
    """Hand in a program: a Python file, a folder or a zip.

    CLASS is the address of the server, or your link; whoever has the folder of the class may name
    that. A link or --token puts your token into the history of your shell and the list of
    processes, which others may read: prefer LUDEX_TOKEN, which `read` takes without showing it.
    With --wait it ends with code 1 if the program was refused.

    \b
    read -rs LUDEX_TOKEN && export LUDEX_TOKEN
    ludex class submit https://lab.example.org mine.py
    ludex class submit ai ann.py --as Ann
    """
    if not path.exists():
        raise ValueError(f"{str(path)!r}: there is no such file or folder")
    if place.startswith(("http://", "https://")):
        place, linked = read_link(place)
        token = linked or token
        if not token:
            raise ValueError("--token: expected the token that is in your link, after the #")
        found = submit(place, token, path)
        while wait and found["state"] == WAITING:
            time.sleep(WAIT)
            found |= program_state(place, token, found["program"])
    elif ":" in place and not Path(place).exists():
        raise ValueError(f"{place!r}: expected a folder, or an address with http:// or https://")
    else:
        found = hand_in_here(open_class(place), path, token, name, wait)
    console.emit(found, show_state)
    if found["state"] == REFUSED:
        ctx.exit(1)


def hand_in_here(
    opened: Classroom, path: Path, token: str | None, name: str | None, wait: bool
) -> dict[str, Any]:
    """Hand in to a class of this machine, and return what is known of the program."""
    person = owner(opened, token, name)
    check_quota(opened, person)
    given = opened.settings
    package = package_path(path, given.game, given.kibibytes << 10, given.files)
    made = keep(opened, person, package)
    while wait and made.state == WAITING:
        time.sleep(WAIT)
        made = find_program(opened, made.id)
    found = check_result(opened, made, person)
    facts = {"person": person.name, "program": made.id, "name": made.name, "state": found.state}
    return {**facts, "reason": found.reason, "output": found.output}


def owner(opened: Classroom, token: str | None, name: str | None) -> Person:
    """Return whose program it is, by name or token."""
    if name:
        return person_named(opened, name)
    found = person_of_token(opened, token) if token else None
    if found is None:
        raise ValueError("whose program is it? --as NAME says so, or --token")
    return found


def show_state(found: dict[str, Any]) -> None:
    """Print what is known of a program that was handed in."""
    words_of = {"waiting": "waits to be checked", "valid": "is valid and plays"}
    state = words_of.get(found["state"], "was refused")
    console.say(f"handed in for {found['person']}: {found['name']} {state}")
    if found.get("reason"):
        console.say(found["reason"])
    if found.get("output"):
        console.say(f"it printed:\n{found['output'].rstrip()}")
