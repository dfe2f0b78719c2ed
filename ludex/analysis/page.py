"""An analysis as one self-contained HTML page."""

from pathlib import Path

from markupsafe import Markup

from ludex.analysis.decisions import Analysis
from ludex.core.play import choosers, read_state
from ludex.core.rules import Rules, State, scene, seat_name, seats, title
from ludex.io.figure import SvgFigure
from ludex.io.template import render_template
from ludex.match.record import end_text, replay_states
from ludex.render.svg import svg

TEMPLATE = Path(__file__).with_name("page.html")
PICTURES_MAX = 6  # of the worst errors
# Of the seats: safe for the colour-blind, and distinguished by shape.
COLOURS, MARKERS = ("#2E6FD0", "#C4621A", "#2F9E5B", "#7A4FB5"), "ovs^"


def page(analysis: Analysis) -> str:
    """Return an analysis as an HTML page."""
    record = analysis.record
    rules, line = replay_states(record)
    names = [seat_name(rules, seat) for seat in range(seats(rules))]
    ranked = sorted((one for one in analysis.decisions if one.name), key=lambda one: -one.loss)
    pictures = [
        (one, Markup(svg(scene(rules, read_state(rules, one.position)), one.position)))
        for one in ranked[:PICTURES_MAX]
    ]
    return render_template(
        TEMPLATE,
        analysis=analysis,
        record=record,
        title=title(rules),
        names=names,
        rules=", ".join(f"{key}={value}" for key, value in record.rules.items()),
        ending=end_text(rules, record),
        totals=totals(analysis),
        moves=list(zip((movers(rules, state) for state in line), analysis.labels, strict=False)),
        course=Markup(value_plot(analysis, names)),
        pictures=pictures,
    )


def movers(rules: Rules, state: State) -> str:
    """Return who moves in a state."""
    return " and ".join(seat_name(rules, seat) for seat in choosers(rules, state)) or "chance"


def totals(analysis: Analysis) -> list[tuple[str, list[str]]]:
    """Return the rows of the table of totals: a name, and a text for each seat."""
    table = analysis.totals
    rows = zip(table.columns, *table.texts, strict=True)
    return [(name, [text or "-" for text in texts]) for name, *texts in rows][1:]


def value_plot(analysis: Analysis, names: list[str]) -> str:
    """Plot the value of each state to seat 0 as SVG, with the errors marked."""
    figure = SvgFigure(figsize=(9.0, 3.2), layout="constrained")
    axes = figure.subplots()
    axes.axhline(0.0, color="#98A1B3", linewidth=0.8)
    axes.step(range(len(analysis.course)), analysis.course, where="post", color="#22304A")
    for seat, name in enumerate(names):
        errors = [one for one in analysis.decisions if one.seat == seat and one.name]
        plies = [one.ply - 1 for one in errors]
        values = [analysis.course[ply] for ply in plies]
        sizes = [24.0 + 200.0 * min(one.loss, 1.0) for one in errors]
        marker, colour = MARKERS[seat % len(MARKERS)], COLOURS[seat % len(COLOURS)]
        label = f"errors of {name}"
        axes.scatter(plies, values, s=sizes, color=colour, marker=marker, label=label, zorder=3)
    axes.set(xlabel="moves", ylabel=f"value to {names[0]}", ylim=(-1.08, 1.08), xlim=(0, None))
    axes.grid(alpha=0.25)
    axes.legend(loc="upper left", bbox_to_anchor=(0.0, 1.16), ncols=len(names), frameon=False)
    return figure.svg()
