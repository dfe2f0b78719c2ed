"""Reports of experiments, as one self-contained HTML page and as Markdown."""

import math
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ludex.core.rules import version_of
from ludex.core.variants import changed
from ludex.games import find
from ludex.io.files import write_text
from ludex.io.template import filled
from ludex.lab.kinds import KINDS
from ludex.lab.report.blocks import Block, File, Heading, Paragraph, Plot, Table
from ludex.lab.runner import Outcome
from ludex.lab.spec import game_file

PAGE, TEXT = "report.html", "report.md"
MOST_RULES = 24  # that are named one by one; a pattern may change hundreds
TEMPLATE = Path(__file__).with_name("page.html")


def blocks_of(outcome: Outcome) -> list[Block]:
    """Return all of a report but its head."""
    experiment = outcome.experiment
    kind = KINDS[experiment.kind]
    said = [*changed_rules(outcome), *kind.blocks(experiment, outcome.known)]
    return [*said, *repeating(outcome)]


def changed_rules(outcome: Outcome) -> list[Block]:
    """Return by which rules was played, if they are not those of the game."""
    experiment = outcome.experiment
    rules = experiment.variant()
    told = changed(type(rules)(), rules)
    if not told:
        return []
    listed = ", ".join(f"{key} {value}" for key, value in told.items())
    if len(told) > MOST_RULES:
        listed = ", ".join(f"{key} {value}" for key, value in experiment.rules.items())
    name = game_file.short_name(experiment.game)
    return [Paragraph(f"By changed rules of {name}: {listed}. “As it is” means these.")]


def repeating(outcome: Outcome) -> list[Block]:
    """Return what somebody needs who wants to see it for themselves."""
    experiment = outcome.experiment
    kind = KINDS[experiment.kind]
    facts = [("command", f"ludex lab run {experiment.name}.toml"), ("seed", str(experiment.seed))]
    facts += [("game", game_text(experiment.game))]
    facts += [("Ludex", ", ".join(outcome.sources))]
    facts += [(name, text) for name, text in outcome.facts.items()]
    how = (
        "one at a time, because time was measured"
        if kind.TIMED
        else "side by side where there are several processes"
    )
    facts.append(("tasks", f"{len(outcome.known):,}, {how}"))
    name = f"{experiment.name}.toml"
    with_game = ", and the game lies there too" if game_file.is_file(experiment.game) else ""
    return [
        Heading("To repeat it"),
        Paragraph(
            f"The file {name} beside this page is the order{with_game}; the same seed gives the"
            " same matches, and only times differ."
        ),
        Table("", ("what", "is"), facts),
        File(name, experiment.toml()),
    ]


def game_text(game: str) -> str:
    """Return which game it is: the version of its rules, and a hash of one from a file."""
    said = f"{game_file.short_name(game)}, rules version {version_of(find(game))}"
    mark = game_file.fingerprint(game)
    return f"{said}, sha256 {mark}" if mark else said


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
    lines = [f"# {plain(outcome.experiment.title)}", ""]
    if outcome.experiment.about:
        lines += [plain(outcome.experiment.about), ""]
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


def plain(text: str) -> str:
    """Return words so that Markdown shows them as they are, also what looks like a tag."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


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
    game_file.copy_beside(outcome.experiment.game, folder)
    for block in blocks:
        if isinstance(block, Plot):
            write_text(folder / f"{block.name}.svg", f'<?xml version="1.0"?>\n{block.svg}')
        elif isinstance(block, File):
            write_text(folder / block.name, block.content)
    write_text(folder / TEXT, markdown(outcome, blocks))
    write_text(folder / PAGE, html(outcome, blocks))
    return folder / PAGE


def facts_of(outcome: Outcome) -> dict[str, Any]:
    """Return a report for programs: its tables by their captions, and how to repeat it.

    The rows are texts as people see them; the facts are the numbers in them.
    """
    experiment = outcome.experiment
    tables = [block for block in blocks_of(outcome) if isinstance(block, Table)]
    return {
        "name": experiment.name,
        "kind": experiment.kind,
        "game": experiment.game,
        "seed": experiment.seed,
        "tasks": len(outcome.known),
        "tables": [
            {
                "caption": one.caption,
                "columns": one.columns,
                "rows": one.rows,
                "facts": finite(one.facts),
            }
            for one in tables
        ],
    }


def finite(value: Any) -> Any:
    """Return facts in which a number that JSON cannot hold is None."""
    if isinstance(value, dict):
        return {key: finite(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
