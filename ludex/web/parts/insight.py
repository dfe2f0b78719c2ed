"""The evaluation of a position: every action with its value, mixed strategies, trees, agents."""

import html
import math
from collections.abc import Mapping
from typing import Any

from nicegui import ui

from ludex.analysis.evaluator import error_name
from ludex.core.rules import Rules, State, label, seat_name
from ludex.solve.evaluator import Evaluation
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.hat import hat
from ludex.web.parts.tree_view import TreeView
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery, explain_choice


class Insight:
    """The panels that evaluate a position."""

    def __init__(self, server: ServerState, game: str, rules: Rules) -> None:
        self.server, self.game, self.rules = server, game, rules
        self.query: PositionQuery | None = None
        self.chooser = 0
        with layout.sheet():
            layout.heading("What every move is worth", 2)
            self.values = ui.html(sanitize=False).props('aria-live="polite"')
        with layout.sheet():
            layout.heading("What an agent thinks", 2)
            offered = [*agents_for(rules), *server.trained_agents(game)]
            with ui.element("div").classes("lx-bar"):
                self.agent = AgentField(offered, offered[0], "agent")
                layout.secondary("Ask", self.ask)
            self.thought = ui.html(sanitize=False)

    def tree(self) -> None:
        """Add the panel that draws search trees."""
        TreeView(self.server, self.game, self.rules, lambda: self.query)

    async def show(self, query: PositionQuery, state: State, played: Mapping[int, int]) -> None:
        """Evaluate a position; `played` has the actions chosen there, by seat."""
        self.query = query
        self.values.content = '<p class="lx-soft">looking …</p>'
        self.thought.content = ""
        try:
            found = await self.server.evaluations(query)
        except ValueError as error:
            self.values.content = f'<p class="lx-soft">{html.escape(str(error))}</p>'
            return
        if query != self.query:
            return  # another position is shown by now
        self.chooser = found[0].seat if found else 0
        tables = [evaluation_table(self.rules, state, one, played.get(one.seat)) for one in found]
        nobody = '<p class="lx-soft">Nobody is to choose here.</p>'
        self.values.content = "".join(tables) or nobody

    async def ask(self) -> None:
        """Show what the agent would choose."""
        if self.query is None:
            return
        with layout.errors_shown():
            name, stamp = await self.server.prepare_agent(self.game, self.rules, self.agent.text)
            work = self.server.workers.do(explain_choice, self.query, name, self.chooser, stamp)
            self.thought.content = thought_html(await work)


def thought_html(view: Mapping[str, Any]) -> str:
    """Return an agent's choice as a table, with its hat if it has one."""
    rows = "".join(
        f'<tr class="{"lx-best" * (row["action"] == view["move"])}"><td>'
        f"{html.escape(row['action'])}</td>"
        f"<td>{signed(row['value'])}</td><td>{meter(row['share'])}</td></tr>"
        for row in sorted(view["actions"], key=lambda one: -one["share"])
    )
    drawn = f'<div class="lx-hat">{hat(view["balls"])}</div>' if view["balls"] else ""
    return (
        f'<table class="lx-table"><caption class="lx-soft lx-small" style="text-align:left">'
        f"It would choose <b>{html.escape(view['move'])}</b>.</caption>"
        f"<tr><th>move</th><th>value</th><th>share</th></tr>{rows}</table>{drawn}"
    )


def evaluation_table(rules: Rules, state: State, evaluation: Evaluation, played: int | None) -> str:
    """Return an evaluation as a table, best actions first."""
    rows = []
    mixed = len(evaluation.policy) > 1
    for action, value in sorted(evaluation.values.items(), key=lambda pair: -pair[1]):
        loss = evaluation.loss(action)
        names = ["lx-best"] if loss < 1e-9 else []
        names += ["lx-played"] if action == played else []
        words = html.escape(label(rules, state, action))
        share = f"<td>{meter(evaluation.policy.get(action, 0.0))}</td>" if evaluation.policy else ""
        said = error_name(loss)
        tag = f'<span class="lx-tag lx-blunder">{said}</span>' if said and action == played else ""
        chosen = ' <span class="lx-soft lx-small">played</span>' if action == played else ""
        rows.append(
            f'<tr class="{" ".join(names)}"><td>{words}{chosen}</td><td>{signed(value)}</td>{share}'
            f"<td>{f'{loss:.3f}' if loss > 1e-9 else '–'} {tag}</td></tr>"
        )
    look = "lx-exact" if evaluation.exact else "lx-guess"
    certain = "exact" if evaluation.exact else "estimated"
    columns = "<th>mixture</th>" if evaluation.policy else ""
    hint = "" if not mixed else " Playing it well means mixing."
    return (
        f"<p><b>{html.escape(seat_name(rules, evaluation.seat))}</b> chooses: worth"
        f" <b>{signed(evaluation.value)}</b> to them"
        f' <span class="lx-tag {look}">{certain}</span>'
        f' <span class="lx-soft lx-small">{html.escape(evaluation.how)}.{hint}</span></p>'
        f'<div class="lx-scroll" style="max-height:20rem" tabindex="0" role="region"'
        f' aria-label="Values for {html.escape(seat_name(rules, evaluation.seat))}">'
        f'<table class="lx-table"><tr><th>move</th>'
        f"<th>value</th>{columns}<th>loses</th></tr>{''.join(rows)}</table></div>"
    )


def signed(value: float | None) -> str:
    """Return a value with its sign; empty if unknown."""
    if value is None or math.isnan(value):
        return ""
    return f"{value + 0.0:+.3f}"


def meter(share: float) -> str:
    """Return a bar for a share, with its percentage."""
    percent = f"{100 * share:.1f}".removesuffix(".0")
    return (
        f'<div style="display:flex;gap:.5rem;align-items:center"><div class="lx-meter"'
        f' aria-hidden="true" style="flex:1"><i style="width:{percent}%"></i></div>'
        f'<span class="lx-small">{percent} %</span></div>'
    )
