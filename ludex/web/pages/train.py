"""Training: start a learner, watch it learn, stop it, go on, and play against it at once."""

import secrets
from typing import Any

from nicegui import ui

from ludex.games import title
from ludex.learn.training import LEARNERS
from ludex.rules import Rules, game_of
from ludex.tuition import OPPONENTS, read_learner
from ludex.web import limits
from ludex.web.catalogue import agents_for, texts_of, written
from ludex.web.frame import (
    address,
    complain,
    frame,
    heading,
    lead,
    primary,
    secondary,
    sheet,
)
from ludex.web.hall import Hall, allow
from ludex.web.key import Refused, fits
from ludex.web.lesson import Lesson, Wanted
from ludex.web.pages.game import Query, game_page, game_picker
from ludex.web.review import AXIS, BLUE, GREY
from ludex.web.tasks import without_paths


def register(hall: Hall) -> None:
    """Make the pages."""
    game_page(hall, "/train", show)


def show(hall: Hall, game: str, rules: Rules, query: Query) -> None:
    """Show a training, or what was trained before."""
    School(hall, game, rules, query.get("lesson", ""), query.get("key", ""))


class School:
    """The form for a training, and the trainings of a game."""

    def __init__(self, hall: Hall, game: str, rules: Rules, lesson: str, key: str) -> None:
        self.hall, self.game, self.rules = hall, game, rules
        with frame(f"Train {title(game_of(rules))}", "/train"):
            heading("Train")
            lead("Let an agent learn from matches, and watch its share of the points grow.")
            with ui.element("div").classes("lx-play").style("margin-top: 1.2rem"):
                with ui.element("div"):
                    self.shown = ui.element("div")
                with ui.element("div").classes("lx-side"), sheet():
                    heading("A new training", 2)
                    self.form()
        mine = hall.lessons.get(lesson)
        with self.shown:
            if mine is not None and mine.game == game:
                LessonView(hall, mine, key)
            else:
                self.others()

    def form(self) -> None:
        """Ask what is to be learned."""
        with ui.element("div").classes("lx-form"):
            game_picker(self.hall, self.game, "/train")
            usual = "hats" if self.game == "nuts" else "qtable"
            learner = ui.select(
                list(LEARNERS), value=usual if usual in LEARNERS else next(iter(LEARNERS)),
                label="learner", with_input=True, new_value_mode="add-unique",
            )  # fmt: skip
            self.learner = learner.props('outlined dense hint="such as qtable:explore=0.3..0.05"')
            offered = [*OPPONENTS, *agents_for(self.rules)]
            against = ui.select(offered, value=OPPONENTS[0], label="against", with_input=True)
            self.against = against.props('outlined dense hint="hats learn from one another"')
            matches = ui.input("matches", value="20000")
            self.matches = matches.props('outlined dense inputmode="numeric"')
        with ui.element("div").classes("lx-bar").style("margin-top: 1.1rem"):
            primary("Start learning", self.start, "school")

    def others(self) -> None:
        """Show what was trained here for this game."""
        with sheet():
            heading("Trained here", 2)
            found = self.hall.trainings(self.game)
            if not found:
                ui.label("Nothing yet for this game.").classes("lx-soft")
            for agent in found:
                with ui.element("div").classes("lx-bar"):
                    ui.label(agent).classes("lx-mono")
                    link = address(f"/play/{self.game}", against=agent)
                    play = secondary("Play against it", lambda at=link: ui.navigate.to(at))
                    play.props(f'aria-label="Play against it: {agent}"')

    def start(self) -> None:
        """Start a training and show it."""
        try:
            lesson = begin(
                self.hall, self.game, self.rules,
                str(self.learner.value), str(self.against.value), str(self.matches.value),
            )  # fmt: skip
        except ValueError as error:
            complain(without_paths(str(error)))
            return
        rules = written(texts_of(self.rules))
        opened = address(f"/train/{self.game}", rules=rules, lesson=lesson.name, key=lesson.key)
        ui.navigate.to(opened)


def begin(hall: Hall, game: str, rules: Rules, learner: str, against: str, matches: str) -> Lesson:
    """Return a training that has been started; a ValueError says why it cannot be."""
    name, _ = read_learner(learner)
    check_room(hall)
    if against not in OPPONENTS:
        allow(against, rules)
        against, _ = hall.with_file(against)
    count = matches.strip().replace(",", "")
    if not (count.isascii() and count.isdigit() and 0 < int(count[:12]) <= limits.LESSONS):
        raise ValueError(f"matches {matches[:20]!r}: expected 1 to {limits.LESSONS:,}")
    file = f"{game}-{name}-{secrets.token_hex(3)}"
    source = hall.catalogue[game].source
    seed = secrets.randbelow(2**32)
    wanted = Wanted(
        *(source, texts_of(rules), learner, against, int(count), seed, hall.trained(file))
    )
    lesson = hall.lessons[file] = Lesson(file, game, wanted)
    lesson.start()
    return lesson


def check_room(hall: Hall) -> None:
    """Raise a ValueError if enough trainings go on."""
    if sum(lesson.running for lesson in hall.lessons.values()) >= limits.TRAININGS:
        raise ValueError(f"{limits.TRAININGS} trainings go on already; wait for one of them")


class LessonView:
    """One training: its curve, how far it is, and what can be done with it."""

    def __init__(self, hall: Hall, lesson: Lesson, key: str) -> None:
        self.hall, self.lesson, self.key = hall, lesson, key
        self.points = -1
        rules = written(lesson.wanted.texts)
        with sheet():
            heading(f"{lesson.wanted.learner} learns {hall.catalogue[lesson.game].title}", 2)
            self.status = ui.label().classes("lx-status").props('aria-live="polite"')
            self.numbers = ui.label().classes("lx-soft lx-small")
            self.chart = ui.echart(chart([], "")).style("width: 100%; height: 20rem")
            self.chart.props('role="img" aria-label="Learning curve"')
            with ui.element("div").classes("lx-bar"):
                self.stop_button = secondary("Stop", self.stop, "stop")
                self.go_button = secondary("Go on", self.go_on, "play_arrow")
                for button in (self.stop_button, self.go_button):
                    button.set_visibility(fits(lesson.key, key))
                play = address(f"/play/{lesson.game}", rules=rules, against=lesson.agent)
                self.play_button = primary(
                    "Play against it", lambda: ui.navigate.to(play), "sports_esports"
                )
            ui.label(f"The agent is {lesson.agent}; it plays wherever an agent is asked for."
                     ).classes("lx-soft lx-small").style("margin-top: 0.8rem")  # fmt: skip
        ui.timer(0.4, self.look)
        self.look()

    def look(self) -> None:
        """Show how far it is."""
        report = self.lesson.report
        self.status.text = without_paths(report.words[:1].upper() + report.words[1:])
        self.numbers.text = (
            f"{report.matches:,} matches, {report.states:,} states known,"
            f" {report.speed:,.0f} matches a second"
        )
        self.stop_button.set_enabled(self.lesson.running)
        self.go_button.set_enabled(not self.lesson.running)
        self.play_button.set_enabled(self.lesson.wanted.path.exists())
        if len(report.curve) != self.points:
            self.points = len(report.curve)
            self.chart.options.clear()
            self.chart.options.update(chart(report.curve, self.judge()))
            self.chart.update()

    def judge(self) -> str:
        """Return whom it is measured against."""
        against = self.lesson.wanted.against
        return "random" if against in OPPONENTS else without_paths(against)

    def stop(self) -> None:
        """Ask it to stop; what was learned is kept."""
        try:
            self.lesson.stop(self.key)
        except Refused as error:
            complain(error)

    def go_on(self) -> None:
        """Learn as many matches again."""
        try:
            check_room(self.hall)
            self.lesson.go_on(self.key)
        except ValueError as error:
            complain(error)


def chart(curve: list[tuple[int, float, float, float]], judge: str) -> dict[str, Any]:
    """Return a learning curve with its interval as a chart."""
    low = [[max(matches, 1), round(one, 4)] for matches, _, one, _ in curve]
    band = [[max(matches, 1), round(high - one, 4)] for matches, _, one, high in curve]
    share = [[max(matches, 1), round(one, 4)] for matches, one, _, _ in curve]
    edge = {"type": "line", "stack": "band", "symbol": "none", "lineStyle": {"opacity": 0},
            "silent": True, "stackStrategy": "all"}  # fmt: skip
    return {
        "animation": False,
        "grid": {"left": 48, "right": 20, "top": 34, "bottom": 44},
        "tooltip": {"trigger": "axis"},
        "xAxis": {"type": "log", "name": "matches", "nameLocation": "middle", "nameGap": 28,
                  "nameTextStyle": {"color": GREY}, **AXIS},
        "yAxis": {"type": "value", "min": 0, "max": 1, "name": f"share against {judge}",
                  "nameTextStyle": {"align": "left", "color": GREY}, **AXIS},
        "series": [
            {**edge, "data": low},
            {**edge, "data": band, "areaStyle": {"color": BLUE, "opacity": 0.18}},
            {"type": "line", "data": share, "symbolSize": 6, "name": "share",
             "lineStyle": {"width": 2.5, "color": BLUE}, "itemStyle": {"color": BLUE}},
        ],
    }  # fmt: skip
