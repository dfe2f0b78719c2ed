"""Options shared by commands that read past matches: which match, and from where."""

import click

db_option = click.option(
    "--db",
    metavar="URL",
    help="Another store: a file, sqlite:///FILE, or postgresql://… (needs the extra postgresql).",
)
match_option = click.option(
    "--match", "number", type=click.IntRange(min=1), metavar="N", help="Record of the file."
)
