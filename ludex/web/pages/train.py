"""Training: start a learner, watch it, stop it, resume it, and play against it."""

from nicegui import ui

from ludex.agents.training import OPPONENTS
from ludex.core.rules import Rules, learner_of, title
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.parts.agent_field import AgentField
from ludex.web.parts.layout import (
    address,
    complain,
    frame,
    heading,
    lead,
    primary,
    secondary,
    sheet,
)
from ludex.web.parts.training_view import LessonView, visit
from ludex.web.state.catalogue import agents_for, texts_of, written
from ludex.web.state.server_state import Hall
from ludex.web.state.tasks import shown_agent, without_paths
from ludex.web.state.training_job import Lesson, agent_of, kept
from ludex.web.state.training_jobs import able, begin


def register(hall: Hall) -> None:
    """Make the pages."""
    game_page(hall, "/train", show)


async def show(hall: Hall, game: str, rules: Rules, query: Query) -> None:
    """Show a training, or what was trained before."""
    name, key = query.get("lesson", ""), query.get("key", "")
    known = hall.lessons.get(name)
    lesson = known if known is not None and known.game == game else None
    if name and lesson is None:
        hall.training(name)  # a wrong name is told before a page is made
    page = School(hall, game, rules, lesson, key, waits=bool(name))
    if name and (lesson is None or not key):
        await ui.context.client.connected()
        await (page.recall(name) if page.view is None else page.view.claim())


class School:
    """The form for a training, and the trainings of a game."""

    def __init__(
        self, hall: Hall, game: str, rules: Rules, lesson: Lesson | None, key: str, waits: bool
    ) -> None:
        """Show the form beside a training, or beside all of them; one that waits is shown later."""
        self.hall, self.game, self.rules = hall, game, rules
        with frame(f"Train {title(rules)}", "/train"):
            heading("Train")
            lead("Let an agent learn from matches, and watch its share of the points grow.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                with ui.element("div"):
                    self.shown = ui.element("div")
                with ui.element("div").classes("lx-side"), sheet():
                    heading("A new training", 2)
                    self.form()
        self.view: LessonView | None = None
        with self.shown:
            if lesson is not None:
                self.view = LessonView(hall, lesson, key)
                self.fill(lesson)
            elif waits:
                ui.label("Looking into what was learned …").classes("lx-soft")
            else:
                self.others()

    async def recall(self, name: str) -> None:
        """Show a training that is over, from its file."""
        source = self.hall.catalogue[self.game].source
        path = self.hall.training(name)
        try:
            work = self.hall.workers.do_aside(kept, source, path, seconds=60.0)
            wanted, report = await work
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        lesson = Lesson(name, self.game, wanted)
        lesson.report = report
        self.shown.clear()
        with self.shown:
            LessonView(self.hall, lesson, "")
        self.fill(lesson)

    def fill(self, lesson: Lesson) -> None:
        """Have the form ask for what was asked for last."""
        self.learner.value = lesson.wanted.learner
        self.against.value = shown_agent(lesson.wanted.against)
        self.matches.value = str(lesson.wanted.matches)

    def form(self) -> None:
        """Ask what is to be learned."""
        with ui.element("div").classes("lx-form"):
            game_picker(self.hall, self.game, "/train")
            learners = able(self.rules)
            usual = learner_of(self.rules) if learner_of(self.rules) in learners else learners[0]
            hint = "such as qtable:explore=0.3..0.05"
            self.learner = AgentField(learners, usual, "learner", hint)
            offered = [*OPPONENTS, *agents_for(self.rules)]
            hint = "hats learn from one another"
            self.against = AgentField(offered, OPPONENTS[0], "against", hint)
            matches = ui.input("matches", value="20000")
            self.matches = matches.props('outlined dense inputmode="numeric"')
        with ui.element("div").classes("lx-bar").style("margin-top: 1.1rem"):
            primary("Start learning", self.start, "school")

    def others(self) -> None:
        """Show what was trained here for this game."""
        with sheet():
            heading("Trained here", 2)
            found = self.hall.trained_names(self.game)
            if not found:
                ui.label("Nothing yet for this game.").classes("lx-soft")
            for name, learner in found.items():
                agent = agent_of(learner, name)
                running = name in self.hall.lessons and self.hall.lessons[name].running
                with ui.element("div").classes("lx-bar").style("margin-bottom: 0.6rem"):
                    ui.label(agent).classes("lx-mono").style("flex: 1 1 14rem")
                    if running:
                        ui.label("learning").classes("lx-tag lx-exact")
                    rules = written(texts_of(self.rules))
                    there = address(f"/train/{self.game}", rules=rules, lesson=name)
                    look = secondary("Curve and table", lambda at=there: ui.navigate.to(at))
                    look.props(f'aria-label="Curve and table: {agent}"')
                    link = address(f"/play/{self.game}", rules=rules, against=agent)
                    play = secondary("Play against it", lambda at=link: ui.navigate.to(at))
                    play.props(f'aria-label="Play against it: {agent}"')

    def start(self) -> None:
        """Start a training and show it."""
        try:
            lesson = begin(
                self.hall, self.game, self.rules,
                self.learner.text, self.against.text, str(self.matches.value),
            )  # fmt: skip
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        visit(lesson)
