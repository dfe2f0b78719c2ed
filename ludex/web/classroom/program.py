"""The page of a program: results by opponent, endings, time used and typical mistakes."""

import html

from nicegui import ui

from ludex.classroom.facts import Mistake, ProgramFacts, program_facts
from ludex.classroom.ladder import rating_history
from ludex.classroom.matches import matches_of
from ludex.classroom.programs import Program, check_result, find_program, may_read, source_files
from ludex.io.text import many, seconds_text, signed
from ludex.web.classroom.charts import Line, history_chart
from ludex.web.classroom.check import check_html, state_text
from ludex.web.classroom.links import match_address, program_address, program_link
from ludex.web.classroom.match_table import ending_text, match_table
from ludex.web.classroom.visit import Visit
from ludex.web.parts import layout
from ludex.web.parts.html_table import html_table, table_box
from ludex.web.parts.numbers import interval_text, unsigned

LISTED = 20  # matches
SHOWN = 100_000  # characters of a source file
MISTAKES = ("position", "played", "best", "lost")
NOTHING = '<p class="lx-soft">Nothing yet.</p>'


async def show(visit: Visit) -> None:
    """Show what is known of a program."""
    program = await visit.read(find_program, visit.number("program"))
    facts = await visit.read(program_facts, program.id)
    past = await visit.read(rating_history, program.id)
    rows = await visit.read(matches_of, visit.person, program.id, LISTED)
    rated = [row for row in (await visit.desk.ladder.get()).rows if row.program == program]
    newest = rated[0] if rated else past[-1] if past else None
    with visit.frame(program.name):
        layout.heading(program.name)
        layout.lead(lead_text(program))
        if newest:
            words = f"{signed(newest.elo, 0)} Elo ({interval_text(newest.low, newest.high)})"
            layout.note(f"{words}, {many(facts_matches(facts), 'match')} on the ladder")
        if may_read(visit.person, program):
            await add_private(visit, program)
        with layout.div("lx-pair"):
            sheet("Results by opponent", results_html(facts))
            sheet("Endings and time", endings_html(facts))
        sheet("Typical mistakes", mistakes_html(facts))
        line = Line(program.name, past, program_address(program.id))
        sheet("History", history_chart([line], band=True))
        sheet("Latest matches", match_table(rows) if rows else NOTHING)


def lead_text(program: Program) -> str:
    """Return what kind of program it is, and whether it plays."""
    if program.person is None:
        return "A house agent: an anchor of known strength."
    plays = "plays on the ladder" if program.playing else "does not play on the ladder"
    return f"Version {program.number}, handed in {layout.ago(program.began)}; it {plays}."


def sheet(title: str, content: str) -> None:
    """Add a section."""
    with layout.sheet():
        layout.heading(title, 2)
        table_box(title, content)


async def add_private(visit: Visit, program: Program) -> None:
    """Add what only the owner and instructors may read: the check, and the source."""
    found = await visit.read(check_result, program, visit.person)
    files = await visit.read(source_files, program, visit.person)
    with layout.sheet().style("margin-top: 1rem"):
        layout.heading(f"The check: {state_text(program)}", 2)
        layout.note("Only the owner of a program and instructors see this.")
        ui.html(check_html(found) + sources_html(files), sanitize=False)


def sources_html(files: dict[str, bytes]) -> str:
    """Return source files, folded."""
    return "".join(
        f'<details class="lx-folder"><summary>{html.escape(name)}</summary>'
        f'<pre class="lx-output" tabindex="0">{html.escape(text[:SHOWN])}</pre></details>'
        for name, data in files.items()
        for text in [data.decode("utf-8", "replace")]
    )


def facts_matches(facts: ProgramFacts) -> int:
    """Return how many matches a program has played."""
    return sum(tally.matches for tally in facts.results.values())


def results_html(facts: ProgramFacts) -> str:
    """Return the points against each opponent, with their intervals."""
    rows = []
    for number, tally in facts.results.items():
        low, high = (f"{100 * end:.0f}" for end in tally.interval)
        share = f"<b>{100 * tally.share:.0f} %</b>"
        share += f' <span class="lx-soft lx-small lx-unbroken">{low} to {high}</span>'
        rows.append((program_link(number, facts.opponents[number]), share, tally.record()))
    return html_table(("opponent", "points", "won-drawn-lost"), rows) if rows else NOTHING


def endings_html(facts: ProgramFacts) -> str:
    """Return how matches ended, and the time used."""
    rows = [
        (html.escape(ending_text(ending)), str(count), str(facts.faults.get(ending, 0)))
        for ending, count in facts.endings.items()
    ]
    if not rows:
        return NOTHING
    each = seconds_text(facts.seconds / max(facts.decisions, 1))
    times = (
        f"<p>{many(facts.decisions, 'decision')}, {each} each on average;"
        f" at most {seconds_text(facts.slowest)} in a match.</p>"
    )
    return html_table(("ending", "matches", "its fault"), rows) + times


def mistakes_html(facts: ProgramFacts) -> str:
    """Return the mistakes by kind, and the worst of them with links into their matches."""
    if not facts.analysed:
        return '<p class="lx-soft">No match has been analysed yet.</p>'
    counts = [many(count, name) for name, count in facts.mistakes.items()]
    head = f"{', '.join(counts) or 'no mistakes'} in {many(facts.analysed, 'analysed match')}"
    rows = [mistake_cells(one) for one in facts.worst]
    table = html_table(MISTAKES, rows, "lx-mistakes") if rows else ""
    return f"<p>{html.escape(head)}</p>{table}"


def mistake_cells(one: Mistake) -> tuple[str, ...]:
    """Return the cells of a mistake, whose position is a link into the match."""
    address = match_address(one.job, one.number, one.ply - 1)
    link = f'<a href="{address}">{html.escape(one.position)}</a>'
    lost = f"{'' if one.exact else 'about '}{unsigned(one.loss)} ({html.escape(one.name)})"
    return (link, html.escape(one.move), html.escape(one.best), lost)
