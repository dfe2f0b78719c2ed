"""Reports: what an experiment has found, as one HTML page that needs nothing else, and Markdown."""

from pathlib import Path
from typing import Any

from markupsafe import Markup

from ludex.files import write_text
from ludex.lab.blocks import Block, File, Heading, Paragraph, Plot, Table
from ludex.lab.kinds import KINDS
from ludex.lab.running import Outcome
from ludex.template import filled

PAGE, TEXT = "report.html", "report.md"
TEMPLATE = Path(__file__).with_name("report.html")


def blocks_of(outcome: Outcome) -> list[Block]:
    """Return all of a report but its head."""
    experiment = outcome.experiment
    kind = KINDS[experiment.kind]
    return [*kind.blocks(experiment, outcome.known), *repeating(outcome)]


def repeating(outcome: Outcome) -> list[Block]:
    """Return what somebody needs who wants to see it for themselves."""
    experiment = outcome.experiment
    kind = KINDS[experiment.kind]
    facts = [("command", f"ludex lab run {experiment.name}.toml"), ("seed", str(experiment.seed))]
    facts += [("Ludex", ", ".join(outcome.sources))]
    facts += [(name, text) for name, text in outcome.facts.items()]
    how = "one at a time, because time was measured" if kind.TIMED else "several at a time"
    facts.append(("tasks", f"{len(outcome.known):,}, {how}"))
    name = f"{experiment.name}.toml"
    return [
        Heading("To repeat it"),
        Paragraph(
            f"The file {name} beside this page is the order; the same seed gives the same"
            " matches, and only times differ."
        ),
        Table("", ("what", "is"), facts),
        File(name, experiment.toml()),
    ]


def html(outcome: Outcome, blocks: list[Block]) -> str:
    """Return the page."""
    parts: list[tuple[str, Any]] = []
    for block in blocks:
        kind = type(block).__name__.lower()
        if isinstance(block, Plot):
            block = block._replace(svg=Markup(block.svg))
        parts.append((kind, block))
    return filled(TEMPLATE, experiment=outcome.experiment, parts=parts)


def markdown(outcome: Outcome, blocks: list[Block]) -> str:
    """Return the report as Markdown; its plots and files lie beside it."""
    lines = [f"# {outcome.experiment.title}", ""]
    if outcome.experiment.about:
        lines += [outcome.experiment.about, ""]
    for block in blocks:
        match block:
            case Heading(text):
                lines += [f"## {text}", ""]
            case Paragraph(text):
                lines += [text, ""]
            case Plot(name, _, caption):
                lines += [f"![{caption}]({name}.svg)", ""]
            case File(name, content):
                lines += ["```toml", f"# {name}", content.rstrip(), "```", ""]
            case Table():
                lines += [*([block.caption, ""] if block.caption else []), *rows_of(block), ""]
    return "\n".join(lines).rstrip() + "\n"


def rows_of(table: Table) -> list[str]:
    """Return a table as Markdown."""
    shown = ["| " + " | ".join(table.columns) + " |"]
    shown.append("| " + " | ".join("--:" if n else "---" for n in table.numeric()) + " |")
    for place, row in enumerate(table.rows):
        cells = (cell.replace("|", "\\|") for cell in row)
        marked = (f"**{cell}**" if cell and place in table.bold else cell for cell in cells)
        shown.append("| " + " | ".join(marked) + " |")
    return shown


def write_report(outcome: Outcome, folder: Path) -> Path:
    """Write page, text, plots and files into a folder, and return the page."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = blocks_of(outcome)
    for block in blocks:
        if isinstance(block, Plot):
            write_text(folder / f"{block.name}.svg", f'<?xml version="1.0"?>\n{block.svg}')
        elif isinstance(block, File):
            write_text(folder / block.name, block.content)
    write_text(folder / TEXT, markdown(outcome, blocks))
    write_text(folder / PAGE, html(outcome, blocks))
    return folder / PAGE


def facts_of(outcome: Outcome) -> dict[str, Any]:
    """Return a report for programs: its tables by their captions, and how to repeat it."""
    experiment = outcome.experiment
    tables = [block for block in blocks_of(outcome) if isinstance(block, Table)]
    return {
        "name": experiment.name,
        "kind": experiment.kind,
        "game": experiment.game,
        "seed": experiment.seed,
        "tasks": len(outcome.known),
        "tables": [
            {"caption": one.caption, "columns": one.columns, "rows": one.rows} for one in tables
        ],
    }
