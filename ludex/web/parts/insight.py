"""The evaluation of a position: every action with its value, mixed strategies, trees, agents."""

import html
import math
from collections.abc import Mapping
from typing import NamedTuple

from nicegui import ui

from ludex.analysis.evaluator import error_name
from ludex.core.play import value_text
from ludex.core.rules import Rules, State, at_once, label, seat_name
from ludex.library.player import Decision
from ludex.solve.evaluator import Evaluation
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.best_line import line_marks, line_text
from ludex.web.parts.hat import hat
from ludex.web.parts.html_table import html_table
from ludex.web.parts.move_values import ValuesSwitch, badge, move_value
from ludex.web.parts.tree_view import TreeView
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import HINTS, PositionQuery, explain_choice


class Judgement(NamedTuple):
    """The evaluations of a position, and the moves left under perfect play."""

    found: list[Evaluation]
    length: GameLength


class Insight:
    """The panels that evaluate a position."""

    def __init__(self, server: ServerState, game: str, rules: Rules) -> None:
        self.server, self.game, self.rules = server, game, rules
        self.query: PositionQuery | None = None
        self.chooser = 0
        with layout.sheet():
            layout.heading("What every move is worth", 2)
            self.switch = ValuesSwitch()
            self.values = ui.html(sanitize=False).props('aria-live="polite"')
        with layout.sheet():
            layout.heading("What an agent thinks", 2)
            offered = [*agents_for(rules), *server.trained.of_game(game)]
            with layout.row():
                self.agent = AgentField(offered, offered[0], "agent")
                layout.secondary("Ask", self.ask)
            self.thought = ui.html(sanitize=False)

    def tree(self) -> None:
        """Add the panel that draws search trees."""
        TreeView(self.server, self.game, self.rules, lambda: self.query)

    async def show(
        self, query: PositionQuery, state: State, played: Mapping[int, int]
    ) -> Judgement:
        """Evaluate a position; `played` has the actions chosen there, by seat.

        Return the evaluations, and how long it takes to the end; nothing if another position is
        shown by now.
        """
        self.query, nothing = query, Judgement([], UNKNOWN_LENGTH)
        wait = self.server.preparation.words() or "Working out the values …"
        self.values.content = f'<p class="lx-soft">{html.escape(wait)}</p>'
        self.thought.content = ""
        self.switch.clear()
        try:
            await self.server.preparation.wait(self.game, HINTS)
            found = await self.server.evaluations.of(query)
        except ValueError as error:
            self.values.content = f'<p class="lx-soft">{html.escape(str(error))}</p>'
            return nothing
        if query != self.query:
            return nothing
        self.chooser = found[0].seat if found else 0
        self.switch.show(found, [])
        self.show_tables(state, played, Judgement(found, UNKNOWN_LENGTH))
        length = await self.server.evaluations.length(query, found)
        if query != self.query:
            return nothing
        line = await self.server.evaluations.best_line(query, found, length)
        if query != self.query:
            return nothing
        self.switch.show(found, line_marks(self.rules, state, found, line))
        judgement = Judgement(found, length)
        self.show_tables(state, played, judgement, line)
        return judgement

    def show_tables(
        self,
        state: State,
        played: Mapping[int, int],
        judgement: Judgement,
        line: tuple[int, ...] = (),
    ) -> None:
        """Show a table for each seat that chooses, and the best line in words."""
        tables = [
            evaluation_table(self.rules, state, one, judgement.length, played.get(one.seat))
            for one in judgement.found
        ]
        nobody = '<p class="lx-soft">Nobody is to choose here.</p>'
        words = html.escape(line_text(self.rules, state, line))
        best = f'<p class="lx-small lx-line-text">Best line: {words}</p>' if len(line) > 1 else ""
        self.values.content = "".join(tables) + best or nobody

    async def ask(self) -> None:
        """Show what the agent would choose."""
        if self.query is None:
            return
        with layout.errors_shown():
            name, stamp = await self.server.prepare_agent(self.game, self.rules, self.agent.text)
            work = self.server.workers.do(explain_choice, self.query, name, self.chooser, stamp)
            self.thought.content = thought_html(*await work)


def thought_html(decision: Decision, balls: Mapping[str, int]) -> str:
    """Return an agent's choice as a table, with its hat if it has one."""
    shown = sorted(decision.table, key=lambda one: -one["share"])
    rows = [(html.escape(row["move"]), signed(row["value"]), meter(row["share"])) for row in shown]
    looks = ["lx-best" if row["move"] == decision.move else "" for row in shown]
    drawn = f'<div class="lx-hat">{hat(balls)}</div>' if balls else ""
    return (
        f'<p class="lx-soft lx-small">It would choose <b>{html.escape(decision.move)}</b>.</p>'
        f"{html_table(('move', 'value', 'share'), rows, row_looks=looks)}{drawn}"
    )


def evaluation_table(
    rules: Rules, state: State, evaluation: Evaluation, length: GameLength, played: int | None
) -> str:
    """Return an evaluation as a table, best actions first, the preferred one before its equals."""
    rows, looks = [], []
    mixed, counted = bool(at_once(rules) and evaluation.policy), bool(length.after)
    sign = 1.0 if evaluation.value > 0.0 else -1.0
    for action, value in sorted(
        evaluation.values.items(),
        key=lambda pair: (-pair[1], sign * length.after.get(pair[0], 0.0)),
    ):
        loss, chosen = evaluation.loss(action), action == played
        looks.append(f"{'lx-best' if loss < 1e-9 else ''} {'lx-played' if chosen else ''}".strip())
        words = html.escape(label(rules, state, action))
        words += ' <span class="lx-soft lx-small">played</span>' if chosen else ""
        share = [meter(evaluation.policy.get(action, 0.0))] if mixed else []
        name = error_name(loss) if chosen else ""
        tag = f'<span class="lx-tag lx-blunder">{name}</span>' if name else ""
        ends = [f"{length.after[action]:.0f}" if action in length.after else ""] * counted
        worth = badge(move_value(evaluation, action))
        rows.append([words, signed(value), *share, *ends, f"{worth} {tag}"])
    head = ["move", "value", *["mixture"] * mixed, *["moves left"] * counted, "loses"]
    table = html_table(head, rows, row_looks=looks)
    return f"{table_lead(rules, evaluation, length)}{table_box(rules, evaluation, table)}"


def table_lead(rules: Rules, evaluation: Evaluation, length: GameLength) -> str:
    """Return who chooses, what the position is worth, how long it lasts, and how that is known."""
    look, certain = ("lx-exact", "exact") if evaluation.exact else ("lx-guess", "estimated")
    mixing = bool(at_once(rules)) and len(evaluation.policy) > 1
    hint = " Playing it well means mixing." if mixing else ""
    value_words = value_text(rules, evaluation.value, evaluation.seat, ".3f")
    lasting = length.text(evaluation.value)
    return (
        f"<p><b>{html.escape(seat_name(rules, evaluation.seat))}</b> chooses:"
        f" {html.escape(value_words)}{f', {lasting}' if lasting else ''}"
        f' <span class="lx-tag {look}">{certain}</span>'
        f' <span class="lx-soft lx-small">{html.escape(evaluation.how)}.{hint}</span></p>'
    )


def table_box(rules: Rules, evaluation: Evaluation, table: str) -> str:
    """Return a table in a box of limited height."""
    who = html.escape(seat_name(rules, evaluation.seat))
    return (
        f'<div class="lx-scroll" style="max-height:20rem" tabindex="0" role="region"'
        f' aria-label="Values for {who}">{table}</div>'
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
