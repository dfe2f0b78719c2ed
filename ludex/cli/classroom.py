"""`ludex class`: make a class, set what it allows, and see what it does."""

from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from ludex.classroom.classroom import Classroom, new_class, open_class
from ludex.classroom.facts import program_facts
from ludex.classroom.jobs import MATCH, Job, failed_jobs, running_jobs
from ludex.classroom.people import people_of
from ludex.classroom.programs import CHECK, REFUSED, WAITING, names_of, programs_of, refusal
from ludex.classroom.settings import time_text
from ludex.cli import console, options, words
from ludex.cli.classroom_people import hand_in, people
from ludex.cli.classroom_play import final, ladder, repeat, results, serve, work
from ludex.cli.scores import cell_facts
from ludex.core.variants import read_pairs, read_toml
from ludex.io.text import many, nearest, seconds_text

SHOWN = 5  # of the worst mistakes
UNSET = {"clock": "that of the game", "deadline": "none", "rules": "those of the game"}
FOLDER = click.argument("place", metavar="CLASS")


@click.group()
def classroom() -> None:
    """Run the ladder of a class, whose programs play day and night.

    CLASS is the folder of a class, or the URL of its database.

    \b
    ludex class new ai --game trap
    ludex class people ai --csv students.csv --out links.csv
    ludex class serve ai
    """


for command in (people, hand_in, serve, work, ladder, final, repeat, results):
    classroom.add_command(command)


def settings_options(command: options.Command) -> options.Command:
    """Add the options of what can be set for a class to a command."""
    for name, kind, text in reversed(
        (
            (
                "clock",
                str,
                "Time control of the programs, such as turn=2, or game for the game's own.",
            ),
            ("deadline", str, "End of hand-ins, such as 2026-12-01T18:00 (UTC), or none."),
            ("matches", options.POSITIVE, "Matches of each program on the ladder; 400."),
            ("daily", options.POSITIVE, "Hand-ins of a person within 24 hours; 20."),
            ("kibibytes", options.POSITIVE, "Size of a hand-in in KiB; 1024."),
            ("files", options.POSITIVE, "Files of a hand-in; 100."),
        )
    ):
        command = click.option(f"--{name}", type=kind, help=text)(command)
    command = click.option("--guests/--no-guests", default=None, help="Let everybody watch.")(
        command
    )
    return click.option(
        "--house",
        type=words.AGENT,
        multiple=True,
        metavar="AGENT",
        help="A house agent, the first one at 0 Elo; random and the levels of the game.",
    )(command)


def given_settings(given: dict[str, Any]) -> dict[str, Any]:
    """Return the settings that were given as options."""
    found = {key: value for key, value in given.items() if value not in (None, ())}
    return found | ({"house": list(given["house"])} if given["house"] else {})


@classroom.command()
@click.argument("folder", type=options.PATH)
@click.option("--game", type=words.GAME, required=True, help="The game that is played.")
@options.rules
@settings_options
@options.db
@click.option("--seed", type=options.SEED, help="Seed, which stays secret; a random one.")
@options.as_json
def new(
    folder: Path,
    game: str,
    pairs: tuple[str, ...],
    file: Path | None,
    db: str | None,
    seed: int | None,
    **given: Any,
) -> None:
    """Make a class in a new folder.

    \b
    ludex class new ai --game trap
    ludex class new ai --game nuts --rule nuts=31 --house random --house medium
    ludex class new ai --game trap --db postgresql://ludex@db/ai
    """
    rules = (read_toml(file) if file else {}) | read_pairs(pairs)
    made = new_class(folder, game, rules, db or "", seed, **given_settings(given))
    facts = {"class": made.name, "settings": made.settings.as_json()}
    console.emit(facts, show_new, made, folder)


def show_new(made: Classroom, folder: Path) -> None:
    """Print what was made, and what comes next."""
    house = ", ".join(made.settings.house)
    console.say(f"the class {made.name} plays {made.settings.game}; house agents: {house}")
    console.say(f"next: ludex class people {folder} --add NAME, and ludex class serve {folder}")


@classroom.command("set")
@FOLDER
@settings_options
@options.as_json
def change(place: str, **given: Any) -> None:
    """Show or change the settings of a class.

    \b
    ludex class set ai --deadline 2026-12-01T18:00
    ludex class set ai --matches 1000 --no-guests
    """
    opened = open_class(place)
    changes = given_settings(given)
    if changes:
        opened.change(**changes)
    console.emit(opened.settings.as_json(), show_settings)


def show_settings(facts: dict[str, Any]) -> None:
    """Print the settings of a class."""
    table = console.table("setting", "value")
    for name, value in facts.items():
        table.add_row(name, setting_text(name, value))
    console.show(table)


def setting_text(name: str, value: Any) -> str:
    """Return a setting for people."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(value)
    if name == "deadline" and value:
        return time_text(value)
    text = rules_text(value) if isinstance(value, dict) else str(value)
    return text or UNSET.get(name, "")


def rules_text(rules: dict[str, str]) -> str:
    """Return changed rules as text."""
    return " ".join(f"{key}={value}" for key, value in rules.items())


@classroom.command()
@FOLDER
@click.argument("name")
@options.as_json
def program(place: str, name: str) -> None:
    """Show what is known of a program.

    Whether it plays, or why it was refused; results by opponent, endings, time and mistakes.

    \b
    ludex class program ai "Ann #3"
    """
    opened = open_class(place)
    known = {one.name: one for one in programs_of(opened)}
    if name not in known:
        raise ValueError(f"there is no program {name!r}{nearest(name, known)}")
    this = known[name]
    found = program_facts(opened, this.id)
    results = [
        {"opponent": found.opponents[one], **cell}
        for one, tally in found.results.items()
        if (cell := cell_facts(tally))
    ]
    worst = [one._asdict() for one in found.worst]
    stands = {"state": this.state, "playing": this.playing, "reason": refusal(opened, this)}
    facts = {**found._asdict(), **stands, "results": results, "worst": worst}
    console.emit(facts, show_program)


def state_line(facts: dict[str, Any]) -> str:
    """Return how a program stands, and why it was refused."""
    if facts["playing"]:
        return "valid, and plays on the ladder"
    words = {WAITING: "waits to be checked", REFUSED: "was refused"}
    line = words.get(facts["state"], "valid, and does not play on the ladder")
    return f"{line}: {facts['reason']}" if facts["reason"] else line


def show_program(facts: dict[str, Any]) -> None:
    """Print what is known of a program."""
    console.say(state_line(facts))
    if facts["results"]:
        show_results(facts)
    if facts["faults"]:
        console.say(f"lost by breaking the rules: {counts_text(facts['faults'])}")
    if facts["decisions"]:
        each = seconds_text(facts["seconds"] / facts["decisions"])
        most = seconds_text(facts["slowest"])
        console.say(f"time: {each} for a decision, at most {most} for a match")
    if facts["analysed"]:
        counted = [many(count, name) for name, count in facts["mistakes"].items()]
        errors = ", ".join(counted) or "no errors"
        console.say(f"{errors} in {many(facts['analysed'], 'analysed match')}")
    for one in facts["worst"][:SHOWN]:
        what = f"{one['move']} instead of {one['best']} lost {one['loss']:.2f}"
        console.say(f"match {one['job']}/{one['number']}, move {one['ply']}: {what}")


def show_results(facts: dict[str, Any]) -> None:
    """Print the results of a program by opponent, and how its matches ended."""
    table = console.table("opponent", "won", "drawn", "lost")
    for one in facts["results"]:
        counts = (str(one[name]) for name in ("wins", "draws", "losses"))
        table.add_row(escape(one["opponent"]), *counts)
    console.show(table)
    console.say(f"endings: {counts_text(facts['endings'])}")


def counts_text(counts: dict[str, int]) -> str:
    """Return counts by name as text."""
    return ", ".join(f"{count} {name}" for name, count in counts.items())


@classroom.command()
@FOLDER
@options.as_json
def status(place: str) -> None:
    """Show hand-ins, running jobs, and jobs that failed.

    \b
    ludex class status ai
    """
    opened = open_class(place)
    names = names_of(opened)
    handed_in = [one for one in programs_of(opened) if one.person is not None]
    facts = {
        "class": opened.name,
        "game": opened.settings.game,
        "deadline": opened.settings.deadline or None,
        "people": len(people_of(opened)),
        "hand-ins": len(handed_in),
        "waiting": sum(one.state == WAITING for one in handed_in),
        "playing": sum(one.playing for one in handed_in),
        "running": [job_facts(one, names) for one in running_jobs(opened)],
        "failed": [job_facts(one, names) for one in failed_jobs(opened)],
    }
    console.emit(facts, show_status)


def job_facts(job: Job, names: dict[int, str]) -> dict[str, Any]:
    """Return a job as JSON."""
    of = {CHECK: [job.one], MATCH: [job.one, job.other]}.get(job.kind, [])
    facts = {"job": job.id, "kind": job.kind, "programs": [names[one] for one in of]}
    return {**facts, "tries": job.tries, "worker": job.worker, "reason": job.reason}


def show_status(facts: dict[str, Any]) -> None:
    """Print what a class is doing."""
    deadline = f"; the deadline is {time_text(facts['deadline'])}" if facts["deadline"] else ""
    console.say(f"{facts['class']} plays {facts['game']}{deadline}")
    counts = f"{facts['waiting']} wait to be checked, {facts['playing']} play"
    console.say(f"{many(facts['hand-ins'], 'hand-in')}: {counts}")
    for kind in ("running", "failed"):
        for job in facts[kind]:
            of = f" of {' and '.join(job['programs'])}" if job["programs"] else ""
            console.say(f"{kind}: {job['kind']}{of}{': ' * bool(job['reason'])}{job['reason']}")
