"""Experiments from Python: run them, list them, and write their reports."""

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ludex.core.devices import chosen_device
from ludex.io.table import Table
from ludex.io.text import ParameterError
from ludex.lab import experiment_file
from ludex.lab.kinds import missing_extra
from ludex.lab.page import notebook_html, report_facts, write_report
from ludex.lab.runner import LabOutcome, recall, run
from ludex.lab.shipped_files import shipped_files
from ludex.lab.spec.experiment import Experiment
from ludex.lab.spec.game_file import short_name
from ludex.library.history import open_store
from ludex.library.progress import show_progress
from ludex.store import Store
from ludex.store.notebook import Notebook
from ludex.workers.pool import Pool


class Findings:
    """The results of an experiment."""

    def __init__(self, outcome: LabOutcome) -> None:
        self.outcome = outcome

    @property
    def facts(self) -> dict[str, Any]:
        """All results, as `ludex lab run --json` prints them."""
        return report_facts(self.outcome)

    @property
    def tables(self) -> dict[str, Table]:
        """The tables of the report by caption, as text."""
        return {
            one["caption"]: Table(
                dict(zip(one["columns"], row, strict=True)) for row in one["rows"]
            )
            for one in self.facts["tables"]
        }

    def write(self, folder: str | Path) -> Path:
        """Write the report into a folder, and return its page."""
        return write_report(self.outcome, Path(folder))

    def __repr__(self) -> str:
        return f"<Findings: {self.outcome.experiment.title}>"

    def _repr_html_(self) -> str:
        return notebook_html(self.outcome)


def experiment(
    spec: "str | Path | Mapping[str, Any]",
    scale: float = 1.0,
    seed: int | None = None,
    fresh: bool = False,
    store: "str | Store | None" = None,
    progress: bool = True,
    device: str | None = None,
    **pool: Any,
) -> Findings:
    """Run an experiment, given as the name of a shipped one, a file, or a table.

    Results are stored, so that an interrupted experiment is resumed; `fresh` starts over. The
    work runs on `processes`, or on a cluster, `dask`. With a `device`, as in `play`, the matches of
    a balance between random, casual and greedy are played there.
    """
    chosen = find_experiment(spec, scale, seed)
    if device is not None:
        chosen, device = on_device(chosen), chosen_device(device)
    notebook = Notebook(store if isinstance(store, Store) else Store(store))
    with show_progress(progress) as tell:
        count = functools.partial(tell, chosen.name)
        return Findings(run(chosen, notebook, Pool(**pool), count, fresh, device=device or "auto"))


def find_experiment(
    spec: "str | Path | Mapping[str, Any]", scale: float = 1.0, seed: int | None = None
) -> Experiment:
    """Return the experiment of a name, a file, or a table."""
    if not isinstance(spec, Mapping):
        return experiment_file.read_experiment(str(spec), scale, seed)
    name = f"{short_name(str(spec.get('game', '')))}-{spec.get('kind', '')}"
    made = experiment_file.make_experiment(name, dict(spec), scale, seed)
    return experiment_file.with_unique_name(made)


def on_device(experiment: Experiment) -> Experiment:
    """Return an experiment whose matches are played on a device, as far as its agents allow it."""
    if "device" not in experiment.given:
        why = "a {} experiment plays no series there: expected one of balance or mend"
        raise ParameterError(f"{{device}}: {why}", experiment.kind)
    there = experiment._replace(given=experiment.given | {"device": True})
    return experiment if there == experiment else experiment_file.with_unique_name(there)


def past_experiment(
    spec: "int | str | Path", store: "str | Store | None" = None, **changes: Any
) -> Findings:
    """Return the results of an experiment that was run, by its number, name or file."""
    notebook = Notebook(open_store(store))
    if not isinstance(spec, int):
        return Findings(recall(find_experiment(spec, **changes), notebook))
    row = notebook.experiment(spec)
    if row is None:
        raise ValueError(f"no experiment {spec}: ludex lab list shows those there are")
    return Findings(recall(experiment_file.fill_defaults(Experiment(**row.ordered)), notebook))


def available_experiments() -> Table:
    """Return the shipped experiments, and the missing extra that each needs, if any."""
    return Table(
        {
            "name": one.name,
            "kind": one.kind,
            "game": one.game,
            "title": one.title,
            "needs": missing_extra(one.kind),
        }
        for one in map(experiment_file.read_experiment, shipped_files())
    )


def past_experiments(store: "str | Store | None" = None) -> Table:
    """Return the experiments that were run, and how each differs from the default."""
    return Table(
        {
            "number": row.id,
            "name": row.name,
            "kind": row.kind,
            "game": row.game,
            "title": row.ordered["title"],
            "differs": difference_text(row),
            "began": row.began,
            "ended": row.ended,
        }
        for row in Notebook(open_store(store)).experiments()
    )


def difference_text(row: Any) -> str:
    """Return how a run differs from the default; nothing if its game is gone."""
    try:
        return experiment_file.differences(experiment_file.fill_defaults(Experiment(**row.ordered)))
    except (ValueError, TypeError, KeyError):  # from another version, or about a deleted file
        return ""
