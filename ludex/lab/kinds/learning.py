"""Learning curves: the strength of learners over the matches, from several seeds."""

from statistics import fmean

from ludex.agents.registry import make_agent
from ludex.io.schema import errors_at
from ludex.io.text import many
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, Table
from ludex.lab.report.plots import Line, curve_plot
from ludex.lab.run.series import percentage
from ludex.lab.spec.entrant import training_of
from ludex.lab.spec.experiment import Experiment, Key
from ludex.lab.spec.task import Known, Task, make_task
from ludex.learn.evaluation import Tally
from ludex.learn.qtable import ANYBODY, THEMSELVES

KEYS = {
    "learners": Key(list[str], text="who learns, with options"),
    "against": Key(str, "", "from whom; itself", automatic=lambda rules, given: THEMSELVES),
    "judge": Key(str, ANYBODY, "against whom it is measured"),
    "matches": Key(int, text="from which it learns", scaled=True),
    "seeds": Key(int, 5, "how often it learns from nothing"),
}
TIMED = False


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a learner or the judge is not valid."""
    rules, given = experiment.variant(), experiment.given
    for learner in given["learners"]:
        with errors_at("learners"):
            training_of(rules, learner, given["against"] or None, 0)
    if given["judge"] != ANYBODY:
        with errors_at("judge"):
            make_agent(given["judge"], rules)


def task(experiment: Experiment, learner: str, number: int) -> Task:
    """Return the task of training a learner from one of the seeds."""
    given = experiment.given
    return make_task(
        "curve",
        game=experiment.game,
        rules=experiment.rules,
        learner=learner,
        against=None if given["against"] == THEMSELVES else given["against"] or None,
        judge=given["judge"],
        matches=given["matches"],
        seed=experiment.seed + number,
    )


def tasks(experiment: Experiment, known: Known) -> list[Task]:
    """Return all trainings."""
    given = experiment.given
    return [
        task(experiment, learner, number)
        for number in range(given["seeds"])
        for learner in given["learners"]
    ]


def tally(point: list[int]) -> Tally:
    """Return the results at a point, whose first number is the matches learned from."""
    return Tally(*point[1:])


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the curves, with bands from the worst to the best seed."""
    given = experiment.given
    lines, rows, facts = [], [], []
    for learner in given["learners"]:
        trainings = [known[task(experiment, learner, one)] for one in range(given["seeds"])]
        at = [point[0] for point in trainings[0]["points"]]
        shares = [[tally(point).share for point in one["points"]] for one in trainings]
        columns = list(zip(*shares, strict=True))
        lines.append(Line(learner, at, [fmean(c) for c in columns], *extremes(columns)))
        last = columns[-1]
        facts.append({"learner": learner, "matches": at, "shares": shares})
        final = [tally(one["points"][-1]) for one in trainings]
        lost = fmean(one.losses / max(sum(one), 1) for one in final)
        rows.append(
            (
                learner,
                f"{percentage(fmean(columns[0]), 1)} %",
                f"{percentage(fmean(last), 1)} %",
                f"{percentage(min(last), 1)} to {percentage(max(last), 1)} %",
                f"{percentage(1 - lost, 1)} %",
                matches_to_half(at, columns),
            )
        )
    measured = sum(tally(trainings[0]["points"][0]))
    plot = curve_plot(lines, "matches learned from", f"points against {given['judge']}")
    return [
        Heading("How well they learn"),
        Paragraph(
            f"Each learner learned {many(given['seeds'], 'time')} from"
            f" {many(given['matches'], 'match')} against {given['against'] or THEMSELVES}, each"
            f" time from another seed, and was measured by {many(measured, 'match')} against"
            f" {given['judge']} at each point, half at either seat, from which it learned nothing."
        ),
        Plot("curves", plot, "The mean of all seeds; the band reaches from the worst to the best."),
        Table(
            f"share of the points against {given['judge']}; the mean of the seeds",
            ("learner", "at first", "at the end", "worst to best", "not lost", "half-way after"),
            rows,
            facts=facts,
        ),
    ]


def extremes(columns: list[tuple[float, ...]]) -> tuple[list[float], list[float]]:
    """Return the lowest and the highest of each column."""
    return [min(one) for one in columns], [max(one) for one in columns]


def matches_to_half(at: list[int], columns: list[tuple[float, ...]]) -> str:
    """Return the matches after which half of the gain is reached, as text."""
    means = [fmean(column) for column in columns]
    middle = (means[0] + means[-1]) / 2
    if means[-1] <= means[0]:
        return ""
    reached = next(m for m, mean in zip(at, means, strict=True) if mean >= middle)
    return many(reached, "match")
