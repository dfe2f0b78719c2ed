"""The evaluation of a position: every action with its value, mixed strategies, trees, agents."""

import functools
import html
import math
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

from nicegui import ui

from ludex.analysis.evaluator import error_name
from ludex.core.choice import CLOSE
from ludex.core.play import choosers, value_text
from ludex.core.rules import CHANCE, Rules, State, at_once, label, seat_name, turn
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
from ludex.web.state.public_text import without_paths
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import HINTS, PositionQuery, explain_choice

NO_VALUES: Mapping[str, float] = MappingProxyType({})
LEGEND = (
    "Values run from −1 (lost) to +1 (won). The cost of a move is what it gives away:"
    " 2 turns a win into a loss."
)
LENGTH_LEGEND = "Moves are counted for all players together."


class Judgement(NamedTuple):
    """The evaluations of a position, and the moves left under perfect play."""

    found: list[Evaluation]
    length: GameLength


class Insight:
    """The panels that evaluate a position."""

    def __init__(self, server: ServerState, game: str, rules: Rules) -> None:
        self.server, self.game, self.rules = server, game, rules
        self.query: PositionQuery | None = None
        self.found: list[Evaluation] = []
        self.asked: object = None
        """Identifies the latest question to an agent."""
        with layout.sheet():
            layout.heading("What every move is worth", 2)
            self.switch = ValuesSwitch()
            self.values = ui.html(sanitize=False).props('aria-live="polite"')
        with layout.sheet():
            layout.heading("What an agent thinks", 2)
            offered = agents_for(rules) | {text: text for text in server.own_agents(game)}
            check = functools.partial(server.check_agent, rules)
            with layout.row().style("align-items: flex-start"):
                self.agent = AgentField(offered, next(iter(offered)), "agent", check=check)
                layout.secondary("Ask", self.ask)
            self.thinking = layout.note().props('role="status"')
            self.thought = ui.html(sanitize=False).props('aria-live="polite"')

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
        self.values.content = note_html(wait)
        self.found, self.asked = [], None
        self.thinking.text = self.thought.content = ""
        self.switch.clear()
        try:
            await self.server.preparation.wait(self.game, HINTS)
            found = await self.server.evaluations.of(query)
        except ValueError as error:
            self.values.content = note_html(str(error))
            return nothing
        if query != self.query:
            return nothing
        self.found = found
        self.switch.show(found, [])
        if not found:
            await self.show_no_choice(query, state)
            return nothing
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
        words = html.escape(line_text(self.rules, state, line))
        best = f'<p class="lx-small lx-line-text">Best line: {words}</p>' if len(line) > 1 else ""
        lasting = judgement.length.moves is not None
        legend = note_html(f"{LEGEND} {LENGTH_LEGEND}" if lasting else LEGEND)
        self.values.content = "".join(tables) + best + legend

    async def show_no_choice(self, query: PositionQuery, state: State) -> None:
        """Say that the match has ended, or that chance decides, with the expected value."""
        if turn(self.rules, state) != CHANCE:
            self.values.content = note_html("There is no move to choose here.")
            return
        words = "Chance decides here."
        self.values.content = note_html(words)
        with suppress(ValueError):  # then the value is unknown
            value, exact = await self.server.evaluations.expected_value(query)
            if query == self.query:
                value_words = html.escape(value_text(self.rules, value, 0, ".3f", exact))
                self.values.content = (
                    f"<p>{words} Expected {value_words} {certainty_tag(exact)}</p>"
                )

    async def ask(self) -> None:
        """Show what the agent would choose, or why it cannot."""
        query, text = self.query, self.agent.text
        asked = self.asked = object()
        self.thinking.text = self.thought.content = ""
        if query is None or not self.agent.is_valid():
            return
        rules, state = query.decode()
        acting = choosers(rules, state)
        if not acting:
            self.thinking.text = "There is no move to choose here."
            return
        self.thinking.text = f"{text} is thinking …"
        try:
            tell = layout.compiling_note(self.thinking)
            name, stamp = await self.server.prepare_agent(self.game, rules, text, tell)
            work = self.server.workers.do(explain_choice, query, name, acting[0], stamp, tell=tell)
            decision, balls = await work
            answer = thought_html(decision, balls, self.exact_values(state, acting[0]))
        except ValueError as error:
            words = html.escape(without_paths(str(error)))
            answer = f'<p class="lx-blunder lx-small">{words}</p>'
        if asked is self.asked:  # neither another question nor another position since
            self.thinking.text, self.thought.content = "", answer

    def exact_values(self, state: State, seat: int) -> dict[str, float]:
        """Return the exact value of each action by its label, as far as they are shown."""
        return {
            label(self.rules, state, action): value
            for one in self.found
            if one.exact and one.seat == seat
            for action, value in one.values.items()
        }


def thought_html(
    decision: Decision, balls: Mapping[str, int], exact: Mapping[str, float] = NO_VALUES
) -> str:
    """Return an agent's choice as a table, with its hat if it has one.

    There is a column for its values and one for its shares if it has any, and one for exact values.
    """
    shown = sorted(decision.table, key=lambda one: -one["share"])
    columns: dict[str, list[str]] = {"move": [html.escape(row["move"]) for row in shown]}
    if decision.values:
        columns["value"] = [signed(row["value"]) for row in shown]
    if exact:
        columns["exact value"] = [signed(exact.get(row["move"])) for row in shown]
    if decision.mixture:
        columns["share"] = [meter(row["share"]) for row in shown]
    looks = ["lx-best" if row["move"] == decision.move else "" for row in shown]
    rows = list(zip(*columns.values(), strict=True))
    table = html_table(columns, rows, row_looks=looks) if len(columns) > 1 else ""
    drawn = f'<div class="lx-hat">{hat(balls)}</div>' if balls else ""
    return (
        f'<p class="lx-soft lx-small">It would choose <b>{html.escape(decision.move)}</b>.</p>'
        f"{table}{drawn}"
    )


def evaluation_table(
    rules: Rules, state: State, evaluation: Evaluation, length: GameLength, played: int | None
) -> str:
    """Return an evaluation as a table, best actions first, the preferred one before its equals."""
    rows, looks, left = [], [], length.others | length.after
    mixed, counted = bool(at_once(rules) and evaluation.policy), bool(left)

    def order(pair: tuple[int, float]) -> tuple[float, float]:
        sign = 1.0 if pair[1] > 0.0 else -1.0
        return -pair[1], sign * left.get(pair[0], 0.0)

    for action, value in sorted(evaluation.values.items(), key=order):
        loss, chosen = evaluation.loss(action), action == played
        looks.append(f"{'lx-best' if loss < 1e-9 else ''} {'lx-played' if chosen else ''}".strip())
        words = html.escape(label(rules, state, action))
        words += ' <span class="lx-soft lx-small">played</span>' if chosen else ""
        share = [meter(evaluation.policy.get(action, 0.0))] if mixed else []
        name = error_name(loss) if chosen else ""
        tag = f'<span class="lx-tag lx-blunder">{name}</span>' if name else ""
        ends = [f"{left[action]:.0f}" if action in left else ""] * counted
        worth = badge(move_value(evaluation, action))
        rows.append([words, signed(value), *share, *ends, f"{worth} {tag}"])
    head = ["move", "value", *["mixture"] * mixed, *["moves left"] * counted, "cost"]
    table = html_table(head, rows, row_looks=looks)
    return f"{table_lead(rules, evaluation, length)}{table_box(rules, evaluation, table)}"


def table_lead(rules: Rules, evaluation: Evaluation, length: GameLength) -> str:
    """Return who chooses, what the position is worth, how long it lasts, and how that is known."""
    mixing = bool(at_once(rules)) and len(evaluation.policy) > 1
    hint = " Playing it well means mixing." if mixing else ""
    if evaluation.exact and len(evaluation.values) > 1 and evaluation.value < CLOSE - 1.0:
        hint += " Every move loses."
    value_words = value_text(rules, evaluation.value, evaluation.seat, ".3f")
    lasting = length.text(evaluation.value)
    return (
        f"<p><b>{html.escape(seat_name(rules, evaluation.seat))}</b> chooses:"
        f" {html.escape(value_words)}{f', {lasting}' if lasting else ''}"
        f" {certainty_tag(evaluation.exact)}"
        f' <span class="lx-soft lx-small">{html.escape(evaluation.how)}.{hint}</span></p>'
    )


def certainty_tag(exact: bool) -> str:
    """Return a tag that says whether a value is exact."""
    look, word = ("lx-exact", "exact") if exact else ("lx-guess", "estimated")
    return f'<span class="lx-tag {look}">{word}</span>'


def note_html(text: str) -> str:
    """Return a small, muted paragraph."""
    return f'<p class="lx-soft lx-small">{html.escape(text)}</p>'


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
