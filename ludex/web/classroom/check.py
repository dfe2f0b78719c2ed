"""What the check of a program has found, for its owner."""

import html

from ludex.classroom.classroom import VALID
from ludex.classroom.programs import REFUSED, WAITING, CheckResult, Program
from ludex.web.state.public_text import hide_paths

STATES = {WAITING: "waits to be checked", VALID: "valid", REFUSED: "refused"}


def state_text(program: Program) -> str:
    """Return how a program stands."""
    return "valid, and plays" if program.playing else STATES[program.state]


def check_html(found: CheckResult) -> str:
    """Return why a program was refused, and what it printed."""
    reason = f"<p><b>{html.escape(hide_paths(found.reason))}</b></p>" if found.reason else ""
    if not found.output:
        return reason
    output = html.escape(hide_paths(found.output))
    opened = " open" * (found.state == REFUSED)
    return (
        f'{reason}<details class="lx-folder"{opened}><summary>What it printed</summary>'
        f'<pre class="lx-output" tabindex="0">{output}</pre></details>'
    )
