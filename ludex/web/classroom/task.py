"""What the programs of a class are to play: the game, its changed rules, the time, an example."""

import html

from ludex.classroom.settings import Settings
from ludex.core.rules import Rules, clock, title
from ludex.core.time_control import clock_words, read_clocks
from ludex.web.parts import layout
from ludex.web.parts.manual import collapsible, how_to_play_html
from ludex.web.parts.program_example import NEEDS, example_program
from ludex.web.state.catalogue import texts_of


def add_task(rules: Rules, settings: Settings) -> None:
    """Add what a student needs to know in order to write a program."""
    with layout.sheet().style("margin-top: 1rem"):
        layout.heading(title(rules), 2)
        layout.note(task_text(rules, settings.clock))
        collapsible("How to play", how_to_play_html(rules))
        example = html.escape(example_program(rules))
        words = f"<p>{html.escape(NEEDS)}</p>"
        source = f'<pre class="lx-output" tabindex="0">{example}</pre>'
        collapsible("A program that plays at random", source + words)


def task_text(rules: Rules, given: str) -> str:
    """Return the changed rules and the time of a program; `given` is the clock of the class."""
    changed = ", ".join(f"{key} = {value}" for key, value in texts_of(rules))
    time = clock_words(read_clocks(given or clock(rules)))
    return f"Rules: {changed or 'those of the game'}. Time to think: {time}."
