"""Learning curves: the strength of learners over the matches, from several seeds."""

from statistics import fmean

from ludex.agents.registry import make_agent
from ludex.io.schema import errors_at
from ludex.io.text import many
from ludex.lab.report.blocks import Block, Heading, Paragraph, Plot, ReportTable
from ludex.lab.report.plots import Curve, learning_plot
from ludex.lab.run.series import percentage
from ludex.lab.spec.entrant import training_of
from ludex.lab.spec.experiment import Experiment, Setting
from ludex.lab.spec.task import Known, Task
from ludex.learn.qtable import ITSELF, RANDOM
from ludex.stats import Tally

KEYS = {
    "learners": Setting(list[str], text="who learns, with options"),
    "against": Setting(str, "", "from whom; itself", automatic=lambda rules, given: ITSELF),
    "judge": Setting(str, RANDOM, "against whom it is measured"),
    "matches": Setting(int, text="from which it learns", scaled=True),
    "seeds": Setting(int, 5, "how often it learns from nothing"),
}
TIMED = False


def check(experiment: Experiment) -> None:
    """Raise a ValueError if a learner or the judge is not valid."""
    rules, given = experiment.variant(), experiment.given
    for learner in given["learners"]:
        with errors_at("learners"):
            training_of(rules, learner, given["against"] or None, 0)
    if given["judge"] != RANDOM:
        with errors_at("judge"):
            make_agent(given["judge"], rules)


def task(experiment: Experiment, learner: str, number: int) -> Task:
    """Return the task of training a learner from one of the seeds."""
    given = experiment.given
    return experiment.task(
        "curve",
        learner=learner,
        against=None if given["against"] == ITSELF else given["against"] or None,
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


def blocks(experiment: Experiment, known: Known) -> list[Block]:
    """Report the curves, with bands from the worst to the best seed."""
    given = experiment.given
    lines, rows, facts = [], [], []
    for learner in given["learners"]:
        trainings = [known[task(experiment, learner, one)] for one in range(given["seeds"])]
        # The first number of a point is that of the matches learned from.
        at = [point[0] for point in trainings[0]["points"]]
        tallies = [[Tally(*point[1:]) for point in one["points"]] for one in trainings]
        shares = [[tally.share for tally in one] for one in tallies]
        columns = list(zip(*shares, strict=True))
        means = [fmean(column) for column in columns]
        lines.append(Curve(learner, at, means, list(map(min, columns)), list(map(max, columns))))
        last = columns[-1]
        facts.append({"learner": learner, "matches": at, "shares": shares})
        lost = fmean(one[-1].losses / max(one[-1].matches, 1) for one in tallies)
        rows.append(
            (
                learner,
                f"{percentage(means[0], 1)} %",
                f"{percentage(means[-1], 1)} %",
                f"{percentage(min(last), 1)} to {percentage(max(last), 1)} %",
                f"{percentage(1 - lost, 1)} %",
                matches_to_half(at, means),
            )
        )
    measured = tallies[0][0].matches
    plot = learning_plot(lines, f"points against {given['judge']}")
    return [
        Heading("How well they learn"),
        Paragraph(
            f"Each learner learned {many(given['seeds'], 'time')} from"
            f" {many(given['matches'], 'match')} against {given['against'] or ITSELF}, each"
            f" time from another seed, and was tested at each point in {many(measured, 'match')}"
            f" against {given['judge']}, half from each seat, without learning from"
            " them."
        ),
        Plot("curves", plot, "The mean of all seeds; the band reaches from the worst to the best."),
        ReportTable(
            f"share of the points against {given['judge']}; the mean of the seeds",
            ("learner", "at first", "at the end", "worst to best", "not lost", "half-way after"),
            rows,
            facts=facts,
        ),
    ]


def matches_to_half(at: list[int], means: list[float]) -> str:
    """Return the matches after which half of the gain is reached, as text."""
    middle = (means[0] + means[-1]) / 2
    if means[-1] <= means[0]:
        return ""
    reached = next(m for m, mean in zip(at, means, strict=True) if mean >= middle)
    return many(reached, "match")
