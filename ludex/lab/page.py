"""Reports of experiments, as one self-contained HTML page and as Markdown."""

import math
from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup

from ludex.core.rules import version_of
from ludex.core.variants import rule_changes
from ludex.games import find, is_path
from ludex.io.files import write_text
from ludex.io.table import Table
from ludex.io.template import render_template
from ludex.io.text import many
from ludex.lab.experiment_file import reductions, shipped_original, size_share
from ludex.lab.kinds import KINDS
from ludex.lab.report.blocks import Block, File, Heading, Paragraph, Plot, ReportTable
from ludex.lab.run.series import percentage
from ludex.lab.runner import LabOutcome
from ludex.lab.spec import game_file
from ludex.lab.spec.experiment import Experiment, Setting

PAGE, TEXT = "report.html", "report.md"
LONG = 20  # rows of a table that a notebook folds
RULES_MAX = 24  # listed one by one; a pattern may change hundreds
SIZE_NOUNS = {
    "matches": "match",
    "positions": "position",
    "trials": "trial",
    "confirm": "confirming match",
}
"""What the settings count that a scale reduces."""
TEMPLATE = Path(__file__).with_name("page.html")


def report_blocks(outcome: LabOutcome) -> list[Block]:
    """Return the blocks of a report, after its title."""
    return [*finding_blocks(outcome), *reproduction_blocks(outcome)]


def finding_blocks(outcome: LabOutcome) -> list[Block]:
    """Return the blocks that say what was found, without those needed to reproduce it."""
    kind = KINDS[outcome.experiment.kind]
    return [
        *size_blocks(outcome.experiment),
        *rule_blocks(outcome.experiment),
        *kind.blocks(outcome.experiment, outcome.known),
    ]


def size_blocks(experiment: Experiment) -> list[Block]:
    """Say that an experiment was run at a reduced size, if it was."""
    full = shipped_original(experiment)
    reduced = reductions(experiment, full) if full else {}
    if not reduced:
        return []
    keys = KINDS[experiment.kind].KEYS
    sizes = ", ".join(reduction_text(key, keys[key], *one) for key, one in reduced.items())
    share = percentage(size_share(reduced), 0 if size_share(reduced) > 0.01 else 1)
    return [Paragraph(f"A reduced run, about {share} % of the full experiment: {sizes}.")]


def reduction_text(key: str, setting: Setting, size: int, whole: int) -> str:
    """Return a reduced size with the full one, and why it is no smaller if it cannot be."""
    text = f"{many(size, SIZE_NOUNS[key])} instead of {whole:,}"
    if size > max(setting.low, 1):
        return text
    return f"{text} (at least {size} {'is' if size == 1 else 'are'} needed)"


def rule_blocks(experiment: Experiment) -> list[Block]:
    """List the changed rules, if any."""
    rules = experiment.variant()
    changes = rule_changes(type(rules)(), rules)
    if not changes:
        return []
    named = changes if len(changes) <= RULES_MAX else experiment.rules
    listed = ", ".join(f"{key} {value}" for key, value in named.items())
    name = game_file.short_name(experiment.game)
    return [Paragraph(f"By changed rules of {name}: {listed}. “As it is” means these.")]


def reproduction_blocks(outcome: LabOutcome) -> list[Block]:
    """Report what is needed to reproduce the experiment."""
    experiment = outcome.experiment
    name, how = f"{experiment.name}.toml", "side by side where there are several processes"
    if KINDS[experiment.kind].TIMED:
        how = "one at a time, because time was measured"
    facts = [
        ("command", f"ludex lab run {name}"),
        ("seed", str(experiment.seed)),
        ("game", game_text(experiment.game)),
        ("Ludex", ", ".join(outcome.sources)),
        *outcome.facts.items(),
        ("tasks", f"{len(outcome.known):,}, {how}"),
    ]
    with_game = "; the file of the game belongs beside it" if is_path(experiment.game) else ""
    return [
        Heading("To reproduce it"),
        Paragraph(
            f"The file {name} below specifies the experiment{with_game}; the same"
            " seed gives the same matches, and only times differ."
        ),
        ReportTable("", ("item", "value"), facts),
        File(name, experiment.toml()),
    ]


def game_text(game: str) -> str:
    """Return the game, the version of its rules, and the hash of its file if it has one."""
    text = f"{game_file.short_name(game)}, rules version {version_of(find(game))}"
    mark = game_file.fingerprint(game)
    return f"{text}, sha256 {mark}" if mark else text


def html(outcome: LabOutcome, blocks: list[Block]) -> str:
    """Return the report as an HTML page."""
    parts = [(type(one).__name__.lower(), one) for one in blocks]
    return render_template(TEMPLATE, experiment=outcome.experiment, parts=parts, Markup=Markup)


def notebook_html(outcome: LabOutcome) -> str:
    """Return what was found as HTML for a notebook, with long tables folded."""
    parts = [f"<h3>{escape(outcome.experiment.title)}</h3>"]
    for block in finding_blocks(outcome):
        match block:
            case Heading(text):
                parts.append(f"<h4>{escape(text)}</h4>")
            case Paragraph(text):
                parts.append(f"<p>{escape(text)}</p>")
            case Plot():
                parts.append(f'<div style="max-width: 48em">{block.drawing.wide}</div>')
                parts.append(f"<p><small>{escape(block.caption)}</small></p>")
            case ReportTable():
                rows = (dict(zip(block.columns, row, strict=True)) for row in block.rows)
                table, caption = Table(rows)._repr_html_(), escape(block.caption)
                folded = f"<details><summary>{caption}</summary>{table}</details>"
                fold = block.folded or len(block.rows) > LONG
                parts.append(folded if fold else f"<p>{caption}</p>{table}")
    return "\n".join(parts)


def markdown(outcome: LabOutcome, blocks: list[Block]) -> str:
    """Return the report as Markdown that links to its plots."""
    lines = [f"# {escape_markdown(outcome.experiment.title)}", ""]
    if outcome.experiment.about:
        lines += [escape_markdown(outcome.experiment.about), ""]
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
            case ReportTable():
                lines += [
                    *([block.caption, ""] if block.caption else []),
                    *markdown_rows(block),
                    "",
                ]
    return "\n".join(lines).rstrip() + "\n"


def escape_markdown(text: str) -> str:
    """Escape a text so that Markdown renders no tags in it."""
    return text.replace("&", "&amp;").replace("<", "&lt;")


def markdown_rows(table: ReportTable) -> list[str]:
    """Return a table as lines of Markdown."""
    shown = ["| " + " | ".join(table.columns) + " |"]
    shown.append("| " + " | ".join("--:" if n else "---" for n in table.numeric()) + " |")
    for place, row in enumerate(table.rows):
        cells = (cell.replace("|", "\\|") for cell in row)
        marked = (f"**{cell}**" if cell and place in table.bold else cell for cell in cells)
        shown.append("| " + " | ".join(marked) + " |")
    return shown


def write_report(outcome: LabOutcome, folder: Path) -> Path:
    """Write the report with its plots and files into a folder, and return the page."""
    folder.mkdir(parents=True, exist_ok=True)
    blocks = report_blocks(outcome)
    game_file.copy_files(outcome.experiment.game, folder)
    for block in blocks:
        if isinstance(block, Plot):
            write_text(folder / f"{block.name}.svg", f'<?xml version="1.0"?>\n{block.drawing.wide}')
        elif isinstance(block, File):
            write_text(folder / block.name, block.content)
    write_text(folder / TEXT, markdown(outcome, blocks))
    write_text(folder / PAGE, html(outcome, blocks))
    return folder / PAGE


def report_facts(outcome: LabOutcome) -> dict[str, Any]:
    """Return a report as JSON: its tables, with texts in `rows` and numbers in `facts`."""
    experiment = outcome.experiment
    tables = [block for block in report_blocks(outcome) if isinstance(block, ReportTable)]
    shown = ("caption", "columns", "rows", "facts")
    return {
        **{name: getattr(experiment, name) for name in ("name", "kind", "game", "seed")},
        "tasks": len(outcome.known),
        "tables": [{name: json_safe(getattr(one, name)) for name in shown} for one in tables],
    }


def json_safe(value: Any) -> Any:
    """Replace numbers that JSON cannot represent by None."""
    if isinstance(value, dict):
        return {key: json_safe(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(one) for one in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
