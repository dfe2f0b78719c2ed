"""`ludex verify`: verify kept solutions by the rules alone."""

import sys
from pathlib import Path

import click

from ludex.cli import console, options, words
from ludex.library.progress import progress_bar
from ludex.library.verification import is_file, verify_kept, verify_named
from ludex.solve.verification.verification import Verification


@click.command()
@click.argument("what", type=words.GAME, nargs=-1, required=True, metavar="GAME|FILE...")
@options.rules
@options.one_position
@click.option(
    "--file", "other", type=options.PATH, help="Verify this file, instead of the kept one."
)
@options.as_json
def verify(
    what: tuple[str, ...],
    pairs: tuple[str, ...],
    file: Path | None,
    given: str | None,
    other: Path | None,
) -> None:
    """Verify kept solutions by the rules alone.

    Every value is compared with what the rules say, without the code that enumerated and
    solved the game. What to verify is a game whose solution ludex solve has kept, or such a file.
    If something is wrong, one line says what, and the exit code is 1.

    \b
    ludex verify droids --rule rounds=10
    ludex verify solutions/*.npz
    ludex verify examples/tictactoe.py --file tictactoe.npz --json
    """
    files = [one for one in what if is_file(one)]
    if files and (pairs or file or given or other):
        raise ValueError(f"{files[0]!r} names its rules and position: expected no options for them")
    if other and len(what) > 1:
        raise ValueError("--file: expected one game")
    console.announce_compiling()
    faulty = False
    for one in what:
        with progress_bar() as tell:
            if is_file(one):
                found = verify_named(Path(one), tell)
            else:
                rules = options.chosen_rules(one, pairs, file)
                found = verify_kept(rules, options.start_state(rules, given), other, tell)
        console.emit({"ok": not found.fault} | found._asdict(), show, found)
        faulty = faulty or bool(found.fault)
    sys.exit(1 if faulty else 0)


def show(found: Verification) -> None:
    """Print what was verified, or what is wrong on standard error."""
    if found.fault:
        console.warn(f"ludex: {found.fault}")
    else:
        console.say(f"{found.game} from {found.position}: {found.text}")
