"""Evaluations and decisions as HTML: tables of values, costs, shares and moves left."""

import html
from collections.abc import Mapping
from types import MappingProxyType

from ludex.analysis.evaluator import error_name
from ludex.core.choice import CLOSE
from ludex.core.play import choices
from ludex.core.rules import Rules, State, at_once, label, seat_name
from ludex.io.text import many, signed
from ludex.library.player import Decision
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import GameLength
from ludex.web.parts.hat import hat
from ludex.web.parts.html_table import html_table
from ludex.web.parts.move_values import badge, move_value
from ludex.web.parts.numbers import value_words

NO_VALUES: Mapping[str, float] = MappingProxyType({})


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
        columns["exact"] = [signed(exact.get(row["move"])) for row in shown]
    if decision.mixture:
        columns["share"] = [meter(row["share"]) for row in shown]
    looks = ["lx-best" if row["move"] == decision.move else "" for row in shown]
    rows = list(zip(*columns.values(), strict=True))
    table = html_table(columns, rows, "lx-thought", row_looks=looks) if len(columns) > 1 else ""
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
    lead, box = table_lead(rules, evaluation, length), table_box(rules, evaluation, table)
    return f"{lead}{box}{omission_note(rules, state, evaluation)}"


def omission_note(rules: Rules, state: State, evaluation: Evaluation) -> str:
    """Return how many legal moves an evaluation leaves out; nothing if it has them all."""
    left_out = len(choices(rules, state, evaluation.seat)) - len(evaluation.values)
    verb = "was" if left_out == 1 else "were"
    words = f"{many(left_out, 'more move')} {verb} not evaluated."
    return note_html(words) if left_out else ""


def table_lead(rules: Rules, evaluation: Evaluation, length: GameLength) -> str:
    """Return who chooses, what the position is worth, how long it lasts, and how that is known."""
    mixing = bool(at_once(rules)) and len(evaluation.policy) > 1
    hint = " Playing it well means mixing." if mixing else ""
    if evaluation.exact and len(evaluation.values) > 1 and evaluation.value < CLOSE - 1.0:
        hint += " Every move loses."
    value = value_words(rules, evaluation.value, evaluation.seat)
    lasting = length.text(evaluation.value)
    return (
        f"<p><b>{html.escape(seat_name(rules, evaluation.seat))}</b> chooses:"
        f" {html.escape(value)}{f', {lasting}' if lasting else ''}"
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


def meter(share: float) -> str:
    """Return a bar for a share, with its percentage."""
    percent = f"{100 * share:.1f}".removesuffix(".0")
    return (
        f'<div style="display:flex;gap:.5rem;align-items:center"><div class="lx-meter"'
        f' aria-hidden="true" style="flex:1"><i style="width:{percent}%"></i></div>'
        f'<span class="lx-small">{percent} %</span></div>'
    )
