"""Training: start a learner, watch it, stop it, resume it, and play against it."""

import contextlib
from functools import partial

from nicegui import ui

from ludex.agents.training import OPPONENTS, read_learner
from ludex.core.rules import learner_of, title
from ludex.web.pages.page import GamePage, Query
from ludex.web.parts import layout
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.browser_reader import BrowserReader
from ludex.web.parts.dialogs import ask
from ludex.web.parts.field_errors import FieldError, errors_below, field_errors_shown
from ludex.web.parts.training_view import TrainingView, open_training
from ludex.web.state.catalogue import agents_for
from ludex.web.state.programs import PREFIX
from ludex.web.state.public_text import public_agent
from ludex.web.state.server_state import ServerState
from ludex.web.state.start_training import (
    available_learners,
    delete_training,
    read_matches,
    start_training,
)
from ludex.web.state.training_job import TrainingJob, agent_of, load_training

OPPONENT_HINTS = {
    "hats": "hats learn from one another",
    "cfr": "cfr learns from itself",
    "td": "td learns from itself",
    "net": "net learns from itself",
}
LEARNER_NOTES = {
    "hats": "Hats: each position has a hat with balls for its moves; a move is drawn from it, and"
    " gets more balls if it wins, fewer if it loses.",
    "qtable": "Q-table: the value of each move in each state, learned from the results.",
    "cfr": "CFR: a strategy that mixes moves and is hard to exploit, even where cards or dice are"
    " hidden; a move gets more likely if it would have won more.",
    "td": "TD: the weights of an estimate, learned from the differences between positions.",
    "net": "Network: it plays against itself, and learns which moves its search preferred, and who"
    " won.",
}


class TrainPage(GamePage):
    """The form for a training, beside one training or all of a game."""

    path = "/train"

    def __init__(self, server: ServerState, query: Query) -> None:
        super().__init__(server, query)
        self.name, self.reader = query.get("lesson", ""), BrowserReader(server)
        job = server.trainings.get(self.name)
        if job is not None and job.game != self.game:
            job = None
        if self.name and job is None:
            server.trained.find(self.name)  # refuses an unknown name before the page is built
        lead = "Let an agent learn from matches, and watch its share of the points grow."
        with layout.frame(f"Train {title(self.rules)}", "/train", lead):
            with layout.div("lx-play").style("margin-top: 1.2rem"):
                with layout.div():
                    self.shown = layout.div()
                with layout.div("lx-side"), layout.sheet():
                    layout.heading("New training run", 2)
                    self.form()
        self.first_values = self.values()
        self.view: TrainingView | None = None
        with self.shown:
            if job is not None:
                self.view = TrainingView(server, job, query.get("key", ""))
                self.fill_form(job)
            elif self.name:
                ui.label("Loading what was learned …").classes("lx-soft")
            else:
                self.list_trainings()

    async def load(self) -> None:
        """Show a finished training, or restore the access key to a known one."""
        if self.view is not None:
            await self.view.restore_key()
        elif self.name:
            await self.show_finished(self.name)

    async def show_finished(self, name: str) -> None:
        """Show a finished training from its file."""
        source = self.server.catalogue[self.game].source
        path = self.server.trained.find(name)
        with layout.errors_shown():
            work = self.server.workers.do_in_background(load_training, source, path, seconds=60.0)
            request, progress = await work
            job = TrainingJob(name, self.game, request)
            job.progress = progress
            self.shown.clear()
            with self.shown:
                TrainingView(self.server, job, "")
            self.fill_form(job)

    def values(self) -> tuple[str, ...]:
        """Return what the form says."""
        return self.learner.text, self.against.text, str(self.matches.value)

    def fill_form(self, job: TrainingJob) -> None:
        """Fill the form with the request of a training, unless the visitor has edited it."""
        if self.values() != self.first_values:
            return
        self.learner.value = job.request.learner
        self.against.value = public_agent(job.request.against)
        self.matches.value = str(job.request.matches)

    def form(self) -> None:
        """Add the form."""
        with layout.div("lx-form"):
            self.game_picker()
            learners = available_learners(self.rules)
            usual = learner_of(self.rules) if learner_of(self.rules) in learners else learners[0]
            hint = "such as qtable:explore=0.3..0.05"
            self.learner = AgentField(learners, usual, "learner", hint, read_learner)
            offered = self.opponents()
            self.against = AgentField(offered, OPPONENTS[0], "against", "", self.check_opponent)
            self.learner.on_value_change(self.show_hints)
            self.matches = layout.number_field("matches", "20000").on("blur", self.check_matches)
        self.rules_fields()
        with layout.row("1.1rem"):
            layout.primary("Start learning", self.start, "school")

        self.explanation = layout.note().style("margin-top: 0.8rem")
        self.show_hints()

    def opponents(self) -> list[str]:
        """Return the opponents on offer."""
        return [*OPPONENTS, *agents_for(self.rules), *self.server.trained.of_game(self.game)]

    def rules_changed(self) -> None:
        """Offer the learners and opponents for the changed rules."""
        self.learner.set_offered(available_learners(self.rules))
        self.against.set_offered(self.opponents())
        if not self.name:
            ui.navigate.history.replace(self.address())

    def show_hints(self) -> None:
        """Explain the learner, and say whether it has a choice of opponents."""
        name = self.learner.text.partition(":")[0]
        self.explanation.text = LEARNER_NOTES.get(name, "")
        self.against.props["hint"] = OPPONENT_HINTS.get(name, "")

    def check_opponent(self, text: str) -> None:
        """Raise a ValueError if nothing can learn from such an opponent."""
        if text.startswith(PREFIX):
            raise ValueError("a learner trains against built-in or trained agents")
        if text not in OPPONENTS:
            self.server.check_agent(self.rules, text)

    def list_trainings(self) -> None:
        """List the trainings of this game."""
        with layout.sheet():
            layout.heading("Trained agents", 2)
            found = self.server.trained.learners(self.game)
            if not found:
                ui.label("None yet for this game.").classes("lx-soft")
            for name, learner in found.items():
                agent = agent_of(learner, name)
                running = name in self.server.trainings and self.server.trainings[name].running
                with layout.row().style("margin-bottom: 0.6rem"):
                    with layout.div().style("flex: 1 1 14rem"):
                        ui.label(agent).classes("lx-mono")
                        layout.note(layout.ago(self.server.trained.written(name)))
                    if running:
                        ui.label("learning").classes("lx-tag lx-exact")
                    pages = {
                        "Curve and table": self.address(lesson=name),
                        "Play against it": self.address("/play", against=agent),
                    }
                    for text, there in pages.items():
                        layout.secondary(text, there, label=f"{text}: {agent}")
                    if self.reader.visitor.on_server and not running:
                        delete = partial(self.delete, name, agent)
                        layout.secondary("Delete", delete, label=f"Delete {agent}")

    async def delete(self, name: str, agent: str) -> None:
        """Delete a training, if that is confirmed."""
        words = "What it has learned is lost. Stored matches stay; they name it as it was."
        if await ask(f"Delete {agent}?", words, "Delete"):
            with layout.errors_shown():
                delete_training(self.server, name)
            self.shown.clear()
            with self.shown:
                self.list_trainings()

    def check_matches(self) -> None:
        """Show below the field what is wrong with the number of matches, if anything."""
        with contextlib.suppress(FieldError):
            self.read_matches()

    def read_matches(self) -> int:
        """Return the number of matches, or raise a FieldError."""
        with errors_below(self.matches):
            return read_matches(str(self.matches.value))

    async def start(self) -> None:
        """Start a training and open it."""
        with field_errors_shown():
            self.rules = self.rules_form.read()
            self.read_matches()
            learner, against, matches = self.values()
            given = self.server, self.game, self.rules, learner, against, matches
            open_training(start_training(*given, await self.reader.opener()))
