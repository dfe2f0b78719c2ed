"""The panels that evaluate a position: the value of every move, an agent's choice, and trees."""

import functools
import html
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple

from nicegui import ui

from ludex.agents.registry import default_agent
from ludex.core.play import choosers
from ludex.core.rules import CHANCE, Rules, State, label, turn
from ludex.library.tree import tree_agents
from ludex.library.warming import HINTS
from ludex.match.record import now
from ludex.solve.evaluation import Evaluation
from ludex.solve.game_length import UNKNOWN_LENGTH, GameLength
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.best_line import line_marks, line_text
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.evaluation_html import certainty_tag, evaluation_table, note_html, thought_html
from ludex.web.parts.move_values import ValuesSwitch
from ludex.web.parts.numbers import value_words
from ludex.web.parts.tree_view import TreeView
from ludex.web.state.catalogue import agents_for
from ludex.web.state.server_state import ServerState
from ludex.web.state.tasks import PositionQuery, explain_choice

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

    def __init__(
        self,
        server: ServerState,
        reader: BrowserReader,
        game: str,
        rules: Rules,
        values_on: bool = False,
    ) -> None:
        """Add the panels; with `values_on` the board has the values unless they are turned off."""
        self.server, self.reader, self.game, self.rules = server, reader, game, rules
        self.query: PositionQuery | None = None
        self.trees: TreeView | None = None
        self.found: list[Evaluation] = []
        self.asked: object = None
        """Identifies the latest question to an agent."""
        with layout.sheet():
            layout.heading("What every move is worth", 2)
            self.switch = ValuesSwitch(on_at_first=values_on)
            self.values = ui.html(sanitize=False).props('aria-live="polite"')
        with layout.sheet():
            layout.heading("What an agent thinks", 2)
            offered = agents_for(rules) | {text: text for text in server.own_agents(game)}
            check = functools.partial(server.check_agent, rules)
            with layout.row().style("align-items: flex-start"):
                self.agent = AgentField(offered, default_agent(rules), "agent", check=check)
                layout.secondary("Ask", self.ask)
            self.thinking = layout.note().props('role="status"')
            self.thought = ui.html(sanitize=False).props('aria-live="polite"')

    def tree(self) -> None:
        """Add the panel that draws search trees, if there is a search for this game."""
        if tree_agents(self.rules):
            self.trees = TreeView(self.server, self.game, self.rules, lambda: self.query)

    def go_to(self, query: PositionQuery) -> None:
        """Stop showing another position; its values are left as they are."""
        self.query = query
        if self.trees is not None:
            self.trees.show_age(query)

    async def show(
        self, query: PositionQuery, state: State, played: Mapping[int, int]
    ) -> Judgement:
        """Evaluate a position; `played` has the actions chosen there, by seat.

        Return the evaluations, and how long it takes to the end; nothing if another position is
        shown by now.
        """
        self.go_to(query)
        nothing = Judgement([], UNKNOWN_LENGTH)
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
                expected = html.escape(value_words(self.rules, value, 0, exact=exact))
                self.values.content = f"<p>{words} Expected {expected} {certainty_tag(exact)}</p>"

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
            if not self.reader.may_read(text, now()):
                await self.reader.recognize()
            words = html.escape(self.reader.refusal(text, error))
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
