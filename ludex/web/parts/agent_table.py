"""The agents that come with Ludex, as a table."""

import html
from typing import Any

from ludex.agents.registry import LEVELS
from ludex.core.rules import Rules, levels_of
from ludex.library.player import available_agents
from ludex.web.parts.html_table import html_table
from ludex.web.state.catalogue import agents_for


def agent_table(rules: Rules) -> str:
    """Return the levels of a game and the agents that can play it, with their options."""
    levels, able = levels_of(rules), agents_for(rules)
    rows = [
        (f"<b>{name}</b>", f"A level of this game: {html.escape(levels[name])}", "")
        for name in LEVELS
        if name in levels
    ]
    rows += [
        (f"<b>{one['agent']}</b>", html.escape(one["text"]), options_html(one["options"]))
        for one in available_agents()
        if one["agent"] in able
    ]
    return html_table(("agent", "what it is", "options and defaults"), rows)


def options_html(options: dict[str, dict[str, Any]]) -> str:
    """Return the options of an agent as they are typed, each with a tooltip that explains it."""
    return ", ".join(
        f'<span class="lx-mono" title="{html.escape(one["text"])}: {html.escape(one["range"])}">'
        f"{key}{'=' * bool(one['default'])}{html.escape(one['default'])}</span>"
        for key, one in options.items()
    )
